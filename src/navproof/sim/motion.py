"""How a body moves over the floor: discrete steps and velocities, with or without sliding."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from navproof._jit import jit
from navproof.errors import SimulationError
from navproof.sim.navgrid import NavGrid, clearance_at
from navproof.sim.protocol import Wheels
from navproof.types import Command, Motion, Move, Pose, Robot, Velocity, Waypoints

__all__ = ["move", "wrap_angle"]

F64 = NDArray[np.float64]
SUBSTEP_M = 0.01
INTEGRATION_S = 0.02
ARRIVED_M = 0.05


def wrap_angle(angle: float) -> float:
    """The same direction in (−π, π]."""
    wrapped = math.remainder(angle, math.tau)
    return math.pi if wrapped == -math.pi else wrapped


@jit
def _slide(
    clearance: F64,
    origin: F64,
    cell: float,
    radius: float,
    sliding: bool,
    x: float,
    y: float,
    dx: float,
    dy: float,
) -> tuple[float, float, float, bool]:
    """Carry a disc from (x, y) by (dx, dy) in substeps: (x, y, metres travelled, collided).

    A substep that would enter an obstacle is shortened to the contact; with sliding, what is left
    of it goes on along the obstacle (its component along the clearance map's gradient removed).
    """
    length = np.sqrt(dx * dx + dy * dy)
    steps = int(np.ceil(length / SUBSTEP_M))
    travelled, collided = 0.0, False
    if steps == 0:
        return x, y, travelled, collided
    sx, sy = dx / steps, dy / steps
    for _ in range(steps):
        if clearance_at(clearance, origin, cell, x + sx, y + sy) >= radius:
            x, y = x + sx, y + sy
            travelled += length / steps
            continue
        collided = True
        low, high = 0.0, 1.0
        for _ in range(8):
            t = 0.5 * (low + high)
            if clearance_at(clearance, origin, cell, x + t * sx, y + t * sy) >= radius:
                low = t
            else:
                high = t
        x, y = x + low * sx, y + low * sy
        travelled += low * length / steps
        if not sliding:
            break
        e = 0.5 * cell
        gx = clearance_at(clearance, origin, cell, x + e, y) - clearance_at(
            clearance, origin, cell, x - e, y
        )
        gy = clearance_at(clearance, origin, cell, x, y + e) - clearance_at(
            clearance, origin, cell, x, y - e
        )
        norm = np.sqrt(gx * gx + gy * gy)
        if norm == 0.0:
            break
        gx, gy = gx / norm, gy / norm
        inward = min(0.0, sx * gx + sy * gy)
        tx, ty = (1.0 - low) * (sx - inward * gx), (1.0 - low) * (sy - inward * gy)
        lift = 0.0
        for _ in range(4):
            nx, ny = x + tx + lift * gx, y + ty + lift * gy
            room = clearance_at(clearance, origin, cell, nx, ny)
            if room >= radius:
                travelled += np.sqrt((nx - x) ** 2 + (ny - y) ** 2)
                x, y = nx, ny
                break
            lift += radius - room + 1e-4
    return x, y, travelled, collided


@dataclass(frozen=True, slots=True)
class _Wheels:
    """Those that do what they are told, unless set otherwise."""

    forward: float = 1.0
    turn: float = 1.0
    veer_rad: float = 0.0


_PERFECT = _Wheels()


def move(
    grid: NavGrid,
    robot: Robot,
    pose: Pose,
    command: Command,
    dt_s: float,
    wheels: Wheels | None = None,
) -> Motion:
    """Execute one command from a pose.

    FORWARD goes ``robot.forward_m`` along the heading; LEFT and RIGHT turn by ``robot.turn_deg``;
    velocities are clipped to the robot's limits and integrated over ``dt_s``; waypoints are
    tracked for ``dt_s``, turning on the spot towards one that lies to the side. ``wheels`` scale
    what is then done (a speed after it was clipped); their veer is spread evenly over it.
    """
    wheels = wheels or _PERFECT
    if isinstance(command, Velocity):
        return _drive(grid, robot, pose, command, dt_s, wheels)
    if isinstance(command, Waypoints):
        return _track(grid, robot, pose, command, dt_s, wheels)
    if command is Move.FORWARD:
        half = 0.5 * wheels.veer_rad
        begun = _turned(pose, half) if half else pose
        motion = _advance(grid, robot, begun, robot.forward_m * wheels.forward)
        if not half:
            return motion
        return Motion(_turned(motion.pose, half), motion.collided, motion.moved_m)
    if command in (Move.LEFT, Move.RIGHT):
        sign = 1.0 if command is Move.LEFT else -1.0
        angle = sign * math.radians(robot.turn_deg) * wheels.turn + wheels.veer_rad
        return Motion(_turned(pose, angle), False, 0.0)
    raise SimulationError(f"the simulator cannot execute '{command}': it is the task's to judge")


def _turned(pose: Pose, angle: float) -> Pose:
    return Pose(pose.x, pose.y, pose.z, _round(wrap_angle(pose.yaw + angle)))


def _advance(grid: NavGrid, robot: Robot, pose: Pose, distance: float) -> Motion:
    x, y, travelled, collided = _slide(
        grid.clearance,
        grid.origin,
        grid.cell,
        grid.radius,
        robot.sliding,
        pose.x,
        pose.y,
        distance * math.cos(pose.yaw),
        distance * math.sin(pose.yaw),
    )
    return Motion(Pose(_round(x), _round(y), pose.z, pose.yaw), bool(collided), float(travelled))


def _drive(
    grid: NavGrid, robot: Robot, pose: Pose, command: Velocity, dt_s: float, wheels: Wheels
) -> Motion:
    v = max(-robot.max_speed_m_s, min(robot.max_speed_m_s, command.v_m_s)) * wheels.forward
    w = max(-robot.max_turn_rad_s, min(robot.max_turn_rad_s, command.w_rad_s)) * wheels.turn
    if wheels.veer_rad:
        w += wheels.veer_rad / dt_s
    ticks = max(1, math.ceil(dt_s / INTEGRATION_S - 1e-9))
    tick = dt_s / ticks
    travelled, collided = 0.0, False
    for _ in range(ticks):
        pose = _turned(pose, 0.5 * w * tick)
        motion = _advance(grid, robot, pose, v * tick)
        pose = _turned(motion.pose, 0.5 * w * tick)
        travelled += motion.moved_m
        collided = collided or motion.collided
    return Motion(pose, collided, travelled)


def _track(
    grid: NavGrid, robot: Robot, pose: Pose, command: Waypoints, dt_s: float, wheels: Wheels
) -> Motion:
    cos, sin = math.cos(pose.yaw), math.sin(pose.yaw)
    targets = [
        (pose.x + cos * px - sin * py, pose.y + sin * px + cos * py) for px, py in command.points
    ]
    ticks = max(1, math.ceil(dt_s / INTEGRATION_S - 1e-9))
    tick = dt_s / ticks
    each = _Wheels(wheels.forward, wheels.turn, wheels.veer_rad / ticks)
    travelled, collided = 0.0, False
    for _ in range(ticks):
        while targets and math.hypot(targets[0][0] - pose.x, targets[0][1] - pose.y) < ARRIVED_M:
            targets.pop(0)
        if not targets:
            break
        tx, ty = targets[0]
        error = wrap_angle(math.atan2(ty - pose.y, tx - pose.x) - pose.yaw)
        distance = math.hypot(tx - pose.x, ty - pose.y)
        v = 0.0 if abs(error) > math.pi / 4 else min(robot.max_speed_m_s, distance / tick)
        w = max(-robot.max_turn_rad_s, min(robot.max_turn_rad_s, error / tick))
        motion = _drive(grid, robot, pose, Velocity(v, w), tick, each)
        pose = motion.pose
        travelled += motion.moved_m
        collided = collided or motion.collided
    return Motion(pose, collided, travelled)


def _round(value: float) -> float:
    """Poses live on a grid of 1e-6, so that a last-bit difference of a machine's sine cannot
    grow into another trajectory. Adding 0.0 turns −0.0 into 0.0."""
    return round(float(value), 6) + 0.0
