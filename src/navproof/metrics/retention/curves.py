"""Where a falling curve crosses one half."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from navproof.metrics.retention.ratio import CONFIDENCE
from navproof.metrics.retention.types import Threshold

__all__ = ["HALF", "crossing", "falling_fit", "threshold"]

Array = NDArray[np.float64]
HALF = 0.5


def falling_fit(values: Array, mass: Array) -> Array:
    """The non-increasing sequence nearest to ``values`` (..., n) in squares weighted by ``mass``
    (n,): the isotonic regression, as min over a ≤ i of max over b ≥ i of the mean of a…b
    (Robertson, Wright and Dykstra 1988, *Order Restricted Statistical Inference*, theorem 1.4.4).
    """
    n = values.shape[-1]
    zero = np.zeros((*values.shape[:-1], 1))
    sums = np.concatenate([zero, np.cumsum(values * mass, axis=-1)], axis=-1)
    masses = np.concatenate([[0.0], np.cumsum(mass)])
    fit = np.full(values.shape, np.inf)
    for a in range(n):
        means = (sums[..., a + 1 :] - sums[..., a : a + 1]) / (masses[a + 1 :] - masses[a])
        highest = np.maximum.accumulate(means[..., ::-1], axis=-1)[..., ::-1]  # over b ≥ i
        fit[..., a:] = np.minimum(fit[..., a:], highest)
    return fit


def crossing(intensities: Array, fit: Array, level: float = HALF) -> Array:
    """(...): where a non-increasing polyline first comes down to ``level``; inf where never."""
    below = fit <= level
    index = np.where(below.any(axis=-1), below.argmax(axis=-1), 0)
    before = np.maximum(index - 1, 0)
    here = np.take_along_axis(fit, index[..., None], -1)[..., 0]
    there = np.take_along_axis(fit, before[..., None], -1)[..., 0]
    with np.errstate(divide="ignore", invalid="ignore"):
        share = np.where(there > here, (there - level) / (there - here), 1.0)
    intensity = intensities[before] + share * (intensities[index] - intensities[before])
    return np.asarray(np.where(below.any(axis=-1), intensity, np.inf))


def threshold(
    intensities: Array, values: Array, mass: Array, resamples: Array, limits: Array | None = None
) -> Threshold:
    """The intensity at which the fit of retention ``values`` (n,) comes down to one half; its
    interval from the resampled ``resamples`` (resamples, n).

    ``limits`` (2, n) are given where so few episodes differ that resampling them would claim too
    much: the lower and upper limits of the values. The interval then also covers where their fits
    come down to one half.
    """
    if not np.isfinite(values).all():
        return Threshold(None, reason="retention is undefined: the clean score is 0")
    value = float(crossing(intensities, falling_fit(values, mass)))
    last = float(intensities[-1])
    whole = resamples[np.isfinite(resamples).all(axis=-1)]
    crossings = np.sort(crossing(intensities, falling_fit(whole, mass)))
    tail = (1 - CONFIDENCE) / 2
    rank = int(
        tail * (len(crossings) - 1)
    )  # order statistics: infinities have no quantiles between
    ends = [
        value,
        *((float(crossings[rank]), float(crossings[-1 - rank])) if len(crossings) else ()),
    ]
    if limits is not None:
        ends += [float(end) for end in crossing(intensities, falling_fit(limits, mass))]
    reason = "" if np.isfinite(value) else f"never within [0, {last:g}]"
    return Threshold(_finite(value), _finite(min(ends)), _finite(max(ends)), reason)


def _finite(value: float) -> float | None:
    return value if np.isfinite(value) else None
