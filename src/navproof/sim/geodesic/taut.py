"""Taut distances: a marched field pulled straight, cell by cell.

Fast marching is exact on open floor in the limit but smears where paths bend round a corner (a
corner acts as a new source, Sethian 1999, ch. 8). Here every cell, in the order of the march,
takes over the *anchor* of a neighbour when it can see it — the last bend before the goal, as in
Theta* (Nash et al. 2007) — so that distances are sums of straight free segments.

Anchor codes: a flat cell index; ``AT_CELL`` for a cell that ends the path itself (its goal lies off
the navigable cells); ``GOAL − g`` for goal number g.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from navproof.core.jit import jit
from navproof.sim.geodesic.navgrid import segment_is_free

__all__ = ["AT_CELL", "GOAL", "SNAP_M", "pull_taut", "reach", "seed_cells"]

F64 = NDArray[np.float64]
I64 = NDArray[np.int64]
AT_CELL = -1
GOAL = -2
SNAP_M = 0.3
"""A goal or start off the navigable cells counts from the nearest one within this range."""


@jit
def seed_cells(
    navigable: NDArray[np.bool_],
    clearance: F64,
    origin: F64,
    cell: float,
    radius: float,
    goals: F64,
) -> tuple[I64, F64, I64]:
    """Where the march begins: for each goal (n, 2) every navigable cell within SNAP_M in straight
    free line with its exact distance; if none is, the nearest. (cells, metres, anchor codes)"""
    rows, cols = navigable.shape
    span = int(np.ceil(SNAP_M / cell))
    side = 2 * span + 1
    seeds = np.empty(goals.shape[0] * side * side, dtype=np.int64)
    values = np.empty(seeds.size, dtype=np.float64)
    anchors = np.empty(seeds.size, dtype=np.int64)
    count = 0
    for g in range(goals.shape[0]):
        x, y = goals[g, 0], goals[g, 1]
        row = int(np.floor((y - origin[1]) / cell))
        col = int(np.floor((x - origin[0]) / cell))
        nearest, near_index, first = np.inf, -1, count
        for r in range(max(0, row - span), min(rows, row + span + 1)):
            for c in range(max(0, col - span), min(cols, col + span + 1)):
                if not navigable[r, c]:
                    continue
                cx = origin[0] + (c + 0.5) * cell
                cy = origin[1] + (r + 0.5) * cell
                d = np.sqrt((cx - x) ** 2 + (cy - y) ** 2)
                if d <= SNAP_M and segment_is_free(clearance, origin, cell, radius, x, y, cx, cy):
                    seeds[count] = r * cols + c
                    values[count] = d
                    anchors[count] = GOAL - g
                    count += 1
                # Kept in case that no cell is in free line, as where the goal lies inside an
                # obstacle.
                elif d < nearest:
                    nearest, near_index = d, r * cols + c
        if count == first and near_index >= 0:
            seeds[count] = near_index
            values[count] = nearest
            anchors[count] = AT_CELL
            count += 1
    return seeds[:count], values[:count], anchors[:count]


@jit
def _place(code: int, cols: int, origin: F64, cell: float, goals: F64) -> tuple[float, float]:
    """Where an anchor is."""
    if code <= GOAL:
        return goals[GOAL - code, 0], goals[GOAL - code, 1]
    return origin[0] + (code % cols + 0.5) * cell, origin[1] + (code // cols + 0.5) * cell


@jit
def _offer(
    x: float,
    y: float,
    code: int,
    best: float,
    taut: F64,
    clearance: F64,
    origin: F64,
    cell: float,
    radius: float,
    goals: F64,
) -> float:
    """Metres from (x, y) over an anchor to the goal, if that beats ``best`` and it is in straight
    free line; else inf."""
    cols = taut.shape[1]
    ax, ay = _place(code, cols, origin, cell, goals)
    base = 0.0 if code <= GOAL else taut[code // cols, code % cols]
    total = base + np.sqrt((ax - x) ** 2 + (ay - y) ** 2)
    if total < best and segment_is_free(clearance, origin, cell, radius, x, y, ax, ay):
        return float(total)
    return np.inf


@jit
def pull_taut(
    order: I64,
    seeds: I64,
    values: F64,
    codes: I64,
    clearance: F64,
    origin: F64,
    cell: float,
    radius: float,
    goals: F64,
) -> tuple[F64, I64]:
    """Taut distance and anchor of every cell. ``order``: reachable cells, nearest first."""
    rows, cols = clearance.shape
    taut = np.full((rows, cols), np.inf)
    anchor = np.full((rows, cols), AT_CELL, dtype=np.int64)
    for i in range(seeds.size):
        r, c = seeds[i] // cols, seeds[i] % cols
        if values[i] < taut[r, c]:
            taut[r, c] = values[i]
            anchor[r, c] = codes[i]
    for i in range(order.size):
        r, c = order[i] // cols, order[i] % cols
        x = origin[0] + (c + 0.5) * cell
        y = origin[1] + (r + 0.5) * cell
        best, chosen = float(taut[r, c]), int(anchor[r, c])
        tried = -(2**62)
        for dr in range(-1, 2):
            for dc in range(-1, 2):
                rn, cn = r + dr, c + dc
                if not (0 <= rn < rows and 0 <= cn < cols) or taut[rn, cn] == np.inf:
                    continue
                if dr == 0 and dc == 0:
                    continue
                code = int(anchor[rn, cn])
                if code == AT_CELL:
                    code = rn * cols + cn
                # Neighbours mostly share an anchor, and the test for free line is what costs.
                if code == tried:
                    continue
                tried = code
                total = _offer(x, y, code, best, taut, clearance, origin, cell, radius, goals)
                if total < best:
                    best, chosen = total, code
        # No neighbour's anchor can be seen: the path bends here, and a neighbour itself becomes the
        # anchor.
        if best == np.inf or chosen == AT_CELL:
            for dr in range(-1, 2):
                for dc in range(-1, 2):
                    rn, cn = r + dr, c + dc
                    if not (0 <= rn < rows and 0 <= cn < cols) or taut[rn, cn] == np.inf:
                        continue
                    if dr == 0 and dc == 0:
                        continue
                    code = rn * cols + cn
                    total = _offer(x, y, code, best, taut, clearance, origin, cell, radius, goals)
                    if total < best:
                        best, chosen = total, code
        taut[r, c] = best
        anchor[r, c] = chosen
    return taut, anchor


@jit
def reach(
    x: float,
    y: float,
    span: int,
    taut: F64,
    anchor: I64,
    clearance: F64,
    origin: F64,
    cell: float,
    radius: float,
    goals: F64,
) -> tuple[float, int]:
    """(metres, anchor code) of the best way on from a point, over the cells within ``span``."""
    rows, cols = taut.shape
    row = int(np.floor((y - origin[1]) / cell))
    col = int(np.floor((x - origin[0]) / cell))
    best, chosen = np.inf, AT_CELL
    tried = -(2**62)
    for r in range(max(0, row - span), min(rows, row + span + 1)):
        for c in range(max(0, col - span), min(cols, col + span + 1)):
            if taut[r, c] == np.inf:
                continue
            here = r * cols + c
            total = _offer(x, y, here, best, taut, clearance, origin, cell, radius, goals)
            if total < best:
                best, chosen = total, here
            code = int(anchor[r, c])
            if code in (AT_CELL, tried):
                continue
            tried = code
            total = _offer(x, y, code, best, taut, clearance, origin, cell, radius, goals)
            if total < best:
                best, chosen = total, code
    return best, chosen
