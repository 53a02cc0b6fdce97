"""How suites lay episodes out over scenes."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest
from typing import TypeVar

from navproof.tasks.suites.registry import SuitePart

__all__ = ["MINI", "aligned", "in_turn", "scenes", "spread"]

T = TypeVar("T")
MINI = ("home/val/0", "home/val/1", "office/val/0")
"""The scenes of the small suites."""


def scenes(split: str, homes: int, each: int) -> tuple[str, ...]:
    """So many homes of a split, and ``each`` of every kind of commercial space."""
    kinds = ("office", "cafe", "shop", "clinic")
    commercial = tuple(f"{kind}/{split}/{i}" for i in range(each) for kind in kinds)
    return tuple(f"home/{split}/{i}" for i in range(homes)) + commercial


def spread(
    scenes: tuple[str, ...], count: int, task_id: str, *, extended: bool = False
) -> tuple[SuitePart, ...]:
    """``count`` episodes of one task over the scenes, as evenly as it goes."""
    each, more = divmod(count, len(scenes))
    task = (task_id,)
    parts = (
        SuitePart(task, scenes[:more], each + 1, extended=extended),
        SuitePart(task, scenes[more:], each, extended=extended),
    )
    return tuple(part for part in parts if part.scenes)


def aligned(scenes: tuple[str, ...], per_scene: int) -> tuple[SuitePart, ...]:
    """The same problems as VLN and as ObjectNav, as NavTrust compares them."""
    return (SuitePart(("vln-v1", "objectnav-v1"), scenes, per_scene, aligned=True),)


def in_turn(scenes: Sequence[Sequence[T]]) -> tuple[T, ...]:
    """The first of every scene, then the second ones, and so on."""
    rounds = zip_longest(*scenes)
    return tuple(one for several in rounds for one in several if one is not None)
