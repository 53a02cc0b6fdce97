"""Intervals over groups: known special cases, and coverage where values of a group depend."""

from __future__ import annotations

import math

import numpy as np
import pytest

from navproof.core.errors import SpecError
from navproof.metrics import mean_interval
from navproof.metrics.stats.clusters import cluster_interval, clustered_difference
from navproof.metrics.stats.stats import newcombe, wilson


def test_groups_of_one_are_the_plain_interval() -> None:
    values = np.random.default_rng(3).uniform(size=40)
    plain = mean_interval(values)
    grouped = cluster_interval([[v] for v in values])
    assert (grouped.mean, grouped.low, grouped.high) == pytest.approx(
        (plain.mean, plain.low, plain.high)
    )


def test_equal_groups_are_the_interval_of_their_means() -> None:
    groups = np.random.default_rng(4).uniform(size=(30, 3))
    plain = mean_interval(groups.mean(axis=1))
    grouped = cluster_interval(groups.tolist())
    assert (grouped.mean, grouped.low, grouped.high) == pytest.approx(
        (plain.mean, plain.low, plain.high)
    )
    assert (plain.n, grouped.n) == (30, 90)


def test_saying_everything_three_times_adds_no_certainty() -> None:
    values = [float(k % 3 == 0) for k in range(60)]
    once = cluster_interval([[v] for v in values])
    thrice = cluster_interval([[v] * 3 for v in values])
    assert (thrice.low, thrice.high) == pytest.approx((once.low, once.high))
    naive = mean_interval([v for v in values for _ in range(3)])
    assert naive.high - naive.low < 0.7 * (thrice.high - thrice.low)


def test_unequal_groups_weigh_by_their_size() -> None:
    interval = cluster_interval([[1.0, 1.0, 1.0], [0.0], [], [0.5]], bounded=False)
    assert interval.mean == pytest.approx(3.5 / 5)
    assert interval.n == 5


def test_the_interval_covers_the_truth_where_goals_depend() -> None:
    """Episodes of three goals that share luck: each episode has its own chance, mean 0.4."""
    generator = np.random.default_rng(11)
    covered = naive = 0
    for _ in range(120):
        chances = generator.beta(0.8, 1.2, size=40)
        groups = [(generator.random(3) < p).astype(float).tolist() for p in chances]
        i = cluster_interval(groups, resamples=400)
        j = mean_interval([v for g in groups for v in g], resamples=400)
        covered += i.low <= 0.4 <= i.high
        naive += j.low <= 0.4 <= j.high
    assert covered >= 108  # 95 % of 120 is 114, three standard deviations below is 107
    assert naive < covered


def test_few_cases_get_wilson_with_a_group_as_one_observation() -> None:
    none = cluster_interval([[0.0, 0.0, 0.0]] * 20)
    assert (none.low, none.high) == wilson(0, 20)
    assert (none.method, none.n) == ("wilson", 60)
    some = cluster_interval([[1.0, 0.0]] * 3 + [[0.0, 0.0]] * 17)
    assert (some.low, some.high) == pytest.approx(wilson(1.5, 20))


def test_degenerate_samples() -> None:
    empty = cluster_interval([[], []])
    assert empty.n == 0
    assert math.isnan(empty.mean)
    single = cluster_interval([[0.2, 0.4]])
    assert (single.mean, single.low, single.high) == pytest.approx((0.3, 0.3, 0.3))
    same = cluster_interval([[0.5, 0.5], [0.5]])
    assert (same.low, same.high) == (0.5, 0.5)


def test_paired_groups_flip_together() -> None:
    """Eight episodes, all three goals better in each: eight proofs, not twenty-four."""
    a, b = [[1.0] * 3] * 8, [[0.0] * 3] * 8
    result = clustered_difference(a, b)
    assert result.p_value == pytest.approx(2 / 2**8)
    assert (result.difference, result.wins, result.losses, result.n) == (1.0, 24, 0, 24)


def test_few_differences_do_not_give_an_interval_of_no_width() -> None:
    a, b = [[1.0, 0.0]] * 10, [[1.0, 0.0]] * 10
    result = clustered_difference(a, b)
    assert (result.low, result.high) == newcombe(10, 0, 0, 20)
    assert result.low < 0 < result.high
    assert result.p_value == 1.0


def test_pairs_must_fit() -> None:
    with pytest.raises(SpecError, match="same groups"):
        clustered_difference([[1.0]], [[1.0, 0.0]])
    assert clustered_difference([[], []], [[], []]).n == 0
