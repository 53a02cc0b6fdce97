"""Distances and paths against closed forms and an independent shortest-path search."""

from __future__ import annotations

import heapq
import itertools
import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from navproof.core.types import Pose, Robot
from navproof.sim.embedded import EmbeddedSimulator
from navproof.sim.geodesic.geodesic import Geodesics
from navproof.sim.geodesic.navgrid import NavGrid
from navproof.testing import tiny_scene

RADIUS = 0.2
ROBOT = Robot("disc", RADIUS, 1.0)


@pytest.fixture(scope="module")
def sim() -> EmbeddedSimulator:
    simulator = EmbeddedSimulator()
    simulator.load(tiny_scene(), ROBOT)
    return simulator


def path_length(path: tuple[tuple[float, float, float], ...]) -> float:
    return sum(math.dist(a, b) for a, b in itertools.pairwise(path))


def round_corner(a: tuple[float, float], b: tuple[float, float]) -> float:
    """Exact length over the top of a disc of RADIUS around the doorway's corner (0, 1.5)."""
    total, used = 0.0, 0.0
    angles = []
    for x, y in (a, b):
        d = math.hypot(x, y - 1.5)
        total += math.sqrt(d * d - RADIUS * RADIUS)
        used += math.acos(RADIUS / d)
        angles.append(abs(math.atan2(x, y - 1.5)))  # from straight up
    return total + RADIUS * max(0.0, sum(angles) - used)


def test_doorways_that_lie_outside_their_scene_are_no_floor() -> None:
    scene = tiny_scene()
    (door, *_), sound = scene.doors, NavGrid.build(tiny_scene(), Robot("r", 0.2, 1.0))
    for x, y in ((500.0, 0.0), (-500.0, 0.0), (0.0, 500.0), (0.0, -500.0)):
        away = replace(door, centre=(x, y, door.centre[2]))
        grid = NavGrid.build(replace(scene, doors=(*scene.doors, away)), Robot("r", 0.2, 1.0))
        assert (grid.navigable == sound.navigable).all()


def test_straight_line_is_euclidean(sim: EmbeddedSimulator) -> None:
    assert sim.geodesic((-3.0, 2.0, 0.0), ((3.0, 2.0, 0.0),)) == pytest.approx(6.0, rel=2e-3)
    assert sim.geodesic((-3.0, 1.0, 0.0), ((-1.0, 2.5, 0.0),)) == pytest.approx(2.5, rel=5e-3)


@pytest.mark.parametrize("ya", [0.5, 1.0, 1.4])
def test_round_a_corner(sim: EmbeddedSimulator, ya: float) -> None:
    exact = round_corner((-3.0, ya), (3.0, 1.0))
    goals = ((3.0, 1.0, 0.0),)
    assert sim.geodesic((-3.0, ya, 0.0), goals) == pytest.approx(exact, rel=6e-3)
    path = sim.shortest_path((-3.0, ya, 0.0), goals)
    assert path[0] == (-3.0, ya, 0.0)
    assert path[-1] == (3.0, 1.0, 0.0)
    assert exact * 0.999 <= path_length(path) <= exact * 1.01


def test_near_a_goal_the_distance_is_exact(sim: EmbeddedSimulator) -> None:
    for d in (0.0, 0.05, 0.1, 0.1999, 0.2001, 0.45):
        assert sim.geodesic((1.0 + d, 1.0, 0.0), ((1.0, 1.0, 0.0),)) == pytest.approx(d, abs=1e-9)


def test_the_nearest_of_several_goals_counts(sim: EmbeddedSimulator) -> None:
    near, far = (-3.0, 1.0, 0.0), (3.0, 1.0, 0.0)
    start = (-2.0, 1.0, 0.0)
    both = sim.geodesic(start, (far, near))
    assert both == pytest.approx(sim.geodesic(start, (near,)), abs=1e-9)
    assert sim.shortest_path(start, (far, near))[-1] == near


def test_no_way_is_infinite(sim: EmbeddedSimulator) -> None:
    outside = (20.0, 20.0, 0.0)
    assert math.isinf(sim.geodesic((-3.0, 1.0, 0.0), (outside,)))
    assert sim.shortest_path((-3.0, 1.0, 0.0), (outside,)) == ()
    assert math.isinf(sim.geodesic((-3.0, 1.0, 0.0), ()))


def dijkstra(grid: NavGrid, start: tuple[int, int]) -> np.ndarray:
    """Independent reference: Dijkstra with 32 neighbours, moves checked cell by cell."""
    moves = [
        (dr, dc) for dr in range(-3, 4) for dc in range(-3, 4) if math.gcd(abs(dr), abs(dc)) == 1
    ]
    free = grid.navigable
    best = np.full(free.shape, np.inf)
    best[start] = 0.0
    queue = [(0.0, start)]
    while queue:
        d, (r, c) = heapq.heappop(queue)
        if d > best[r, c]:
            continue
        for dr, dc in moves:
            n = max(abs(dr), abs(dc))
            through = [
                (r + math.floor(k * dr / n + 0.5), c + math.floor(k * dc / n + 0.5))
                for k in range(1, n + 1)
            ]
            if not all(free[cell] for cell in through):
                continue
            total = d + math.hypot(dr, dc) * grid.cell
            if total < best[r + dr, c + dc]:
                best[r + dr, c + dc] = total
                heapq.heappush(queue, (total, (r + dr, c + dc)))
    return best


def test_field_agrees_with_an_independent_search(sim: EmbeddedSimulator) -> None:
    sim.place(Pose(-3.0, 1.0))
    grid = sim.grid
    row, col = grid.cell_of(-3.025, 1.025)
    x, y = grid.centre(row, col)
    reference = dijkstra(grid, (row, col))
    ours = Geodesics(grid).field(((x, y, 0.0),)).metres
    assert np.array_equal(np.isfinite(ours), np.isfinite(reference))
    far = np.isfinite(reference) & (reference > 0.5)
    ratio = ours[far] / reference[far]
    assert ratio.mean() == pytest.approx(1.0, abs=0.008)
    assert ratio.min() > 0.97  # 32 directions overestimate by at most 1.3 %
    assert ratio.max() < 1.012


inside = st.tuples(st.floats(-3.7, 3.7), st.floats(0.3, 2.8))


@settings(max_examples=60, deadline=None)
@given(a=inside, b=inside, c=inside)
def test_metric_properties(
    a: tuple[float, float], b: tuple[float, float], c: tuple[float, float]
) -> None:
    sim = EmbeddedSimulator()
    sim.load(SCENE, ROBOT)
    pa, pb, pc = ((*p, 0.0) for p in (a, b, c))
    if not all(sim.is_navigable(p) for p in (pa, pb, pc)):
        return
    ab, ba = sim.geodesic(pa, (pb,)), sim.geodesic(pb, (pa,))
    assert ab == pytest.approx(ba, rel=0.01, abs=0.02)
    assert ab >= math.dist(pa, pb) - 1e-9
    assert ab <= sim.geodesic(pa, (pc,)) + sim.geodesic(pc, (pb,)) + 0.05
    path = sim.shortest_path(pa, (pb,))
    assert path_length(path) == pytest.approx(ab, rel=0.02, abs=0.05)


SCENE = tiny_scene()
