"""Out of focus: the image through a disc of any real radius. Sums are kept as in ``blur``."""

from __future__ import annotations

import math

import cv2
import numpy as np
import numpy.typing as npt

from navproof.core.jit import jit
from navproof.corruptions.kernels.blur import FITS, I32, U16, Image, Whole, framed, pour

__all__ = ["blur_disc"]

_FINER = 2
"""Bits that runs are counted finer than 1."""
_HALF_END = 1 << (6 - _FINER)  # so that the shift by 7 − _FINER rounds to the nearest


def blur_disc(image: Image, radius: float, soften: float) -> Image:
    """The image through a disc of ``radius`` pixels whose rim a Gaussian of σ ``soften`` rounds.

    Each row of the disc is a run of the disc's exact area there, ends counted by their fraction.
    Borders mirror.
    """
    # Softening the image first equals softening the disc's rim, since convolutions commute.
    if soften > 0.0:
        image = np.asarray(cv2.GaussianBlur(image, (3, 3), soften), np.uint8)
    if radius <= 0.5:  # the disc lies within a pixel
        return image.copy()
    halves = _chords(radius)
    reach, side = halves.size // 2, math.ceil(halves.max()) + 1
    padded = framed(image, reach, reach, side, side, cv2.BORDER_REFLECT)
    runs, area = _runs(halves, side)
    return _through(padded, runs, area, image.shape[0], 3 * image.shape[1]).reshape(image.shape)


@jit
def _chords(radius: float) -> npt.NDArray[np.float64]:
    """Half the area of the disc in each row of pixels: half the length of that row's run."""
    reach = max(0, math.ceil(radius - 0.5))
    square = radius * radius
    below = np.empty(2 * reach + 2)
    for k in range(below.size):
        t = max(-radius, min(radius, k - reach - 0.5))
        below[k] = 0.5 * (t * math.sqrt(square - t * t) + square * math.asin(t / radius))
    return below[1:] - below[:-1]


@jit
def _runs(halves: npt.NDArray[np.float64], side: int) -> tuple[Whole, float]:
    """(n, 7): row, first column, column after the last, those of both ends, what share of an end
    counts (of 128), and 1 where sums must be poured first; and the area of all.

    Long rows are runs one after the other.
    """
    most = FITS >> _FINER
    longest = most // 2
    runs = np.zeros((halves.size * (2 * side // longest + 2), 7), np.int64)
    count, area, filled = 0, 0.0, 0
    for row in range(halves.size):
        beyond = halves[row] - 0.5
        whole = max(0, math.floor(beyond))
        first, after = side - whole, side + whole + 1
        before, behind, share = first - 1, after, beyond - whole
        if beyond < 0.0:
            after, before, behind, share = first, side, side, halves[row]
        edge = round(128.0 * share)
        area += after - first + edge / 64.0
        while True:
            upto = min(after, first + longest)
            filled += upto - first + 2
            runs[count, 0], runs[count, 1], runs[count, 2] = row, 3 * first, 3 * upto
            runs[count, 3], runs[count, 4], runs[count, 5] = 3 * before, 3 * behind, edge
            if filled > most:
                runs[count, 6], filled = 1, upto - first + 2
            count += 1
            first, edge = upto, 0
            if first == after:
                break
    return runs[:count], area


@jit
def _totals(pixels: Image, before: npt.NDArray[np.uint16]) -> None:
    """By channel, what lies before each pixel of a row, less whole multiples of 2^16."""
    red, green, blue = I32(0), I32(0), I32(0)
    for pixel in range(pixels.size // 3):
        x = 3 * pixel
        before[x], before[x + 1], before[x + 2] = red, green, blue
        red = I32(red + pixels[x])
        green = I32(green + pixels[x + 1])
        blue = I32(blue + pixels[x + 2])
    x = pixels.size
    before[x], before[x + 1], before[x + 2] = red, green, blue


@jit
def _through(padded: Image, runs: Whole, area: float, height: int, width: int) -> Image:
    """Means over runs of pixels, by totals along the rows that a disc covers at a time."""
    covered = padded.shape[0] - height + 1
    totals = np.empty((covered, padded.shape[1] + 3), np.uint16)
    for y in range(covered - 1):
        _totals(padded[y], totals[y])
    out = np.empty((height, width), np.uint8)
    group, sums = np.empty(width, np.uint16), np.empty(width, np.int32)
    size = area * (1 << _FINER)
    half, scale = I32(0.5 * size), np.float32(1.0 / size)
    for y in range(height):
        last = y + covered - 1
        _totals(padded[last], totals[last % covered])
        group[:] = 0
        sums[:] = half
        for k in range(runs.shape[0]):
            if runs[k, 6]:
                pour(group, sums)
            row = y + runs[k, 0]
            total, pixels = totals[row % covered], padded[row]
            low, high = total[runs[k, 1] :], total[runs[k, 2] :]
            _add_run(group, low, high, pixels[runs[k, 3] :], pixels[runs[k, 4] :], U16(runs[k, 5]))
        pour(group, sums)
        for x in range(width):
            out[y, x] = np.uint8(I32(np.float32(sums[x]) * scale))
    return out


@jit
def _add_run(
    group: npt.NDArray[np.uint16],
    low: npt.NDArray[np.uint16],
    high: npt.NDArray[np.uint16],
    before: Image,
    behind: Image,
    edge: np.uint16,
) -> None:
    # Totals wrap round at 2^16; their difference does not, as no run sums up to so much.
    for x in range(group.size):
        ends = U16(edge * U16(U16(before[x]) + U16(behind[x])) + _HALF_END)
        group[x] = U16(
            group[x] + U16(U16(U16(high[x] - low[x]) << _FINER) + U16(ends >> (7 - _FINER)))
        )
