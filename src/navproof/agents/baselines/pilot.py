"""How the oracle plays missions: along the expert's path, sub-task by sub-task.

It is told where the sub-task in force leads (``expert``), how far the mission has come, where
everybody is and will be (``mission``), and the answer (``TaskBrief.answer``). It keeps behind
somebody whom it follows and looks at her, keeps away from people who pass, goes round those who
stand in its way, and stops at the last goal.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from navproof.agents.baselines.passing import STILL, PassingRule, polar
from navproof.core.errors import AgentError
from navproof.core.types import Action, Answer, Move, Observation, TaskBrief, Velocity, Waypoints

__all__ = ["MissionPilot"]

XY = tuple[float, float]
_STOP_M = 0.15
_PERSONAL_M = 1.15
_WAITS_M = 2.6  # from somebody who has not set out yet
_BESIDE_M = 1.3
_LOOK_AHEAD_M = 2.0
_IDLE_STEPS = 20
_TURN_RAD_S = 1.0
_FACING_RAD = 0.1
_MOVES_M = 0.01
_STOPS_TICKS = 5  # of what is told of the future: in a second and a half
_BLOCKS_M = 0.4  # beyond the robot's own radius
_PASSES_M = (0.9, -0.9, 0.7, -0.7, 1.35, -1.35)
"""How far to one side, or to the other one, somebody is passed; the next, where one does not work
out."""
_CLEAR_STEPS = 30
_STUCK_M, _STUCK_STEPS = 0.2, 40
_BACK_M = 0.3


class MissionPilot:
    """One mission. Drives by waypoints, which every robot tracks in its own way."""

    def __init__(self, brief: TaskBrief) -> None:
        self._answer = brief.answer
        self._turn_rad_s = min(_TURN_RAD_S, brief.robot.max_turn_rad_s)
        self._blocks_m = brief.robot.radius_m + _BLOCKS_M
        self._walks = brief.robot.balance is not None
        self._here: XY | None = None
        self._is_walking = False  # and would fall if it turned on the spot
        self._passing = PassingRule(brief.robot, brief.budget_steps)
        self._followed: set[int] = set()
        self._idle = 0
        self._has_set_out = False
        self._side = 0.0  # on which somebody is passed: 1 left, −1 right, 0 undecided
        self._passes = 0
        self._clear = 0
        self._trail: list[XY] = []

    def act(self, obs: Observation) -> tuple[Action, tuple[XY, ...]]:
        """The next action, and the path that it is on (episode frame)."""
        mission = obs.readings.get("mission")
        if obs.pose is None or obs.expert is None or mission is None:
            raise AgentError("oracle needs the sensors 'pose', 'expert' and 'mission' for missions")
        if self._answer is not None:
            answer, self._answer = self._answer, None
            return Answer(answer), ()
        pose = obs.pose
        before, self._here = self._here, (float(pose[0]), float(pose[1]))
        self._is_walking = self._walks and math.dist(before or self._here, self._here) > _MOVES_M
        path = tuple((float(x), float(y)) for x, y in obs.expert)
        self._passing.note(self._here)
        followed = int(mission[0, 2].item())
        left_m = sum(math.dist(a, b) for a, b in pairwise(path))
        if followed:
            self._followed.add(followed)
            self._has_set_out |= mission[followed, 2].item() > 0
        elif left_m <= _STOP_M:
            return self._end(mission), path
        match self._passing.choose(pose, path, mission, self._followed):
            case "wait" if not followed:
                self._passing.rest()
                return STILL, path
            case "back":
                return self._passing.back(pose, self._is_walking), path
        self._passing.rest()
        if followed:
            return self._follow(pose, path, left_m, mission[followed]), path
        return self._go(pose, path, mission), path

    def _end(self, mission: NDArray[np.generic]) -> Action:
        """At the end of a path: stop if it was the last, or if nothing comes of it."""
        self._idle += 1
        is_last = mission[0, 0].item() >= mission[0, 1].item()
        return Move.STOP if is_last or self._idle > _IDLE_STEPS else STILL

    def _follow(
        self,
        pose: NDArray[np.float64],
        path: Sequence[XY],
        left_m: float,
        her: NDArray[np.generic],
    ) -> Action:
        """Behind somebody, looking at her when near: in time, where she is about to stop."""
        away, bearing = polar(pose, (float(her[0].item()), float(her[1].item())))
        waits = away <= _WAITS_M and not self._has_set_out
        ahead = np.asarray(her[3:], dtype=np.float64).reshape(-1, 2)[_STOPS_TICKS:]
        wheels = not self._walks  # who walks would have to stand before it turns
        if wheels and self._has_set_out and np.ptp(ahead, axis=0).max() < _MOVES_M:
            at, turn = polar(pose, (float(ahead[-1, 0]), float(ahead[-1, 1])))
            if _PERSONAL_M < at <= _WAITS_M:
                waits, bearing = True, turn
        if away <= _PERSONAL_M or left_m <= _STOP_M or waits:
            if abs(bearing) <= _FACING_RAD or self._is_walking:
                return STILL
            most = self._turn_rad_s
            return Velocity(0.0, max(-most, min(most, 2.0 * bearing)))
        return Waypoints(tuple(_seen(pose, point) for point in path[1:]))

    def _go(
        self, pose: NDArray[np.float64], path: Sequence[XY], mission: NDArray[np.generic]
    ) -> Action:
        """On along the path, round somebody who stands in the way."""
        here = (float(pose[0]), float(pose[1]))
        ahead = _prefix([here, *path[1:]], _LOOK_AHEAD_M)
        rows = range(1, len(mission))
        apart = {row: _to_line(ahead, _person(mission, row)) for row in rows}
        onward: Sequence[XY] = path[1:]
        row = min(rows, key=lambda row: apart[row], default=0)
        if row and apart[row] < self._blocks_m:
            onward = self._round(here, ahead[-1], onward, _person(mission, row))
        else:
            self._clear += 1
            if self._clear > _CLEAR_STEPS:
                self._side, self._passes = 0.0, 0
        return Waypoints(tuple(_seen(pose, point) for point in onward))

    def _round(self, here: XY, far: XY, onward: Sequence[XY], person: XY) -> Sequence[XY]:
        """The way round somebody: on the side on which the path goes on, or on the other one where
        the robot does not get on."""
        self._clear = 0
        self._trail = [*self._trail[-_STUCK_STEPS + 1 :], here]
        if len(self._trail) == _STUCK_STEPS and math.dist(self._trail[0], here) < _STUCK_M:
            self._passes += 1
            self._trail.clear()
        px, py = person[0] - here[0], person[1] - here[1]
        fx, fy = far[0] - here[0], far[1] - here[1]
        away = math.hypot(px, py)
        if away == 0.0 or px * fx + py * fy < 0.0:  # she is behind
            return onward
        self._side = self._side or math.copysign(1.0, px * fy - py * fx)
        left_m = self._side * _PASSES_M[self._passes % len(_PASSES_M)]
        along_m = away if away > self._blocks_m else -_BACK_M  # touching her: a step back first
        beside = (
            here[0] + (along_m * px - left_m * py) / away,
            here[1] + (along_m * py + left_m * px) / away,
        )
        return (beside, *_beyond(onward, person))


def _person(mission: NDArray[np.generic], row: int) -> XY:
    return float(mission[row, 0].item()), float(mission[row, 1].item())


def _seen(pose: NDArray[np.float64], point: XY) -> XY:
    """A point in the robot's frame."""
    away, bearing = polar(pose, point)
    return away * math.cos(bearing), away * math.sin(bearing)


