"""A memory, and what it should hold, as lines of text for a language model that judges it.

Places are numbered instead of measured (everything within 1 m is one place), and times are given by
their order alone. So the lines change only when something is seen or forgotten, and the same
question is rarely asked twice.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from navproof.core.types import Point, Remembered

__all__ = ["in_words"]

_SAME_PLACE_M = 1.0
Sighting = tuple[str, Sequence[Point], int]
"""Under which label, where (all spots that were told of it, the last one first), when last."""


def in_words(
    seen: Sequence[Sighting],
    matched: Sequence[Remembered | None],
    invented: Iterable[Remembered],
    step: int,
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The lines of what is remembered and the lines of what was seen, one for each time, oldest
    first. ``matched`` holds the claim that repeats each sighting, or None. Things that are in view
    again at ``step`` are taken to be remembered with the right time."""
    places: list[Sequence[Point]] = []
    at = [_place(places, spots) for _, spots, _ in seen]
    history: dict[int, list[str]] = defaultdict(list)
    memory: dict[int, list[str]] = defaultdict(list)
    told: set[Remembered] = set()
    for (label, _, when), place, claim in zip(seen, at, matched, strict=True):
        history[when].append(_said(label, place))
        if claim is not None and claim not in told:
            told.add(claim)
            memory[claim.step if claim.step < step else when].append(_said(claim.label, place))
    for claim in invented:
        if claim not in told:
            told.add(claim)
            memory[claim.step].append(_said(claim.label, _place(places, (claim.position,))))
    return _lines(memory), _lines(history)


def _place(places: list[Sequence[Point]], spots: Sequence[Point]) -> int:
    """The number of a place, counted from 1; a place near to none of the others gets a new
    number."""
    for number, known in enumerate(places, start=1):
        if any(math.dist(spots[0][:2], spot[:2]) <= _SAME_PLACE_M for spot in known):
            return number
    places.append(spots)
    return len(places)


def _said(label: str, place: int) -> str:
    return f"{label} at place {place}"


def _lines(by_step: Mapping[int, Iterable[str]]) -> tuple[str, ...]:
    return tuple(", ".join(sorted(by_step[step])) for step in sorted(by_step))
