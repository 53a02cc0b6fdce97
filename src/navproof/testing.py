"""Small fakes that ship with the library, for its own tests and for users'.

``tiny_scene()`` is a hand-made flat of two 4 m × 4 m rooms side by side (x from −4 to 0 and from 0
to 4, y from 0 to 4, 2.5 m high) joined by a 1 m doorway at (0, 2), with a red table in the west
room and a blue chair and a green box in the east one. Distances in it have closed forms.
"""

from __future__ import annotations

import numpy as np

from navproof.core.types import CEILING, FIRST_OBJECT_ID, FLOOR, WALL
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
)

__all__ = ["tiny_scene"]

_HEIGHT = 2.5


class _Faces:
    """Collects flat quads."""

    def __init__(self) -> None:
        self.vertices: list[list[float]] = []
        self.normals: list[list[float]] = []
        self.uvs: list[list[float]] = []
        self.faces: list[list[int]] = []
        self.instance: list[int] = []
        self.material: list[int] = []
        self.room: list[int] = []

    def quad(self, corners: list[list[float]], instance: int, material: int, room: int) -> None:
        """Four corners, counter-clockwise seen from the visible side."""
        a, b, _, d = (np.array(c, dtype=np.float64) for c in corners)
        normal = np.cross(b - a, d - a)
        normal /= np.linalg.norm(normal)
        base = len(self.vertices)
        lengths = float(np.linalg.norm(b - a)), float(np.linalg.norm(d - a))
        self.vertices += corners
        self.normals += [normal.tolist()] * 4
        self.uvs += [[0, 0], [lengths[0], 0], [lengths[0], lengths[1]], [0, lengths[1]]]
        self.faces += [[base, base + 1, base + 2], [base, base + 2, base + 3]]
        self.instance += [instance] * 2
        self.material += [material] * 2
        self.room += [room] * 2

    def wall(self, x0: float, y0: float, x1: float, y1: float, room: int, low: float = 0.0) -> None:
        """A wall seen from the left of the direction (x0, y0) → (x1, y1)."""
        h = _HEIGHT
        corners = [[x1, y1, low], [x0, y0, low], [x0, y0, h], [x1, y1, h]]
        self.quad(corners, WALL, 0, room)

    def box(self, box: Box, instance: int, material: int, room: int) -> None:
        (cx, cy, cz), (sx, sy, sz) = box.centre, box.size
        x0, x1, y0, y1 = cx - sx / 2, cx + sx / 2, cy - sy / 2, cy + sy / 2
        z0, z1 = cz - sz / 2, cz + sz / 2
        for corners in (
            [[x0, y0, z1], [x1, y0, z1], [x1, y1, z1], [x0, y1, z1]],
            [[x0, y1, z0], [x1, y1, z0], [x1, y0, z0], [x0, y0, z0]],
            [[x0, y0, z0], [x1, y0, z0], [x1, y0, z1], [x0, y0, z1]],
            [[x1, y1, z0], [x0, y1, z0], [x0, y1, z1], [x1, y1, z1]],
            [[x1, y0, z0], [x1, y1, z0], [x1, y1, z1], [x1, y0, z1]],
            [[x0, y1, z0], [x0, y0, z0], [x0, y0, z1], [x0, y1, z1]],
        ):
            self.quad(corners, instance, material, room)


def tiny_scene() -> Scene:
    """The two-room flat described at the top of this module."""
    f = _Faces()
    h = _HEIGHT
    for room, x0, x1 in ((0, -4.0, 0.0), (1, 0.0, 4.0)):
        f.quad([[x0, 0, 0], [x1, 0, 0], [x1, 4, 0], [x0, 4, 0]], FLOOR, 1, room)
        f.quad([[x0, 4, h], [x1, 4, h], [x1, 0, h], [x0, 0, h]], CEILING, 0, room)
        f.wall(x0, 0, x1, 0, room)
        f.wall(x1, 4, x0, 4, room)
    f.wall(-4, 4, -4, 0, 0)
    f.wall(4, 0, 4, 4, 1)
    for y0, y1, low in ((0.0, 1.5, 0.0), (2.5, 4.0, 0.0), (1.5, 2.5, 2.0)):
        f.wall(0, y0, 0, y1, 0, low)
        f.wall(0, y1, 0, y0, 1, low)
    table = Box((-2.0, 3.4, 0.375), (1.0, 0.6, 0.75))
    chair = Box((2.0, 3.5, 0.45), (0.5, 0.5, 0.9))
    crate = Box((3.5, 0.5, 0.25), (0.5, 0.5, 0.5))
    first = FIRST_OBJECT_ID
    objects = (
        SceneObject(first, "table", 0, table, {"colour": "red", "material": "wood"}),
        SceneObject(first + 1, "chair", 1, chair, {"colour": "blue", "material": "wood"}),
        SceneObject(first + 2, "box", 1, crate, {"colour": "green", "material": "cardboard"}),
    )
    for index, thing in enumerate(objects):
        f.box(thing.box, thing.id, 2 + index, thing.room)
    count, n = len(f.vertices), len(f.faces)
    geometry = Geometry(
        vertices=np.array(f.vertices, dtype=np.float32),
        normals=np.array(f.normals, dtype=np.float32),
        uvs=np.array(f.uvs, dtype=np.float32),
        light=np.full((count, 3), LIGHT_UNIT, dtype=np.uint8),
        light_uvs=np.zeros((count, 2), dtype=np.float32),
        faces=np.array(f.faces, dtype=np.int32),
        face_instance=np.array(f.instance, dtype=np.int32),
        face_material=np.array(f.material, dtype=np.int32),
        face_room=np.array(f.room, dtype=np.int32),
        face_lightmapped=np.zeros(n, dtype=np.bool_),
        face_two_sided=np.zeros(n, dtype=np.bool_),
        lightmap=np.full((1, 1, 3), LIGHT_UNIT, dtype=np.uint8),
        materials=(
            Material("plain", (0.8, 0.78, 0.72)),
            Material("plain", (0.45, 0.32, 0.2)),
            Material("plain", (0.7, 0.08, 0.06)),
            Material("plain", (0.08, 0.16, 0.7)),
            Material("plain", (0.1, 0.5, 0.12)),
        ),
        textures={"plain": np.full((4, 4, 4), (255, 255, 255, 0), dtype=np.uint8)},
    )
    return Scene(
        id="tiny",
        kind="home",
        seed=0,
        storeys=(Storey(0, 0.0, h),),
        rooms=(
            Room(0, "living room", "living room", 0, ((-4, 0), (0, 0), (0, 4), (-4, 4))),
            Room(1, "bedroom", "bedroom", 0, ((0, 0), (4, 0), (4, 4), (0, 4))),
        ),
        doors=(Door(0, (0, 1), (0.0, 2.0, 0.0), 0.0, 1.0, 2.0, True),),
        windows=(),
        lights=(Light(0, "ceiling", 0, (-2.0, 2.0, 2.4), (1.0, 1.0, 1.0), 1.0, True),),
        objects=objects,
        geometry=geometry,
    )
