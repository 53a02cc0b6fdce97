"""Lengths of walks and how they compare with the shortest: what every SPL is made of."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

from navproof.core.types import Pose

__all__ = ["path_ratio", "walked_m"]


def walked_m(poses: Sequence[Pose]) -> float:
    """Sum of the distances between consecutive poses, metres."""
    return math.fsum(math.dist(a.point, b.point) for a, b in pairwise(poses))


def path_ratio(shortest_m: float, taken_m: float) -> float:
    """l / max(p, l), in [0, 1]; 1 where the start is the goal and nobody moved."""
    longest = max(taken_m, shortest_m)
    return shortest_m / longest if longest > 0 else 1.0
