"""A scene drawn as an architect's plan: rooms, walls, doors, windows, furniture and names."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from navproof.world.scene import Box, Door, Room, Scene, SceneObject, Window

__all__ = ["draw_plan", "polygon_area"]

_SCALE = 4  # drawn this much larger, then averaged down
_MARGIN_M = 0.45
_WALL_M = 0.16  # outer walls, and the thickest gap between rooms that is a wall is twice this
_PAPER = (252, 251, 248)
_WALL = (58, 60, 66)
_INK = (70, 72, 80)
_GLASS = (196, 222, 240)
_FLOORS: Mapping[str, tuple[int, int, int]] = {
    "living": (247, 238, 221),
    "bedroom": (232, 236, 247),
    "kitchen": (250, 234, 222),
    "dining": (248, 240, 214),
    "bath": (222, 240, 242),
    "toilet": (222, 240, 242),
    "restroom": (222, 240, 242),
    "hall": (240, 240, 238),
    "corridor": (240, 240, 238),
    "entrance": (240, 240, 238),
    "lobby": (240, 240, 238),
    "office": (230, 241, 232),
    "study": (230, 241, 232),
    "laundry": (236, 234, 244),
    "storage": (236, 233, 228),
    "child": (246, 232, 240),
    "meeting": (243, 235, 228),
    "waiting": (244, 240, 226),
    "exam": (226, 240, 238),
}
_FLOOR = (241, 239, 233)
_COLOURS: Mapping[str, tuple[int, int, int]] = {
    "black": (48, 48, 52),
    "white": (246, 246, 244),
    "grey": (140, 142, 146),
    "gray": (140, 142, 146),
    "red": (196, 52, 46),
    "green": (72, 146, 74),
    "blue": (56, 104, 188),
    "yellow": (232, 196, 60),
    "orange": (228, 132, 48),
    "brown": (134, 92, 56),
    "purple": (126, 80, 160),
    "pink": (232, 146, 176),
    "beige": (216, 196, 162),
    "teal": (44, 140, 140),
    "navy": (38, 52, 104),
    "cream": (240, 230, 205),
    "silver": (190, 194, 200),
    "gold": (206, 166, 70),
}
_FONT = cv2.FONT_HERSHEY_DUPLEX
_FLAT = frozenset({"rug", "mat", "carpet", "doormat", "bath mat"})
_LEAF_OUT_M = 0.2  # what of a door stands further out than this is its open leaf
_ROOM_PX = (15, 13, 11, 9)  # heights of capitals in the finished image
_THING_PX = (9.0, 8.0, 7.0)
Image = NDArray[np.uint8]
Pixel = tuple[float, float]


def draw_plan(
    scene: Scene, m_per_px: float = 0.02, labels: bool = True, storey: int = 0
) -> tuple[Image, float, float]:
    """(RGB image, origin_x, origin_y) of one storey, seen from above with +y up.

    The origin is the world position of the image's top-left corner (as in ``sim.TopDown``).
    """
    return _Plan(scene, m_per_px, storey).draw(labels)


class _Plan:
    def __init__(self, scene: Scene, m_per_px: float, storey: int) -> None:
        self.scene = scene
        self.rooms = [r for r in scene.rooms if r.storey == storey]
        inside = {r.id for r in self.rooms}
        self.objects = [o for o in scene.objects if o.room in inside or o.room < 0]
        self.doors = [d for d in scene.doors if inside & set(d.rooms)]
        self.windows = [w for w in scene.windows if w.room in inside]
        xs, ys = self._extent()
        self.x0, self.y0 = min(xs) - _MARGIN_M, max(ys) + _MARGIN_M
        width = max(1, math.ceil((max(xs) + _MARGIN_M - self.x0) / m_per_px))
        height = max(1, math.ceil((self.y0 - min(ys) + _MARGIN_M) / m_per_px))
        self.m = m_per_px / _SCALE
        self.image: Image = np.full((height * _SCALE, width * _SCALE, 3), _PAPER, dtype=np.uint8)

    def _extent(self) -> tuple[list[float], list[float]]:
        corners = [p for r in self.rooms for p in r.polygon]
        if not corners:
            corners = [(float(x), float(y)) for x, y in self.scene.geometry.vertices[:, :2]]
        return [p[0] for p in corners] or [0.0], [p[1] for p in corners] or [0.0]

    # ---------------------------------------------------------------------------- primitives
    def px(self, x: float, y: float) -> Pixel:
        return (x - self.x0) / self.m, (self.y0 - y) / self.m

    def pixels(self, metres: float) -> int:
        """A length as a stroke width, at least one final pixel."""
        return max(_SCALE, round(metres / self.m))

    def points(self, corners: Sequence[tuple[float, float]]) -> NDArray[np.int32]:
        return np.array(
            [[round(16 * c) for c in self.px(x, y)] for x, y in corners], dtype=np.int32
        )

    def fill(self, corners: Sequence[tuple[float, float]], colour: Sequence[int]) -> None:
        cv2.fillPoly(self.image, [self.points(corners)], tuple(colour), cv2.LINE_AA, 4)

    def stroke(
        self,
        corners: Sequence[tuple[float, float]],
        colour: Sequence[int],
        metres: float,
        closed: bool = True,
    ) -> None:
        cv2.polylines(
            self.image,
            [self.points(corners)],
            closed,
            tuple(colour),
            self.pixels(metres),
            cv2.LINE_AA,
            4,
        )

    # ------------------------------------------------------------------------------- drawing
    def draw(self, labels: bool) -> tuple[Image, float, float]:
        self.walls()
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
            _Labels(self, drawn).write(drawn)
        height, width = self.image.shape[0] // _SCALE, self.image.shape[1] // _SCALE
        small = cv2.resize(self.image, (width, height), interpolation=cv2.INTER_AREA)
        return np.asarray(small, dtype=np.uint8), self.x0, self.y0

    def walls(self) -> None:
        """Fill the rooms' common hull as wall, then lay the floors on it."""
        mask = np.zeros(self.image.shape[:2], dtype=np.uint8)
        for room in self.rooms:
            cv2.fillPoly(mask, [self.points(room.polygon)], 255, cv2.LINE_8, 4)
        reach = 2 * round(_WALL_M / self.m) + 1
        square = cv2.getStructuringElement(cv2.MORPH_RECT, (reach, reach))
        self.image[cv2.dilate(mask, square) > 0] = _WALL
        for room in self.rooms:
            self.fill(room.polygon, floor_colour(room))
        for room in self.rooms:
            self.stroke(room.polygon, _WALL, 0.035)

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
        self.fill(quad, (236, 232, 224) if door.passable else (176, 170, 162))
        if door.rooms[1] < 0:
            self.stroke([quad[1], quad[2]], _WALL, 0.03, closed=False)

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
            self.stroke(arc, (160, 158, 158), 0.01, closed=False)
        self.stroke([hinge, reach(closed + turn)], _INK, 0.06, closed=False)
        self.stroke([hinge, reach(closed + turn)], soft(thing), 0.035, closed=False)

    def window(self, window: Window) -> None:
        x, y, _ = window.centre
        nx, ny = math.cos(window.yaw), math.sin(window.yaw)
        inner = self._to_room(x, y, nx, ny)
        half = window.width_m / 2

        def line(a: float) -> list[tuple[float, float]]:
            return [(x + a * nx - s * ny, y + a * ny + s * nx) for s in (-half, half)]

        outer = inner - _WALL_M - 0.02
        self.fill([*line(outer), *reversed(line(inner))], _GLASS)
        for a in (outer, (outer + inner) / 2, inner):
            self.stroke(line(a), (120, 150, 176), 0.012, closed=False)

    def thing(self, thing: SceneObject) -> None:
        quad = footprint(thing.box)
        self.fill(quad, soft(thing))
        if thing.category in _FLAT:
            self.stroke(quad, tuple(int(0.8 * c) for c in soft(thing)), 0.015)
            return
        self.stroke(quad, _INK, 0.008)
        bar = front_bar(thing)
        if bar:
            self.stroke(bar, _INK, 0.025, closed=False)


