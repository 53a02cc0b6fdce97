"""People who mind a robot: they slow down before it, step aside where there is room, or wait.

A reacting person keeps to her path but not to her time: she carries her own clock, which runs at
her ``pace`` (0 … 1), and may be ``aside`` of her path (metres to her left). Given the robot's
motion, what she does is determined.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from navproof.core.types import Pose, Walk
from navproof.sim.geodesic.navgrid import SLACK_M, NavGrid
from navproof.world.people.people import PersonState, where

__all__ = ["Reaction", "Surroundings", "react", "reacted"]

LOOK_M = 1.6
"""How far ahead a robot is minded."""
WAIT_GAP_M, SLOW_GAP_M = 0.25, 1.0
"""Between the bodies: nearer than the first she waits, from the second on she slows down."""
PASS_M = 0.12
"""Room left between the bodies in passing."""
ASIDE_M, ASIDE_M_S = 0.8, 0.5
"""How far aside she steps at most, and how fast."""
PACE_PER_S, SLOWEST = 2.5, 0.1
"""How fast her pace changes, and the slowest at which she still walks."""


@dataclass(frozen=True, slots=True)
class Reaction:
    """Her own time (s), how far she is to the left of her path (m), and her pace."""

    time_s: float = 0.0
    aside_m: float = 0.0
    pace: float = 1.0


@dataclass(frozen=True, slots=True)
class Surroundings:
    """The robot's place, how near the two bodies' middles may come, and where people can stand
    (None: anywhere)."""

    x: float
    y: float
    reach_m: float
    room: NavGrid | None


def reacted(walk: Walk, own: Reaction, z_m: float = 0.0) -> PersonState:
    """The person in that state."""
    planned = where(walk, own.time_s, z_m)
    here = planned.pose
    pose = Pose(
        here.x - own.aside_m * math.sin(here.yaw),
        here.y + own.aside_m * math.cos(here.yaw),
        here.z,
        here.yaw,
    )
    moving = planned.moving and own.pace > 0.0
    return replace(planned, pose=pose, moving=moving, stride=planned.stride * min(1.0, own.pace))


def react(walk: Walk, own: Reaction, around: Surroundings, tick_s: float) -> Reaction:
    """Her state ``tick_s`` later. She never comes nearer to the robot than ``reach_m``."""
    here = reacted(walk, own)
    dx, dy = around.x - here.pose.x, around.y - here.pose.y
    cos, sin = math.cos(here.pose.yaw), math.sin(here.pose.yaw)
    ahead, left = dx * cos + dy * sin, dy * cos - dx * sin
    gap = math.hypot(dx, dy) - around.reach_m
    if gap > LOOK_M and own.aside_m == 0.0 and own.pace == 1.0:
        return _rounded(Reaction(own.time_s + tick_s))
    from_path = left + own.aside_m
    beside = around.reach_m + PASS_M
    since = 0.0 if own.aside_m == 0.0 else -beside  # whom she passes, she minds until past it
    on_path = abs(from_path) < beside and since < ahead < LOOK_M
    goes = where(walk, own.time_s).moving
    wanted, aside = 1.0, 0.0
    if goes and on_path:
        aside = _aside(walk, own, around, ahead, from_path)
        if ahead > 0.0 and abs(left) < beside - 1e-6:
            wanted = min(1.0, (gap - WAIT_GAP_M) / (SLOW_GAP_M - WAIT_GAP_M))
            wanted = wanted if wanted > SLOWEST else 0.0
    pace = _towards(own.pace, wanted, PACE_PER_S * tick_s) if goes else 1.0
    step = _towards(own.aside_m, aside, ASIDE_M_S * tick_s)
    for tried in (
        Reaction(own.time_s + pace * tick_s, step, pace),
        Reaction(own.time_s + pace * tick_s, own.aside_m, pace),
        Reaction(own.time_s, step, 0.0),
    ):
        if _may_be(walk, own, tried, around):
            return _rounded(tried)
    back = _towards(own.aside_m, 0.0, 2.0 * ASIDE_M_S * tick_s)
    tried = Reaction(own.time_s, back, 0.0)
    return _rounded(tried if _may_be(walk, own, tried, around) else replace(own, pace=0.0))


def _aside(
    walk: Walk, own: Reaction, around: Surroundings, ahead: float, from_path: float
) -> float:
    """Where to pass a robot ``ahead`` of her and ``from_path`` to the left of her path, on the side
    that is nearer to where she is; 0 if there is no room until she is past it."""
    beside = around.reach_m + PASS_M
    lasts_s = max(0.0, ahead + beside) / walk.speed_m_s
    for side in sorted(
        (from_path - beside, from_path + beside), key=lambda s: abs(s - own.aside_m)
    ):
        then = [Reaction(own.time_s + lasts_s * k / 4, side) for k in range(5)]
        if abs(side) <= ASIDE_M and all(_has_room(walk, state, around.room) for state in then):
            return side
    return 0.0


def _may_be(walk: Walk, own: Reaction, then: Reaction, around: Surroundings) -> bool:
    """Whether she can go from one state to the other: no nearer to a robot that she touches, and
    into nothing that stands there."""
    before, after = reacted(walk, own).pose, reacted(walk, then).pose
    now = math.hypot(after.x - around.x, after.y - around.y)
    if now < around.reach_m and now < math.hypot(before.x - around.x, before.y - around.y):
        return False
    return then.aside_m == 0.0 or _has_room(walk, then, around.room)


def _has_room(walk: Walk, own: Reaction, room: NavGrid | None) -> bool:
    pose = reacted(walk, own).pose
    return room is None or room.room_for(pose.x, pose.y) >= room.radius - SLACK_M


def _towards(value: float, target: float, most: float) -> float:
    return value + max(-most, min(most, target - value))


def _rounded(own: Reaction) -> Reaction:
    """On a grid of 1e-9, so that a last-bit difference cannot grow into another walk."""
    return Reaction(round(own.time_s, 9), round(own.aside_m, 9) + 0.0, round(own.pace, 9))
