"""Where light is computed in a scene, and what stands in its way."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from navproof.core.types import FIRST_OBJECT_ID
from navproof.world.light.atlas import Atlas
from navproof.world.light.rays import VOXEL_M, free_distance, mark_voxels
from navproof.world.scene import Scene

__all__ = ["Points", "Space", "find_points", "find_space", "portals_of"]

_OFF_SURFACE_M = 1.5 * VOXEL_M
_THIN_M = 0.05  # things flatter than this (rugs, pictures) cast no shadow
Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


# -------------------------------------------------------------------------------------- points
@dataclass(frozen=True, eq=False)
class Points:
    """Where light is computed: the vertices, then the texels."""

    positions: Floats  # (p, 3)
    normals: Floats  # (p, 3)
    rooms: Ints  # (p,) −1 = none
    offsets: Floats  # (p,) metres off the surface
    vertices: int


def find_points(scene: Scene, atlas: Atlas) -> Points:
    geometry = scene.geometry
    count = len(geometry.vertices)
    positions = np.concatenate([geometry.vertices.astype(np.float64), atlas.positions])
    normals = np.concatenate([_unit(geometry.normals.astype(np.float64)), atlas.normals])
    face_of = np.full(count, -1, dtype=np.int64)
    numbers = np.arange(len(geometry.faces), dtype=np.int64)
    for corner in (2, 1, 0):
        face_of[geometry.faces[:, corner]] = numbers
    face_of = np.concatenate([face_of, atlas.face.astype(np.int64)])
    used = (face_of >= 0) & ~_outdoors(scene)[face_of]
    rooms = np.full(len(face_of), -1, dtype=np.int64)
    rooms[used] = geometry.face_room[face_of[used]]
    astray = np.flatnonzero(used & (rooms < 0))
    rooms[astray] = _nearest_rooms(scene, positions[astray] + 0.1 * normals[astray])
    offset_of = _offsets(scene)
    offsets = np.full(len(face_of), 0.005)
    offsets[used] = offset_of[geometry.face_instance[face_of[used]]]
    return Points(positions, normals, rooms, offsets, count)


def _outdoors(scene: Scene) -> NDArray[np.bool_]:
    """Per face: whether it shows what is outside a window, which no room lights."""
    geometry = scene.geometry
    glow = np.array([m.emission > 0.0 for m in geometry.materials], dtype=np.bool_)
    panes = np.array([window.id for window in scene.windows], dtype=np.int32)
    return glow[geometry.face_material] & np.isin(geometry.face_instance, panes)


def _unit(vectors: Floats) -> Floats:
    length = np.sqrt((vectors * vectors).sum(axis=1))
    upright = length < 1e-6
    vectors[upright] = (0.0, 0.0, 1.0)
    return vectors / np.where(upright, 1.0, length)[:, None]


def _offsets(scene: Scene) -> Floats:
    """Per instance id: how far its points are moved off its surface, out of its own voxels."""
    last = max([FIRST_OBJECT_ID, *(o.id for o in scene.objects)])
    last = max(last, int(scene.geometry.face_instance.max(initial=0)))
    offsets = np.full(last + 1, 0.005)
    for thing in scene.objects:
        if thing.support is not None or not _is_thin(thing.box.size):
            offsets[thing.id] = _OFF_SURFACE_M
    return offsets


def _is_thin(size: tuple[float, float, float]) -> bool:
    return min(size) < _THIN_M


def _nearest_rooms(scene: Scene, points: Floats) -> Ints:
    """The room that holds each point, or else the one whose outline is nearest to it."""
    out = np.zeros(len(points), dtype=np.int64)
    best = np.full(len(points), np.inf)
    for room in scene.rooms:
        storey = scene.storeys[room.storey]
        ring = np.array(room.polygon, dtype=np.float64)
        start, end = ring, np.roll(ring, -1, axis=0)
        x, y = points[:, 0, None], points[:, 1, None]
        edge = end - start
        w = np.clip(
            ((x - start[:, 0]) * edge[:, 0] + (y - start[:, 1]) * edge[:, 1])
            / np.maximum((edge * edge).sum(axis=1), 1e-12),
            0.0,
            1.0,
        )
        dx, dy = x - start[:, 0] - w * edge[:, 0], y - start[:, 1] - w * edge[:, 1]
        distance = np.sqrt((dx * dx + dy * dy).min(axis=1))
        above = (start[:, 1] > y) != (end[:, 1] > y)
        slope = np.where(edge[:, 1] == 0.0, 1.0, edge[:, 1])
        crossing = above & (x < start[:, 0] + (y - start[:, 1]) * edge[:, 0] / slope)
        distance[crossing.sum(axis=1) % 2 == 1] = 0.0
        z = points[:, 2] - storey.elevation_m
        distance = distance + np.maximum(0.0, np.maximum(-z, z - storey.height_m))
        nearer = distance < best - 1e-9
        out[nearer], best[nearer] = room.id, distance[nearer]
    return out


# --------------------------------------------------------------------------------------- space
@dataclass(frozen=True, eq=False)
class Space:
    """What stands in the way of light."""

    grid: NDArray[np.uint8]  # bit 1: near surfaces count, bit 2: casts shadows
    free: NDArray[np.uint8]  # blocks to the nearest marked voxel
    origin: Floats
    panels: Floats  # (n, 5)
    spans: Ints  # (rooms, 2) into panels
    convex: NDArray[np.uint8]  # (rooms,)
    heights: Floats  # (rooms, 2) floor and ceiling
    beside: tuple[tuple[int, ...], ...]  # per room: the rooms a doorway leads to


def find_space(scene: Scene) -> Space:
    panels: list[tuple[float, float, float, float, float]] = []
    spans: list[tuple[int, int]] = []
    for room in scene.rooms:
        first = len(panels)
        panels += _room_panels(scene, room.id)
        spans.append((first, len(panels)))
    storeys = [scene.storeys[room.storey] for room in scene.rooms]
    beside: list[set[int]] = [set() for _ in scene.rooms]
    for door in scene.doors:
        a, b = door.rooms
        if a >= 0 and b >= 0:
            beside[a].add(b)
            beside[b].add(a)
    grid, origin = _voxels(scene)
    return Space(
        grid=grid,
        free=free_distance(grid),
        origin=origin,
        panels=np.array(panels, dtype=np.float64).reshape(-1, 5),
        spans=np.array(spans, dtype=np.int64).reshape(-1, 2),
        convex=np.array([_is_convex(room.polygon) for room in scene.rooms], dtype=np.uint8),
        heights=np.array([(s.elevation_m, s.elevation_m + s.height_m) for s in storeys]),
        beside=tuple(tuple(sorted(s)) for s in beside),
    )


def portals_of(scene: Scene, room: int) -> Floats:
    """The doorways of a room as rows (x, y, nx, ny, half width, other room)."""
    rows = [
        (
            door.centre[0],
            door.centre[1],
            math.cos(door.yaw),
            math.sin(door.yaw),
            door.width_m / 2,
            float(door.rooms[0] if door.rooms[1] == room else door.rooms[1]),
        )
        for door in scene.doors
        if room in door.rooms and min(door.rooms) >= 0
    ]
    return np.array(rows, dtype=np.float64).reshape(-1, 6)


def _voxels(scene: Scene) -> tuple[NDArray[np.uint8], Floats]:
    geometry = scene.geometry
    bits = np.zeros(int(geometry.face_instance.max(initial=0)) + 1, dtype=np.uint8)
    panes = {window.id for window in scene.windows}
    shining = {light.object_id for light in scene.lights if light.on}
    for thing in scene.objects:
        if thing.id < len(bits) and thing.id not in panes and not _is_thin(thing.box.size):
            bits[thing.id] = 1 if thing.id in shining else 3
    face_bits = bits[geometry.face_instance]
    solid = np.flatnonzero(face_bits)
    triangles = geometry.vertices[geometry.faces[solid]].astype(np.float64)
    corners = np.array([p for room in scene.rooms for p in room.polygon], dtype=np.float64)
    low = (*(corners.min(axis=0) - 0.3), min(s.elevation_m for s in scene.storeys) - 0.02)
    high = (
        *(corners.max(axis=0) + 0.3),
        max(s.elevation_m + s.height_m for s in scene.storeys) + 0.02,
    )
    origin = np.array(low, dtype=np.float64)
    shape = [max(1, math.ceil((h - l) / VOXEL_M)) for l, h in zip(low, high, strict=True)]
    grid = np.zeros(shape, dtype=np.uint8)
    mark_voxels(triangles, face_bits[solid], origin, grid)
    return grid, origin


def _room_panels(scene: Scene, room_id: int) -> list[tuple[float, float, float, float, float]]:
    """The room's walls, cut at its doorways; over a doorway the wall begins at its head."""
    room = scene.rooms[room_id]
    base = scene.storeys[room.storey].elevation_m
    panels = []
    for (x0, y0), (x1, y1) in zip(room.polygon, room.polygon[1:] + room.polygon[:1], strict=True):
        length = math.hypot(x1 - x0, y1 - y0)
        if length < 1e-6:
            continue
        ux, uy = (x1 - x0) / length, (y1 - y0) / length
        gaps = []
        for door in scene.doors:
            if room_id not in door.rooms or min(door.rooms) < 0:
                continue
            px, py = door.centre[0] - x0, door.centre[1] - y0
            along, across = px * ux + py * uy, abs(px * uy - py * ux)
            facing = abs(math.cos(door.yaw) * ux + math.sin(door.yaw) * uy) < 0.2
            if facing and across < 0.25 and 0 < along < length:
                half = door.width_m / 2
                gaps.append((along - half, along + half, door.centre[2] + door.height_m))
        at = 0.0
        for start, end, head in [*sorted(gaps), (length, length, 0.0)]:
            for a, b, low in ((at, start, base - 1.0), (start, end, head)):
                if b - a > 1e-6:
                    panels.append((x0 + a * ux, y0 + a * uy, x0 + b * ux, y0 + b * uy, low))
            at = end
    return panels


def _is_convex(polygon: Sequence[tuple[float, float]]) -> bool:
    n = len(polygon)
    for k in range(n):
        (ax, ay), (bx, by), (cx, cy) = polygon[k - 2], polygon[k - 1], polygon[k]
        if (bx - ax) * (cy - by) - (by - ay) * (cx - bx) < -1e-9:
            return False
    return True
