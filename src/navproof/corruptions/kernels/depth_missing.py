"""Which pixels of a depth image come back too weak, or in the shadow of the projector."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from navproof.core.jit import jit

__all__ = ["lose_returns"]

F32 = NDArray[np.float32]
ONE, HALF = np.float32(1.0), np.float32(0.5)
LEAST_FACING = 0.1
"""Cosine of incidence below which a surface counts as an edge."""


@jit
def _slope(z: np.float32, before: np.float32, after: np.float32) -> np.float32:
    """Metres per pixel; a neighbour without depth tells nothing."""
    return HALF * ((z if after == 0.0 else after) - (z if before == 0.0 else before))


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
    focal, aspect = np.float32(0.5 * width), np.float32(height) / np.float32(width)
    baseline, farthest = np.float32(shadow_px_m), np.float32(high)
    beside = np.empty(width, np.float32)
    for c in range(width):
        beside[c] = (np.float32(c) + HALF) / focal - ONE
    out = np.empty_like(depth)
    row, limit = np.empty(width + 2, np.float32), np.empty(width, np.float32)
    weak, seen_from = np.empty(width, np.bool_), np.empty(width, np.float32)
    for r in range(height):
        y = (np.float32(r) + HALF) / focal - aspect
        row[0], row[1 : width + 1], row[width + 1] = depth[r, 0], depth[r], depth[r, width - 1]
        for c in range(width):
            limit[c] = needed[r, c] * flicker_gain[flicker[r, c]]
            seen_from[c] = np.float32(c) - baseline / depth[r, c]
        above, below = depth[max(r - 1, 0)], depth[min(r + 1, height - 1)]
        _too_weak(weak, row, above, below, beside, y, focal, np.float32(reference_m**4), limit)
        nearest_edge = np.float32(np.inf)
        # The projector sees pixel c in column ``seen_from``. Going left, a pixel that it would see
        # to the right of one met before is hidden by that one.
        for c in range(width - 1, -1, -1):
            z = depth[r, c]
            if z == 0.0:
                out[r, c] = z
                continue
            shadow = seen_from[c] > nearest_edge
            nearest_edge = min(nearest_edge, seen_from[c])
            if mirror[r, c] > 0.0:
                out[r, c] = farthest if weak[c] else z
            else:
                out[r, c] = np.float32(0.0) if weak[c] or shadow else z
    return out


@jit
def _too_weak(
    weak: NDArray[np.bool_],
    row: F32,
    above: F32,
    below: F32,
    beside: F32,
    y: np.float32,
    focal: np.float32,
    reference: np.float32,
    limit: F32,
) -> None:
    """Whether each pixel's power is below ``limit``; ``row`` has one pixel more on both sides."""
    steepest = np.float32(1.0 / LEAST_FACING**2)
    for c in range(weak.size):
        z, x = row[c + 1], beside[c]
        zu = focal * _slope(z, row[c], row[c + 2])
        zv = focal * _slope(z, above[c], below[c])
        across = z + x * zu + y * zv
        ray = ONE + x * x + y * y
        square = z * z
        grazing = min(ray * (zu * zu + zv * zv + across * across), square * steepest)
        weak[c] = reference / (grazing * ray * ray * square) < limit[c]
