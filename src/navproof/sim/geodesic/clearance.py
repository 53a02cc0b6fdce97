"""Kernels that turn triangles into a clearance map: metres to the nearest obstacle, per cell.

An obstacle is the footprint of every triangle's part inside a height band. Cells near a footprint
get its exact nearest point; the points are then propagated (vector distance transform, Danielsson
1980), so that distances are to the real surface and not to a cell centre.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from navproof.core.jit import jit

__all__ = ["mark_floor", "propagate_nearest", "seed_nearest"]

F64 = NDArray[np.float64]


@jit
def _clip_band(triangle: F64, low: float, high: float, out: F64) -> int:
    """The part of a triangle with low ≤ z ≤ high, as (x, y) corners in ``out``; their count."""
    polygon = np.empty((8, 3))
    clipped = np.empty((8, 3))
    count = 3
    for i in range(3):
        for k in range(3):
            polygon[i, k] = triangle[i, k]
    for side in range(2):
        kept = 0
        for i in range(count):
            j = (i + 1) % count
            a = polygon[i, 2] - low if side == 0 else high - polygon[i, 2]
            b = polygon[j, 2] - low if side == 0 else high - polygon[j, 2]
            if a >= 0.0:
                for k in range(3):
                    clipped[kept, k] = polygon[i, k]
                kept += 1
            if (a >= 0.0) != (b >= 0.0):
                t = a / (a - b)
                for k in range(3):
                    clipped[kept, k] = polygon[i, k] + t * (polygon[j, k] - polygon[i, k])
                kept += 1
        count = kept
        for i in range(count):
            for k in range(3):
                polygon[i, k] = clipped[i, k]
    for i in range(count):
        out[i, 0] = polygon[i, 0]
        out[i, 1] = polygon[i, 1]
    return count


@jit
def _nearest_on_polygon(corners: F64, count: int, x: float, y: float) -> tuple[float, float, float]:
    """(squared distance, x, y) of the point of a convex polygon that is nearest to (x, y)."""
    best, bx, by = np.inf, 0.0, 0.0
    positive, negative, area = True, True, 0.0
    for i in range(count):
        j = (i + 1) % count
        ax, ay = corners[i, 0], corners[i, 1]
        dx, dy = corners[j, 0] - ax, corners[j, 1] - ay
        cross = dx * (y - ay) - dy * (x - ax)
        area += ax * corners[j, 1] - corners[j, 0] * ay
        positive = positive and cross >= 0.0
        negative = negative and cross <= 0.0
        length2 = dx * dx + dy * dy
        t = 0.0
        if length2 > 0.0:
            t = min(1.0, max(0.0, ((x - ax) * dx + (y - ay) * dy) / length2))
        px, py = ax + t * dx, ay + t * dy
        d2 = (x - px) ** 2 + (y - py) ** 2
        if d2 < best:
            best, bx, by = d2, px, py
    # A footprint without area (a wall seen from above) has no inside, but points in line with it
    # would pass the test of signs.
    if abs(area) > 1e-9 and (positive or negative):
        return 0.0, x, y
    return best, bx, by


@jit
def _cells_under(
    corners: F64, count: int, origin: F64, cell: float, margin: float, rows: int, cols: int
) -> tuple[int, int, int, int]:
    """First and last row, first and last column of the cells within ``margin`` cells of the
    polygon's bounding box, kept inside the grid."""
    x0 = x1 = corners[0, 0]
    y0 = y1 = corners[0, 1]
    for i in range(1, count):
        x0, x1 = min(x0, corners[i, 0]), max(x1, corners[i, 0])
        y0, y1 = min(y0, corners[i, 1]), max(y1, corners[i, 1])
    c0 = max(0, int(np.floor((x0 - origin[0]) / cell - margin)))
    c1 = min(cols - 1, int(np.floor((x1 - origin[0]) / cell + margin)))
    r0 = max(0, int(np.floor((y0 - origin[1]) / cell - margin)))
    r1 = min(rows - 1, int(np.floor((y1 - origin[1]) / cell + margin)))
    return r0, r1, c0, c1


