"""What the depth corruptions ask of their arguments."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from navproof.core.errors import SpecError
from navproof.core.jit import jit

__all__ = ["Depth", "check_depth"]

Depth = NDArray[np.float32]
_EXPECTED = "depth must be a float32 array (h, w) or (h, w, 1) in metres with 0 for holes"


@jit
def _survey(depth: Depth) -> tuple[bool, bool, np.float32]:
    """(something is NaN or infinite, something is negative, the farthest)."""
    strange = False
    negative = False
    farthest = np.float32(0.0)
    for r in range(depth.shape[0]):
        for c in range(depth.shape[1]):
            z = depth[r, c]
            strange |= not np.isfinite(z)
            negative |= z < 0.0
            farthest = max(farthest, z)
    return strange, negative, farthest


def check_depth(depth: Any, max_range_m: Any) -> tuple[Depth, float]:
    """The image as (h, w), contiguous, with the farthest that may be answered, or a ``SpecError``.

    The farthest is the largest float32 that does not exceed ``max_range_m``.
    """
    try:
        reach = float(max_range_m)
    except (TypeError, ValueError):
        reach = math.nan
    if not (reach > 0.0 and math.isfinite(reach)):
        raise SpecError(f"max_range_m must be a number greater than 0, got {max_range_m!r}")
    if not isinstance(depth, np.ndarray):
        raise SpecError(f"{_EXPECTED}, got {type(depth).__name__}")
    flat = depth.ndim == 2 or (depth.ndim == 3 and depth.shape[2] == 1)
    if depth.dtype != np.float32 or not flat or depth.size == 0:
        shape = " x ".join(map(str, depth.shape)) or "a single number"
        raise SpecError(f"{_EXPECTED}, got {depth.dtype} {shape}{_remedy(depth)}")
    image: Depth = np.ascontiguousarray(depth.reshape(depth.shape[:2]))
    strange, negative, farthest = _survey(image)
    if strange or negative:
        what = "NaN or infinite" if strange else "negative"
        raise SpecError(
            f"{_EXPECTED}, but some of it is {what}: write 0 where nothing was measured"
        )
    if farthest > np.float32(reach):
        raise SpecError(
            f"depth reaches {farthest:.6g} m, beyond max_range_m = {reach:g}:"
            " give the sensor's real range, or make what is out of range a hole (0)"
        )
    high = np.float32(reach)
    if float(high) > reach:
        high = np.nextafter(high, np.float32(0.0))
    return image, float(high)


def _remedy(depth: NDArray[Any]) -> str:
    if depth.dtype == np.float64:
        return ": convert with astype(np.float32)"
    if np.issubdtype(depth.dtype, np.integer):
        return ": divide by the units in a metre (1000 for millimetres) and convert to float32"
    return ""
