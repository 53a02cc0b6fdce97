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

from navproof.core.jit import jit, jit_inline
from navproof.core.seeding import keyed

__all__ = ["splashed", "stains"]

Layer = npt.NDArray[np.uint8]
I32 = np.int32
_WATER, _MUD = np.array([175, 238, 238], np.uint16), np.array([63, 42, 20], np.int64)
_SIDE, _LONGEST = 224, 896
_UNIT = float(1 << 22)
_SQUARE = np.ones((3, 3), np.uint8)
_RELIEF = np.array([[-2, -1, 0], [-1, 1, 1], [0, 1, 2]], np.float32)


@lru_cache(maxsize=8)
def stains(key: int, height: int, width: int, intensity: float) -> tuple[Layer, Layer | None]:
    """The light that water adds, by pixel and channel, and how much of it mud hides, 0 to 255 by
    pixel, if there is mud.

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
    noise = words.astype("<u8", copy=False).view(np.uint8)[:count].reshape(rows, columns)
    level = 5.0 * intensity
    water = _enlarged(_water(noise, level), height, width)
    light = np.asarray(cv2.merge(list(_tinted(water, _WATER))), np.uint8)
    if level <= 3.0:
        return light, None
    return light, _enlarged(_mud(noise[::-1, ::-1].copy(), level), height, width)


def _enlarged(layer: Layer, height: int, width: int) -> Layer:
    size = (width, height)
    return np.asarray(cv2.resize(layer, size, interpolation=cv2.INTER_LINEAR_EXACT), np.uint8)


def _water(noise: Layer, level: float) -> Layer:
    sigma = float(np.interp(level, (1, 2, 3), (4.0, 3.0, 2.0)))
    threshold = float(np.interp(level, (1, 2), (0.69, 0.68)))
    strength = float(np.interp(level, (0, 1, 2, 3), (0.0, 0.6, 0.6, 0.5)))
    film = _field(noise, sigma, 0.65, 0.3)
    wet = (film >= np.float32(threshold)).view(np.uint8)
    # The rims of wet places stand for ImageNet-C's edges: light gathers at the rim of a drop.
    dry = np.asarray(cv2.erode(wet, _SQUARE), np.uint8)
    dry += np.uint8(1) - wet
    inwards = np.asarray(cv2.distanceTransform(dry, cv2.DIST_L2, 5), np.float32)
    relief = cv2.equalizeHist(cv2.blur(_capped(inwards), (3, 3)))
    shine = cv2.blur(cv2.filter2D(relief, cv2.CV_8U, _RELIEF), (3, 3))
    return _shining(film, np.asarray(shine, np.uint8), wet, 255.0 * strength)


@jit
def _capped(far: npt.NDArray[np.float32]) -> Layer:
    """Whole pixels, rounded down, 20 at most."""
    out = np.empty(far.shape, np.uint8)
    for y in range(far.shape[0]):
        for x in range(far.shape[1]):
            out[y, x] = np.uint8(np.int32(min(far[y, x], np.float32(20.0))))
    return out


@jit
def _shining(film: npt.NDArray[np.float32], shine: Layer, wet: Layer, most: float) -> Layer:
    """The relief's light on wet places by the film's thickness, ``most`` at its brightest."""
    highest = np.float32(1.0)
    for y in range(film.shape[0]):
        for x in range(film.shape[1]):
            highest = max(highest, film[y, x] * np.float32(shine[y, x] * wet[y, x]))
    scale = np.float32(most / np.float64(highest))
    out = np.empty(film.shape, np.uint8)
    for y in range(film.shape[0]):
        for x in range(film.shape[1]):
            bright = film[y, x] * np.float32(shine[y, x] * wet[y, x])
            out[y, x] = np.uint8(np.rint(bright * scale))
    return out


@jit
def _tinted(water: Layer, colour: npt.NDArray[np.uint16]) -> Layer:
    """(3, h, w): the light that water adds, by channel."""
    out = np.empty((3, water.shape[0], water.shape[1]), np.uint8)
    for c in range(3):
        for y in range(water.shape[0]):
            for x in range(water.shape[1]):
                # From 0–255 to 0–256, so that a shift by 8 divides exactly.
                wet = np.uint16(water[y, x] + (water[y, x] >> 7))
                out[c, y, x] = np.uint8(np.uint16(np.uint16(wet * colour[c]) + 128) >> 8)
    return out


def _mud(noise: Layer, level: float) -> Layer:
    mean = float(np.interp(level, (4, 5), (0.65, 0.67)))
    spread = float(np.interp(level, (4, 5), (0.3, 0.4)))
    threshold = float(np.interp(level, (3, 3.5, 4), (0.74, 0.67, 0.65)))
    dirty = _field(noise, 1.0, mean, spread) > np.float32(threshold)
    cover = _smoothed(dirty.view(np.uint8), _weights(1.5), 0, 1.0, 0.0).astype(np.int32)
    cover[cover < 0.8 * _UNIT] = 0  # as in ImageNet-C: mud has edges, it does not fade out
    return ((255 * (cover >> 6) + (1 << 15)) >> 16).astype(np.uint8)


def _field(noise: Layer, sigma: float, mean: float, spread: float) -> npt.NDArray[np.float32]:
    """White noise, smoothed. Uniform bytes have σ 73.9; sums of many are close to normal."""
    gain, shift = spread / (73.9 * _UNIT), mean + spread * 0.5 / 73.9
    return _smoothed(noise, _weights(sigma), 128, gain, shift)


@lru_cache(maxsize=64)
def _weights(sigma: float) -> npt.NDArray[np.int32]:
    """A Gaussian cut at four σ, in whole numbers that sum to 2^14: its right half, centre first."""
    reach = round(4.0 * sigma)
    bell = [math.exp(-0.5 * (k / sigma) ** 2) for k in range(reach + 1)]
    total = bell[0] + 2.0 * sum(bell[1:])
    whole = [round((1 << 14) * weight / total) for weight in bell]
    whole[0] = (1 << 14) - 2 * sum(whole[1:])
    return np.array(whole, np.int32)


@jit
def _smoothed(
    layer: Layer, weights: npt.NDArray[np.int32], zero: int, gain: float, shift: float
) -> npt.NDArray[np.float32]:
    """gain · v + shift of the values above ``zero``, smoothed down and across with mirrored
    borders, times ``_UNIT``."""
    height, width = layer.shape
    reach = weights.size - 1
    out = np.empty((height, width), np.float32)
    sums, line = np.empty(width, np.int32), np.empty(width + 2 * reach, np.int32)
    start = I32(32 - (zero << 14))
    for y in range(height):
        middle = line[reach : reach + width]
        weight, here = weights[0], layer[y]
        for x in range(width):
            middle[x] = I32(start + I32(weight * I32(here[x])))
        for k in range(1, weights.size):
            weight = weights[k]
            above, below = layer[_mirrored(y - k, height)], layer[_mirrored(y + k, height)]
            for x in range(width):
                both = I32(I32(above[x]) + I32(below[x]))
                middle[x] = I32(middle[x] + I32(weight * both))
        for x in range(width):
            middle[x] = middle[x] >> 6
        for x in range(reach):
            line[reach - 1 - x] = middle[x]
            line[reach + width + x] = middle[width - 1 - x]
        weight = weights[0]
        for x in range(width):
            sums[x] = I32(weight * middle[x])
        for k in range(1, weights.size):
            weight = weights[k]
            before, after = line[reach - k : reach - k + width], line[reach + k : reach + k + width]
            for x in range(width):
                both = I32(before[x] + after[x])
                sums[x] = I32(sums[x] + I32(weight * both))
        for x in range(width):
            out[y, x] = np.float32(sums[x]) * np.float32(gain) + np.float32(shift)
    return out


@jit_inline
def _mirrored(place: int, size: int) -> int:
    return -1 - place if place < 0 else 2 * size - 1 - place if place >= size else place


def splashed(image: Layer, light: Layer, mud: Layer | None) -> Layer:
    """The image with pale light added where there is water, and brown where there is mud."""
    lit = np.asarray(cv2.add(image, light), np.uint8)
    return lit if mud is None else _muddy(lit, mud, _MUD)


@jit
def _muddy(image: Layer, mud: Layer, colour: npt.NDArray[np.int64]) -> Layer:
    out = np.empty_like(image)
    for y in range(image.shape[0]):
        for x in range(image.shape[1]):
            hidden = np.int64(mud[y, x])
            hidden += hidden >> 7
            for c in range(3):
                value = np.int64(image[y, x, c])
                out[y, x, c] = value + ((hidden * (colour[c] - value) + 128) >> 8)
    return out
