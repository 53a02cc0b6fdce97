"""The layout of the lightmap: which rectangles get texels, where these lie, and what they stand
for.

Rectangles of one plane and room that touch share one chart, so that light is continuous over their
seams. A chart's outermost samples lie on its edges, and a gutter of one repeated texel surrounds
it, so that bilinear sampling never reads another chart.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from navproof.core.jit import jit
from navproof.core.types import FIRST_OBJECT_ID
from navproof.world.scene import Geometry

__all__ = ["Atlas", "build_atlas", "smooth"]

_TEXEL_M = 0.09  # on floors; walls are coarser, ceilings more so
_WALL_TEXEL_M = 0.13
_CEILING_TEXEL_M = 0.15
_STRIP_M = 0.1  # a side shorter than this is one sample wide
_INSET_M = 0.025  # samples keep this far from a chart's edge, where walls meet
_MIN_THING_M2 = 0.15  # object faces from this area on get texels of their own
_WIDTH = 512
Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Atlas:
    """Texels row by row: world position, normal, chart (−1 = unused) and face of origin."""

    height: int
    width: int
    positions: Floats  # (h·w, 3)
    normals: Floats  # (h·w, 3)
    chart: NDArray[np.int32]  # (h·w,)
    face: NDArray[np.int32]  # (h·w,) a face of the chart, −1 = unused
    light_uvs: NDArray[np.float32]  # (v, 2)
    mapped: NDArray[np.bool_]  # (f,)


@dataclass(frozen=True)
class _Chart:
    quads: list[int]  # first faces
    origin: Floats
    u: Floats
    v: Floats
    normal: Floats
    length: tuple[float, float]

    @property
    def samples(self) -> tuple[int, int]:
        """Samples along u and v."""
        up = float(self.normal[2])
        texel = _TEXEL_M if up > 0.5 else _CEILING_TEXEL_M if up < -0.5 else _WALL_TEXEL_M
        a, b = (1 if x < _STRIP_M else max(2, math.ceil(x / texel) + 1) for x in self.length)
        return a, b

    @property
    def size(self) -> tuple[int, int]:
        """Texels along u and v: the samples and their gutter (a single one needs none)."""
        a, b = (n + 2 if n > 1 else 1 for n in self.samples)
        return a, b


def build_atlas(geometry: Geometry) -> Atlas:
    """Charts for all rectangles of the structure and for large ones of objects."""
    charts = _charts(geometry)
    sizes = [chart.size for chart in charts]
    order = sorted(range(len(charts)), key=lambda k: (-sizes[k][1], -sizes[k][0], k))
    places, width, height = _shelves([sizes[k] for k in order])
    texels = height * width
    positions, normals = np.zeros((texels, 3)), np.zeros((texels, 3))
    chart_of = np.full(texels, -1, dtype=np.int32)
    face_of = np.full(texels, -1, dtype=np.int32)
    light_uvs = np.zeros((len(geometry.vertices), 2), dtype=np.float32)
    mapped = np.zeros(len(geometry.faces), dtype=np.bool_)
    vertices = geometry.vertices.astype(np.float64)
    for number, (left, top) in zip(order, places, strict=True):
        chart = charts[number]
        (nu, nv), (lu, lv) = chart.samples, chart.length
        su, sv = (_stations(n, length) for n, length in ((nu, lu), (nv, lv)))
        grid = chart.origin + su[None, :, None] * chart.u + sv[:, None, None] * chart.v
        cells = (top + np.arange(len(sv)))[:, None] * width + left + np.arange(len(su))[None, :]
        positions[cells] = grid
        normals[cells] = chart.normal
        chart_of[cells] = number
        face_of[cells] = chart.quads[0]
        for quad in chart.quads:
            corners = [*geometry.faces[quad], geometry.faces[quad + 1, 2]]
            offset = vertices[corners] - chart.origin
            along = offset @ chart.u / (lu or 1.0), offset @ chart.v / (lv or 1.0)
            light_uvs[corners, 0] = left + (1.5 + along[0] * (nu - 1) if nu > 1 else 0.5)
            light_uvs[corners, 1] = top + (1.5 + along[1] * (nv - 1) if nv > 1 else 0.5)
            mapped[quad : quad + 2] = True
    return Atlas(height, width, positions, normals, chart_of, face_of, light_uvs, mapped)


def _stations(n: int, length: float) -> Floats:
    """Where the samples lie along a side, the gutter's repeated ones included."""
    if n == 1:
        return np.full(1, length / 2)
    inset = min(_INSET_M, 0.3 * length)
    inner = np.clip(np.arange(n) * (length / (n - 1)), inset, length - inset)
    return np.concatenate([inner[:1], inner, inner[-1:]])


def _shelves(sizes: Sequence[tuple[int, int]]) -> tuple[list[tuple[int, int]], int, int]:
    """Pack rectangles, given by falling height, into rows: their places, and the whole size."""
    width = max([_WIDTH, *(w for w, _ in sizes)])
    places, x, y, row = [], 0, 0, 0
    for w, h in sizes:
        if x + w > width:
            x, y, row = 0, y + row, 0
        places.append((x, y))
        x, row = x + w, max(row, h)
    return places, width, max(1, y + row)


