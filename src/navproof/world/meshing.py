"""Building small meshes from solids: boxes, lofts, tubes, cushions and sheets.

Every primitive is a few NumPy operations on a cached unit template, so that a piece of furniture
takes well under a millisecond or two. Trigonometry goes through ``math`` and stored coordinates
are rounded, so that the bytes are the same on every machine.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import numpy as np

from navproof.core.types import Point
from navproof.world.model import Mesh
from navproof.world.scene import Material
from navproof.world.shapes import (
    FACE_AXES,
    Floats,
    Ints,
    box_template,
    cells,
    circle,
    cross,
    cushion_template,
    reflect,
    ring_of,
    rotate,
    rounded_rectangle,
    unit,
)
from navproof.world.textures.library import TEXTURE_SIZE_M

__all__ = ["Floats", "MeshBuilder", "circle", "rounded_rectangle"]

Outline = Sequence[tuple[float, float]] | Floats

_SIDES = ("+x", "-x", "+y", "-y", "+z", "-z")
_GRAINED = frozenset({"wood", "painted_wood", "dark_wood", "pine", "metal"})
_CREASE = 0.72  # neighbouring segments whose normals agree more than this are shaded as one


class MeshBuilder:
    """Collects primitives under a current material and a stack of rigid transforms.

    Positions are metres in the current frame; uvs are metric and divided by the size of the
    current texture. Grain (along u) follows the longer side of each face; other textures stand
    upright on the sides and run from front to back on the top. ``zoom`` scales every texture.
    """

    def __init__(self) -> None:
        self._parts: list[tuple[Floats, Floats, Floats, Ints, int, bool]] = []
        self._materials: dict[Material, int] = {}
        self._material = -1
        self._texture_m = 1.0
        self._grained = False
        self.zoom = 1.0
        self._frame: tuple[Floats, Floats] | None = None
        self._shift = 0.0

    # ------------------------------------------------------------------ state
    def use(self, material: Material) -> MeshBuilder:
        """Make ``material`` the current one for the shapes that follow."""
        self._material = self._materials.setdefault(material, len(self._materials))
        self._texture_m = TEXTURE_SIZE_M.get(material.texture, 1.0) * self.zoom
        self._grained = material.texture in _GRAINED
        return self

    @contextmanager
    def at(
        self,
        x: float = 0.0,
        y: float = 0.0,
        z: float = 0.0,
        yaw: float = 0.0,
        pitch: float = 0.0,
        roll: float = 0.0,
    ) -> Iterator[MeshBuilder]:
        """A frame at (x, y, z), turned by Rz(yaw) Ry(pitch) Rx(roll), radians, within this one."""
        before = self._frame
        cy, sy, cp, sp = math.cos(yaw), math.sin(yaw), math.cos(pitch), math.sin(pitch)
        cr, sr = math.cos(roll), math.sin(roll)
        turn = np.array(
            [
                [cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr],
                [sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr],
                [-sp, cp * sr, cp * cr],
            ]
        )
        move = np.array([x, y, z])
        if before is not None:
            turn, move = rotate(turn.T, before[0]).T, rotate(move, before[0]) + before[1]
        self._frame = (turn, move)
        try:
            yield self
        finally:
            self._frame = before

    # ------------------------------------------------------------------ primitives
    def box(
        self,
        x: float,
        y: float,
        z: float,
        sx: float,
        sy: float,
        sz: float,
        bevel: float = 0.0,
        skip: Sequence[str] = (),
    ) -> None:
        """A box centred at (x, y) with its bottom at z. ``bevel`` rounds its edges (44 triangles
        instead of 12); ``skip`` leaves sides out ("-z", "+x", …)."""
        signs, normals, sides, bevels = box_template()
        size = (sx, sy, sz)
        half = np.array([sx / 2, sy / 2, sz / 2])
        bevel = min(bevel, 0.49 * min(size))
        points = signs * half if bevel <= 0 else signs * (half - bevel * (1.0 - np.abs(normals)))
        uv = np.empty((24, 2))
        for axis in range(3):
            u, v = FACE_AXES[axis]
            if self._grained and size[v] > size[u]:
                u, v = v, u
            rows = slice(axis * 8, axis * 8 + 8)
            uv[rows, 0], uv[rows, 1] = points[rows, u], points[rows, v]
        if self._grained:
            self._shift = (self._shift + 0.377) % 8.0
            uv += self._shift
        else:
            uv[:16, 1] *= -1.0
        if skip:
            keep = [i for i, name in enumerate(_SIDES) if name not in skip]
            sides = sides.reshape(6, 2, 3)[keep].reshape(-1, 3)
        faces = sides if bevel <= 0 else np.concatenate([sides, bevels])
        self._add(points + np.array([x, y, z + sz / 2]), normals, uv, faces)

    def cushion(
        self,
        x: float,
        y: float,
        z: float,
        sx: float,
        sy: float,
        sz: float,
        grid: tuple[int, int, int] = (4, 4, 2),
        power: int = 4,
    ) -> None:
        """A puffy rounded box (superellipsoid of ``power`` 4 or 8), bottom at z."""
        points, normals, uv, axes, faces = cushion_template(*grid, power)
        half = np.array([sx / 2, sy / 2, sz / 2])
        n = normals / half
        n = n / np.sqrt((n * n).sum(axis=1, keepdims=True))
        self._add(points * half + np.array([x, y, z + sz / 2]), n, uv * half[axes], faces)

    def loft(
        self,
        outline: Outline,
        rings: Sequence[tuple[float, ...]],
        smooth: bool = True,
        centre: tuple[float, float] = (0.0, 0.0),
        image: bool = False,
    ) -> None:
        """A closed ``outline`` (counter-clockwise, (k, 2)) swept through ``rings``.

        A ring is (scale, z), (scale_x, scale_y, z) or (scale_x, scale_y, z, dx, dy). Listed from
        the bottom up the sides face outward; listed downward they face inward. Scale 0 closes.
        Nearly level parts (caps, rims) are textured from above instead of around.
        With ``smooth`` false the corners of the outline stay sharp. ``image`` wraps the texture
        once around and once over the height instead of metrically.
        """
        shape = np.asarray(outline, dtype=np.float64)
        ring = np.array([r if len(r) == 5 else ring_of(r) for r in rings])
        if smooth:
            shape = np.concatenate([shape, shape[:1]])
            tangent = np.empty_like(shape)
            tangent[1:-1] = shape[2:] - shape[:-2]
            tangent[0] = tangent[-1] = shape[1] - shape[-2]
            edges = np.arange(len(shape) - 1)
        else:
            nxt = np.roll(shape, -1, axis=0)
            tangent = np.repeat(nxt - shape, 2, axis=0)
            shape = np.stack([shape, nxt], axis=1).reshape(-1, 2)
            edges = np.arange(0, len(shape), 2)
        k, s = len(shape), len(ring) - 1
        spread = float(np.abs(shape).max())
        p = np.empty((s + 1, k, 3))
        p[..., 0] = shape[:, 0] * ring[:, None, 0] + ring[:, None, 3]
        p[..., 1] = shape[:, 1] * ring[:, None, 1] + ring[:, None, 4]
        p[..., 2] = ring[:, None, 2]
        scale = np.maximum(ring[:-1, :2], ring[1:, :2])
        t = np.zeros((s, k, 3))
        t[..., :2] = tangent * scale[:, None, :]
        n = unit(cross(t, p[1:] - p[:-1]))
        pair = np.stack([n, n], axis=1)
        if s > 1:
            agree = (n[1:] * n[:-1]).sum(axis=2, keepdims=True) > _CREASE
            mean = unit(n[1:] + n[:-1])
            pair[:-1, 1] = np.where(agree, mean, n[:-1])
            pair[1:, 0] = np.where(agree, mean, n[1:])
        v = np.stack([p[:-1], p[1:]], axis=1)
        around = np.zeros(k)
        step = np.sqrt(((shape[1:] - shape[:-1]) ** 2).sum(axis=1))
        around[1:] = np.cumsum(step)
        d = p[1:, 0] - p[:-1, 0]
        along = np.zeros(s + 1)
        along[1:] = np.cumsum(np.sqrt((d * d).sum(axis=1)))
        uv = np.empty((s, 2, k, 2))
        if image:
            uv[..., 0] = (around / around[-1]) * self._texture_m
            along = along / along[-1] * self._texture_m
        else:
            uv[..., 0] = around * float(np.abs(ring[:, :2]).max())
        uv[..., 1] = -np.stack([along[:-1], along[1:]], axis=1)[:, :, None]
        level = (
            np.abs(ring[1:, 2] - ring[:-1, 2]) < 0.25 * np.abs(ring[1:, 0] - ring[:-1, 0]) * spread
        )
        if not image and level.any():
            uv[level] = v[level][..., :2]
        base = np.arange(s)[:, None] * (2 * k) + edges[None, :]
        a, b, c, e = base.ravel(), (base + 1).ravel(), (base + k + 1).ravel(), (base + k).ravel()
        faces = np.concatenate([np.stack([a, b, c], 1), np.stack([a, c, e], 1)])
        points = v.reshape(-1, 3)
        points[:, :2] += centre
        self._add(points, pair.reshape(-1, 3), uv.reshape(-1, 2), faces)

    def lathe(
        self,
        profile: Sequence[tuple[float, float]],
        n: int = 12,
        x: float = 0.0,
        y: float = 0.0,
        sx: float = 1.0,
        sy: float = 1.0,
    ) -> None:
        """Revolve (radius, z) points about z: bottom axis, outwards, up, and in again."""
        self.loft(circle(n), [(r * sx, r * sy, z) for r, z in profile], centre=(x, y))

    def cylinder(
        self,
        x: float,
        y: float,
        z: float,
        radius: float,
        height: float,
        n: int = 10,
        top: float | None = None,
        caps: str = "both",
    ) -> None:
        """A cylinder, or a cone frustum with radius ``top``; ``caps``: both, top, bottom, none."""
        end = radius if top is None else top
        profile = [(radius, z), (end, z + height)]
        if caps in ("both", "bottom") and radius > 0:
            profile.insert(0, (0.0, z))
        if caps in ("both", "top") and end > 0:
            profile.append((0.0, z + height))
        self.lathe(profile, n, x, y)

    def sphere(
        self, x: float, y: float, z: float, rx: float, ry: float, rz: float, n: int = 10, m: int = 6
    ) -> None:
        """An ellipsoid centred at (x, y, z)."""
        rings = []
        for i in range(m + 1):
            angle = math.pi * i / m
            r = math.sin(angle) if 0 < i < m else 0.0
            rings.append((r * rx, r * ry, z - rz * math.cos(angle)))
        self.loft(circle(n), rings, centre=(x, y))

    def extrude(self, outline: Outline, z0: float, z1: float, smooth: bool = False) -> None:
        """A prism over a counter-clockwise outline that is star-shaped about its mean point."""
        shape = np.asarray(outline, dtype=np.float64)
        cx, cy = (float(c) for c in shape.mean(axis=0))
        self.loft(
            shape - np.array([cx, cy]),
            [(0.0, z0), (1.0, z0), (1.0, z1), (0.0, z1)],
            smooth=smooth,
            centre=(cx, cy),
        )

    def tube(
        self,
        path: Sequence[tuple[float, float, float]],
        radius: float | Sequence[float],
        n: int = 6,
        closed: bool = False,
        caps: bool = True,
    ) -> None:
        """A round bar along a path of points (parallel-transported frames, mitred joints)."""
        p = np.asarray(path, dtype=np.float64)
        count = len(p)
        ahead = np.roll(p, -1, axis=0) - p
        direction = np.empty_like(p)
        behind = np.roll(ahead, 1, axis=0)
        direction[:] = unit(unit(ahead) + unit(behind))
        if not closed:
            direction[0], direction[-1] = unit(ahead[:1])[0], unit(behind[-1:])[0]
        first = direction[0]
        helper = np.zeros(3)
        helper[int(np.argmin(np.abs(np.round(first, 9))))] = 1.0
        sides = np.empty_like(p)
        side = unit(cross(first, helper)[None])[0]
        sides[0] = side
        for i in range(1, count):  # rotation-minimising frames by double reflection (Wang 2008)
            side = reflect(side, p[i] - p[i - 1])
            turned = reflect(direction[i - 1], p[i] - p[i - 1])
            side = reflect(side, direction[i] - turned)
            sides[i] = side
        up = cross(direction, sides)
        c = circle(n)
        c = np.concatenate([c, c[:1]])
        normal = sides[:, None] * c[None, :, :1] + up[:, None] * c[None, :, 1:]
        radii = np.broadcast_to(np.asarray(radius, dtype=np.float64), (count,))
        offset = normal * radii[:, None, None]
        bend = unit(unit(behind) - unit(ahead))
        slope = np.maximum((direction * unit(behind)).sum(axis=1), 0.6)
        if not closed:
            slope[0] = slope[-1] = 1.0
        sideways = (offset * bend[:, None]).sum(axis=2, keepdims=True)
        points = p[:, None] + offset + bend[:, None] * sideways * (1.0 / slope - 1.0)[:, None, None]
        if closed:
            points = np.concatenate([points, points[:1]])
            normal = np.concatenate([normal, normal[:1]])
            count += 1
        length = np.zeros(count)
        centre_line = np.concatenate([p, p[:1]])[:count]
        step = centre_line[1:] - centre_line[:-1]
        length[1:] = np.cumsum(np.sqrt((step * step).sum(axis=1)))
        uv = np.empty((count, n + 1, 2))
        uv[..., 0] = length[:, None]
        uv[..., 1] = np.arange(n + 1) * (2 * math.pi / n * float(radii.max()))
        self._add(
            points.reshape(-1, 3), normal.reshape(-1, 3), uv.reshape(-1, 2), cells(count, n + 1)
        )
        if caps and not closed:
            for end, sign in ((0, -1.0), (-1, 1.0)):
                ring = points[end, :-1]
                faces = np.array([[0, i, i + 1] for i in range(1, n - 1)])
                normals = np.broadcast_to(direction[end] * sign, ring.shape)
                self._add(
                    ring, normals, c[:-1] * float(radii[end]), faces if sign > 0 else faces[:, ::-1]
                )

    def grid(self, points: Floats, uv: Floats | None = None, two_sided: bool = False) -> None:
        """A smooth sheet through (rows, columns, 3) points, facing columns × rows.

        Seen from its visible side columns go right and rows go up. ``uv`` (rows, columns, 2) is in
        texture repeats; without it the uvs are metric along the first row and column.
        """
        rows, columns = points.shape[:2]
        across, upward = np.empty_like(points), np.empty_like(points)
        across[:, 1:-1] = points[:, 2:] - points[:, :-2]
        across[:, 0], across[:, -1] = points[:, 1] - points[:, 0], points[:, -1] - points[:, -2]
        upward[1:-1] = points[2:] - points[:-2]
        upward[0], upward[-1] = points[1] - points[0], points[-1] - points[-2]
        normals = unit(cross(across, upward))
        if uv is None:
            du = np.sqrt(((points[0, 1:] - points[0, :-1]) ** 2).sum(axis=1))
            dv = np.sqrt(((points[1:, 0] - points[:-1, 0]) ** 2).sum(axis=1))
            metric = np.zeros((rows, columns, 2))
            metric[:, 1:, 0] = np.cumsum(du)
            metric[1:, :, 1] = -np.cumsum(dv)[:, None]
        else:
            metric = uv * self._texture_m
        self._add(
            points.reshape(-1, 3),
            normals.reshape(-1, 3),
            metric.reshape(-1, 2),
            cells(rows, columns),
            two_sided,
        )

    def quad(self, corners: Sequence[Point], image: bool = False, two_sided: bool = False) -> None:
        """Four corners counter-clockwise from the visible side, the first at its bottom left.
        ``image`` shows the whole texture upright once; otherwise uvs are metric."""
        p = np.array([[corners[0], corners[1]], [corners[3], corners[2]]], dtype=np.float64)
        uv = np.array([[[0.0, 1.0], [1.0, 1.0]], [[0.0, 0.0], [1.0, 0.0]]]) if image else None
        self.grid(p, uv, two_sided)

    def panel(
        self, x: float, y: float, z: float, width: float, height: float, image: bool = True
    ) -> None:
        """An upright rectangle facing +x at ``x``, centred at ``y``, bottom at ``z``."""
        y0, y1 = y - width / 2, y + width / 2
        self.quad([(x, y0, z), (x, y1, z), (x, y1, z + height), (x, y0, z + height)], image)

    def disc(
        self, x: float, y: float, z: float, ry: float, rz: float, n: int = 20, image: bool = True
    ) -> None:
        """An elliptic face towards +x about (x, y, z), the texture shown whole or metrically."""
        o = circle(n)
        rim = np.stack([np.full(n, x), y + o[:, 0] * ry, z + o[:, 1] * rz], axis=1)
        points = np.concatenate([rim, [[x, y, z]]])
        flat = np.concatenate([o, [[0.0, 0.0]]]) * np.array([1.0, -1.0])
        uv = (0.5 + flat / 2) * self._texture_m if image else flat * np.array([ry, rz])
        around = np.arange(n)
        faces = np.stack([np.full(n, n), around, (around + 1) % n], axis=1)
        self._add(points, np.tile([1.0, 0.0, 0.0], (n + 1, 1)), uv, faces)

    # ------------------------------------------------------------------ result
    def build(self) -> Mesh:
        """All primitives as one mesh, without triangles of no area."""
        offsets = np.cumsum([0] + [len(part[0]) for part in self._parts])
        vertices = np.round(np.concatenate([part[0] for part in self._parts]), 5)
        normals = np.round(unit(np.concatenate([part[1] for part in self._parts])), 6)
        uvs = np.round(np.concatenate([part[2] for part in self._parts]), 5)
        faces = np.concatenate([part[3] + o for part, o in zip(self._parts, offsets, strict=False)])
        counts = [len(part[3]) for part in self._parts]
        material = np.repeat(np.array([part[4] for part in self._parts], dtype=np.int32), counts)
        sided = np.repeat(np.array([part[5] for part in self._parts], dtype=np.bool_), counts)
        a, b, c = vertices[faces[:, 0]], vertices[faces[:, 1]], vertices[faces[:, 2]]
        area = cross(b - a, c - a)
        keep = (area * area).sum(axis=1) > 1e-14
        faces = faces[keep]
        used = np.zeros(len(vertices), dtype=np.bool_)
        used[faces.ravel()] = True
        renumber = np.cumsum(used) - 1
        return Mesh(
            vertices=vertices[used].astype(np.float32),
            normals=normals[used].astype(np.float32),
            uvs=uvs[used].astype(np.float32),
            faces=renumber[faces].astype(np.int32),
            face_material=material[keep],
            face_two_sided=sided[keep],
            materials=tuple(self._materials),
        )

    def _add(
        self, points: Floats, normals: Floats, uv: Floats, faces: Ints, two_sided: bool = False
    ) -> None:
        if self._frame is not None:
            turn, move = self._frame
            points, normals = rotate(points, turn) + move, rotate(normals, turn)
        self._parts.append(
            (points, normals, uv / self._texture_m, faces, self._material, two_sided)
        )
