"""Walls, floors, ceilings, reveals, casings, skirting and window panes as rectangles.

Every surface is a rectangle of four fresh vertices a, b, c, d and two consecutive faces
[a, b, c], [a, c, d]. All walls of a room are cut at the same heights, so that neighbouring
rectangles share their corners exactly; floors and ceilings reach a centimetre into the walls, and
casings and skirting boards cover the rest, so no seam can show what is behind it.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from navproof.core.types import CEILING, FLOOR, WALL
from navproof.world.plans.floorplan import FloorPlan, PlanDoor, PlanRoom, PlanWindow
from navproof.world.polygon import inside
from navproof.world.scene import Material
from navproof.world.textures.finishes import Finish, Finishes

__all__ = ["Shell", "build_structure", "wall_edges"]

Vec = tuple[float, float, float]
_REACH_M = 0.01  # how far floors and ceilings reach into the walls
_CASING_W, _CASING_T = 0.07, 0.016
_SKIRT_H, _SKIRT_T = 0.08, 0.014


class Shell:
    """Collects rectangles."""

    def __init__(self) -> None:
        self.corners: list[tuple[Vec, Vec, Vec, Vec]] = []
        self.uvs: list[tuple[float, ...]] = []
        self.instance: list[int] = []
        self.material: list[int] = []
        self.room: list[int] = []
        self.materials: dict[Material, int] = {}

    def quad(
        self,
        corners: tuple[Vec, Vec, Vec, Vec],
        finish: Finish,
        instance: int,
        room: int,
        uv: tuple[float, float, float, float] | None = None,
    ) -> None:
        """Corners counter-clockwise seen from the visible side, a→b along the texture's u.

        ``uv`` is (u0, v0, u1, v1) in metres; by default it starts at a.
        """
        a, b, _, d = corners
        u0, v0, u1, v1 = uv or (0.0, 0.0, math.dist(a, b), math.dist(a, d))
        s = 1.0 / finish.repeat_m
        self.corners.append(corners)
        self.uvs.append((u0 * s, v0 * s, u1 * s, v0 * s, u1 * s, v1 * s, u0 * s, v1 * s))
        self.instance.append(instance)
        self.material.append(self.materials.setdefault(finish.material, len(self.materials)))
        self.room.append(room)

    def box(self, low: Vec, high: Vec, finish: Finish, instance: int, room: int, skip: str) -> None:
        """An axis-aligned box, without the sides named in ``skip`` ("+x", "-z", …)."""
        (x0, y0, z0), (x1, y1, z1) = low, high
        sides = {
            "+z": ((x0, y0, z1), (x1, y0, z1), (x1, y1, z1), (x0, y1, z1)),
            "-z": ((x0, y1, z0), (x1, y1, z0), (x1, y0, z0), (x0, y0, z0)),
            "-y": ((x0, y0, z0), (x1, y0, z0), (x1, y0, z1), (x0, y0, z1)),
            "+y": ((x1, y1, z0), (x0, y1, z0), (x0, y1, z1), (x1, y1, z1)),
            "+x": ((x1, y0, z0), (x1, y1, z0), (x1, y1, z1), (x1, y0, z1)),
            "-x": ((x0, y1, z0), (x0, y0, z0), (x0, y0, z1), (x0, y1, z1)),
        }
        for name, corners in sides.items():
            if name not in skip:
                self.quad(corners, finish, instance, room)

    def arrays(self) -> dict[str, NDArray[np.generic]]:
        """Vertices, normals, uvs, faces and per-face instance, material and room."""
        n = len(self.corners)
        corners = np.round(np.array(self.corners, dtype=np.float64).reshape(n, 4, 3), 4)
        normal = np.cross(corners[:, 1] - corners[:, 0], corners[:, 3] - corners[:, 0])
        normal /= np.linalg.norm(normal, axis=1, keepdims=True)
        first = np.arange(n, dtype=np.int32)[:, None] * 4
        faces = (first + np.array([0, 1, 2, 0, 2, 3], dtype=np.int32)).reshape(-1, 3)
        return {
            "vertices": corners.reshape(-1, 3).astype(np.float32),
            "normals": np.repeat(np.round(normal, 6), 4, axis=0).astype(np.float32),
            "uvs": np.round(np.array(self.uvs, dtype=np.float64).reshape(-1, 2), 5).astype(
                np.float32
            ),
            "faces": faces.astype(np.int32),
            "instance": np.repeat(np.array(self.instance, dtype=np.int32), 2),
            "material": np.repeat(np.array(self.material, dtype=np.int32), 2),
            "room": np.repeat(np.array(self.room, dtype=np.int32), 2),
        }


Edge = tuple[tuple[float, float], tuple[float, float]]


def wall_edges(room: PlanRoom) -> list[Edge]:
    """The room's walls as directed edges with the room on their left."""
    ring = room.polygon
    return list(zip(ring, ring[1:] + ring[:1], strict=True))


