"""Kernels of the value map: how far an image sees in every direction, and painting what it sees."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from navproof.core.jit import jit

__all__ = ["paint", "sight"]

F32 = NDArray[np.float32]
F64 = NDArray[np.float64]


@jit
def sight(
    depth: F32,
    stride: int,
    focal: float,
    rotation: F64,
    forward: F64,
    max_range_m: float,
    reach: F64,
) -> None:
    """How far one sees in each direction of the floor plan: the farthest pixel of each bin.

    ``forward`` (2,) is the camera's bearing. Bin b of ``reach`` holds the directions with
    ``right/ahead·focal + bins/2`` in [b, b + 1): the image column, for a level camera.
    """
    rows, cols = depth.shape
    bins = reach.size
    first = stride // 2
    for v in range(first, rows, stride):
        b = (v + 0.5 - rows / 2.0) / focal
        for u in range(first, cols, stride):
            z = depth[v, u]
            if not (z > 0.0 and z < 1e4):
                continue
            a = (u + 0.5 - cols / 2.0) / focal
            dx = z * (a * rotation[0, 0] + b * rotation[1, 0] + rotation[2, 0])
            dy = z * (a * rotation[0, 1] + b * rotation[1, 1] + rotation[2, 1])
            ahead = dx * forward[0] + dy * forward[1]
            if ahead <= 0.0:
                continue
            right = dx * forward[1] - dy * forward[0]
            k = int(np.floor(focal * right / ahead + bins / 2.0))
            if not 0 <= k < bins:
                continue
            far = min(max_range_m, np.sqrt(dx * dx + dy * dy))
            for near in range(max(0, k - first), min(bins, k + stride - first)):
                reach[near] = max(reach[near], far)


@jit
def paint(
    x: float,
    y: float,
    forward: F64,
    focal: float,
    reach: F64,
    trust: F32,
    max_range_m: float,
    cell_m: float,
    row0: int,
    col0: int,
    new: F32,
    values: F32,
    confidence: F32,
) -> None:
    """Blend ``new`` (k,) into the cells whose middle is in sight (see ``sight``).

    With c the ``trust`` of the direction: v ← (C·v + c·new) / (C + c), C ← (C² + c²) / (C + c).
    """
    rows, cols = confidence.shape
    bins = reach.size
    r0 = max(0, int(np.floor((y - max_range_m) / cell_m)) - row0)
    r1 = min(rows, int(np.floor((y + max_range_m) / cell_m)) - row0 + 1)
    c0 = max(0, int(np.floor((x - max_range_m) / cell_m)) - col0)
    c1 = min(cols, int(np.floor((x + max_range_m) / cell_m)) - col0 + 1)
    for r in range(r0, r1):
        dy = (row0 + r + 0.5) * cell_m - y
        for c in range(c0, c1):
            dx = (col0 + c + 0.5) * cell_m - x
            ahead = dx * forward[0] + dy * forward[1]
            if ahead <= 0.0:
                continue
            k = int(np.floor(focal * (dx * forward[1] - dy * forward[0]) / ahead + bins / 2.0))
            if not 0 <= k < bins or dx * dx + dy * dy > reach[k] * reach[k]:
                continue
            sure, old = trust[k], confidence[r, c]
            if sure <= 0.0:
                continue
            for q in range(new.size):
                values[q, r, c] = (old * values[q, r, c] + sure * new[q]) / (old + sure)
            confidence[r, c] = (old * old + sure * sure) / (old + sure)