class _Labels:
    """Places names so that none lies on another: room names first, then what still fits."""

    def __init__(self, plan: _Plan, things: Sequence[SceneObject]) -> None:
        self.plan = plan
        self.taken = np.zeros(plan.image.shape[:2], dtype=np.uint8)
        self.owner = np.zeros(plan.image.shape[:2], dtype=np.int32)
        for number, thing in enumerate(things, start=1):
            cv2.fillPoly(self.owner, [plan.points(footprint(thing.box))], number, 8, 4)
            bar = front_bar(thing)
            if bar:
                cv2.polylines(self.owner, [plan.points(bar)], False, -1, plan.pixels(0.06), 8, 4)

    def write(self, things: Sequence[SceneObject]) -> None:
        furniture = (self.owner != 0).astype(np.uint8)
        for room in sorted(self.plan.rooms, key=lambda r: r.id):
            self._room(room, furniture)
        numbered = list(enumerate(things, start=1))
        numbered.sort(key=lambda pair: (-pair[1].box.size[0] * pair[1].box.size[1], pair[1].id))
        for number, thing in numbered:
            if thing.category not in _FLAT:
                self._thing(number, thing)

    def _room(self, room: Room, furniture: NDArray[np.uint8]) -> None:
        plan = self.plan
        inside = np.zeros_like(self.taken)
        cv2.fillPoly(inside, [plan.points(room.polygon)], 1, 8, 4)
        area = abs(polygon_area(room.polygon))
        sizes = _ROOM_PX if area >= 8.0 else _ROOM_PX[1:]
        for size in sizes:
            for lines in _wrappings(room.name):
                scale, width, height = _measure(lines, size * _SCALE)
                last = size == sizes[-1]
                place = _best_place(inside, furniture, self.taken, width, height, last)
                if place is not None:
                    if last:
                        self._plate(place, width, height)
                    self._text(lines, place, scale, height, (64, 66, 76), bold=True)
                    self.taken[place[1] : place[1] + height, place[0] : place[0] + width] = 2
                    return

    def _plate(self, place: tuple[int, int], width: int, height: int) -> None:
        """Paper under a name that has to lie on furniture."""
        spot = self.plan.image[place[1] : place[1] + height, place[0] : place[0] + width]
        spot[:] = (spot * 0.25 + np.array(_PAPER) * 0.75).astype(np.uint8)

    def _thing(self, number: int, thing: SceneObject) -> None:
        corners = self.plan.points(footprint(thing.box)) / 16
        (left, top), (right, bottom) = corners.min(axis=0), corners.max(axis=0)
        window = (
            slice(max(0, int(top)), int(bottom) + 1),
            slice(max(0, int(left)), int(right) + 1),
        )
        mine = (self.owner[window] == number).astype(np.uint8)
        taken = self.taken[window]
        for size in _THING_PX:
            for lines in _wrappings(thing.category):
                scale, width, height = _measure(lines, size * _SCALE)
                pad = _SCALE
                place = _best_place(mine, taken, taken, width + 2 * pad, height + pad, False)
                if place is None:
                    continue
                x, y = place[0] + window[1].start + pad, place[1] + window[0].start + pad // 2
                ink = (40, 42, 48) if np.mean(soft(thing)) > 110 else (250, 250, 250)
                self._text(lines, (x, y), scale, height, ink)
                self.taken[y : y + height, x : x + width] = 2
                return

    def _text(
        self,
        lines: Sequence[str],
        place: tuple[int, int],
        scale: float,
        height: int,
        ink: tuple[int, int, int],
        bold: bool = False,
    ) -> None:
        _, width, _ = _measure_at(lines, scale)
        step = height / len(lines)
        thick = max(1, round(scale * (1.6 if bold else 1.2)))
        for number, line in enumerate(lines):
            (w, h), _ = cv2.getTextSize(line, _FONT, scale, thick)
            x = round(place[0] + (width - w) / 2)
            y = round(place[1] + step * (number + 0.5) + h / 2)
            cv2.putText(self.plan.image, line, (x, y), _FONT, scale, ink, thick, cv2.LINE_AA)


