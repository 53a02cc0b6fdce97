"""A scene drawn as an architect's plan: rooms, walls, doors, windows, furniture and names."""

from __future__ import annotations

import math

import cv2
import numpy as np

from navproof.core.errors import SceneError
from navproof.world.drawing.canvas import (
    FLAT,
    Canvas,
    Image,
    floor_colour,
    footprint,
    front_bar,
    soft,
)
from navproof.world.drawing.labels import Labels
from navproof.world.scene import Door, Scene, SceneObject, Window

__all__ = ["draw_plan", "plan_scale"]

_MARGIN_M = 0.45
_WALL_M = 0.16  # outer walls, and the thickest gap between rooms that is a wall is twice this
_WALL = (58, 60, 66)
_INK = (70, 72, 80)
_GLASS = (196, 222, 240)
_HEAD_M = 1.8
_LOW, _HIGH = (240, 239, 234), (120, 124, 134)  # floor and head height of a mesh seen from above
_LEAF_OUT_M = 0.2  # what of a door stands further out than this is its open leaf


_MOST_PIXELS = 8_000_000
"""Of a plan; drawing takes about a hundred bytes for each. A home of 57 × 57 m at 2 cm."""


def plan_scale(scene: Scene, m_per_px: float, storey: int = 0) -> float:
    """Metres a pixel: so many, or of a large scene so many more that its plan can be drawn."""
    width, height = _Extent(scene, storey).size
    return max(m_per_px, 1.001 * math.sqrt(width * height / _MOST_PIXELS))


def draw_plan(
    scene: Scene, m_per_px: float = 0.02, labels: bool = True, storey: int = 0
) -> tuple[Image, float, float]:
    """(RGB image, origin_x, origin_y) of one storey, seen from above with +y up.

    The origin is the world position of the image's top-left corner (as in ``sim.TopDown``). A
    ``SceneError`` where it would be too large (see ``plan_scale``).
    """
    if m_per_px < 0.999 * plan_scale(scene, m_per_px, storey):
        raise SceneError(
            f"a plan of {scene.id} at {m_per_px:g} m a pixel is too large to be drawn; at "
            f"{math.ceil(100.0 * plan_scale(scene, m_per_px, storey)) / 100.0:g} m it is not"
        )
    return _Plan(scene, m_per_px, storey).draw(labels)


class _Extent:
    """What a plan of a storey reaches over, with its margin: least x, greatest y, (width, height)
    in metres."""

    def __init__(self, scene: Scene, storey: int) -> None:
        corners = [p for r in scene.rooms if r.storey == storey for p in r.polygon]
        if not corners:
            places = scene.geometry.vertices[:, :2]
            corners = [(0.0, 0.0)]
            if len(places):
                corners = [tuple(places.min(axis=0).tolist()), tuple(places.max(axis=0).tolist())]
        xs, ys = [p[0] for p in corners], [p[1] for p in corners]
        self.x0, self.y0 = min(xs) - _MARGIN_M, max(ys) + _MARGIN_M
        self.size = (max(xs) + _MARGIN_M - self.x0, self.y0 - min(ys) + _MARGIN_M)


