"""What follows a plan: the actions that take a robot along a polyline.

A point of the plan ahead of the robot is looked at: ``max(2 steps, 0.5 m)`` along it from where it
is nearest to the robot. Going forward follows the plan if that point, or the plan's own course
there (a robot may keep beside it), lies within 1½ turns of straight ahead: discrete robots zig-zag,
and give walls room. A turn follows if it is towards that point or into that course; straight ahead
or behind, within half a turn, either does.
Claiming an end (stop, found) does not follow with more than a metre of the plan left. All in the
episode frame, as in ``Beliefs``.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from navproof.core.types import Action, Answer, Move, Pose, Robot, TaskBrief, Velocity, Waypoints
from navproof.diagnosis.oracles.polyline import XY, along, foot, length_m

__all__ = ["OFF_PLAN_M", "RemainingPlan", "ahead_of", "following", "follows", "goes_along"]

OFF_PLAN_M = 0.75
"""Farther from the robot than this, a plan is one that it has left (agents keep old paths)."""
_LOOK_AHEAD_M = 0.5
_CLAIM_M = 1.0
_TRACKED_M = 1.5
_TRACK_SPACING_M = 0.25
_FIRST_M = 0.2  # a point nearer than this says nothing of the direction
_AWRY_RAD = math.radians(45.0)
_FORWARD_TURNS, _FORWARD_RAD = 1.5, math.radians(45.0)
_BETTER_TURNED, _STEADILY_TURNED = 0.5, 1.0  # turns that are missing
_EITHER_TURNS = 0.5
_END_STEPS = 2
_AS_NEAR_M = 0.05
_STILL_M_S, _STILL_RAD_S = 0.05, 0.05


@dataclass(frozen=True, slots=True)
class RemainingPlan:
    """The part of a plan that still lies ahead of a pose. ``rest`` starts at the plan's point
    nearest to the robot and ``left_m`` is its length. ``bearing_rad`` is the direction of the point
    looked at and ``course_rad`` that of the plan up to there, both counter-clockwise from straight
    ahead."""

    rest: tuple[XY, ...]
    left_m: float
    bearing_rad: float
    course_rad: float


def ahead_of(plan: Sequence[XY], pose: Pose, robot: Robot) -> RemainingPlan | None:
    """The part of a plan that still lies ahead. None if the plan has fewer than two points, if the
    robot has left it behind, or within two steps of its end, where every action follows it."""
    if len(plan) < 2:
        return None
    rest = _from_nearest(plan, (pose.x, pose.y))
    if rest is None:
        return None
    left_m = length_m(rest)
    if left_m <= _END_STEPS * robot.forward_m:
        return None
    x, y = along(rest, max(2.0 * robot.forward_m, _LOOK_AHEAD_M))
    (x0, y0) = rest[0]
    course = math.remainder(math.atan2(y - y0, x - x0) - pose.yaw, math.tau)
    bearing = math.remainder(math.atan2(y - pose.y, x - pose.x) - pose.yaw, math.tau)
    return RemainingPlan(rest, left_m, bearing, course)


def following(
    plan: Sequence[XY],
    pose: Pose,
    brief: TaskBrief,
    like: Action | None = None,
    *,
    steadily: bool = False,
) -> tuple[Action, ...]:
    """The actions that follow a plan, best first. There are none where there is no plan or where
    every action follows it. Where the task takes several kinds of action, those of the kind of
    ``like`` come first. With ``steadily`` a turn is preferred to going on only where more than a
    whole turn is missing."""
    ahead = ahead_of(plan, pose, brief.robot)
    if ahead is None:
        return ()
    better = _STEADILY_TURNED if steadily else _BETTER_TURNED
    moves = tuple(m for m in _moves(ahead, brief.robot, better) if m in brief.actions)
    if brief.control == "discrete":
        return moves
    if brief.control == "velocity":
        return (_pursuit(ahead, brief.robot), *_claims(ahead, brief))
    tracked = (_tracked(ahead, pose),)
    if brief.control == "waypoints":
        return (*tracked, *_claims(ahead, brief))
    return (*moves, *tracked) if isinstance(like, Move) else (*tracked, *moves)


def follows(action: Action, plan: Sequence[XY], pose: Pose, brief: TaskBrief) -> bool:
    """Whether an action follows a plan: it is one of ``following``, or it leads within 45° of the
    same direction. True where every action does; standing still does not."""
    ahead = ahead_of(plan, pose, brief.robot)
    return ahead is None or goes_along(action, ahead, brief.robot)


def goes_along(action: Action, ahead: RemainingPlan, robot: Robot) -> bool:
    """Whether an action follows a plan that lies ahead (see ``follows``)."""
    if isinstance(action, Answer):
        return True
    if isinstance(action, Move):
        return action in _moves(ahead, robot)
    if isinstance(action, Velocity):
        return any(_leads(_driven(action, b), b) for b in (ahead.bearing_rad, ahead.course_rad))
    far = next((p for p in action.points if math.hypot(*p) >= _FIRST_M), None)
    bearing = None if far is None else math.atan2(far[1], far[0])
    return _leads(bearing, ahead.bearing_rad) or _leads(bearing, ahead.course_rad)


# --------------------------------------------------------------------------------------- inside
def _moves(ahead: RemainingPlan, robot: Robot, better: float = _BETTER_TURNED) -> list[Move]:
    turn, bearing, course = math.radians(robot.turn_deg), ahead.bearing_rad, ahead.course_rad
    towards, away = (Move.LEFT, Move.RIGHT) if bearing > 0.0 else (Move.RIGHT, Move.LEFT)
    moves = [towards]
    if min(abs(bearing), abs(course)) <= max(_FORWARD_TURNS * turn, _FORWARD_RAD) + 1e-9:
        moves.insert(1 if abs(bearing) > better * turn else 0, Move.FORWARD)
    slight = min(abs(bearing), math.pi - abs(bearing)) <= _EITHER_TURNS * turn
    if slight or course * bearing < 0.0:
        moves.append(away)
    return moves + ([Move.STOP, Move.FOUND] if ahead.left_m <= _CLAIM_M else [])


def _claims(ahead: RemainingPlan, brief: TaskBrief) -> tuple[Move, ...]:
    if ahead.left_m > _CLAIM_M:
        return ()
    return tuple(move for move in (Move.STOP, Move.FOUND) if move in brief.actions)


def _tracked(ahead: RemainingPlan, pose: Pose) -> Waypoints:
    """The next stretch of the plan, in the robot's frame."""
    c, s = math.cos(pose.yaw), math.sin(pose.yaw)
    reach_m = min(ahead.left_m, _TRACKED_M)
    count = max(1, math.ceil(reach_m / _TRACK_SPACING_M - 1e-9))
    points = []
    for part in range(1, count + 1):
        x, y = along(ahead.rest, reach_m * part / count)
        dx, dy = x - pose.x, y - pose.y
        points.append((round(c * dx + s * dy, 4), round(c * dy - s * dx, 4)))
    return Waypoints(tuple(points))


