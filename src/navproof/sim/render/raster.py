"""Pass 1 of the rasteriser: triangles to a visibility buffer (1/z and triangle number).

Watertight by construction. Screen coordinates are float64 and not snapped. A scanline's span of a
triangle is [x_left, x_right) of its edges at the row's centre, and an edge's crossing is always
computed from its upper to its lower end point, so two triangles that share an edge get the same
number: no pixel is missed or claimed twice (the top-left fill rule). The near plane is cut from
the inside end of an edge to the outside one, which is again the same for both neighbours.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from navproof.core.jit import jit

__all__ = ["fill_triangle", "rasterise"]

F64 = NDArray[np.float64]
F32 = NDArray[np.float32]
I32 = NDArray[np.int32]


@jit
def fill_triangle(
    ax: float, ay: float, aw: float,
    bx: float, by: float, bw: float,
    cx: float, cy: float, cw: float,
    two_sided: bool, number: int, u0: int, v0: int, u1: int, v1: int,
    width: int, wbuf: F32, tbuf: I32,
) -> bool:  # fmt: skip
    """Rasterise one projected triangle; True if it may have touched a pixel.

    Corners are (column, row, 1/z); only pixels in columns [u0, u1) and rows [v0, v1) are drawn.
    The values of a pixel do not depend on these bounds. ``wbuf`` and ``tbuf`` are flat,
    rows of ``width``.
    """
    # Rows grow downwards, so a counter-clockwise face has negative area here.
    area = (bx - ax) * (cy - ay) - (cx - ax) * (by - ay)
    if not (area < 0.0 or (two_sided and area > 0.0)):
        return False
    low = min(ay, by, cy)
    high = max(ay, by, cy)
    if not (high > v0 and low < v1):
        return False
    y0 = math.ceil(max(low, float(v0)) - 0.5)
    y1 = math.ceil(min(high, float(v1)) - 0.5)
    if y0 >= y1:
        return False
    left = min(ax, bx, cx)
    right = max(ax, bx, cx)
    if not (right > u0 and left < u1):
        return False
    if math.ceil(max(left, float(u0)) - 0.5) >= math.ceil(min(right, float(u1)) - 0.5):
        return False
    # 1/z, not z, is affine in the image: one gradient holds for every pixel of the triangle.
    gx = ((bw - aw) * (cy - ay) - (cw - aw) * (by - ay)) / area
    gy = ((cw - aw) * (bx - ax) - (bw - aw) * (cx - ax)) / area
    w00 = aw - gx * (ax - 0.5) - gy * (ay - 0.5)
    # Sort the corners by row.
    if ay > by:
        ax, ay, bx, by = bx, by, ax, ay
        area = -area
    if by > cy:
        bx, by, cx, cy = cx, cy, bx, by
        area = -area
        if ay > by:
            ax, ay, bx, by = bx, by, ax, ay
            area = -area
    long_left = area > 0.0
    slope_long = (cx - ax) / (cy - ay)
    split = min(max(math.ceil(by - 0.5), y0), y1)
    slope = 0.0
    gx32 = np.float32(gx)
    number32 = np.int32(number)
    for part in range(2):
        if part == 0:
            first, last = y0, split
            ex, ey = ax, ay
            if first < last:
                slope = (bx - ax) / (by - ay)
        else:
            first, last = split, y1
            ex, ey = bx, by
            if first < last:
                slope = (cx - bx) / (cy - by)
        # Edges are evaluated from their upper end in every row, not stepped from the row before:
        # both triangles of a shared edge then round alike, and no error adds up.
        for y in range(first, last):
            row = y + 0.5
            xl = ax + (row - ay) * slope_long
            xs = ex + (row - ey) * slope
            if not long_left:
                xl, xs = xs, xl
            x0 = math.ceil(max(xl, 0.0) - 0.5)
            x1 = math.ceil(min(xs, float(width)) - 0.5)
            # The value at the span's own first pixel, also where ``bounds`` begin later: what a
            # pixel gets must not depend on what was culled.
            w0 = np.float32(w00 + gx * x0 + gy * y)
            origin = np.uint64(y * width + x0)
            begin = max(x0, u0)
            stop = max(begin, min(x1, u1))
            for i in range(np.uint64(y * width + begin), np.uint64(y * width + stop)):
                w = w0 + gx32 * np.float32(np.int32(i - origin))
                old = wbuf[i]
                # Both stores are unconditional, so that the loop has no branch and vectorises.
                nearer = w > old
                wbuf[i] = w if nearer else old
                tbuf[i] = number32 if nearer else tbuf[i]
    return True


@jit
def rasterise(
    chosen: I32, crossing: NDArray[np.bool_], bounds: I32, clusters: I32,
    vx: F32, vy: F32, vz: F32, faces: I32, two_sided: NDArray[np.bool_],
    view: F64, near: float,
    screen: F64, tri_face: I32, width: int, wbuf: F32, tbuf: I32,
) -> int:  # fmt: skip
    """Draw the ``chosen`` clusters in order; returns how many triangles were numbered.

    ``clusters`` rows are (first vertex, last + 1, first face, last + 1); ``crossing`` says which
    may cross the near plane and ``bounds`` the pixels (first column, first row, last + 1, last + 1)
    in which each may be seen. ``view`` is (rotation 9, centre 3, focal, centre column, centre row).
    ``screen`` (4, v) is scratch for column, row, 1/z and z; ``tri_face`` gets each triangle's face.
    """
    wbuf[:] = np.float32(0.0)
    tbuf[:] = np.int32(-1)
    r0, r1, r2, r3, r4, r5, r6, r7, r8 = (
        view[0], view[1], view[2], view[3], view[4], view[5], view[6], view[7], view[8]
    )  # fmt: skip
    ox, oy, oz, focal, mid_u, mid_v = view[9], view[10], view[11], view[12], view[13], view[14]
    su, sv, sw, sz = screen[0], screen[1], screen[2], screen[3]
    pu = np.empty(4)
    pv = np.empty(4)
    pw = np.empty(4)
    count = 0
    for k in range(chosen.shape[0]):
        cluster = chosen[k]
        first = clusters[cluster, 0]
        last = clusters[cluster, 1]
        for i in range(first, last):
            x = vx[i] - ox
            y = vy[i] - oy
            z = vz[i] - oz
            depth = r6 * x + r7 * y + r8 * z
            w = 1.0 / depth
            sz[i] = depth
            sw[i] = w
            su[i] = mid_u + focal * (r0 * x + r1 * y + r2 * z) * w
            sv[i] = mid_v + focal * (r3 * x + r4 * y + r5 * z) * w
        clip = crossing[cluster]
        u0, v0, u1, v1 = (
            bounds[cluster, 0], bounds[cluster, 1], bounds[cluster, 2], bounds[cluster, 3]
        )  # fmt: skip
        for face in range(clusters[cluster, 2], clusters[cluster, 3]):
            a = faces[face, 0]
            b = faces[face, 1]
            c = faces[face, 2]
            if not clip or (sz[a] >= near and sz[b] >= near and sz[c] >= near):
                if fill_triangle(
                    su[a], sv[a], sw[a], su[b], sv[b], sw[b], su[c], sv[c], sw[c],
                    two_sided[face], count, u0, v0, u1, v1, width, wbuf, tbuf,
                ):  # fmt: skip
                    tri_face[count] = face
                    count += 1
                continue
            if sz[a] < near and sz[b] < near and sz[c] < near:
                continue
            n = 0
            for side in range(3):
                i = a if side == 0 else (b if side == 1 else c)
                j = b if side == 0 else (c if side == 1 else a)
                if sz[i] >= near:
                    pu[n] = su[i]
                    pv[n] = sv[i]
                    pw[n] = sw[i]
                    n += 1
                if (sz[i] >= near) != (sz[j] >= near):
                    # Always cut from the inner end to the outer one: the neighbour over this edge
                    # walks it the other way round, and must get the same point.
                    if sz[i] < near:
                        i, j = j, i
                    t = (sz[i] - near) / (sz[i] - sz[j])
                    x = vx[i] + t * (np.float64(vx[j]) - vx[i]) - ox
                    y = vy[i] + t * (np.float64(vy[j]) - vy[i]) - oy
                    z = vz[i] + t * (np.float64(vz[j]) - vz[i]) - oz
                    w = 1.0 / near
                    pu[n] = mid_u + focal * (r0 * x + r1 * y + r2 * z) * w
                    pv[n] = mid_v + focal * (r3 * x + r4 * y + r5 * z) * w
                    pw[n] = w
                    n += 1
            for part in range(n - 2):
                if fill_triangle(
                    pu[0], pv[0], pw[0], pu[part + 1], pv[part + 1], pw[part + 1],
                    pu[part + 2], pv[part + 2], pw[part + 2],
                    two_sided[face], count, u0, v0, u1, v1, width, wbuf, tbuf,
                ):  # fmt: skip
                    tri_face[count] = face
                    count += 1
    return count
