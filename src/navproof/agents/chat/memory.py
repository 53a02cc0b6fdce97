"""What was done and seen so far, in words that stay short however long an episode gets."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from string import ascii_uppercase

import numpy as np

from navproof.agents.chat.directions import bearing_words
from navproof.agents.mapping.navigate import XY
from navproof.agents.search.sightings import Sighting
from navproof.core.types import Pose

__all__ = ["START", "Diary", "Thing", "things_in_words", "things_of"]

_MOST_TOLD = 8
_MOST_THINGS = 12
START = "S"
_START = "the place where you began"


@dataclass(frozen=True, slots=True)
class Entry:
    """What was done at one spot: where, in which room, what was seen there, what was chosen."""

    step: int
    at: XY
    room: str
    seen: tuple[str, ...]
    done: str


@dataclass(frozen=True, slots=True)
class Thing:
    """A thing that is remembered, with the letter by which the model may name it."""

    letter: str
    label: str
    sighting: Sighting


class Diary:
    """What was decided so far. ``notes`` are what the model told itself."""

    def __init__(self) -> None:
        self.notes = ""
        self._entries: list[Entry] = []

    @property
    def trail(self) -> tuple[XY, ...]:
        """Where was decided."""
        return tuple(entry.at for entry in self._entries)

    def add(self, step: int, pose: Pose, room: str, seen: Sequence[str], done: str) -> None:
        at = (round(pose.x, 2), round(pose.y, 2))
        self._entries.append(Entry(step, at, room, tuple(dict.fromkeys(seen)), done))

    def remark(self, what: str) -> None:
        """What became of the last decision."""
        if self._entries:
            last = self._entries[-1]
            done = f"{last.done}; {what}"
            self._entries[-1] = Entry(last.step, last.at, last.room, last.seen, done)

    def words(self, pose: Pose) -> str:
        """A line for each of the last decisions, as seen from where the robot is now."""
        if not self._entries:
            return "Nothing yet: you have just begun."
        lines = []
        if len(self._entries) > _MOST_TOLD:
            before = self._entries[:-_MOST_TOLD]
            rooms = list(dict.fromkeys(entry.room for entry in before if entry.room))
            told = f", in: {', '.join(rooms)}" if rooms else ""
            lines.append(f"- (before that, {len(before)} stops{told})")
        for entry in self._entries[-_MOST_TOLD:]:
            seen = f"; saw {', '.join(entry.seen)}" if entry.seen else ""
            room = f"{entry.room}, " if entry.room else ""
            lines.append(f"- {room}{place_words(pose, entry.at)}{seen}; {entry.done}")
        return "\n".join(lines)


def place_words(pose: Pose, at: XY) -> str:
    """Where a place is from the robot."""
    away = math.dist((pose.x, pose.y), at)
    if away < 0.3:
        return "here"
    bearing = math.atan2(at[1] - pose.y, at[0] - pose.x) - pose.yaw
    return f"{away:.1f} m away, {bearing_words(bearing)}"


def things_of(
    sightings: Sequence[Sighting], pose: Pose, *, start: bool = False
) -> tuple[Thing, ...]:
    """The nearest things that are remembered, with letters; the place where it began is one of
    them where ``start``."""
    nearest = sorted(
        sightings,
        key=lambda s: (round(math.dist(s.position[:2], (pose.x, pose.y)), 2), s.label),
    )[:_MOST_THINGS]
    begin = Thing(
        START, _START, Sighting(_START, (1.0,), (0.0, 0.0, 0.0), np.zeros((1, 2)), 0, 0.0)
    )
    return (
        *(
            Thing(letter, sighting.label, sighting)
            for letter, sighting in zip(ascii_uppercase, nearest, strict=False)
        ),
        *((begin,) if start else ()),
    )


def things_in_words(things: Sequence[Thing], pose: Pose) -> str:
    """A line for each thing."""
    if not things:
        return "Nothing yet."
    lines = []
    for thing in things:
        x, y, _ = thing.sighting.position
        lines.append(f"{thing.letter}: {thing.label}, {place_words(pose, (x, y))}")
    return "\n".join(lines)