def _prefix(path: Sequence[XY], metres: float) -> list[XY]:
    """The beginning of a path."""
    prefix = [path[0]]
    for (x0, y0), (x1, y1) in pairwise(path):
        length = math.dist((x0, y0), (x1, y1))
        if length >= metres:
            t = metres / length if length else 0.0
            return [*prefix, (x0 + t * (x1 - x0), y0 + t * (y1 - y0))]
        prefix.append((x1, y1))
        metres -= length
    return prefix


def _to_line(path: Sequence[XY], point: XY) -> float:
    """The distance of a point from a path."""
    best = math.dist(path[0], point)
    for (x0, y0), (x1, y1) in pairwise(path):
        dx, dy = x1 - x0, y1 - y0
        length2 = dx * dx + dy * dy
        if length2 > 0.0:
            t = ((point[0] - x0) * dx + (point[1] - y0) * dy) / length2
            t = min(1.0, max(0.0, t))
            best = min(best, math.dist((x0 + t * dx, y0 + t * dy), point))
    return best


def _beyond(path: Sequence[XY], person: XY) -> Sequence[XY]:
    """The path without the corners that somebody stands at; its end stays."""
    points = [point for point in path[:-1] if math.dist(point, person) > _BESIDE_M]
    return (*points, path[-1])
