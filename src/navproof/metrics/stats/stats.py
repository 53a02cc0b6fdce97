"""Uncertainty of a mean, and of the difference between two paired samples.

Intervals are bootstrap intervals over episodes, bias-corrected and accelerated (BCa; Efron 1987,
*Better bootstrap confidence intervals*, JASA 82(397)), because SPL, path lengths and errors are
skewed. A proportion with few cases on one side (fewer than ``WILSON_BELOW`` successes or failures)
gets the Wilson score interval instead (Wilson 1927; recommended by Brown, Cai and DasGupta 2001):
resampling twenty successes out of twenty can only ever give [1, 1], which claims a certainty that
twenty episodes do not carry.

Everything is deterministic: resampling draws from a stream of ``seed``.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from navproof.core.errors import SpecError
from navproof.core.seeding import rng
from navproof.metrics.stats.bootstrap import CHUNK, NORMAL, bca_limits, resampled

__all__ = [
    "EXACT_UP_TO",
    "WILSON_BELOW",
    "Interval",
    "PairedResult",
    "mcnemar_p",
    "mean_interval",
    "newcombe",
    "paired_difference",
    "sign_flip_p",
    "wilson",
]

WILSON_BELOW = 5
"""Successes or failures below which a proportion gets Wilson's interval."""
EXACT_UP_TO = 16
"""Non-zero differences up to which every sign pattern is enumerated (2^16 of them)."""

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Interval:
    """A mean with its confidence interval over ``n`` episodes (all NaN where n = 0)."""

    mean: float
    low: float
    high: float
    n: int
    method: Literal["bootstrap", "wilson", "none"] = "bootstrap"


@dataclass(frozen=True, slots=True)
class PairedResult:
    """Mean of a − b over ``n`` pairs, its interval, and the p-value of "there is no difference".

    ``wins``/``losses`` count the pairs with a > b and a < b; the rest are ties.
    """

    difference: float
    low: float
    high: float
    p_value: float
    n: int
    test: str
    wins: int = 0
    losses: int = 0


def mean_interval(
    values: Sequence[float],
    *,
    confidence: float = 0.95,
    resamples: int = 2000,
    seed: int = 0,
    bounded: bool = True,
) -> Interval:
    """Mean and confidence interval of a sample (see the top of this module for the method).

    ``bounded``: the values lie in [0, 1] by definition, so that a sample of zeros and ones is a
    proportion. Counts and lengths are not bounded, whatever values came up.
    One value, or none, has no interval: low = high = mean, method "none".
    """
    _check_confidence(confidence)
    x = np.asarray(values, dtype=np.float64)
    n = len(x)
    if n == 0:
        return Interval(math.nan, math.nan, math.nan, 0, "none")
    mean = math.fsum(x) / n
    if bounded and _binary(x):
        hits = int(x.sum())
        if min(hits, n - hits) < WILSON_BELOW:
            return Interval(mean, *wilson(hits, n, confidence), n, "wilson")
    if n == 1:
        return Interval(mean, mean, mean, 1, "none")
    return Interval(mean, *_bca(x, mean, confidence, resamples, seed), n)


def wilson(hits: float, n: int, confidence: float = 0.95) -> tuple[float, float]:
    """Wilson score interval of ``hits`` out of ``n`` (a weighted count need not be whole):

    (p̂ + z²/2n ± z √(p̂(1−p̂)/n + z²/4n²)) / (1 + z²/n), with z the normal quantile.
    """
    z = NORMAL.inv_cdf(0.5 + confidence / 2)
    p = hits / n
    centre = p + z * z / (2 * n)
    half = z * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    scale = 1 + z * z / n
    low = 0.0 if hits == 0 else (centre - half) / scale
    high = 1.0 if hits == n else (centre + half) / scale
    return low, high


def paired_difference(
    a: Sequence[float],
    b: Sequence[float],
    *,
    binary: bool | None = None,
    confidence: float = 0.95,
    resamples: int = 2000,
    seed: int = 0,
) -> PairedResult:
    """Compare two samples of the same episodes, a[i] with b[i].

    Binary samples (None: those that hold zeros and ones only) get McNemar's exact test and
    Newcombe's interval. Others get a sign-flip permutation test of the mean difference, exact
    (every pattern) up to ``EXACT_UP_TO`` non-zero differences and with 9,999 random patterns
    beyond that, and a BCa bootstrap interval over pairs.
    """
    _check_confidence(confidence)
    if len(a) != len(b):
        raise SpecError(f"a paired comparison needs equal lengths, got {len(a)} and {len(b)}")
    x, y = np.asarray(a, dtype=np.float64), np.asarray(b, dtype=np.float64)
    n = len(x)
    if n == 0:
        return PairedResult(math.nan, math.nan, math.nan, math.nan, 0, "none")
    if binary is None:
        binary = _binary(x) and _binary(y)
    d = x - y
    mean = math.fsum(d) / n
    wins, losses = int((d > 0).sum()), int((d < 0).sum())
    if binary:
        low, high = newcombe(int((x * y).sum()), wins, losses, n, confidence)
        p, test = mcnemar_p(wins, losses), "McNemar exact"
    else:
        low, high = _bca(d, mean, confidence, resamples, seed) if n > 1 else (mean, mean)
        p, exact = sign_flip_p(d, seed=seed)
        test = f"sign-flip permutation, {'exact' if exact else '9999 draws'}"
    return PairedResult(mean, low, high, p, n, test, wins, losses)


