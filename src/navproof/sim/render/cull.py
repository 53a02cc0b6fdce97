"""What a camera can see: rooms through doorways, then clusters of triangles in the view.

Rooms are flooded from the camera's own through open doors; the part of the image through which a
room is seen is kept as a rectangle (in units of the focal length: x/z, y/z), the union over all
ways that lead there. A cluster is drawn when its box reaches in front of the near plane and into
the rectangle of its room. Every test errs towards drawing; a camera so close to a wall that its
near plane may cut it open sees all rooms.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from navproof.core.jit import jit
from navproof.world.scene import Scene

__all__ = ["portals", "room_outlines", "see_rooms", "select_clusters"]

F64 = NDArray[np.float64]
I32 = NDArray[np.int32]

_MARGIN_M = 0.03  # doorways are taken this much wider on each side
_NEAR_DOOR_M = 0.45  # closer to a doorway than this, both of its rooms are seen in full
_EPS_M = 1e-4  # doorways are cut off this far in front of the camera


def portals(scene: Scene) -> tuple[F64, I32]:
    """Corners (d, 4, 3) and rooms (d, 2) of the doors one can look through."""
    corners: list[list[tuple[float, float, float]]] = []
    rooms: list[tuple[int, int]] = []
    index = {room.id: i for i, room in enumerate(scene.rooms)}
    for door in scene.doors:
        if not door.passable or min(door.rooms) < 0:
            continue
        x, y, z = door.centre
        half = door.width_m / 2.0 + _MARGIN_M
        dx, dy = -math.sin(door.yaw) * half, math.cos(door.yaw) * half
        top, low = z + door.height_m + _MARGIN_M, z - _MARGIN_M
        (ax, ay), (bx, by) = (x - dx, y - dy), (x + dx, y + dy)
        corners.append([(ax, ay, low), (bx, by, low), (bx, by, top), (ax, ay, top)])
        rooms.append((index[door.rooms[0]], index[door.rooms[1]]))
    return (
        np.array(corners, dtype=np.float64).reshape(-1, 4, 3),
        np.array(rooms, dtype=np.int32).reshape(-1, 2),
    )


def room_outlines(scene: Scene) -> tuple[F64, I32, F64]:
    """All polygon corners (n, 2), where each room's begin (r + 1), and each room's (floor, top)."""
    points: list[tuple[float, float]] = []
    starts = [0]
    heights: list[tuple[float, float]] = []
    for room in scene.rooms:
        points.extend(room.polygon)
        starts.append(len(points))
        storey = scene.storeys[room.storey]
        heights.append((storey.elevation_m, storey.elevation_m + storey.height_m))
    return (
        np.array(points, dtype=np.float64).reshape(-1, 2),
        np.array(starts, dtype=np.int32),
        np.array(heights, dtype=np.float64).reshape(-1, 2),
    )


@jit
def see_rooms(
    view: F64, near: float, extent_x: float, extent_y: float,
    outline: F64, outline_start: I32, room_heights: F64, corners: F64, door_rooms: I32,
    rects: F64,
) -> None:  # fmt: skip
    """Write to ``rects`` (r, 4) each room's visible (x0, y0, x1, y1); x0 > x1 where unseen."""
    rooms = rects.shape[0]
    ox, oy, oz = view[9], view[10], view[11]
    for room in range(rooms):
        rects[room, 0] = 1.0
        rects[room, 2] = -1.0
    # The corner of the near plane is the farthest that the camera can poke through a wall.
    reach = near * math.sqrt(1.0 + extent_x * extent_x + extent_y * extent_y) + 1e-3
    home = False
    cut = False
    for room in range(rooms):
        if oz < room_heights[room, 0] or oz > room_heights[room, 1]:
            continue
        inside = False
        first, last = outline_start[room], outline_start[room + 1]
        for i in range(first, last):
            j = i + 1 if i + 1 < last else first
            x0, y0, x1, y1 = outline[i, 0], outline[i, 1], outline[j, 0], outline[j, 1]
            if (y0 > oy) != (y1 > oy) and ox < x0 + (oy - y0) * (x1 - x0) / (y1 - y0):
                inside = not inside
            dx, dy = x1 - x0, y1 - y0
            t = ((ox - x0) * dx + (oy - y0) * dy) / max(dx * dx + dy * dy, 1e-12)
            t = min(max(t, 0.0), 1.0)
            px, py = ox - x0 - t * dx, oy - y0 - t * dy
            if px * px + py * py < reach * reach:
                cut = True
        if inside:
            home = True
            if oz < room_heights[room, 0] + reach or oz > room_heights[room, 1] - reach:
                cut = True
            rects[room, 0], rects[room, 1] = -extent_x, -extent_y
            rects[room, 2], rects[room, 3] = extent_x, extent_y
    found = home
    for door in range(door_rooms.shape[0]):
        ax, ay = corners[door, 0, 0], corners[door, 0, 1]
        ex, ey = corners[door, 1, 0] - ax, corners[door, 1, 1] - ay
        length = math.sqrt(ex * ex + ey * ey)
        along = ((ox - ax) * ex + (oy - ay) * ey) / length
        across = ((ox - ax) * ey - (oy - ay) * ex) / length
        if abs(across) > _NEAR_DOOR_M or along < -_NEAR_DOOR_M or along > length + _NEAR_DOOR_M:
            continue
        if oz < corners[door, 0, 2] - 0.5 or oz > corners[door, 2, 2] + 0.5:
            continue
        if not home:
            # In no room: in the opening, clear of its frame, or else inside a wall.
            edge = min(along, length - along, corners[door, 2, 2] - oz) - _MARGIN_M
            if edge < reach:
                continue
            found = True
        for side in range(2):
            room = door_rooms[door, side]
            rects[room, 0], rects[room, 1] = -extent_x, -extent_y
            rects[room, 2], rects[room, 3] = extent_x, extent_y
    # The flood would miss rooms seen through a wall that the near plane cuts open, or from nowhere:
    # draw too much rather than too little.
    if cut or not found:
        for room in range(rooms):
            rects[room, 0], rects[room, 1] = -extent_x, -extent_y
            rects[room, 2], rects[room, 3] = extent_x, extent_y
        return
    p = np.empty((4, 3))
    changed = True
    # Rectangles only grow, and their sides are among finitely many numbers: the flood comes to an
    # end.
    while changed:
        changed = False
        for door in range(door_rooms.shape[0]):
            a, b = door_rooms[door, 0], door_rooms[door, 1]
            seen_a = rects[a, 0] <= rects[a, 2]
            seen_b = rects[b, 0] <= rects[b, 2]
            if not seen_a and not seen_b:
                continue
            for i in range(4):
                x = corners[door, i, 0] - ox
                y = corners[door, i, 1] - oy
                z = corners[door, i, 2] - oz
                for k in range(3):
                    p[i, k] = view[3 * k] * x + view[3 * k + 1] * y + view[3 * k + 2] * z
            x0, y0, x1, y1 = np.inf, np.inf, -np.inf, -np.inf
            for i in range(4):
                j = (i + 1) & 3
                if p[i, 2] >= _EPS_M:
                    x, y = p[i, 0] / p[i, 2], p[i, 1] / p[i, 2]
                    x0, x1, y0, y1 = min(x0, x), max(x1, x), min(y0, y), max(y1, y)
                # A doorway that the camera stands beside reaches behind it: its edges are cut where
                # the division by depth is still safe.
                if (p[i, 2] >= _EPS_M) != (p[j, 2] >= _EPS_M):
                    t = (_EPS_M - p[i, 2]) / (p[j, 2] - p[i, 2])
                    x = (p[i, 0] + t * (p[j, 0] - p[i, 0])) / _EPS_M
                    y = (p[i, 1] + t * (p[j, 1] - p[i, 1])) / _EPS_M
                    x0, x1, y0, y1 = min(x0, x), max(x1, x), min(y0, y), max(y1, y)
            if x0 > x1:
                continue
            for way in range(2):
                if way == 0:
                    source, target, seen = a, b, seen_a
                else:
                    source, target, seen = b, a, seen_b
                if not seen:
                    continue
                cx0, cy0 = max(x0, rects[source, 0]), max(y0, rects[source, 1])
                cx1, cy1 = min(x1, rects[source, 2]), min(y1, rects[source, 3])
                if cx0 > cx1 or cy0 > cy1:
                    continue
                if rects[target, 0] > rects[target, 2]:
                    rects[target, 0], rects[target, 1] = cx0, cy0
                    rects[target, 2], rects[target, 3] = cx1, cy1
                    changed = True
                elif (
                    cx0 < rects[target, 0] or cy0 < rects[target, 1]
                    or cx1 > rects[target, 2] or cy1 > rects[target, 3]
                ):  # fmt: skip
                    rects[target, 0] = min(cx0, rects[target, 0])
                    rects[target, 1] = min(cy0, rects[target, 1])
                    rects[target, 2] = max(cx1, rects[target, 2])
                    rects[target, 3] = max(cy1, rects[target, 3])
                    changed = True


