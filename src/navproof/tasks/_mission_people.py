"""The people of a mission: somebody to follow, and others who cross the robot's way.

They go where the robot can go, so that it can follow; ``grid`` says where people can (a low robot
passes under tables).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from navproof.sim.navgrid import NavGrid
from navproof.sim.protocol import Simulator
from navproof.types import Point, Pose, Walk
from navproof.world.people import APPEARANCES, is_walkable

__all__ = ["appearances", "draw_guide", "draw_passer"]

_SEEN_M = (1.6, 3.2)  # from the robot, when she begins
_WAY_M = (4.0, 9.0)
_REST_EVERY_M = 3.5
_REST_S = (1.5, 3.0)
_EYE_M, _BODY_M = 1.0, 1.2
_NEAR_WAY_M = 1.2
_DRAWS = 30


def draw_guide(
    person: str,
    appearance: str,
    sim: Simulator,
    here: Pose,
    begins_s: float,
    grid: NavGrid,
    draw: np.random.Generator,
) -> Walk | None:
    """Somebody who stands in view of ``here`` until ``begins_s``, then walks a way on which the
    robot can go after her, with rests, so that a slower one can keep up."""
    for _ in range(_DRAWS):
        away = float(draw.uniform(*_SEEN_M))
        heading = here.yaw + float(draw.uniform(-math.radians(35), math.radians(35)))
        first = (
            here.x + away * math.cos(heading),
            here.y + away * math.sin(heading),
            here.z,
        )
        eye = (here.x, here.y, here.z + _EYE_M)
        if not sim.is_navigable(first) or not sim.line_of_sight(eye, (*first[:2], _BODY_M)):
            continue
        last = sim.random_point(draw)
        length = sim.geodesic(first, (last,))
        back = math.dist(last, here.point)
        if _WAY_M[0] <= length <= _WAY_M[1] and back > 2.0:
            path = _rested(sim.shortest_path(first, (last,)), draw)
            walk = Walk(person, appearance, path, begins_s=round(begins_s, 2))
            if is_walkable(walk, grid):
                return walk
    return None


def draw_passer(
    person: str,
    appearance: str,
    sim: Simulator,
    way: Sequence[Point],
    until_s: float,
    grid: NavGrid,
    draw: np.random.Generator,
) -> Walk | None:
    """Somebody who goes to and fro across ``way``, the robot's, for so long; not near to where it
    begins."""
    for _ in range(_DRAWS):
        ends = [sim.random_point(draw) for _ in range(2)]
        leg = sim.shortest_path(ends[0], (ends[1],))
        length = sim.geodesic(ends[0], (ends[1],))
        if len(leg) < 2 or not _WAY_M[0] <= length <= 1.6 * _WAY_M[1]:
            continue
        if _nearest_m([way[0]], leg) < 2.5 or _nearest_m(way[1:], leg) > _NEAR_WAY_M:
            continue
        path: list[tuple[float, float, float]] = []
        spent, there = 0.0, leg
        while spent < until_s:
            rest = float(draw.uniform(*_REST_S))
            path += [(round(x, 3), round(y, 3), 0.0) for x, y, _ in there[len(path) > 0 :]]
            path[-1] = (*path[-1][:2], round(rest, 2))
            spent += length + rest
            there = there[::-1]
        walk = Walk(person, appearance, tuple(path))
        if is_walkable(walk, grid):
            return walk
    return None


def _rested(
    way: Sequence[Point], draw: np.random.Generator
) -> tuple[tuple[float, float, float], ...]:
    """A way with rests about every few metres, none at its ends."""
    path: list[tuple[float, float, float]] = [(round(way[0][0], 3), round(way[0][1], 3), 0.0)]
    since = 0.0
    for k, (x, y, _) in enumerate(way[1:], start=1):
        x0, y0, _ = way[k - 1]
        length = math.dist((x0, y0), (x, y))
        gone = 0.0
        while since + length - gone > _REST_EVERY_M and k < len(way):
            gone += _REST_EVERY_M - since
            if length - gone < 0.5 and k == len(way) - 1:
                break
            share = gone / length
            rest = round(float(draw.uniform(*_REST_S)), 2)
            path.append((round(x0 + share * (x - x0), 3), round(y0 + share * (y - y0), 3), rest))
            since = 0.0
        since += length - gone
        path.append((round(x, 3), round(y, 3), 0.0))
    return tuple(path)


def _nearest_m(way: Sequence[Point], leg: Sequence[Point]) -> float:
    """How near two ways come, as far as their corners and points between tell."""
    dense = [
        (a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1]))
        for a, b in pairwise(leg)
        for t in np.linspace(0.0, 1.0, 8).tolist()
    ]
    return min((math.dist(p[:2], q) for p in way for q in dense), default=math.inf)


def appearances(draw: np.random.Generator, count: int) -> list[str]:
    """Different looks for so many people."""
    names = sorted(APPEARANCES)
    return [names[int(k)] for k in draw.permutation(len(names))[:count]]
