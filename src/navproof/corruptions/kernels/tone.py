"""Between 8-bit sRGB and linear light, in integers: light adds up only where it is linear.

Tables of whole numbers, so that every machine gives the same pictures. The curve is that of
IEC 61966-2-1; ``ENCODE[LINEAR[v] >> 2] == v`` for every v.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import numpy.typing as npt

from navproof.core.jit import jit

__all__ = ["ENCODE", "FULL", "LINEAR", "dimmed", "encode", "radial", "toned"]

FULL = 65535
"""Full scale of linear light and of masks."""


def _decode(value: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    return np.where(value <= 0.04045, value / 12.92, ((value + 0.055) / 1.055) ** 2.4)


def encode(light: npt.NDArray[np.float64]) -> npt.NDArray[np.uint8]:
    """Linear light in [0, 1] as 8-bit sRGB."""
    curved = 1.055 * np.maximum(light, 0.0031308) ** (1 / 2.4) - 0.055
    value = np.where(light <= 0.0031308, light * 12.92, curved)
    return np.rint(255.0 * np.clip(value, 0.0, 1.0)).astype(np.uint8)


@lru_cache(maxsize=64)
def toned(gamma: float) -> npt.NDArray[np.uint16]:
    """Linear light, 0 to ``FULL``, of each 8-bit value after the tone curve value^gamma."""
    return np.rint(FULL * _decode((np.arange(256) / 255.0) ** gamma)).astype(np.uint16)


LINEAR: npt.NDArray[np.uint16] = toned(1.0)
ENCODE: npt.NDArray[np.uint8] = encode((np.arange(16384) * 4.0 + 1.5) / FULL)
"""The 8-bit value of linear light, by its upper 14 of 16 bits. Four values share these; the entry
is that of their middle."""


@jit
def radial(
    height: int, width: int, row: float, column: float, reach: float, table: npt.NDArray[np.uint16]
) -> npt.NDArray[np.uint16]:
    """A mask around a point: ``table`` by squared distance, from 0 to ``reach``² pixels.

    Beyond ``reach`` it keeps the table's last entry.
    """
    mask = np.empty((height, width), np.uint16)
    last = table.size - 1
    scale = last / (reach * reach)
    for y in range(height):
        up = (y + 0.5 - row) * (y + 0.5 - row)
        for x in range(width):
            side = x + 0.5 - column
            mask[y, x] = table[int(min((up + side * side) * scale, float(last)))]
    return mask


@jit
def dimmed(
    image: npt.NDArray[np.uint8],
    linear: npt.NDArray[np.uint16],
    mask: npt.NDArray[np.uint16],
    encoded: npt.NDArray[np.uint8],
) -> npt.NDArray[np.uint8]:
    """The image with the linear light of every pixel times mask / ``FULL``."""
    out = np.empty_like(image)
    for y in range(image.shape[0]):
        for x in range(image.shape[1]):
            # Plus one, so that a full mask is 2^16 and leaves the light exactly as it is.
            factor = np.int64(mask[y, x]) + 1
            for c in range(3):
                light = (np.int64(linear[image[y, x, c]]) * factor) >> 16
                out[y, x, c] = encoded[light >> 2]
    return out
