"""Where to stand behind somebody who is followed: for expert paths, not for any rule.

The place is on the way that she came, ``GAP_M`` back; where she has not come so far yet, or that
place is too close or taken, one near her, rather behind her than beside or before her. It moves on
with every ``STRIDE_M`` of her way, so that few distance fields are needed.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise

from navproof.core.types import Point, Walk
from navproof.sim.protocol import GoalSet, Simulator, points

__all__ = ["GAP_M", "STRIDE_M", "place_behind", "stride_of"]

GAP_M = 1.3
STRIDE_M = 0.25
_CLOSEST_M = 1.15
_BACK_M = (GAP_M, 1.55, 1.8, 2.05, 2.3)
_ROUND_M = (1.5, 1.3, 2.0)
_ANGLES_DEG = (0, 30, -30, 60, -60, 90, -90, 120, -120, 150, -150, 180)
_EYES_M = 1.0
XY = tuple[float, float]


def stride_of(walked_m: float) -> int:
    """The number of strides that somebody has walked; the place behind her changes with it."""
    return int((walked_m + 1e-6) / STRIDE_M)


def place_behind(sim: Simulator, walk: Walk, stride: int) -> GoalSet:
    """One place for the robot that the simulator holds, on the floor where it stands."""
    z = sim.pose.z
    corners = [(x, y) for x, y, _ in walk.path]
    (x, y), heading = _along(corners, stride * STRIDE_M)
    for back_m in _BACK_M:
        if back_m <= stride * STRIDE_M:
            (bx, by), _ = _along(corners, stride * STRIDE_M - back_m)
            if math.dist((bx, by), (x, y)) >= _CLOSEST_M and sim.is_navigable((bx, by, z)):
                return points([(bx, by, z)])
    eyes = (x, y, z + _EYES_M)
    for place in _round(x, y, z, heading):
        eye_point = (place[0], place[1], z + _EYES_M)
        if sim.is_navigable(place) and sim.line_of_sight(eye_point, eyes):
            return points([place])
    return points([(x, y, z)])


def _round(x: float, y: float, z: float, heading: float) -> Iterator[Point]:
    for radius_m in _ROUND_M:
        for degrees in _ANGLES_DEG:
            angle = heading + math.pi + math.radians(degrees)
            yield (x + radius_m * math.cos(angle), y + radius_m * math.sin(angle), z)


def _along(corners: Sequence[XY], metres: float) -> tuple[XY, float]:
    """The place so far along a path, and the direction of the path there (0 on no path)."""
    heading, left = 0.0, metres
    for (x0, y0), (x1, y1) in pairwise(corners):
        length = math.dist((x0, y0), (x1, y1))
        if length == 0.0:
            continue
        heading = math.atan2(y1 - y0, x1 - x0)
        if left <= length:
            t = max(left, 0.0) / length
            return (x0 + t * (x1 - x0), y0 + t * (y1 - y0)), heading
        left -= length
    return corners[-1], heading
