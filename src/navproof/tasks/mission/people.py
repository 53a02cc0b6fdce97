"""The people of a mission: somebody to follow, and others who cross the robot's way.

They go where the robot can go, so that it can follow; ``grid`` says where people can (a low robot
passes under tables).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations, pairwise

import numpy as np
from numpy.typing import NDArray

from navproof.core.types import Point, Pose, Walk
from navproof.sim.geodesic.navgrid import NavGrid
from navproof.sim.protocol import Simulator
from navproof.world.people.people import APPEARANCES, is_walkable

__all__ = ["Passage", "appearances", "draw_guide", "draw_passages", "draw_passer"]

_SEEN_M = (1.6, 3.2)  # from the robot, when she begins
_WAY_M = (4.0, 9.0)
_PASSES_M = 1.3
_REST_EVERY_M = 2.5
_REST_S = (1.5, 3.0)
_EYE_M, _BODY_M = 1.0, 1.2
_NEAR_WAY_M, _NOT_NEAR_START_M = 1.2, 1.5
_SETS_OUT_S = (0.0, 4.0)
_HUBS = 12
_DRAWS, _ENDS = 20, 8
_ASIDE_DEG = (35.0, 70.0)  # of the heading: where she is seen at once, or with a glance


def draw_guide(
    person: str,
    appearance: str,
    sim: Simulator,
    here: Pose,
    begins_s: float,
    grid: NavGrid,
    draw: np.random.Generator,
) -> Walk | None:
    """Somebody who stands where she is seen from ``here`` until ``begins_s``, then walks a way on
    which the robot can go after her, not past it, with rests, so that a slower one can keep
    up."""
    eye = (here.x, here.y, here.z + _EYE_M)
    for number in range(_DRAWS):
        away = float(draw.uniform(*_SEEN_M))
        aside = math.radians(_ASIDE_DEG[2 * number >= _DRAWS])
        heading = here.yaw + float(draw.uniform(-aside, aside))
        first = (here.x + away * math.cos(heading), here.y + away * math.sin(heading), here.z)
        if not sim.is_navigable(first) or not sim.line_of_sight(eye, (*first[:2], _BODY_M)):
            continue
        for last in (sim.random_point(draw) for _ in range(_ENDS)):
            length, back = sim.geodesic(last, (first,)), math.dist(last, here.point)
            if _WAY_M[0] <= length <= _WAY_M[1] and back > 2.0:
                path = _rested(sim.shortest_path(first, (last,)), draw)
                walk = Walk(person, appearance, path, begins_s=round(begins_s, 2))
                passes = _nearest_m([here.point], np.array([p[:2] for p in path])) < _PASSES_M
                if not passes and is_walkable(walk, grid):
                    return walk
    return None


Passage = NDArray[np.float64]
"""(n, 2): a way that people take, its corners."""


def draw_passages(sim: Simulator, grid: NavGrid, draw: np.random.Generator) -> tuple[Passage, ...]:
    """Ways between places of a scene on which people go to and fro."""
    hubs = [sim.random_point(draw) for _ in range(_HUBS)]
    passages = []
    for here, there in combinations(hubs, 2):
        if _WAY_M[0] <= sim.geodesic(here, (there,)) <= 1.6 * _WAY_M[1]:
            corners = np.round([p[:2] for p in sim.shortest_path(here, (there,))], 3)
            path = tuple((x, y, 0.0) for x, y in corners.tolist())
            if len(path) > 1 and is_walkable(Walk("", "", path), grid):
                passages.append(corners)
    return tuple(passages)


def draw_passer(
    person: str,
    appearance: str,
    passages: Sequence[Passage],
    way: Sequence[Point],
    until_s: float,
    draw: np.random.Generator,
) -> Walk | None:
    """Somebody who goes to and fro across ``way``, the robot's, for so long; not near to where it
    begins. None where no passage does."""
    crossing = [p for p in passages if _nearest_m(way[:1], p) >= _NOT_NEAR_START_M]
    crossing = [p for p in crossing if _nearest_m(way[1:], p) <= _NEAR_WAY_M]
    if not crossing:
        return None
    corners = crossing[int(draw.integers(len(crossing)))].tolist()
    there = corners if float(draw.random()) < 0.5 else corners[::-1]
    path = [(*there[0], round(float(draw.uniform(*_SETS_OUT_S)), 2))]
    spent, length = 0.0, sum(math.dist(a, b) for a, b in pairwise(there))
    while spent < until_s:
        rest = round(float(draw.uniform(*_REST_S)), 2)
        path += [(x, y, 0.0) for x, y in there[1:]]
        path[-1] = (*path[-1][:2], rest)
        spent += length + rest
        there = there[::-1]
    return Walk(person, appearance, tuple(path))


def _rested(
    way: Sequence[Point], draw: np.random.Generator
) -> tuple[tuple[float, float, float], ...]:
    """A way with rests about every few metres, none at its ends."""
    path: list[tuple[float, float, float]] = [(round(way[0][0], 3), round(way[0][1], 3), 0.0)]
    since = 0.0
    for k, (x, y, _) in enumerate(way[1:], start=1):
        x0, y0, _ = way[k - 1]
        length = math.dist((x0, y0), (x, y))
        walked_m = 0.0
        while since + length - walked_m > _REST_EVERY_M and k < len(way):
            walked_m += _REST_EVERY_M - since
            if length - walked_m < 0.5 and k == len(way) - 1:
                break
            share = walked_m / length
            rest = round(float(draw.uniform(*_REST_S)), 2)
            path.append((round(x0 + share * (x - x0), 3), round(y0 + share * (y - y0), 3), rest))
            since = 0.0
        since += length - walked_m
        path.append((round(x, 3), round(y, 3), 0.0))
    return tuple(path)


def _nearest_m(way: Sequence[Point], passage: Passage) -> float:
    """How near a way comes to a passage, as far as points a few decimetres apart tell."""
    if not way:
        return math.inf
    shares = np.linspace(0.0, 1.0, 8)[:, None, None]
    dense = (passage[:-1] + shares * (passage[1:] - passage[:-1])).reshape(-1, 2)
    places = np.array([p[:2] for p in way])
    return float(np.linalg.norm(places[:, None] - dense[None], axis=2).min())


def appearances(draw: np.random.Generator, count: int) -> list[str]:
    """Different looks for so many people."""
    names = sorted(APPEARANCES)
    return [names[int(k)] for k in draw.permutation(len(names))[:count]]
