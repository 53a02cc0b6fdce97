"""Whether a scene that came from outside is one: whatever passes can be rendered and played.

Kernels do not check the indices and sizes that a scene gives them: one that is out of range reads
or writes other memory. So everything is checked once, where a scene comes in.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from operator import attrgetter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from navproof.core.errors import SceneError
from navproof.core.input.reading import short
from navproof.core.types import CEILING, VOID
from navproof.world.rules import FARTHEST_M, MOST_AREA_M2, RULES, is_whole
from navproof.world.scene import Geometry, Material, Scene

__all__ = [
    "MOST",
    "MOST_FACES",
    "MOST_MAP",
    "MOST_TEXELS",
    "MOST_VERTICES",
    "check_scene",
    "describe_extent",
]

MOST_VERTICES = 4_000_000
MOST_FACES = 4_000_000
MOST_TEXELS = 1 << 26
"""Of all textures together."""
MOST_MAP = 1 << 24
"""Of the texels of a lightmap."""
_MOST_SIDE = 8192  # of a texture
_MOST_UV = 1e6
_MOST_LIGHT = 1e6
MOST = {
    "storeys": 100,
    "rooms": 2000,
    "doors": 2000,
    "windows": 10_000,
    "lights": 10_000,
    "objects": 50_000,
}
_HIGHEST_PILE = 50
_MOST_CORNERS = 20_000
_MOST_MATERIALS = 65_536
_MOST_LAYERS = 10_000
Array = NDArray[Any]


def check_scene(scene: Scene, where: str) -> None:
    """Raise ``SceneError`` for the first thing in it that makes no sense; ``where`` begins its
    line."""
    _Check(scene, where).all()


def describe_extent(low: Sequence[float], high: Sequence[float]) -> str | None:
    """What is wrong with how far a scene reaches, from its least to its greatest x and y; None if
    nothing is."""
    width, depth = float(high[0] - low[0]), float(high[1] - low[1])
    farthest = max(abs(float(v)) for v in (*low, *high))
    if not farthest <= FARTHEST_M:
        return (
            f"it reaches {farthest:,.0f} m from the origin, and may reach {FARTHEST_M:,.0f} m; "
            "move or scale it"
        )
    if width * depth > MOST_AREA_M2:
        return (
            f"it spreads over {width:,.0f} × {depth:,.0f} m, and at most {MOST_AREA_M2:,.0f} m² "
            "can be mapped; crop it, or is it in another unit than metres?"
        )
    return None


class _Check:
    """One scene, part by part: later parts rely on what earlier ones made sure of."""

    def __init__(self, scene: Scene, where: str) -> None:
        self.scene, self.where = scene, where

    def wrong(self, what: str, why: str) -> SceneError:
        return SceneError(f"{self.where}: {what}: {why}")

    def all(self) -> None:
        scene = self.scene
        for name in ("id", "kind"):
            held = getattr(scene, name)
            if type(held) is not str or not 0 < len(held) <= 1000 or not held.isprintable():
                raise self.wrong(name, f"it must be printable text, and is {short(held)}")
        if not is_whole(scene.seed) or abs(scene.seed) >= 1 << 63:
            raise self.wrong("seed", f"it must be a whole number, and is {short(scene.seed)}")
        for part, most in MOST.items():
            held = getattr(scene, part)
            if len(held) > most:
                raise self.wrong(part, f"there are {len(held):,}, and {most:,} are the most")
            self.fields(part, held)
        self.fields("objects", [thing.box for thing in scene.objects], "box.")
        self.references()
        self.arrays(scene.geometry)
        self.indices(scene.geometry)
        self.extent(scene.geometry)
        self.looks(scene.geometry)
        self.baked()

    # -------------------------------------------------------------------------- what has a name
    def fields(self, part: str, things: Sequence[Any], inner: str = "") -> None:
        """Types and ranges of everything in one part."""
        if not things:
            return
        rules = RULES[type(things[0])]
        take = attrgetter(*rules)
        checks = [rule.fits for rule in rules.values()]
        for number, thing in enumerate(things):
            for at, (fits, value) in enumerate(zip(checks, take(thing), strict=True)):
                if not fits(value):
                    name, rule = list(rules.items())[at]
                    what = f"{part}.{number}.{inner}{name}"
                    raise self.wrong(what, f"it must be {rule.takes}, and is {short(value)}")

    def references(self) -> None:
        """What things say of one another."""
        scene = self.scene
        if not scene.storeys:
            raise self.wrong("storeys", "there must be one at least")
        for number, storey in enumerate(scene.storeys):
            if storey.index != number:
                raise self.wrong(f"storeys.{number}.index", f"it must be {number}")
        rooms = self.distinct("rooms", [room.id for room in scene.rooms])
        objects = self.distinct("objects", [thing.id for thing in scene.objects])
        lights = self.distinct("lights", [light.id for light in scene.lights])
        self.distinct("doors", [door.id for door in scene.doors])
        self.distinct("windows", [window.id for window in scene.windows])
        corners = sum(len(room.polygon) for room in scene.rooms)
        if corners > _MOST_CORNERS:
            raise self.wrong("rooms", f"they have {corners:,} corners, more than {_MOST_CORNERS:,}")
        for number, room in enumerate(scene.rooms):
            if room.storey >= len(scene.storeys):
                raise self.wrong(f"rooms.{number}.storey", f"there is no storey {room.storey}")
        for number, door in enumerate(scene.doors):
            for room_id in door.rooms[: 1 if door.rooms[1] == -1 else 2]:
                self.known(f"doors.{number}.rooms", "room", room_id, rooms)
            self.known(f"doors.{number}.object_id", "object", door.object_id, objects)
        held = {
            "windows": [window.room for window in scene.windows],
            "lights": [light.room for light in scene.lights],
            "objects": [thing.room for thing in scene.objects],
        }
        for part, within in held.items():
            for number, room_id in enumerate(within):
                if room_id != -1:
                    self.known(f"{part}.{number}.room", "room", room_id, rooms)
        for number, light in enumerate(scene.lights):
            self.known(f"lights.{number}.object_id", "object", light.object_id, objects)
        below = {thing.id: thing.support for thing in scene.objects}
        for number, thing in enumerate(scene.objects):
            self.known(f"objects.{number}.support", "object", thing.support, objects)
            under = thing.support
            for _ in range(_HIGHEST_PILE):
                if under is None:
                    break
                under = below.get(under)
            else:
                raise self.wrong(f"objects.{number}.support", "the pile that it is in has no end")
        self._rooms, self._objects, self._lights = rooms, objects, lights

    def distinct(self, part: str, ids: Sequence[int]) -> frozenset[int]:
        found = frozenset(ids)
        if len(found) != len(ids):
            twice, _ = Counter(ids).most_common(1)[0]
            raise self.wrong(part, f"two have the id {twice}")
        return found

    def known(self, what: str, kind: str, held: int | None, ids: Collection[int]) -> None:
        if held is not None and held not in ids:
            raise self.wrong(what, f"there is no {kind} {held}")

    # ------------------------------------------------------------------------------- triangles
    def arrays(self, g: Geometry) -> None:
        """How many numbers there are, and that they are numbers."""
        count, faces = len(g.vertices), len(g.faces)
        if not faces or not count:
            raise self.wrong("faces", "there are no triangles")
        for name, held, most in (
            ("vertices", count, MOST_VERTICES),
            ("faces", faces, MOST_FACES),
            ("materials", len(g.materials), _MOST_MATERIALS),
        ):
            if held > most:
                raise self.wrong(name, f"there are {held:,}, and {most:,} are the most")
        for name, limit in (
            ("vertices", FARTHEST_M),
            ("normals", _MOST_UV),
            ("uvs", _MOST_UV),
            ("light_uvs", _MOST_UV),
        ):
            array: Array = getattr(g, name)
            least, greatest = array.min(), array.max()  # NaN where there is one
            if not (-limit <= least and greatest <= limit):
                far = least if not -limit <= least else greatest
                raise self.wrong(
                    name, f"a value is {far:g}; they must be numbers of at most {limit:,.0f}"
                )

    def indices(self, g: Geometry) -> None:
        """What faces point at."""
        self.within("faces", g.faces, 0, len(g.vertices) - 1)
        self.within("face_material", g.face_material, 0, len(g.materials) - 1)
        rooms = max(self._rooms, default=-1)
        self.within("face_room", g.face_room, -1, rooms)
        self.among("face_room", g.face_room + 1, {-1 + 1, *(r + 1 for r in self._rooms)}, -1)
        things = max(self._objects, default=CEILING)
        self.within("face_instance", g.face_instance, VOID, things)
        self.among("face_instance", g.face_instance, {*range(VOID, CEILING + 1), *self._objects})

    def within(self, name: str, index: Array, low: int, high: int) -> None:
        least, greatest = int(index.min()), int(index.max())
        if least < low or greatest > high:
            odd = least if least < low else greatest
            raise self.wrong(name, f"an index is outside {low} … {high}: {odd}")

    def among(self, name: str, index: Array, known: Collection[int], shift: int = 0) -> None:
        """Every one of the indices, which are not negative, is known."""
        used = np.zeros(int(index.max()) + 1, dtype=np.bool_)
        used[index] = True
        for found in np.flatnonzero(used).tolist():
            if found not in known:
                raise self.wrong(name, f"a face belongs to {found + shift}, which is not there")

    def extent(self, g: Geometry) -> None:
        """How far all of it reaches: maps are as large."""
        corners = [corner for room in self.scene.rooms for corner in room.polygon]
        low, high = [], []
        for axis in range(2):
            along = g.vertices[:, axis]
            at = [corner[axis] for corner in corners]
            low.append(min(float(along.min()), *at))
            high.append(max(float(along.max()), *at))
        if fault := describe_extent(low, high):
            raise SceneError(f"{self.where}: {fault}")

    # ------------------------------------------------------------------------ looks and light
    def looks(self, g: Geometry) -> None:
        """Materials, textures and the lightmap."""
        self.fields("materials", g.materials)
        sides = {texture.shape for texture in g.textures.values()}
        side = next(iter(sides))[0] if sides else 1
        if sides - {(side, side, 4)} or side > _MOST_SIDE or side < 1 or side & (side - 1):
            raise self.wrong(
                "textures", f"they must all be RGBA squares of one power-of-two side ≤ {_MOST_SIDE}"
            )
        if len(g.textures) * side * side > MOST_TEXELS:
            raise self.wrong("textures", f"they have more than {MOST_TEXELS:,} texels together")
        for number, material in enumerate(g.materials):
            if material.texture not in g.textures:
                what = f"materials.{number}.texture"
                raise self.wrong(what, f"there is no texture {short(material.texture)}")
        height, width = g.lightmap.shape[:2]
        if not 1 <= height * width <= MOST_MAP:
            raise self.wrong("lightmap", f"it is {width} × {height} texels")

    def baked(self) -> None:
        """The layers of light: kernels take as many points from each as there are in its rooms."""
        baked, rooms = self.scene.baked, len(self.scene.rooms)
        if baked is None:
            return
        if not 1 <= len(baked.layers) <= _MOST_LAYERS:
            raise self.wrong("layers", f"there are {len(baked.layers):,}")
        points = baked.point_room
        if points.size:
            self.within("point_room", points, -1, rooms - 1)
        in_room = np.bincount(points.astype(np.int32) + 1, minlength=rooms + 1)[1:]
        for number, layer in enumerate(baked.layers):
            what = f"layers.{number}"
            if type(layer.light) is not int or layer.light not in {-1, -2, *self._lights}:
                raise self.wrong(f"{what}.light", f"there is no light {short(layer.light)}")
            if layer.kind not in ("ambient", "ceiling", "lamp", "window"):
                raise self.wrong(f"{what}.kind", f"there is no kind {short(layer.kind)}")
            if not RULES[Material]["tint"].fits(layer.colour):
                raise self.wrong(f"{what}.colour", f"it is {short(layer.colour)}")
            lit = layer.rooms
            if type(lit) is not tuple or not all(is_whole(r) and 0 <= r < rooms for r in lit):
                raise self.wrong(f"{what}.rooms", f"they are numbers of rooms, not {short(lit)}")
            if len(set(lit)) != len(lit):
                raise self.wrong(f"{what}.rooms", "one is there twice")
            if len(layer.direct) != int(in_room[list(lit)].sum()):
                raise self.wrong(
                    what, f"its light is for {len(layer.direct):,} points, not its own"
                )
            if layer.bounce.shape != (rooms, 3):
                raise self.wrong(what, f"the light given back is for {len(layer.bounce)} rooms")
            if rooms and not np.abs(layer.bounce).max() <= _MOST_LIGHT:
                raise self.wrong(what, "the light given back holds what is no number, or too much")
