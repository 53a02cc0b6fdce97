"""Uncertainty where observations come in groups that belong together.

The goals of an episode share a scene, a map and a budget, so they are not independent: resampling
them one by one would claim too much certainty. Here whole groups (episodes) are resampled, and the
statistic is the mean over all values in them, Σ values / Σ counts (Davison and Hinkley 1997,
*Bootstrap Methods and their Application*, section 3.8; limits are BCa as in
``metrics.stats.stats``).
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from navproof.core.errors import SpecError
from navproof.metrics.stats.bootstrap import bca_limits, resampled
from navproof.metrics.stats.stats import (
    WILSON_BELOW,
    Interval,
    PairedResult,
    newcombe,
    sign_flip_p,
    wilson,
)

__all__ = ["cluster_interval", "clustered_difference"]

Groups = Sequence[Sequence[float]]


def cluster_interval(
    groups: Groups,
    *,
    confidence: float = 0.95,
    resamples: int = 2000,
    seed: int = 0,
    bounded: bool = True,
) -> Interval:
    """Mean of all values with its interval over groups; ``n`` counts values. Empty groups are
    left out.

    A proportion (``bounded`` zeros and ones) with fewer than ``WILSON_BELOW`` cases on one side
    gets Wilson's interval with every group counted as *one* observation: with so few cases nothing
    tells how much the values of a group depend on each other, so the worst is assumed.
    """
    clusters = [list(group) for group in groups if group]
    values = [value for group in clusters for value in group]
    n = len(values)
    if not n:
        return Interval(math.nan, math.nan, math.nan, 0, "none")
    mean = math.fsum(values) / n
    if bounded and set(values) <= {0.0, 1.0}:
        hits = sum(values)
        if min(hits, n - hits) < WILSON_BELOW:
            return Interval(
                mean, *wilson(mean * len(clusters), len(clusters), confidence), n, "wilson"
            )
    if len(clusters) == 1:
        return Interval(mean, mean, mean, n, "none")
    sums = np.array([math.fsum(group) for group in clusters])
    counts = np.array([float(len(group)) for group in clusters])
    pulls = sums - mean * counts  # of a ratio of means, to first order
    if not pulls.any():
        return Interval(mean, mean, mean, n)
    means = np.concatenate(
        [
            sums[rows].sum(axis=1) / counts[rows].sum(axis=1)
            for rows in resampled(len(clusters), resamples, seed)
        ]
    )
    return Interval(mean, *bca_limits(mean, means, pulls, confidence), n)


def clustered_difference(
    a: Groups, b: Groups, *, confidence: float = 0.95, seed: int = 0
) -> PairedResult:
    """Compare two samples of the same values in the same groups, a[i][j] with b[i][j].

    The test flips the signs of whole groups (what the values of a group have in common cannot
    count as many proofs); the interval is that of ``cluster_interval``, or Newcombe's where fewer
    than ``WILSON_BELOW`` zeros and ones differ. Wins, losses and ``n`` count values.
    """
    if [len(group) for group in a] != [len(group) for group in b]:
        raise SpecError("a paired comparison needs the same groups of the same sizes on both sides")
    pairs = [list(zip(left, right, strict=True)) for left, right in zip(a, b, strict=True)]
    groups = [[x - y for x, y in group] for group in pairs]
    values = [d for group in groups for d in group]
    n = len(values)
    if not n:
        return PairedResult(math.nan, math.nan, math.nan, math.nan, 0, "none")
    wins, losses = sum(d > 0 for d in values), sum(d < 0 for d in values)
    p, exact = sign_flip_p([math.fsum(group) for group in groups], seed=seed)
    test = f"sign-flip permutation of episodes, {'exact' if exact else '9999 draws'}"
    binary = all(value in (0.0, 1.0) for group in pairs for pair in group for value in pair)
    if binary and wins + losses < WILSON_BELOW:
        both = sum(x == y == 1.0 for group in pairs for x, y in group)
        low, high = newcombe(both, wins, losses, n, confidence)
        return PairedResult(math.fsum(values) / n, low, high, p, n, test, wins, losses)
    i = cluster_interval(groups, confidence=confidence, seed=seed, bounded=False)
    return PairedResult(i.mean, i.low, i.high, p, n, test, wins, losses)