def _measure(lines: Sequence[str], cap_px: float) -> tuple[float, int, int]:
    """(font scale, width, height) of a block whose capitals are ``cap_px`` high."""
    return _measure_at(lines, cap_px / 21.0)


def _measure_at(lines: Sequence[str], scale: float) -> tuple[float, int, int]:
    width = max(cv2.getTextSize(line, _FONT, scale, 1)[0][0] for line in lines)
    return scale, int(width), int(len(lines) * 21.0 * scale * 1.75)


def _wrappings(text: str) -> list[list[str]]:
    words = text.replace("_", " ").split()
    return [[" ".join(words)]] + ([words] if len(words) > 1 else [])


def _best_place(
    inside: NDArray[np.uint8],
    furniture: NDArray[np.uint8],
    taken: NDArray[np.uint8],
    width: int,
    height: int,
    anywhere: bool,
) -> tuple[int, int] | None:
    """The free top-left corner nearest the room's middle; over furniture if ``anywhere``."""
    rows, columns = np.flatnonzero(inside.any(axis=1)), np.flatnonzero(inside.any(axis=0))
    if not len(rows):
        return None
    top, left = int(rows[0]), int(columns[0])
    view = (slice(top, int(rows[-1]) + 1), slice(left, int(columns[-1]) + 1))
    blocked = (inside[view] == 0) | (taken[view] == 2)
    if not anywhere:
        blocked = blocked | (furniture[view] == 1)
    sums = np.pad(np.cumsum(np.cumsum(blocked, axis=0), axis=1), ((1, 0), (1, 0)))
    if sums.shape[0] <= height or sums.shape[1] <= width:
        return None
    hits = sums[height:, width:] - sums[:-height, width:]
    hits = hits - sums[height:, :-width] + sums[:-height, :-width]
    free = np.argwhere(hits == 0)
    if not len(free):
        return None
    middle = (np.array(blocked.shape) - (height, width)) / 2
    best = free[int(np.argmin(((free - middle) ** 2).sum(axis=1)))]
    return int(best[1]) + left, int(best[0]) + top


