"""Which pixels of a depth image come back too weak, or in the shadow of the projector."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from navproof._jit import jit

__all__ = ["lose_returns"]

F32 = NDArray[np.float32]
ONE, HALF = np.float32(1.0), np.float32(0.5)
LEAST_FACING = 0.1
"""Cosine of incidence below which a surface counts as an edge."""


@jit
def _slope(z: np.float32, before: np.float32, after: np.float32) -> np.float32:
    """Metres per pixel; a neighbour without depth tells nothing."""
    if before == 0.0:
        before = z
    if after == 0.0:
        after = z
    return HALF * (after - before)


@jit
def lose_returns(
    depth: F32,
    needed: F32,
    mirror: F32,
    flicker: NDArray[np.uint8],
    flicker_gain: F32,
    shadow_px_m: float,
    reference_m: float,
    high: float,
) -> F32:
    """The image with weak returns lost; see ``depth.missing`` for the model.

    A return is weak where its power ``(cos θ · (reference_m / r)²)²`` falls below ``needed`` ×
    ``flicker_gain[flicker]``. ``mirror`` > 0 where a lost return reads as ``high``;
    ``shadow_px_m`` is focal length × baseline. With ray² = x² + y² + 1, cos θ = z / (|n| · ray)
    for the normal n = (−f·z_u, −f·z_v, z + f·(x·z_u + y·z_v)), and r = z · ray.
    """
    height, width = depth.shape
    focal = np.float32(0.5 * width)
    reference = np.float32(reference_m**4)
    baseline = np.float32(shadow_px_m)
    steepest = np.float32(1.0 / LEAST_FACING**2)
    farthest = np.float32(high)
    out = np.empty_like(depth)
    for r in range(height):
        y = (np.float32(r) + HALF) / focal - np.float32(height) / np.float32(width)
        nearest_edge = np.float32(np.inf)
        above, below = max(r - 1, 0), min(r + 1, height - 1)
        for c in range(width - 1, -1, -1):
            z = depth[r, c]
            if z == 0.0:
                out[r, c] = z
                continue
            seen_from = np.float32(c) - baseline / z
            shadow = seen_from > nearest_edge
            nearest_edge = min(nearest_edge, seen_from)

            zu = focal * _slope(z, depth[r, max(c - 1, 0)], depth[r, min(c + 1, width - 1)])
            zv = focal * _slope(z, depth[above, c], depth[below, c])
            x = (np.float32(c) + HALF) / focal - ONE
            across = z + x * zu + y * zv
            ray = ONE + x * x + y * y
            square = z * z
            grazing = min(ray * (zu * zu + zv * zv + across * across), square * steepest)
            power = reference / (grazing * ray * ray * square)
            weak = power < needed[r, c] * flicker_gain[flicker[r, c]]
            if mirror[r, c] > 0.0:
                out[r, c] = farthest if weak else z
            else:
                out[r, c] = np.float32(0.0) if weak or shadow else z
    return out
