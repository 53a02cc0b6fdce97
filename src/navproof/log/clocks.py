"""Which clock a run had, and what that means for its results, in words."""

from __future__ import annotations

from collections.abc import Mapping

from navproof.core.types import Clock
from navproof.log.folder import RunInfo

__all__ = ["clock_note", "clock_of"]

_MEANING: Mapping[Clock, str] = {
    "declared": (
        "clock declared: the world went on for as long as agents said that they took; results "
        "compare only with those of this clock"
    ),
    "measured": (
        "clock measured: the world went on for as long as each decision was waited for, on the "
        "machine of the run and with its load; results compare only with those had like this"
    ),
}


def clock_of(info: RunInfo) -> str:
    """What the world did while agents made up their minds ("wait" in runs that say nothing)."""
    return str(info.spec.get("clock", "wait"))


def clock_note(info: RunInfo) -> list[str]:
    """A line for readers of results; none where the world waited, as everybody expects."""
    return [text for clock, text in _MEANING.items() if clock == clock_of(info)]
