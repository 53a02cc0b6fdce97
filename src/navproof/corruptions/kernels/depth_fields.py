"""Smooth random fields over the image: where materials are that a depth sensor cannot see well."""

from __future__ import annotations

import math

import cv2
import numpy as np
from numpy.typing import NDArray

__all__ = ["enlarged", "smooth_field"]

F32 = NDArray[np.float32]
_CELLS = 48
"""Cells along the longer side of the image."""
_PAD = 8


def smooth_field(generator: np.random.Generator, height: int, width: int, scale: float) -> F32:
    """A stationary Gaussian field of mean 0 and variance 1, on a coarse grid over an image.

    ``scale``, in [0.04, 0.08], is the standard deviation of the Gaussian kernel that white noise
    was smoothed with, as a share of the image's longer side; the kernel's energy 1/(4πσ²) gives
    the normalisation. The draws do not depend on the size of the image.
    """
    sigma = scale * _CELLS
    side = _CELLS + 2 * _PAD
    noise = generator.standard_normal((side, side), dtype=np.float32)
    smooth = cv2.GaussianBlur(noise, (0, 0), sigma) * np.float32(2.0 * sigma * math.sqrt(math.pi))
    longer = max(height, width)
    rows = max(1, math.ceil(_CELLS * height / longer))
    columns = max(1, math.ceil(_CELLS * width / longer))
    return np.asarray(smooth[_PAD : _PAD + rows, _PAD : _PAD + columns], dtype=np.float32)


def enlarged(field: F32, height: int, width: int) -> F32:
    """The field at every pixel, (height, width)."""
    pixels = cv2.resize(np.ascontiguousarray(field), (width, height))
    return np.asarray(pixels, dtype=np.float32)
