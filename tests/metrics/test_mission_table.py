"""The paper's tables from traces: groups, means over those that count, intervals."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

import pytest

from mission_traces import behind, follow, mission_trace, person, point, thing
from navproof.core.errors import SpecError
from navproof.core.types import Event, Walk
from navproof.log.trace import Trace
from navproof.metrics import METRICS, mean_interval
from navproof.metrics.missions.failures import MODES
from navproof.metrics.missions.pauses import BEHAVIOURS
from navproof.metrics.missions.table import (
    COLUMNS,
    KINDS,
    LAYOUTS,
    RELEASED,
    mission_result,
    mission_results,
    mission_table,
    style_of,
)

HER = person("p1", 13)


def reaching(won: bool, **how: object) -> Trace:
    end = (8.0, 0.0) if won else (4.0, 0.0)
    return mission_trace(  # type: ignore[arg-type]
        [(0, 0), (2, 0), end], point(2, 0), thing(8, 0), done={0: 0}, **how
    )


def pausing(rests: int, gap_m: float) -> Trace:
    """She rests for two seconds at each of so many places; the robot at this distance."""
    spots, path, x = [], [(2.0, 0.0, 0.0)], 2.0
    for _ in range(rests):
        spots += [(x, 0.0, True), (x + 1, 0.0, False), (x + 1, 0.0, False)]
        x += 1
        path.append((x, 0.0, 2.0))
    spots += [(x, 0.0, True), (x + 1, 0.0, False)]
    her = Walk("p1", "red coat", (*path, (x + 1, 0.0, 0.0))), spots
    return mission_trace(behind(gap_m, her), follow(end=(x + 1, 0)), people=[her])


def test_agent_by_robot() -> None:
    traces = [
        reaching(True, name="carter", episode_id="1"),
        reaching(False, name="carter", episode_id="2"),
        reaching(False, name="h1", episode_id="1"),
        reaching(True, name="carter", agent="other", episode_id="1"),
        reaching(True, episode_id="3"),  # the robot of the task
    ]
    rows = mission_table(mission_results(traces), LAYOUTS["robot"])
    assert [dict(row.group) for row in rows] == [
        {"agent": "agent", "robot": "carter"},
        {"agent": "agent", "robot": "h1"},
        {"agent": "other", "robot": "carter"},
    ]
    assert [row.episodes for row in rows] == [3, 1, 1]
    first = rows[0]
    assert tuple(first.scores) == COLUMNS
    assert tuple(first.released) == RELEASED
    assert first.scores["success"] == mean_interval([1.0, 0.0, 1.0])
    assert first.scores["success"].method == "wilson"
    assert first.scores["csr"].mean == 0.5
    assert first.failure_rate == pytest.approx(1 / 3)


def test_undefined_metrics_say_over_how_many_they_are() -> None:
    following = mission_trace(behind(2.0, HER), follow(), people=[HER])
    (row,) = mission_table(mission_results([reaching(True), reaching(True), following]))
    assert (row.episodes, row.scores["success"].n, row.scores["hfr"].n) == (3, 3, 1)
    assert row.scores["hfr"].mean == 1.0
    assert row.scores["eqa_acc"].n == 0
    assert math.isnan(row.scores["eqa_acc"].mean)


def test_ways_to_fail_and_success_sum_to_one() -> None:
    traces = [
        reaching(True),
        reaching(False),
        reaching(False, stops=False),
        reaching(True, stops=False),
        reaching(True, status="agent_error"),
    ]
    (row,) = mission_table(mission_results(traces), LAYOUTS["failures"])
    assert tuple(row.failures) == tuple(MODES)
    shares = {mode: i.mean for mode, i in row.failures.items() if i.mean}
    assert shares == dict.fromkeys(("stuck", "premature stop", "out of time", "agent failure"), 0.2)
    assert sum(shares.values()) + row.scores["success"].mean == pytest.approx(1.0)


def test_pauses_are_counted_by_window_and_resampled_by_episode() -> None:
    """Five windows: four right and one from too near."""
    traces = [pausing(3, 2.0), pausing(1, 2.0), pausing(1, 0.8), reaching(True)]
    (row,) = mission_table(mission_results(traces), LAYOUTS["pauses"])
    assert (row.episodes, row.windows) == (4, 5)
    assert tuple(row.pauses) == tuple(BEHAVIOURS)
    assert row.pauses["correct wait"].mean == pytest.approx(4 / 5)
    assert row.pauses["intrusion"].mean == pytest.approx(1 / 5)
    assert row.pauses["intrusion"].n == 5
    assert row.pauses["abandon"].mean == row.pauses["overshoot"].mean == 0.0
    # few cases: as uncertain as a share of three episodes
    assert row.pauses["intrusion"].high > mean_interval([1.0, 0.0, 0.0, 0.0, 0.0]).high


def test_kinds_of_sub_tasks_are_counted_one_by_one() -> None:
    """The point was done in all three, the object in none; 4 m from the object is a quarter."""
    (row,) = mission_table(mission_results([reaching(False) for _ in range(3)]))
    assert tuple(row.done) == KINDS
    assert (row.done["goto_point"].mean, row.done["goto_point"].n) == (1.0, 3)
    assert (row.done["goto_object"].mean, row.progress["goto_object"].mean) == (0.0, 0.25)
    assert row.done["follow_human"].n == 0


def test_a_style_is_no_part_of_the_condition_that_tables_group_by() -> None:
    trace = reaching(True)
    key = replace(trace.key, condition="concise+depth_gaussian@0.4")
    result = mission_result(replace(trace, key=key))
    assert result is not None
    assert result.group["condition"] == "depth_gaussian@0.4"


def test_styles() -> None:
    words = {"original": "Go to the chair.", "concise": "Chair."}
    assert style_of(reaching(True)) == "original"
    assert style_of(reaching(True, text="Chair.", wordings=words)) == "concise"
    assert style_of(reaching(True, text="Go to the chair.", wordings=words)) == "original"
    heard = reaching(True, wordings=words, events=[Event(0, "heard", {"text": "Chair."})])
    assert style_of(heard) == "concise"
    tagged = reaching(True, text="Chair.", wordings=words, tags={"style": "verbose"})
    assert style_of(tagged) == "verbose"
    rows = mission_table(mission_results([tagged, reaching(True)]), LAYOUTS["style"])
    assert [row.group["style"] for row in rows] == ["verbose", "original"]


def test_homes_and_commercial_spaces() -> None:
    traces = [
        reaching(True),
        reaching(False, scene="office/val/1"),
        reaching(True, scene="cafe/x/0"),
    ]
    rows = mission_table(mission_results(traces), LAYOUTS["scenes"])
    assert {row.group["scenes"]: row.failure_rate for row in rows} == {
        "home": 0.0,
        "commercial": 0.5,
    }


def test_other_tasks_are_left_out(make_trace: Callable[..., Trace]) -> None:
    assert mission_result(make_trace()) is None
    assert mission_table(mission_results([make_trace()])) == []


def test_unknown_groups_are_named() -> None:
    with pytest.raises(SpecError, match="not by 'colour'"):
        mission_table([], ("agent", "colour"))


def test_intervals_are_the_same_every_time() -> None:
    results = mission_results([reaching(i % 3 > 0, episode_id=str(i)) for i in range(12)])
    assert mission_table(results) == mission_table(results)
    assert {METRICS[name].bounded for name in (*COLUMNS, *RELEASED)} == {True}
