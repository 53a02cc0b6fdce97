"""The mean of ratios Σ corrupted / Σ clean over paired episodes, and how certain it is.

Episodes are resampled whole (all conditions and seeds of an episode stay together), and the same
resample serves the clean score and every condition; limits are percentiles (Davison and Hinkley
1997, *Bootstrap Methods and their Application*, sections 2.4 and 5.3). Resamples whose clean score
is 0 have no ratio and are dropped.

Where fewer than ``WILSON_BELOW`` episodes differ between clean and corrupted, or have any success
on one side, resampling them claims a certainty that they do not carry (of twenty episodes that all
came out alike every resample gives 1). Then the limits are those of a ratio of paired proportions
put together from Wilson's limits of both (MOVER-R: Donner and Zou 2012, *Closed-form confidence
intervals for functions of the normal mean and standard deviation*, Stat. Methods Med. Res. 21(4)),
with Newcombe's continuity-corrected correlation (for shares such as SPL, Pearson's with the same
correction) and every episode as one observation.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from navproof.metrics.retention.types import Retained
from navproof.metrics.stats.bootstrap import resampled
from navproof.metrics.stats.stats import WILSON_BELOW, wilson

__all__ = ["Ratios", "ratios", "weights"]

Array = NDArray[np.float64]
CONFIDENCE = 0.95
_TAILS = ((1 - CONFIDENCE) / 2, (1 + CONFIDENCE) / 2)


def weights(episodes: int, resamples: int, seed: int) -> Array:
    """(resamples, episodes): how often each episode occurs in each resample."""
    counts = [
        np.bincount(
            (rows + episodes * np.arange(len(rows))[:, None]).ravel(),
            minlength=len(rows) * episodes,
        ).reshape(len(rows), episodes)
        for rows in (resampled(episodes, resamples, seed) if episodes else ())
    ]
    return np.concatenate(counts).astype(np.float64) if counts else np.zeros((resamples, 0))


@dataclass(frozen=True)
class Ratios:
    """``corrupted`` and ``clean``: (K, E) sums per condition and episode, over ``seeds`` (K, E)
    rows each. ``values`` (K,) and ``drawn`` (resamples, K) are NaN where the clean sum is 0."""

    corrupted: Array
    clean: Array
    seeds: Array
    values: Array
    drawn: Array

    def retained(self, columns: list[int], empty: str, undefined: str) -> Retained:
        """The mean of the chosen conditions' ratios; ``empty`` is the reason where there are no
        episodes, ``undefined`` where the clean score is 0."""
        if not columns or not self.seeds[columns].any(axis=1).all():
            return Retained(None, reason=empty)
        value = float(self.values[columns].mean())
        if not math.isfinite(value):
            return Retained(None, reason=undefined)
        means = self.drawn[:, columns].mean(axis=1)
        means = means[np.isfinite(means)]
        dropped = len(self.drawn) - len(means)
        shares = self._shares(columns)
        if _few(shares):
            low, high = score_limits(value, *shares)
            return Retained(value, low, high, method="score", dropped=dropped)
        low, high = (float(x) for x in np.quantile(means, _TAILS))
        return Retained(value, min(low, value), max(high, value), "", "bootstrap", dropped)

    def _shares(self, columns: list[int]) -> Array:
        """(2, E'): corrupted and clean score of each episode that is paired at all."""
        seeds = self.seeds[columns].sum(axis=0)
        sums = np.stack([self.corrupted[columns].sum(axis=0), self.clean[columns].sum(axis=0)])
        return np.asarray(sums[:, seeds > 0] / seeds[seeds > 0])


def ratios(corrupted: Array, clean: Array, seeds: Array, drawn_weights: Array) -> Ratios:
    """All conditions at once."""
    with np.errstate(divide="ignore", invalid="ignore"):
        values = _nan_where_zero(corrupted.sum(axis=1), clean.sum(axis=1))
        resamples = _nan_where_zero(drawn_weights @ corrupted.T, drawn_weights @ clean.T)
    return Ratios(corrupted, clean, seeds, values, resamples)


def _nan_where_zero(above: Array, below: Array) -> Array:
    return np.asarray(np.where(below > 0, above / below, np.nan))


def _few(shares: Array) -> bool:
    corrupted, clean = shares
    counts = ((corrupted != clean).sum(), (corrupted > 0).sum(), (clean > 0).sum())
    return bool(min(counts) < WILSON_BELOW)


def score_limits(value: float, corrupted: Array, clean: Array) -> tuple[float, float]:
    """MOVER-R limits of a ratio of paired means of values in [0, 1] (see above).

    With p the corrupted and q the clean mean and their Wilson limits, the lower limit R is where
    the lower limit of p − R·q, √((p − p_low)² + R²(q_high − q)² − 2ρR(p − p_low)(q_high − q))
    below it, is 0; the upper one likewise.
    """
    n = len(clean)
    q = float(clean.mean())
    p = min(1.0, value * q)
    (p_low, p_high), (q_low, q_high) = wilson(p * n, n, CONFIDENCE), wilson(q * n, n, CONFIDENCE)
    rho = _correlation(corrupted, clean, 1 / (2 * n))
    b = p * q - rho * (p - p_low) * (q_high - q)
    c = p_low * (2 * p - p_low)
    low = c / (b + math.sqrt(max(0.0, b * b - q_high * (2 * q - q_high) * c))) if c > 0 else 0.0
    a = q_low * (2 * q - q_low)
    b = p * q - rho * (p_high - p) * (q - q_low)
    high = (b + math.sqrt(max(0.0, b * b - a * p_high * (2 * p - p_high)))) / a
    return min(low, value), max(high, value)


def _correlation(first: Array, second: Array, correction: float) -> float:
    """Pearson's, brought towards 0 by as much as ``correction`` in the covariance of two yes-or-no
    columns of these means would."""
    of_shares = math.sqrt(float(np.var(first) * np.var(second)))
    if of_shares <= 0:
        return 0.0
    value = float(np.mean((first - first.mean()) * (second - second.mean()))) / of_shares
    if value <= 0:
        return max(-1.0, value)
    p, q = float(first.mean()), float(second.mean())
    return max(0.0, value - correction / math.sqrt(p * (1 - p) * q * (1 - q)))
