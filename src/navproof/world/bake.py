"""Baked light: lamps, ceiling lights and windows with soft shadows, bounce and openness.

Light at a point with normal n in room r is, as a multiplier of its colour,

    L = Σ_sources colour · D(p, n)  +  openness(p, n) · (ambient + Σ_sources B_r)

with D the direct irradiance (inverse square, Lambert, several samples per source, shadowed by
furniture and walls; light also falls through doorways into the next rooms), B_r the part of a
source's light that room r gives back after any number of reflections, M·ρ/(1 − ρ) with M the
area mean of D and ρ the mean albedo of floor, walls and ceiling, and openness the share of the
hemisphere without anything near. Every source is a layer of its own (``world.lighting``).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from navproof.types import FIRST_OBJECT_ID
from navproof.world._atlas import Atlas, build_atlas, smooth
from navproof.world._rays import VOXEL_M, direct_light, free_distance, mark_voxels, openness
from navproof.world.lighting import LAYER_UNIT, Lighting, combine
from navproof.world.scene import RGB, BakedLight, Geometry, Light, LightLayer, Scene

__all__ = ["AMBIENT", "EXPOSURE", "bake"]

AMBIENT: RGB = (0.08, 0.08, 0.08)
EXPOSURE: Mapping[str, float] = {"ceiling": 1.4, "lamp": 1.3, "window": 3.8}
"""Light one metre from a source of power 1 (of a window: its radiance), by kind."""
_SKY: RGB = (0.92, 0.97, 1.06)  # daylight's tint beside lamps
_DAY_LEVEL = 0.7  # by day, rooms dimmer than this on average get part of the rest as skylight
_DAY_SHARE = 0.75
_DIRECTIONS = 16
_OFF_SURFACE_M = 1.5 * VOXEL_M
_THIN_M = 0.05  # things flatter than this (rugs, pictures) cast no shadow
Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


def bake(scene: Scene) -> Scene:
    """The scene with light: vertex light, a lightmap for its large rectangles, and the layers.

    Deterministic: the same scene gives the same bytes. A scene without rooms is returned as is.
    """
    if not scene.rooms:
        return scene
    atlas = build_atlas(scene.geometry)
    points = _points(scene, atlas)
    space = _space(scene)
    open_share = openness(
        points.positions,
        points.normals,
        points.rooms,
        points.offsets,
        _hemisphere(_DIRECTIONS),
        space.grid,
        space.free,
        space.origin,
        space.panels,
        space.spans,
        space.heights,
    )
    open_share = _smoothed(open_share, atlas, points)
    rooms = len(scene.rooms)
    albedo = _albedo(scene, atlas, points)
    layers = [_ambient(rooms)]
    level = np.full(rooms, AMBIENT[1])
    for light in scene.lights:
        if light.on and 0 <= light.room < rooms:
            layer, mean = _layer(scene, light, atlas, points, space, albedo)
            layers.append(layer)
            level += layer.colour[1] * mean + layer.bounce[:, 1]
    if scene.windows:
        layers.append(_skylight(level))
    baked = BakedLight(
        point_room=points.rooms.astype(np.int16),
        openness=np.rint(np.clip(open_share, 0.0, 1.0) * 255.0).astype(np.uint8),
        layers=tuple(layers),
    )
    geometry = replace(
        scene.geometry,
        light_uvs=atlas.light_uvs,
        face_lightmapped=atlas.mapped,
        lightmap=np.zeros((atlas.height, atlas.width, 3), dtype=np.uint8),
    )
    levels, lightmap = combine(baked, geometry, Lighting())
    return replace(scene, geometry=replace(geometry, light=levels, lightmap=lightmap), baked=baked)


# -------------------------------------------------------------------------------------- points
@dataclass(frozen=True, eq=False)
class _Points:
    """Where light is computed: the vertices, then the texels."""

    positions: Floats  # (p, 3)
    normals: Floats  # (p, 3)
    rooms: Ints  # (p,) −1 = none
    offsets: Floats  # (p,) metres off the surface
    vertices: int


def _points(scene: Scene, atlas: Atlas) -> _Points:
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
    return _Points(positions, normals, rooms, offsets, count)


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
class _Space:
    """What stands in the way of light."""

    grid: NDArray[np.uint8]  # bit 1: near surfaces count, bit 2: casts shadows
    free: NDArray[np.uint8]  # blocks to the nearest marked voxel
    origin: Floats
    panels: Floats  # (n, 5)
    spans: Ints  # (rooms, 2) into panels
    convex: NDArray[np.uint8]  # (rooms,)
    heights: Floats  # (rooms, 2) floor and ceiling
    beside: tuple[tuple[int, ...], ...]  # per room: the rooms a doorway leads to


def _space(scene: Scene) -> _Space:
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
    return _Space(
        grid=grid,
        free=free_distance(grid),
        origin=origin,
        panels=np.array(panels, dtype=np.float64).reshape(-1, 5),
        spans=np.array(spans, dtype=np.int64).reshape(-1, 2),
        convex=np.array([_is_convex(room.polygon) for room in scene.rooms], dtype=np.uint8),
        heights=np.array([(s.elevation_m, s.elevation_m + s.height_m) for s in storeys]),
        beside=tuple(tuple(sorted(s)) for s in beside),
    )


def _portals(scene: Scene, room: int) -> Floats:
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


@lru_cache(maxsize=4)
def _hemisphere(count: int) -> Floats:
    """(count, 3) cosine-distributed directions about +z: a Fibonacci spiral on the disc."""
    golden = math.pi * (3.0 - math.sqrt(5.0))
    rows = []
    for k in range(count):
        r2 = (k + 0.5) / count
        r, angle = math.sqrt(r2), k * golden
        rows.append((r * math.cos(angle), r * math.sin(angle), math.sqrt(1.0 - r2)))
    return np.round(np.array(rows), 6)


# -------------------------------------------------------------------------------------- layers
def _ambient(rooms: int) -> LightLayer:
    bounce = np.tile(np.array(AMBIENT, dtype=np.float32), (rooms, 1))
    return LightLayer(-1, "ambient", (1.0, 1.0, 1.0), (), np.zeros(0, dtype=np.uint16), bounce)


def _layer(
    scene: Scene, light: Light, atlas: Atlas, points: _Points, space: _Space, albedo: _Albedo
) -> tuple[LightLayer, Floats]:
    """One source's layer, and the area mean of its direct light in every room."""
    samples, shape = _samples(scene, light)
    rooms = tuple(sorted({light.room, *space.beside[light.room]}))
    chosen = np.flatnonzero(np.isin(points.rooms, rooms))
    direct = direct_light(
        points.positions,
        points.normals,
        points.rooms,
        points.offsets,
        chosen,
        samples,
        shape,
        light.room,
        _portals(scene, light.room),
        space.convex,
        space.grid,
        space.free,
        space.origin,
        space.panels,
        space.spans,
    )
    whole = np.zeros(len(points.rooms))
    whole[chosen] = direct
    whole = _smoothed(whole, atlas, points)[chosen]
    levels = np.minimum(np.rint(whole * LAYER_UNIT), 65535.0).astype(np.uint16)
    colour = light.colour
    if light.kind == "window":
        colour = (colour[0] * _SKY[0], colour[1] * _SKY[1], colour[2] * _SKY[2])
    bounce, mean = albedo.bounce(levels, chosen, points.rooms[chosen], colour)
    return LightLayer(light.id, light.kind, colour, rooms, levels, bounce), mean


