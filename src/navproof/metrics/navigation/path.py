"""Did it go the way it was told? DTW, nDTW, SDTW and CLS against the reference path.

The numeric cores take a matrix of distances ``d[i, j]`` between point i of the reference R and
point j of the path taken Q, in any metric (geodesic on a graph, Euclidean, …), and the threshold
d_th, which is the task's success distance where that says how far off the path is still on it:

    DTW(R, Q)  = min over warpings W of  Σ_{(i, j) ∈ W} d(r_i, q_j)
    nDTW(R, Q) = exp(−DTW(R, Q) / (|R| · d_th))                      Ilharco et al. 2019
    SDTW(R, Q) = success · nDTW(R, Q)                                Ilharco et al. 2019

    PC(Q, R)  = 1/|R| · Σ_{r ∈ R} exp(−d(r, Q) / d_th),   d(r, Q) = min_{q ∈ Q} d(r, q)
    EPL(Q, R) = PC(Q, R) · PL(R)
    LS(Q, R)  = EPL / (EPL + |EPL − PL(Q)|)
    CLS(Q, R) = PC(Q, R) · LS(Q, R)                                  Jain et al. 2019

From a trace, d is the Euclidean distance (a trace has no map), as is usual in continuous
environments. Both paths are first refined to points at most ``SPACING_M`` apart, and points where
the robot stood still or only turned count once; without that, a reference given by its corners
alone would be compared with hundreds of steps, and the score would depend on who drew it.

They are undefined for tasks with several goals: where the way to a goal begins depends on the
agent, so no reference path leads through them all. Those with a threshold are also undefined where
the success distance is no such threshold (``threshold_m``): below a step of the robot or the
spacing of the points, exp(−d / d_th) is 0 for a path beside the reference as for one in another
room; and from any viewpoint of any object that will do, no path is the one to follow. DTW itself
needs no threshold.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from navproof.core.types import Point
from navproof.log.moments import unfolded
from navproof.log.trace import Trace
from navproof.metrics.goals.goals import has_goals
from navproof.metrics.navigation.success import success
from navproof.metrics.registry import register_metric

__all__ = [
    "SPACING_M",
    "cls",
    "cls_from_distances",
    "distance_matrix",
    "dtw",
    "dtw_m",
    "ndtw",
    "ndtw_from_distances",
    "path_length",
    "refine",
    "sdtw",
    "threshold_m",
]

_ILHARCO = (
    "Ilharco (Magalhaes) et al. 2019, General Evaluation for Instruction Conditioned Navigation "
    "using Dynamic Time Warping, arXiv:1907.05446"
)

SPACING_M = 0.25
Distances = NDArray[np.float64]


# --------------------------------------------------------------------------------- numeric cores
def dtw(distances: Distances) -> float:
    """DTW cost of an (n, m) matrix of distances, both n and m at least 1.

    Filled by anti-diagonals, each at once: cell (i, k − i) needs diagonals k − 1 and k − 2 only.
    """
    n, m = distances.shape
    if not n or not m:
        raise ValueError("dynamic time warping needs at least one point on each side")
    flat = np.ravel(distances)  # cell (i, k − i) is at k + i · (m − 1)
    stride = max(1, m - 1)
    before = np.full(n + 2, np.inf)  # diagonal k − 2, at index i + 1
    last = np.full(n + 2, np.inf)  # diagonal k − 1
    now = np.full(n + 2, np.inf)
    before[0] = 0.0  # the corner before the first cell
    for k in range(n + m - 1):
        low, high = max(0, k - m + 1), min(n, k + 1)  # rows of this diagonal
        start = k + low * (m - 1)
        costs = flat[start : start + (high - low - 1) * stride + 1 : stride]
        best = np.minimum(last[low:high], last[low + 1 : high + 1])
        np.minimum(best, before[low:high], out=best)
        np.add(costs, best, out=now[low + 1 : high + 1])
        now[low] = now[high + 1] = np.inf  # what later diagonals read of the buffer beside them
        before, last, now = last, now, before
    return float(last[n])


def ndtw_from_distances(distances: Distances, threshold: float) -> float:
    """nDTW of an (|R|, |Q|) matrix of distances."""
    return math.exp(-dtw(distances) / (distances.shape[0] * threshold))


def cls_from_distances(
    distances: Distances, reference_length: float, taken_length: float, threshold: float
) -> float:
    """CLS of an (|R|, |Q|) matrix of distances and the two path lengths."""
    coverage = float(np.mean(np.exp(-distances.min(axis=1) / threshold)))
    expected = coverage * reference_length
    denominator = expected + abs(expected - taken_length)
    return coverage * (expected / denominator if denominator > 0 else 1.0)


def distance_matrix(reference: Sequence[Point], path: Sequence[Point]) -> Distances:
    """Euclidean distances, shape (len(reference), len(taken))."""
    r = np.asarray(reference, dtype=np.float64).reshape(-1, 3)
    q = np.asarray(path, dtype=np.float64).reshape(-1, 3)
    difference = r[:, None, :] - q[None, :, :]
    result: Distances = np.sqrt(np.sum(difference * difference, axis=2))
    return result


def path_length(points: Sequence[Point]) -> float:
    """Length of a polyline."""
    return math.fsum(math.dist(a, b) for a, b in pairwise(points))


def refine(points: Sequence[Point], spacing_m: float = SPACING_M) -> list[Point]:
    """The same polyline without repeated points and with no gap above ``spacing_m``.

    Every corner stays; a longer segment is cut into equal parts.
    """
    out: list[Point] = list(points[:1])
    for point in points[1:]:
        a = out[-1]
        gap = math.dist(a, point)
        if gap == 0:
            continue
        pieces = max(1, math.ceil(gap / spacing_m - 1e-9))
        for part in range(1, pieces):
            t = part / pieces
            out.append(tuple(u + (v - u) * t for u, v in zip(a, point, strict=True)))  # type: ignore[arg-type]
        out.append(point)
    return out


# ----------------------------------------------------------------------------------- of a trace
def _paths(trace: Trace) -> tuple[list[Point], list[Point]] | None:
    """Refined (reference, taken), or None without a reference path from start to end."""
    if not trace.episode.reference_path or has_goals(trace):
        return None
    taken = [pose.point for pose in unfolded(trace).poses]
    return refine(trace.episode.reference_path), refine(taken)


def threshold_m(trace: Trace) -> float | None:
    """d_th, metres; None where the success distance does not say what is near the path."""
    spec = trace.spec
    if spec.distance_to != "point" or spec.success_m < max(SPACING_M, spec.robot.forward_m):
        return None
    return spec.success_m


@register_metric(
    "ndtw",
    label="nDTW",
    definition=(
        "exp(−DTW / (|R| · success distance)) between the reference path R and the path taken; "
        "of tasks whose success distance is at least a step."
    ),
    source=_ILHARCO,
    family="path",
    bounded=True,
)
def ndtw(trace: Trace) -> float | None:
    """nDTW in (0, 1]; 1 where the reference was followed exactly."""
    paths, threshold = _paths(trace), threshold_m(trace)
    if paths is None or threshold is None:
        return None
    return ndtw_from_distances(distance_matrix(*paths), threshold)


@register_metric(
    "sdtw",
    label="SDTW",
    definition="Success × nDTW.",
    source=_ILHARCO,
    family="path",
    bounded=True,
)
def sdtw(trace: Trace) -> float | None:
    """nDTW of a success, 0 of a failure."""
    value = ndtw(trace)
    return None if value is None else success(trace) * value


@register_metric(
    "cls",
    label="CLS",
    definition="Path coverage × length score against the reference path.",
    source="Jain et al. 2019, Stay on the Path, ACL, arXiv:1905.12255",
    family="path",
    bounded=True,
)
def cls(trace: Trace) -> float | None:
    """Coverage weighted by length score, in [0, 1]."""
    paths, threshold = _paths(trace), threshold_m(trace)
    if paths is None or threshold is None:
        return None
    lengths = path_length(paths[0]), path_length(paths[1])
    return cls_from_distances(distance_matrix(*paths), *lengths, threshold)


@register_metric(
    "dtw_m",
    label="DTW",
    unit="m",
    better="lower",
    definition=(
        "Least total distance of a monotone matching of the reference path and the path taken."
    ),
    source=(
        "Sakoe and Chiba 1978, Dynamic programming algorithm optimization for spoken word "
        "recognition, IEEE TASSP 26(1)"
    ),
    family="path",
)
def dtw_m(trace: Trace) -> float | None:
    """DTW cost between the reference path and the path taken, metres."""
    paths = _paths(trace)
    return None if paths is None else dtw(distance_matrix(*paths))