def on_edge(edge: Edge, x: float, y: float, reach: float) -> float | None:
    """How far along the edge the point projects, if it lies within ``reach`` of its line."""
    (x0, y0), (x1, y1) = edge
    length = math.hypot(x1 - x0, y1 - y0)
    dx, dy = (x1 - x0) / length, (y1 - y0) / length
    along = (x - x0) * dx + (y - y0) * dy
    across = (x - x0) * dy - (y - y0) * dx
    if -1e-6 <= across <= reach + 1e-6 and 0 < along < length:
        return along
    return None


def build_structure(plan: FloorPlan, finishes: Finishes) -> Shell:
    """The shell of the whole plan. Frames, leaves and panes are objects and come on top."""
    shell = Shell()
    for room in plan.rooms:
        _room(shell, plan, room, finishes)
    for door in plan.doors:
        _doorway(shell, plan, door, finishes)
    for window in plan.windows:
        _reveal(shell, plan, window, finishes)
    return shell


def _room(shell: Shell, plan: FloorPlan, room: PlanRoom, finishes: Finishes) -> None:
    doors = [d for d in plan.doors if room.id in d.rooms]
    panes = [w for w in plan.windows if w.room == room.id]
    levels = {0.0, plan.height_m}
    levels |= {d.height_m for d in doors} | {w.sill_m for w in panes} | {w.head_m for w in panes}
    zs = sorted(levels)
    for index, edge in enumerate(wall_edges(room)):
        (x0, y0), (x1, y1) = edge
        length = math.hypot(x1 - x0, y1 - y0)
        dx, dy = (x1 - x0) / length, (y1 - y0) / length
        holes: list[tuple[float, float, float, float]] = []
        for d in doors:
            reach = plan.wall_m / 2 + 1e-4
            along = on_edge(edge, *d.centre, reach)
            if along is not None and abs(math.cos(d.yaw) * dx + math.sin(d.yaw) * dy) < 0.1:
                holes.append((along - d.width_m / 2, along + d.width_m / 2, 0.0, d.height_m))
        for w in panes:
            along = on_edge(edge, *w.centre, 1e-4)
            if along is not None and abs(math.cos(w.yaw) * dx + math.sin(w.yaw) * dy) < 0.1:
                holes.append((along - w.width_m / 2, along + w.width_m / 2, w.sill_m, w.head_m))
        cuts = sorted({0.0, length} | {h[0] for h in holes} | {h[1] for h in holes})
        finish = finishes.wall(room, index)
        for s0, s1 in itertools.pairwise(cuts):
            mid = (s0 + s1) / 2
            for z0, z1 in itertools.pairwise(zs):
                level = (z0 + z1) / 2
                if any(h[0] < mid < h[1] and h[2] < level < h[3] for h in holes):
                    continue
                ax, ay, bx, by = x0 + dx * s1, y0 + dy * s1, x0 + dx * s0, y0 + dy * s0
                shell.quad(
                    ((ax, ay, z0), (bx, by, z0), (bx, by, z1), (ax, ay, z1)),
                    finish,
                    WALL,
                    room.id,
                    (-s1, z0, -s0, z1),
                )
        gaps = [(h[0] - _CASING_W, h[1] + _CASING_W) for h in holes if h[2] == 0.0]
        _skirting(shell, edge, gaps, finishes.skirting, room.id)
    floor, ceiling = finishes.floor(room), finishes.ceiling(room)
    for rx0, ry0, rx1, ry1 in _decompose(room.polygon, _REACH_M):
        shell.quad(
            ((rx0, ry0, 0.0), (rx1, ry0, 0.0), (rx1, ry1, 0.0), (rx0, ry1, 0.0)),
            floor,
            FLOOR,
            room.id,
            (rx0, ry0, rx1, ry1),
        )
        h = plan.height_m
        shell.quad(
            ((rx0, ry1, h), (rx1, ry1, h), (rx1, ry0, h), (rx0, ry0, h)),
            ceiling,
            CEILING,
            room.id,
            (rx0, -ry1, rx1, -ry0),
        )


