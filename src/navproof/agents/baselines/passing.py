"""How the oracle lets people pass: it goes on, waits, or goes back on the way that it came.

It is told where people will be. The way ahead and the way behind are one line of places, a quarter
of a second apart; which of the three leads on at a distance from everybody follows from a search in
space and time (``tasks.mission.timing``), made anew at every step.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from itertools import pairwise
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from navproof.core.types import Action, Robot, Velocity, Waypoints
from navproof.sensors.mission import AHEAD, AHEAD_S
from navproof.tasks.mission.timing import outlook, tenable

__all__ = ["STILL", "PassingRule", "polar"]

XY = tuple[float, float]
Way = Literal["on", "wait", "back"]
STILL = Waypoints(((0.0, 0.0),))
"""Comes to rest as gently as the robot needs it: one that walks would fall if it braked hard."""
_KEEP_M = (1.5, 1.35, 1.23)
"""From people, the first that lets the robot get on."""
_HASTE, _TURNING = 0.75, 0.6  # of the robot's limits
_BACK_M_S, _BACK_STEP_M_S, _BACK_RAD_S = 0.4, 0.04, 0.6
_BACK_M = 6.0
_CRUMB_M = 0.1
_PURSUED_M = 0.5
_ON_THE_SPOT_RAD = math.pi / 4
_ADVANCE = 8  # places that make a plan worth while
_PATIENCE_STEPS, _REGARDLESS_STEPS = 250, 60
_CAREFUL = 0.6  # of the steps that it has; then the mission comes first
_URGENT_TICKS = 8
_SLACK_TICKS = 2  # a robot is not where it is expected to the tick
_WAYS: tuple[tuple[Way, int], ...] = (("wait", 0), ("on", 1), ("back", -1))
"""Of equal ones the first: who goes on when it is of no use may have to go back."""


class PassingRule:
    """Decides when to pass people, for one mission. Call ``note`` once a step."""

    def __init__(self, robot: Robot, budget_steps: int) -> None:
        self._steps_left = round(_CAREFUL * budget_steps)
        self._speed = _HASTE * robot.max_speed_m_s
        self._turn = _TURNING * robot.max_turn_rad_s
        self._crumbs: list[XY] = []  # the way that it came
        self._back_m_s = 0.0
        self._waited = 0

    def note(self, here: XY) -> None:
        if not self._crumbs or math.dist(self._crumbs[-1], here) >= _CRUMB_M:
            self._crumbs.append(here)

    def choose(
        self,
        pose: NDArray[np.float64],
        path: Sequence[XY],
        mission: NDArray[np.generic],
        but: Collection[int] = (),
    ) -> Way:
        """What to do with people about; ``but`` are rows of those who do not matter."""
        rows = [r for r in range(1, len(mission)) if r not in but and _is_about(mission[r])]
        self._steps_left -= 1
        if not rows or self._waited > _PATIENCE_STEPS or self._steps_left < 0:
            self._waited = self._waited + 1 if self._waited else 0
            if self._waited > _PATIENCE_STEPS + _REGARDLESS_STEPS:
                self._waited = 0
            return "on"
        behind = self._behind((float(pose[0]), float(pose[1])))
        places = np.array([*behind, *self._ahead(pose, path)])
        nearest = _about(np.min([_apart(mission[r], places) for r in rows], axis=0))
        choice = _best(nearest, len(behind) - 1)
        self._waited = 0 if choice == "on" else self._waited + 1
        return choice

    def back(self, pose: NDArray[np.float64], is_walking: bool) -> Action:
        """A little back on the way that it came, backwards unless the robot has turned round. One
        that walks comes to rest first."""
        if is_walking and self._back_m_s == 0.0:
            return STILL
        here = (float(pose[0]), float(pose[1]))
        while len(self._crumbs) > 1 and math.dist(self._crumbs[-1], here) < 2 * _CRUMB_M:
            self._crumbs.pop()
        far = [c for c in reversed(self._crumbs) if math.dist(c, here) >= _CRUMB_M]
        target = next(
            (c for c in far if math.dist(c, here) >= _PURSUED_M), far[-1] if far else None
        )
        if target is None:
            return STILL
        away, bearing = polar(pose, target)
        if abs(bearing) < math.pi / 2:
            return Waypoints(((away * math.cos(bearing), away * math.sin(bearing)),))
        self._back_m_s = max(-_BACK_M_S, self._back_m_s - _BACK_STEP_M_S)
        turn = self._back_m_s * 2.0 * math.sin(bearing) / away
        return Velocity(self._back_m_s, max(-_BACK_RAD_S, min(_BACK_RAD_S, turn)))

    def rest(self) -> None:
        """The robot does not go back now."""
        self._back_m_s = 0.0

    # ------------------------------------------------------------------------------------ places
    def _behind(self, here: XY) -> list[XY]:
        """The way that it came, up to here."""
        return [*self._crumbs[-round(_BACK_M / _CRUMB_M) :], here]

    def _ahead(self, pose: NDArray[np.float64], path: Sequence[XY]) -> list[XY]:
        """The way ahead, a place for every ``AHEAD_S``: several where it turns on the spot."""
        points: list[XY] = []
        heading, step_m = float(pose[3]), self._speed * AHEAD_S
        left_m = step_m
        for (x0, y0), (x1, y1) in pairwise(path):
            length = math.dist((x0, y0), (x1, y1))
            if length < 1e-6:
                continue
            towards = math.atan2(y1 - y0, x1 - x0)
            turn = abs(math.remainder(towards - heading, math.tau))
            if turn > _ON_THE_SPOT_RAD:
                points += [(x0, y0)] * round(turn / self._turn / AHEAD_S)
            heading = towards
            while left_m <= length:
                points.append((x0 + left_m / length * (x1 - x0), y0 + left_m / length * (y1 - y0)))
                left_m += step_m
            left_m -= length
            if len(points) > AHEAD:
                return points
        return [*points, path[-1]]


def _is_about(person: NDArray[np.generic]) -> bool:
    """Whether somebody walks now or will; who only stands is passed otherwise."""
    ahead = np.asarray(person[3:], dtype=np.float64).reshape(-1, 2)
    return bool(np.ptp(ahead, axis=0).max() > _CRUMB_M)


def _apart(person: NDArray[np.generic], places: NDArray[np.float64]) -> NDArray[np.float64]:
    """(1 + AHEAD, places): how far she is from each place, now and later."""
    numbers = np.asarray(person, dtype=np.float64)
    hers = np.concatenate((numbers[None, :2], numbers[3:].reshape(-1, 2)))
    distances: NDArray[np.float64] = np.linalg.norm(hers[:, None] - places[None], axis=2)
    return distances


def _about(nearest: NDArray[np.float64]) -> NDArray[np.float64]:
    """The least distance at about each tick; the first is now."""
    minima = nearest.copy()
    for shift in range(1, _SLACK_TICKS + 1):
        minima[1 + shift :] = np.minimum(minima[1 + shift :], nearest[1:-shift])
        minima[1:-shift] = np.minimum(minima[1:-shift], nearest[1 + shift :])
    return minima


def _best(nearest: NDArray[np.float64], start: int) -> Way:
    """The way that leads farthest, at the greatest distance at which one leads on and does not end
    between people; else one that leads to the goal all the same; else one on which nobody is met
    for now, or that keeps the most room in the next seconds."""
    last = nearest.shape[1] - 1
    safe: Way | None = None
    for is_last_resort in (False, True):
        for keep_m in _KEEP_M:
            free = nearest >= keep_m
            allowed = free if is_last_resort else tenable(free)
            outlooks = {
                way: outlook(allowed[1:], start + step)
                for way, step in _WAYS
                if 0 <= start + step <= last
            }
            way = max(outlooks, key=lambda w: outlooks[w])
            place = outlooks[way][0]
            if place == last or (place >= start + _ADVANCE and not is_last_resort):
                return way
            if place >= 0 and safe is None:
                safe = way
    if safe is not None:
        return safe
    ticks = np.arange(1, _URGENT_TICKS)
    room = {w: nearest[ticks, np.clip(start + s * ticks, 0, last)].min() for w, s in _WAYS}
    return max(room, key=lambda w: room[w])


def polar(pose: NDArray[np.float64], point: XY) -> tuple[float, float]:
    """(distance, bearing from the heading) of a point."""
    dx, dy = point[0] - float(pose[0]), point[1] - float(pose[1])
    return math.hypot(dx, dy), math.remainder(math.atan2(dy, dx) - float(pose[3]), math.tau)