@jit
def select_clusters(
    view: F64, near: float, extent_x: float, extent_y: float, rects: F64,
    boxes: F64, cluster_room: I32, clusters: int, culling: bool,
    chosen: I32, nearest: F64, crossing: NDArray[np.bool_], bounds: I32,
) -> int:  # fmt: skip
    """Write the clusters to draw to ``chosen`` and, for each, how near it comes; their number.

    ``boxes`` rows are centre and half size. ``crossing[c]`` tells whether cluster c may reach
    behind the near plane; ``bounds[c]`` is its room's rectangle in pixels, widened by one.
    """
    count = 0
    eps = 1e-6
    focal = view[12]
    width, height = np.int32(2.0 * view[13]), np.int32(2.0 * view[14])
    for c in range(clusters):
        x = boxes[c, 0] - view[9]
        y = boxes[c, 1] - view[10]
        z = boxes[c, 2] - view[11]
        hx, hy, hz = boxes[c, 3], boxes[c, 4], boxes[c, 5]
        depth = view[6] * x + view[7] * y + view[8] * z
        reach = abs(view[6]) * hx + abs(view[7]) * hy + abs(view[8]) * hz
        crossing[c] = depth - reach < near + eps
        bounds[c, 0], bounds[c, 1], bounds[c, 2], bounds[c, 3] = 0, 0, width, height
        if culling:
            if depth + reach < near - eps:
                continue
            room = cluster_room[c]
            x0, y0, x1, y1 = -extent_x, -extent_y, extent_x, extent_y
            if room >= 0:
                x0, y0, x1, y1 = rects[room, 0], rects[room, 1], rects[room, 2], rects[room, 3]
                if x0 > x1:
                    continue
                # One pixel more on every side, so that rounding cannot cut off what the room shows.
                bounds[c, 0] = max(math.floor(x0 * focal + view[13]) - 1, 0)
                bounds[c, 1] = max(math.floor(y0 * focal + view[14]) - 1, 0)
                bounds[c, 2] = min(math.ceil(x1 * focal + view[13]) + 1, width)
                bounds[c, 3] = min(math.ceil(y1 * focal + view[14]) + 1, height)
            outside = False
            for side in range(4):
                row = 0 if side < 2 else 3
                if side == 0:
                    sign, bound = 1.0, x0
                elif side == 1:
                    sign, bound = -1.0, x1
                elif side == 2:
                    sign, bound = 1.0, y0
                else:
                    sign, bound = -1.0, y1
                # Inside where sign · (image axis − bound · forward) · point ≥ 0.
                px = sign * (view[row] - bound * view[6])
                py = sign * (view[row + 1] - bound * view[7])
                pz = sign * (view[row + 2] - bound * view[8])
                if px * x + py * y + pz * z + abs(px) * hx + abs(py) * hy + abs(pz) * hz < -eps:
                    outside = True
                    break
            if outside:
                continue
        chosen[count] = c
        nearest[count] = depth - reach
        count += 1
    return count
