"""Tileable fields on the texture lattice: ramps, periodic value noise, waves and cells."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = ["SIZE", "Floats", "bumps", "noise", "ramp", "rgba", "smooth", "wave"]

SIZE = 128
"""Texels along each side of every texture."""
Floats = NDArray[np.float64]


@lru_cache(maxsize=1)
def ramp() -> tuple[Floats, Floats]:
    """(u, v) of texel centres, each (SIZE, SIZE) in (0, 1); v grows downwards."""
    t = (np.arange(SIZE) + 0.5) / SIZE
    u, v = np.meshgrid(t, t)
    return u, v


def smooth(t: Floats) -> Floats:
    """Smoothstep 3t² − 2t³."""
    out: Floats = t * t * (3.0 - 2.0 * t)
    return out


def wave(t: Floats) -> Floats:
    """A smooth wave of period 1 in [0, 1]: 0 at integers, 1 half-way."""
    return smooth(1.0 - np.abs(2.0 * (t % 1.0) - 1.0))


def _axis(cells: int) -> tuple[NDArray[np.int64], NDArray[np.int64], Floats]:
    t = (np.arange(SIZE) + 0.5) / SIZE * cells
    low = np.floor(t).astype(np.int64)
    return low % cells, (low + 1) % cells, smooth(t - low)


def noise(r: np.random.Generator, rows: int, columns: int) -> Floats:
    """Periodic value noise in [0, 1] with ``rows`` × ``columns`` lattice cells over the tile."""
    lattice = r.random((rows, columns))
    r0, r1, fr = _axis(rows)
    c0, c1, fc = _axis(columns)
    along = lattice[:, c0] * (1.0 - fc) + lattice[:, c1] * fc
    out: Floats = along[r0] * (1.0 - fr)[:, None] + along[r1] * fr[:, None]
    return out


def bumps(r: np.random.Generator, cells: int) -> Floats:
    """Periodic cellular noise: 0 on the borders between cells, up to 1 inside them."""
    px, py = r.random((cells, cells)), r.random((cells, cells))
    u, v = ramp()
    cu, cv = (u * cells).astype(np.int64), (v * cells).astype(np.int64)
    first, second = np.full((SIZE, SIZE), 9.0), np.full((SIZE, SIZE), 9.0)
    for dy in (-1, 0, 1):
        for dx in (-1, 0, 1):
            iy, ix = (cv + dy) % cells, (cu + dx) % cells
            x = cu + dx + px[iy, ix] - u * cells
            y = cv + dy + py[iy, ix] - v * cells
            d = x * x + y * y
            second = np.minimum(second, np.maximum(first, d))
            first = np.minimum(first, d)
    out: Floats = np.clip((np.sqrt(second) - np.sqrt(first)) * 2.2, 0.0, 1.0)
    return out


def rgba(rgb: ArrayLike, mask: ArrayLike = 0.0) -> NDArray[np.uint8]:
    """(SIZE, SIZE, 4) bytes from a value or RGB field and a mask, both in [0, 1]."""
    colour = np.asarray(rgb, dtype=np.float64)
    if colour.ndim == 2:
        colour = colour[..., None]
    out = np.empty((SIZE, SIZE, 4), dtype=np.uint8)
    out[..., :3] = np.clip(np.floor(colour * 255.0 + 0.5), 0, 255)
    out[..., 3] = np.clip(np.floor(np.asarray(mask, dtype=np.float64) * 255.0 + 0.5), 0, 255)
    return out
