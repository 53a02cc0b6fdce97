"""Puts a plan, its shell and the placed things together into one ``Scene``."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from navproof.core.types import FIRST_OBJECT_ID
from navproof.world.furnish.placed import Placed
from navproof.world.model import ObjectModel
from navproof.world.plans.floorplan import FloorPlan
from navproof.world.plans.structure import Shell
from navproof.world.scene import (
    LIGHT_UNIT,
    Box,
    Door,
    Geometry,
    Light,
    Material,
    Room,
    Scene,
    SceneObject,
    Storey,
    Window,
)
from navproof.world.textures.library import texture_library

__all__ = ["assemble", "place_doors", "place_windows"]

_DAYLIGHT = (1.0, 0.97, 0.92)
_WINDOW_POWER = 2.2


def mirrored(model: ObjectModel) -> ObjectModel:
    """The model with left and right exchanged."""
    flip = np.array([1.0, -1.0, 1.0], dtype=np.float32)
    mesh = model.mesh
    turned = replace(
        mesh,
        vertices=mesh.vertices * flip,
        normals=mesh.normals * flip,
        faces=np.ascontiguousarray(mesh.faces[:, ::-1]),
    )
    return replace(model, mesh=turned)


def place_doors(plan: FloorPlan, models: Sequence[ObjectModel | None]) -> list[Placed | None]:
    """The frames and leaves of ``plan.doors``; None for an open doorway."""
    found: list[Placed | None] = []
    for door, model in zip(plan.doors, models, strict=True):
        if model is None or door.leaf is None:
            found.append(None)
            continue
        into = door.yaw if door.leaf.room == door.rooms[1] else door.yaw + math.pi
        yaw = round(math.atan2(math.sin(into), math.cos(into)), 6)
        shown = mirrored(model) if door.leaf.right else model
        x, y = door.centre
        found.append(Placed(shown, x, y, 0.0, yaw, door.leaf.room, "opening", 0))
    return found


def place_windows(plan: FloorPlan, models: Sequence[ObjectModel]) -> list[Placed]:
    """The windows' frames, on the middle of the wall's thickness."""
    found = []
    for window, model in zip(plan.windows, models, strict=True):
        deep = plan.wall_m / 2
        x = round(window.centre[0] - math.cos(window.yaw) * deep, 4)
        y = round(window.centre[1] - math.sin(window.yaw) * deep, 4)
        found.append(Placed(model, x, y, window.sill_m, window.yaw, window.room, "opening", 0))
    return found


class _Meshes:
    """Joins meshes and records which instance each triangle belongs to."""

    def __init__(self, shell: Shell) -> None:
        base = shell.arrays()
        self.materials = shell.materials
        self.parts = [base]
        self.two_sided = [np.zeros(len(base["faces"]), dtype=np.bool_)]
        self.count = len(base["vertices"])

    def add(self, thing: Placed, instance: int, room: int) -> None:
        mesh = thing.model.mesh
        c, s = math.cos(thing.yaw), math.sin(thing.yaw)
        v = mesh.vertices.astype(np.float64)
        n = mesh.normals.astype(np.float64)
        out = np.empty_like(v)
        out[:, 0] = thing.x + c * v[:, 0] - s * v[:, 1]
        out[:, 1] = thing.y + s * v[:, 0] + c * v[:, 1]
        out[:, 2] = thing.z + v[:, 2]
        turned = np.empty_like(n)
        turned[:, 0] = c * n[:, 0] - s * n[:, 1]
        turned[:, 1] = s * n[:, 0] + c * n[:, 1]
        turned[:, 2] = n[:, 2]
        numbers = np.array([self._material(m) for m in mesh.materials], dtype=np.int32)
        faces = len(mesh.faces)
        self.parts.append(
            {
                "vertices": np.round(out, 4).astype(np.float32),
                "normals": np.round(turned, 6).astype(np.float32),
                "uvs": mesh.uvs,
                "faces": mesh.faces + self.count,
                "instance": np.full(faces, instance, dtype=np.int32),
                "material": numbers[mesh.face_material],
                "room": np.full(faces, room, dtype=np.int32),
            }
        )
        self.two_sided.append(mesh.face_two_sided)
        self.count += len(v)

    def _material(self, material: Material) -> int:
        return self.materials.setdefault(material, len(self.materials))

    def _join(self, key: str, dtype: type[np.generic]) -> NDArray[np.generic]:
        return np.concatenate([part[key] for part in self.parts]).astype(dtype)

    def geometry(self) -> Geometry:
        vertices = self._join("vertices", np.float32)
        library = texture_library()
        used = sorted({m.texture for m in self.materials} | {"plain"})
        faces = self._join("faces", np.int32)
        return Geometry(
            vertices=vertices,  # type: ignore[arg-type]
            normals=self._join("normals", np.float32),  # type: ignore[arg-type]
            uvs=self._join("uvs", np.float32),  # type: ignore[arg-type]
            light=np.full((len(vertices), 3), LIGHT_UNIT, dtype=np.uint8),
            light_uvs=np.zeros((len(vertices), 2), dtype=np.float32),
            faces=faces,  # type: ignore[arg-type]
            face_instance=self._join("instance", np.int32),  # type: ignore[arg-type]
            face_material=self._join("material", np.int32),  # type: ignore[arg-type]
            face_room=self._join("room", np.int32),  # type: ignore[arg-type]
            face_lightmapped=np.zeros(len(faces), dtype=np.bool_),
            face_two_sided=np.concatenate(self.two_sided),
            lightmap=np.full((1, 1, 3), LIGHT_UNIT, dtype=np.uint8),
            materials=tuple(self.materials),
            textures={name: library[name] for name in used},
        )


def assemble(
    scene_id: str,
    kind: str,
    seed: int,
    plan: FloorPlan,
    shell: Shell,
    windows: Sequence[Placed],
    doors: Sequence[Placed | None],
    things: Sequence[Placed],
) -> Scene:
    """Number and join everything: windows first, then door leaves, then things in order."""
    meshes = _Meshes(shell)
    objects: list[SceneObject] = []
    lights: list[Light] = []
    ids: dict[int, int] = {}
    leaves = [d for d in doors if d is not None]
    for number, thing in enumerate([*windows, *leaves, *things], start=FIRST_OBJECT_ID):
        ids[id(thing)] = number
        meshes.add(thing, number, -1 if thing.category == "door" else thing.room)
        support = None if thing.support is None else ids[id(thing.support)]
        objects.append(
            SceneObject(
                number,
                thing.category,
                thing.room,
                _box(thing),
                dict(thing.model.attributes),
                support,
                thing.kind,
            )
        )
        light = thing.model.light
        if light is not None:
            x, y = thing.world(light.position[0], light.position[1])
            at = (round(x, 4), round(y, 4), round(thing.z + light.position[2], 4))
            source: Literal["ceiling", "lamp"] = "ceiling" if thing.kind == "ceiling" else "lamp"
            on = str(thing.model.attributes.get("state", "on")) != "off"
            lights.append(
                Light(len(lights), source, thing.room, at, light.colour, light.power, on, number)
            )
    panes = []
    for window, thing in zip(plan.windows, windows, strict=True):
        middle = round((window.sill_m + window.head_m) / 2, 4)
        height = round(window.head_m - window.sill_m, 4)
        centre = (window.centre[0], window.centre[1], middle)
        number = ids[id(thing)]
        panes.append(Window(number, window.room, centre, window.yaw, window.width_m, height))
        lights.append(
            Light(
                len(lights), "window", window.room, centre, _DAYLIGHT, _WINDOW_POWER, True, number
            )
        )
    passages = [
        Door(
            index,
            door.rooms,
            (door.centre[0], door.centre[1], 0.0),
            door.yaw,
            door.width_m,
            door.height_m,
            door.kind in ("door", "arch"),
            None if leaf is None else ids[id(leaf)],
        )
        for index, (door, leaf) in enumerate(zip(plan.doors, doors, strict=True))
    ]
    return Scene(
        id=scene_id,
        kind=kind,
        seed=seed,
        storeys=(Storey(0, 0.0, plan.height_m),),
        rooms=tuple(Room(r.id, r.type, r.name, 0, r.polygon) for r in plan.rooms),
        doors=tuple(passages),
        windows=tuple(panes),
        lights=tuple(lights),
        objects=tuple(objects),
        geometry=meshes.geometry(),
    )


def _box(thing: Placed) -> Box:
    low, high = thing.bounds
    x, y = thing.world((low[0] + high[0]) / 2, (low[1] + high[1]) / 2)
    centre = (round(x, 4), round(y, 4), round(thing.z + (low[2] + high[2]) / 2, 4))
    size = (
        round(high[0] - low[0], 4),
        round(high[1] - low[1], 4),
        round(high[2] - low[2], 4),
    )
    return Box(centre, size, thing.yaw)
