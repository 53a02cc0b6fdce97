"""The low-level controller that follows waypoints: pure pursuit with a regulated speed.

Pure pursuit (Coulter 1992) steers along the arc that leads through a point on the path some way
ahead: with that point at (x, y) in the robot's frame, its curvature is κ = 2·y/(x² + y²). The speed
is the greatest that keeps to the limits (as in regulated pure pursuit, Macenski et al. 2023):

    v ≤ v_max,   v ≤ ω_max/|κ|,   v²·|κ| ≤ a (across),   v ≤ √(2·0.9·a·d) (d left to the end).

The same holds for bends ahead: where the path turns by θ from one chord of length c to the next,
its radius is r = c/(2·tan(θ/2)), and the robot must be able to slow down to √(a·r) and ω_max·r
until it gets there. Where the point lies more than 45° to the side, the robot turns on the spot
first. It stands still once it is within 5 cm of the end.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from navproof.core.jit import jit

__all__ = [
    "ARRIVED_M",
    "LOOKAHEAD_S",
    "SHORTEST_M",
    "TURN_FIRST_RAD",
    "aim",
    "bend",
    "pursue",
    "steer",
]

F64 = NDArray[np.float64]
ARRIVED_M = 0.05
LOOKAHEAD_S = 0.5
"""The point that is pursued lies as far ahead as the robot gets in this time, …"""
SHORTEST_M = 0.2
"""… but at least so far."""
TURN_FIRST_RAD = math.pi / 4
CHORD_M = 0.2
"""Bends are measured between chords of this length: finer zigzags are smoothed by the pursuit."""
_BRAKING = 0.9  # of the deceleration allowed: speeds change only once a control step
_LEAST_DISTANCE_M = 1e-3  # keeps the curvature finite where the robot stands on the point
_STRAIGHT_RAD = 1e-3


@jit
def ahead_on(
    path: F64, segment: int, along: float, way_m: float
) -> tuple[int, float, float, float, bool]:
    """(segment, metres along it, x, y, whether the path ends there): ``way_m`` further on."""
    last = len(path) - 2
    along += way_m
    while True:
        ux, uy = path[segment + 1, 0] - path[segment, 0], path[segment + 1, 1] - path[segment, 1]
        length = math.sqrt(ux * ux + uy * uy)
        if along < length or segment == last:
            break
        along -= length
        segment += 1
    share = min(1.0, along / length) if length > 0.0 else 1.0
    at_x, at_y = path[segment, 0] + share * ux, path[segment, 1] + share * uy
    return segment, min(along, length), at_x, at_y, share == 1.0


@jit
def aim(
    path: F64, segment: int, x: float, y: float, lookahead_m: float
) -> tuple[int, float, float, float, float]:
    """(segment, metres along it, x, y, metres left): how far a robot has come on a path (n ≥ 2
    rows of x, y), and where it should aim at.

    The robot has come as far as the nearest point on segment ``segment`` (from row i to row i + 1)
    or, where that is its end, on those that follow; it never goes back. The aim lies
    ``lookahead_m`` further along the path, or at its end.
    """
    last = len(path) - 2
    while True:
        ux, uy = path[segment + 1, 0] - path[segment, 0], path[segment + 1, 1] - path[segment, 1]
        length = math.sqrt(ux * ux + uy * uy)
        along = 0.0
        if length > 0.0:
            along = ((x - path[segment, 0]) * ux + (y - path[segment, 1]) * uy) / length
        if along < length or segment == last:
            break
        segment += 1
    along = max(0.0, min(length, along))
    left = length - along
    for i in range(segment + 1, last + 1):
        left += math.hypot(path[i + 1, 0] - path[i, 0], path[i + 1, 1] - path[i, 1])
    _, _, aim_x, aim_y, _ = ahead_on(path, segment, along, lookahead_m)
    # A robot beside the end of its path has come as far as it goes along it, and not arrived.
    off = math.hypot(x - path[last + 1, 0], y - path[last + 1, 1])
    return segment, along, aim_x, aim_y, max(left, off)


@jit
def bend(path: F64, segment: int, along: float, limits: F64) -> float:
    """The greatest speed from which a robot can still slow down to every bend ahead. ``limits``
    are speed, turning speed, acceleration and turning acceleration."""
    fastest, brake = float(limits[0]), 2.0 * _BRAKING * float(limits[2])
    reach = fastest * fastest / brake
    segment, along, x, y, ended = ahead_on(path, segment, along, 0.0)
    before_x, before_y, way = 0.0, 0.0, 0.0
    while way <= reach and not ended:
        segment, along, nx, ny, ended = ahead_on(path, segment, along, CHORD_M)
        dx, dy = nx - x, ny - y
        theta = abs(math.atan2(before_x * dy - before_y * dx, before_x * dx + before_y * dy))
        if way > 0.0 and theta > _STRAIGHT_RAD:
            radius = 0.5 * CHORD_M / math.tan(0.5 * theta)
            there = min(limits[1] * radius, math.sqrt(limits[2] * radius))
            fastest = min(fastest, math.sqrt(there * there + brake * way))
        before_x, before_y, x, y = dx, dy, nx, ny
        way += CHORD_M
    return fastest


@jit
def steer(
    ahead_m: float,
    left_m: float,
    to_go_m: float,
    max_speed: float,
    max_turn: float,
    acceleration: float,
    turn_acceleration: float,
) -> tuple[float, float, float]:
    """(v, κ, ω) towards a point in the robot's frame: the speed to have, the curvature of the way
    there, and the turning speed where v is 0 and the robot turns on the spot."""
    if to_go_m < ARRIVED_M:
        return 0.0, 0.0, 0.0
    bearing = math.atan2(left_m, ahead_m)
    if abs(bearing) > TURN_FIRST_RAD:
        w = min(max_turn, math.sqrt(2.0 * _BRAKING * turn_acceleration * abs(bearing)))
        return 0.0, 0.0, math.copysign(w, bearing)
    square = max(_LEAST_DISTANCE_M**2, ahead_m * ahead_m + left_m * left_m)
    curvature = 2.0 * left_m / square
    v = min(max_speed, math.sqrt(2.0 * _BRAKING * acceleration * to_go_m))
    if curvature != 0.0:
        v = min(v, max_turn / abs(curvature), math.sqrt(acceleration / abs(curvature)))
    return v, curvature, 0.0


@jit
def pursue(
    path: F64,
    segment: int,
    x: float,
    y: float,
    yaw: float,
    v: float,
    limits: F64,
) -> tuple[int, float, float, float]:
    """(segment, v, κ, ω) for a robot at (x, y, yaw) that goes at v; see ``bend`` and ``steer``."""
    lookahead = max(SHORTEST_M, LOOKAHEAD_S * abs(v))
    segment, along, aim_x, aim_y, to_go = aim(path, segment, x, y, lookahead)
    fastest = bend(path, segment, along, limits)
    c, s = math.cos(yaw), math.sin(yaw)
    ahead = c * (aim_x - x) + s * (aim_y - y)
    left = c * (aim_y - y) - s * (aim_x - x)
    speed, curvature, turn = steer(ahead, left, to_go, fastest, limits[1], limits[2], limits[3])
    return segment, speed, curvature, turn
