"""Kernels that carry an image into a map: project, accumulate per cell, blend, compare with words.

A map is a table of vectors, one per cell that was ever seen, and ``slots`` (layers, rows, cols)
that says which row of the table belongs to a cell; row 0 belongs to none. So growth moves no
vector, and comparing costs what was seen and not what could be.

One frame is one observation: its pixels are first averaged per cell, then blended once. The
result does not depend on the order of pixels but for rounding, and that order is fixed.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from navproof.core.jit import jit, jit_inline

__all__ = [
    "accumulate",
    "blend",
    "both_hold",
    "calibrate",
    "compare",
    "patch_quality",
    "reach_of",
    "refine",
]

F32 = NDArray[np.float32]
F64 = NDArray[np.float64]
I32 = NDArray[np.int32]


@jit
def patch_quality(
    depth: F32, stride: int, edge: float, least: float, border: float, quality: F32
) -> None:
    """Multiply ``quality`` (h, w) by how much each patch shows one thing, at least ``least``.

    A patch across a jump of depth mixes what is before with what is behind. On a plane 1/z is
    affine in the image, so its second difference over one stride is zero however slanted the
    plane; the largest one in the patch, relative to 1/z, is ``e``, and the factor
    ``1 / (1 + (e/edge)²)``. Patches on the rim of the image, which see half of their
    surroundings, count ``border``.
    """
    rows, cols = depth.shape
    h, w = quality.shape
    bend = np.zeros((h, w), dtype=np.float32)
    first = stride // 2
    for v in range(first + stride, rows - stride, stride):
        i = v * h // rows
        for u in range(first + stride, cols - stride, stride):
            z = depth[v, u]
            # Written so that no reading (0), infinity and NaN are all left out.
            if not (z > 0.0 and z < 1e4):
                continue
            up, down = depth[v - stride, u], depth[v + stride, u]
            left, right = depth[v, u - stride], depth[v, u + stride]
            e = np.float32(0.0)
            # z/z₁ + z/z₂ − 2 is the second difference of 1/z relative to 1/z: scale-free, so that
            # one threshold serves all distances.
            if up > 0.0 and down > 0.0:
                e = abs(z / up + z / down - np.float32(2.0))
            if left > 0.0 and right > 0.0:
                e = max(e, abs(z / left + z / right - np.float32(2.0)))
            j = u * w // cols
            bend[i, j] = max(bend[i, j], e)
    for i in range(h):
        for j in range(w):
            e = bend[i, j] / edge
            factor = max(least, 1.0 / (1.0 + e * e))
            if i == 0 or j == 0 or i == h - 1 or j == w - 1:
                factor *= border
            quality[i, j] *= factor


@jit
def refine(features: F32, finer: F32) -> None:
    """Features (h, w, f) to ``finer`` (2h, 2w, f): bilinear between the middles of patches."""
    h, w, size_f = features.shape
    far, mixed, near = np.float32(1 / 16), np.float32(3 / 16), np.float32(9 / 16)
    for i in range(2 * h):
        here = i // 2
        beside = min(h - 1, max(0, here + 2 * (i % 2) - 1))
        for j in range(2 * w):
            at = j // 2
            side = min(w - 1, max(0, at + 2 * (j % 2) - 1))
            for k in range(size_f):
                finer[i, j, k] = (
                    near * features[here, at, k]
                    + mixed * (features[here, side, k] + features[beside, at, k])
                    + far * features[beside, side, k]
                )


@jit
def reach_of(
    depth: F32,
    stride: int,
    focal: float,
    rotation: F64,
    centre: F64,
    highest_m: float,
    max_range_m: float,
) -> tuple[float, float, float, float]:
    """(x0, x1, y0, y1) around the camera and every point of an image that a map takes."""
    rows, cols = depth.shape
    x0, x1, y0, y1 = 0.0, 0.0, 0.0, 0.0
    reach2 = max_range_m * max_range_m
    for v in range(stride // 2, rows, stride):
        b = (v + 0.5 - rows / 2.0) / focal
        for u in range(stride // 2, cols, stride):
            z = depth[v, u]
            if not (z > 0.0 and z < 1e4):
                continue
            a = (u + 0.5 - cols / 2.0) / focal
            dx = z * (a * rotation[0, 0] + b * rotation[1, 0] + rotation[2, 0])
            dy = z * (a * rotation[0, 1] + b * rotation[1, 1] + rotation[2, 1])
            dz = z * (a * rotation[0, 2] + b * rotation[1, 2] + rotation[2, 2])
            if centre[2] + dz < highest_m and dx * dx + dy * dy <= reach2:
                x0, x1 = min(x0, dx), max(x1, dx)
                y0, y1 = min(y0, dy), max(y1, dy)
    return centre[0] + x0, centre[0] + x1, centre[1] + y0, centre[1] + y1


@jit
def accumulate(
    depth: F32,
    stride: int,
    focal: float,
    rotation: F64,
    centre: F64,
    ground_m: float,
    floor_m: float,
    floor_weight: float,
    layer_m: float,
    cell_m: float,
    row0: int,
    col0: int,
    max_range_m: float,
    range_m: float,
    features: F32,
    quality: F32,
    slots: I32,
    cells: I32,
    count: int,
    place: I32,
    sums: F32,
    weights: F32,
    hits: I32,
    touched: I32,
) -> tuple[int, int]:
    """Sum the features of one image per cell; returns (rows of the table in use, cells seen).

    ``rotation`` and ``centre`` are those of ``sim.camera.world_to_camera``. A pixel takes the
    vector of the patch of ``features`` (h, w, f) that covers it, with weight
    ``quality / (1 + (z/range_m)²)²``, times ``floor_weight`` below ``floor_m``; points above the
    topmost layer or farther (horizontally) than ``max_range_m`` are left out. A cell met for the
    first time gets the next row of the table, and ``cells`` its (layer, row, column).

    Filled for each of the n cells seen: ``touched`` its row in the table, ``sums`` Σ w·f,
    ``weights`` Σ w, ``hits`` the number of pixels. ``place`` is scratch as long as the
    table, all zero before; ``blend`` clears it again.

    Neighbours in an image column mostly share patch and cell (walls, fronts of furniture), so
    weights are added up along such runs, and the vector is added once per run.
    """
    rows, cols = depth.shape
    h, w, size_f = features.shape
    layers, map_rows, map_cols = slots.shape
    first = stride // 2
    n = 0
    reach2 = max_range_m * max_range_m
    for u in range(first, cols, stride):
        a = (u + 0.5 - cols / 2.0) / focal
        j = u * w // cols
        run_slot, run_i, run_w, run_n = 0, -1, np.float32(0.0), 0
        v = first
        while True:
            slot, i, weight = 0, -1, np.float32(0.0)
            if v < rows:
                z = depth[v, u]
                if z > 0.0 and z < 1e4:
                    b = (v + 0.5 - rows / 2.0) / focal
                    dx = z * (a * rotation[0, 0] + b * rotation[1, 0] + rotation[2, 0])
                    dy = z * (a * rotation[0, 1] + b * rotation[1, 1] + rotation[2, 1])
                    dz = z * (a * rotation[0, 2] + b * rotation[1, 2] + rotation[2, 2])
                    tall = centre[2] + dz - ground_m
                    i = v * h // rows
                    part = quality[i, j]
                    low = tall < floor_m
                    if low:
                        part *= floor_weight
                    layer = 0 if low else int(tall / layer_m)
                    if part > 0.0 and layer < layers and dx * dx + dy * dy <= reach2:
                        c = int(np.floor((centre[0] + dx) / cell_m)) - col0
                        r = int(np.floor((centre[1] + dy) / cell_m)) - row0
                        if 0 <= r < map_rows and 0 <= c < map_cols:
                            slot = slots[layer, r, c]
                            if slot == 0:
                                slot = count
                                count += 1
                                slots[layer, r, c] = slot
                                cells[slot, 0] = layer
                                cells[slot, 1] = r
                                cells[slot, 2] = c
                            near = 1.0 / (1.0 + (z / range_m) * (z / range_m))
                            weight = np.float32(part * near * near)
            if slot == run_slot and i == run_i:
                run_w += weight
                run_n += 1
            else:
                if run_slot > 0:
                    at = place[run_slot] - 1
                    if at < 0:
                        at = n
                        n += 1
                        place[run_slot] = n
                        touched[at] = run_slot
                        weights[at] = 0.0
                        hits[at] = 0
                        for k in range(size_f):
                            sums[at, k] = 0.0
                    weights[at] += run_w
                    hits[at] += run_n
                    for k in range(size_f):
                        sums[at, k] += run_w * features[run_i, j, k]
                run_slot, run_i, run_w, run_n = slot, i, weight, 1
            if v >= rows:
                break
            v += stride
    return count, n


@jit
def blend(
    n: int,
    per_pixel: bool,
    cap: float,
    frame: int,
    touched: I32,
    sums: F32,
    weights: F32,
    hits: I32,
    place: I32,
    table: F32,
    total: F32,
    norms: F32,
    stamps: I32,
) -> None:
    """Blend what ``accumulate`` summed into the running means of ``table``.

    The frame's mean of a cell, f = Σ w·f / Σ w, comes with weight c = Σ w / hits (one frame, one
    observation) or, ``per_pixel``, Σ w: F ← (C·F + c·f) / (C + c), C ← min(C + c, cap).
    ``norms`` keeps |F|, ``stamps`` the number of the frame.
    """
    size_f = table.shape[1]
    for at in range(n):
        slot = touched[at]
        place[slot] = 0
        c = weights[at] if per_pixel else weights[at] / np.float32(hits[at])
        old = total[slot]
        # Means are kept rather than sums, so that a capped weight lets old frames fade.
        keep = old / (old + c)
        take = c / (old + c) / weights[at]
        for k in range(size_f):
            table[slot, k] = keep * table[slot, k] + take * sums[at, k]
        total[slot] = min(np.float32(cap), old + c)
        stamps[slot] = frame
        s0, s1, s2, s3 = np.float32(0.0), np.float32(0.0), np.float32(0.0), np.float32(0.0)
        for k in range(0, size_f - 3, 4):
            s0 += table[slot, k] * table[slot, k]
            s1 += table[slot, k + 1] * table[slot, k + 1]
            s2 += table[slot, k + 2] * table[slot, k + 2]
            s3 += table[slot, k + 3] * table[slot, k + 3]
        for k in range(size_f - size_f % 4, size_f):
            s0 += table[slot, k] * table[slot, k]
        norms[slot] = np.sqrt((s0 + s1) + (s2 + s3))


@jit
def compare(table: F32, norms: F32, texts: F32, which: I32, cells: I32, scores: F32) -> None:
    """Write cos(cell, text) of the rows ``which`` into ``scores`` (k, layers, rows, cols).

    ``texts`` (k, f) are unit vectors. Sums run in four lanes: strict arithmetic may not reorder a
    single one, and would wait for every addition.
    """
    size_f = table.shape[1]
    for at in range(which.size):
        slot = which[at]
        norm = norms[slot]
        layer, r, c = cells[slot, 0], cells[slot, 1], cells[slot, 2]
        for q in range(texts.shape[0]):
            s0, s1, s2, s3 = np.float32(0.0), np.float32(0.0), np.float32(0.0), np.float32(0.0)
            for k in range(0, size_f - 3, 4):
                s0 += table[slot, k] * texts[q, k]
                s1 += table[slot, k + 1] * texts[q, k + 1]
                s2 += table[slot, k + 2] * texts[q, k + 2]
                s3 += table[slot, k + 3] * texts[q, k + 3]
            for k in range(size_f - size_f % 4, size_f):
                s0 += table[slot, k] * texts[q, k]
            dot = (s0 + s1) + (s2 + s3)
            scores[q, layer, r, c] = dot / norm if norm > 0.0 else np.float32(0.0)


@jit_inline
def _chance(cosine: float, scale: float, bias: float) -> float:
    return float(1.0 / (1.0 + np.exp(-min(30.0, max(-30.0, scale * cosine + bias)))))


@jit
def calibrate(cosines: F32, scale: float, bias: float, unknown: float, out: F32) -> None:
    """The probability that each cosine (layers, rows, cols) stands for; ``unknown`` stays."""
    layers, rows, cols = cosines.shape
    for k in range(layers):
        for r in range(rows):
            for c in range(cols):
                cosine = cosines[k, r, c]
                is_known = cosine != unknown
                out[k, r, c] = _chance(cosine, scale, bias) if is_known else unknown


@jit
def both_hold(
    target: F32, support: F32, scale: float, bias: float, unknown: float, out: F32
) -> None:
    """√(p(target)·p(support)) of each cell, 0 where the support is ``unknown``."""
    layers, rows, cols = target.shape
    for k in range(layers):
        for r in range(rows):
            for c in range(cols):
                if target[k, r, c] == unknown:
                    out[k, r, c] = unknown
                elif support[k, r, c] == unknown:
                    out[k, r, c] = 0.0
                else:
                    p = _chance(target[k, r, c], scale, bias)
                    out[k, r, c] = np.sqrt(p * _chance(support[k, r, c], scale, bias))
