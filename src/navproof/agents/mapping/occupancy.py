"""An occupancy map from depth and pose: projection of depth rows, and fusion over time.

Frames: the map lives in the episode frame (``Observation.pose``). Cell (row, col) is the square
``origin + [col, col+1)·cell`` in x and ``origin + [row, row+1)·cell`` in y.

Evidence per cell is a clamped count in the manner of log-odds: a depth pixel between the height
limits of the robot's body adds ``HIT``, a pixel on the floor subtracts ``ON_FLOOR``, and a cell
that rays pass over is marked free only while nothing else is known of it (such a ray may have
missed a low thing). Positive is occupied, negative free, zero unknown.
"""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from navproof.core.jit import jit
from navproof.core.types import Camera, Pose
from navproof.sim.camera import focal_px, world_to_camera

__all__ = ["CELL_M", "HIT", "LIMIT", "ON_FLOOR", "PASSED", "OccupancyMap", "fuse_depth"]

CELL_M = 0.05
HIT, ON_FLOOR, PASSED = 6, 2, 1
LIMIT = 30
_SAMPLES = 160  # columns of depth that are looked at, at most; rows in proportion

Evidence = NDArray[np.int16]


@jit
def fuse_depth(
    depth: NDArray[np.float32],
    stride: int,
    focal: float,
    rotation: NDArray[np.float64],
    centre: NDArray[np.float64],
    floor_m: float,
    top_m: float,
    origin: NDArray[np.float64],
    cell: float,
    evidence: Evidence,
    touched: NDArray[np.int8],
) -> None:
    """Fuse one depth image into ``evidence``.

    ``rotation`` and ``centre`` are those of ``sim.camera.world_to_camera``; heights of map points
    below ``floor_m`` are floor, between ``floor_m`` and ``top_m`` obstacle, above: nothing.
    ``touched`` is scratch, all zero before and after: 1 floor, 2 and up obstacle pixels. Each
    frame counts once per cell; a single stray pixel is no obstacle.
    """
    rows, cols = depth.shape
    size_r, size_c = evidence.shape
    first = stride // 2
    lo_r, hi_r, lo_c, hi_c = size_r, -1, size_c, -1
    for u in range(first, cols, stride):
        a = (u + 0.5 - cols / 2.0) / focal
        nearest, farthest = np.inf, 0.0
        far_x, far_y = 0.0, 0.0
        for v in range(first, rows, stride):
            z = depth[v, u]
            if not (z > 0.0 and z < 1e4):
                continue
            b = (v + 0.5 - rows / 2.0) / focal
            rx = a * rotation[0, 0] + b * rotation[1, 0] + rotation[2, 0]
            ry = a * rotation[0, 1] + b * rotation[1, 1] + rotation[2, 1]
            h = centre[2] + z * (a * rotation[0, 2] + b * rotation[1, 2] + rotation[2, 2])
            if h >= top_m:
                continue
            dx, dy = z * rx, z * ry
            reach = np.sqrt(dx * dx + dy * dy)
            if reach > farthest:
                farthest, far_x, far_y = reach, dx, dy
            c = int(np.floor((centre[0] + dx - origin[0]) / cell))
            r = int(np.floor((centre[1] + dy - origin[1]) / cell))
            if not (0 <= r < size_r and 0 <= c < size_c):
                continue
            lo_r, hi_r = min(lo_r, r), max(hi_r, r)
            lo_c, hi_c = min(lo_c, c), max(hi_c, c)
            if h < floor_m:
                if touched[r, c] == 0:
                    touched[r, c] = 1
            else:
                nearest = min(nearest, reach)
                touched[r, c] = 2 if touched[r, c] < 2 else 3
        if farthest > 0.0:
            length = min(farthest, nearest - 1.5 * cell)
            at = 0.0
            while at <= length:
                c = int(np.floor((centre[0] + at * far_x / farthest - origin[0]) / cell))
                r = int(np.floor((centre[1] + at * far_y / farthest - origin[1]) / cell))
                if 0 <= r < size_r and 0 <= c < size_c and evidence[r, c] == 0:
                    evidence[r, c] = -PASSED
                at += 0.5 * cell
    for r in range(lo_r, hi_r + 1):
        for c in range(lo_c, hi_c + 1):
            hits = touched[r, c]
            touched[r, c] = 0
            if hits == 1:
                evidence[r, c] = max(-LIMIT, evidence[r, c] - ON_FLOOR)
            elif hits == 3:
                evidence[r, c] = min(LIMIT, evidence[r, c] + HIT)


