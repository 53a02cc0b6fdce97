"""Where things can stand in a room: footprints, walls, free spots.

A footprint is an oriented rectangle on the floor; two of them overlap unless an axis of one
separates them. ``RoomSpace`` knows a room's walls, openings and what already stands in it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from navproof.world.plans.floorplan import FloorPlan, PlanRoom
from navproof.world.plans.leaves import door_zone
from navproof.world.plans.structure import on_edge, wall_edges
from navproof.world.polygon import inside

__all__ = ["Footprint", "Prefer", "RoomSpace", "Spot", "Wall", "WallShape", "overlap"]


@dataclass(frozen=True, slots=True)
class Footprint:
    """Centre, half extents along its own axes, yaw; and the heights between which it is solid."""

    x: float
    y: float
    hx: float
    hy: float
    yaw: float
    z0: float = 0.0
    z1: float = 2.0

    def corners(self, grow: float = 0.0) -> list[tuple[float, float]]:
        c, s = math.cos(self.yaw), math.sin(self.yaw)
        hx, hy = self.hx + grow, self.hy + grow
        return [
            (self.x + c * a - s * b, self.y + s * a + c * b)
            for a, b in ((hx, hy), (-hx, hy), (-hx, -hy), (hx, -hy))
        ]

    def radii(self) -> tuple[float, float]:
        """Half extents of the axis-aligned bounds."""
        c, s = abs(math.cos(self.yaw)), abs(math.sin(self.yaw))
        return c * self.hx + s * self.hy, s * self.hx + c * self.hy

    def holds(self, x: float, y: float, grow: float = 0.0) -> bool:
        c, s = math.cos(self.yaw), math.sin(self.yaw)
        dx, dy = x - self.x, y - self.y
        return abs(c * dx + s * dy) <= self.hx + grow and abs(c * dy - s * dx) <= self.hy + grow


def overlap(a: Footprint, b: Footprint, slack: float = 1e-3) -> bool:
    """Whether two footprints share more than ``slack`` metres (separating axis theorem)."""
    (ax, ay), (bx, by) = a.radii(), b.radii()
    dx, dy = b.x - a.x, b.y - a.y
    if abs(dx) >= ax + bx - slack or abs(dy) >= ay + by - slack:
        return False
    for one, other in ((a, b), (b, a)):
        c, s = math.cos(one.yaw), math.sin(one.yaw)
        turn = other.yaw - one.yaw
        tc, ts = abs(math.cos(turn)), abs(math.sin(turn))
        if abs(c * dx + s * dy) >= one.hx + tc * other.hx + ts * other.hy - slack:
            return False
        if abs(c * dy - s * dx) >= one.hy + ts * other.hx + tc * other.hy - slack:
            return False
    return True


@dataclass(frozen=True, slots=True)
class Wall:
    """An edge of the room: origin, unit direction, inward normal, length, and its openings as
    (from, to, bottom, top) along it."""

    index: int
    x: float
    y: float
    dx: float
    dy: float
    length: float
    openings: tuple[tuple[float, float, float, float], ...]

    @property
    def yaw(self) -> float:
        """The direction from the wall into the room."""
        return round(math.atan2(self.dx, -self.dy), 6)

    def point(self, along: float, out: float) -> tuple[float, float]:
        return self.x + self.dx * along - self.dy * out, self.y + self.dy * along + self.dx * out

    def blocked(self, low: float, high: float, z0: float, z1: float, margin: float = 0.06) -> bool:
        return any(
            o[0] - margin < high and low < o[1] + margin and o[2] - 0.03 < z1 and z0 < o[3] + 0.05
            for o in self.openings
        )


@dataclass(frozen=True, slots=True)
class Spot:
    x: float
    y: float
    yaw: float
    wall: Wall | None = None
    along: float = 0.0


@dataclass(frozen=True, slots=True)
class WallShape:
    """A thing with its back to a wall: extents, heights, ``gap`` behind it, free ``aisle`` before
    it, free space at each ``side``; ``floor`` things keep out of doorways."""

    depth: float
    width: float
    z0: float
    z1: float
    gap: float = 0.025
    aisle: float = 0.0
    side: float = 0.0
    floor: bool = True


Prefer = Callable[[Spot], float]


@dataclass
class RoomSpace:
    """What is free in one room. ``bodies`` are solid, ``aisles`` are kept free of bodies but may
    overlap each other, ``doorways`` are kept free of everything."""

    room: PlanRoom
    walls: tuple[Wall, ...]
    doorways: list[Footprint]
    bodies: list[Footprint] = field(default_factory=list)
    aisles: list[Footprint] = field(default_factory=list)

    @classmethod
    def of(cls, plan: FloorPlan, room: PlanRoom) -> RoomSpace:
        doors = [d for d in plan.doors if room.id in d.rooms]
        panes = [w for w in plan.windows if w.room == room.id]
        walls = []
        for index, edge in enumerate(wall_edges(room)):
            (x0, y0), (x1, y1) = edge
            length = math.hypot(x1 - x0, y1 - y0)
            dx, dy = (x1 - x0) / length, (y1 - y0) / length
            holes = []
            for d in doors:
                along = on_edge(edge, *d.centre, plan.wall_m / 2 + 1e-4)
                if along is not None and abs(math.cos(d.yaw) * dx + math.sin(d.yaw) * dy) < 0.1:
                    holes.append((along - d.width_m / 2, along + d.width_m / 2, 0.0, d.height_m))
            for w in panes:
                along = on_edge(edge, *w.centre, 1e-4)
                if along is not None and abs(math.cos(w.yaw) * dx + math.sin(w.yaw) * dy) < 0.1:
                    holes.append((along - w.width_m / 2, along + w.width_m / 2, w.sill_m, w.head_m))
            walls.append(Wall(index, x0, y0, dx, dy, length, tuple(sorted(holes))))
        zones = []
        for d in doors:
            ax, ay, bx, by = door_zone(d, plan.wall_m)
            zones.append(Footprint((ax + bx) / 2, (ay + by) / 2, (bx - ax) / 2, (by - ay) / 2, 0.0))
        space = cls(room, tuple(walls), zones)
        for d in plan.doors:
            if d.leaf is not None and d.leaf.room == room.id and d.kind == "door":
                hx, hy = d.leaf.hinge
                c, s = math.cos(d.leaf.yaw), math.sin(d.leaf.yaw)
                half = d.width_m / 2
                space.bodies.append(
                    Footprint(hx + c * half, hy + s * half, half + 0.03, 0.07, d.leaf.yaw)
                )
        return space

    def contains(self, f: Footprint) -> bool:
        """The footprint lies in the room (corners inside, and no room corner inside it)."""
        polygon = self.room.polygon
        if not all(inside(polygon, x, y) for x, y in f.corners(0.004)):
            return False
        return not any(f.holds(x, y, -0.005) for x, y in polygon)

    def free(self, f: Footprint, *, aisle: Footprint | None = None, doorway: bool = True) -> bool:
        """Whether nothing solid is in the way of ``f`` or in its ``aisle``, and ``f`` keeps out of
        the aisles of others."""
        if doorway and f.z0 < 1.9 and any(overlap(f, zone) for zone in self.doorways):
            return False
        for body in self.bodies:
            if f.z0 < body.z1 and body.z0 < f.z1 and overlap(f, body):
                return False
        if f.z0 < 1.0:
            if any(overlap(f, way) for way in self.aisles):
                return False
            if aisle is not None:
                if not self.contains(aisle):
                    return False
                if any(b.z0 < 1.0 and overlap(aisle, b) for b in self.bodies):
                    return False
        return self.contains(f)

    def along_walls(
        self, shape: WallShape, walls: Sequence[Wall] | None = None, step: float = 0.1
    ) -> list[Spot]:
        """Places with the back to a wall, front into the room, clear of its openings; whether
        anything stands there is not looked at (see ``stands``)."""
        found = []
        half = shape.width / 2
        for wall in self.walls if walls is None else walls:
            low, high = half + 0.02, wall.length - half - 0.02
            if high < low:
                continue
            count = int((high - low) / step) + 1
            yaw = wall.yaw
            for i in range(count + 1):
                along = low + (high - low) * i / count
                if not wall.blocked(along - half, along + half, shape.z0, shape.z1):
                    x, y = wall.point(along, shape.gap + shape.depth / 2)
                    found.append(Spot(round(x, 4), round(y, 4), yaw, wall, along))
        return found

    def stands(self, spot: Spot, shape: WallShape) -> bool:
        """Whether a thing of that shape can stand (or hang) there, with its aisle free."""
        half = shape.depth / 2, shape.width / 2
        body = Footprint(spot.x, spot.y, *half, spot.yaw, shape.z0, shape.z1)
        way = None
        if shape.aisle > 0:
            out = half[0] + shape.aisle / 2
            x, y = spot.x + math.cos(spot.yaw) * out, spot.y + math.sin(spot.yaw) * out
            way = Footprint(x, y, shape.aisle / 2, half[1], spot.yaw)
        if shape.side > 0:
            wide = Footprint(
                spot.x, spot.y, half[0], half[1] + shape.side, spot.yaw, shape.z0, shape.z1
            )
            if not self.free(wide, doorway=shape.floor):
                return False
        return self.free(body, aisle=way, doorway=shape.floor)

    def wall_spots(self, shape: WallShape, step: float = 0.2) -> list[Spot]:
        """All free places along the walls."""
        return [s for s in self.along_walls(shape, step=step) if self.stands(s, shape)]
