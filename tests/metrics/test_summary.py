"""Grouping, pairing and the pure-function promise."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from navproof.log.trace import Trace
from navproof.metrics import METRICS, pair_rows, paired, played, result_rows, score, summarise

MakeTrace = Callable[..., Trace]


def test_groups_keep_their_order_and_count_failures(make_trace: MakeTrace) -> None:
    rows = result_rows(
        [
            make_trace(agent="b", episode_id="1"),
            make_trace(agent="a", episode_id="1"),
            make_trace(agent="b", episode_id="2", status="agent_error"),
        ]
    )
    first, second = summarise(rows, by=("agent",))
    assert (first.group, first.n, first.failed) == ({"agent": "b"}, 2, {"agent_error": 1})
    assert (second.group, second.n, second.failed) == ({"agent": "a"}, 1, {})
    assert first.intervals["success"].mean == 0.5  # the failed episode counts as a failure


def test_what_was_not_played_is_in_no_mean(make_trace: MakeTrace) -> None:
    rows = result_rows(
        [make_trace(episode_id="1"), make_trace(episode_id="2", status="infrastructure")]
    )
    assert {rows[1][name] for name in METRICS.built_in() if name in rows[1]} == {None}
    (summary,) = summarise(rows)
    assert (summary.n, summary.failed) == (1, {})
    assert summary.intervals["success"].mean == 1.0
    assert played(rows) == rows[:1]
    assert summarise(rows[1:]) == []


def test_undefined_values_are_left_out_of_the_mean(make_trace: MakeTrace) -> None:
    with_path = make_trace(reference=[(0, 0, 0), (1, 0, 0)], success_m=3.0, episode_id="1")
    rows = result_rows([with_path, make_trace(episode_id="2")])
    intervals = summarise(rows)[0].intervals
    assert intervals["ndtw"].n == 1
    assert intervals["success"].n == 2
    assert summarise(rows[1:])[0].intervals["ndtw"].n == 0


def test_pairs_share_task_episode_condition_and_seed(make_trace: MakeTrace) -> None:
    a = result_rows([make_trace(agent="a", episode_id=str(i)) for i in range(3)])
    b = result_rows(
        [make_trace(agent="b", episode_id=str(i), actions=["forward"]) for i in (2, 1, 7)]
    )
    pairs = pair_rows(a, b)
    assert [(x["episode_id"], y["episode_id"]) for x, y in pairs] == [("1", "1"), ("2", "2")]
    result = paired(pairs, "success")
    assert (result.difference, result.n, result.wins) == (1.0, 2, 2)
    other_task = result_rows([make_trace(agent="b", episode_id="1", task="vln-v1")])
    assert pair_rows(a, other_task) == []


@pytest.mark.parametrize("name", list(METRICS))
def test_metrics_are_pure(make_trace: MakeTrace, name: str) -> None:
    trace = make_trace(
        [(0, 0, 0), (1, 0, 0), (1, 1, 0)], reference=[(0, 0, 0), (1, 1, 0)], distances=[2, 1, 0]
    )
    assert METRICS[name](trace) == METRICS[name](trace) == score(trace)[name]