def newcombe(
    both: int, only_a: int, only_b: int, n: int, confidence: float = 0.95
) -> tuple[float, float]:
    """Score interval of a difference of paired proportions p_a − p_b.

    Newcombe 1998, *Improved confidence intervals for the difference between binomial proportions
    based on paired data*, Statistics in Medicine 17, method 10: Wilson's limits of p_a and p_b,
    put together with the correlation φ of the pairs (continuity-corrected). Unlike a bootstrap it
    does not shrink to a point when every pair came out alike.
    """
    neither = n - both - only_a - only_b
    hits_a, hits_b = both + only_a, both + only_b
    p_a, p_b = hits_a / n, hits_b / n
    (low_a, high_a), (low_b, high_b) = wilson(hits_a, n, confidence), wilson(hits_b, n, confidence)
    product = hits_a * (n - hits_a) * hits_b * (n - hits_b)
    phi = 0.0
    if product:
        cross = both * neither - only_a * only_b
        phi = (max(cross - n / 2, 0.0) if cross > 0 else cross) / math.sqrt(product)
    down, up_b = p_a - low_a, high_b - p_b
    up, down_b = high_a - p_a, p_b - low_b
    below = math.sqrt(max(0.0, down**2 - 2 * phi * down * up_b + up_b**2))
    above = math.sqrt(max(0.0, up**2 - 2 * phi * up * down_b + down_b**2))
    return p_a - p_b - below, p_a - p_b + above


def mcnemar_p(wins: int, losses: int) -> float:
    """Two-sided exact p-value: the smaller count against Binomial(wins + losses, ½), doubled."""
    n, k = wins + losses, min(wins, losses)
    tail = sum(math.comb(n, i) for i in range(k + 1))
    return float(min(1.0, 2 * tail / (1 << n)))


def sign_flip_p(
    differences: Sequence[float] | Array, *, draws: int = 9999, seed: int = 0
) -> tuple[float, bool]:
    """(p, exact): how often flipping the sign of each difference at random gives a mean at least
    as far from 0. Random patterns count the observed one too: (1 + hits) / (1 + draws), after
    Phipson and Smyth 2010, *Permutation p-values should never be zero*."""
    d = np.asarray(differences, dtype=np.float64)
    d = d[d != 0]
    n = len(d)
    if n == 0:
        return 1.0, True
    observed = abs(math.fsum(d))
    slack = 1e-9 * float(np.abs(d).sum())  # sums that are equal but for rounding count as equal
    if n <= EXACT_UP_TO:
        patterns = (np.arange(1 << n)[:, None] >> np.arange(n)) & 1
        sums = np.abs((1 - 2 * patterns) @ d)
        return float(np.mean(sums >= observed - slack)), True
    generator = rng(seed, "statistics", "sign-flip")
    hits, left = 0, draws
    while left:
        rows = min(left, max(1, CHUNK // n))
        signs = 1 - 2 * generator.integers(0, 2, size=(rows, n), dtype=np.int8)
        hits += int((np.abs(signs @ d) >= observed - slack).sum())
        left -= rows
    return (1 + hits) / (1 + draws), False


# ---------------------------------------------------------------------------------------- inside
def _bca(
    x: Array, mean: float, confidence: float, resamples: int, seed: int
) -> tuple[float, float]:
    """BCa limits of the mean; the constant itself where all values are equal."""
    if float(x.min()) == float(x.max()):
        return mean, mean
    means = np.concatenate([x[rows].mean(axis=1) for rows in resampled(len(x), resamples, seed)])
    return bca_limits(mean, means, x - mean, confidence)


def _binary(x: Array) -> bool:
    return bool(np.all((x == 0) | (x == 1)))


def _check_confidence(confidence: float) -> None:
    if not 0 < confidence < 1:
        raise SpecError(f"a confidence level lies between 0 and 1, got {confidence}")