def _decompose(
    polygon: Sequence[tuple[float, float]], reach: float
) -> list[tuple[float, float, float, float]]:
    """Rectangles that tile a rectilinear polygon grown by ``reach``, without T-junctions."""
    ring = list(polygon)
    grown = []
    for before, here, after in zip(ring[-1:] + ring[:-1], ring, ring[1:] + ring[:1], strict=True):
        x, y = here
        for (ax, ay), (bx, by) in ((before, here), (here, after)):
            x += reach * ((by > ay) - (by < ay))
            y -= reach * ((bx > ax) - (bx < ax))
        grown.append((round(x, 4), round(y, 4)))
    xs, ys = sorted({p[0] for p in grown}), sorted({p[1] for p in grown})
    return [
        (x0, y0, x1, y1)
        for x0, x1 in itertools.pairwise(xs)
        for y0, y1 in itertools.pairwise(ys)
        if inside(grown, (x0 + x1) / 2, (y0 + y1) / 2)
    ]


def _skirting(
    shell: Shell, edge: Edge, gaps: list[tuple[float, float]], finish: Finish, room: int
) -> None:
    """A board along the foot of a wall, with gaps at the doors."""
    (x0, y0), (x1, y1) = edge
    length = math.hypot(x1 - x0, y1 - y0)
    dx, dy = (x1 - x0) / length, (y1 - y0) / length
    start = 0.0
    for g0, g1 in [*sorted(gaps), (length, length)]:
        if g0 - start > 0.02:
            a = (x0 + dx * start, y0 + dy * start)
            b = (x0 + dx * g0, y0 + dy * g0)
            ia = (a[0] - dy * _SKIRT_T, a[1] + dx * _SKIRT_T)
            ib = (b[0] - dy * _SKIRT_T, b[1] + dx * _SKIRT_T)
            h = _SKIRT_H
            shell.quad(((*ib, 0.0), (*ia, 0.0), (*ia, h), (*ib, h)), finish, WALL, room)
            shell.quad(((*ib, h), (*ia, h), (*a, h), (*b, h)), finish, WALL, room)
        start = g1


def _frame(door_yaw: float) -> tuple[tuple[float, float], tuple[float, float]]:
    """Unit vectors through the wall and along it."""
    n = (round(math.cos(door_yaw)), round(math.sin(door_yaw)))
    return (float(n[0]), float(n[1])), (float(-n[1]), float(n[0]))


