"""Planning on an occupancy map: clearance, distance fields, paths, frontiers, the next heading.

All functions take plain arrays. Distances in metres; cells are (row, column).
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from navproof.agents.mapping.lazy_field import LazyField
from navproof.core.jit import jit
from navproof.sim.geodesic.march import march

__all__ = [
    "NO_HEADING",
    "Frontier",
    "best_heading",
    "clearance_m",
    "descend_path",
    "distance_field",
    "find_frontiers",
    "occupied_beside",
    "reachable_from",
    "warm_up",
]

Bools = NDArray[np.bool_]
F64 = NDArray[np.float64]
NO_HEADING = 1000
_FAR = 1e6


def clearance_m(evidence: NDArray[np.int16], cell: float) -> NDArray[np.float32]:
    """Distance from each cell's middle to the middle of the nearest occupied one."""
    free = (evidence <= 0).astype(np.uint8)
    if free.all():
        return np.full(evidence.shape, 1e3, dtype=np.float32)
    distance = cv2.distanceTransform(free, cv2.DIST_L2, cv2.DIST_MASK_PRECISE)
    return np.asarray(distance, dtype=np.float32) * np.float32(cell)


def distance_field(free: Bools, seeds: Bools, cell: float) -> F64:
    """Geodesic distance of every free cell from the nearest seed (fast marching); inf: no way."""
    flat = np.flatnonzero(seeds & free)
    return march(np.ascontiguousarray(free), flat, np.zeros(flat.size), cell)


def reachable_from(free: Bools, row: int, col: int) -> Bools:
    """The free cells connected (through sides) with a cell."""
    _, labels = cv2.connectedComponents(free.astype(np.uint8), connectivity=4)
    here: Bools = np.asarray(labels == labels[row, col]) & free
    return here


def descend_path(field: F64, row: int, col: int) -> NDArray[np.int64]:
    """Cells from (row, col) down a distance field to its seed, (n, 2); empty where it is inf."""
    if not np.isfinite(field[row, col]):
        return np.empty((0, 2), dtype=np.int64)
    return _descend(field, row, col)


@jit
def _descend(field: F64, row: int, col: int) -> NDArray[np.int64]:
    """Steepest descent over the eight neighbours, cutting no corners."""
    rows, cols = field.shape
    path = np.empty((rows * cols, 2), dtype=np.int64)
    count = 0
    r, c = row, col
    while r >= 0 and count < rows * cols:
        path[count, 0] = r
        path[count, 1] = c
        count += 1
        slope, next_r, next_c = 0.0, -1, -1
        for dr in range(-1, 2):
            for dc in range(-1, 2):
                rn, cn = r + dr, c + dc
                if not (0 <= rn < rows and 0 <= cn < cols):
                    continue
                if field[r, cn] == np.inf or field[rn, c] == np.inf:
                    continue
                drop = field[r, c] - field[rn, cn]
                if dr != 0 and dc != 0:
                    drop /= np.sqrt(2.0)
                if drop > slope:
                    slope, next_r, next_c = drop, rn, cn
        r, c = next_r, next_c
    return path[:count]


@dataclass(frozen=True, slots=True)
class Frontier:
    """A connected border between free and unknown. ``cell`` is its cell nearest to the robot."""

    cell: tuple[int, int]
    size: int
    distance_m: float


def find_frontiers(
    evidence: NDArray[np.int16], reachable: F64, min_size: int = 6, ignored: Bools | None = None
) -> list[Frontier]:
    """Frontiers that can be reached, nearest first.

    A frontier cell is free with an unknown neighbour (of four). ``reachable`` is the distance
    field from the robot; a frontier is reached at the cell of least distance among its cells and
    those within two cells of them. Cells that are ``ignored`` belong to none.
    """
    unknown = (evidence == 0).astype(np.uint8)
    cross = np.array([[0, 1, 0], [1, 1, 1], [0, 1, 0]], dtype=np.uint8)
    border = (evidence < 0) & (cv2.dilate(unknown, cross) > 0)
    border[0], border[-1], border[:, 0], border[:, -1] = False, False, False, False
    if ignored is not None:
        border &= ~ignored
    count, labels, stats, _ = cv2.connectedComponentsWithStats(
        border.astype(np.uint8), connectivity=8
    )
    near = cv2.erode(_finite(reachable), np.ones((5, 5), dtype=np.uint8))
    best = np.full(count, np.inf)
    rows, cols = np.nonzero(border)
    which = labels[rows, cols].astype(np.int64)
    np.minimum.at(best, which, near[rows, cols])
    frontiers: list[Frontier] = []
    for label in range(1, count):
        size = int(stats[label, cv2.CC_STAT_AREA])
        if size < min_size or best[label] >= _FAR:
            continue
        c0, r0 = int(stats[label, cv2.CC_STAT_LEFT]), int(stats[label, cv2.CC_STAT_TOP])
        c1 = c0 + int(stats[label, cv2.CC_STAT_WIDTH])
        r1 = r0 + int(stats[label, cv2.CC_STAT_HEIGHT])
        here = np.where(labels[r0:r1, c0:c1] == label, near[r0:r1, c0:c1], np.inf)
        row, col = divmod(int(here.argmin()), c1 - c0)
        row, col = _least_around(reachable, row + r0, col + c0)
        frontiers.append(Frontier((row, col), size, float(reachable[row, col])))
    return sorted(frontiers, key=lambda f: (f.distance_m, f.cell))


