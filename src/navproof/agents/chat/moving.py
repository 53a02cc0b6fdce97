"""Legs: what the robot does between two questions. Each gives one action a step, and None when it
is over."""

from __future__ import annotations

import math
from typing import Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from navproof.agents.chat.views import View
from navproof.agents.generalist.drive import Driver
from navproof.agents.mapping.navigate import turn_towards
from navproof.agents.search.approach import Approach
from navproof.agents.search.survey import Survey
from navproof.core.types import Action, Move, TaskBrief

__all__ = ["Leg", "LookAround", "Mover", "WalkTo", "WalkUp"]

_PATIENCE = 8  # steps without getting nearer, besides those of half a turn
_NEARER_M = 0.05
_THERE_M = 0.2
_SMOOTH = 8  # times as many steps, where each is a tenth of a second
_FACING_RAD = 0.1


class Mover:
    """One robot on its map."""

    def __init__(self, brief: TaskBrief, survey: Survey) -> None:
        self.survey = survey
        self.driver = Driver(brief)
        self.turn_rad = math.radians(brief.robot.turn_deg)
        self.patience = _PATIENCE + math.ceil(math.pi / self.turn_rad)
        self.patience *= _SMOOTH if self.driver.smooth else 1

    def turn(self, off_rad: float) -> Action | None:
        """A turn on the spot by an angle; None where it is as good as done."""
        if self.driver.smooth:
            return None if abs(off_rad) < _FACING_RAD else self.driver.turn(off_rad)
        if abs(off_rad) <= 0.5 * self.turn_rad + 1e-6:
            return None
        return Move.LEFT if off_rad > 0.0 else Move.RIGHT

    def face(self, x: float, y: float) -> Action | None:
        pose = self.survey.pose
        if not self.driver.smooth:
            return turn_towards(pose, x, y, self.turn_rad)
        return self.turn(math.remainder(math.atan2(y - pose.y, x - pose.x) - pose.yaw, math.tau))

    def along(self, move: Move) -> Action:
        return self.driver.along(self.survey.pose, self.survey.path, move)

    def towards(self, x: float, y: float, reach_m: float) -> Action | None:
        survey = self.survey
        move = survey.nav.towards(survey.pose, x, y, reach_m)
        survey.path = survey.nav.path
        return None if move is None else self.along(move)


class Leg(Protocol):
    """Moves the robot for a while."""

    def step(self) -> Action | None: ...


class LookAround:
    """Turns to the left on the spot, and keeps a view every ``apart_rad``, ``count`` in all, the
    first of them where it begins. Before each ``step`` it has to be shown (``sees``) what is seen
    now."""

    def __init__(self, mover: Mover, apart_rad: float, count: int) -> None:
        self._mover = mover
        self._apart, self._count = apart_rad, count
        self._turned = 0.0
        self._yaw: float | None = None
        self._left = 2 * math.ceil(math.tau / mover.turn_rad)
        self._left *= _SMOOTH if mover.driver.smooth else 1
        self._slack = _FACING_RAD if mover.driver.smooth else 0.5 * mover.turn_rad
        self.views: list[View] = []

    def sees(self, view: View) -> bool:
        """Whether the view is one of those that are kept."""
        yaw = view.pose.yaw
        if self._yaw is not None:
            self._turned += math.remainder(yaw - self._yaw, math.tau)
        self._yaw = yaw
        is_kept = self._turned >= len(self.views) * self._apart - self._slack
        if is_kept:
            self.views.append(view)
        return is_kept

    def step(self) -> Action | None:
        mover = self._mover
        self._left -= 1
        if len(self.views) >= self._count or self._left < 0:
            return None
        off = len(self.views) * self._apart - self._turned
        return mover.turn(max(off, mover.turn_rad)) or mover.driver.turn(1.0)


class WalkTo:
    """To a place, for as long as it gets nearer. ``is_there``: it came there; ``gone_m``: how far
    it got."""

    def __init__(self, mover: Mover, x: float, y: float) -> None:
        self._mover, self.to = mover, (x, y)
        self._from = mover.survey.pose
        self._best_m, self._since = math.inf, 0
        self.is_there = False

    @property
    def gone_m(self) -> float:
        return math.dist(self._from.point, self._mover.survey.pose.point)

    def step(self) -> Action | None:
        pose = self._mover.survey.pose
        self.is_there = math.dist((pose.x, pose.y), self.to) <= _THERE_M
        if self.is_there:
            return None
        action = self._mover.towards(*self.to, _THERE_M)
        left_m = self._mover.survey.nav.remaining_m(pose)
        if left_m < self._best_m - _NEARER_M:
            self._best_m, self._since = left_m, 0
        self._since += 1
        return None if self._since > self._mover.patience else action


class WalkUp:
    """Up to a thing, then turned to it. ``outcome`` is how that ended."""

    def __init__(
        self,
        mover: Mover,
        x: float,
        y: float,
        outline: NDArray[np.float64],
        reaches_m: tuple[float, ...],
    ) -> None:
        self._mover, self._x, self._y = mover, x, y
        self._outline = outline
        self._approach = Approach(mover.survey, reaches_m)
        self._turns = 0
        self.outcome: Literal["", "there", "lost"] = ""

    def step(self) -> Action | None:
        step = self._approach.step(self._x, self._y, self._outline)
        if isinstance(step, Move):
            return self._mover.along(step)
        self.outcome = step
        if step == "lost":
            return None
        self._turns += 1
        most = math.ceil(math.pi / self._mover.turn_rad) * (
            _SMOOTH if self._mover.driver.smooth else 1
        )
        return self._mover.face(self._x, self._y) if self._turns <= most else None