def _skylight(level: Floats) -> LightLayer:
    """Daylight that finds its way into dim rooms by more turns than are traced.

    ``level`` is the mean light of every room without it. A camera (and an eye) opens up in a dim
    room; one exposure for all rooms needs this instead.
    """
    bounce = np.zeros((len(level), 3), dtype=np.float32)
    for room, value in enumerate(level.tolist()):
        share = _DAY_SHARE * max(0.0, _DAY_LEVEL - value)
        bounce[room] = [round(share * c, 4) for c in _SKY]
    return LightLayer(-2, "window", _SKY, (), np.zeros(0, dtype=np.uint16), bounce)


def _samples(scene: Scene, light: Light) -> tuple[Floats, int]:
    """Rows (x, y, z, nx, ny, weight, r²) and the shape of ``direct_light``."""
    x, y, z = light.position
    power = light.power * EXPOSURE[light.kind]
    window = next((w for w in scene.windows if w.id == light.object_id), None)
    if light.kind == "window" and window is not None:
        nu, nv = 4, 2
        nx, ny = math.cos(window.yaw), math.sin(window.yaw)
        area = window.width_m * window.height_m / (nu * nv)
        rows = []
        for i in range(nu):
            for j in range(nv):
                a = ((i + 0.5) / nu - 0.5) * window.width_m
                b = ((j + 0.5) / nv - 0.5) * window.height_m
                px, py, pz = window.centre
                px, py, pz = px - a * ny + 0.02 * nx, py + a * nx + 0.02 * ny, pz + b
                rows.append((px, py, pz, nx, ny, power * area / math.pi, area / math.pi))
        return np.array(rows), 2
    radius = 0.12 if light.kind == "ceiling" else 0.05
    spread = [(radius * math.cos(a), radius * math.sin(a)) for a in (0.5, 2.071, 3.642, 5.212)]
    soft = 0.01 if light.kind == "ceiling" else 0.04
    weight = power / len(spread)
    rows = [(x + dx, y + dy, z, 0.0, 0.0, weight, soft) for dx, dy in spread]
    return np.array(rows), 1 if light.kind == "ceiling" else 0