def _finite(field: F64) -> NDArray[np.float32]:
    return np.where(np.isfinite(field), field, 2.0 * _FAR).astype(np.float32)


def _least_around(field: F64, row: int, col: int) -> tuple[int, int]:
    r0, c0 = max(0, row - 2), max(0, col - 2)
    block = field[r0 : row + 3, c0 : col + 3]
    r, c = divmod(int(block.argmin()), block.shape[1])
    return r0 + r, c0 + c


@jit
def best_heading(
    field: F64,
    clearance: NDArray[np.float32],
    row: float,
    col: float,
    yaw: float,
    turn_rad: float,
    step_cells: float,
    room_m: float,
    turn_cost_m: float,
    slack_m: float,
    around: int = 0,
) -> int:
    """How many turns (> 0 left) bring the heading from which one step forward leaves least to go.

    (row, col) is the robot in cells, as floats (the middle of cell (0, 0) is (0.5, 0.5));
    ``room_m`` is the clearance that the whole step must keep; each turn costs ``turn_cost_m``.
    Headings that leave more than ``slack_m`` over what is left now do not count (a negative slack
    asks for progress). What is left after a step is the least within ``around`` cells of its end:
    for a robot that slides along what it touches. Returns ``NO_HEADING`` where none counts.
    """
    rows, cols = field.shape
    half = int(np.ceil(np.pi / turn_rad))
    here = np.inf
    r0, c0 = int(np.floor(row)), int(np.floor(col))
    for r in range(max(0, r0 - 1), min(rows, r0 + 2)):
        for c in range(max(0, c0 - 1), min(cols, c0 + 2)):
            here = min(here, field[r, c])
    best, heading = np.inf, NO_HEADING
    for k in range(-half, half + 1):
        dc = np.cos(yaw + k * turn_rad) * step_cells
        dr = np.sin(yaw + k * turn_rad) * step_cells
        value = np.inf
        blocked = False
        r, c = r0, c0
        for i in range(1, 6):
            r = int(np.floor(row + dr * i / 5.0))
            c = int(np.floor(col + dc * i / 5.0))
            if not (0 <= r < rows and 0 <= c < cols) or (clearance[r, c] < room_m and i > 1):
                value = np.inf
                blocked = True
                break
            value = field[r, c]
        if around > 0 and not blocked:
            for rn in range(max(0, r - around), min(rows, r + around + 1)):
                for cn in range(max(0, c - around), min(cols, c + around + 1)):
                    value = min(value, field[rn, cn])
        score = value + turn_cost_m * abs(k)
        if value < here + slack_m and score < best:
            best, heading = score, k
    return heading


@jit
def occupied_beside(
    evidence: NDArray[np.int16], points: F64, origin: F64, cell: float, reach: int
) -> int:
    """Occupied cells within ``reach`` rows and columns of the points (x, y), counted once for each
    point; those beyond the map are its outermost."""
    rows, cols = evidence.shape
    count = 0
    for i in range(points.shape[0]):
        row = int(np.floor((points[i, 1] - origin[1]) / cell))
        col = int(np.floor((points[i, 0] - origin[0]) / cell))
        for r in range(row - reach, row + reach + 1):
            for c in range(col - reach, col + reach + 1):
                if evidence[min(max(r, 0), rows - 1), min(max(c, 0), cols - 1)] > 0:
                    count += 1
    return count


def warm_up() -> None:
    """Call every kernel once, so that none is compiled in the middle of an episode."""
    free = np.ones((8, 8), dtype=np.bool_)
    seeds = np.zeros_like(free)
    seeds[2, 2] = True
    distance_field(free, seeds, 0.05)
    field = LazyField(free, seeds, 0.05).up_to(np.inf)
    descend_path(field, 5, 5)
    occupied_beside(np.zeros((8, 8), np.int16), np.zeros((1, 2)), np.zeros(2), 0.05, 1)
    best_heading(field, np.ones((8, 8), np.float32), 5.5, 5.5, 0.0, 0.5, 1.0, 0.1, 0.01, 0.5, 1)
