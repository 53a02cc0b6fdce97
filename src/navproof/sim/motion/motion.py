"""How a body moves over the floor: discrete moves, velocities and waypoints, in every robot.

A robot without limits of acceleration takes up any speed at once, and a discrete move puts it
where it ends. One with limits is integrated in steps of 10 ms (``drive``): a velocity is
approached as fast as ``acceleration_m_s2`` allows; waypoints are tracked by a controller of its own
(``tracking``); a discrete move is a trapezoid of speed over time from rest to rest, which leads to
the very same place.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from navproof.core.errors import SimulationError
from navproof.core.types import Command, Motion, Move, Pose, Robot, Velocity, Waypoints
from navproof.sim.geodesic.navgrid import NavGrid
from navproof.sim.motion.limited import braking_s, move_limited, move_s
from navproof.sim.motion.slide import slide
from navproof.sim.motion.state import AT_REST, PERFECT, BodyState, SetWheels, wrap_angle
from navproof.sim.motion.tracking import ARRIVED_M
from navproof.sim.protocol import Wheels

__all__ = [
    "ARRIVED_M",
    "AT_REST",
    "BodyState",
    "carry_on",
    "move",
    "pushed",
    "takes_s",
    "wrap_angle",
]

INTEGRATION_S = 0.02


def takes_s(robot: Robot, command: Command, dt_s: float, state: BodyState = AT_REST) -> float:
    """Seconds that a command takes, whatever comes of it.

    ``dt_s`` for velocities and waypoints; for a discrete move what the robot needs at its limits,
    from rest to rest, and to come to rest before it where it is under way.
    """
    if isinstance(command, Velocity | Waypoints):
        return dt_s
    return braking_s(robot, state) + move_s(robot, command)


def move(
    grid: NavGrid,
    robot: Robot,
    pose: Pose,
    command: Command,
    dt_s: float,
    wheels: Wheels | None = None,
    state: BodyState = AT_REST,
) -> tuple[Motion, BodyState]:
    """Execute one command from a pose and a state: what it did, and the state it leaves behind.

    FORWARD goes ``robot.forward_m`` along the heading; LEFT and RIGHT turn by ``robot.turn_deg``;
    velocities are clipped to the robot's limits and integrated over ``dt_s``; waypoints are
    tracked for ``dt_s``, turning on the spot towards one that lies to the side. ``wheels`` scale
    what is then done (a speed after it was clipped); their veer is spread evenly over it. A robot
    that has fallen stays where it is.
    """
    if command in (Move.STOP, Move.FOUND):
        raise SimulationError(
            f"the simulator cannot execute '{command}': it is the task's to judge"
        )
    if state.fallen:
        return Motion(pose, False, 0.0, True), state
    wheels = wheels or PERFECT
    if robot.acceleration_m_s2 > 0.0:
        return move_limited(grid, robot, pose, command, dt_s, wheels, state)
    if isinstance(command, Waypoints):
        return _track(grid, robot, pose, _targets(pose, command), dt_s, wheels)
    return _move_at_once(grid, robot, pose, command, dt_s, wheels), AT_REST


def carry_on(
    grid: NavGrid,
    robot: Robot,
    pose: Pose,
    command: Command | None,
    dt_s: float,
    wheels: Wheels | None = None,
    state: BodyState = AT_REST,
) -> tuple[Motion, BodyState]:
    """What a robot does for ``dt_s`` in which it is told nothing, after ``command`` (None: nothing
    yet) has led to a pose and a state: it keeps to a velocity, goes on along what is left of its
    waypoints, stands after a discrete move. ``wheels`` as for ``move``; whoever stands has no use
    for them."""
    if not isinstance(command, Velocity | Waypoints):
        return move(grid, robot, pose, Velocity(0.0, 0.0), dt_s, None, state)
    if isinstance(command, Velocity) or state.fallen:
        return move(grid, robot, pose, command, dt_s, wheels, state)
    if robot.acceleration_m_s2 > 0.0:
        return move_limited(grid, robot, pose, command, dt_s, wheels or PERFECT, state, state.path)
    return _track(grid, robot, pose, state.path, dt_s, wheels or PERFECT)


def pushed(
    robot: Robot, state: BodyState, begin: Pose, motion: Motion, time_s: float
) -> tuple[Motion, BodyState]:
    """A motion that somebody in the way has changed, and the state after it: the robot goes no
    faster than it got on, and falls if it lost more speed so than it can bear."""
    if state.v_m_s == 0.0 or state.fallen:
        return motion, state
    along = (motion.pose.x - begin.x) * math.cos(begin.yaw)
    along += (motion.pose.y - begin.y) * math.sin(begin.yaw)
    left = min(1.0, max(0.0, along / (state.v_m_s * time_s)))
    v = round(left * state.v_m_s, 9)
    limit = robot.balance.impact_m_s if robot.balance is not None else 0.0
    if 0.0 < limit < abs(state.v_m_s - v):
        return replace(motion, fell=True), replace(state, v_m_s=0.0, w_rad_s=0.0, fallen=True)
    return motion, replace(state, v_m_s=v)


def _move_at_once(
    grid: NavGrid, robot: Robot, pose: Pose, command: Command, dt_s: float, wheels: Wheels
) -> Motion:
    if isinstance(command, Velocity):
        return _drive(grid, robot, pose, command, dt_s, wheels)
    if command is Move.FORWARD:
        half = 0.5 * wheels.veer_rad
        begun = _turned(pose, half) if half else pose
        motion = _advance(grid, robot, begun, robot.forward_m * wheels.forward)
        if not half:
            return motion
        return Motion(_turned(motion.pose, half), motion.collided, motion.moved_m)
    sign = 1.0 if command is Move.LEFT else -1.0
    angle = sign * math.radians(robot.turn_deg) * wheels.turn + wheels.veer_rad
    return Motion(_turned(pose, angle), False, 0.0)


def _turned(pose: Pose, angle: float) -> Pose:
    return Pose(pose.x, pose.y, pose.z, _round(wrap_angle(pose.yaw + angle)))


def _advance(grid: NavGrid, robot: Robot, pose: Pose, distance: float) -> Motion:
    x, y, travelled, collided = slide(
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


def _targets(pose: Pose, command: Waypoints) -> tuple[tuple[float, float], ...]:
    """Waypoints in the world."""
    cos, sin = math.cos(pose.yaw), math.sin(pose.yaw)
    return tuple(
        (pose.x + cos * px - sin * py, pose.y + sin * px + cos * py) for px, py in command.points
    )


def _track(
    grid: NavGrid,
    robot: Robot,
    pose: Pose,
    along: Sequence[tuple[float, float]],
    dt_s: float,
    wheels: Wheels,
) -> tuple[Motion, BodyState]:
    """To one place of the world after the other; those that are left are in the state after it."""
    targets = list(along)
    ticks = max(1, math.ceil(dt_s / INTEGRATION_S - 1e-9))
    tick = dt_s / ticks
    each = SetWheels(wheels.forward, wheels.turn, wheels.veer_rad / ticks)
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
    return Motion(pose, collided, travelled), BodyState(path=tuple(targets))


def _round(value: float) -> float:
    """Poses live on a grid of 1e-6, so that a last-bit difference of a machine's sine cannot
    grow into another trajectory. Adding 0.0 turns −0.0 into 0.0."""
    return round(float(value), 6) + 0.0
