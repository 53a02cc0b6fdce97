"""Which campaigns are repetitions of one search: those of one space, told apart by their seeds."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from navproof.diagnosis.fuzz.campaign import Campaign
from navproof.diagnosis.fuzz.store import Header

__all__ = ["Searched", "space_of", "tell_apart"]

Searched = Header | Campaign
_MOST_NAMED = 3


def space_of(searched: Searched) -> str:
    """What was searched and how it began; campaigns of one tester against one agent that are alike
    in this, and of one seed, are the same campaign."""
    return json.dumps(_parts(searched), sort_keys=True)


def tell_apart(campaigns: Iterable[Searched]) -> dict[str, str]:
    """For each space the words in which it differs from the others; "" where there is but one."""
    held = {space_of(searched): _parts(searched) for searched in campaigns}
    names = dict.fromkeys(name for parts in held.values() for name in parts)
    differ = [n for n in names if len({json.dumps(parts.get(n)) for parts in held.values()}) > 1]
    return {
        space: "; ".join(_words(name, parts.get(name)) for name in differ)
        for space, parts in held.items()
    }


def _parts(searched: Searched) -> Mapping[str, Any]:
    return {**searched.about, "initial": searched.initial, "judge": searched.judge}


def _words(name: str, value: Any) -> str:
    if name == "initial":
        return f"{value} initial cases"
    if name == "judge":
        return f"judge {value or 'none'}"
    if isinstance(value, list | tuple):
        few = len(value) <= _MOST_NAMED or name != "scenes"
        return ", ".join(map(str, value)) if few else f"{len(value)} scenes"
    return str(value)