class _Plan:
    def __init__(self, scene: Scene, m_per_px: float, storey: int) -> None:
        self.scene = scene
        self.storey = storey
        self.rooms = [r for r in scene.rooms if r.storey == storey]
        inside = {r.id for r in self.rooms}
        self.objects = [o for o in scene.objects if o.room in inside or o.room < 0]
        self.doors = [d for d in scene.doors if inside & set(d.rooms)]
        self.windows = [w for w in scene.windows if w.room in inside]
        extent = _Extent(scene, storey)
        width, height = (max(1, math.ceil(side / m_per_px)) for side in extent.size)
        self.canvas = Canvas(extent.x0, extent.y0, width, height, m_per_px)

    def draw(self, labels: bool) -> tuple[Image, float, float]:
        self.walls()
        if self.scene.kind == "mesh":
            self.surfaces()
        for door in self.doors:
            self.opening(door)
        for window in self.windows:
            self.window(window)
        drawn = [o for o in self.objects if o.position_kind not in ("ceiling", "opening")]
        drawn = [o for o in drawn if not any(o.id == w.id for w in self.windows)]
        leaves = {d.object_id for d in self.doors}
        drawn = sorted(
            (o for o in drawn if o.id not in leaves), key=lambda o: _layer(self.scene, o)
        )
        for thing in drawn:
            self.thing(thing)
        for door in self.doors:
            self.leaf(door)
        if labels:
            Labels(self.canvas, self.rooms, drawn).write(drawn)
        return self.canvas.finished(), self.canvas.x0, self.canvas.y0

    def walls(self) -> None:
        """Fill the rooms' common hull as wall, then lay the floors on it."""
        mask = np.zeros(self.canvas.image.shape[:2], dtype=np.uint8)
        for room in self.rooms:
            cv2.fillPoly(mask, [self.canvas.points(room.polygon)], 255, cv2.LINE_8, 4)
        reach = 2 * round(_WALL_M / self.canvas.m) + 1
        square = cv2.getStructuringElement(cv2.MORPH_RECT, (reach, reach))
        self.canvas.image[cv2.dilate(mask, square) > 0] = _WALL
        for room in self.rooms:
            self.canvas.fill(room.polygon, floor_colour(room))
        for room in self.rooms:
            self.canvas.stroke(room.polygon, _WALL, 0.035)

    def surfaces(self) -> None:
        """A scene without rooms and objects of its own: all surfaces up to head height from
        above, the higher the darker; where there is no floor stays wall."""
        g = self.scene.geometry
        low = self.scene.storeys[self.storey].elevation_m
        triangles = g.vertices[g.faces].astype(np.float64)
        top = triangles[:, :, 2].max(axis=1) - low
        shown = np.flatnonzero(top <= _HEAD_M)
        self.canvas.image[:] = _WALL
        for index in shown[np.argsort(top[shown], kind="stable")]:
            share = min(1.0, max(0.0, float(top[index])) / _HEAD_M)
            r, g_, b = (round(a + (z - a) * share) for a, z in zip(_LOW, _HIGH, strict=True))
            self.canvas.fill([(float(x), float(y)) for x, y, _ in triangles[index]], (r, g_, b))

    def opening(self, door: Door) -> None:
        """Carry the floor through the wall."""
        x, y, _ = door.centre
        nx, ny = math.cos(door.yaw), math.sin(door.yaw)
        reach = [self._to_room(x, y, sign * nx, sign * ny) for sign in (-1.0, 1.0)]
        half = door.width_m / 2
        quad = [
            (x + a * nx - s * ny, y + a * ny + s * nx)
            for a, s in ((-reach[0], -half), (reach[1], -half), (reach[1], half), (-reach[0], half))
        ]
        self.canvas.fill(quad, (236, 232, 224) if door.passable else (176, 170, 162))
        if door.rooms[1] < 0:
            self.canvas.stroke([quad[1], quad[2]], _WALL, 0.03, closed=False)

    def _to_room(self, x: float, y: float, dx: float, dy: float) -> float:
        """How far the wall goes on from its middle before a room begins."""
        for step in range(1, 16):
            if self.scene.room_at(x + 0.02 * step * dx, y + 0.02 * step * dy) is not None:
                return 0.02 * step + 0.02
        return _WALL_M

    def leaf(self, door: Door) -> None:
        """The leaf where it stands (from its triangles) and the arc of its swing."""
        thing = self.scene.by_id.get(door.object_id) if door.object_id is not None else None
        if thing is None:
            return
        geometry = self.scene.geometry
        corners = np.unique(geometry.faces[geometry.face_instance == thing.id])
        nx, ny = math.cos(door.yaw), math.sin(door.yaw)
        offset = geometry.vertices[corners, :2].astype(np.float64) - np.array(door.centre[:2])
        through, along = offset @ (nx, ny), offset @ (-ny, nx)
        swung = np.abs(through) > _LEAF_OUT_M
        half = door.width_m / 2
        side = 1.0 if swung.any() and float(along[swung].sum()) > 0 else -1.0
        hinge = (door.centre[0] - side * half * ny, door.centre[1] + side * half * nx)
        closed = math.atan2(-side * nx, side * ny)
        turn = 0.0
        if swung.any():
            far = int(np.argmax(np.abs(through)))
            tip_along, tip_through = float(along[far]) - side * half, float(through[far])
            at = math.atan2(tip_through * ny + tip_along * nx, tip_through * nx - tip_along * ny)
            turn = math.remainder(at - closed, math.tau)

        def reach(angle: float) -> tuple[float, float]:
            return (
                hinge[0] + door.width_m * math.cos(angle),
                hinge[1] + door.width_m * math.sin(angle),
            )

        if abs(turn) > 0.1:
            arc = [reach(closed + turn * k / 24) for k in range(25)]
            self.canvas.stroke(arc, (160, 158, 158), 0.01, closed=False)
        self.canvas.stroke([hinge, reach(closed + turn)], _INK, 0.06, closed=False)
        self.canvas.stroke([hinge, reach(closed + turn)], soft(thing), 0.035, closed=False)

    def window(self, window: Window) -> None:
        x, y, _ = window.centre
        nx, ny = math.cos(window.yaw), math.sin(window.yaw)
        inner = self._to_room(x, y, nx, ny)
        half = window.width_m / 2

        def line(a: float) -> list[tuple[float, float]]:
            return [(x + a * nx - s * ny, y + a * ny + s * nx) for s in (-half, half)]

        outer = inner - _WALL_M - 0.02
        self.canvas.fill([*line(outer), *reversed(line(inner))], _GLASS)
        for a in (outer, (outer + inner) / 2, inner):
            self.canvas.stroke(line(a), (120, 150, 176), 0.012, closed=False)

    def thing(self, thing: SceneObject) -> None:
        quad = footprint(thing.box)
        self.canvas.fill(quad, soft(thing))
        if thing.category in FLAT:
            self.canvas.stroke(quad, tuple(int(0.8 * c) for c in soft(thing)), 0.015)
            return
        self.canvas.stroke(quad, _INK, 0.008)
        bar = front_bar(thing)
        if bar:
            self.canvas.stroke(bar, _INK, 0.025, closed=False)


def _layer(scene: Scene, thing: SceneObject) -> tuple[int, float, int]:
    """Painter's order: flat things, what stands, what stands on that; then by height."""
    if thing.category in FLAT:
        return (-1, 0.0, thing.id)
    depth, support = 0, thing.support
    while support is not None and depth < 8 and support in scene.by_id:
        depth, support = depth + 1, scene.by_id[support].support
    return (depth, thing.box.centre[2] + thing.box.size[2] / 2, thing.id)
