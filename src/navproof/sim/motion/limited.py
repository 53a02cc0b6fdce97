"""Commands to a robot with limits of acceleration, in the terms of the kernels."""

from __future__ import annotations

import math
from functools import cache

import numpy as np
from numpy.typing import NDArray

from navproof.core.types import Command, Motion, Move, Pose, Robot, Velocity, Waypoints
from navproof.sim.geodesic.navgrid import NavGrid
from navproof.sim.motion.drive import Ground, do_profile, do_speeds, do_waypoints
from navproof.sim.motion.profile import time_to_cover
from navproof.sim.motion.stability import packed
from navproof.sim.motion.state import BodyState, rounded
from navproof.sim.protocol import Wheels

__all__ = ["STEP_S", "braking_s", "move_limited", "move_s"]

F64 = NDArray[np.float64]
STEP_S = 0.01
"""The longest step of the integration."""


def move_s(robot: Robot, command: Command) -> float:
    """Seconds that a discrete move takes from rest to rest."""
    if command is Move.FORWARD:
        return time_to_cover(robot.forward_m, robot.max_speed_m_s, _gentle(robot))
    turn = math.radians(robot.turn_deg)
    return time_to_cover(turn, robot.max_turn_rad_s, robot.turn_acceleration_rad_s2)


def braking_s(robot: Robot, state: BodyState) -> float:
    """Seconds until a robot under way stands, when it brakes gently."""
    if robot.acceleration_m_s2 <= 0.0:
        return 0.0
    straight = abs(state.v_m_s) / _gentle(robot)
    return max(straight, abs(state.w_rad_s) / robot.turn_acceleration_rad_s2)


def move_limited(
    grid: NavGrid,
    robot: Robot,
    pose: Pose,
    command: Command,
    dt_s: float,
    wheels: Wheels,
    state: BodyState,
    along: tuple[tuple[float, float], ...] = (),
) -> tuple[Motion, BodyState]:
    """``motion.move`` for robots whose acceleration is limited. Waypoints lead ``along`` points of
    the world where there are any, the first one where the piece begins that the robot is on."""
    ground = (grid.clearance, grid.origin, grid.cell, float(grid.radius), robot.sliding)
    balance, hard, gentle = _numbers(robot)
    now = np.array(
        (
            pose.x, pose.y, pose.yaw, state.v_m_s, state.w_rad_s,
            state.ahead_m, state.left_m, float(state.fallen),
        )
    )  # fmt: skip
    left: tuple[tuple[float, float], ...] = ()
    if isinstance(command, Velocity):
        v = float(max(-robot.max_speed_m_s, min(robot.max_speed_m_s, command.v_m_s)))
        w = float(max(-robot.max_turn_rad_s, min(robot.max_turn_rad_s, command.w_rad_s)))
        steps, dt = _steps(dt_s)
        done = do_speeds(ground, balance, hard, _wheels(wheels, steps), now, v, w, steps, dt)
    elif isinstance(command, Waypoints):
        steps, dt = _steps(dt_s)
        path = np.array(along) if along else _path(pose, command)
        turning = _wheels(wheels, steps)
        moved_m, hit, piece = do_waypoints(ground, balance, gentle, turning, now, path, steps, dt)
        done = moved_m, hit
        left = tuple((x, y) for x, y in path[piece:].tolist())
    else:
        done = _discrete(ground, balance, gentle, wheels, now, robot, command, state)
    x, y, yaw, *going, fallen = now.tolist()
    v, w, ahead_m, left_m = (round(value, 9) + 0.0 for value in going)
    fell = fallen != 0.0
    after = (
        BodyState(0.0, 0.0, ahead_m, left_m, True)
        if fell
        else BodyState(v, w, ahead_m, left_m, path=left)
    )
    return Motion(rounded(x, y, pose.z, yaw), bool(done[1]), float(done[0]), fell), after


def _discrete(
    ground: Ground,
    balance: F64,
    limits: F64,
    wheels: Wheels,
    now: F64,
    robot: Robot,
    command: Move,
    state: BodyState,
) -> tuple[float, bool]:
    """To a standstill first, then the move from rest to rest."""
    moved_m, collided = 0.0, False
    to_rest_s = braking_s(robot, state)
    if to_rest_s > 0.0:
        steps, dt = _steps(to_rest_s)
        straight = np.array((wheels.forward, wheels.turn, 0.0))
        moved_m, collided = do_speeds(ground, balance, limits, straight, now, 0.0, 0.0, steps, dt)
        now[3] = now[4] = 0.0
    steps, dt = _steps(move_s(robot, command))
    way = float(robot.forward_m) if command is Move.FORWARD else 0.0
    sign = 1.0 if command is Move.LEFT else -1.0
    turn = 0.0 if command is Move.FORWARD else sign * math.radians(robot.turn_deg)
    more_m, hit = do_profile(
        ground, balance, limits, _wheels(wheels, steps), now, way, turn, steps, dt
    )
    now[3] = now[4] = 0.0
    return moved_m + more_m, collided or hit


def _steps(time_s: float) -> tuple[int, float]:
    steps = max(1, math.ceil(time_s / STEP_S - 1e-9))
    return steps, time_s / steps


def _wheels(wheels: Wheels, steps: int) -> F64:
    return np.array((wheels.forward, wheels.turn, wheels.veer_rad / steps))


def _path(pose: Pose, command: Waypoints) -> F64:
    """From the robot through its waypoints, in the world; to itself where there are none."""
    c, s = math.cos(pose.yaw), math.sin(pose.yaw)
    points = [(0.0, 0.0), *(command.points or ((0.0, 0.0),))]
    return np.array([(pose.x + c * x - s * y, pose.y + s * x + c * y) for x, y in points])


def _gentle(robot: Robot) -> float:
    return robot.gentle_m_s2 or robot.acceleration_m_s2


@cache
def _numbers(robot: Robot) -> tuple[F64, F64, F64]:
    """What the kernels need of a robot: its balance, its limits, and those of its controllers."""
    speeds = (robot.max_speed_m_s, robot.max_turn_rad_s)
    hard = (*speeds, robot.acceleration_m_s2, robot.turn_acceleration_rad_s2)
    gentle = (*speeds, _gentle(robot), robot.turn_acceleration_rad_s2)
    return packed(robot.balance), np.array(hard), np.array(gentle)
