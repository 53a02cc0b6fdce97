"""An expert that does a mission well: goes the shortest ways, looks about, keeps away from people,
lets them pass, and follows with a gap.

It moves as the robot can (within its limits of speed and turning, without acceleration), ten times
a second, and knows where people will be. What it did is an *algorithmic* demonstration.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from navproof.core.types import Point, Pose, Robot, Walk
from navproof.sim.protocol import Simulator
from navproof.tasks.mission.completion import bearing_error_rad, follows, intrudes
from navproof.tasks.mission.demonstrations import Waypoint
from navproof.tasks.mission.timing import tenable, timed
from navproof.world.people.people import stops_at_s, track, where

__all__ = ["CONTROL_S", "Expert"]

CONTROL_S = 0.1
_KEEP_M = (1.4, 1.25)
"""What it keeps from people if it can, and what it keeps in any case."""
_GAP_M, _STRIDE_M = 1.7, 0.5
_HASTE, _TURNING = 0.75, 0.7  # of the robot's limits
_STRAIGHT_RAD = math.radians(8.0)
_GLANCE_RAD = math.radians(40.0)
_PATIENCE_S = 45.0
_BACK_S = 15.0
"""So much of the way that it came it goes back at most, to let somebody pass."""


class Expert:
    """``trail`` holds where it was at every tick; ``ends_s`` is for noting when each sub-task was
    done. Every method says whether it went well: False where it would have come too near to
    somebody or lost its patience."""

    def __init__(self, sim: Simulator, robot: Robot, start: Pose) -> None:
        self._sim = sim
        self._speed = _HASTE * robot.max_speed_m_s
        self._most = robot.max_speed_m_s
        self._turn = _TURNING * robot.max_turn_rad_s
        self._poses = [start]
        self.ends_s: list[float] = []

    @property
    def pose(self) -> Pose:
        return self._poses[-1]

    @property
    def time_s(self) -> float:
        return _time_s(len(self._poses) - 1)

    @property
    def trail(self) -> list[Waypoint]:
        return [_waypoint(pose, _time_s(k)) for k, pose in enumerate(self._poses)]

    def go(self, ends: tuple[Point, ...], people: Sequence[Walk] = ()) -> bool:
        """To the nearest of ``ends``, keeping away from people."""
        way: list[Pose] = []
        pose = self.pose
        for x, y, _ in self._sim.shortest_path(pose.point, ends)[1:]:
            while math.dist((pose.x, pose.y), (x, y)) > 1e-6:
                pose = self._towards(pose, x, y, self._speed)
                way.append(pose)
        return self._go_along(way, people)

    def glance(self, people: Sequence[Walk] = ()) -> bool:
        """A look to the left and to the right."""
        way: list[Pose] = []
        pose = self.pose
        for heading in (pose.yaw + _GLANCE_RAD, pose.yaw - _GLANCE_RAD, pose.yaw):
            while abs(math.remainder(heading - pose.yaw, math.tau)) > 1e-6:
                pose = self._turned(pose, heading)
                way.append(pose)
        return self._go_along(way, people)

    def follow(self, walk: Walk, others: Sequence[Walk] = ()) -> bool:
        """After somebody until she has stopped for good, with a gap; at that moment the robot must
        be where a follower should be."""
        ends_s = stops_at_s(walk)
        behind: tuple[float, float] | None = None
        way: list[Point] = []
        while True:
            state = where(walk, self.time_s)
            her, here = state.pose, self.pose
            away = math.dist((here.x, here.y), (her.x, her.y))
            if self.time_s >= ends_s:
                return follows(away, bearing_error_rad(here, her.x, her.y))
            target = _on_her_way(walk, _STRIDE_M * int((state.walked_m - _GAP_M) / _STRIDE_M))
            if target != behind and away > _GAP_M:
                behind = target
                way = list(self._sim.shortest_path(here.point, ((*target, here.z),)))[1:]
            while way and math.dist((here.x, here.y), way[0][:2]) < 1e-6:
                way.pop(0)
            if not way or away <= _GAP_M:
                step = self._turned(here, math.atan2(her.y - here.y, her.x - here.x))
            else:
                step = self._towards(here, *way[0][:2], self._most)
            self._poses.append(step)
            if any(intrudes(math.dist((step.x, step.y), _at(w, self.time_s))) for w in others):
                return False

    # ------------------------------------------------------------------------------------ moving
    def _towards(self, here: Pose, x: float, y: float, speed: float) -> Pose:
        """One tick nearer to a point: a turn if it is not ahead, else a step."""
        away = math.dist((here.x, here.y), (x, y))
        if away < 1e-9:
            return here
        heading = math.atan2(y - here.y, x - here.x)
        if abs(math.remainder(heading - here.yaw, math.tau)) > _STRAIGHT_RAD:
            return self._turned(here, heading)
        share = min(1.0, speed * CONTROL_S / away)
        return Pose(here.x + share * (x - here.x), here.y + share * (y - here.y), here.z, heading)

    def _turned(self, here: Pose, heading: float) -> Pose:
        off = math.remainder(heading - here.yaw, math.tau)
        most = self._turn * CONTROL_S
        yaw = math.remainder(here.yaw + max(-most, min(most, off)), math.tau)
        return Pose(here.x, here.y, here.z, yaw)

    # ------------------------------------------------------------------------------------ people
    def _go_along(self, way: Sequence[Pose], people: Sequence[Walk]) -> bool:
        """A way tick by tick; where people are in it, in time for them: it waits, or goes back on
        the way that it came, and then goes on."""
        if not people or not way:
            self._poses += way
            return True
        came = self._poses[-1 - round(_BACK_S / CONTROL_S) :]
        path = [*came, *way]
        ticks = len(way) + round(_PATIENCE_S / CONTROL_S)
        times = [_time_s(len(self._poses) - 1 + k) for k in range(ticks + 1)]
        nearest = _nearest_m(path, people, times)
        for keep_m in _KEEP_M:
            steps = timed(tenable(nearest >= keep_m), len(came) - 1)
            if steps is not None:
                self._poses += [path[k] for k in steps[1:]]
                return True
        return False


def _nearest_m(
    poses: Sequence[Pose], people: Sequence[Walk], times_s: Sequence[float]
) -> NDArray[np.float64]:
    """(times, poses): how near the nearest of them is to each place at each time."""
    places = np.array([(pose.x, pose.y) for pose in poses])
    each = [
        np.linalg.norm(track(walk, times_s)[:, None, :2] - places[None], axis=2) for walk in people
    ]
    nearest: NDArray[np.float64] = np.min(each, axis=0)
    return nearest


def _time_s(tick: int) -> float:
    return round(tick * CONTROL_S, 6)


def _at(walk: Walk, time_s: float) -> tuple[float, float]:
    pose = where(walk, time_s).pose
    return pose.x, pose.y


def _on_her_way(walk: Walk, metres: float) -> tuple[float, float]:
    """So far along the path of somebody; where she began, before that."""
    left = max(0.0, metres)
    for (x, y, _), (u, v, _) in pairwise(walk.path):
        length = math.dist((x, y), (u, v))
        if length >= left > 0.0:
            share = left / length
            return x + share * (u - x), y + share * (v - y)
        left -= length
    return walk.path[0 if metres <= 0.0 else -1][:2]


def _waypoint(pose: Pose, time_s: float) -> Waypoint:
    x, y, yaw = (round(v, 4) for v in (pose.x, pose.y, math.remainder(pose.yaw, math.tau)))
    return x, y, yaw, round(time_s, 3)
