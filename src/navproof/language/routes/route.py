"""A path as a walker lives it: headings, turns, doorways crossed, rooms stayed in.

Distances ``s`` run along the path from its start, metres. Angles are radians, left positive.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from navproof.core.types import Point
from navproof.world.scene import Door, Scene

__all__ = ["Crossing", "Route", "Stay", "Turn", "wrap"]

SAMPLE_M = 0.25
_CHORD_M = 0.4
_TURN_SPAN_M = 0.8
_STEP_M = 0.1
_TURN_RAD = math.radians(28)


def wrap(angle: float) -> float:
    """The angle brought into (−π, π]."""
    return math.atan2(math.sin(angle), math.cos(angle))


@dataclass(frozen=True, slots=True)
class Crossing:
    """The path goes through ``door`` out of room ``leaves`` into room ``enters`` at ``s``."""

    s: float
    door: Door
    leaves: int
    enters: int


@dataclass(frozen=True, slots=True)
class Turn:
    """The heading changes by ``angle`` (left positive) around ``s``."""

    s: float
    angle: float


@dataclass(frozen=True, slots=True)
class Stay:
    """The path is in ``room`` from ``s0`` to ``s1``."""

    room: int
    s0: float
    s1: float


class Route:
    """Geometry of one reference path in one scene, with the heading at its start."""

    def __init__(self, scene: Scene, path: Sequence[Point], start_yaw: float) -> None:
        kept = [path[0]]
        for point in path[1:]:
            if math.dist(point, kept[-1]) > 1e-6:
                kept.append(point)
        self.scene = scene
        self.points = tuple(kept)
        self.start_yaw = start_yaw
        at = [0.0]
        for a, b in pairwise(kept):
            at.append(at[-1] + math.dist(a, b))
        self._at = tuple(at)

    @property
    def length_m(self) -> float:
        return self._at[-1]

    @cached_property
    def samples(self) -> tuple[float, ...]:
        """Every 0.25 m from the start, and the end."""
        count = int(self.length_m / SAMPLE_M)
        inner = [i * SAMPLE_M for i in range(count + 1) if i * SAMPLE_M < self.length_m - 0.05]
        return (*inner, self.length_m)

    def at(self, s: float) -> Point:
        """The point at ``s``, clamped to the path."""
        s = min(max(s, 0.0), self.length_m)
        i = min(max(bisect_left(self._at, s), 1), len(self._at) - 1)
        t = (s - self._at[i - 1]) / (self._at[i] - self._at[i - 1])
        a, b = self.points[i - 1], self.points[i]
        return (
            a[0] + t * (b[0] - a[0]),
            a[1] + t * (b[1] - a[1]),
            a[2] + t * (b[2] - a[2]),
        )

    def heading(self, s: float) -> float:
        """Direction of the chord 0.4 m behind and ahead of ``s`` (clamped to the path)."""
        s = min(max(s, 0.0), self.length_m)
        a, b = self.at(s - _CHORD_M), self.at(s + _CHORD_M)
        return math.atan2(b[1] - a[1], b[0] - a[0])

    def bearing(self, s: float, x: float, y: float) -> float:
        """Of a point from ``s``, relative to the heading there: left positive."""
        px, py, _ = self.at(s)
        return wrap(math.atan2(y - py, x - px) - self.heading(s))

    @property
    def first_turn(self) -> float:
        """From the start's heading to the direction of the path's first metre."""
        a, b = self.at(0.0), self.at(min(1.0, self.length_m))
        return wrap(math.atan2(b[1] - a[1], b[0] - a[0]) - self.start_yaw)

    @cached_property
    def turns(self) -> tuple[Turn, ...]:
        """Changes of heading of at least 28° within 1.6 m, the largest of any 1.6 m; each is put
        in the middle of the stretch over which the change is that large."""
        count = int(self.length_m / _STEP_M)
        span = round(_TURN_SPAN_M / _STEP_M)
        headings = [self.heading(k * _STEP_M) for k in range(-span, count + span + 1)]
        found: list[Turn] = []
        for k in range(3, count - 2):
            change = wrap(headings[k + 2 * span] - headings[k])
            if abs(change) >= _TURN_RAD:
                found.append(Turn(k * _STEP_M, change))
        kept: list[Turn] = []
        for turn in sorted(found, key=lambda t: (-round(abs(t.angle), 3), t.s)):
            if any(abs(turn.s - k.s) < 2 * _TURN_SPAN_M for k in kept):
                continue
            level = [
                t.s
                for t in found
                if abs(t.s - turn.s) <= 2 * _TURN_SPAN_M and abs(t.angle) >= 0.97 * abs(turn.angle)
            ]
            kept.append(Turn(round(sum(level) / len(level), 2), turn.angle))
        return tuple(sorted(kept, key=lambda t: t.s))

    @cached_property
    def crossings(self) -> tuple[Crossing, ...]:
        """Doorways crossed, in order."""
        found: list[Crossing] = []
        for i in range(1, len(self.points)):
            a, b = self.points[i - 1], self.points[i]
            for door in self.scene.doors:
                t = _crossing(a, b, door)
                if t is None:
                    continue
                s = self._at[i - 1] + t * (self._at[i] - self._at[i - 1])
                forward = math.cos(door.yaw) * (b[0] - a[0]) + math.sin(door.yaw) * (b[1] - a[1])
                first, second = door.rooms if forward > 0 else (door.rooms[1], door.rooms[0])
                found.append(Crossing(s, door, first, second))
        return tuple(sorted(found, key=lambda c: c.s))

    @cached_property
    def stays(self) -> tuple[Stay, ...]:
        """Rooms in order; the first is where the path starts. Empty for a path that starts in a
        doorway or whose crossings do not follow each other."""
        room = self.scene.room_at(*self.points[0])
        if room is None:
            return ()
        stays: list[Stay] = []
        current, begun = room.id, 0.0
        for crossing in self.crossings:
            if crossing.leaves != current:
                return ()
            stays.append(Stay(current, begun, crossing.s))
            current, begun = crossing.enters, crossing.s
        stays.append(Stay(current, begun, self.length_m))
        end = self.scene.room_at(*self.points[-1])
        return tuple(stays) if end is not None and end.id == current else ()

    def stay_at(self, s: float) -> Stay:
        return next((stay for stay in self.stays if s <= stay.s1), self.stays[-1])


def _crossing(a: Point, b: Point, door: Door) -> float | None:
    """Where the segment a→b goes through the door's opening, as a fraction, or None."""
    nx, ny = math.cos(door.yaw), math.sin(door.yaw)
    da = nx * (a[0] - door.centre[0]) + ny * (a[1] - door.centre[1])
    db = nx * (b[0] - door.centre[0]) + ny * (b[1] - door.centre[1])
    if (da < 0.0) == (db < 0.0):
        return None
    t = da / (da - db)
    x, y = a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1])
    along = abs(-ny * (x - door.centre[0]) + nx * (y - door.centre[1]))
    return t if along <= door.width_m / 2 + 0.05 else None
