"""Where door leaves stand: open and flat against a wall, clear of every other doorway."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from navproof.world.plans.floorplan import Leaf, PlanDoor, PlanRoom
from navproof.world.polygon import inside

__all__ = ["DOOR_CLEAR_M", "door_zone", "hang_leaves"]

DOOR_CLEAR_M = 0.9
"""Free floor kept on both sides of a doorway, over its width."""
_LEAF_SHARE = 0.75
_ALONG_DEG, _WIDE_DEG = 90.0, 116.0


def door_zone(door: PlanDoor, wall_m: float) -> tuple[float, float, float, float]:
    """The axis-aligned rectangle (x0, y0, x1, y1) that stays free around a doorway."""
    cx, cy = door.centre
    deep, half = wall_m / 2 + DOOR_CLEAR_M, door.width_m / 2
    if abs(math.cos(door.yaw)) > 0.5:
        return cx - deep, cy - half, cx + deep, cy + half
    return cx - half, cy - deep, cx + half, cy + deep


def _hits(points: list[tuple[float, float]], zone: tuple[float, float, float, float]) -> bool:
    return any(
        zone[0] - 0.02 < x < zone[2] + 0.02 and zone[1] - 0.02 < y < zone[3] + 0.02
        for x, y in points
    )


def hang_leaves(
    rooms: Sequence[PlanRoom], doors: Sequence[PlanDoor], wall_m: float, rng: np.random.Generator
) -> list[PlanDoor]:
    """Give doors their leaves. A front or closed door is shut; an inner one stands open, straight
    along a wall that is near, or wide open; where it would be in the way, no leaf."""
    zones = [door_zone(d, wall_m) for d in doors]
    result: list[PlanDoor] = []
    for index, door in enumerate(doors):
        if door.kind == "arch":
            result.append(door)
            continue
        if door.kind in ("front", "closed"):
            shut = Leaf(door.rooms[0], 0.0, False, door.centre, _wrap(door.yaw + math.pi / 2))
            result.append(replace(door, leaf=shut))
            continue
        wants = rng.random() < _LEAF_SHARE
        first = int(rng.integers(0, 2))
        leaf = _open_leaf(rooms, door, wall_m, zones[:index] + zones[index + 1 :], first)
        result.append(replace(door, leaf=leaf if wants else None))
    return result


def _open_leaf(
    rooms: Sequence[PlanRoom],
    door: PlanDoor,
    wall_m: float,
    others: list[tuple[float, float, float, float]],
    first: int,
) -> Leaf | None:
    cx, cy = door.centre
    sides = [(door.rooms[0], door.yaw + math.pi), (door.rooms[1], door.yaw)]
    if rooms[door.rooms[first]].type in ("hallway", "corridor"):
        first = 1 - first
    if first:
        sides.reverse()
    for angle in (_ALONG_DEG, _WIDE_DEG):
        for room, out in sides:
            nx, ny = math.cos(out), math.sin(out)
            for hand in (1, -1):
                lx, ly = -hand * ny, hand * nx  # from the opening's middle to the hinge
                hx = cx + lx * door.width_m / 2 + nx * wall_m / 2
                hy = cy + ly * door.width_m / 2 + ny * wall_m / 2
                yaw = math.atan2(-ly, -lx) + hand * math.radians(angle)
                dx, dy = math.cos(yaw), math.sin(yaw)
                points = [
                    (hx + dx * door.width_m * f + nx * 0.04, hy + dy * door.width_m * f + ny * 0.04)
                    for f in (0.05, 0.35, 0.65, 1.05)
                ]
                polygon = rooms[room].polygon
                if not all(inside(polygon, x, y) for x, y in points):
                    continue
                if any(_hits(points, zone) for zone in others):
                    continue
                beyond = hx + lx * 0.3 + nx * 0.3, hy + ly * 0.3 + ny * 0.3
                if (angle == _ALONG_DEG) == inside(polygon, *beyond):
                    continue  # straight only along a wall that is near, wide only where none is
                return Leaf(room, angle, hand < 0, _round(hx, hy), _wrap(yaw))
    return None


def _round(x: float, y: float) -> tuple[float, float]:
    return round(x, 4), round(y, 4)


def _wrap(yaw: float) -> float:
    return round(math.atan2(math.sin(yaw), math.cos(yaw)), 6)