# -------------------------------------------------------------------------------------- charts
def _charts(geometry: Geometry) -> list[_Chart]:
    quads, corners = _rectangles(geometry)
    structure = geometry.face_instance[quads] < FIRST_OBJECT_ID
    charts = [
        _chart([int(q)], c[None])
        for q, c in zip(quads[~structure], corners[~structure], strict=True)
    ]
    planes: dict[tuple[Any, ...], list[int]] = {}
    for k in np.flatnonzero(structure):
        a, b, _, d = corners[k]
        normal = _normal(b - a, d - a)
        face = quads[k]
        key = (
            int(geometry.face_room[face]),
            int(geometry.face_material[face]),
            *(round(float(x), 3) for x in normal),
            round(float(normal @ a), 3),
        )
        planes.setdefault(key, []).append(int(k))
    for members in planes.values():
        for group in _touching(corners[members]):
            chosen = [members[i] for i in group]
            charts.append(_chart([int(quads[i]) for i in chosen], corners[chosen]))
    return charts


def _rectangles(geometry: Geometry) -> tuple[NDArray[np.int64], Floats]:
    """First faces of the rectangles to map, (n,), and their corners, (n, 4, 3)."""
    faces = geometry.faces
    if len(faces) < 2:
        return np.zeros(0, dtype=np.int64), np.zeros((0, 4, 3))
    first, second = faces[:-1], faces[1:]
    pair = (first[:, 0] == second[:, 0]) & (first[:, 2] == second[:, 1])
    start = np.flatnonzero(pair & (geometry.face_instance[:-1] == geometry.face_instance[1:]))
    index = np.column_stack([first[start], second[start, 2]])
    corners = geometry.vertices[index].astype(np.float64)
    a, b, c, d = (corners[:, k] for k in range(4))
    u, v = b - a, d - a
    lu, lv = np.sqrt((u * u).sum(axis=1)), np.sqrt((v * v).sum(axis=1))
    flat = np.abs(a + c - b - d).max(axis=1) < 2e-3
    square = np.abs((u * v).sum(axis=1)) < 0.01 * lu * lv
    large = (geometry.face_instance[start] < FIRST_OBJECT_ID) | (
        (lu * lv >= _MIN_THING_M2) & (np.minimum(lu, lv) > 0.12)
    )
    plain = (~geometry.face_two_sided[start]) & (lu > 1e-3) & (lv > 1e-3)
    good = np.flatnonzero(flat & square & large & plain)
    kept, last = [], -2
    for k in good:
        if start[k] > last + 1:
            kept.append(k)
            last = int(start[k])
    return start[kept], corners[kept]


def _touching(corners: Floats) -> list[list[int]]:
    """Groups of rectangles (n, 4, 3) of one plane whose bounding boxes touch."""
    low, high = corners.min(axis=1) - 1e-3, corners.max(axis=1) + 1e-3
    group = list(range(len(corners)))
    for i in range(len(corners)):
        near = np.flatnonzero((low[i] <= high[:i]).all(axis=1) & (low[:i] <= high[i]).all(axis=1))
        for j in near:
            old, new = group[i], group[int(j)]
            if old != new:
                group = [new if g == old else g for g in group]
    return [[i for i, g in enumerate(group) if g == k] for k in sorted(set(group))]


def _normal(u: Floats, v: Floats) -> Floats:
    """The unit vector along u × v."""
    (a, b, c), (d, e, f) = u.tolist(), v.tolist()
    x, y, z = b * f - c * e, c * d - a * f, a * e - b * d
    length = math.sqrt(x * x + y * y + z * z)
    return np.array([x / length, y / length, z / length])


def _chart(quads: list[int], corners: Floats) -> _Chart:
    """The common frame of coplanar rectangles: along the first one's sides."""
    a, b, d = corners[0, 0], corners[0, 1], corners[0, 3]
    u, v = b - a, d - a
    u = u / math.sqrt(float(u @ u))
    v = v / math.sqrt(float(v @ v))
    offset = corners.reshape(-1, 3) - a
    along_u, along_v = offset @ u, offset @ v
    origin = a + along_u.min() * u + along_v.min() * v
    size = float(along_u.max() - along_u.min()), float(along_v.max() - along_v.min())
    normal = _normal(u, v)
    if size[1] > size[0]:  # lying charts pack more tightly
        u, v, size = v, u, (size[1], size[0])
    return _Chart(quads, origin, u, v, normal, size)


@jit
def smooth(
    values: NDArray[np.float64], chart: NDArray[np.int32], height: int, width: int
) -> NDArray[np.float64]:
    """A 3 × 3 binomial mean of the texels' values (h·w,) within their charts."""
    half = values.copy()
    for k in range(height * width):
        if chart[k] >= 0:
            column = k % width
            left = k - 1 if column > 0 and chart[k - 1] == chart[k] else k
            right = k + 1 if column < width - 1 and chart[k + 1] == chart[k] else k
            half[k] = 0.25 * values[left] + 0.5 * values[k] + 0.25 * values[right]
    out = half.copy()
    for k in range(height * width):
        if chart[k] >= 0:
            up = k - width if k >= width and chart[k - width] == chart[k] else k
            down = k + width if k + width < height * width and chart[k + width] == chart[k] else k
            out[k] = 0.25 * half[up] + 0.5 * half[k] + 0.25 * half[down]
    return out
