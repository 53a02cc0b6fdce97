"""How a robot behaved, as a vector: what BehAVExplor compares runs by.

Cheng et al., BehAVExplor, ISSTA 2023, describe a drive by features in windows of time. Here a run
is cut into ten windows of equal length, and each is told by five numbers in [0, 1]: how fast the
robot went, how much it turned, how curved its way was, how often it ran into something, and how
much of where it went was new.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from navproof.core.types import Pose
from navproof.log.trace import Trace
from navproof.metrics.navigation.success import success

__all__ = ["FEATURES", "WINDOWS", "behaviour", "novelties", "violation"]

WINDOWS = 10
FEATURES = ("speed", "turning", "curvature", "collisions", "coverage")
_CELL_M = 1.0
Vector = NDArray[np.float64]


def behaviour(trace: Trace) -> Vector:
    """(50,) the five features of each tenth of a run; a tenth without steps is all 0."""
    robot = trace.spec.robot
    full_m, full_rad = robot.forward_m, math.radians(robot.turn_deg)
    return _behaviour(trace.poses, trace.collisions, full_m, full_rad)


@lru_cache(maxsize=1024)
def _behaviour(
    poses: tuple[Pose, ...], collisions: tuple[bool, ...], full_m: float, full_rad: float
) -> Vector:
    """``full_m`` and ``full_rad`` are what one step makes at most."""
    steps = len(collisions)
    bounds = [round(k * steps / WINDOWS) for k in range(WINDOWS + 1)]
    entered: set[tuple[int, int]] = set()
    features: list[float] = []
    for begin, end in pairwise(bounds):
        way, count = poses[begin : end + 1], end - begin
        if not count:
            features += [0.0] * len(FEATURES)
            continue
        length = _length_m(way)
        features += [
            min(length / (count * full_m), 1.0),
            min(_turned_rad(way) / (count * full_rad), 1.0),
            1.0 - math.dist(way[0].point, way[-1].point) / length if length else 0.0,
            sum(collisions[begin:end]) / count,
            _newly_entered(way, entered) / count,
        ]
    vector = np.asarray(features)
    vector.flags.writeable = False
    return vector


def novelties(vectors: Sequence[Vector]) -> list[float]:
    """How far each behaviour is from the nearest one before it (root mean square of the
    differences, in [0, 1]); 1 for the first."""
    scores = [1.0] if vectors else []
    for k in range(1, len(vectors)):
        earlier = np.stack(vectors[:k])
        scores.append(float(np.sqrt(np.mean((earlier - vectors[k]) ** 2, axis=1)).min()))
    return scores


def violation(trace: Trace) -> float:
    """How near a run was to failing: 1 if it failed, else the share of its way that it could have
    saved, 1 − shortest/walked."""
    if not success(trace):
        return 1.0
    shortest = trace.episode.geodesic_m
    return 1.0 - shortest / max(_length_m(trace.poses), shortest, 1e-9)


def _length_m(poses: Sequence[Pose]) -> float:
    return math.fsum(math.dist(a.point, b.point) for a, b in pairwise(poses))


def _turned_rad(poses: Sequence[Pose]) -> float:
    return math.fsum(abs(math.remainder(b.yaw - a.yaw, math.tau)) for a, b in pairwise(poses))


def _newly_entered(poses: Sequence[Pose], entered: set[tuple[int, int]]) -> int:
    """Cells of a metre entered for the first time, which are noted."""
    before = len(entered)
    for pose in poses[1:]:
        entered.add((math.floor(pose.x / _CELL_M), math.floor(pose.y / _CELL_M)))
    return len(entered) - before
