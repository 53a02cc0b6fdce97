"""An expert that does a mission well: goes the shortest ways, looks about, keeps away from people,
waits for them to pass, and follows with a gap.

It moves as the robot can (within its limits of speed and turning, without acceleration), ten times
a second, and knows where people will be. What it did is an *algorithmic* demonstration.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from navproof.sim.protocol import Simulator
from navproof.tasks._mission_rules import bearing_error_rad, follows, intrudes
from navproof.tasks.demonstrations import Waypoint
from navproof.types import Point, Pose, Robot, Walk
from navproof.world.people import stops_at_s, where

__all__ = ["CONTROL_S", "Expert"]

CONTROL_S = 0.1
_KEEP_M = 1.4
_AHEAD_S = (0.4, 0.8, 1.2, 1.6, 2.0, 2.4)
_GAP_M = 1.7
_HASTE, _TURNING = 0.75, 0.7  # of the robot's limits
_STRAIGHT_RAD = math.radians(8.0)
_GLANCE_RAD = math.radians(40.0)
_PATIENCE_S = 60.0
_DIRECTIONS = 16
_ASIDE_M = (0.2, 0.4)


class Expert:
    """``trail`` holds where it was at every tick. Every method says whether it went well: False
    where it came too near to somebody or lost its patience."""

    def __init__(self, sim: Simulator, robot: Robot, start: Pose) -> None:
        self._sim = sim
        self._speed = _HASTE * robot.max_speed_m_s
        self._most = robot.max_speed_m_s
        self._turn = _TURNING * robot.max_turn_rad_s
        self.pose = start
        self.time_s = 0.0
        self.trail: list[Waypoint] = [_waypoint(start, 0.0)]

    def go(self, ends: tuple[Point, ...], people: Sequence[Walk] = ()) -> bool:
        """To the nearest of ``ends``, keeping away from people."""
        path = list(self._sim.shortest_path(self.pose.point, ends))[1:]
        late = self.time_s + _PATIENCE_S + 4.0 * self._sim.geodesic(self.pose.point, ends)
        while path:
            if self.time_s > late:
                return False
            x, y, _ = path[0]
            step = self._towards(x, y, self._speed)
            if not self._is_safe(path, people):
                aside = self._aside(people)
                step = self.pose if aside is None else self._towards(*aside, self._speed)
                if aside is not None:
                    path = [*self._sim.shortest_path(step.point, ends)][1:] or path
            if not self._move(step, people):
                return False
            if path and math.dist((self.pose.x, self.pose.y), path[0][:2]) < 1e-6:
                path.pop(0)
        return True

    def glance(self, people: Sequence[Walk] = ()) -> bool:
        """A look to the left and to the right."""
        middle = self.pose.yaw
        return all(self._face(middle + angle, people) for angle in (_GLANCE_RAD, -_GLANCE_RAD, 0.0))

    def follow(self, walk: Walk, others: Sequence[Walk] = ()) -> bool:
        """After somebody until she has stopped for good; at that moment the robot must be where a
        follower should be."""
        steps: list[tuple[float, float]] = []  # hers, as it saw them
        ends_s = stops_at_s(walk)
        while True:
            her = where(walk, self.time_s).pose
            if not steps or math.dist(steps[-1], (her.x, her.y)) > 1e-9:
                steps.append((her.x, her.y))
            if self.time_s >= ends_s:
                return self._follows(her)
            target = _behind(steps, _GAP_M)
            away = math.dist((self.pose.x, self.pose.y), (her.x, her.y))
            if target is None or away <= _GAP_M:
                step = self._turned(math.atan2(her.y - self.pose.y, her.x - self.pose.x))
            else:
                step = self._on_the_way(target)
            if not self._move(step, others):
                return False

    def _follows(self, her: Pose) -> bool:
        away = math.dist((self.pose.x, self.pose.y), (her.x, her.y))
        return follows(away, bearing_error_rad(self.pose, her.x, her.y))

    # ------------------------------------------------------------------------------------ moving
    def _on_the_way(self, target: tuple[float, float]) -> Pose:
        path = self._sim.shortest_path(self.pose.point, ((*target, self.pose.z),))
        if len(path) < 2:
            return self.pose
        return self._towards(path[1][0], path[1][1], self._most)

    def _towards(self, x: float, y: float, speed: float) -> Pose:
        """One tick nearer to a point: a turn if it is not ahead, else a step."""
        away = math.dist((self.pose.x, self.pose.y), (x, y))
        if away < 1e-9:
            return self.pose
        heading = math.atan2(y - self.pose.y, x - self.pose.x)
        if abs(math.remainder(heading - self.pose.yaw, math.tau)) > _STRAIGHT_RAD:
            return self._turned(heading)
        share = min(1.0, speed * CONTROL_S / away)
        nx = self.pose.x + share * (x - self.pose.x)
        ny = self.pose.y + share * (y - self.pose.y)
        return Pose(nx, ny, self.pose.z, heading)

    def _turned(self, heading: float) -> Pose:
        off = math.remainder(heading - self.pose.yaw, math.tau)
        most = self._turn * CONTROL_S
        yaw = math.remainder(self.pose.yaw + max(-most, min(most, off)), math.tau)
        return Pose(self.pose.x, self.pose.y, self.pose.z, yaw)

    def _face(self, heading: float, people: Sequence[Walk]) -> bool:
        while abs(math.remainder(heading - self.pose.yaw, math.tau)) > 1e-6:
            if not self._move(self._turned(heading), people):
                return False
        return True

    def _move(self, pose: Pose, people: Sequence[Walk]) -> bool:
        self.pose = pose
        self.time_s = round(self.time_s + CONTROL_S, 6)
        self.trail.append(_waypoint(pose, self.time_s))
        return not any(
            intrudes(math.dist((pose.x, pose.y), _at(walk, self.time_s))) for walk in people
        )

    # ------------------------------------------------------------------------------------ people
    def _is_safe(self, path: Sequence[Point], people: Sequence[Walk]) -> bool:
        """Whether going on keeps everybody at a distance for the next seconds."""
        if not people:
            return True
        for ahead_s in _AHEAD_S:
            x, y = _along((self.pose.x, self.pose.y), path, self._speed * ahead_s)
            for walk in people:
                if math.dist((x, y), _at(walk, self.time_s + ahead_s)) < _KEEP_M:
                    return False
        return True

    def _aside(self, people: Sequence[Walk]) -> tuple[float, float] | None:
        """Where to step out of somebody's way; None where it is best to stand still."""
        here = (self.pose.x, self.pose.y)
        if self._room_left(here, people) >= _KEEP_M:
            return None
        best: tuple[float, tuple[float, float]] | None = None
        for k in range(_DIRECTIONS):
            c, s = math.cos(math.tau * k / _DIRECTIONS), math.sin(math.tau * k / _DIRECTIONS)
            near, far = ((here[0] + r * c, here[1] + r * s) for r in _ASIDE_M)
            if all(self._sim.is_navigable((*spot, self.pose.z)) for spot in (near, far)):
                room = self._room_left(far, people)
                if best is None or room > best[0] + 1e-9:
                    best = room, far
        return None if best is None else best[1]

    def _room_left(self, place: tuple[float, float], people: Sequence[Walk]) -> float:
        return min(
            (
                math.dist(place, _at(walk, self.time_s + ahead_s))
                for walk in people
                for ahead_s in _AHEAD_S
            ),
            default=math.inf,
        )


