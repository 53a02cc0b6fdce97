"""Exact floor plans: rooms as unions of rectangles, doors that join them, windows that light them.

A plan is first a *sketch* (``Sketch``): rectangles on wall centre lines, in whole centimetres, and
links between rooms. ``resolve`` turns the sketch into a ``FloorPlan``: inner polygons (the sketch
inset by half a wall), openings at exact places, door leaves with room to swing, unique names.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from navproof.core.errors import SceneError
from navproof.world.plans.floorplan import (
    FloorPlan,
    Link,
    PlanDoor,
    PlanRoom,
    PlanWindow,
    Segment,
    Sketch,
    SketchRoom,
    WindowStyle,
)
from navproof.world.plans.leaves import hang_leaves

__all__ = ["resolve"]

OUTSIDE = -1
_CASING_CM = 9  # bare wall kept beside an opening, for its casing
_HEAD_M = 2.06


class _Grid:
    """The sketch on compressed coordinates: which room owns each cell."""

    def __init__(self, rooms: Sequence[SketchRoom]) -> None:
        rects = [r for room in rooms for r in room.rects]
        self.xs = sorted({v for r in rects for v in (r[0], r[2])})
        self.ys = sorted({v for r in rects for v in (r[1], r[3])})
        ix = {v: i for i, v in enumerate(self.xs)}
        iy = {v: i for i, v in enumerate(self.ys)}
        # a border of OUTSIDE cells on every side
        self.owner = np.full((len(self.xs) + 1, len(self.ys) + 1), OUTSIDE, dtype=np.int64)
        for index, room in enumerate(rooms):
            for x0, y0, x1, y1 in room.rects:
                part = self.owner[ix[x0] + 1 : ix[x1] + 1, iy[y0] + 1 : iy[y1] + 1]
                if (part != OUTSIDE).any():
                    raise SceneError(f"floor plan: room {index} ({room.type}) overlaps another")
                part[...] = index

    def edges(self, room: int) -> list[tuple[tuple[int, int], tuple[int, int], int]]:
        """Directed unit edges (start, end, neighbour) with the room on the left."""
        found = []
        cells = np.argwhere(self.owner == room)
        for ci, cj in cells:
            i, j = int(ci), int(cj)
            x0, x1, y0, y1 = self.xs[i - 1], self.xs[i], self.ys[j - 1], self.ys[j]
            for start, end, di, dj in (
                ((x0, y0), (x1, y0), 0, -1),
                ((x1, y0), (x1, y1), 1, 0),
                ((x1, y1), (x0, y1), 0, 1),
                ((x0, y1), (x0, y0), -1, 0),
            ):
                other = int(self.owner[i + di, j + dj])
                if other != room:
                    found.append((start, end, other))
        return found

    def outline(self, room: int) -> list[tuple[int, int]]:
        """The room's boundary on centre lines, counter-clockwise, collinear points merged."""
        follow = {start: end for start, end, _ in self.edges(room)}
        first = min(follow)
        ring = [first]
        while (point := follow[ring[-1]]) != first:
            ring.append(point)
        if len(ring) != len(follow):
            raise SceneError(f"floor plan: room {room} is not one simple polygon")
        keep = []
        for before, here, after in zip(
            ring[-1:] + ring[:-1], ring, ring[1:] + ring[:1], strict=True
        ):
            if (here[0] - before[0]) * (after[1] - here[1]) != (here[1] - before[1]) * (
                after[0] - here[0]
            ):
                keep.append(here)
        return keep

    def segments(self, a: int, b: int) -> list[Segment]:
        """Straight walls where ``a`` touches ``b``, longest first."""
        runs: dict[tuple[int, int, int], list[tuple[int, int]]] = {}
        for (x0, y0), (x1, y1), other in self.edges(a):
            if other != b:
                continue
            if y0 == y1:
                runs.setdefault((0, y0, -1 if x1 > x0 else 1), []).append(
                    (min(x0, x1), max(x0, x1))
                )
            else:
                runs.setdefault((1, x0, 1 if y1 > y0 else -1), []).append(
                    (min(y0, y1), max(y0, y1))
                )
        found = []
        for (axis, at, normal), spans in sorted(runs.items()):
            spans.sort()
            lo, hi = spans[0]
            for s0, s1 in spans[1:]:
                if s0 > hi:
                    found.append(Segment(axis, at, lo, hi, normal))
                    lo = s0
                hi = s1
            found.append(Segment(axis, at, lo, hi, normal))
        return sorted(found, key=lambda s: (-s.length, s.axis, s.at, s.lo))


def _inset(ring: list[tuple[int, int]], by: int) -> tuple[tuple[float, float], ...]:
    """A rectilinear counter-clockwise ring moved inwards by ``by`` centimetres; in metres."""
    out = []
    for before, here, after in zip(ring[-1:] + ring[:-1], ring, ring[1:] + ring[:1], strict=True):
        x, y = here
        for (ax, ay), (bx, by_) in ((before, here), (here, after)):
            x += -by * ((by_ > ay) - (by_ < ay))
            y += by * ((bx > ax) - (bx < ax))
        out.append((x / 100, y / 100))
    return tuple(out)


_YAWS = {(0, 1): np.pi / 2, (0, -1): -np.pi / 2, (1, 1): 0.0, (1, -1): np.pi}


def _yaw(axis: int, normal: int) -> float:
    return round(float(_YAWS[axis, normal]), 6)