def _layer(scene: Scene, thing: SceneObject) -> tuple[int, float, int]:
    """Painter's order: flat things, what stands, what stands on that; then by height."""
    if thing.category in _FLAT:
        return (-1, 0.0, thing.id)
    depth, support = 0, thing.support
    while support is not None and depth < 8 and support in scene.by_id:
        depth, support = depth + 1, scene.by_id[support].support
    return (depth, thing.box.centre[2] + thing.box.size[2] / 2, thing.id)


def floor_colour(room: Room) -> tuple[int, int, int]:
    for word, colour in _FLOORS.items():
        if word in room.type.lower():
            return colour
    return _FLOOR


def soft(thing: SceneObject) -> tuple[int, int, int]:
    """The object's colour, mixed with paper."""
    base = _COLOURS.get(str(thing.attributes.get("colour", "")), (196, 190, 182))
    r, g, b = (round(0.52 * c + 0.48 * p) for c, p in zip(base, _PAPER, strict=True))
    return r, g, b


def footprint(box: Box) -> list[tuple[float, float]]:
    (x, y, _), (sx, sy, _) = box.centre, box.size
    c, s = math.cos(box.yaw), math.sin(box.yaw)
    return [
        (x + a * sx / 2 * c - b * sy / 2 * s, y + a * sx / 2 * s + b * sy / 2 * c)
        for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))
    ]


def front_bar(thing: SceneObject) -> list[tuple[float, float]]:
    """A line inside the front edge of what stands on the floor; empty for small things."""
    (x, y, _), (sx, sy, _) = thing.box.centre, thing.box.size
    if thing.position_kind != "floor" or min(sx, sy) < 0.3 or thing.category in _FLAT:
        return []
    c, s = math.cos(thing.box.yaw), math.sin(thing.box.yaw)
    bar = [(sx / 2 - 0.035, -0.3 * sy), (sx / 2 - 0.035, 0.3 * sy)]
    return [(x + a * c - b * s, y + a * s + b * c) for a, b in bar]


def polygon_area(polygon: Sequence[tuple[float, float]]) -> float:
    pairs = zip(polygon, [*polygon[1:], polygon[0]], strict=True)
    return 0.5 * sum(x0 * y1 - x1 * y0 for (x0, y0), (x1, y1) in pairs)