@jit
def seed_nearest(
    triangles: F64, low: float, high: float, origin: F64, cell: float, nearest: F64, distance2: F64
) -> None:
    """Exact nearest obstacle points for the cells within 1.5 cells of a footprint.

    triangles (n, 3, 3); nearest (rows, cols, 2); distance2 (rows, cols). Row r is y, column c is x.
    """
    rows, cols = distance2.shape
    corners = np.empty((8, 2))
    for n in range(triangles.shape[0]):
        triangle = triangles[n]
        z0 = min(triangle[0, 2], triangle[1, 2], triangle[2, 2])
        z1 = max(triangle[0, 2], triangle[1, 2], triangle[2, 2])
        if z1 < low or z0 > high:
            continue
        count = _clip_band(triangle, low, high, corners)
        if count == 0:
            continue
        r0, r1, c0, c1 = _cells_under(corners, count, origin, cell, 1.5, rows, cols)
        for r in range(r0, r1 + 1):
            y = origin[1] + (r + 0.5) * cell
            for c in range(c0, c1 + 1):
                x = origin[0] + (c + 0.5) * cell
                d2, px, py = _nearest_on_polygon(corners, count, x, y)
                if d2 < distance2[r, c]:
                    distance2[r, c] = d2
                    nearest[r, c, 0] = px
                    nearest[r, c, 1] = py


@jit
def _take(
    r: int, c: int, rn: int, cn: int, x: float, y: float, nearest: F64, distance2: F64
) -> bool:
    """Offer cell (r, c) the nearest point of its neighbour (rn, cn); True if it was nearer."""
    rows, cols = distance2.shape
    if rn < 0 or rn >= rows or cn < 0 or cn >= cols or distance2[rn, cn] == np.inf:
        return False
    d2 = (nearest[rn, cn, 0] - x) ** 2 + (nearest[rn, cn, 1] - y) ** 2
    if d2 < distance2[r, c]:
        distance2[r, c] = d2
        nearest[r, c, 0] = nearest[rn, cn, 0]
        nearest[r, c, 1] = nearest[rn, cn, 1]
        return True
    return False


@jit
def propagate_nearest(origin: F64, cell: float, nearest: F64, distance2: F64) -> None:
    """Spread nearest points over the whole grid, sweeping until nothing changes."""
    rows, cols = distance2.shape
    for _ in range(8):
        changed = False
        for backward in range(2):
            for i in range(rows):
                r = rows - 1 - i if backward else i
                d = 1 if backward else -1
                y = origin[1] + (r + 0.5) * cell
                for c in range(cols):
                    x = origin[0] + (c + 0.5) * cell
                    for dc in range(-1, 2):
                        changed |= _take(r, c, r + d, c + dc, x, y, nearest, distance2)
                    changed |= _take(r, c, r, c - 1, x, y, nearest, distance2)
                for c in range(cols - 1, -1, -1):
                    x = origin[0] + (c + 0.5) * cell
                    changed |= _take(r, c, r, c + 1, x, y, nearest, distance2)
        if not changed:
            return


@jit
def mark_floor(
    triangles: F64, low: float, high: float, origin: F64, cell: float, floor: NDArray[np.bool_]
) -> None:
    """Mark the cells whose centre lies on an upward triangle inside the height band."""
    rows, cols = floor.shape
    corners = np.empty((8, 2))
    for n in range(triangles.shape[0]):
        t = triangles[n]
        nz = (t[1, 0] - t[0, 0]) * (t[2, 1] - t[0, 1]) - (t[1, 1] - t[0, 1]) * (t[2, 0] - t[0, 0])
        # An upright triangle is a line from above, and no floor.
        if nz == 0.0:
            continue
        count = _clip_band(t, low, high, corners)
        if count < 3:
            continue
        r0, r1, c0, c1 = _cells_under(corners, count, origin, cell, 0.5, rows, cols)
        for r in range(r0, r1 + 1):
            y = origin[1] + (r + 0.5) * cell
            for c in range(c0, c1 + 1):
                if not floor[r, c]:
                    x = origin[0] + (c + 0.5) * cell
                    d2, _, _ = _nearest_on_polygon(corners, count, x, y)
                    floor[r, c] = d2 <= 1e-8