def _at(walk: Walk, time_s: float) -> tuple[float, float]:
    pose = where(walk, time_s).pose
    return pose.x, pose.y


def _along(
    here: tuple[float, float], path: Sequence[Point], distance_m: float
) -> tuple[float, float]:
    """So far along a path that goes on from ``here``."""
    at, left = here, distance_m
    for x, y, _ in path:
        length = math.dist(at, (x, y))
        if length >= left:
            share = left / length if length else 0.0
            return at[0] + share * (x - at[0]), at[1] + share * (y - at[1])
        at, left = (x, y), left - length
    return at


def _behind(steps: Sequence[tuple[float, float]], gap_m: float) -> tuple[float, float] | None:
    """Where somebody was ``gap_m`` of her way ago; where she began, if she has not gone so far."""
    left = gap_m
    for k in range(len(steps) - 1, 0, -1):
        length = math.dist(steps[k], steps[k - 1])
        if length >= left:
            share = left / length
            (x, y), (u, v) = steps[k], steps[k - 1]
            return x + share * (u - x), y + share * (v - y)
        left -= length
    return steps[0] if steps else None


def _waypoint(pose: Pose, time_s: float) -> Waypoint:
    x, y, yaw = np.round([pose.x, pose.y, math.remainder(pose.yaw, math.tau)], 4).tolist()
    return x, y, yaw, round(time_s, 3)
