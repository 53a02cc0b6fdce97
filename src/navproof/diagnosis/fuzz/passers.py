"""People as an axis of mutation: some who walk to and fro, not from where the robot starts."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from navproof.core.types import Episode, Point, Walk
from navproof.sim.protocol import Simulator
from navproof.world.people.people import APPEARANCES, PERSON

__all__ = ["MOST_PEOPLE", "draw_walk", "is_passer", "mutate_people"]

MOST_PEOPLE = 4
_PREFIX = "passer"
_WAY_M = 3.0, 12.0
_TRIES = 30
_REST_S = 0.0, 3.0
_ABOUT_S = 200.0  # longer than 500 steps take
_CLEAR_M = 1.0  # from where the robot starts, between middles


def is_passer(walk: Walk) -> bool:
    """Whether a mutation put this person there, so that no task is about them."""
    return walk.person.startswith(_PREFIX)


def mutate_people(
    episode: Episode, sim: Simulator, mild: bool, draw: np.random.Generator
) -> tuple[Walk, ...]:
    """The people after a mutation. Mild: one passer more, or one less where there are as many as
    there may be. Else other ones, one to four. The simulator holds the scene, and people in the
    robot's place afterwards."""
    own = tuple(walk for walk in episode.people if not is_passer(walk))
    passers = [walk for walk in episode.people if is_passer(walk)] if mild else []
    if mild and len(passers) >= MOST_PEOPLE:
        passers.pop(int(draw.integers(len(passers))))
        return own + tuple(passers)
    sim.load(sim.scene, PERSON)
    more = 1 if mild else int(draw.integers(1, MOST_PEOPLE + 1))
    for _ in range(more):
        walk = draw_walk(episode, sim, (*own, *passers), draw)
        if walk is not None:
            passers.append(walk)
    return own + tuple(passers)


def draw_walk(
    episode: Episode, sim: Simulator, others: Sequence[Walk], draw: np.random.Generator
) -> Walk | None:
    """Somebody who looks like nobody else there and goes to and fro between two places, clear of
    where the robot starts; None where no such way is found. ``sim`` holds the scene and the body of
    a ``PERSON``."""
    names = {walk.person for walk in others}
    person = next(n for n in (f"{_PREFIX}{k}" for k in range(1, 99)) if n not in names)
    looks = sorted(set(APPEARANCES) - {walk.appearance for walk in others})
    for _ in range(_TRIES):
        here, there = sim.random_point(draw), sim.random_point(draw)
        if not looks or not _WAY_M[0] <= sim.geodesic(here, (there,)) <= _WAY_M[1]:
            continue
        way = [(round(x, 3), round(y, 3)) for x, y, _ in sim.shortest_path(here, (there,))]
        if len(way) < 2 or _nearest_m(episode.start.point, way) < _CLEAR_M:
            continue
        appearance = looks[int(draw.integers(len(looks)))]
        return Walk(person, appearance, _to_and_fro(way, draw))
    return None


def _to_and_fro(
    way: Sequence[tuple[float, float]], draw: np.random.Generator
) -> tuple[tuple[float, float, float], ...]:
    """Along the way and back, with a rest at either end, for as long as an episode lasts."""
    length_m = sum(math.dist(a, b) for a, b in pairwise(way))
    path = [(*way[0], _rest_s(draw))]
    spent_s, ahead = path[0][2], list(way)
    while spent_s < _ABOUT_S:
        path += [(x, y, 0.0) for x, y in ahead[1:]]
        path[-1] = (*ahead[-1], _rest_s(draw))
        spent_s += length_m + path[-1][2]
        ahead.reverse()
    return tuple(path)


def _rest_s(draw: np.random.Generator) -> float:
    return round(float(draw.uniform(*_REST_S)), 2)


def _nearest_m(point: Point, way: Sequence[tuple[float, float]]) -> float:
    """From a point to the legs of a way, along the floor."""
    x, y, _ = point
    nearest = math.inf
    for (ax, ay), (bx, by) in pairwise(way):
        dx, dy = bx - ax, by - ay
        squared = dx * dx + dy * dy
        share = 0.0 if squared == 0.0 else ((x - ax) * dx + (y - ay) * dy) / squared
        share = min(max(share, 0.0), 1.0)
        nearest = min(nearest, math.hypot(x - ax - share * dx, y - ay - share * dy))
    return nearest
