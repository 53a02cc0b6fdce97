"""Baked light: lamps, ceiling lights and windows with soft shadows, bounce and openness.

Light at a point with normal n in room r is, as a multiplier of its colour,

    L = Σ_sources colour · D(p, n)  +  openness(p, n) · (ambient + Σ_sources B_r)

with D the direct irradiance (inverse square, Lambert, several samples per source, shadowed by
furniture and walls; light also falls through doorways into the next rooms), B_r the part of a
source's light that room r gives back after any number of reflections, M·ρ/(1 − ρ) with M the
area mean of D and ρ the mean albedo of floor, walls and ceiling, and openness the share of the
hemisphere without anything near. Every source is a layer of its own (``world.light.lighting``).
"""

from __future__ import annotations

import math
import os
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from navproof.core.types import FIRST_OBJECT_ID
from navproof.world.light.atlas import Atlas, build_atlas, smooth
from navproof.world.light.lighting import LAYER_UNIT, Lighting, combine
from navproof.world.light.rays import direct_light, openness
from navproof.world.light.space import Points, Space, find_points, find_space, portals_of
from navproof.world.scene import RGB, BakedLight, Geometry, Light, LightLayer, Scene

__all__ = ["AMBIENT", "EXPOSURE", "bake"]

AMBIENT: RGB = (0.08, 0.08, 0.08)
EXPOSURE: Mapping[str, float] = {"ceiling": 1.4, "lamp": 1.3, "window": 3.5}
"""Light one metre from a source of power 1 (of a window: its radiance), by kind."""
_SKY: RGB = (0.92, 0.97, 1.06)  # daylight's tint beside lamps
_DAY_LEVEL = 0.64  # by day, rooms dimmer than this on average get part of the rest as skylight
_DAY_SHARE = 0.75
_DIRECTIONS = 16
_THREADS = min(4, os.cpu_count() or 1)  # the kernels let go of the interpreter; order is kept
Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


def bake(scene: Scene) -> Scene:
    """The scene with light: vertex light, a lightmap for its large rectangles, and the layers.

    Deterministic: the same scene gives the same bytes. A scene without rooms is returned as is.
    """
    if not scene.rooms:
        return scene
    atlas = build_atlas(scene.geometry)
    points = find_points(scene, atlas)
    space = find_space(scene)
    with ThreadPoolExecutor(_THREADS) as pool:
        parts = np.array_split(np.arange(len(points.rooms)), 2 * _THREADS)
        open_parts = pool.map(lambda part: _open_share(part, points, space), parts)
        open_share = np.concatenate(list(open_parts))
    open_share = _smoothed(open_share, atlas, points)
    rooms = len(scene.rooms)
    albedo = _albedo(scene, atlas, points)
    layers = [_ambient(rooms)]
    level = np.full(rooms, AMBIENT[1])
    lit = [light for light in scene.lights if light.on and 0 <= light.room < rooms]
    with ThreadPoolExecutor(_THREADS) as pool:
        shone = pool.map(lambda light: _layer(scene, light, atlas, points, space, albedo), lit)
        for layer, mean in shone:
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


def _open_share(part: Ints, points: Points, space: Space) -> Floats:
    """``openness`` of some of the points."""
    return openness(
        points.positions[part],
        points.normals[part],
        points.rooms[part],
        points.offsets[part],
        _hemisphere(_DIRECTIONS),
        space.grid,
        space.free,
        space.origin,
        space.panels,
        space.spans,
        space.heights,
    )


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
    scene: Scene, light: Light, atlas: Atlas, points: Points, space: Space, albedo: _Albedo
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
        portals_of(scene, light.room),
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
    """Daylight that reaches dim rooms by more reflections than are traced. ``level`` is the mean
    light of every room without it. An eye, and a camera, adapts to a dim room; since all rooms
    share one exposure here, this light takes the place of that."""
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


def _smoothed(values: Floats, atlas: Atlas, points: Points) -> Floats:
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


def _albedo(scene: Scene, atlas: Atlas, points: Points) -> _Albedo:
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
