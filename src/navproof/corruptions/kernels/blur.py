"""Blur along a line, a one-sided Gaussian of any real length, and what it shares with the disc.

Sizes follow the images that the published rows were made for, 224 pixels on the short side. Sums
are kept in 16 bits, of which processors add and multiply sixteen or more at once, and poured into
32 before they overflow. Products are rounded to fit: the answers are within one grey level of the
exact ones (a little more where the blur is about a pixel wide), and even surfaces stay as they are.
"""

from __future__ import annotations

import math

import cv2
import numpy as np
import numpy.typing as npt

from navproof.core.jit import jit

__all__ = ["FITS", "I32", "U16", "Image", "Whole", "blur_along", "framed", "image_scale", "pour"]

Image = npt.NDArray[np.uint8]
Whole = npt.NDArray[np.int64]
U16, I32 = np.uint16, np.int32
_AT_ONCE, _GROUP = 4, 32
"""Taps in one pass over a row, and between two times of pouring."""
FITS = 256
"""So many pixels of 255 can be added in 16 bits."""
_CUT = 4
"""Bits taken from the product with a weight."""
_HALF_CUT = 1 << (_CUT - 1)


def image_scale(image: Image) -> float:
    """How much larger the image is than those of ImageNet-C."""
    return float(min(image.shape[:2])) / 224.0


def blur_along(image: Image, length: float, sigma: float, angle_rad: float) -> Image:
    """Every pixel the mean of those ahead of it, up to ``length`` pixels at ``angle_rad``.

    Weights fall as exp(-t²/2σ²) with the distance t; ``angle_rad`` within ±π/4. The line is
    sampled once a column, between rows by linear interpolation. Borders repeat.
    """
    line, rows, columns = _line(length, sigma, angle_rad)
    bits = _finest(line)
    weights, taps = _whole(line, bits)
    rows, columns = rows[taps], columns[taps]
    above, below = -int(rows.min()), int(rows.max())
    padded = framed(image, above, below, 0, int(columns.max()), cv2.BORDER_REPLICATE)
    height, width = image.shape[:2]
    flat = _weighted(padded, weights, rows + above, 3 * columns, bits, height, 3 * width)
    return flat.reshape(image.shape)


def framed(image: Image, above: int, below: int, left: int, right: int, border: int) -> Image:
    """The image with pixels around it, as rows of numbers."""
    framed = np.asarray(cv2.copyMakeBorder(image, above, below, left, right, border), np.uint8)
    return framed.reshape(framed.shape[0], -1)


@jit
def _line(
    length: float, sigma: float, angle_rad: float
) -> tuple[npt.NDArray[np.float64], Whole, Whole]:
    """Taps: weights that sum to 1, their rows and columns from the pixel; the last weighs 0."""
    stride, slope = 1.0 / math.cos(angle_rad), math.tan(angle_rad)
    reach = int(length / stride)
    count = 2 * reach + 3
    weights = np.zeros(count)
    rows, columns = np.zeros(count, np.int64), np.zeros(count, np.int64)
    for column in range(reach + 1):
        far = column * stride / sigma
        weight = math.exp(-0.5 * far * far)
        if column > 0:
            # The last tap counts by the part of it that lies within ``length``: the blur grows
            # steadily with intensity instead of by whole pixels.
            weight *= min(1.0, length / stride - column)
        row = math.floor(column * slope)
        part = column * slope - row
        for k in range(2):
            weights[2 * column + k] = weight * (part if k else 1.0 - part)
            rows[2 * column + k] = row + k if part > 0.0 else row
            columns[2 * column + k] = column
    return weights / weights.sum(), rows, columns


@jit
def _whole(weights: npt.NDArray[np.float64], bits: int) -> tuple[npt.NDArray[np.uint16], Whole]:
    """The weights as whole numbers that sum to 2^bits, without those that weigh nothing, and which
    they were; filled up with the last one for whole passes.

    What rounding takes from one weight is added to the next.
    """
    whole = np.zeros(weights.size + _AT_ONCE, np.uint16)
    taps = np.full(whole.size, weights.size - 1)
    total, given, count = 0.0, 0, 0
    for k in range(weights.size):
        total += weights[k]
        # Rounding the running total, not each weight, makes the whole numbers sum to 2^bits: even
        # surfaces keep their grey level.
        upto = int(total * 2.0**bits + 0.5)
        if upto > given:
            whole[count], taps[count] = upto - given, k
            given, count = upto, count + 1
    count += -count % _AT_ONCE
    return whole[:count], taps[:count]


@jit
def _finest(weights: npt.NDArray[np.float64]) -> int:
    """For how many bits products with pixels, and a group's sum of them less ``_CUT`` bits, fit
    into 16."""
    bits = 7
    while True:
        whole, _ = _whole(weights, bits + 1)
        heaviest = 0
        for first in range(0, whole.size, _GROUP):
            heaviest = max(heaviest, whole[first : first + _GROUP].astype(np.int64).sum())
        if bits > 7 and (whole.max() > FITS or heaviest > FITS << _CUT):
            return bits
        bits += 1


@jit
def _weighted(
    padded: Image,
    weights: npt.NDArray[np.uint16],
    rows: Whole,
    starts: Whole,
    bits: int,
    height: int,
    width: int,
) -> Image:
    out = np.empty((height, width), np.uint8)
    group, sums = np.empty(width, np.uint16), np.empty(width, np.int32)
    scale = np.float32(0.5 ** (bits - _CUT))
    half = I32(1 << (bits - _CUT - 1))
    for y in range(height):
        sums[:] = half
        for first in range(0, weights.size, _GROUP):
            group[:] = 0
            for k in range(first, min(first + _GROUP, weights.size), _AT_ONCE):
                wa, wb, wc, wd = weights[k], weights[k + 1], weights[k + 2], weights[k + 3]
                a = padded[y + rows[k], starts[k] : starts[k] + width]
                b = padded[y + rows[k + 1], starts[k + 1] : starts[k + 1] + width]
                c = padded[y + rows[k + 2], starts[k + 2] : starts[k + 2] + width]
                d = padded[y + rows[k + 3], starts[k + 3] : starts[k + 3] + width]
                for x in range(width):
                    ab = U16(
                        U16(U16(wa * a[x] + _HALF_CUT) >> _CUT)
                        + U16(U16(wb * b[x] + _HALF_CUT) >> _CUT)
                    )
                    cd = U16(
                        U16(U16(wc * c[x] + _HALF_CUT) >> _CUT)
                        + U16(U16(wd * d[x] + _HALF_CUT) >> _CUT)
                    )
                    group[x] = U16(group[x] + U16(ab + cd))
            pour(group, sums)
        for x in range(width):
            out[y, x] = np.uint8(I32(np.float32(sums[x]) * scale))
    return out


@jit
def pour(group: npt.NDArray[np.uint16], sums: npt.NDArray[np.int32]) -> None:
    """Add what was summed in 16 bits to the sums in 32, and begin anew."""
    for x in range(group.size):
        sums[x] = I32(sums[x] + I32(group[x]))
        group[x] = 0
