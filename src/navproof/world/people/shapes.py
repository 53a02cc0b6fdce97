"""Rounded limbs from stacked ellipses, with the bones that carry each ring."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["Carried", "Ring", "ShapeBuilder", "Shapes"]

F64 = NDArray[np.float64]
Carried = tuple[int, int, float]
"""(bone, other bone, share of the first)."""


@dataclass(frozen=True, slots=True)
class Ring:
    """A level ellipse about (x, y, z) with half axes ``rx`` (front to back) and ``ry``."""

    z: float
    rx: float
    ry: float
    carried: Carried
    x: float = 0.0
    y: float = 0.0


@dataclass(frozen=True, eq=False)
class Shapes:
    """A body standing upright: vertices with their normals and bones, faces with their colours."""

    vertices: F64  # (v, 3)
    normals: F64  # (v, 3)
    bones: NDArray[np.int64]  # (v, 2)
    shares: F64  # (v,) of the first bone
    faces: NDArray[np.int32]  # (f, 3)
    colours: tuple[str, ...]  # per face
    two_sided: NDArray[np.bool_]  # (f,)


Paint = str | Callable[[float, float, float], str | None]
"""A colour for all, or for the face whose middle is (x, y, z); None leaves the face out."""


class ShapeBuilder:
    """Collects parts. Those given ``mirror`` get a twin on the right side (y < 0), whose bones
    are the given ones + 1."""

    def __init__(self) -> None:
        self._vertices: list[F64] = []
        self._normals: list[F64] = []
        self._carried: list[Carried] = []
        self._faces: list[tuple[int, int, int]] = []
        self._colours: list[str] = []
        self._two_sided: list[bool] = []

    def loft(
        self,
        rings: Sequence[Ring],
        paint: Paint,
        around: int | Sequence[float] = 8,
        *,
        caps: tuple[bool, bool] = (True, True),
        two_sided: bool = False,
        square: float = 2.0,
    ) -> None:
        """Rings from the lowest to the highest, of ``around`` corners (their number, or their
        angles from the front in degrees). ``square`` > 2 makes rings more like rectangles
        (|x|^n + |y|^n = 1)."""
        angles = [360.0 * j / around for j in range(around)] if isinstance(around, int) else around
        segments = len(angles)
        points: list[tuple[float, float, float]] = []
        carried: list[Carried] = []
        for ring in rings:
            for angle in angles:
                c, s = math.cos(math.radians(angle)), math.sin(math.radians(angle))
                size = (abs(c) ** square + abs(s) ** square) ** (-1.0 / square)
                points.append((ring.x + ring.rx * size * c, ring.y + ring.ry * size * s, ring.z))
                carried.append(ring.carried)
        faces: list[tuple[int, int, int]] = []  # the two halves of a side follow each other
        for i in range(len(rings) - 1):
            for j in range(segments):
                a, b = i * segments + j, i * segments + (j + 1) % segments
                faces += [(a, b, b + segments), (a, b + segments, a + segments)]
        for wanted, ring, base, low in (
            (caps[0], rings[0], 0, True),
            (caps[1], rings[-1], (len(rings) - 1) * segments, False),
        ):
            if not wanted:
                continue
            middle = len(points)
            points.append((ring.x, ring.y, ring.z))
            carried.append(ring.carried)
            for j in range(segments):
                a, b = base + j, base + (j + 1) % segments
                faces.append((middle, b, a) if low else (middle, a, b))
        sides = 2 * (len(rings) - 1) * segments
        self._add(np.array(points), carried, faces, paint, two_sided, sides)

    def ball(
        self,
        centre: tuple[float, float, float],
        radii: tuple[float, float, float],
        bone: int,
        paint: Paint,
        segments: int = 8,
        levels: int = 5,
        *,
        two_sided: bool = False,
    ) -> None:
        """An ellipsoid of ``levels`` rings between its poles."""
        rings = []
        for i in range(levels):
            polar = math.pi * (i + 1) / (levels + 1)
            z, r = -math.cos(polar), math.sin(polar)
            at = (centre[2] + radii[2] * z, radii[0] * r, radii[1] * r)
            rings.append(Ring(*at, (bone, bone, 1.0), centre[0], centre[1]))
        before = len(self._vertices)
        self.loft(rings, paint, segments, two_sided=two_sided)
        poles = self._vertices[before]
        poles[-2] = (centre[0], centre[1], centre[2] - radii[2])
        poles[-1] = (centre[0], centre[1], centre[2] + radii[2])
        out = (poles - np.array(centre)) / np.square(np.array(radii))
        self._normals[before] = out / np.sqrt((out * out).sum(axis=1, keepdims=True))

    def patch(self, corners: Sequence[tuple[float, float, float]], bone: int, colour: str) -> None:
        """A flat polygon, counter-clockwise seen from the front."""
        faces = [(0, i, i + 1) for i in range(1, len(corners) - 1)]
        carried: list[Carried] = [(bone, bone, 1.0)] * len(corners)
        self._add(np.array(corners), carried, faces, colour, False)

    def mirrored(self, since: int) -> None:
        """Repeat every part from part number ``since`` on, on the other side."""
        base = [sum(len(v) for v in self._vertices[:k]) for k in range(len(self._vertices) + 1)]
        first, last = base[since], base[-1]
        carried = self._carried[first:last]
        copied = [k for k, f in enumerate(self._faces) if first <= f[0] < last]
        for part in range(since, len(base) - 1):
            self._vertices.append(self._vertices[part] * (1.0, -1.0, 1.0))
            self._normals.append(self._normals[part] * (1.0, -1.0, 1.0))
        self._carried += [(a + 1 if a > 2 else a, b + 1 if b > 2 else b, w) for a, b, w in carried]
        for k in copied:
            a, b, c = (i + last - first for i in self._faces[k])
            self._faces.append((a, c, b))
            self._colours.append(self._colours[k])
            self._two_sided.append(self._two_sided[k])

    def carry_skirt(self, hem_z: float, waist_z: float, left: int, right: int) -> None:
        """Let the last part go along with the thighs: the more, the lower and further to the side
        its vertices are."""
        points = self._vertices[-1]
        first = len(self._carried) - len(points)
        for k, (_, y, z) in enumerate(points.tolist()):
            low = min(1.0, max(0.0, (waist_z - z) / (waist_z - hem_z)))
            share = 0.75 * low * min(1.0, abs(y) / 0.12)
            waist = self._carried[first + k][0]
            self._carried[first + k] = (left if y > 0 else right, waist, share)

    @property
    def parts(self) -> int:
        return len(self._vertices)

    def build(self) -> Shapes:
        return Shapes(
            np.concatenate(self._vertices),
            np.concatenate(self._normals),
            np.array([(a, b) for a, b, _ in self._carried], dtype=np.int64),
            np.array([w for _, _, w in self._carried]),
            np.array(self._faces, dtype=np.int32),
            tuple(self._colours),
            np.array(self._two_sided, dtype=np.bool_),
        )

    def _add(
        self,
        points: F64,
        carried: list[Carried],
        faces: list[tuple[int, int, int]],
        paint: Paint,
        two_sided: bool,
        sides: int = 0,
    ) -> None:
        """The first ``sides`` faces are halves of quadrilaterals, painted as one."""
        base = sum(len(v) for v in self._vertices)
        normals = np.zeros_like(points)
        for n, (a, b, c) in enumerate(faces):
            each = np.cross(points[b] - points[a], points[c] - points[a])
            for k in (a, b, c):
                normals[k] += each
            corners = faces[n - n % 2][:2] + faces[n - n % 2 + 1][1:] if n < sides else (a, b, c)
            x, y, z = points[list(corners)].mean(axis=0).tolist()
            colour = paint if isinstance(paint, str) else paint(x, y, z)
            if colour is not None:
                self._faces.append((a + base, b + base, c + base))
                self._colours.append(colour)
                self._two_sided.append(two_sided)
        length = np.sqrt((normals * normals).sum(axis=1, keepdims=True))
        self._vertices.append(points)
        self._normals.append(normals / np.maximum(length, 1e-12))
        self._carried += carried
