"""Exploring against the clock: which border of the known to go to next.

Large openings ahead that promise something come first, nooks last. What is seen on the way counts:
the choice is made anew every second or so, and changes where another place has become clearly
better.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from navproof.agents.generalist.drive import Driver
from navproof.agents.generalist.survey import MissionSurvey
from navproof.agents.mapping.navigate import XY, Navigator
from navproof.core.types import Action, Pose

__all__ = ["BorderExplorer", "Promise"]

Promise = Callable[[XY], float]
"""How likely what is wanted is beyond a place, from 0 to 1."""

_LOOK_RAD = math.radians(280.0)  # shows all around, with a camera of 90°
_NOOK_CELLS = 14
_NOOK_M = 4.0  # of way that a nook must be nearer by
_SIZE_M, _SIZE_CELLS = 0.04, 60  # of way that each cell of an opening is worth, up to so many
_TURN_M = 0.6  # of way that a turn by a radian costs
_PROMISE_M = 6.0
_HOLD_M = 1.5
_RETHINK_STEPS = 12
_DEAD_M = 0.5
_THERE_M = 0.45
_PATIENCE = 40


class BorderExplorer:
    """Goes to one border after the other, of what was seen from afar and then from near."""

    def __init__(self, survey: MissionSurvey, driver: Driver) -> None:
        self._survey, self._driver = survey, driver
        self._turned = 0.0
        self._yaw: float | None = None
        self._nav = survey.nav
        self.forget()

    def forget(self) -> None:
        """Choose anew; nothing is dead any more."""
        self._target: XY | None = None
        self._dead: list[XY] = []
        self._age = 0
        self._patience = 0

    def action(self, promise: Promise) -> Action | None:
        """The next action; None when nothing is left to see."""
        pose = self._survey.pose
        if self._turned < _LOOK_RAD:
            return self._look_around(pose)
        for nav in (self._survey.nav, self._survey.close):
            action = self._go_on(nav, pose, promise)
            if action is not None:
                return action
        return None

    def _look_around(self, pose: Pose) -> Action:
        if self._yaw is not None:
            self._turned += abs(math.remainder(pose.yaw - self._yaw, math.tau))
        self._yaw = pose.yaw
        return self._driver.turn(1.0)

    def _go_on(self, nav: Navigator, pose: Pose, promise: Promise) -> Action | None:
        if nav is not self._nav:
            self._nav, self._target, self._age = nav, None, _RETHINK_STEPS
        for _ in range(6):
            self._age += 1
            self._patience -= 1
            at = self._target
            if at is None or self._age >= _RETHINK_STEPS or not nav.is_unknown_near(*at):
                at = self._choose(nav, pose, promise)
                if at is None:
                    return None
            if self._patience > 0 and math.dist(at, (pose.x, pose.y)) > _THERE_M:
                move = nav.towards(pose, *at, 0.25)
                if move is not None:
                    self._survey.path = nav.path
                    return self._driver.along(pose, nav.path, move)
            elif self._patience > 0:
                off = math.atan2(at[1] - pose.y, at[0] - pose.x) - pose.yaw
                off = math.remainder(off, math.tau)
                if abs(off) > 0.4:
                    return self._driver.turn(off)
            self._dead.append(at)
            self._target = None
        return None

    def _choose(self, nav: Navigator, pose: Pose, promise: Promise) -> XY | None:
        self._age = 0
        previous, self._target = self._target, None
        best = math.inf
        way_to = 0.0
        for place, size, way_m in nav.frontiers(pose, self._dead, _DEAD_M):
            bearing = math.atan2(place[1] - pose.y, place[0] - pose.x) - pose.yaw
            cost = way_m + _TURN_M * abs(math.remainder(bearing, math.tau))
            cost += _NOOK_M if size < _NOOK_CELLS else 0.0
            cost -= _SIZE_M * min(size, _SIZE_CELLS) + _PROMISE_M * promise(place)
            if previous is not None and math.dist(previous, place) < _DEAD_M:
                cost -= _HOLD_M
            if cost < best:
                best, self._target, way_to = cost, place, way_m
        if self._target is not None and (
            previous is None or math.dist(previous, self._target) > _DEAD_M
        ):
            self._patience = _PATIENCE + round(25.0 * way_to)
        return self._target