def _pursuit(ahead: RemainingPlan, robot: Robot) -> Velocity:
    """Turn on the spot until the point is ahead, then drive towards it."""
    limit = robot.max_turn_rad_s
    w = max(-limit, min(limit, 2.0 * ahead.bearing_rad))
    v = robot.max_speed_m_s * max(0.0, math.cos(ahead.bearing_rad)) ** 2
    return Velocity(round(v if abs(ahead.bearing_rad) < _AWRY_RAD else 0.0, 4), round(w, 4))


def _driven(action: Velocity, wanted_rad: float) -> float | None:
    """The bearing of the point that a velocity reaches after 0.2 m. Turning on the spot has the
    bearing that it turns to; standing still has none."""
    v, w = action.v_m_s, action.w_rad_s
    if abs(v) >= _STILL_M_S:
        half = max(-math.pi / 2, min(math.pi / 2, 0.5 * w * _FIRST_M / abs(v)))
        return half if v > 0.0 else math.pi - half
    if abs(w) < _STILL_RAD_S:
        return None
    return wanted_rad if (w > 0.0) == (wanted_rad > 0.0) else math.copysign(math.pi / 2, w)


def _leads(bearing_rad: float | None, wanted_rad: float) -> bool:
    if bearing_rad is None:
        return False
    return abs(math.remainder(bearing_rad - wanted_rad, math.tau)) <= _AWRY_RAD


def _from_nearest(plan: Sequence[XY], here: XY) -> tuple[XY, ...] | None:
    """The plan from its point nearest to ``here`` on, the earliest where several are about as near.
    None if that point is farther away than ``OFF_PLAN_M``."""
    feet = [foot(a, b, here) for a, b in pairwise(plan)]
    nearest_m = min(math.dist(foot, here) for foot in feet)
    if nearest_m > OFF_PLAN_M:
        return None
    index = next(i for i, f in enumerate(feet) if math.dist(f, here) <= nearest_m + _AS_NEAR_M)
    return (feet[index], *plan[index + 1 :])
