"""Which categories LangNav asks for in which split: val and test share none.

A fixed rule over the catalogue. Categories that a listener would take for each other ("chair" and
"office chair"; ``nouns.could_mean``) form a group and stay together. The groups, ordered by what
kind of thing they are (the catalogue's supercategory) and then by name, are dealt out in turn, so
that either split has furniture, lamps, appliances and small things. Train takes all of them.
"""

from __future__ import annotations

from functools import cache

from navproof.language.lexicon.nouns import could_mean
from navproof.world.catalog import CATEGORIES

__all__ = ["category_groups", "goal_categories_of", "split_of"]

_KINDS = ("floor", "on", "wall")
_NEVER = frozenset({"rug", "curtain"})  # one stands on them, or they are part of the window


@cache
def category_groups() -> tuple[tuple[str, ...], ...]:
    """Categories that can be goals, in groups that sound alike, in the order of the deal."""
    names = [n for n, c in CATEGORIES.items() if c.position_kind in _KINDS and n not in _NEVER]
    groups: list[tuple[str, ...]] = []
    while names:
        group = [names.pop(0)]
        for member in group:  # grows while it is walked
            alike = [n for n in names if could_mean(n, member) or could_mean(member, n)]
            names = [n for n in names if n not in alike]
            group += alike
        groups.append(tuple(sorted(group)))
    return tuple(sorted(groups, key=lambda g: (CATEGORIES[g[0]].supercategory, g)))


@cache
def goal_categories_of(split: str) -> frozenset[str]:
    """The categories that a split's goals may have; all of them for any split but val and test."""
    groups = category_groups()
    share = {"val": groups[0::2], "test": groups[1::2]}.get(split, groups)
    return frozenset(name for group in share for name in group)


def split_of(scene: str) -> str:
    """The split in a scene id ("home/val/3" → "val"); "" for any other name."""
    parts = scene.split("/")
    return parts[1] if len(parts) == 3 else ""