@lru_cache(maxsize=64)
def _disc(radius: float) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The rows and columns of the cells within a radius of cell (0, 0)."""
    n = math.ceil(radius)
    rows, cols = np.mgrid[-n : n + 1, -n : n + 1]
    inside = rows**2 + cols**2 <= radius**2
    return rows[inside], cols[inside]


class OccupancyMap:
    """Evidence on a square grid around where the robot has been; it grows when that is needed.

    ``floor_m`` separates what is driven over from what is not, ``top_m`` what the robot passes
    under.
    """

    def __init__(self, floor_m: float, top_m: float, size_m: float = 30.0) -> None:
        self.floor_m = floor_m
        self.top_m = top_m
        self.cell = CELL_M
        half = math.ceil(size_m / 2.0 / CELL_M)
        self.origin = np.array([-half * CELL_M, -half * CELL_M])
        self.evidence: Evidence = np.zeros((2 * half, 2 * half), dtype=np.int16)
        self._touched = np.zeros((2 * half, 2 * half), dtype=np.int8)

    def fuse(self, depth: NDArray[np.float32], camera: Camera, pose: Pose, reach_m: float) -> None:
        """Fuse one depth image taken at ``pose``; ``reach_m`` is the sensor's range."""
        self.make_room(pose.x, pose.y, reach_m + 1.0)
        rotation, centre = world_to_camera(camera, pose)
        fuse_depth(
            np.ascontiguousarray(depth, dtype=np.float32),
            max(1, math.ceil(camera.width / _SAMPLES)),
            focal_px(camera),
            rotation,
            centre,
            pose.z + self.floor_m,
            pose.z + self.top_m,
            self.origin,
            self.cell,
            self.evidence,
            self._touched,
        )

    def stamp(self, x: float, y: float, radius_m: float, value: int) -> None:
        """Set the evidence of a disc: where the robot stands (free) or bumped (occupied)."""
        r0, c0 = self.index(x, y)
        rows, cols = _disc(radius_m / self.cell)
        rr, cc = rows + r0, cols + c0
        size = self.evidence.shape[0]
        keep = (rr >= 0) & (rr < size) & (cc >= 0) & (cc < size)
        self.evidence[rr[keep], cc[keep]] = value

    def index(self, x: float, y: float) -> tuple[int, int]:
        """(row, column) of a point."""
        return (
            math.floor((y - float(self.origin[1])) / self.cell),
            math.floor((x - float(self.origin[0])) / self.cell),
        )

    def centre(self, row: float, col: float) -> tuple[float, float]:
        """The middle of a cell."""
        return (
            float(self.origin[0]) + (col + 0.5) * self.cell,
            float(self.origin[1]) + (row + 0.5) * self.cell,
        )

    def known_bounds(self, margin: int = 8) -> tuple[int, int, int, int]:
        """(row0, row1, col0, col1) around everything known, half open, with a margin of cells."""
        is_known = self.evidence != 0
        rows, cols = np.flatnonzero(is_known.any(axis=1)), np.flatnonzero(is_known.any(axis=0))
        size = self.evidence.shape[0]
        if rows.size == 0:
            return 0, size, 0, size
        return (
            max(0, int(rows[0]) - margin),
            min(size, int(rows[-1]) + 1 + margin),
            max(0, int(cols[0]) - margin),
            min(size, int(cols[-1]) + 1 + margin),
        )

    def make_room(self, x: float, y: float, reach_m: float) -> None:
        """Grow until everything within ``reach_m`` of a point lies on the grid."""
        size = self.evidence.shape[0]
        low = min(x, y) - reach_m
        high = max(x, y) + reach_m
        start = float(self.origin[0])
        grow = max(start - low, high - (start + size * self.cell))
        if grow <= 0.0:
            return
        more = math.ceil(max(grow, 10.0) / self.cell)
        self.evidence = np.pad(self.evidence, more)
        self._touched = np.zeros_like(self.evidence, dtype=np.int8)
        self.origin = self.origin - more * self.cell
