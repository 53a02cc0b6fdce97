"""Commands as closed loops over a rig: what a robot's low-level control does between two of them.

Speeds go to the body as they are. Waypoints are tracked for the time of the command, by the pure
pursuit of the kinematic tier (``sim.motion.tracking``). A discrete move is driven from rest to rest
along the kinematic tier's profile s(t) of way over time (a trapezoid of speed), at ds/dt + k·(s −
way gone), until the robot is where that ends.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from navproof.core.errors import SimulationError
from navproof.core.types import Command, Move, Robot, Velocity, Waypoints
from navproof.sim.motion.motion import wrap_angle
from navproof.sim.motion.profile import covered, time_to_cover
from navproof.sim.motion.tracking import pursue
from navproof.sim.physics.body import Limits
from navproof.sim.physics.rig import TICK_S, Rig
from navproof.sim.protocol import Wheels

__all__ = ["DriveResult", "drive"]

XY: TypeAlias = tuple[tuple[float, float], ...]
_GAIN_PER_S = 12.0
_LEAD_S = 0.01
"""A base follows the forward speed that it is asked for by so much later."""
_HEADROOM = 1.5
"""What may be used beyond the profile's acceleration to keep to it."""
_CLOSE_M = 0.0003
_CLOSE_RAD = 0.0003
_STILL_M_S = 0.005
_STILL_RAD_S = 0.01
_STRAIGHT_RAD_S = 0.1
"""A robot that turns so slowly goes straight on."""
_STALLED_S = 0.5
_PROGRESS_M = 0.005
_PATIENCE = 3.0
_STANDSTILL_S = 2.0
_RELAXING_S = 0.05
"""A robot that is blocked stands still before its motors do."""


@dataclass(frozen=True, slots=True)
class DriveResult:
    """What a command came to: seconds, metres of path, contact with an obstacle, a fall; and what
    is left of its waypoints, as ``sim.motion.state.BodyState`` has it."""

    time_s: float
    moved_m: float
    collided: bool
    fell: bool
    path: XY = ()


@dataclass(slots=True)
class _Drive:
    """One command under way."""

    rig: Rig
    robot: Robot
    before_tick: Callable[[float], None]
    ticks: int = 0
    moved_m: float = 0.0
    collided: bool = False
    fell: bool = False

    @property
    def time_s(self) -> float:
        return self.ticks * TICK_S

    @property
    def gentle(self) -> Limits:
        """What the robot's own controllers use of its acceleration."""
        own = self.rig.body.limits
        return Limits(self.robot.gentle_m_s2 or own.acceleration_m_s2, own.turn_acceleration_rad_s2)

    @property
    def brisk(self) -> Limits:
        """What keeping to a profile may take."""
        most = self.gentle
        return Limits(_HEADROOM * most.acceleration_m_s2, _HEADROOM * most.turn_acceleration_rad_s2)

    def tick(self, v_m_s: float, w_rad_s: float, most: Limits) -> None:
        self.before_tick(self.time_s)
        x, y, _ = self.rig.plan
        self.rig.tick(v_m_s, w_rad_s, most)
        at_x, at_y, _ = self.rig.plan
        self.ticks += 1
        self.moved_m += math.hypot(at_x - x, at_y - y)
        self.collided = self.collided or self.rig.touching
        self.fell = self.fell or self.rig.fallen

    def stop(self) -> None:
        """Come to rest."""
        last = self.ticks + round(_STANDSTILL_S / TICK_S)
        least = self.ticks + (round(_RELAXING_S / TICK_S) if self.collided else 0)
        while self.ticks < last and not self.fell:
            still = self.rig.speed_m_s < _STILL_M_S and abs(self.rig.turning_rad_s) < _STILL_RAD_S
            if still and self.ticks >= least:
                return
            self.tick(0.0, 0.0, self.gentle)


def drive(
    rig: Rig,
    robot: Robot,
    command: Command,
    dt_s: float,
    wheels: Wheels | None = None,
    before_tick: Callable[[float], None] = lambda time_s: None,
    along: XY = (),
) -> DriveResult:
    """Execute one command; ``before_tick`` is told the seconds since its begin.

    ``wheels`` scale what is done as they do in ``sim.motion.motion.move``. Velocities and waypoints
    take ``dt_s``, and leave the robot rolling. Waypoints lead ``along`` points of the world where
    there are any, as an earlier result has left them.
    """
    path: XY = ()
    run = _Drive(rig, robot, before_tick)
    forward, turn, veer_rad = (
        (wheels.forward, wheels.turn, wheels.veer_rad) if wheels is not None else (1.0, 1.0, 0.0)
    )
    ticks = max(1, round(dt_s / TICK_S))
    drift_rad_s = veer_rad / (ticks * TICK_S)
    if isinstance(command, Velocity):
        v = _clipped(command.v_m_s, robot.max_speed_m_s) * forward
        w = _clipped(command.w_rad_s, robot.max_turn_rad_s) * turn + drift_rad_s
        while run.ticks < ticks and not run.fell:
            run.tick(v, w, rig.body.limits)
    elif isinstance(command, Waypoints):
        path = _track(run, along or _path(rig, command), ticks, (forward, turn, drift_rad_s))
    elif command is Move.FORWARD:
        run.stop()
        _advance(run, robot.forward_m * forward, veer_rad)
    elif command in (Move.LEFT, Move.RIGHT):
        sign = 1.0 if command is Move.LEFT else -1.0
        run.stop()
        _turn(run, sign * math.radians(robot.turn_deg) * turn + veer_rad)
    else:
        raise SimulationError(
            f"the simulator cannot execute '{command}': it is the task's to judge"
        )
    return DriveResult(run.time_s, run.moved_m, run.collided, run.fell, path)