def _span(
    centre: tuple[float, float],
    n: tuple[float, float],
    t: tuple[float, float],
    through: tuple[float, float],
    along: tuple[float, float],
    heights: tuple[float, float],
) -> tuple[Vec, Vec]:
    """Low and high corner of the box given by ranges through and along the wall and in height."""
    points = [
        (centre[0] + n[0] * a + t[0] * b, centre[1] + n[1] * a + t[1] * b)
        for a in through
        for b in along
    ]
    xs, ys = [p[0] for p in points], [p[1] for p in points]
    return (min(xs), min(ys), heights[0]), (max(xs), max(ys), heights[1])


def _doorway(shell: Shell, plan: FloorPlan, door: PlanDoor, finishes: Finishes) -> None:
    """Threshold, lining and casing of an opening. Seen from both rooms: face_room −1."""
    n, t = _frame(door.yaw)
    half, deep, head = door.width_m / 2, plan.wall_m / 2, door.height_m
    trim, c = finishes.trim, door.centre
    low, high = _span(c, n, t, (-deep - 0.02, deep + 0.02), (-half, half), (0.0, 0.005))
    shell.box(low, high, finishes.threshold, FLOOR, -1, "-z")
    if door.rooms[1] < 0:  # what shows through the chinks of a front door
        out, edge = _span(c, n, t, (deep, deep + 0.01), (-half, half), (0.0, head))
        shell.box(
            out, edge, finishes.dark, WALL, -1, " ".join(s for s in _SIDES if s != _side(n, -1))
        )
    if door.leaf is not None:
        return  # the door brings its own frame
    thick = 0.02  # lining boards, set back into the wall
    for side in (-1, 1):
        along = (side * half, side * (half + thick))
        low, high = _span(c, n, t, (-deep, deep), along, (0.0, head + thick))
        inner = _side(t, -side)
        shell.box(low, high, trim, WALL, -1, " ".join(s for s in _SIDES if s != inner))
    low, high = _span(c, n, t, (-deep, deep), (-half, half), (head, head + thick))
    shell.box(low, high, trim, WALL, -1, "+x -x +y -y +z")
    for face, room in ((-1, door.rooms[0]), (1, door.rooms[1])):
        if room < 0:
            continue
        through = (face * (deep - 0.004), face * (deep + _CASING_T))
        hidden = _side(n, -face)
        for side in (-1, 1):
            along = (side * (half - 0.003), side * (half + _CASING_W))
            low, high = _span(c, n, t, through, along, (0.0, head + _CASING_W))
            shell.box(low, high, trim, WALL, room, f"-z {hidden}")
        low, high = _span(c, n, t, through, (-half, half), (head - 0.003, head + _CASING_W))
        shell.box(low, high, trim, WALL, room, f"{hidden} {_side(t, 1)} {_side(t, -1)}")


_SIDES = ("+x", "-x", "+y", "-y", "+z", "-z")


def _side(v: tuple[float, float], sign: int) -> str:
    """The name of the box side that faces along ``sign`` · ``v``."""
    x, y = v[0] * sign, v[1] * sign
    if abs(x) > 0.5:
        return "+x" if x > 0 else "-x"
    return "+y" if y > 0 else "-y"


def _reveal(shell: Shell, plan: FloorPlan, window: PlanWindow, finishes: Finishes) -> None:
    """The four sides of a window opening; they end behind the window's own view and casing."""
    n, t = _frame(window.yaw)
    half, c = window.width_m / 2, window.centre
    z0, z1 = window.sill_m, window.head_m
    through = (-plan.wall_m - 0.01, 0.004)
    for along, heights, seen in (
        ((half, half + 0.02), (z0 - 0.02, z1 + 0.02), _side(t, -1)),
        ((-half, -half - 0.02), (z0 - 0.02, z1 + 0.02), _side(t, 1)),
        ((-half, half), (z1, z1 + 0.02), "-z"),
        ((-half, half), (z0 - 0.02, z0), "+z"),
    ):
        low, high = _span(c, n, t, through, along, heights)
        hidden = " ".join(s for s in _SIDES if s != seen)
        shell.box(low, high, finishes.trim, WALL, window.room, hidden)
