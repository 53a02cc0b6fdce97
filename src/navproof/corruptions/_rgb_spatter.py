"""Water and mud on the lens: ImageNet-C's spatter, between its rows and at any image size.

The stains are made at the size that the rows were written for, 224 pixels on the short side, and
then enlarged with the image: what lies on a lens is out of focus however fine the sensor is.
"""

from __future__ import annotations

import math
from functools import lru_cache

import cv2
import numpy as np
import numpy.typing as npt

from navproof._jit import jit
from navproof.seeding import keyed

__all__ = ["splashed", "stains"]

Layer = npt.NDArray[np.uint8]
_WATER = np.array([175, 238, 238], np.int64)
_MUD = np.array([63, 42, 20], np.int64)
_SIDE, _LONGEST = 224, 896
_UNIT = float(1 << 22)


@lru_cache(maxsize=8)
def stains(key: int, height: int, width: int, intensity: float) -> tuple[Layer, Layer]:
    """How much light water adds and how much of it mud hides, 0 to 255 by pixel.

    The rows (mean, spread, smoothing, threshold, strength or second smoothing) are severities 1 to
    3 for water (intensity 0.2, 0.4, 0.6) and 4 and 5 for mud (0.8, 1.0). Below 0.2 the water of
    severity 1 fades in; from 0.6 to 0.8 mud spreads over it as its threshold falls. The water of
    severity 3 stays under the mud, which the rows leave out: dirt that vanished as more came would
    do less damage to a dark frame. Mud lies elsewhere than water (the same noise, turned round).
    """
    scale = _SIDE / min(height, width)
    rows = max(1, min(_LONGEST, round(height * scale)))
    columns = max(1, min(_LONGEST, round(width * scale)))
    count = rows * columns
    words = keyed(key).integers(0, 1 << 64, count // 8 + 1, dtype=np.uint64)
    noise = words.astype("<u8").view(np.uint8)[:count].reshape(rows, columns)
    level = 5.0 * intensity
    layers = _water(noise, level), _mud(noise[::-1, ::-1].copy(), level)
    water, mud = (
        np.asarray(cv2.resize(layer, (width, height), interpolation=cv2.INTER_LINEAR_EXACT))
        for layer in layers
    )
    return water.astype(np.uint8, copy=False), mud.astype(np.uint8, copy=False)


def _water(noise: Layer, level: float) -> Layer:
    sigma = float(np.interp(level, (1, 2, 3), (4.0, 3.0, 2.0)))
    threshold = float(np.interp(level, (1, 2), (0.69, 0.68)))
    strength = float(np.interp(level, (0, 1, 2, 3), (0.0, 0.6, 0.6, 0.5)))
    film = _field(noise, sigma, 0.65, 0.3)
    wet = (film >= np.float32(threshold)).astype(np.uint8)
    rim = wet - cv2.erode(wet, np.ones((3, 3), np.uint8))
    depth = np.minimum(cv2.distanceTransform(1 - rim, cv2.DIST_L2, 5), 20.0).astype(np.uint8)
    relief = np.array([[-2, -1, 0], [-1, 1, 1], [0, 1, 2]], np.float32)
    shine = cv2.filter2D(cv2.equalizeHist(cv2.blur(depth, (3, 3))), cv2.CV_8U, relief)
    bright = film * (cv2.blur(shine, (3, 3)) * wet)
    bright *= np.float32(255.0 * strength / max(float(bright.max()), 1.0))
    return np.rint(bright).astype(np.uint8)


def _mud(noise: Layer, level: float) -> Layer:
    if level <= 3.0:
        return np.zeros(noise.shape, np.uint8)
    mean = float(np.interp(level, (4, 5), (0.65, 0.67)))
    spread = float(np.interp(level, (4, 5), (0.3, 0.4)))
    threshold = float(np.interp(level, (3, 3.5, 4), (0.74, 0.67, 0.65)))
    dirty = _field(noise, 1.0, mean, spread) > np.float32(threshold)
    cover = _smoothed(dirty.astype(np.int32), _weights(1.5))
    cover[cover < 0.8 * _UNIT] = 0
    return ((255 * (cover >> 6) + (1 << 15)) >> 16).astype(np.uint8)


def _field(noise: Layer, sigma: float, mean: float, spread: float) -> npt.NDArray[np.float32]:
    """White noise, smoothed: bytes (σ 73.9), which many together are as good as normal."""
    smooth = _smoothed(noise.astype(np.int32) - 128, _weights(sigma)).astype(np.float32)
    smooth *= np.float32(spread / (73.9 * _UNIT))
    smooth += np.float32(mean + spread * 0.5 / 73.9)
    return smooth


def _weights(sigma: float) -> npt.NDArray[np.int32]:
    """A Gaussian cut at four σ, in whole numbers that sum to 2^14."""
    reach = round(4.0 * sigma)
    bell = [math.exp(-0.5 * (k / sigma) ** 2) for k in range(-reach, reach + 1)]
    whole = [round((1 << 14) * weight / sum(bell)) for weight in bell]
    whole[reach] += (1 << 14) - sum(whole)
    return np.array(whole, np.int32)


@jit
def _smoothed(
    layer: npt.NDArray[np.int32], weights: npt.NDArray[np.int32]
) -> npt.NDArray[np.int32]:
    """Values within ±128, smoothed down and across with mirrored borders, times ``_UNIT``."""
    height, width = layer.shape
    reach = weights.size // 2
    out = np.empty((height, width), np.int32)
    line = np.empty(width + 2 * reach, np.int32)
    for y in range(height):
        line[:] = 32
        middle = line[reach : reach + width]
        for k in range(weights.size):
            row = y + k - reach
            row = -1 - row if row < 0 else 2 * height - 1 - row if row >= height else row
            weight, source = weights[k], layer[row]
            for x in range(width):
                middle[x] = np.int32(middle[x] + np.int32(weight * source[x]))
        for x in range(width):
            middle[x] = middle[x] >> 6
        for x in range(reach):
            line[reach - 1 - x] = middle[x]
            line[reach + width + x] = middle[width - 1 - x]
        sums = out[y]
        sums[:] = 0
        for k in range(weights.size):
            weight, source = weights[k], line[k : k + width]
            for x in range(width):
                sums[x] = np.int32(sums[x] + np.int32(weight * source[x]))
    return out


def splashed(image: npt.NDArray[np.uint8], water: Layer, mud: Layer) -> npt.NDArray[np.uint8]:
    """The image with pale light added where there is water, and brown where there is mud."""
    return _splashed(image, water, mud, _WATER, _MUD)


@jit
def _splashed(
    image: npt.NDArray[np.uint8],
    water: Layer,
    mud: Layer,
    water_colour: npt.NDArray[np.int64],
    mud_colour: npt.NDArray[np.int64],
) -> npt.NDArray[np.uint8]:
    out = np.empty_like(image)
    for y in range(image.shape[0]):
        for x in range(image.shape[1]):
            wet, hidden = np.int64(water[y, x]), np.int64(mud[y, x])
            wet, hidden = wet + (wet >> 7), hidden + (hidden >> 7)
            for c in range(3):
                value = np.int64(image[y, x, c])
                value = min(np.int64(255), value + ((wet * water_colour[c] + 128) >> 8))
                out[y, x, c] = value + ((hidden * (mud_colour[c] - value) + 128) >> 8)
    return out
