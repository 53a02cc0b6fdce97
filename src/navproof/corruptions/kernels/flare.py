"""The light that a lens scatters and reflects when a strong source shines into it."""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from navproof.core.jit import jit
from navproof.core.seeding import keyed
from navproof.corruptions.kernels.tone import ENCODE, LINEAR

__all__ = ["flared", "stray_light"]

_SIDE, _LONGEST = 128, 512
_WHITE = 8192
"""White in the units of stray light: the source is up to eight times as bright."""


@lru_cache(maxsize=8)
def stray_light(key: int, height: int, width: int) -> npt.NDArray[np.uint16]:
    """Linear light added at intensity 1, (h, w, 3), 8192 for white.

    In lengths of the short side: a veil over the whole frame and a halo around the source, both
    rational in the distance as in Spencer et al.; a starburst of thin rays from the iris' blades;
    ghosts, mirrored images of the iris on the line through source and centre (Hullin et al.).
    """
    scale = _SIDE / min(height, width)
    rows = max(1, min(_LONGEST, round(height * scale)))
    columns = max(1, min(_LONGEST, round(width * scale)))
    rng = keyed(key)
    half = (0.5 * height / min(height, width), 0.5 * width / min(height, width))
    # The order of the draws is part of the picture: another one gives other bytes for a key.
    source = (half[0] * rng.uniform(-0.8, 0.3), half[1] * rng.uniform(-0.8, 0.8))
    tint = np.array([1.0, rng.uniform(0.88, 0.98), rng.uniform(0.7, 0.95)])
    turn, blades = rng.uniform(0.0, math.pi), int(rng.integers(3, 6))
    angles = turn + math.pi * np.arange(blades) / blades
    rays = np.stack([np.sin(angles), np.cos(angles), rng.uniform(0.5, 1.0, blades)], axis=1)
    ghosts = _ghosts(rng, source)
    light = _scatter(rows, columns, half, source, tint, rays, ghosts)
    return _enlarged(light, _places(rows, height), _places(columns, width))


def _ghosts(rng: np.random.Generator, source: tuple[float, float]) -> npt.NDArray[np.float64]:
    """Ghosts as rows: centre, 1 / radius², red, green, blue."""
    along = np.array([-1.3, -0.85, -0.5, -0.25, 0.35, 0.6]) + rng.uniform(-0.1, 0.1, 6)
    radius = rng.uniform(0.03, 0.13, 6)
    colour = rng.uniform(0.25, 1.0, (6, 3)) * rng.uniform(0.1, 0.35, (6, 1))
    return np.column_stack([along * source[0], along * source[1], radius**-2.0, colour])


@jit
def _scatter(
    rows: int,
    columns: int,
    half: tuple[float, float],
    source: tuple[float, float],
    tint: npt.NDArray[np.float64],
    rays: npt.NDArray[np.float64],
    ghosts: npt.NDArray[np.float64],
) -> npt.NDArray[np.uint16]:
    """(rows, 3 · columns): the light on a coarse grid."""
    light = np.empty((rows, 3 * columns), np.uint16)
    across = np.empty(columns)
    for x in range(columns):
        across[x] = (2.0 * (x + 0.5) / columns - 1.0) * half[1]
    glow, burst, sums = np.empty(columns), np.empty(columns), np.empty((columns, 3))
    for y in range(rows):
        v = (2.0 * (y + 0.5) / rows - 1.0) * half[0]
        down = v - source[0]
        burst[:] = 0.0
        for k in range(rays.shape[0]):
            sine, cosine, strength = rays[k, 0], rays[k, 1], rays[k, 2]
            for x in range(columns):
                off = down * cosine - (across[x] - source[1]) * sine
                burst[x] += strength / (1.0 + off * off / 1.5e-4)
        for x in range(columns):
            right = across[x] - source[1]
            far = down * down + right * right
            near = 1.0 + far / 0.0018
            glow[x] = 0.10 + 0.45 / (1.0 + far / 0.09) + 8.0 / (near * near)
            glow[x] += 0.55 * burst[x] / (1.0 + far / 0.05)
        for x in range(columns):
            for c in range(3):
                sums[x, c] = glow[x] * tint[c]
        for k in range(ghosts.shape[0]):
            dy = v - ghosts[k, 0]
            if dy * dy * ghosts[k, 2] < 1.2:
                _haunt(sums, across, dy, ghosts[k])
        for x in range(columns):
            for c in range(3):
                light[y, 3 * x + c] = np.uint16(min(sums[x, c] * _WHITE, 65535.0))
    return light


@jit
def _haunt(
    sums: npt.NDArray[np.float64],
    across: npt.NDArray[np.float64],
    dy: float,
    ghost: npt.NDArray[np.float64],
) -> None:
    """A ghost's light on a row that is ``dy`` below its centre."""
    for x in range(across.size):
        dx = across[x] - ghost[1]
        ring = (dy * dy + dx * dx) * ghost[2]
        if ring < 1.2:
            veil = min(1.0, 6.0 - 5.0 * ring) * (0.45 + 0.55 * min(ring, 1.0))
            for c in range(3):
                sums[x, c] += veil * ghost[3 + c]


@jit
def _enlarged(
    light: npt.NDArray[np.uint16], rows: npt.NDArray[np.int64], columns: npt.NDArray[np.int64]
) -> npt.NDArray[np.uint16]:
    """Linear interpolation at places given in 256ths of a pixel, in whole numbers."""
    out = np.empty((rows.size, columns.size, 3), np.uint16)
    line = np.empty(light.shape[1], np.uint32)
    for y in range(rows.size):
        row, part = rows[y] >> 8, np.uint32(rows[y] & 255)
        above, below, rest = light[row], light[row + 1], np.uint32(256 - part)
        for x in range(light.shape[1]):
            line[x] = np.uint32(rest * np.uint32(above[x])) + np.uint32(part * np.uint32(below[x]))
        for x in range(columns.size):
            start, part = 3 * (columns[x] >> 8), np.uint32(columns[x] & 255)
            rest = np.uint32(256 - part)
            for c in range(3):
                before, after = line[start + c], line[start + c + 3]
                value = np.uint32(rest * before) + np.uint32(part * after)
                out[y, x, c] = np.uint32(value) >> 16
    return out


def _places(coarse: int, fine: int) -> npt.NDArray[np.int64]:
    """Where the centres of ``fine`` pixels lie between those of ``coarse`` ones, in 256ths."""
    centres = (2 * np.arange(fine, dtype=np.int64) + 1) * (coarse * 128) // fine - 128
    return np.clip(centres, 0, (coarse - 1) * 256 - 1)


def flared(
    image: npt.NDArray[np.uint8], stray: npt.NDArray[np.uint16], strength: float
) -> npt.NDArray[np.uint8]:
    """The image with ``strength`` in [0, 1] times the stray light added, in linear light."""
    return _flared(image, stray, round(65536 * strength), LINEAR, ENCODE)


@jit
def _flared(
    image: npt.NDArray[np.uint8],
    stray: npt.NDArray[np.uint16],
    strength: int,
    linear: npt.NDArray[np.uint16],
    encoded: npt.NDArray[np.uint8],
) -> npt.NDArray[np.uint8]:
    out = np.empty_like(image)
    for y in range(image.shape[0]):
        for x in range(image.shape[1]):
            for c in range(3):
                # 65536 for strength 1, 8192 for white, to 65536 for white: 16 + 13 − 16 bits.
                added = (np.int64(stray[y, x, c]) * strength) >> 13
                light = np.int64(linear[image[y, x, c]]) + added
                out[y, x, c] = encoded[min(light, np.int64(65535)) >> 2]
    return out