class _Openings:
    """Keeps openings apart: spans already taken on each wall line."""

    def __init__(self) -> None:
        self.taken: list[tuple[int, int, int, int]] = []

    def free(self, axis: int, at: int, lo: int, hi: int) -> bool:
        return all((axis, at) != (a, w) or hi <= s0 or lo >= s1 for a, w, s0, s1 in self.taken)

    def take(self, axis: int, at: int, lo: int, hi: int) -> None:
        self.taken.append((axis, at, lo, hi))


def _place_door(
    rng: np.random.Generator, segments: Iterable[Segment], link: Link, wall: int, used: _Openings
) -> tuple[Segment, int, int] | None:
    """A segment, the opening's low end and its width, or None where nothing fits."""
    margin = wall // 2 + _CASING_CM
    for segment in segments:
        room = segment.length - 2 * margin
        if link.kind == "arch" and room >= 110:
            width = min(int(rng.integers(13, 25)) * 10, room)
        else:
            width = int(rng.integers(17, 21)) * 5 if link.kind != "front" else 95
        if link.kind == "door" and room < width:
            width = 85
        if room < width:
            continue
        slack = room - width
        ends = [0, slack, slack // 2, int(rng.integers(0, slack + 1))]
        weights = (0.1, 0.1, 0.6, 0.2) if link.kind in ("arch", "front") else (0.4, 0.4, 0.05, 0.15)
        order = rng.choice(4, size=4, replace=False, p=weights)
        for choice in order:
            lo = segment.lo + margin + ends[int(choice)] // 5 * 5
            if used.free(segment.axis, segment.at, lo - 12, lo + width + 12):
                return segment, lo, width
    return None


def resolve(
    sketch: Sketch,
    rng: np.random.Generator,
    *,
    kind: str,
    height_m: float,
    wall_cm: int,
    names: Sequence[str],
    colours: Sequence[str],
    windows: WindowStyle,
) -> FloorPlan:
    """The exact plan of a sketch. Raises ``SceneError`` when a link finds no wall to go through."""
    grid = _Grid(sketch.rooms)
    used = _Openings()
    rooms = tuple(
        PlanRoom(i, room.type, names[i], _inset(grid.outline(i), wall_cm // 2), colours[i])
        for i, room in enumerate(sketch.rooms)
    )
    doors: list[PlanDoor] = []
    for link in sketch.links:
        spot = _place_door(rng, grid.segments(link.a, link.b), link, wall_cm, used)
        if spot is None:
            if link.kind == "closed":
                continue
            what = f"{sketch.rooms[link.a].type} (room {link.a}) and room {link.b}"
            raise SceneError(f"floor plan: no wall for a {link.kind} between {what}")
        segment, lo, width = spot
        used.take(segment.axis, segment.at, lo - 12, lo + width + 12)
        middle = (lo + width / 2) / 100
        at = segment.at / 100
        centre = (middle, at) if segment.axis == 0 else (at, middle)
        head = _HEAD_M if link.kind != "arch" else round(min(height_m - 0.2, _HEAD_M + 0.2), 3)
        yaw = _yaw(segment.axis, segment.normal)
        doors.append(PlanDoor((link.a, link.b), centre, yaw, width / 100, head, link.kind, None))
    placed = hang_leaves(rooms, doors, wall_cm / 100, rng)
    panes = _windows(grid, rooms, wall_cm, used, windows)
    return FloorPlan(kind, rooms, tuple(placed), tuple(panes), height_m, wall_cm / 100)


def _windows(
    grid: _Grid,
    rooms: Sequence[PlanRoom],
    wall: int,
    used: _Openings,
    style: WindowStyle,
) -> list[PlanWindow]:
    """Windows in outer walls, spread along each wall that is long enough."""
    found: list[PlanWindow] = []
    for room in rooms:
        if room.type in style.dark:
            continue
        count = 0
        high, shop = room.type in style.high, room.type in style.shopfront
        for segment in grid.segments(room.id, OUTSIDE):
            if segment.length < 150 or (high and count) or (count >= 2 and not shop):
                continue
            room_for = segment.length - wall - 70
            width = min(int((style.wide_m if room_for > 190 else style.narrow_m) * 100), room_for)
            if high:
                width = min(width, 80)
            if shop:
                width = min(240, room_for)
            if width < 60:
                continue
            panes = max(1, min(3 if shop else 2, int(segment.length // (width + 160))))
            for k in range(panes):
                middle = segment.lo + segment.length * (2 * k + 1) // (2 * panes)
                for shift in (0, 30, -30, 60, -60, 90, -90, 130, -130):
                    lo = (middle + shift - width // 2) // 5 * 5
                    fits = (
                        segment.lo + wall // 2 + 20 <= lo
                        and lo + width <= segment.hi - wall // 2 - 20
                    )
                    if fits and used.free(segment.axis, segment.at, lo - 15, lo + width + 15):
                        break
                else:
                    continue
                used.take(segment.axis, segment.at, lo - 15, lo + width + 15)
                face = (segment.at - segment.normal * (wall // 2)) / 100
                along = (lo + width / 2) / 100
                centre = (along, face) if segment.axis == 0 else (face, along)
                sill = 1.3 if high else 0.3 if shop else style.sill_m
                if room.type in style.counter and not high:
                    sill = 1.1
                head = 1.9 if high else _HEAD_M + 0.04
                yaw = _yaw(segment.axis, -segment.normal)
                found.append(PlanWindow(room.id, centre, yaw, width / 100, sill, head))
                count += 1
    return found
