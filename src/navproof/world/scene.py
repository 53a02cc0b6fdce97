"""The data of a scene: storeys, rooms, doors, windows, lights, objects with ground truth,
geometry."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from navproof.core.errors import SceneError
from navproof.core.types import Point, Scalar
from navproof.world.polygon import inside

__all__ = [
    "LIGHT_UNIT",
    "BakedLight",
    "Box",
    "Door",
    "Geometry",
    "Light",
    "LightLayer",
    "Material",
    "Room",
    "Scene",
    "SceneObject",
    "Storey",
    "Window",
]

LIGHT_UNIT = 64
"""Baked light is stored as uint8; this value means a multiplier of 1.0."""
RGB = tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class Box:
    """An oriented box: ``centre``, full ``size`` along its own (x front, y left, z up), ``yaw``."""

    centre: Point
    size: tuple[float, float, float]
    yaw: float = 0.0


@dataclass(frozen=True, slots=True)
class Storey:
    index: int
    elevation_m: float
    height_m: float


@dataclass(frozen=True, slots=True)
class Room:
    """``polygon`` is the inner wall line, counter-clockwise (x, y)."""

    id: int
    type: str  # "kitchen", "bedroom", "open_office", …
    name: str  # how a person would call it: "kitchen", "second bedroom"
    storey: int
    polygon: tuple[tuple[float, float], ...]


@dataclass(frozen=True, slots=True)
class Door:
    """An opening between two rooms (``rooms[1]`` is −1 for the outside).

    ``yaw`` is the direction of the normal, pointing from ``rooms[0]`` into ``rooms[1]``.
    ``object_id`` names the door leaf among the objects; None for an open doorway or archway.
    """

    id: int
    rooms: tuple[int, int]
    centre: Point  # on the floor, in the middle of the opening
    yaw: float
    width_m: float
    height_m: float
    passable: bool
    object_id: int | None = None


@dataclass(frozen=True, slots=True)
class Window:
    id: int  # also its object id
    room: int
    centre: Point
    yaw: float  # normal, pointing into the room
    width_m: float
    height_m: float


@dataclass(frozen=True, slots=True)
class Light:
    """A light source. ``kind`` groups sources for relighting; ``object_id`` is the fixture, lamp or
    window."""

    id: int
    kind: Literal["ceiling", "lamp", "window"]
    room: int
    position: Point
    colour: RGB
    power: float
    on: bool
    object_id: int | None = None


@dataclass(frozen=True, slots=True)
class SceneObject:
    """A thing with ground truth. ``box`` encloses it; ``support`` is the object it stands on.

    ``attributes`` may hold: colour, colour2, material, pattern, size, state, modifier, and counts
    (drawers, doors, seats, shelves, cushions). Each is visible in the pixels. ``position_kind``:
    "floor", "on" (stands on ``support``), "wall" (hangs), "ceiling", "opening" (door, window).
    """

    id: int
    category: str
    room: int
    box: Box
    attributes: Mapping[str, Scalar] = field(default_factory=dict)
    support: int | None = None
    position_kind: str = "floor"


@dataclass(frozen=True, slots=True)
class Material:
    """Surface look: ``texture`` (RGBA, by name) × mix(tint, tint2, A); colours linear in [0, 1].

    The texel's RGB multiplies the mixed tint (wood grain has its own colours with white tints;
    a pattern is white with A as its mask). ``emission`` adds light of its own (a lit lamp shade).
    """

    texture: str
    tint: RGB = (1.0, 1.0, 1.0)
    tint2: RGB = (1.0, 1.0, 1.0)
    emission: float = 0.0


@dataclass(frozen=True, eq=False)
class Geometry:
    """All triangles. Vertices are not shared across differing normals or uvs.

    Light: a face with ``face_lightmapped`` takes its light from ``lightmap`` at ``light_uvs``
    (texel coordinates), any other from its vertices' ``light``; both in units of 1/LIGHT_UNIT.
    A face is seen from the side where it winds counter-clockwise; ``face_two_sided`` from both.
    """

    vertices: NDArray[np.float32]  # (v, 3)
    normals: NDArray[np.float32]  # (v, 3)
    uvs: NDArray[np.float32]  # (v, 2) in texture repeats
    light: NDArray[np.uint8]  # (v, 3)
    light_uvs: NDArray[np.float32]  # (v, 2) in lightmap texels
    faces: NDArray[np.int32]  # (f, 3)
    face_instance: NDArray[np.int32]  # (f,)
    face_material: NDArray[np.int32]  # (f,) into materials
    face_room: NDArray[np.int32]  # (f,) room that sees it, −1 = any (door leaves, frames, outside)
    face_lightmapped: NDArray[np.bool_]  # (f,)
    face_two_sided: NDArray[np.bool_]  # (f,)
    lightmap: NDArray[np.uint8]  # (h, w, 3)
    materials: tuple[Material, ...]
    textures: Mapping[str, NDArray[np.uint8]]  # (s, s, 4), s a power of two; same s for all


@dataclass(frozen=True, slots=True, eq=False)
class LightLayer:
    """What one source gives at multiplier 1, kept apart so that it can be dimmed or put out.

    ``direct`` covers, in order, the points whose room is in ``rooms`` and multiplies ``colour``;
    ``bounce`` is the light a room gives back, multiplied by a point's openness.
    """

    light: int  # id among Scene.lights; −1 = ambient, −2 = skylight without a window of its own
    kind: str  # "ambient", "ceiling", "lamp", "window"
    colour: RGB
    rooms: tuple[int, ...]
    direct: NDArray[np.uint16]  # (n,) in units of 1/1024
    bounce: NDArray[np.float32]  # (rooms of the scene, 3)


@dataclass(frozen=True, slots=True, eq=False)
class BakedLight:
    """The layers behind ``Geometry.light`` and ``Geometry.lightmap`` (see
    ``world.light.lighting``).

    A *point* is a vertex (points 0 … v−1) or a texel of the lightmap (then row by row).
    """

    point_room: NDArray[np.int16]  # (p,) room whose light it takes; −1 = none (unused texel)
    openness: NDArray[np.uint8]  # (p,) 255 = nothing near, 0 = wholly hidden
    layers: tuple[LightLayer, ...]


@dataclass(frozen=True, eq=False)
class Scene:
    """A whole world. ``id`` is a scene id ("home/val/3") or the stem of its file."""

    id: str
    kind: str
    seed: int
    storeys: tuple[Storey, ...]
    rooms: tuple[Room, ...]
    doors: tuple[Door, ...]
    windows: tuple[Window, ...]
    lights: tuple[Light, ...]
    objects: tuple[SceneObject, ...]
    geometry: Geometry
    baked: BakedLight | None = None

    def __repr__(self) -> str:
        return f"Scene({self.id!r}, {len(self.rooms)} rooms, {len(self.objects)} objects)"

    @cached_property
    def by_id(self) -> Mapping[int, SceneObject]:
        return {o.id: o for o in self.objects}

    @cached_property
    def labels(self) -> Mapping[int, str]:
        """Instance id to category, walls, floors and ceilings included."""
        return {1: "wall", 2: "floor", 3: "ceiling"} | {o.id: o.category for o in self.objects}

    def object(self, object_id: int) -> SceneObject:
        if object_id not in self.by_id:
            raise SceneError(f"scene {self.id} has no object {object_id}")
        return self.by_id[object_id]

    def room_at(self, x: float, y: float, z: float = 0.0) -> Room | None:
        """The room whose polygon holds the point on the storey at ``z``, or None (in a doorway)."""
        for room in self.rooms:
            storey = self.storeys[room.storey]
            if not storey.elevation_m - 0.5 <= z < storey.elevation_m + storey.height_m - 0.5:
                continue
            if inside(room.polygon, x, y):
                return room
        return None
