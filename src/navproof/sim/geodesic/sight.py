"""Line of sight: segments against all triangles, through a grid of columns."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from navproof.core.jit import jit
from navproof.core.types import Point
from navproof.sim.geodesic.navgrid import check_spread
from navproof.world.scene import Scene

__all__ = ["LineOfSight"]

F64 = NDArray[np.float64]
I64 = NDArray[np.int64]
COLUMN_M = 0.25
END_M = 1e-3
"""Surfaces this near to either end of the segment do not count as between."""


@jit
def _columns(triangles: F64, origin: F64, cols: int, starts: I64, ids: I64, fill: bool) -> None:
    """Count (fill=False) or list (fill=True) the triangles over each column of the grid."""
    for n in range(triangles.shape[0]):
        t = triangles[n]
        c0 = int((min(t[0, 0], t[1, 0], t[2, 0]) - origin[0]) / COLUMN_M)
        c1 = int((max(t[0, 0], t[1, 0], t[2, 0]) - origin[0]) / COLUMN_M)
        r0 = int((min(t[0, 1], t[1, 1], t[2, 1]) - origin[1]) / COLUMN_M)
        r1 = int((max(t[0, 1], t[1, 1], t[2, 1]) - origin[1]) / COLUMN_M)
        for r in range(r0, r1 + 1):
            for c in range(c0, c1 + 1):
                if fill:
                    ids[starts[r * cols + c]] = n
                starts[r * cols + c] += 1


@jit
def _hits(t: F64, eye: F64, ray: F64, low: float, high: float) -> bool:
    """Möller–Trumbore: the segment meets the triangle at a fraction in (low, high)."""
    e1x, e1y, e1z = t[1, 0] - t[0, 0], t[1, 1] - t[0, 1], t[1, 2] - t[0, 2]
    e2x, e2y, e2z = t[2, 0] - t[0, 0], t[2, 1] - t[0, 1], t[2, 2] - t[0, 2]
    px = ray[1] * e2z - ray[2] * e2y
    py = ray[2] * e2x - ray[0] * e2z
    pz = ray[0] * e2y - ray[1] * e2x
    det = e1x * px + e1y * py + e1z * pz
    # Parallel to the triangle: seen edge-on, it hides nothing.
    if abs(det) < 1e-14:
        return False
    sx, sy, sz = eye[0] - t[0, 0], eye[1] - t[0, 1], eye[2] - t[0, 2]
    u = (sx * px + sy * py + sz * pz) / det
    if u < 0.0 or u > 1.0:
        return False
    qx, qy, qz = sy * e1z - sz * e1y, sz * e1x - sx * e1z, sx * e1y - sy * e1x
    v = (ray[0] * qx + ray[1] * qy + ray[2] * qz) / det
    if v < 0.0 or u + v > 1.0:
        return False
    at = (e2x * qx + e2y * qy + e2z * qz) / det
    return bool(low < at < high)


@jit
def _is_clear(
    triangles: F64, origin: F64, rows: int, cols: int, starts: I64, ids: I64, eye: F64, target: F64
) -> bool:
    """Walk the columns under the segment (Amanatides and Woo 1987)."""
    ray = target - eye
    length = np.sqrt((ray * ray).sum())
    if length <= 2.0 * END_M:
        return True
    low, high = END_M / length, 1.0 - END_M / length
    c, r = int((eye[0] - origin[0]) / COLUMN_M), int((eye[1] - origin[1]) / COLUMN_M)
    c_end, r_end = int((target[0] - origin[0]) / COLUMN_M), int((target[1] - origin[1]) / COLUMN_M)
    dc, dr = (1 if ray[0] > 0 else -1), (1 if ray[1] > 0 else -1)
    next_x, next_y, step_x, step_y = np.inf, np.inf, np.inf, np.inf
    if ray[0] != 0.0:
        step_x = COLUMN_M / abs(ray[0])
        next_x = (origin[0] + (c + (1 if dc > 0 else 0)) * COLUMN_M - eye[0]) / ray[0]
    if ray[1] != 0.0:
        step_y = COLUMN_M / abs(ray[1])
        next_y = (origin[1] + (r + (1 if dr > 0 else 0)) * COLUMN_M - eye[1]) / ray[1]
    # The exact number of columns, and a few more: rounding at a border may take a detour.
    for _ in range(abs(c_end - c) + abs(r_end - r) + 3):
        if 0 <= r < rows and 0 <= c < cols:
            column = r * cols + c
            for k in range(starts[column], starts[column + 1]):
                if _hits(triangles[ids[k]], eye, ray, low, high):
                    return False
        if min(next_x, next_y) > 1.0:
            break
        if next_x < next_y:
            next_x += step_x
            c += dc
        else:
            next_y += step_y
            r += dr
    return True


class LineOfSight:
    """Answers whether two points of a scene see each other."""

    def __init__(self, scene: Scene) -> None:
        g = scene.geometry
        self._triangles = np.ascontiguousarray(g.vertices[g.faces].astype(np.float64))
        check_spread(scene, self._triangles)
        xy = self._triangles[:, :, :2]
        self._origin = xy.min(axis=(0, 1)) - 0.5 * COLUMN_M
        extent = xy.max(axis=(0, 1)) - self._origin
        self._cols, self._rows = (int(n) + 2 for n in extent / COLUMN_M)
        counts = np.zeros(self._rows * self._cols + 1, dtype=np.int64)
        none = np.zeros(0, dtype=np.int64)
        _columns(self._triangles, self._origin, self._cols, counts, none, False)
        self._starts = np.concatenate([[0], np.cumsum(counts[:-1])]).astype(np.int64)
        self._ids = np.zeros(int(self._starts[-1]), dtype=np.int64)
        cursor = self._starts.copy()
        _columns(self._triangles, self._origin, self._cols, cursor, self._ids, True)

    def is_clear(self, eye: Point, target: Point) -> bool:
        """No surface between the two points, END_M at either end left out."""
        return bool(
            _is_clear(
                self._triangles,
                self._origin,
                self._rows,
                self._cols,
                self._starts,
                self._ids,
                np.array(eye, dtype=np.float64),
                np.array(target, dtype=np.float64),
            )
        )
