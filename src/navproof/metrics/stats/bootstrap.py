"""The mechanics of a bootstrap: which samples are drawn, and the BCa limits of what they gave."""

from __future__ import annotations

from collections.abc import Iterator
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from navproof.core.seeding import rng

__all__ = ["CHUNK", "NORMAL", "bca_limits", "resampled"]

CHUNK = 2_000_000  # resampled values held in memory at once
NORMAL = NormalDist()

Array = NDArray[np.float64]


def resampled(n: int, resamples: int, seed: int) -> Iterator[NDArray[np.int64]]:
    """``resamples`` rows of n indices below n, drawn with replacement, some rows at a time."""
    generator = rng(seed, "statistics", "bootstrap")
    rows = max(1, CHUNK // n)
    for done in range(0, resamples, rows):
        yield generator.integers(0, n, size=(min(rows, resamples - done), n))


def bca_limits(
    estimate: float, resamples: Array, influence: Array, confidence: float
) -> tuple[float, float]:
    """Bias-corrected and accelerated limits (Efron 1987).

    ``resamples`` are the resampled estimates. ``influence`` says, up to a common factor, by how
    much each observation pulls the estimate up: m̄ − m_i with m_i the jackknife's.
    """
    below = (np.sum(resamples < estimate) + 0.5 * np.sum(resamples == estimate)) / len(resamples)
    share = min(max(float(below), 0.5 / len(resamples)), 1 - 0.5 / len(resamples))
    bias = NORMAL.inv_cdf(share)
    pull = influence / float(np.abs(influence).max())  # the scale cancels; no underflow this way
    # the jackknife acceleration Σ(m̄ − m_i)³ / 6(Σ(m̄ − m_i)²)^1.5
    acceleration = float(np.sum(pull**3)) / (6 * float(np.sum(pull**2)) ** 1.5)
    limits = []
    for tail in ((1 - confidence) / 2, (1 + confidence) / 2):
        z = bias + NORMAL.inv_cdf(tail)
        limits.append(NORMAL.cdf(bias + z / max(1 - acceleration * z, 1e-9)))
    low, high = np.quantile(resamples, limits)
    return min(float(low), estimate), max(float(high), estimate)
