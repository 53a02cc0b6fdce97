"""A small GIF writer (GIF89a): one palette for the whole animation, unchanged pixels left out.

OpenCV writes GIF only in some builds, and chooses a palette for every frame, which flickers.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from navproof.core.jit import jit

__all__ = ["encode_gif", "lzw", "palette_of"]

Image = NDArray[np.uint8]
_COLOURS = 255  # and one for "as before"
_CLEAR, _END = 256, 257
_SLOTS = 5003  # of the hash table: a prime above 4096, as in the Unix compress program


def encode_gif(frames: Sequence[Image], seconds: float) -> bytes:
    """An endless animation of equally large RGB frames, each shown for ``seconds``."""
    height, width = frames[0].shape[:2]
    palette = palette_of(frames)
    table = _nearest(palette)
    colours = np.zeros((256, 3), dtype=np.uint8)
    colours[: len(palette)] = palette
    out = bytearray(b"GIF89a")
    out += struct.pack("<HHBBB", width, height, 0xF7, 0, 0) + colours.tobytes()
    out += b"\x21\xff\x0bNETSCAPE2.0\x03\x01\x00\x00\x00"
    hundredths = max(2, round(seconds * 100))
    before: Image | None = None
    for frame in frames:
        indices = table[_bins(frame)]
        left, top, right, bottom = _changed(indices, before)
        part = indices[top:bottom, left:right].copy()
        if before is not None:
            part[part == before[top:bottom, left:right]] = _COLOURS
        out += b"\x21\xf9\x04" + struct.pack("<BHB", 0x05, hundredths, _COLOURS) + b"\x00"
        out += b"\x2c" + struct.pack("<HHHHB", left, top, right - left, bottom - top, 0)
        data = lzw(np.ascontiguousarray(part).reshape(-1)).tobytes()
        out += b"\x08"
        for i in range(0, len(data), 255):
            block = data[i : i + 255]
            out += bytes([len(block)]) + block
        out += b"\x00"
        before = indices
    return bytes(out + b"\x3b")


def _changed(now: Image, before: Image | None) -> tuple[int, int, int, int]:
    """The rectangle (left, top, right, bottom) outside which nothing changed; never empty."""
    if before is None:
        return 0, 0, now.shape[1], now.shape[0]
    rows, columns = np.nonzero(now != before)
    if len(rows) == 0:
        return 0, 0, 1, 1
    return int(columns.min()), int(rows.min()), int(columns.max()) + 1, int(rows.max()) + 1


def _bins(image: Image) -> NDArray[np.int32]:
    """Each pixel's cell in a cube of 32 × 32 × 32 colours."""
    c = (image >> 3).astype(np.int32)
    return c[..., 0] * 1024 + c[..., 1] * 32 + c[..., 2]


def palette_of(frames: Sequence[Image]) -> Image:
    """At most 255 colours by median cut over a sample of the frames' pixels."""
    step = max(1, len(frames) // 12)
    cells = np.concatenate([_bins(f[::2, ::2]).reshape(-1) for f in frames[::step]])
    counts = np.bincount(cells, minlength=32**3)
    used = np.flatnonzero(counts)
    points = np.stack([used // 1024, used // 32 % 32, used % 32], axis=1)
    weights = np.sqrt(counts[used].astype(np.float64))  # rare colours keep a voice
    boxes = [np.arange(len(used))]
    while len(boxes) < _COLOURS:
        spans = [_cost(points[b], weights[b]) for b in boxes]
        widest = int(np.argmax(spans))
        if spans[widest] <= 0:
            break
        boxes[widest : widest + 1] = _halves(boxes[widest], points, weights)
    colours = [np.average(points[b], axis=0, weights=weights[b]) * 8 + 4 for b in boxes]
    return np.clip(np.rint(np.array(colours)), 0, 255).astype(np.uint8)


def _cost(points: NDArray[np.int64], weights: NDArray[np.float64]) -> float:
    extent = int((points.max(axis=0) - points.min(axis=0)).max())
    return extent * float(weights.sum()) if extent > 0 else 0.0


def _halves(
    box: NDArray[np.int64], points: NDArray[np.int64], weights: NDArray[np.float64]
) -> list[NDArray[np.int64]]:
    """Cut a box across its longest side so that both parts weigh about the same."""
    mine = points[box]
    side = int(np.argmax(mine.max(axis=0) - mine.min(axis=0)))
    order = box[np.argsort(mine[:, side], kind="stable")]
    values = points[order, side]
    share = np.cumsum(weights[order])
    cut = int(np.searchsorted(share, share[-1] / 2))
    cut = int(np.searchsorted(values, values[min(cut, len(order) - 1)], side="left"))
    if cut == 0:  # everything up to the middle has one value: cut after it
        cut = int(np.searchsorted(values, values[0], side="right"))
    return [order[:cut], order[cut:]]


def _nearest(palette: Image) -> Image:
    """The index of the nearest palette colour for every cell of the colour cube."""
    axis = np.arange(32, dtype=np.float32) * 8 + 4
    cube = np.stack(np.meshgrid(axis, axis, axis, indexing="ij"), axis=-1).reshape(-1, 3)
    colours = palette.astype(np.float32)
    out = np.empty(len(cube), dtype=np.uint8)
    for i in range(0, len(cube), 4096):
        chunk = cube[i : i + 4096]
        distance = ((chunk[:, None, :] - colours[None]) ** 2).sum(axis=2)
        out[i : i + 4096] = distance.argmin(axis=1)
    return out


@jit
def lzw(indices: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """GIF's variable-width LZW code stream (8-bit pixels) for a flat run of palette indices."""
    out = np.zeros(len(indices) * 2 + 16, dtype=np.uint8)
    keys = np.full(_SLOTS, -1, dtype=np.int64)
    codes = np.zeros(_SLOTS, dtype=np.int64)
    size = 0
    buffer, bits, width = np.int64(_CLEAR), 9, 9
    following = _END + 1
    current = np.int64(indices[0])
    for position in range(1, len(indices) + 1):
        last = position == len(indices)
        pixel = np.int64(0) if last else np.int64(indices[position])
        key = (current << 8) | pixel
        slot = key % _SLOTS
        while keys[slot] != -1 and keys[slot] != key:
            slot = (slot + 1) % _SLOTS
        if not last and keys[slot] == key:
            current = codes[slot]
            continue
        buffer |= current << bits
        bits += width
        while bits >= 8:
            out[size] = buffer & 255
            size += 1
            buffer >>= 8
            bits -= 8
        if last:
            break
        if following < 4096:
            keys[slot] = key
            codes[slot] = following
            if following == (1 << width) and width < 12:
                width += 1
            following += 1
        else:
            buffer |= _CLEAR << bits
            bits += width
            keys[:] = -1
            following = _END + 1
            width = 9
        current = pixel
    if following == (1 << width) and width < 12:
        width += 1
    buffer |= _END << bits
    bits += width
    while bits > 0:
        out[size] = buffer & 255
        size += 1
        buffer >>= 8
        bits -= 8
    return out[:size]
