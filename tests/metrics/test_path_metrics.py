"""DTW, nDTW, SDTW and CLS: known answers, an independent implementation, properties."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import pairwise

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from navproof.core.types import Point
from navproof.log.trace import Trace
from navproof.metrics import score
from navproof.metrics.navigation.path import (
    SPACING_M,
    cls_from_distances,
    distance_matrix,
    dtw,
    ndtw_from_distances,
    path_length,
    refine,
    threshold_m,
)
from navproof.tasks.specs import spec_for

MakeTrace = Callable[..., Trace]
PREDICTION = [(0, 0), (1, 0), (2, 0), (3, 0)]
REFERENCE = [(0, 0), (1, 0), (2, 1), (3, 2)]


def graph_distances(
    reference: Sequence[tuple[int, int]], prediction: Sequence[tuple[int, int]]
) -> NDArray[np.float64]:
    graph = nx.grid_graph([3, 4])
    lengths = dict(nx.all_pairs_shortest_path_length(graph))
    return np.array([[float(lengths[r][p]) for p in prediction] for r in reference])


def slow_dtw(distances: NDArray[np.float64]) -> float:
    """The textbook recursion, cell by cell."""
    n, m = distances.shape
    table = np.full((n + 1, m + 1), math.inf)
    table[0, 0] = 0
    for i in range(n):
        for j in range(m):
            table[i + 1, j + 1] = distances[i, j] + min(
                table[i, j], table[i, j + 1], table[i + 1, j]
            )
    return float(table[n, m])


def slow_cls(reference: Sequence[Point], taken: Sequence[Point], threshold: float) -> float:
    """Straight from the equations."""
    coverage = sum(
        math.exp(-min(math.dist(r, p) for p in taken) / threshold) for r in reference
    ) / len(reference)

    def length(points: Sequence[Point]) -> float:
        return sum(math.dist(points[i], points[i + 1]) for i in range(len(points) - 1))

    expected = coverage * length(reference)
    return coverage * expected / (expected + abs(expected - length(taken)))


def test_known_answers_on_the_grid_graph() -> None:
    distances = graph_distances(REFERENCE, PREDICTION)
    assert dtw(distances) == 3.0
    assert ndtw_from_distances(distances, 3.0) == pytest.approx(0.778800783, abs=5e-10)
    # SDTW: the prediction ends within 3 of the goal; its first two points do not
    assert distances[-1, -1] <= 3.0
    assert graph_distances(REFERENCE, PREDICTION[:2])[-1, -1] > 3.0


def test_cls_on_the_grid_graph_by_hand() -> None:
    # nearest distances 0 0 1 2, both paths of length 3 and 5 on the graph
    distances = graph_distances(REFERENCE, PREDICTION)
    coverage = (1 + 1 + math.exp(-1 / 3) + math.exp(-2 / 3)) / 4
    expected = coverage * 5
    by_hand = coverage * expected / (expected + abs(expected - 3))
    assert cls_from_distances(distances, 5, 3, 3.0) == pytest.approx(by_hand)


coordinate = st.floats(-20, 20, allow_nan=False).map(lambda v: round(v, 3))
point = st.tuples(coordinate, coordinate, st.just(0.0))
path = st.lists(point, min_size=1, max_size=12)


@given(path, path)
def test_dtw_equals_the_textbook(reference: list[Point], taken: list[Point]) -> None:
    distances = distance_matrix(reference, taken)
    assert dtw(distances) == pytest.approx(slow_dtw(distances), rel=1e-12)
    assert dtw(distances.T) == pytest.approx(dtw(distances), rel=1e-9)  # symmetric


@given(path, path, st.floats(0.1, 5))
def test_bounds(reference: list[Point], taken: list[Point], threshold: float) -> None:
    distances = distance_matrix(reference, taken)
    ndtw = ndtw_from_distances(distances, threshold)
    assert 0 <= ndtw <= 1
    assert dtw(distances) >= float(distances.min(axis=1).sum()) - 1e-9
    value = cls_from_distances(distances, path_length(reference), path_length(taken), threshold)
    assert 0 <= value <= 1
    assert ndtw_from_distances(distances, threshold * 2) >= ndtw  # forgiving is never worse


@given(path, st.floats(0.1, 5))
def test_the_same_path_scores_one(points: list[Point], threshold: float) -> None:
    distances = distance_matrix(points, points)
    assert ndtw_from_distances(distances, threshold) == 1
    length = path_length(points)
    assert cls_from_distances(distances, length, length, threshold) == pytest.approx(1)


@given(path, path, st.floats(0.1, 5))
def test_cls_equals_the_equations(
    reference: list[Point], taken: list[Point], threshold: float
) -> None:
    length = path_length(reference)
    if length < 1e-6:
        return
    distances = distance_matrix(reference, taken)
    fast = cls_from_distances(distances, length, path_length(taken), threshold)
    slow = slow_cls(reference, taken, threshold)
    assert fast == pytest.approx(slow, rel=1e-9, abs=1e-12)


@settings(max_examples=50)
@given(path)
def test_refining_keeps_corners_and_length(points: list[Point]) -> None:
    fine = refine(points)
    assert path_length(fine) == pytest.approx(path_length(points), abs=1e-6)
    gaps = [math.dist(a, b) for a, b in pairwise(fine)]
    assert all(0 < gap <= SPACING_M * (1 + 1e-6) for gap in gaps)
    assert set(points) <= set(fine)
    assert refine(fine) == fine


def test_dtw_of_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one point"):
        dtw(np.zeros((0, 3)))


def test_how_the_reference_is_drawn_hardly_matters(make_trace: MakeTrace) -> None:
    walk = [(0.25 * i, 0.5, 0.0) for i in range(21)]
    corners = [(0.0, 0.0, 0.0), (5.0, 0.0, 0.0)]
    dense = [(0.05 * i, 0.0, 0.0) for i in range(101)]
    few = score(make_trace(walk, reference=corners, success_m=3.0))["ndtw"]
    many = score(make_trace(walk, reference=dense, success_m=3.0))["ndtw"]
    assert few is not None
    assert many is not None
    assert few == pytest.approx(math.exp(-0.5 / 3))
    assert abs(few - many) < 0.01


def test_turning_on_the_spot_costs_nothing(make_trace: MakeTrace) -> None:
    reference = [(0.0, 0.0, 0.0), (1.0, 0.0, 0.0)]
    walk = [(0.25 * i, 0.0, 0.0) for i in range(5)]
    turning = [walk[0]] * 30 + walk + [walk[-1]] * 9
    plain = score(make_trace(walk, reference=reference, success_m=3.0))
    turned = score(make_trace(turning, reference=reference, success_m=3.0))
    assert plain["ndtw"] == turned["ndtw"] == 1.0
    assert turned["cls"] == pytest.approx(1.0)


def test_without_a_reference_there_is_no_score(make_trace: MakeTrace) -> None:
    values = score(make_trace())
    assert [values[n] for n in ("ndtw", "sdtw", "cls", "dtw_m")] == [None] * 4


@pytest.mark.parametrize(
    ("success_m", "forward_m", "distance_to", "defined"),
    [
        (3.0, 0.25, "point", True),  # VLN
        (2.0, 0.5, "point", True),  # missions, also on H1 with its long step
        (0.2, 0.25, "point", False),  # PointNav: less than a step
        (0.36, 0.5, "point", False),  # less than a step of this robot
        (0.1, 0.25, "viewpoints", False),  # ObjectNav
        (1.5, 0.25, "viewpoints", False),  # LangNav: any viewpoint of any such object will do
    ],
)
def test_scores_with_a_threshold_need_one_that_says_what_is_near(
    make_trace: MakeTrace, success_m: float, forward_m: float, distance_to: str, defined: bool
) -> None:
    walk = [(0.25 * i, 0.1, 0.0) for i in range(9)]
    trace = make_trace(walk, reference=[(0, 0, 0), (2, 0, 0)], success_m=success_m)
    robot = replace(trace.spec.robot, forward_m=forward_m)
    spec = replace(trace.spec, robot=robot, distance_to=distance_to)
    values = score(replace(trace, spec=spec))
    assert [values[n] is not None for n in ("ndtw", "sdtw", "cls")] == [defined] * 3
    assert values["dtw_m"] == pytest.approx(0.1 * 9)  # a length needs no threshold


@pytest.mark.parametrize("task", ["pointnav-v1", "objectnav-v1", "langnav-v1"])
def test_the_success_distance_of_these_tasks_is_no_threshold(
    make_trace: MakeTrace, task: str
) -> None:
    assert threshold_m(replace(make_trace(), spec=spec_for(task))) is None


@pytest.mark.parametrize("task", ["vln-v1", "mission-v1"])
def test_the_success_distance_of_these_tasks_is_a_threshold(
    make_trace: MakeTrace, task: str
) -> None:
    spec = spec_for(task)
    assert threshold_m(replace(make_trace(), spec=spec)) == spec.success_m


def test_sdtw_is_ndtw_of_successes(make_trace: MakeTrace) -> None:
    reference = [(0.0, 0.0, 0.0), (1.0, 1.0, 0.0)]
    won = score(make_trace(reference=reference, success_m=3.0))
    lost = score(make_trace(reference=reference, success_m=3.0, actions=["forward"]))
    assert won["sdtw"] == won["ndtw"] == lost["ndtw"]
    assert lost["sdtw"] == 0.0
