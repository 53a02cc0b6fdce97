"""A small linear-RGB picture to draw on, for textures that are seen whole."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from navproof.world.textures.noise import SIZE, Floats, ramp, rgba
from navproof.world.textures.palette import srgb

__all__ = ["Canvas", "Colour"]

Colour = tuple[int, int, int]


def _span(low: float, high: float) -> slice:
    """Texels whose centres lie in [low, high)."""
    first = max(0, math.ceil(low * SIZE - 0.5))
    return slice(first, max(first, min(SIZE, math.ceil(high * SIZE - 0.5))))


class Canvas:
    """Coordinates are in [0, 1] with v downwards; colours are 8-bit sRGB."""

    def __init__(self, colour: Colour) -> None:
        self.pixels: Floats = np.empty((SIZE, SIZE, 3))
        self.pixels[:] = srgb(*colour)
        self.u, self.v = ramp()

    def fill(self, where: NDArray[np.bool_] | Floats, colour: Colour) -> None:
        """Mix ``colour`` in by a mask in [0, 1]."""
        m = np.asarray(where, dtype=np.float64)[..., None]
        self.pixels += (np.array(srgb(*colour)) - self.pixels) * m

    def box(self, u0: float, v0: float, u1: float, v1: float, colour: Colour) -> None:
        self.pixels[_span(v0, v1), _span(u0, u1)] = srgb(*colour)

    def disc(self, cu: float, cv: float, ru: float, rv: float, colour: Colour) -> None:
        """A filled ellipse with a soft edge."""
        rows, columns = _span(cv - rv, cv + rv), _span(cu - ru, cu + ru)
        x, y = (self.u[rows, columns] - cu) / ru, (self.v[rows, columns] - cv) / rv
        m = np.clip((1.0 - np.sqrt(x * x + y * y)) * 20.0, 0, 1)[..., None]
        part = self.pixels[rows, columns]
        part += (np.array(srgb(*colour)) - part) * m

    def sky(self, top: Colour, bottom: Colour, until: float) -> None:
        """A vertical gradient over everything, constant below ``until``."""
        t = np.clip(self.v / until, 0, 1)[..., None]
        self.pixels = np.array(srgb(*top)) * (1 - t) + np.array(srgb(*bottom)) * t

    def done(self) -> NDArray[np.uint8]:
        return rgba(self.pixels)
