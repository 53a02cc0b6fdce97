"""Intervals and paired tests against SciPy, closed forms and their own definition."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
import scipy.stats
from hypothesis import given, settings
from hypothesis import strategies as st

from navproof.core.errors import SpecError
from navproof.metrics.stats.stats import (
    mcnemar_p,
    mean_interval,
    newcombe,
    paired_difference,
    sign_flip_p,
    wilson,
)

RNG = np.random.default_rng(7)


def test_bca_agrees_with_scipy() -> None:
    sample = RNG.exponential(size=60)
    ours = mean_interval(sample.tolist(), resamples=20_000)
    theirs = scipy.stats.bootstrap(
        (sample,), np.mean, n_resamples=20_000, method="BCa", rng=np.random.default_rng(1)
    ).confidence_interval
    width = theirs.high - theirs.low
    assert abs(ours.low - theirs.low) < 0.05 * width
    assert abs(ours.high - theirs.high) < 0.05 * width
    assert ours.mean == pytest.approx(sample.mean())
    assert ours.method == "bootstrap"


def test_intervals_cover_the_truth_as_often_as_they_say() -> None:
    hits = 0
    for trial in range(300):
        sample = np.random.default_rng(trial).beta(0.6, 1.4, size=40)
        interval = mean_interval(sample.tolist(), resamples=800)
        hits += interval.low <= 0.3 <= interval.high
    assert 0.90 <= hits / 300 <= 0.985


@pytest.mark.parametrize(("hits", "n"), [(0, 10), (10, 10), (3, 17), (40, 80), (1, 1)])
def test_wilson_agrees_with_scipy(hits: int, n: int) -> None:
    theirs = scipy.stats.binomtest(hits, n).proportion_ci(method="wilson")
    assert wilson(hits, n) == pytest.approx((theirs.low, theirs.high), abs=1e-12)


def test_few_successes_get_wilson_and_many_a_bootstrap() -> None:
    perfect = mean_interval([1.0] * 20)
    assert perfect.method == "wilson"
    assert perfect.high == 1.0
    assert 0.8 < perfect.low < 0.9
    even = mean_interval([0.0, 1.0] * 20)
    assert even.method == "bootstrap"
    assert even.low < 0.5 < even.high


def test_counts_are_not_proportions() -> None:
    none = mean_interval([0.0] * 20, bounded=False)
    assert (none.mean, none.low, none.high, none.n) == (0.0, 0.0, 0.0, 20)


def test_one_value_and_none() -> None:
    assert mean_interval([2.5]).method == "none"
    empty = mean_interval([])
    assert empty.n == 0
    assert math.isnan(empty.mean)


def test_the_same_seed_gives_the_same_interval() -> None:
    values = RNG.normal(size=30).tolist()
    assert mean_interval(values) == mean_interval(values)
    assert mean_interval(values, seed=1) != mean_interval(values, seed=2)


def test_a_senseless_confidence_is_refused() -> None:
    with pytest.raises(SpecError, match="between 0 and 1"):
        mean_interval([1.0, 2.0], confidence=95)


values = st.lists(st.floats(-100, 100, allow_nan=False), min_size=2, max_size=25)


@settings(max_examples=60)
@given(values)
def test_the_mean_lies_in_its_interval(sample: list[float]) -> None:
    wide = mean_interval(sample, resamples=200, bounded=False)
    narrow = mean_interval(sample, resamples=200, confidence=0.5, bounded=False)
    assert wide.low <= wide.mean <= wide.high
    assert wide.low <= narrow.low + 1e-9
    assert narrow.high <= wide.high + 1e-9


@given(st.integers(0, 40), st.integers(0, 40))
def test_mcnemar_is_a_binomial_test(wins: int, losses: int) -> None:
    if wins + losses == 0:
        assert mcnemar_p(0, 0) == 1.0
        return
    theirs = scipy.stats.binomtest(wins, wins + losses, 0.5).pvalue
    assert mcnemar_p(wins, losses) == pytest.approx(theirs, rel=1e-9)


def test_exact_sign_flips_by_brute_force() -> None:
    differences = [0.3, -0.1, 0.7, 0.2, 0.0, 0.4, -0.2]
    observed = abs(sum(differences))
    flips = itertools.product((-1, 1), repeat=len(differences))
    counted = [
        abs(sum(s * d for s, d in zip(signs, differences, strict=True))) >= observed - 1e-12
        for signs in flips
    ]
    p, exact = sign_flip_p(differences)
    assert exact
    assert p == pytest.approx(sum(counted) / len(counted))


def test_sampled_sign_flips_are_near_the_exact_ones() -> None:
    differences = RNG.normal(0.3, 1.0, size=14)
    exact, _ = sign_flip_p(differences)
    padded = np.concatenate([differences, np.full(4, 1e-9)])  # 18 values: beyond enumeration
    sampled, is_exact = sign_flip_p(padded, draws=40_000)
    assert not is_exact
    assert sampled == pytest.approx(exact, abs=0.02)


def test_no_difference_gives_p_one() -> None:
    result = paired_difference([0.5, 0.2, 0.9], [0.5, 0.2, 0.9])
    assert (result.difference, result.p_value, result.wins, result.losses) == (0.0, 1.0, 0, 0)


def test_binary_pairs_use_mcnemar() -> None:
    a, b = [1.0] * 12 + [0.0] * 4, [0.0] * 9 + [1.0] * 3 + [0.0] * 3 + [1.0]
    result = paired_difference(a, b)
    assert result.test == "McNemar exact"
    assert (result.wins, result.losses, result.n) == (9, 1, 16)
    assert result.p_value == pytest.approx(mcnemar_p(9, 1))
    assert result.difference == pytest.approx(0.5)
    assert result.low <= result.difference <= result.high


def test_newcombe_on_his_own_example() -> None:
    # Newcombe 1998, table II: 36 pairs both, 12 and 2 discordant, 0 neither
    assert newcombe(36, 12, 2, 50) == pytest.approx((0.0569, 0.3404), abs=5e-5)


def test_alike_pairs_do_not_make_certainty() -> None:
    all_won = paired_difference([1.0] * 5, [0.0] * 5)
    assert all_won.difference == all_won.high == 1.0
    assert all_won.low < 0.6
    all_tied = paired_difference([1.0] * 5, [1.0] * 5)
    assert all_tied.low < 0 < all_tied.high


def test_newcombe_covers_the_truth() -> None:
    generator = np.random.default_rng(0)
    hits = 0
    for _ in range(2000):
        a, b = generator.random(30) < 0.7, generator.random(30) < 0.4
        both, only_a, only_b = (int(v.sum()) for v in (a & b, a & ~b, b & ~a))
        low, high = newcombe(both, only_a, only_b, 30)
        hits += low <= 0.3 <= high
    assert 0.93 <= hits / 2000 <= 0.98


@settings(max_examples=40)
@given(st.lists(st.tuples(st.floats(0, 5), st.floats(0, 5)), min_size=2, max_size=30))
def test_swapping_the_sides_changes_the_sign_only(pairs: list[tuple[float, float]]) -> None:
    a, b = [x for x, _ in pairs], [y for _, y in pairs]
    forward, backward = paired_difference(a, b), paired_difference(b, a)
    assert forward.difference == pytest.approx(-backward.difference)
    assert forward.p_value == pytest.approx(backward.p_value, abs=1e-9)
    assert (forward.wins, forward.losses) == (backward.losses, backward.wins)
    assert 0 < forward.p_value <= 1


def test_false_alarms_are_as_rare_as_promised() -> None:
    alarms = 0
    for trial in range(200):
        generator = np.random.default_rng(trial)
        a, b = generator.normal(size=(2, 12))
        alarms += paired_difference(a.tolist(), b.tolist(), resamples=50).p_value < 0.05
    assert alarms / 200 <= 0.09


def test_unequal_lengths_are_refused() -> None:
    with pytest.raises(SpecError, match="equal lengths, got 2 and 1"):
        paired_difference([1.0, 2.0], [1.0])
