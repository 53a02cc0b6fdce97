"""One bounce of light between the surfaces of a depth image, on a coarse grid."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from navproof.core.jit import jit, jit_inline

__all__ = ["bounce", "echo_error", "overestimate"]

F32 = NDArray[np.float32]
F64 = NDArray[np.float64]
LEAST_FACING = 0.1
"""Cosine of incidence below which direct light is not taken to weaken further."""
ZERO, HALF, ONE = np.float32(0.0), np.float32(0.5), np.float32(1.0)
LIKE = 0.05
JUMP_PENALTY = 0.25
"""Weight of steepness in the choice of a quadrant: one across a jump in depth is flat too."""
UNLIKE = np.float32(8.0)
JUMP = np.float32(1.1)
NONE_ALIKE = np.float32(1e-3)
"""Weight of no error, so that pixels unlike every node around them get none."""


@jit
def _averages(depth: F32, rows: int, columns: int) -> F64:
    """(2·rows + 1, 2·columns + 1): inverse depth on a grid of half cells, each the mean of the
    pixels around it that are of like depth; 0 where there is none, as past the last pixel."""
    height, width = depth.shape
    spread = max(1, width // (6 * columns))
    inverse = np.zeros((2 * rows + 1, 2 * columns + 1))
    for i in range(2 * rows):
        r = i * height // (2 * rows)
        for j in range(2 * columns):
            c = j * width // (2 * columns)
            z = float(depth[r, c])
            if z == 0.0:
                continue
            total, count = 0.0, 0
            for v in range(-1, 2):
                for u in range(-1, 2):
                    row = min(max(r + v * spread, 0), height - 1)
                    near = float(depth[row, min(max(c + u * spread, 0), width - 1)])
                    if abs(near - z) < LIKE * z:
                        total += near
                        count += 1
            inverse[i, j] = count / total
    return inverse


@jit
def _surfaces(depth: F32, rows: int, columns: int) -> F64:
    """(rows, columns, 8): the point (x, y, z), its unit normal towards the camera, its distance
    and the cosine of incidence, in the camera's frame; distance 0 where there is no depth.

    A plane n·P = 1 has inverse depth ``n_x·x + n_y·y + n_z`` at the image point (x, y). It is
    taken from the quadrant around the node that is nearest to a plane: corners stay sharp.
    """
    inverse = _averages(depth, rows, columns)
    half_cell = 1.0 / columns
    aspect = depth.shape[0] / depth.shape[1]
    nodes = np.zeros((rows, columns, 8))
    for i in range(rows):
        half_row = aspect / rows
        y = (2 * i + 1) * half_row - aspect
        for j in range(columns):
            here = inverse[2 * i + 1, 2 * j + 1]
            if here == 0.0:
                continue
            x = (2 * j + 1) * half_cell - 1.0
            nx, ny, flattest = 0.0, 0.0, np.inf
            for v in (-1, 1):
                for u in (-1, 1):
                    beside = inverse[2 * i + 1, 2 * j + 1 + u]
                    over = inverse[2 * i + 1 + v, 2 * j + 1]
                    across = inverse[2 * i + 1 + v, 2 * j + 1 + u]
                    bend = abs(across - beside - over + here)
                    bend += JUMP_PENALTY * (abs(beside - here) + abs(over - here))
                    if min(beside, over, across) > 0.0 and bend < flattest:
                        flattest = bend
                        nx = u * (beside - here) / half_cell
                        ny = v * (over - here) / half_row
            nz = here - nx * x - ny * y
            size = math.sqrt(nx * nx + ny * ny + nz * nz)
            z = 1.0 / here
            reach = z * math.sqrt(1.0 + x * x + y * y)
            nodes[i, j, 0] = x * z
            nodes[i, j, 1] = y * z
            nodes[i, j, 2] = z
            nodes[i, j, 3] = -nx / size
            nodes[i, j, 4] = -ny / size
            nodes[i, j, 5] = -nz / size
            nodes[i, j, 6] = reach
            nodes[i, j, 7] = 1.0 / (size * reach)
    return nodes


@jit
def _sources(nodes: F64, stride: int) -> F64:
    """(n, 9): every ``stride``-th node that has depth, with ω/π instead of its incidence, and its
    patch's area over π, which keeps a near patch from counting as a point (Wallace, Elmquist &
    Haines, "A Ray Tracing Algorithm for Progressive Radiosity", SIGGRAPH 1989)."""
    rows, columns = nodes.shape[0], nodes.shape[1]
    side = stride / (0.5 * columns)
    sources = np.empty((rows * columns, 9))
    count = 0
    for i in range(min(stride // 2, rows - 1), rows, stride):
        for j in range(min(stride // 2, columns - 1), columns, stride):
            z, reach = nodes[i, j, 2], nodes[i, j, 6]
            if reach == 0.0:
                continue
            sources[count, :7] = nodes[i, j, :7]
            sources[count, 7] = side * side * (z / reach) ** 3 / math.pi
            sources[count, 8] = (side * z) ** 2 / math.pi
            count += 1
    return sources[:count]


@jit
def bounce(depth: F32, rows: int, columns: int, stride: int) -> F64:
    """(rows, columns, 4): for each node the amplitude of the light that came by another surface,
    relative to the direct light at albedo 1; how much longer its way is on average (m, one way);
    the distance and the depth of the node.

    Every ``stride``-th node is a Lambertian source that sends on the light it receives. With
    irradiance cos θ/r² on a surface at distance r, a source Q that fills the solid angle ω adds
    ``(ω/π) · cos Q · cos P / (|PQ|² + area/π) · r_P² / cos θ_P`` at P, on a way that is
    ``(r_Q + |PQ| − r_P) / 2`` longer: never shorter.
    """
    nodes = _surfaces(depth, rows, columns)
    sources = _sources(nodes, stride)
    echo = np.zeros((rows, columns, 4))
    for i in range(rows):
        for j in range(columns):
            px, py, pz = nodes[i, j, 0], nodes[i, j, 1], nodes[i, j, 2]
            ax, ay, az = nodes[i, j, 3], nodes[i, j, 4], nodes[i, j, 5]
            reach = nodes[i, j, 6]
            if reach == 0.0:
                continue
            total, longer = 0.0, 0.0
            for k in range(len(sources)):
                dx, dy, dz = sources[k, 0] - px, sources[k, 1] - py, sources[k, 2] - pz
                arriving = ax * dx + ay * dy + az * dz
                leaving = -(sources[k, 3] * dx + sources[k, 4] * dy + sources[k, 5] * dz)
                if arriving <= 0.0 or leaving <= 0.0:
                    continue
                square = dx * dx + dy * dy + dz * dz
                share = sources[k, 7] * arriving * leaving / (square * (square + sources[k, 8]))
                total += share
                longer += share * 0.5 * (sources[k, 6] + math.sqrt(square) - reach)
            if total > 0.0:
                echo[i, j, 0] = total * reach * reach / max(nodes[i, j, 7], LEAST_FACING)
                echo[i, j, 1] = max(longer / total, 0.0)
            echo[i, j, 2] = reach
            echo[i, j, 3] = pz
    return echo


@jit
def echo_error(
    echo: F64, gloss: F32, lag: F32, diffuse_gain: float, gloss_gain: float, high: float
) -> F64:
    """(rows, columns, 2): relative overestimate of the distance, and depth, at every node.

    The sensor sees the phasor ``1 + Σ a·exp(iψ)`` with ``ψ = 2πδ / high`` for an echo that is δ
    longer, and takes its phase for the distance. ψ stays below π, so more echo is more error.
    """
    rows, columns = gloss.shape
    error = np.zeros((rows, columns, 2))
    phase_of = 2.0 * math.pi / high
    for i in range(rows):
        for j in range(columns):
            if echo[i, j, 2] == 0.0:
                continue
            diffuse = diffuse_gain * echo[i, j, 0]
            # Past π the phase wraps, and a stronger echo would shorten the distance again.
            late = min(phase_of * echo[i, j, 1], 0.999 * math.pi)
            glossy = gloss_gain * gloss[i, j]
            later = min(phase_of * lag[i, j], 0.999 * math.pi)
            aside = diffuse * math.sin(late) + glossy * math.sin(later)
            along = 1.0 + diffuse * math.cos(late) + glossy * math.cos(later)
            error[i, j, 0] = math.atan2(aside, along) / phase_of / echo[i, j, 2]
            error[i, j, 1] = echo[i, j, 3]
    return error


@jit
def overestimate(depth: F32, error: F64, mixing: float, high: float) -> F32:
    """Every pixel lengthened by the error of the nodes around it that are of like depth, and, at
    a jump, drawn towards what is behind it by ``mixing``."""
    height, width = depth.shape
    rows, columns = error.shape[0], error.shape[1]
    behind = np.float32(mixing / (1.0 + mixing))
    around = np.empty((2, width), dtype=np.int64)
    share_after = np.empty(width, dtype=np.float32)
    for c in range(width):
        around[0, c], around[1, c], share_after[c] = _between(c, width, columns)
    nodes = np.empty((8, width), dtype=np.float32)
    row, out = np.empty(width + 2, dtype=np.float32), np.empty_like(depth)
    last = -1
    for r in range(height):
        i, below, share_below = _between(r, height, rows)
        if i != last:
            for k in range(8):
                node = error[below if k & 2 else i, :, 1 - k // 4]
                for c in range(width):
                    nodes[k, c] = np.float32(node[around[k & 1, c]])
            last = i
        row[0], row[1 : width + 1], row[width + 1] = depth[r, 0], depth[r], depth[r, width - 1]
        above_it, below_it = depth[max(r - 1, 0)], depth[min(r + 1, height - 1)]
        _lengthen(
            out[r],
            row,
            above_it,
            below_it,
            nodes,
            share_below,
            share_after,
            behind,
            np.float32(high),
        )
    return out


@jit
def _lengthen(
    out: F32,
    row: F32,
    above_it: F32,
    below_it: F32,
    nodes: F32,
    fv: np.float32,
    share_after: F32,
    behind: np.float32,
    farthest: np.float32,
) -> None:
    """One row, which has one pixel more on both sides; ``nodes`` are the depths of the nodes
    before and after each pixel, above and below, and then their errors."""
    for c in range(out.size):
        z, fu = row[c + 1], share_after[c]
        unlike = UNLIKE / z
        a = _like(nodes[0, c], z, unlike) * (ONE - fv) * (ONE - fu)
        b = _like(nodes[1, c], z, unlike) * (ONE - fv) * fu
        d = _like(nodes[2, c], z, unlike) * fv * (ONE - fu)
        e = _like(nodes[3, c], z, unlike) * fv * fu
        total = a * nodes[4, c] + b * nodes[5, c]
        total += d * nodes[6, c] + e * nodes[7, c]
        longer = z + z * total / (a + b + d + e + NONE_ALIKE)
        back = max(max(row[c], row[c + 2]), max(above_it[c], below_it[c]))
        longer += behind * (back - z) if back > JUMP * z else ZERO
        farther = min(longer, farthest) if longer > z else min(z, farthest)
        out[c] = ZERO if z == ZERO else farther


@jit
def _between(pixel: int, pixels: int, nodes: int) -> tuple[int, int, np.float32]:
    """The nodes before and after a pixel's centre, and how far it is from one to the other."""
    at = max((np.float32(pixel) + HALF) * np.float32(nodes) / np.float32(pixels) - HALF, ZERO)
    before = int(at)
    return before, min(before + 1, nodes - 1), at - np.float32(before)


@jit_inline
def _like(node: np.float32, z: np.float32, unlike: np.float32) -> np.float32:
    """1 for a node of the same depth, falling to 0 where it is one eighth nearer or farther."""
    return max(ONE - unlike * abs(node - z), ZERO)
