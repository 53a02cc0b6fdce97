"""Going up to a thing: where to stand by it, getting there, and noticing that one does not."""

from __future__ import annotations

import math
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from navproof.agents.mapping.navigate import XY
from navproof.agents.search.stand import stand_by
from navproof.agents.search.survey import Survey
from navproof.core.types import Move

__all__ = ["Approach"]

_SAME_M = 0.6  # a thing that moves less on the map is the same
_AT_M = 0.15
_STAND_STEPS = 8  # after which the place to stand is chosen anew
_PATIENCE = 30  # steps without getting nearer


class Approach:
    """The way to one thing after the other. ``reaches_m`` are the distances from which a thing is
    reached, the most wanted first."""

    def __init__(self, survey: Survey, reaches_m: tuple[float, ...]) -> None:
        self.reaches_m = reaches_m
        self._survey = survey
        self.forget()

    def forget(self) -> None:
        """No thing is approached."""
        self._to: XY | None = None
        self._stand: XY | None = None
        self._age = 0
        self._there = False
        self._best_m = math.inf
        self._since = 0

    def step(
        self, x: float, y: float, spots: NDArray[np.float64]
    ) -> Move | Literal["there", "lost"]:
        """The next move to the thing at (x, y) whose surface has ``spots`` (n, 2); "there" once the
        robot stands by it, and as long as the thing stays the same; "lost": no way leads to it."""
        if self._to is None or math.dist(self._to, (x, y)) > _SAME_M:
            self.forget()
            self._to = (x, y)
        if self._there:
            return "there"
        survey = self._survey
        pose = survey.pose
        if self._stand is None or self._age >= _STAND_STEPS:
            self._stand, self._age = self._choose_stand(spots), 0
            if self._stand is None and survey.forgive():
                self._stand = self._choose_stand(spots)
        self._age += 1
        if self._stand is None:
            return "lost"
        move = None
        if math.dist(self._stand, (pose.x, pose.y)) > _AT_M:
            move = survey.nav.towards(pose, *self._stand, 0.1)
            survey.path = survey.nav.path
            if move is None and not survey.nav.path:
                return "lost"
        if move is None or self._is_stuck():
            self._there = move is None or self.apart_m(spots) <= self.reaches_m[-1]
            return "there" if self._there else "lost"
        return move

    def _choose_stand(self, spots: NDArray[np.float64]) -> XY | None:
        survey = self._survey
        side = survey.sides.of(spots)
        stand = stand_by(survey.nav, survey.eye_level, survey.pose, spots, self.reaches_m, side)
        return None if stand is None else stand[0]

    def apart_m(self, spots: NDArray[np.float64]) -> float:
        """From the robot to the nearest spot."""
        here = np.array([self._survey.pose.x, self._survey.pose.y])
        return float(np.linalg.norm(spots - here, axis=1).min())

    def _is_stuck(self) -> bool:
        """Whether the way has not got shorter for long."""
        left_m = self._survey.nav.remaining_m(self._survey.pose)
        if left_m < self._best_m - 0.1:
            self._best_m, self._since = left_m, 0
        self._since += 1
        return self._since > _PATIENCE
