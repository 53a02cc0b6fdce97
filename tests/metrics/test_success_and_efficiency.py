"""Success, SPL and their kin against hand-computed answers and properties."""

from __future__ import annotations

import math
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from navproof.log.trace import Trace
from navproof.metrics import METRICS, metric, result_row, score
from navproof.metrics.navigation.efficiency import path_ratio

MakeTrace = Callable[..., Trace]
SUCCESS_FAMILY = ("success", "oracle_success", "spl", "soft_spl", "sdtw")


def test_a_straight_walk_scores_one(make_trace: MakeTrace) -> None:
    trace = make_trace(
        [(0, 0, 0), (0.5, 0, 0), (1, 0, 0), (1, 0, 0)],
        reference=[(0, 0, 0), (1, 0, 0)],
        success_m=3.0,
    )
    values = score(trace)
    assert values["success"] == values["spl"] == values["soft_spl"] == 1.0
    assert values["oracle_success"] == values["sdtw"] == 1.0
    assert values["navigation_error_m"] == 0.0
    assert values["path_length_m"] == 1.0
    assert values["steps"] == 3.0
    assert values["collisions"] == 0.0


def test_spl_is_shortest_over_taken(make_trace: MakeTrace) -> None:
    # 3 m east, 4 m north, and the shortest way was the 5 m diagonal
    trace = make_trace([(0, 0, 0), (3, 0, 0), (3, 4, 0), (3, 4, 0)], geodesic_m=5.0)
    assert score(trace)["spl"] == pytest.approx(5 / 7)


@pytest.mark.parametrize(
    ("distance", "expected"), [(0.2, 1.0), (0.2 - 1e-12, 1.0), (0.2 + 1e-12, 0.0), (math.inf, 0.0)]
)
def test_success_at_the_threshold(make_trace: MakeTrace, distance: float, expected: float) -> None:
    assert score(make_trace(distances=[1.0, distance]))["success"] == expected


def test_a_goal_that_cannot_be_reached_has_no_error(make_trace: MakeTrace) -> None:
    assert score(make_trace(distances=[1.0, math.inf]))["navigation_error_m"] is None


def test_reaching_without_stopping_is_oracle_success_only(make_trace: MakeTrace) -> None:
    values = score(make_trace(actions=["forward"]))
    assert values["success"] == values["spl"] == 0.0
    assert values["oracle_success"] == values["soft_spl"] == 1.0


def test_passing_by_is_oracle_success(make_trace: MakeTrace) -> None:
    trace = make_trace([(0, 0, 0), (1, 0, 0), (3, 0, 0)], distances=[1.0, 0.1, 2.0])
    values = score(trace)
    assert (values["oracle_success"], values["success"]) == (1.0, 0.0)
    assert values["soft_spl"] == 0.0  # it ended further away than it began
    assert values["navigation_error_m"] == 2.0


def test_soft_spl_is_progress_times_efficiency(make_trace: MakeTrace) -> None:
    trace = make_trace([(0, 0, 0), (4, 0, 0)], distances=[4.0, 1.0], geodesic_m=4.0)
    assert score(trace)["soft_spl"] == pytest.approx(0.75)


@pytest.mark.parametrize("status", ["agent_error", "agent_timeout", "memory_limit", "worker_died"])
def test_a_failed_episode_scores_no_success(make_trace: MakeTrace, status: str) -> None:
    trace = make_trace(status=status, reference=[(0, 0, 0), (1, 0, 0)], success_m=3.0)
    values = score(trace)
    assert all(values[name] == 0.0 for name in SUCCESS_FAMILY)
    assert values["navigation_error_m"] == 0.0  # what was recorded is still described
    assert result_row(trace)["status"] == status


def test_standing_on_the_goal(make_trace: MakeTrace) -> None:
    trace = make_trace([(0, 0, 0), (0, 0, 0)], distances=[0.0, 0.0], geodesic_m=0.0)
    assert score(trace)["spl"] == score(trace)["soft_spl"] == 1.0


def test_collisions_are_counted_per_action(make_trace: MakeTrace) -> None:
    points = [(0, 0, 0)] * 5
    values = score(make_trace(points, collisions=[True, False, True, False]))
    assert (values["collisions"], values["collision_rate"]) == (2.0, 0.5)


def test_no_action_at_all(make_trace: MakeTrace) -> None:
    values = score(make_trace([(0, 0, 0)], actions=[], distances=[3.0], status="worker_died"))
    assert values["steps"] == values["path_length_m"] == 0.0
    assert values["collision_rate"] is None


lengths = st.floats(0, 1e3, allow_nan=False)


@given(shortest=lengths, taken=lengths, longer=lengths)
def test_efficiency_is_bounded_and_falls_with_length(
    shortest: float, taken: float, longer: float
) -> None:
    ratio = path_ratio(shortest, taken)
    assert 0 <= ratio <= 1
    assert path_ratio(shortest, taken + longer) <= ratio
    if taken <= shortest:
        assert ratio == 1


def test_every_metric_says_what_it_is() -> None:
    for name, found in METRICS.items():
        assert found.name == name
        assert found.definition.endswith(".")
        assert found.better in ("higher", "lower")
        assert found.source


def test_metrics_are_found_by_label_and_typos_get_a_hint() -> None:
    assert metric("SR").name == "success"
    assert metric("SPL").name == "spl"
    with pytest.raises(Exception, match=r"no metric 'sucess'; did you mean 'success'\?"):
        metric("sucess")
