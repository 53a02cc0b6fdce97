"""Blurs: a one-sided Gaussian along a line, and a disc, both at any real size.

Sizes follow the images that the published rows were made for, 224 pixels on the short side.
"""

from __future__ import annotations

import math

import cv2
import numpy as np
import numpy.typing as npt

from navproof._jit import jit

__all__ = ["blur_along", "blur_disc", "image_scale"]

Image = npt.NDArray[np.uint8]
_WHOLE = 1 << 16


def image_scale(image: Image) -> float:
    """How much larger the image is than those of ImageNet-C."""
    return float(min(image.shape[:2])) / 224.0


def blur_along(image: Image, length: float, sigma: float, angle_rad: float) -> Image:
    """Every pixel the mean of those ahead of it, up to ``length`` pixels at ``angle_rad``.

    Weights fall as exp(-t²/2σ²) with the distance t; ``angle_rad`` within ±π/4. The line is
    sampled once a column, between rows by linear interpolation. Borders repeat.
    """
    weights, rows, columns = _line(length, sigma, angle_rad)
    above, below = -int(rows.min()), int(rows.max())
    padded = _framed(image, above, below, 0, int(columns.max()), cv2.BORDER_REPLICATE)
    flat = _weighted(padded, weights, rows + above, 3 * columns, image.shape[0], 3 * image.shape[1])
    return flat.reshape(image.shape)


def _framed(image: Image, above: int, below: int, left: int, right: int, border: int) -> Image:
    """The image with pixels around it, as rows of numbers."""
    framed = np.asarray(cv2.copyMakeBorder(image, above, below, left, right, border), np.uint8)
    return framed.reshape(framed.shape[0], -1)


def _line(
    length: float, sigma: float, angle_rad: float
) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Taps: weights that sum to 2^16, their rows and columns from the pixel."""
    stride, slope = 1.0 / math.cos(angle_rad), math.tan(angle_rad)
    taps: dict[tuple[int, int], float] = {}
    for column in range(int(length / stride) + 1):
        far = column * stride / sigma
        weight = math.exp(-0.5 * far * far) * min(1.0, length / stride - column)
        row = math.floor(column * slope)
        part = column * slope - row
        taps[row, column] = weight * (1.0 - part)
        taps[row + 1, column] = weight * part
    taps[0, 0] = 1.0
    total = sum(taps.values())
    whole = {place: round(_WHOLE * weight / total) for place, weight in taps.items()}
    whole[0, 0] += _WHOLE - sum(whole.values())
    kept = {place: weight for place, weight in whole.items() if weight}
    places = np.array(list(kept), np.int64).reshape(-1, 2)
    return np.array(list(kept.values()), np.int32), places[:, 0].copy(), places[:, 1].copy()


@jit
def _weighted(
    padded: Image,
    weights: npt.NDArray[np.int32],
    rows: npt.NDArray[np.int64],
    starts: npt.NDArray[np.int64],
    height: int,
    width: int,
) -> Image:
    out = np.empty((height, width), np.uint8)
    sums = np.empty(width, np.int32)
    for y in range(height):
        sums[:] = 32768
        for k in range(weights.size):
            weight = weights[k]
            source = padded[y + rows[k], starts[k] : starts[k] + width]
            for x in range(width):
                sums[x] = np.int32(sums[x] + np.int32(weight * np.int32(source[x])))
        for x in range(width):
            out[y, x] = sums[x] >> 16
    return out


def blur_disc(image: Image, radius: float, soften: float) -> Image:
    """The image through a disc of ``radius`` pixels whose rim a Gaussian of σ ``soften`` rounds.

    Each row of the disc is a run of the disc's exact area there, ends counted by their fraction.
    Borders mirror.
    """
    if soften > 0.0:
        image = np.asarray(cv2.GaussianBlur(image, (3, 3), soften), np.uint8)
    halves = _chords(radius)
    reach, side = (len(halves) - 1) // 2, math.ceil(max(halves)) + 1
    padded = _framed(image, reach, reach, side, side, cv2.BORDER_REFLECT)
    fine = 256
    while fine > 2 and fine * 255.0 * math.pi * (radius + 1.0) ** 2 >= 2.0**31:
        fine //= 2
    runs = np.array([round(half * fine) for half in halves], np.int64)
    runs[reach] = max(runs[reach], 1)
    flat = _runs(padded, runs, fine, side, image.shape[0], image.shape[1])
    return flat.reshape(image.shape)


def _chords(radius: float) -> list[float]:
    """Half the area of the disc in each row of pixels: half the length of that row's run."""

    def area_below(t: float) -> float:
        t = max(-radius, min(radius, t))
        square = radius * radius
        return 0.5 * (t * math.sqrt(square - t * t) + square * math.asin(t / radius))

    reach = max(0, math.ceil(radius - 0.5))
    return [area_below(y + 0.5) - area_below(y - 0.5) for y in range(-reach, reach + 1)]


@jit
def _runs(
    padded: Image, runs: npt.NDArray[np.int64], fine: int, side: int, height: int, width: int
) -> Image:
    """Sums over runs of pixels, by running totals along rows; ``runs`` are half lengths × fine."""
    rows, columns, size = padded.shape[0], padded.shape[1], 3 * width
    totals = np.empty((rows, columns + 3), np.int32)
    for y in range(rows):
        totals[y, :3] = 0
        for x in range(columns):
            totals[y, x + 3] = totals[y, x] + padded[y, x]
    area = 2 * runs.sum()
    out = np.empty((height, size), np.uint8)
    sums = np.empty(size, np.int32)
    scale = np.float32(1.0 / area)
    for y in range(height):
        sums[:] = area >> 1
        for k in range(runs.size):
            _add_run(sums, totals[y + k], padded[y + k], runs[k], fine, side, size)
        for x in range(size):
            out[y, x] = np.uint8(np.float32(sums[x]) * scale)
    return out


@jit
def _add_run(
    sums: npt.NDArray[np.int32],
    totals: npt.NDArray[np.int32],
    pixels: Image,
    run: int,
    fine: int,
    side: int,
    size: int,
) -> None:
    """A run of ``2 run / fine`` pixels centred on each pixel of the row."""
    beyond = max(run - fine // 2, 0)
    whole, part = beyond // fine, beyond % fine
    weight, edge = np.int32(fine), np.int32(part)
    if 2 * run < fine:
        weight, edge = np.int32(2 * run), np.int32(0)
    left, right = 3 * (side - whole), 3 * (side + whole + 1)
    low, high = totals[left : left + size], totals[right : right + size]
    before, after = pixels[left - 3 : left - 3 + size], pixels[right : right + size]
    for x in range(size):
        inside = np.int32(weight * np.int32(high[x] - low[x]))
        ends = np.int32(edge * np.int32(np.int32(before[x]) + np.int32(after[x])))
        sums[x] = np.int32(sums[x] + np.int32(inside + ends))