def _smoothed(values: Floats, atlas: Atlas, points: _Points) -> Floats:
    texels = smooth(values[points.vertices :], atlas.chart, atlas.height, atlas.width)
    return np.concatenate([values[: points.vertices], texels])


@dataclass(frozen=True, eq=False)
class _Albedo:
    """Mean reflectance of the rooms, and the texels that stand for their walls."""

    shell: NDArray[np.bool_]  # (p,) texels of floor, walls and ceiling
    reflect: NDArray[np.int64]  # (p, 3) albedo of a shell texel in 1/256
    mean: Floats  # (rooms, 3)

    def bounce(
        self, levels: NDArray[np.uint16], chosen: Ints, rooms: Ints, colour: RGB
    ) -> tuple[NDArray[np.float32], Floats]:
        """M·ρ/(1 − ρ) per room and channel, and M: sums of integers, exact in any order."""
        count = len(self.mean)
        mine = self.shell[chosen]
        index, here, light = chosen[mine], rooms[mine], levels[mine].astype(np.int64)
        texels = np.maximum(np.bincount(here, minlength=count), 1)
        mean = np.bincount(here, light, count) / (texels * LAYER_UNIT)
        out = np.zeros((count, 3), dtype=np.float32)
        for c in range(3):
            back = np.bincount(here, light * self.reflect[index, c], count)
            value = colour[c] * back / (texels * (256.0 * LAYER_UNIT)) / (1.0 - self.mean[:, c])
            out[:, c] = np.round(value, 5)
        return out, mean


def _albedo(scene: Scene, atlas: Atlas, points: _Points) -> _Albedo:
    geometry = scene.geometry
    looks = np.array([_look(geometry, k) for k in range(len(geometry.materials))], dtype=np.int64)
    face = np.concatenate([np.full(points.vertices, -1), atlas.face]).astype(np.int64)
    shell = face >= 0
    shell[shell] = geometry.face_instance[face[shell]] < FIRST_OBJECT_ID
    reflect = np.zeros((len(face), 3), dtype=np.int64)
    reflect[shell] = looks[geometry.face_material[face[shell]]]
    count, here = len(scene.rooms), points.rooms[shell]
    texels = np.maximum(np.bincount(here, minlength=count), 1)
    # furniture, doorways and windows swallow part of what a bare shell would give back
    sums = [np.bincount(here, reflect[shell, c], count) for c in range(3)]
    mean = np.minimum(0.75, 0.85 * np.stack(sums, axis=1) / (256.0 * texels[:, None]))
    return _Albedo(shell, reflect, mean)


def _look(geometry: Geometry, number: int) -> tuple[int, int, int]:
    """Mean albedo of a material in 1/256, from exact sums over a coarse grid of its texels."""
    material = geometry.materials[number]
    texels = geometry.textures[material.texture]
    step = max(1, texels.shape[0] // 16)
    sample = texels[::step, ::step].astype(np.int64)
    n = sample.shape[0] * sample.shape[1]
    mask = int(sample[..., 3].sum()) / (255.0 * n)
    channels = []
    for c in range(3):
        tint = material.tint[c] * (1.0 - mask) + material.tint2[c] * mask
        channels.append(round(256.0 * min(0.95, tint * int(sample[..., c].sum()) / (255.0 * n))))
    return channels[0], channels[1], channels[2]
