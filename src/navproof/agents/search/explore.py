"""Exploring: which border between known and unknown to go to next, and getting there."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Literal, Protocol

import numpy as np

from navproof.agents.mapping.navigate import XY, Navigator, turn_towards
from navproof.core.types import Move, Pose

__all__ = ["Choice", "Explorer", "Frontier", "FrontierChooser"]

Choice = Literal["nearest", "value", "uniform"]
"""The ``nearest`` frontier · the one with most ``value`` for its distance · no frontier but a place
drawn ``uniform``ly from the map and two metres around it."""
Value = Callable[[XY], float]
"""How much a place promises; only differences between places count."""
Frontier = tuple[XY, int, float]
"""Where a frontier is reached, its size in cells, and the metres to go there."""


class FrontierChooser(Protocol):
    """A way of choosing among frontiers that is a method's own."""

    @property
    def hold_steps(self) -> int:
        """For how many moves a choice stands, unless its place is reached before."""

    def choose(self, nav: Navigator, pose: Pose, frontiers: Sequence[Frontier]) -> int:
        """The index of the frontier to go to; there is at least one, and the nearest is first."""


_DEAD_M = 0.4
_PATIENCE = 60  # steps for one place, and as many more as its way takes
_STUCK = 20  # steps without getting nearer to a place that a chooser chose
_NEARER_M = 0.1
_SPREAD = 0.15  # difference of values that is as large as can be
_AROUND_M = 2.0
_REST = 12  # steps for which, having found no place, it does not look again
_TRIES = 30  # places in one step, most of which turn out to be out of reach


class Explorer:
    """Goes to one place after the other. ``worth_m`` is the detour that the most promising
    frontier is worth over the least. A ``chooser`` takes the place of ``choice``; what it chose is
    given up, and the way to it taken to be blocked, after 20 steps without getting nearer."""

    def __init__(
        self,
        nav: Navigator,
        choice: Choice,
        rng: np.random.Generator,
        worth_m: float = 6.0,
        chooser: FrontierChooser | None = None,
    ) -> None:
        self.nav = nav
        self.choice = choice
        self.worth_m = worth_m
        self.chooser = chooser
        self._rng = rng
        self._target: XY | None = None
        self._dead: list[XY] = []
        self._patience = 0
        self._rest = 0
        self._held = 0
        self._before: XY | None = None  # the place that was headed for when its time was over
        self._nearest_m, self._since = math.inf, 0  # of the way to the place, and how long ago

    def forget(self) -> None:
        """Choose anew; nothing is dead any more."""
        self._target = None
        self._dead.clear()
        self._rest = 0

    def interrupt(self) -> None:
        """Something else is done in between: choose anew at the next move."""
        self._target = None

    def move(self, pose: Pose, value: Value) -> Move | None:
        """The next move to the place chosen; None when there is none left."""
        self._rest -= 1
        self._held += 1
        if self.chooser is not None and self._held > self.chooser.hold_steps:
            self._before, self._target = self._target, None
        if self._target is None and self._rest > 0:
            return None
        for _ in range(_TRIES):
            fresh = self._target is None
            if self._target is None and not self._choose(pose, value):
                break
            assert self._target is not None
            self._patience -= 1
            is_there = self._is_done(*self._target)
            move = None if is_there or self._patience <= 0 else self._go(pose, *self._target)
            if move is not None and not self._is_stuck(pose):
                return move
            if fresh or not is_there:  # seen from near to no avail, or out of reach
                self._dead.append(self._target)
            self._target = None
        self._rest = _REST
        return None

    def _is_stuck(self, pose: Pose) -> bool:
        """Whether a chooser's place has not come nearer for long."""
        if self.chooser is None:
            return False
        left_m = self.nav.remaining_m(pose)
        if left_m < self._nearest_m - _NEARER_M:
            self._nearest_m, self._since = left_m, 0
        self._since += 1
        if self._since <= _STUCK:
            return False
        self.nav.block(pose)
        return True

    def _is_done(self, x: float, y: float) -> bool:
        return self.choice != "uniform" and not self.nav.is_unknown_near(x, y)

    def _go(self, pose: Pose, x: float, y: float) -> Move | None:
        """The next move to a place; None when nothing more is to be gained there."""
        away = math.dist((x, y), (pose.x, pose.y))
        if self.choice == "uniform":
            return self.nav.towards(pose, x, y, _DEAD_M)
        if away > _DEAD_M:
            return self.nav.towards(pose, x, y, 0.2)
        return turn_towards(pose, x, y, self.nav.turn_rad) if away > 0.1 else None

    def _choose(self, pose: Pose, value: Value) -> bool:
        self._held = 0
        if self.choice == "uniform":
            self._target = self._anywhere()
            self._patience = _PATIENCE
            return True
        open_ = self.nav.frontiers(pose, self._dead, _DEAD_M)
        if not open_:
            return False
        if self.chooser is not None:
            self._head_for(open_[self.chooser.choose(self.nav, pose, open_)])
            return True
        values = [value(place) if self.choice == "value" else 0.0 for place, _, _ in open_]
        spread = max(max(values) - min(values), _SPREAD)
        costs = [
            _effort(pose, *frontier) - self.worth_m * (v - min(values)) / spread
            for frontier, v in zip(open_, values, strict=True)
        ]
        self._head_for(open_[costs.index(min(costs))])
        return True

    def _head_for(self, frontier: Frontier) -> None:
        """Go there from now on; with what patience is left, if that is where it was going."""
        self._target, _, way_m = frontier
        before, self._before = self._before, None
        if before is not None and math.dist(before, self._target) <= _DEAD_M:
            return
        self._nearest_m, self._since = math.inf, 0
        self._patience = _PATIENCE + math.ceil(2.0 * way_m / self.nav.robot.forward_m)

    def _anywhere(self) -> XY:
        world = self.nav.map
        r0, r1, c0, c1 = world.known_bounds(margin=round(_AROUND_M / world.cell))
        return world.centre(float(self._rng.uniform(r0, r1)), float(self._rng.uniform(c0, c1)))


def _effort(pose: Pose, place: XY, size: int, way_m: float) -> float:
    """Metres to go, and what turning and a small opening are worth."""
    bearing = math.atan2(place[1] - pose.y, place[0] - pose.x) - pose.yaw
    turn = abs(math.remainder(bearing, math.tau))
    return way_m + 0.3 * turn - 0.03 * min(size, 40)
