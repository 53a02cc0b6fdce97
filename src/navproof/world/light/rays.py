"""Kernels of the light bake: a voxel grid of the furniture, rays through it, light at points.

Furniture is marked in a grid of small voxels and rays march through it, skipping in each step the
cube of voxels known to be free ("proximity clouds", Cohen & Sheffer 1994). Walls are not voxels
but exact: each room has *panels*, upright rectangles (x0, y0, x1, y1, low) with the room on their
left and solid above ``low``, so light never leaks through a wall and passes through a doorway as
it should.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from navproof.core.jit import jit

__all__ = ["AO_RANGE_M", "VOXEL_M", "direct_light", "free_distance", "mark_voxels", "openness"]

VOXEL_M = 0.04
AO_RANGE_M = 1.25
_WALL_RETURN = 0.55  # light that comes back from a wall at touching distance, of the open share
_THING_RETURN = 0.08  # the same for furniture, which is darker and itself in shade
_BLOCK = 2  # voxels along the edge of a cell of the free-distance field
_UPWARD = 0.3  # of a ceiling light's intensity that goes up
_GLOW_R2 = 0.15  # and how widely it spreads there, m²
_OFF_DOOR_M = 0.15
_SPARSE = 3  # for points in another room than the source, every third sample is taken
_ESCAPE = 1.8 * VOXEL_M  # a ray may leave the solid that it starts in over this distance

F64 = NDArray[np.float64]
I64 = NDArray[np.int64]
U8 = NDArray[np.uint8]


@jit
def mark_voxels(triangles: F64, bits: U8, origin: F64, grid: U8) -> None:
    """Set the bits ``bits[k]`` in every voxel that triangle k (n, 3, 3) touches, by dense
    sampling."""
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
def free_distance(grid: U8) -> U8:
    """Chebyshev distance, in blocks and at most 250, from every block of _BLOCK³ voxels to the
    nearest one with a mark.

    Two sweeps over the 26 neighbours make it exact. The grid has one block of border.
    """
    shape = grid.shape
    nx, ny, nz = shape[0] // _BLOCK + 3, shape[1] // _BLOCK + 3, shape[2] // _BLOCK + 3
    out = np.full((nx, ny, nz), 250, dtype=np.uint8)
    for x in range(shape[0]):
        for y in range(shape[1]):
            for z in range(shape[2]):
                if grid[x, y, z]:
                    out[x // _BLOCK + 1, y // _BLOCK + 1, z // _BLOCK + 1] = 0
    for sweep in range(2):
        s = 1 - 2 * sweep
        for i in range(1, nx - 1):
            x = i if sweep == 0 else nx - 1 - i
            for j in range(1, ny - 1):
                y = j if sweep == 0 else ny - 1 - j
                for k in range(1, nz - 1):
                    z = k if sweep == 0 else nz - 1 - k
                    best = min(out[x, y, z - s], out[x, y - s, z - 1], out[x, y - s, z])
                    best = min(best, out[x, y - s, z + 1], out[x - s, y, z])
                    for dy in range(-1, 2):
                        best = min(best, out[x - s, y + dy, z - 1], out[x - s, y + dy, z + 1])
                    best = min(best, out[x - s, y - 1, z], out[x - s, y + 1, z])
                    if best + 1 < out[x, y, z]:
                        out[x, y, z] = best + 1
    return out


@jit
def _march(
    grid: U8,
    free: U8,
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
    """Distance to the first voxel marked with ``bit`` along a unit direction, or ``reach``."""
    scale = 1.0 / VOXEL_M
    gx, gy, gz = (px - origin[0]) * scale, (py - origin[1]) * scale, (pz - origin[2]) * scale
    ix = 1.0 / dx if abs(dx) > 1e-9 else 1e9
    iy = 1.0 / dy if abs(dy) > 1e-9 else 1e9
    iz = 1.0 / dz if abs(dz) > 1e-9 else 1e9
    nx, ny, nz = grid.shape
    end = reach * scale
    escape = _ESCAPE * scale
    t = 0.0
    inside = True
    while t < end:
        wx, wy, wz = gx + t * dx, gy + t * dy, gz + t * dz
        if wx < 0.0 or wy < 0.0 or wz < 0.0:
            return reach
        x, y, z = int(wx), int(wy), int(wz)
        if x >= nx or y >= ny or z >= nz:
            return reach
        size = 1
        room = int(free[x // _BLOCK + 1, y // _BLOCK + 1, z // _BLOCK + 1])
        if room == 0:
            room = 1
            if grid[x, y, z] & bit:
                if not (inside and t < escape):
                    return t * VOXEL_M
            else:
                inside = False
        else:
            inside = False
            size = _BLOCK
            x, y, z = x // _BLOCK, y // _BLOCK, z // _BLOCK
        # leave the cube of free cells about this one
        tx = ((x + room if ix > 0.0 else x + 1 - room) * size - gx) * ix
        ty = ((y + room if iy > 0.0 else y + 1 - room) * size - gy) * iy
        tz = ((z + room if iz > 0.0 else z + 1 - room) * size - gz) * iz
        t = max(t, min(tx, min(ty, tz))) + 1e-4
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
def _free_metres(free: U8, origin: F64, px: float, py: float, pz: float) -> float:
    """A distance within which nothing is marked."""
    cell = _BLOCK * VOXEL_M
    x = int((px - origin[0]) / cell) + 1
    y = int((py - origin[1]) / cell) + 1
    z = int((pz - origin[2]) / cell) + 1
    if 0 < x < free.shape[0] and 0 < y < free.shape[1] and 0 < z < free.shape[2]:
        return float(free[x, y, z] - 1) * cell
    return 0.0


@jit
def _near_panels(panels: F64, first: int, last: int, px: float, py: float, near: F64) -> int:
    """Copy the panels whose bounding square comes within AO_RANGE_M; returns how many there are."""
    count = 0
    for k in range(first, last):
        x0, x1 = min(panels[k, 0], panels[k, 2]), max(panels[k, 0], panels[k, 2])
        y0, y1 = min(panels[k, 1], panels[k, 3]), max(panels[k, 1], panels[k, 3])
        if x0 - AO_RANGE_M < px < x1 + AO_RANGE_M and y0 - AO_RANGE_M < py < y1 + AO_RANGE_M:
            for c in range(5):
                near[count, c] = panels[k, c]
            count += 1
    return count


@jit
def openness(
    points: F64,
    normals: F64,
    rooms: I64,
    offsets: F64,
    directions: F64,
    grid: U8,
    free: U8,
    origin: F64,
    panels: F64,
    spans: I64,
    heights: F64,
) -> F64:
    """How much of the light of its room reaches each point, in [0, 1].

    ``directions`` (m, 3) are cosine-distributed about +z; a ray that meets something within
    AO_RANGE_M counts by its distance (a wall) or its square (furniture), from a share that the
    surface gives back up to 1. Rows of
    ``heights`` are floor and ceiling of each room; ``offsets`` move the origin off the surface.
    """
    out = np.zeros(points.shape[0])
    near_panels = np.empty_like(panels)
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
        lonely = _free_metres(free, origin, px, py, pz) > AO_RANGE_M
        count = _near_panels(panels, spans[room, 0], spans[room, 1], px, py, near_panels)
        total = 0.0
        for k in range(directions.shape[0]):
            u, v, w = directions[k, 0], directions[k, 1], directions[k, 2]
            dx = u * t0 + v * b0 + w * nx
            dy = u * t1 + v * b1 + w * ny
            dz = u * t2 + v * b2 + w * nz
            wall = _wall_distance(near_panels, 0, count, px, py, pz, dx, dy, dz, AO_RANGE_M, 1.0)
            if dz < -1e-6:
                wall = min(wall, max(0.0, (heights[room, 0] - pz) / dz))
            elif dz > 1e-6:
                wall = min(wall, max(0.0, (heights[room, 1] - pz) / dz))
            thing = wall
            if not lonely:
                thing = _march(grid, free, origin, px, py, pz, dx, dy, dz, wall, 1)
            if thing < wall:
                near = thing / AO_RANGE_M
                total += _THING_RETURN + (1.0 - _THING_RETURN) * near * near
            else:
                total += _WALL_RETURN + (1.0 - _WALL_RETURN) * wall / AO_RANGE_M
        out[i] = total / directions.shape[0] * (0.94 + 0.06 * nz)
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
    portals: F64,
    convex: U8,
    grid: U8,
    free: U8,
    origin: F64,
    panels: F64,
    spans: I64,
) -> F64:
    """Irradiance at the ``chosen`` points from one source in room ``home``.

    A sample is (x, y, z, nx, ny, weight, r²): E = Σ weight · cosθ · emit / (d² + r²) where it is
    seen. ``portals`` are the doorways of ``home``, rows (x, y, nx, ny, half width, other room):
    points of other rooms from where the source is not even near one are skipped. ``shape`` 0
    shines alike to all sides, 1 (ceiling) less upwards, 2 (window) with the cosine to its upright
    normal (nx, ny) and more from the sky than from the ground.
    """
    out = np.zeros(chosen.shape[0])
    mx, my, spread = _middle(samples)
    for c in range(chosen.shape[0]):
        i = chosen[c]
        room = rooms[i]
        if room != home and not _through(portals, room, points[i], mx, my, spread):
            continue
        nx, ny, nz = normals[i, 0], normals[i, 1], normals[i, 2]
        off = offsets[i]
        px, py, pz = points[i, 0] + off * nx, points[i, 1] + off * ny, points[i, 2] + off * nz
        total = 0.0
        stride = 1 if room == home else _SPARSE  # what comes through a doorway is soft anyway
        used = 0
        for k in range(stride // 2, samples.shape[0], stride):
            used += 1
            dx, dy, dz = samples[k, 0] - px, samples[k, 1] - py, samples[k, 2] - pz
            d2 = dx * dx + dy * dy + dz * dz
            d = np.sqrt(d2)
            if d < 1e-6:
                continue
            dx, dy, dz = dx / d, dy / d, dz / d
            light = samples[k, 5] * (nx * dx + ny * dy + nz * dz) / (d2 + samples[k, 6])
            if shape == 1:
                if dz < 0.0:
                    light *= max(_UPWARD, 1.0 + 4.0 * dz) * d2 / (d2 + _GLOW_R2)
            elif shape == 2:
                light *= -(samples[k, 3] * dx + samples[k, 4] * dy) * (0.8 + 0.2 * dz)
            if light < 1e-3:
                continue
            if room != home:
                if _blocked(panels, spans, room, px, py, pz, dx, dy, dz, d, 1.0) or _blocked(
                    panels, spans, home, px, py, pz, dx, dy, dz, d, -1.0
                ):
                    continue
            elif not convex[room] and _blocked(panels, spans, room, px, py, pz, dx, dy, dz, d, 1.0):
                continue
            if _march(grid, free, origin, px, py, pz, dx, dy, dz, d, 2) >= d:
                total += light
        out[c] = total * samples.shape[0] / used
    return out


@jit
def _middle(samples: F64) -> tuple[float, float, float]:
    """The samples' mean (x, y), and how far the furthest lies from it."""
    mx, my = samples[:, 0].mean(), samples[:, 1].mean()
    spread = 0.0
    for k in range(samples.shape[0]):
        dx, dy = samples[k, 0] - mx, samples[k, 1] - my
        spread = max(spread, np.sqrt(dx * dx + dy * dy))
    return mx, my, spread


@jit
def _through(portals: F64, room: int, point: F64, mx: float, my: float, spread: float) -> bool:
    """Whether the line from a point of ``room`` to (mx, my) passes near a doorway between."""
    for k in range(portals.shape[0]):
        if int(portals[k, 5]) != room:
            continue
        nx, ny = portals[k, 2], portals[k, 3]
        dx, dy = mx - point[0], my - point[1]
        wx, wy = portals[k, 0] - point[0], portals[k, 1] - point[1]
        across = dx * nx + dy * ny
        s = (wx * nx + wy * ny) / across if across != 0.0 else 0.0
        aside = abs((s * dx - wx) * ny - (s * dy - wy) * nx)
        if aside < portals[k, 4] + spread + _OFF_DOOR_M:
            return True
    return False


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
