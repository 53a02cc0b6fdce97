"""Scenes by name on the command line: one, or a range of them."""

from __future__ import annotations

import re

from navproof.core.errors import SpecError

__all__ = ["scene_range"]

_RANGE = re.compile(r"(.+)/([0-9]+)(?:-([0-9]+))?")
_MOST_SCENES = 10_000


def scene_range(spread: str, option: str) -> list[str]:
    """The scenes of ``home/val/0-3``, or of ``home/val/3`` alone; ``option`` is named where it is
    none of these."""
    found = _RANGE.fullmatch(spread)
    if found is None:
        raise SpecError(f"{option} {spread}: expected kind/split/first-last, like home/val/0-9")
    head, first, last = found[1], int(found[2]), int(found[3] or found[2])
    if last < first:
        raise SpecError(f"{option} {spread}: the last scene comes before the first")
    if last - first >= _MOST_SCENES:
        raise SpecError(f"{option} {spread}: more than {_MOST_SCENES} scenes")
    return [f"{head}/{number}" for number in range(first, last + 1)]
