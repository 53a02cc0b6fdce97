"""Where a robot can go: clearance on a 5 cm grid, by Euclidean distance and flood fill."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from navproof.world.furnish.placement import Footprint
from navproof.world.plans.floorplan import PlanDoor, PlanRoom
from navproof.world.polygon import inside

__all__ = ["ReachMap"]

CELL_M = 0.05
ROBOT_M = 0.25
"""The radius that every room must be reachable for; checked with one more cell to spare."""
NEAR_M = 0.85
"""How near to a thing's bounds the robot's middle must be able to come."""
_NEED_M = ROBOT_M + CELL_M + CELL_M / 2


class ReachMap:
    """Free floor of some rooms and the doorways between them, without furniture."""

    def __init__(self, rooms: Sequence[PlanRoom], doors: Sequence[PlanDoor], wall_m: float) -> None:
        points = np.array([p for room in rooms for p in room.polygon])
        self.origin = points.min(axis=0) - 0.6
        self._origin = (float(self.origin[0]), float(self.origin[1]))
        rows, cols = (int(n) for n in np.ceil((points.max(axis=0) + 0.6 - self.origin) / CELL_M))
        self.free = np.zeros((rows, cols), dtype=np.bool_)
        self.rooms = np.full((rows, cols), -1, dtype=np.int32)
        for room in rooms:
            xs = sorted({p[0] for p in room.polygon})
            ys = sorted({p[1] for p in room.polygon})
            for x0, x1 in itertools.pairwise(xs):
                for y0, y1 in itertools.pairwise(ys):
                    if inside(room.polygon, (x0 + x1) / 2, (y0 + y1) / 2):
                        part = self._window(x0, y0, x1, y1)
                        self.free[part] = True
                        self.rooms[part] = room.id
        for door in doors:
            if door.kind not in ("front", "closed"):
                cx, cy = door.centre
                deep, half = wall_m / 2 + 0.25, door.width_m / 2
                through_x = abs(math.cos(door.yaw)) > 0.5
                hx, hy = (deep, half) if through_x else (half, deep)
                self.free[self._window(cx - hx, cy - hy, cx + hx, cy + hy)] = True
        self.sizes = {room.id: int((self.rooms == room.id).sum()) for room in rooms}
        self.doors = [d for d in doors if d.kind not in ("front", "closed")]

    def _window(self, x0: float, y0: float, x1: float, y1: float) -> tuple[slice, slice]:
        """Cells whose centres lie in the rectangle."""
        ox, oy = self._origin
        lo = (math.ceil((x0 - ox) / CELL_M - 0.500001), math.ceil((y0 - oy) / CELL_M - 0.500001))
        hi = (math.floor((x1 - ox) / CELL_M + 0.500001), math.floor((y1 - oy) / CELL_M + 0.500001))
        return slice(max(lo[0], 0), max(hi[0], 0)), slice(max(lo[1], 0), max(hi[1], 0))

    def reachable(self, bodies: Sequence[Footprint]) -> NDArray[np.bool_]:
        """Cells where the robot's middle can be, in the largest connected part."""
        grid = self.free.copy()
        for body in bodies:
            rx, ry = body.radii()
            rx, ry = rx + CELL_M, ry + CELL_M
            part = self._window(body.x - rx, body.y - ry, body.x + rx, body.y + ry)
            xs = (
                self.origin[0]
                + (np.arange(part[0].start, min(part[0].stop, grid.shape[0])) + 0.5) * CELL_M
            )
            ys = (
                self.origin[1]
                + (np.arange(part[1].start, min(part[1].stop, grid.shape[1])) + 0.5) * CELL_M
            )
            dx, dy = xs[:, None] - body.x, ys[None, :] - body.y
            c, s = math.cos(body.yaw), math.sin(body.yaw)
            grow = CELL_M / 4
            hit = (np.abs(c * dx + s * dy) <= body.hx + grow) & (
                np.abs(c * dy - s * dx) <= body.hy + grow
            )
            grid[part] &= ~hit
        near = ndimage.distance_transform_edt(grid, sampling=CELL_M) >= _NEED_M
        labels, count = ndimage.label(near)
        if count == 0:
            return np.zeros_like(grid)
        sizes = np.bincount(labels.ravel())
        sizes[0] = 0
        return np.asarray(labels == int(sizes.argmax()))

    def complaint(self, bodies: Sequence[Footprint], targets: Sequence[Footprint]) -> float:
        """0 when every door, every room and every target is within reach; a door that is not
        counts 10, a room 5, a target 1."""
        reach = self.reachable(bodies)
        bad = 0.0
        for door in self.doors:
            x, y = door.centre
            if not reach[self._window(x - 0.1, y - 0.1, x + 0.1, y + 0.1)].any():
                bad += 10.0
        for number, size in self.sizes.items():
            if int(np.count_nonzero(reach & (self.rooms == number))) < 0.12 * size:
                bad += 5.0
        if targets:
            far = ndimage.distance_transform_edt(~reach, sampling=CELL_M)
            for t in targets:
                rx, ry = t.radii()
                part = self._window(t.x - rx, t.y - ry, t.x + rx, t.y + ry)
                window = far[part]
                if window.size == 0 or float(window.min()) > NEAR_M:
                    bad += 1.0
        return bad
