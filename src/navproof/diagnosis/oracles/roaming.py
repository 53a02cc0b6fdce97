"""Detects loops: where the robot has been lately, and whether that showed it anything new."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field

__all__ = ["LoopDetector"]

XY = tuple[float, float]

PLACE_M = 1.0
WINDOW_STEPS = 60
RETURNS = 2
_HOLDS_STEPS = 24


@dataclass
class LoopDetector:
    """Detects loops. The robot is in a loop if, within the last 60 steps, it left its present place
    (1 m) and came back twice, and since it first left nothing new came into view and no new room
    was entered. A loop lasts until there is something new."""

    places: tuple[XY, ...] = ()
    seen: set[int] = field(default_factory=set)
    rooms: set[int] = field(default_factory=set)
    step: int = 0
    newest: int = 0
    looped: int | None = None  # the last step at which a loop closed

    def copy(self) -> LoopDetector:
        return LoopDetector(
            self.places, set(self.seen), set(self.rooms), self.step, self.newest, self.looped
        )

    def add(self, place: XY, things: Iterable[int] | None, room: int | None, step: int) -> None:
        """Add one step: where the robot is and what it sees. None for what it sees means unknown,
        which may be something new."""
        self.places = (*self.places[1 - WINDOW_STEPS :], place)
        self.step = step
        fresh = set(things or ()) - self.seen
        entered = set() if room is None else {room} - self.rooms
        if fresh or entered or things is None:
            self.seen |= fresh
            self.rooms |= entered
            self.newest = step
        left = self._first_left()
        if left is not None and self.newest <= left:
            self.looped = step

    @property
    def is_looping(self) -> bool:
        if self.looped is None or self.newest > self.looped:
            return False
        return self.step - self.looped <= _HOLDS_STEPS

    def _first_left(self) -> int | None:
        """The step, within the window, at which the present place was left ``RETURNS`` returns
        ago."""
        here, returns, was_in = self.places[-1], 0, True
        for back, place in enumerate(reversed(self.places)):
            is_in = math.dist(place, here) <= PLACE_M
            if is_in and not was_in:
                returns += 1
                if returns == RETURNS:
                    return self.step - back
            was_in = is_in
        return None
