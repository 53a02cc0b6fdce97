"""Unit shapes and vector helpers behind ``MeshBuilder``: computed once, cached, never changed."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from itertools import product

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "FACE_AXES",
    "Floats",
    "Ints",
    "box_template",
    "cells",
    "circle",
    "cross",
    "cushion_template",
    "reflect",
    "ring_of",
    "rotate",
    "rounded_rectangle",
    "unit",
]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

FACE_AXES = ((1, 2), (0, 2), (1, 0))
"""The axes of (u, v) on sides that face x, y and z."""


@lru_cache(maxsize=64)
def circle(n: int) -> Floats:
    """(n, 2) points of the unit circle, counter-clockwise from +x."""
    step = 2.0 * math.pi / n
    points = np.array([(math.cos(i * step), math.sin(i * step)) for i in range(n)])
    points.flags.writeable = False
    return points


def rounded_rectangle(sx: float, sy: float, radius: float, n: int = 3) -> Floats:
    """Outline of a rectangle about the origin with rounded corners of ``n`` segments each."""
    hx, hy = sx / 2 - radius, sy / 2 - radius
    points = []
    for quarter, (cx, cy) in enumerate(((hx, hy), (-hx, hy), (-hx, -hy), (hx, -hy))):
        for i in range(n + 1):
            angle = (quarter + i / n) * math.pi / 2
            points.append((cx + radius * math.cos(angle), cy + radius * math.sin(angle)))
    return np.array(points)


@lru_cache(maxsize=1)
def box_template() -> tuple[Floats, Floats, Ints, Ints]:
    """Corner signs (24, 3), face normals (24, 3), the 12 side faces and the 32 bevel faces."""
    signs: list[list[int]] = []
    normals: list[list[int]] = []
    sides: list[list[int]] = []
    index: dict[tuple[int, int, tuple[int, ...]], int] = {}
    for face in range(6):
        axis, sign = face // 2, 1 - 2 * (face % 2)
        u, v = ((1, 2), (2, 0), (0, 1))[axis]
        base = len(signs)
        corners = [(-1, -1), (1, -1), (1, 1), (-1, 1)]
        for cu, cv in corners if sign > 0 else corners[::-1]:
            p = [0, 0, 0]
            p[axis], p[u], p[v] = sign, cu, cv
            index[axis, sign, tuple(p)] = len(signs)
            signs.append(p)
            normals.append([sign if k == axis else 0 for k in range(3)])
        sides += [[base, base + 1, base + 2], [base, base + 2, base + 3]]
    s, n = np.array(signs, dtype=np.float64), np.array(normals, dtype=np.float64)
    inset = s * (1.0 - 0.2 * (1.0 - np.abs(n)))
    bevels: list[list[int]] = []

    def add(corner_ids: list[int]) -> None:
        a, b, c = (inset[i] for i in corner_ids[:3])
        outward = np.cross(b - a, c - a) @ (a + c)
        ids = corner_ids if outward > 0 else corner_ids[::-1]
        bevels.extend([ids[0], ids[i], ids[i + 1]] for i in range(1, len(ids) - 1))

    for axis in range(3):
        i, j = (k for k in range(3) if k != axis)
        for si, sj in product((-1, 1), repeat=2):
            ends = []
            for along in (-1, 1):
                p = [0, 0, 0]
                p[axis], p[i], p[j] = along, si, sj
                ends.append(tuple(p))
            add(
                [
                    index[i, si, ends[0]],
                    index[i, si, ends[1]],
                    index[j, sj, ends[1]],
                    index[j, sj, ends[0]],
                ]
            )
    for corner in product((-1, 1), repeat=3):
        add([index[axis, corner[axis], corner] for axis in range(3)])
    return s, n, np.array(sides), np.array(bevels)


@lru_cache(maxsize=32)
def cushion_template(
    nx: int, ny: int, nz: int, power: int
) -> tuple[Floats, Floats, Floats, Ints, Ints]:
    """A superellipsoid |x|^p + |y|^p + |z|^p = 1 on a cube grid: points, normals, uvs on the
    cube, the axes these are measured along, faces.

    ``power`` is 4 or 8: roots of these are exact sequences of square roots.
    """
    counts = (nx, ny, nz)
    points, uvs, faces, base = [], [], [], 0
    axes: list[Ints] = []
    for axis in range(3):
        u, v = ((1, 2), (2, 0), (0, 1))[axis]
        cu, cv = counts[u] + 1, counts[v] + 1
        gu, gv = np.meshgrid(np.linspace(-1, 1, cu), np.linspace(-1, 1, cv), indexing="ij")
        cell = np.arange(cu * cv).reshape(cu, cv)
        a, b, c, d = (
            g.ravel() for g in (cell[:-1, :-1], cell[1:, :-1], cell[1:, 1:], cell[:-1, 1:])
        )
        for sign in (1, -1):
            p = np.empty((cu * cv, 3))
            p[:, axis], p[:, u], p[:, v] = sign, gu.ravel(), gv.ravel()
            points.append(p)
            mu, mv = FACE_AXES[axis]
            uvs.append(p[:, [mu, mv]])
            axes.append(np.tile([mu, mv], (cu * cv, 1)))
            quad = np.concatenate([np.stack([a, b, c], 1), np.stack([a, c, d], 1)])
            faces.append(base + (quad if sign > 0 else quad[:, ::-1]))
            base += cu * cv
    p = np.concatenate(points)
    total = p * p
    total = total * total
    if power == 8:
        total = total * total
    root = np.sqrt(np.sqrt(total.sum(axis=1)))
    if power == 8:
        root = np.sqrt(root)
    p = p / root[:, None]
    p = p / np.abs(p).max(axis=0)
    n = p * p * p
    if power == 8:
        n = n * p * p * p * p
    return p, n, np.concatenate(uvs), np.concatenate(axes), np.concatenate(faces)


def ring_of(r: Sequence[float]) -> tuple[float, float, float, float, float]:
    return (r[0], r[0], r[1], 0.0, 0.0) if len(r) == 2 else (r[0], r[1], r[2], 0.0, 0.0)


def rotate(p: Floats, turn: Floats) -> Floats:
    """``turn`` applied to the last axis of ``p``, without BLAS (whose rounding differs by CPU)."""
    out: Floats = p[..., :1] * turn[:, 0] + p[..., 1:2] * turn[:, 1] + p[..., 2:3] * turn[:, 2]
    return out


def cross(a: Floats, b: Floats) -> Floats:
    """Cross product over the last axis; several times faster than NumPy's on small arrays."""
    out = np.empty(np.broadcast_shapes(a.shape, b.shape))
    a0, a1, a2 = a[..., 0], a[..., 1], a[..., 2]
    b0, b1, b2 = b[..., 0], b[..., 1], b[..., 2]
    out[..., 0] = a1 * b2 - a2 * b1
    out[..., 1] = a2 * b0 - a0 * b2
    out[..., 2] = a0 * b1 - a1 * b0
    return out


def reflect(v: Floats, normal: Floats) -> Floats:
    """``v`` mirrored in the plane through the origin with this (unscaled) normal."""
    length = float((normal * normal).sum())
    if length < 1e-18:
        return v
    out: Floats = v - normal * (2.0 * float((v * normal).sum()) / length)
    return out


def unit(n: Floats) -> Floats:
    length = np.sqrt((n * n).sum(axis=-1, keepdims=True))
    out: Floats = n / np.maximum(length, 1e-12)
    return out


@lru_cache(maxsize=128)
def cells(rows: int, columns: int) -> Ints:
    cell = np.arange(rows * columns).reshape(rows, columns)
    a, b, c, d = cell[:-1, :-1], cell[:-1, 1:], cell[1:, 1:], cell[1:, :-1]
    first = np.stack([a.ravel(), b.ravel(), c.ravel()], 1)
    return np.concatenate([first, np.stack([a.ravel(), c.ravel(), d.ravel()], 1)])
