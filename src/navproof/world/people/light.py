"""The light in which a person stands, taken from the light baked into the scene.

It is an *ambient cube* (McTaggart 2004): the light on surfaces that face ±x, ±y and ±z. The cube of
a room is the mean over the room's surfaces by the way they face, brighter or darker as the floor
near the person is. Neighbouring rooms blend into each other over a metre, so that a person's light
does not jump in a doorway.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from navproof.core.jit import jit
from navproof.core.types import FLOOR
from navproof.world.scene import LIGHT_UNIT, Scene

__all__ = ["LightField"]

F64 = NDArray[np.float64]
CELL_M = 0.25
_SMOOTH_M = 0.4
_SAMPLE_M = 0.25
_PER_FACE = 24
_MOST_SAMPLES = 4_000_000


@jit
def _mixed(field: F64, r: int, c: int, u: float, v: float) -> F64:
    """Bilinear between four cubes."""
    out = np.empty((6, 3))
    for i in range(6):
        for j in range(3):
            near = field[r, c, i, j] * (1.0 - u) + field[r, c + 1, i, j] * u
            far = field[r + 1, c, i, j] * (1.0 - u) + field[r + 1, c + 1, i, j] * u
            out[i, j] = near * (1.0 - v) + far * v
    return out


class LightField:
    """Ambient cubes on a grid over each storey of one scene."""

    def __init__(self, scene: Scene) -> None:
        points, normals, light, rooms, floor = _samples(scene)
        self._origin = points[:, :2].min(axis=0) - CELL_M
        extent = points[:, :2].max(axis=0) - self._origin
        self._cols, self._rows = (int(n) + 2 for n in np.ceil(extent / CELL_M))
        self._elevations = [storey.elevation_m for storey in scene.storeys]
        whole = _cube(normals, light)
        cubes = {}
        for room in scene.rooms:
            own = rooms == room.id
            cubes[room.id] = _cube(normals[own], light[own], whole)
        self._fields = [
            self._field(scene, storey.index, cubes, whole, points[floor], light[floor])
            for storey in scene.storeys
        ]

    def at(self, x: float, y: float, z: float) -> F64:
        """(6, 3) light on surfaces that face +x, −x, +y, −y, +z, −z, as multipliers."""
        storey = min(range(len(self._elevations)), key=lambda i: abs(self._elevations[i] - z))
        fc = min(max((x - self._origin[0]) / CELL_M - 0.5, 0.0), self._cols - 1.001)
        fr = min(max((y - self._origin[1]) / CELL_M - 0.5, 0.0), self._rows - 1.001)
        c, r = int(fc), int(fr)
        u, v = fc - c, fr - r
        return _mixed(self._fields[storey], r, c, u, v)

    def _field(
        self, scene: Scene, storey: int, cubes: dict[int, F64], whole: F64, spots: F64, lit: F64
    ) -> F64:
        """(rows, cols, 6, 3) of one storey."""
        own = [room for room in scene.rooms if room.storey == storey]
        label = np.full((self._rows, self._cols), -1, dtype=np.int64)
        x = self._origin[0] + (np.arange(self._cols) + 0.5) * CELL_M
        y = self._origin[1] + (np.arange(self._rows) + 0.5) * CELL_M
        for k, room in enumerate(own):
            label[_inside(np.array(room.polygon), x[None, :], y[:, None])] = k
        if own and (label >= 0).any():
            nearest = ndimage.distance_transform_edt(
                label < 0, return_distances=False, return_indices=True
            )
            label = label[nearest[0], nearest[1]]
        table = np.stack([*(cubes[room.id] for room in own), whole])
        field: F64 = table[label] * self._brightness(scene, storey, label, spots, lit)
        sigma = _SMOOTH_M / CELL_M
        smooth: F64 = ndimage.gaussian_filter(field, (sigma, sigma, 0, 0), mode="nearest")
        return smooth

    def _brightness(
        self, scene: Scene, storey: int, label: NDArray[np.int64], spots: F64, lit: F64
    ) -> F64:
        """The floor's light near each cell against the mean of its room's floor, half as strong;
        (rows, cols, 1, 1)."""
        low = scene.storeys[storey].elevation_m
        here = np.abs(spots[:, 2] - low) < 0.5
        cells = ((spots[here, :2] - self._origin) / CELL_M).astype(np.int64)
        rows, cols = cells[:, 1].clip(0, self._rows - 1), cells[:, 0].clip(0, self._cols - 1)
        total, count = np.zeros(label.shape), np.zeros(label.shape)
        np.add.at(total, (rows, cols), lit[here].mean(axis=1))
        np.add.at(count, (rows, cols), 1.0)
        blurred = ndimage.uniform_filter(total, 5, mode="constant")
        seen = ndimage.uniform_filter(count, 5, mode="constant")
        ratio = np.ones(label.shape)
        known = seen > 1e-9
        for k in np.unique(label):
            room = label == k
            if count[room].sum() > 0:
                mean = total[room].sum() / count[room].sum()
                there = room & known
                ratio[there] = blurred[there] / seen[there] / max(mean, 1e-6)
        return (0.5 + 0.5 * ratio.clip(0.4, 1.8))[:, :, None, None]


def _samples(scene: Scene) -> tuple[F64, F64, F64, NDArray[np.int64], NDArray[np.bool_]]:
    """Points on surfaces: position, normal, light, room, and whether it is floor. Big faces (walls,
    floors) carry their light in the lightmap and are sampled all over, small ones in the middle."""
    g = scene.geometry
    corner = g.vertices[g.faces].astype(np.float64)
    across = np.cross(corner[:, 1] - corner[:, 0], corner[:, 2] - corner[:, 0])
    area = np.sqrt((across * across).sum(axis=1))
    normal = across / np.maximum(area, 1e-12)[:, None]
    glow = np.array([m.emission > 0.0 for m in g.materials], dtype=np.bool_)
    faces = np.flatnonzero(~glow[g.face_material] & (area > 1e-8))
    if not len(faces):  # nothing but lamps, or nothing that has an area
        faces = np.arange(len(g.faces))
    count = np.where(
        g.face_lightmapped[faces],
        np.clip(0.5 * area[faces] / _SAMPLE_M**2, 1, _PER_FACE).astype(np.int64),
        1,
    )
    if count.sum() > _MOST_SAMPLES:  # a scan in which every face is as large as a wall
        count[:] = 1
    face = np.repeat(faces, count)
    order = np.arange(len(face)) - np.repeat(np.cumsum(count) - count, count)
    a = (0.5 + 0.7548776662466927 * order) % 1.0  # a low-discrepancy sequence
    b = (0.5 + 0.5698402909980532 * order) % 1.0
    a, b = np.where(a + b > 1.0, 1.0 - a, a), np.where(a + b > 1.0, 1.0 - b, b)
    single = np.repeat(count == 1, count)
    a[single], b[single] = 1.0 / 3.0, 1.0 / 3.0
    weight = np.stack([1.0 - a - b, a, b], axis=1)
    ids = g.faces[face]
    points = (weight[:, :, None] * corner[face]).sum(axis=1)
    light = (weight[:, :, None] * g.light[ids]).sum(axis=1)
    mapped = g.face_lightmapped[face]
    at = (weight[mapped][:, :, None] * g.light_uvs[ids[mapped]]).sum(axis=1)
    rows, cols = g.lightmap.shape[:2]
    u = np.clip(at[:, 0].astype(np.int64), 0, cols - 1)
    v = np.clip(at[:, 1].astype(np.int64), 0, rows - 1)
    light[mapped] = g.lightmap[v, u]
    rooms = g.face_room[face].astype(np.int64)
    return points, normal[face], light / LIGHT_UNIT, rooms, g.face_instance[face] == FLOOR


def _inside(ring: F64, x: F64, y: F64) -> NDArray[np.bool_]:
    """Whether each point is in the polygon, by the even-odd rule."""
    odd = np.zeros(np.broadcast_shapes(x.shape, y.shape), dtype=np.bool_)
    for (x0, y0), (x1, y1) in zip(ring, np.roll(ring, -1, axis=0), strict=True):
        if y0 != y1:
            odd ^= ((y0 > y) != (y1 > y)) & (x < x0 + (y - y0) * (x1 - x0) / (y1 - y0))
    return odd


def _cube(normals: F64, light: F64, otherwise: F64 | None = None) -> F64:
    """(6, 3) mean light by the way that surfaces face, each weighted by (n · axis)²."""
    out = np.empty((6, 3))
    mean = light.mean(axis=0) if len(light) else np.ones(3)
    for k in range(6):
        facing = np.maximum(normals[:, k // 2] * (1.0 - 2.0 * (k % 2)), 0.0) ** 2
        total = facing.sum()
        if total > 1.0:
            out[k] = (facing[:, None] * light).sum(axis=0) / total
        else:
            out[k] = mean if otherwise is None or len(light) else otherwise[k]
    return out
