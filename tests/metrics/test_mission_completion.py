"""SR, full-SR, CSR, SGC, OSR and SPL of missions, and what the released code makes of them."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

import pytest

from mission_traces import follow, home, landmark, mission_trace, person, point, room, thing
from navproof.core.errors import RunError
from navproof.log.trace import Trace
from navproof.metrics import METRICS, built_in, goal_results, metric, result_row, score, summarise

MakeTrace = Callable[..., Trace]
EPS = 1e-6


def value(trace: Trace, name: str) -> float | None:
    return METRICS[name](trace)


# ---------------------------------------------------------------------- a mission by hand
def half_done() -> Trace:
    """To a point (done), then to a thing; stops 1.5 m short of it: 4 m + 4.5 m walked."""
    spots = [(0, 0), (4, 0), (4, 4.5), (4, 4.5)]
    return mission_trace(spots, point(4, 0), thing(4, 6), done={0: 0}, geodesic_m=6.8)


def test_every_number_of_one_mission() -> None:
    values = score(half_done())
    assert values["success"] == 1.0  # 1.5 m ≤ 2.0 m of the final goal
    assert values["full_sr"] == 0.0  # but the thing wants 1.0 m
    assert values["csr"] == 0.5
    assert values["csr_released"] == 0.0
    assert values["sgc"] == pytest.approx((1 + 1.0 / 1.5) / 2)
    assert values["oracle_success"] == 1.0
    assert values["spl"] == pytest.approx(6.8 / 8.5)
    straight = math.hypot(4, 6)
    assert values["spl_released"] == pytest.approx(straight / 8.5)
    assert values["navigation_error_m"] == pytest.approx(1.5)
    for name in ("hfs", "hfr", "sii", "eqa_acc", "pause_wait", "goal_sr", "soft_spl"):
        assert values[name] is None, name
    assert metric("CSR").name == "csr"
    assert metric("SR").name == "success"


def test_all_of_a_mission() -> None:
    trace = mission_trace([(0, 0), (4, 0), (4, 5)], point(4, 0), thing(4, 6), done={0: 0, 1: 1})
    assert [value(trace, n) for n in ("success", "full_sr", "csr", "csr_released", "sgc")] == [
        1
    ] * 5


def test_all_sub_tasks_without_a_stop_are_no_success() -> None:
    trace = mission_trace(
        [(0, 0), (4, 0), (4, 5)], point(4, 0), thing(4, 6), done={0: 0, 1: 1}, stops=False
    )
    assert (value(trace, "csr"), value(trace, "csr_released")) == (1.0, 1.0)
    assert (value(trace, "success"), value(trace, "full_sr"), value(trace, "spl")) == (0, 0, 0)
    assert value(trace, "oracle_success") == 1.0


@pytest.mark.parametrize(("away", "won"), [(2.0, 1.0), (2.0 - EPS, 1.0), (2.0 + EPS, 0.0)])
def test_the_final_goal_is_two_metres_wide(away: float, won: float) -> None:
    stopping = mission_trace([(0, 0), (8 - away, 0)], point(2, 0), thing(8, 0))
    assert (value(stopping, "success"), value(stopping, "oracle_success")) == (won, won)
    assert value(stopping, "sr_released") == won
    passing = mission_trace([(0, 0), (8 - away, 0), (0, 0)], point(2, 0), thing(8, 0))
    assert (value(passing, "success"), value(passing, "oracle_success")) == (0.0, won)
    assert value(passing, "osr_released") == won


def test_the_way_round_a_wall_counts_and_the_released_code_looks_through_it() -> None:
    trace = mission_trace(
        [(0, 0), (8, 1.5)], point(2, 0), thing(8, 0), distances={1: [20.0, 12.0]}, geodesic_m=20.0
    )
    assert (value(trace, "success"), value(trace, "oracle_success")) == (0.0, 0.0)
    assert (value(trace, "sr_released"), value(trace, "osr_released")) == (1.0, 1.0)
    assert value(trace, "spl_released") == pytest.approx(8 / math.hypot(8, 1.5))


def test_the_goal_in_force_is_not_the_final_goal() -> None:
    """Stopping at the first goal is no success, whatever ``distances_m`` says of it."""
    trace = mission_trace([(0, 0), (2, 0)], point(2, 0), thing(8, 0), done={0: 0})
    trace = replace(trace, distances_m=(2.0, 0.0))
    assert value(trace, "success") == 0.0
    assert value(trace, "navigation_error_m") == 6.0


def test_the_nearest_moment_of_the_whole_episode_is_the_progress() -> None:
    """Past the second goal at 4 m before the first was reached; r = 3.0, 1.0, 0.36."""
    spots = [(0, 0), (0, 4), (6, 0), (6, 2)]
    trace = mission_trace(spots, landmark(12, 0), thing(0, 8), point(6, 4), stops=False)
    assert value(trace, "csr") == 0.0
    expected = 3.0 / 6.0, 1.0 / 4.0, 0.36 / 2.0
    assert value(trace, "sgc") == pytest.approx(sum(expected) / 3)


@pytest.mark.parametrize(
    ("nearest", "progress"), [(1.0, 1.0), (0.0, 1.0), (1.0 + EPS, 1 / (1 + EPS)), (math.inf, 0.0)]
)
def test_progress_at_the_threshold(nearest: float, progress: float) -> None:
    trace = mission_trace([(0, 0), (0, 0)], thing(5, 0), distances={0: [math.inf, nearest]})
    assert value(trace, "sgc") == pytest.approx(progress, abs=1e-12)


def test_a_room_is_entered_or_not() -> None:
    spots = [(0, 0), (4, 0)]
    outside = mission_trace(spots, room(4.1, 0), point(9, 0))
    assert value(outside, "sgc") == pytest.approx((0 + 0.36 / 5) / 2)
    inside = mission_trace(spots, room(4.1, 0), point(9, 0), done={0: 0})
    assert value(inside, "sgc") == pytest.approx((1 + 0.36 / 5) / 2)


@pytest.mark.parametrize(("inside", "entered"), [((0, 1), 1), ((1, 1), 0), ((1, 0), 0)])
def test_a_room_may_be_entered_out_of_turn(inside: tuple[float, float], entered: int) -> None:
    trace = mission_trace([(0, 0), (4, 0)], point(9, 0), room(4.1, 0))
    channels = {**trace.channels, "subtask.1.inside": inside}
    known = replace(trace, channels=channels)
    assert value(known, "sgc") == pytest.approx((entered + 0.36 / 5) / 2)


# ---------------------------------------------------------------------------------- coming back
def test_stopping_at_once_is_no_return() -> None:
    trace = mission_trace([(0, 0), (0, 0)], point(5, 0), home())
    assert (value(trace, "success"), value(trace, "oracle_success")) == (0.0, 0.0)
    assert value(trace, "sgc") == pytest.approx((0.36 / 5 + 0) / 2)
    assert (value(trace, "sr_released"), value(trace, "osr_released")) == (1.0, 0.0)
    assert value(trace, "spl_released") == 0.0  # no line from the start to the start


@pytest.mark.parametrize(("far", "left"), [(2.0, False), (2.0 + EPS, True), (2.0 - EPS, False)])
def test_returning_needs_more_than_two_metres_away(far: float, left: bool) -> None:
    trace = mission_trace([(0, 0), (far, 0), (1, 0), (1, 0)], point(5, 0), home())
    assert value(trace, "success") == value(trace, "oracle_success") == float(left)
    nearest = 5.0 - far
    assert value(trace, "sgc") == pytest.approx((0.36 / nearest + float(left)) / 2)


def test_progress_of_a_return_is_after_leaving() -> None:
    trace = mission_trace([(0, 0), (8, 0), (5, 0)], point(8, 0), home(), done={0: 0})
    assert value(trace, "sgc") == pytest.approx((1 + 2.0 / 5.0) / 2)


def test_a_start_at_the_final_goal_counts_but_for_the_released_code() -> None:
    trace = mission_trace([(0, 0), (1, 0)], point(5, 0), thing(0, 0), stops=False)
    assert (value(trace, "oracle_success"), value(trace, "osr_released")) == (1.0, 0.0)


def test_the_final_goal_of_following_is_where_she_stops() -> None:
    """Right behind her when she is half-way is not at the goal."""
    her = person("p1", 11)
    trailing = [(x - 1.5, 0.0) for x, _, _ in her[1]]
    early = mission_trace(trailing[:6], follow(), people=[(her[0], her[1][:6])])
    assert (value(early, "success"), value(early, "oracle_success")) == (0.0, 0.0)
    whole = mission_trace(trailing, follow(end=None), people=[her])
    assert (value(whole, "success"), value(whole, "navigation_error_m")) == (1.0, 1.5)


# ----------------------------------------------------------------------------- odds and ends
def test_a_broken_agent_keeps_its_sub_tasks_and_has_no_success() -> None:
    trace = replace(half_done(), status="agent_error", reason="step 3: boom")
    assert value(trace, "csr") == 0.5
    for name in ("success", "full_sr", "oracle_success", "spl", "sr_released", "osr_released"):
        assert value(trace, name) == 0.0, name


def test_a_mission_that_never_started() -> None:
    trace = mission_trace(
        [(0, 0)],
        point(4, 0),
        follow(),
        status="worker_died",
        recorded=False,
        people=[person("p1", 1), person("p2", 1)],
    )
    values = score(trace)
    for name in ("success", "full_sr", "csr", "sgc", "oracle_success", "spl", "hfs", "hfr"):
        assert values[name] == 0.0, name
    assert values["sii"] is None
    assert values["navigation_error_m"] is None
    assert result_row(trace)["status"] == "worker_died"


def test_an_immediate_stop() -> None:
    values = score(mission_trace([(0, 0), (0, 0)], point(4, 0), thing(8, 0)))
    assert values["success"] == values["csr"] == values["spl"] == 0.0
    assert values["sgc"] == pytest.approx((0.36 / 4 + 1 / 8) / 2)


def test_missing_and_broken_channels_are_named() -> None:
    trace = mission_trace([(0, 0), (1, 0)], point(4, 0), thing(8, 0), recorded=False)
    with pytest.raises(RunError, match=r"'agent' in episode m0 has no channel 'subtask\.1\.dist"):
        value(trace, "success")
    short = mission_trace([(0, 0), (1, 0)], point(4, 0), channels={"subtask.0.distance_m": [1.0]})
    with pytest.raises(RunError, match=r"has 1 values in channel 'subtask\.0\.distance_m' for 2"):
        value(short, "sgc")
    wrong = mission_trace(
        [(0, 0), (1, 0)], point(4, 0), channels={"subtask.0.distance_m": [1.0, math.nan]}
    )
    with pytest.raises(RunError, match="not a number"):
        value(wrong, "sgc")


def test_rows_of_other_tasks_do_without_the_columns_of_missions(make_trace: MakeTrace) -> None:
    other, mission = result_row(make_trace()), result_row(half_done())
    theirs = {name for name, m in built_in().items() if not m.applies(make_trace())}
    assert {"full_sr", "hfr", "sii", "drift", "pause_wait"} < theirs
    assert not theirs & set(other)
    assert theirs - {"delay_s"} <= set(mission)  # in this one the world waited
    assert all(value(make_trace(), name) is None for name in theirs)
    assert list(other) == [name for name in mission if name not in theirs]
    assert not theirs & set(summarise([other])[0].intervals)
    assert summarise([mission])[0].intervals["csr"].n == 1


def test_sub_tasks_are_not_goals_in_sequence() -> None:
    trace = half_done()
    goals = tuple(task.goal for task in trace.episode.subtasks)
    several = replace(trace, episode=replace(trace.episode, goals=goals))
    assert goal_results(several) == ()
    assert score(several) == score(trace)
