"""Kernels of the light bake: a voxel grid of the furniture, rays through it, light at points.

Furniture is marked in a grid of small voxels and rays march through it (Amanatides & Woo, "A fast
voxel traversal algorithm", 1987). Walls are not voxels but exact: each room has *panels*, upright
rectangles (x0, y0, x1, y1, low) with the room on their left and solid above ``low``, so light
never leaks through a wall and passes through a doorway as it should.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from navproof._jit import jit

__all__ = ["AO_RANGE_M", "VOXEL_M", "direct_light", "mark_voxels", "openness"]

VOXEL_M = 0.04
AO_RANGE_M = 1.0
_WALL_RETURN = 0.55  # light that comes back from a wall at touching distance, of the open share
_THING_RETURN = 0.18  # the same for furniture, which is darker and itself in shade
_ESCAPE = 1.8 * VOXEL_M  # a ray may leave the solid that it starts in over this distance

F64 = NDArray[np.float64]
I64 = NDArray[np.int64]
U8 = NDArray[np.uint8]


@jit
def mark_voxels(triangles: F64, bits: U8, origin: F64, grid: U8) -> None:
    """Or ``bits[k]`` into every voxel that triangle k (n, 3, 3) touches, by dense sampling."""
    step = 0.45 * VOXEL_M
    for k in range(triangles.shape[0]):
        ax, ay, az = triangles[k, 0, 0], triangles[k, 0, 1], triangles[k, 0, 2]
        ux, uy, uz = triangles[k, 1, 0] - ax, triangles[k, 1, 1] - ay, triangles[k, 1, 2] - az
        vx, vy, vz = triangles[k, 2, 0] - ax, triangles[k, 2, 1] - ay, triangles[k, 2, 2] - az
        longest = max(ux * ux + uy * uy + uz * uz, vx * vx + vy * vy + vz * vz)
        wx, wy, wz = vx - ux, vy - uy, vz - uz
        longest = max(longest, wx * wx + wy * wy + wz * wz)
        n = int(np.sqrt(longest) / step) + 1
        for i in range(n + 1):
            for j in range(n + 1 - i):
                s, t = i / n, j / n
                x = int((ax + s * ux + t * vx - origin[0]) / VOXEL_M)
                y = int((ay + s * uy + t * vy - origin[1]) / VOXEL_M)
                z = int((az + s * uz + t * vz - origin[2]) / VOXEL_M)
                if 0 <= x < grid.shape[0] and 0 <= y < grid.shape[1] and 0 <= z < grid.shape[2]:
                    grid[x, y, z] |= bits[k]


@jit
def _march(
    grid: U8,
    origin: F64,
    px: float,
    py: float,
    pz: float,
    dx: float,
    dy: float,
    dz: float,
    reach: float,
    bit: int,
) -> float:
    """Distance to the first marked voxel along a unit direction, or ``reach``."""
    gx, gy, gz = (px - origin[0]) / VOXEL_M, (py - origin[1]) / VOXEL_M, (pz - origin[2]) / VOXEL_M
    x, y, z = int(np.floor(gx)), int(np.floor(gy)), int(np.floor(gz))
    big = 1e30
    sx = 1 if dx > 0 else -1
    sy = 1 if dy > 0 else -1
    sz = 1 if dz > 0 else -1
    ix = VOXEL_M / abs(dx) if dx != 0.0 else big
    iy = VOXEL_M / abs(dy) if dy != 0.0 else big
    iz = VOXEL_M / abs(dz) if dz != 0.0 else big
    tx = (x + 1 - gx if dx > 0 else gx - x) * ix if dx != 0.0 else big
    ty = (y + 1 - gy if dy > 0 else gy - y) * iy if dy != 0.0 else big
    tz = (z + 1 - gz if dz > 0 else gz - z) * iz if dz != 0.0 else big
    nx, ny, nz = grid.shape
    t = 0.0
    inside = True
    while t < reach:
        if 0 <= x < nx and 0 <= y < ny and 0 <= z < nz:
            if grid[x, y, z] & bit:
                if not (inside and t < _ESCAPE):
                    return t
            else:
                inside = False
        else:
            gone = (x < 0 and sx < 0) or (x >= nx and sx > 0) or (y < 0 and sy < 0)
            if gone or (y >= ny and sy > 0) or (z < 0 and sz < 0) or (z >= nz and sz > 0):
                return reach
        if tx < ty:
            if tx < tz:
                t = tx
                tx += ix
                x += sx
            else:
                t = tz
                tz += iz
                z += sz
        elif ty < tz:
            t = ty
            ty += iy
            y += sy
        else:
            t = tz
            tz += iz
            z += sz
    return reach


@jit
def _wall_distance(
    panels: F64,
    first: int,
    last: int,
    px: float,
    py: float,
    pz: float,
    dx: float,
    dy: float,
    dz: float,
    reach: float,
    side: float,
) -> float:
    """Distance to the first panel crossed from the room side (side 1) or from behind (−1)."""
    best = reach
    for k in range(first, last):
        ex, ey = panels[k, 2] - panels[k, 0], panels[k, 3] - panels[k, 1]
        cross = dx * ey - dy * ex  # > 0: the ray goes from the panel's left (room) to its right
        if cross * side <= 1e-9:
            continue
        wx, wy = panels[k, 0] - px, panels[k, 1] - py
        t = (wx * ey - wy * ex) / cross
        if t <= 1e-6 or t >= best:
            continue
        s = (wx * dy - wy * dx) / cross
        if s < 0.0 or s > 1.0:
            continue
        if pz + t * dz >= panels[k, 4]:
            best = t
    return best


@jit
def openness(
    points: F64,
    normals: F64,
    rooms: I64,
    offsets: F64,
    directions: F64,
    grid: U8,
    origin: F64,
    panels: F64,
    spans: I64,
    heights: F64,
) -> F64:
    """How much of the light of its room reaches each point, in [0, 1].

    ``directions`` (m, 3) are cosine-distributed about +z; a ray that meets something within
    AO_RANGE_M counts by its distance, from a share that the surface gives back up to 1. Rows of
    ``heights`` are floor and ceiling of each room; ``offsets`` move the origin off the surface.
    """
    out = np.zeros(points.shape[0])
    for i in range(points.shape[0]):
        room = rooms[i]
        if room < 0:
            continue
        nx, ny, nz = normals[i, 0], normals[i, 1], normals[i, 2]
        # a frame about the normal (Duff et al., "Building an orthonormal basis, revisited", 2017)
        sign = 1.0 if nz >= 0.0 else -1.0
        a = -1.0 / (sign + nz)
        b = nx * ny * a
        t0, t1, t2 = 1.0 + sign * nx * nx * a, sign * b, -sign * nx
        b0, b1, b2 = b, sign + ny * ny * a, -ny
        off = offsets[i]
        px, py, pz = points[i, 0] + off * nx, points[i, 1] + off * ny, points[i, 2] + off * nz
        total = 0.0
        for k in range(directions.shape[0]):
            u, v, w = directions[k, 0], directions[k, 1], directions[k, 2]
            dx = u * t0 + v * b0 + w * nx
            dy = u * t1 + v * b1 + w * ny
            dz = u * t2 + v * b2 + w * nz
            wall = _wall_distance(
                panels, spans[room, 0], spans[room, 1], px, py, pz, dx, dy, dz, AO_RANGE_M, 1.0
            )
            if dz < -1e-6:
                wall = min(wall, max(0.0, (heights[room, 0] - pz) / dz))
            elif dz > 1e-6:
                wall = min(wall, max(0.0, (heights[room, 1] - pz) / dz))
            thing = _march(grid, origin, px, py, pz, dx, dy, dz, wall, 1)
            if thing < wall:
                total += _THING_RETURN + (1.0 - _THING_RETURN) * thing / AO_RANGE_M
            else:
                total += _WALL_RETURN + (1.0 - _WALL_RETURN) * wall / AO_RANGE_M
        out[i] = total / directions.shape[0] * (0.88 + 0.12 * nz)
    return out


@jit
def direct_light(
    points: F64,
    normals: F64,
    rooms: I64,
    offsets: F64,
    chosen: I64,
    samples: F64,
    shape: int,
    home: int,
    convex: U8,
    grid: U8,
    origin: F64,
    panels: F64,
    spans: I64,
) -> F64:
    """Irradiance at the ``chosen`` points from one source in room ``home``.

    A sample is (x, y, z, nx, ny, weight, r²): E = Σ weight · cosθ · emit / (d² + r²) where it is
    seen. ``shape`` 0 shines alike to all sides, 1 (ceiling) less upwards, 2 (window) with the
    cosine to its upright normal (nx, ny) and more from the sky than from the ground.
    """
    out = np.zeros(chosen.shape[0])
    for c in range(chosen.shape[0]):
        i = chosen[c]
        room = rooms[i]
        nx, ny, nz = normals[i, 0], normals[i, 1], normals[i, 2]
        off = offsets[i]
        px, py, pz = points[i, 0] + off * nx, points[i, 1] + off * ny, points[i, 2] + off * nz
        total = 0.0
        for k in range(samples.shape[0]):
            dx, dy, dz = samples[k, 0] - px, samples[k, 1] - py, samples[k, 2] - pz
            d2 = dx * dx + dy * dy + dz * dz
            d = np.sqrt(d2)
            if d < 1e-6:
                continue
            dx, dy, dz = dx / d, dy / d, dz / d
            light = samples[k, 5] * (nx * dx + ny * dy + nz * dz) / (d2 + samples[k, 6])
            if shape == 1:
                light *= min(1.0, max(0.25, 1.0 + 1.5 * dz)) if dz < 0.0 else 1.0
            elif shape == 2:
                light *= -(samples[k, 3] * dx + samples[k, 4] * dy) * (0.7 + 0.3 * dz)
            if light < 5e-4:
                continue
            if room != home:
                if _blocked(panels, spans, room, px, py, pz, dx, dy, dz, d, 1.0) or _blocked(
                    panels, spans, home, px, py, pz, dx, dy, dz, d, -1.0
                ):
                    continue
            elif not convex[room] and _blocked(panels, spans, room, px, py, pz, dx, dy, dz, d, 1.0):
                continue
            if _march(grid, origin, px, py, pz, dx, dy, dz, d, 2) >= d:
                total += light
        out[c] = total
    return out


@jit
def _blocked(
    panels: F64,
    spans: I64,
    room: int,
    px: float,
    py: float,
    pz: float,
    dx: float,
    dy: float,
    dz: float,
    reach: float,
    side: float,
) -> bool:
    first, last = spans[room, 0], spans[room, 1]
    return _wall_distance(panels, first, last, px, py, pz, dx, dy, dz, reach, side) < reach