def _path(rig: Rig, command: Waypoints) -> XY:
    """From the robot through its waypoints, in the world."""
    x, y, yaw = rig.plan
    cos, sin = math.cos(yaw), math.sin(yaw)
    points = [(x + cos * px - sin * py, y + sin * px + cos * py) for px, py in command.points]
    return ((x, y), *points)


def _track(run: _Drive, along: XY, ticks: int, wheels: tuple[float, float, float]) -> XY:
    """Along the points in order; to a standstill at the last one, or where there is but the first.
    A robot that has run into something turns to where it is to go before it goes on. What is left,
    from the point on where the piece begins that the robot is on."""
    path = np.array(along, dtype=np.float64)
    most, robot, segment = run.gentle, run.robot, 0
    limits = np.array(
        (
            robot.max_speed_m_s,
            robot.max_turn_rad_s,
            most.acceleration_m_s2,
            most.turn_acceleration_rad_s2,
        )
    )
    forward, turn, drift_rad_s = wheels
    while run.ticks < ticks and not run.fell:
        v = w = 0.0
        if len(path) > 1:
            x, y, yaw = run.rig.plan
            now = run.rig.forward_m_s
            segment, v, curvature, w = pursue(path, segment, x, y, yaw, now, limits)
            if run.collided and v * abs(curvature) > _STRAIGHT_RAD_S:
                v, w = 0.0, v * curvature
            w = w or curvature * now
        run.tick(v * forward, w * turn + drift_rad_s, most)
    return along[segment:]


def _advance(run: _Drive, distance_m: float, veer_rad: float) -> None:
    """Straight on, its heading changed by ``veer_rad`` on the way; along what it runs into, until
    the path is as long as it should be or leads no further."""
    if distance_m <= 0.0:
        return
    x, y, yaw = run.rig.plan
    cos, sin = math.cos(yaw), math.sin(yaw)
    most = run.gentle.acceleration_m_s2
    way = _Profile(distance_m, run.robot.max_speed_m_s, most, _LEAD_S)
    begun_s, begun_m = run.time_s, run.moved_m
    mark_s, mark_m = begun_s, begun_m
    while run.time_s - begun_s < way.patience_s and not run.fell:
        at_x, at_y, at_yaw = run.rig.plan
        gone = (at_x - x) * cos + (at_y - y) * sin
        aside = (at_y - y) * cos - (at_x - x) * sin
        done = run.moved_m - begun_m if run.collided else gone
        now_s = run.time_s - begun_s
        if way.is_over(now_s, done, _CLOSE_M) or (run.collided and done >= distance_m):
            break
        if run.moved_m - mark_m > _PROGRESS_M:
            mark_s, mark_m = run.time_s, run.moved_m
        elif run.time_s - mark_s > _STALLED_S:
            break
        error = wrap_angle(yaw + veer_rad * min(1.0, gone / distance_m) - at_yaw)
        if not run.collided and not veer_rad:
            error -= math.atan(2.0 * aside)
        w = _clipped(_GAIN_PER_S * error, run.robot.max_turn_rad_s)
        run.tick(way.speed(now_s, done), w, run.brisk)
    run.stop()


def _turn(run: _Drive, angle_rad: float) -> None:
    """On the spot."""
    sign = math.copysign(1.0, angle_rad)
    most = run.gentle.turn_acceleration_rad_s2
    way = _Profile(abs(angle_rad), run.robot.max_turn_rad_s, most)
    begun_s, done, heading = run.time_s, 0.0, run.rig.plan[2]
    while run.time_s - begun_s < way.patience_s and not run.fell:
        now_s = run.time_s - begun_s
        if way.is_over(now_s, done, _CLOSE_RAD):
            break
        run.tick(0.0, sign * way.speed(now_s, done), run.brisk)
        done += sign * wrap_angle(run.rig.plan[2] - heading)
        heading = run.rig.plan[2]
    run.stop()


@dataclass(frozen=True, slots=True)
class _Profile:
    """The fastest way from rest to rest over a length (m or rad)."""

    length: float
    most: float
    acceleration: float
    lead_s: float = 0.0

    @property
    def time_s(self) -> float:
        return time_to_cover(self.length, self.most, self.acceleration)

    @property
    def patience_s(self) -> float:
        """When to give up."""
        return _PATIENCE * self.time_s + _STANDSTILL_S

    def speed(self, now_s: float, done: float) -> float:
        wanted, _ = covered(now_s, self.length, self.most, self.acceleration)
        _, speed = covered(now_s + self.lead_s, self.length, self.most, self.acceleration)
        return _clipped(speed + _GAIN_PER_S * (wanted - done), self.most)

    def is_over(self, now_s: float, done: float, close: float) -> bool:
        return now_s >= self.time_s - 1e-9 and abs(self.length - done) < close


def _clipped(value: float, most: float) -> float:
    return max(-most, min(most, value))
