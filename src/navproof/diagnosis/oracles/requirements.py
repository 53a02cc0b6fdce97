"""What must come before the end of an episode, in order, and whether a plan skips it."""

from __future__ import annotations

import math
from collections.abc import Sequence

from navproof.core.types import Episode, Point
from navproof.diagnosis.oracles.polyline import XY, along, apart_m, beyond
from navproof.sim.protocol import GoalSet, points
from navproof.tasks.registry import TASKS

__all__ = ["Requirements", "later_goals"]

MET_M = 2.0
_BEYOND_M = 1.5
_PASSED = ("pass", "transit")


def later_goals(episode: Episode, index: int) -> frozenset[int]:
    """The things that are goals of later sub-tasks and not of the one in force."""
    if index >= len(episode.subtasks):
        return frozenset()
    now = set(episode.subtasks[index].goal.object_ids)
    later = {i for sub in episode.subtasks[index + 1 :] for i in sub.goal.object_ids}
    return frozenset(later - now)


class Requirements:
    """The places that a route must pass: its landmarks and the doorways on the reference path.
    ``met`` counts those that the robot has reached."""

    def __init__(self, episode: Episode) -> None:
        is_route = TASKS.get(episode.task).is_route and episode.instruction is not None
        clauses = episode.instruction.clauses if is_route and episode.instruction else ()
        at = [
            float(str(clause["at_m"]))
            for clause in clauses
            if clause.get("kind") in _PASSED and "at_m" in clause
        ]
        way: tuple[XY, ...] = tuple((x, y) for x, y, _ in episode.reference_path)
        self._way = way
        self._places = tuple((m, along(way, m)) for m in sorted(at)) if len(way) > 1 else ()
        self._floor_m = episode.start.z
        self.met = 0

    @property
    def passed_m(self) -> float:
        """How far along the route the last place that was reached lies; −1 before the first."""
        return self._places[self.met - 1][0] if self.met else -1.0

    def copy(self) -> Requirements:
        new = object.__new__(Requirements)
        new.__dict__.update(self.__dict__)  # everything in it is immutable
        return new

    def add(self, place: Point) -> None:
        """Count the places that the robot has reached by being here."""
        for index in range(self.met, len(self._places)):
            if math.dist(self._places[index][1], place[:2]) <= MET_M:
                self.met = index + 1

    def skipped_by(self, way: Sequence[XY]) -> GoalSet:
        """The next place to pass, if a path in the world leads beyond it without passing it; else
        nothing."""
        if self.met >= len(self._places) or not way:
            return ()
        at_m, place = self._places[self.met]
        if apart_m(way, place) <= MET_M:
            return ()
        rest = beyond(self._way, at_m + _BEYOND_M)
        return points(((*place, self._floor_m),)) if apart_m(rest, way[-1]) <= MET_M else ()
