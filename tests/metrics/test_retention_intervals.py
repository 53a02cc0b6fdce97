"""Intervals of retention cover what they should, and thresholds lie where they must."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from retention_samples import row, rows_of, wins

from navproof.metrics.retention.curves import crossing, falling_fit, threshold
from navproof.metrics.retention.ratio import Ratios, ratios, score_limits, weights
from navproof.metrics.retention.retention import trust_scores
from navproof.metrics.stats.stats import wilson


def simulated(
    rng: np.random.Generator, w: np.ndarray, clean: float, kept: float, seeds: int = 3
) -> Ratios:
    """Episodes of different difficulty: seeds of an episode are alike."""
    n = w.shape[1]
    level = np.where(rng.random((n, seeds)) < 0.7, rng.random((n, 1)), rng.random((n, seeds)))
    first = level < clean
    second = first & (rng.random((n, seeds)) < kept)
    sums = [x.sum(axis=1, dtype=float)[None] for x in (second, first)]
    return ratios(sums[0], sums[1], np.full((1, n), float(seeds)), w)


@pytest.mark.parametrize(
    ("clean", "kept", "episodes"), [(0.8, 0.75, 40), (0.5, 0.4, 40), (0.9, 0.98, 20)]
)
def test_nineteen_of_twenty_intervals_hold_the_truth(
    clean: float, kept: float, episodes: int
) -> None:
    rng, w = np.random.default_rng(1), weights(episodes, 500, 0)
    held = 0
    for _ in range(300):
        found = simulated(rng, w, clean, kept).retained([0], "", "")
        assert found.value is not None
        assert found.low is not None
        assert found.high is not None
        assert found.low <= found.value <= found.high
        held += found.low <= kept <= found.high
    assert held >= 0.89 * 300


def test_a_resample_keeps_the_seeds_of_an_episode_together() -> None:
    """Three copies of the same outcome are no more evidence than one."""
    rng = np.random.default_rng(2)
    outcomes = {c: rng.integers(0, 2, 30).tolist() for c in ("clean", "flare")}
    once = trust_scores(rows_of(outcomes)).conditions[0].retention_sr
    thrice = trust_scores([r for s in range(3) for r in rows_of(outcomes, seed=s)])
    assert thrice.conditions[0].n == 90
    again = thrice.conditions[0].retention_sr
    assert (again.value, again.low, again.high) == pytest.approx((once.value, once.low, once.high))


def test_pairing_makes_an_interval_narrow() -> None:
    """A corruption that fails the same tenth of the won episodes, whichever are drawn."""
    rng = np.random.default_rng(3)
    clean = (rng.random(200) < 0.5).astype(float)
    kept = clean * (rng.random(200) < 0.9)
    pair = trust_scores(rows_of({"clean": clean.tolist(), "flare": kept.tolist()}))
    found = pair.conditions[0].retention_sr
    shuffled = rng.permutation(kept).tolist()
    loose = trust_scores(rows_of({"clean": clean.tolist(), "flare": shuffled}))
    other = loose.conditions[0].retention_sr
    assert found.method == other.method == "bootstrap"
    assert found.high - found.low < 0.7 * (other.high - other.low)  # type: ignore[operator]


def test_episodes_that_all_came_out_alike_do_not_claim_certainty() -> None:
    scores = trust_scores(rows_of({"clean": wins(18), "flare": wins(18), "spatter": wins(0)}))
    flare, spatter = (c.retention_sr for c in scores.conditions[::-1])
    assert (flare.method, flare.value, spatter.value) == ("score", 1.0, 0.0)
    assert flare.low is not None
    assert flare.high is not None
    assert spatter.high is not None
    assert 0.7 < flare.low < 0.95
    assert 1.05 < flare.high < 1.4
    assert spatter.low == 0.0
    assert 0.1 < spatter.high < 0.3  # Wilson: 0 of 20 is below 0.16, of 0.9


@pytest.mark.parametrize(
    ("p_wins", "q_wins", "both"), [(16, 18, 16), (3, 18, 3), (18, 17, 16), (2, 3, 1)]
)
def test_score_limits_are_where_the_difference_touches_zero(
    p_wins: int, q_wins: int, both: int
) -> None:
    """The closed form against the definition: the MOVER limits of p − R·q, solved by bisection."""
    clean = np.array(wins(q_wins))
    corrupted = np.array([1.0] * both + [0.0] * (20 - p_wins) + [1.0] * (p_wins - both))
    p, q = p_wins / 20, q_wins / 20
    (p_low, p_high), (q_low, q_high) = wilson(p_wins, 20), wilson(q_wins, 20)
    cross = both * (20 - p_wins - q_wins + both) - (p_wins - both) * (q_wins - both)
    phi = (max(cross - 10, 0) if cross > 0 else cross) / np.sqrt(
        p_wins * (20 - p_wins) * q_wins * (20 - q_wins)
    )

    def lower(r: float) -> float:
        a, b = p - p_low, r * (q_high - q)
        return p - r * q - np.sqrt(max(0.0, a * a + b * b - 2 * phi * a * b))

    def upper(r: float) -> float:
        a, b = p_high - p, r * (q - q_low)
        return p - r * q + np.sqrt(max(0.0, a * a + b * b - 2 * phi * a * b))

    low, high = score_limits(p / q, corrupted, clean)
    assert low == pytest.approx(bisected(lower, 0.0, p / q), abs=1e-6)
    assert high == pytest.approx(bisected(upper, p / q, 100.0), abs=1e-6)


def test_shares_that_came_out_alike_are_as_certain_as_successes_that_did() -> None:
    """SPL retained: below 1 and above 0, episodes vary less than yes and no with the same mean."""
    shares = np.linspace(0.3, 0.9, 40) * np.array([*[1.0] * 30, *[0.0] * 10])
    low, high = score_limits(1.0, shares, shares)
    wins_low, wins_high = score_limits(1.0, np.ceil(shares), np.ceil(shares))
    assert wins_low - 0.03 < low < 0.95
    assert 1.05 < high < wins_high + 0.03


def bisected(falling: Callable[[float], float], low: float, high: float) -> float:
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if falling(middle) > 0 else (low, middle)
    return low


def test_resamples_without_a_clean_success_are_dropped_and_counted() -> None:
    rows = rows_of({"clean": wins(2, 6), "flare": wins(1, 6)})
    found = trust_scores(rows, resamples=5000).conditions[0].retention_sr
    assert found.value == pytest.approx(0.5)
    assert found.dropped == pytest.approx(5000 * (4 / 6) ** 6, rel=0.15)


def test_one_episode_is_one_observation_whatever_its_seeds() -> None:
    rows = [row(condition, 0, 1, seed=seed) for condition in ("clean", "flare") for seed in (0, 1)]
    found = trust_scores(rows).conditions[0].retention_sr
    low = wilson(1, 1)[0]
    assert (found.value, found.method) == (1.0, "score")
    assert (found.low, found.high) == (pytest.approx(low), pytest.approx(1 / low))


# ------------------------------------------------------------------------------------- curves
def test_the_falling_fit_is_the_isotonic_regression() -> None:
    optimise = pytest.importorskip("scipy.optimize")
    rng = np.random.default_rng(4)
    for _ in range(30):
        n = int(rng.integers(1, 8))
        values, mass = rng.random((3, n)), rng.integers(1, 9, n).astype(float)
        for line, fit in zip(values, falling_fit(values, mass), strict=True):
            expected = optimise.isotonic_regression(line, weights=mass, increasing=False).x
            np.testing.assert_allclose(fit, expected, atol=1e-12)


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([1.0, 0.8, 0.6, 0.4, 0.2], 0.625),  # between 0.5 and 0.75
        ([1.0, 0.5, 0.5, 0.5, 0.5], 0.25),  # touches it at a point
        ([1.0, 0.0, 0.0, 0.0, 0.0], 0.125),  # at once
        ([1.0, 0.4, 0.8, 0.2, 0.2], 0.5 + 0.25 * 0.1 / 0.4),  # the dip is pooled: 0.6, 0.6
        ([1.0, 1.2, 1.0, 0.9, 0.51], np.inf),
    ],
)
def test_where_half_is_lost(values: list[float], expected: float) -> None:
    intensities, mass = np.array([0.0, 0.25, 0.5, 0.75, 1.0]), np.ones(5)
    fit = falling_fit(np.array(values), mass)
    assert float(crossing(intensities, fit)) == pytest.approx(expected)


def test_a_threshold_that_is_never_reached_says_so() -> None:
    x, mass = np.array([0.0, 0.5, 1.0]), np.ones(3)
    drawn = np.array([[1.0, 0.9, 0.8]] * 90 + [[1.0, 0.6, 0.4]] * 10)
    found = threshold(x, np.array([1.0, 0.9, 0.8]), mass, drawn)
    assert (found.value, found.high, found.reason) == (None, None, "never within [0, 1]")
    assert found.low == pytest.approx(0.75)
    undefined = threshold(x, np.array([1.0, np.nan, np.nan]), mass, np.full((4, 3), np.nan))
    assert undefined.value is None
    assert "the clean score is 0" in undefined.reason


def test_a_threshold_of_few_episodes_is_as_uncertain_as_its_points() -> None:
    x, mass = np.array([0.0, 0.5, 1.0]), np.ones(3)
    values = np.array([1.0, 1.0, 0.0])
    drawn = np.array([values] * 50)  # every resample is alike: no doubt, it would seem
    limits = np.array([[1.0, 0.5, 0.0], [1.0, 1.2, 0.6]])
    sure, found = threshold(x, values, mass, drawn), threshold(x, values, mass, drawn, limits)
    assert (sure.value, sure.low, sure.high) == (0.75, 0.75, 0.75)
    assert (found.value, found.low, found.high) == (0.75, 0.5, None)
