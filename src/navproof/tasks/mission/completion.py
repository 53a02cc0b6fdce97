"""When a sub-task of a mission is done: the completion rules of OmniNavBench, Table II.

    VLN          ∃t: d_geo(x_t, nearest landmark) ≤ 3.0 m  ∧  x_t inside the region
    PointNav     ∃t: d(x_t, p) ≤ 0.36 m
    ObjectNav    ∃t: d_geo(x_t, nearest object) ≤ 1.0 m
    HumanFollow  at t_e: 1.0 m < d ≤ 3.0 m  ∧  |bearing error| ≤ 60°
    Return       back within 2.0 m after having been more than 2.0 m away
    SocialNav    d(x_t, person) ≥ 1.2 m throughout, for everybody who is not followed

d_geo is the length of the shortest way along the floor, d the straight distance along it; t_e is
when the person has stopped for good. A sub-task carries its own limit (``SubTask.within_m``);
``WITHIN_M`` holds those of the paper. Limits that belong to a set do so to within a nanometre.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

from navproof.core.types import Pose, SubTaskKind

__all__ = [
    "FOLLOW_DEG",
    "FOLLOW_FAR_M",
    "FOLLOW_NEAR_M",
    "LEFT_M",
    "PERSONAL_M",
    "WITHIN_M",
    "bearing_error_rad",
    "follows",
    "has_left",
    "has_returned",
    "intrudes",
    "is_within",
    "reaches",
]

WITHIN_M: Mapping[SubTaskKind, float] = {
    "goto_room": 3.0,
    "goto_landmark": 3.0,
    "goto_object": 1.0,
    "goto_point": 0.36,
    "return_to": 2.0,
    "follow_human": 3.0,
}
FOLLOW_NEAR_M, FOLLOW_FAR_M, FOLLOW_DEG = 1.0, 3.0, 60.0
LEFT_M = 2.0
"""Who is to return must have been further away than this."""
PERSONAL_M = 1.2
"""Nearer than this to somebody is an intrusion."""
_ROUNDING = 1e-9


def is_within(distance_m: float, limit_m: float) -> bool:
    return distance_m <= limit_m + _ROUNDING


def reaches(distance_m: float, within_m: float, inside: bool = True) -> bool:
    """VLN, ObjectNav and PointNav: near enough, and inside the region where one is asked for."""
    return inside and is_within(distance_m, within_m)


def has_left(distance_m: float) -> bool:
    """Whether the robot is now away from where it is to return to."""
    return distance_m > LEFT_M + _ROUNDING


def has_returned(distance_m: float, within_m: float, was_away: bool) -> bool:
    """``was_away``: whether it has been away before."""
    return was_away and is_within(distance_m, within_m)


def follows(distance_m: float, bearing_rad: float, far_m: float = FOLLOW_FAR_M) -> bool:
    """Cond_t. ``bearing_rad`` is from the robot's heading to the person, either way."""
    # 1.0 m itself is too near and 3.0 m near enough (Table II), each to within a nanometre.
    near_enough = FOLLOW_NEAR_M + _ROUNDING < distance_m <= far_m + _ROUNDING
    return near_enough and abs(bearing_rad) <= math.radians(FOLLOW_DEG) + _ROUNDING


def intrudes(distance_m: float) -> bool:
    return distance_m < PERSONAL_M - _ROUNDING


def bearing_error_rad(pose: Pose, x: float, y: float) -> float:
    """From the robot's heading to the direction of a point, in [−π, π]."""
    return math.remainder(math.atan2(y - pose.y, x - pose.x) - pose.yaw, math.tau)
