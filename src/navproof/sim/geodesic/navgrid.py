"""Where a robot fits: the clearance map of a storey, and the grid of navigable cells on it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from navproof.core.errors import SimulationError
from navproof.core.jit import jit
from navproof.core.types import Robot
from navproof.sim.geodesic.clearance import mark_floor, propagate_nearest, seed_nearest
from navproof.world.scene import Scene

__all__ = ["CELL_M", "SLACK_M", "NavGrid", "check_spread", "clearance_at", "segment_is_free"]

CELL_M = 0.05
STEP_M = 0.08
"""Lower things (rugs, sills) are driven over."""
MIN_AREA_M2 = 1.0
"""Smaller navigable islands (the inside of a wardrobe) are no place to be."""
SLACK_M = 1e-5
"""A pose at contact may be this much too near after its rounding, and still be a place to be."""
MOST_CELLS = 26_000_000
MOST_SPREAD_M2 = 500_000.0
"""Of the rectangles around all triangles, seen from above, added up. Maps visit every cell of each:
the largest generated scene has 3,000 m²."""
F64 = NDArray[np.float64]


def check_spread(scene: Scene, triangles: F64) -> None:
    """Raise ``SimulationError`` where mapping the triangles (n, 3, 3) would take minutes and
    gigabytes: many of them that reach across the whole scene."""
    spans = np.ptp(triangles[:, :, :2], axis=1) + 2.0 * CELL_M
    spread = float((spans[:, 0] * spans[:, 1]).sum())
    if not spread <= MOST_SPREAD_M2:
        raise SimulationError(
            f"scene {scene.id} cannot be mapped: the rectangles around its triangles have "
            f"{spread:,.0f} m² together, more than {MOST_SPREAD_M2:,.0f} m²; are there vertices "
            "far away?"
        )


@jit
def clearance_at(clearance: F64, origin: F64, cell: float, x: float, y: float) -> float:
    """Metres to the nearest obstacle, bilinear between cell centres; 0 outside the grid."""
    rows, cols = clearance.shape
    fc = (x - origin[0]) / cell - 0.5
    fr = (y - origin[1]) / cell - 0.5
    if fc < 0.0 or fr < 0.0 or fc > cols - 1.001 or fr > rows - 1.001:
        return 0.0
    c, r = int(fc), int(fr)
    u, v = fc - c, fr - r
    top = clearance[r, c] * (1.0 - u) + clearance[r, c + 1] * u
    low = clearance[r + 1, c] * (1.0 - u) + clearance[r + 1, c + 1] * u
    return float(top * (1.0 - v) + low * v)


@jit
def segment_is_free(
    clearance: F64,
    origin: F64,
    cell: float,
    radius: float,
    x0: float,
    y0: float,
    x1: float,
    y1: float,
) -> bool:
    """Whether a disc of that radius can go straight from one point to the other."""
    length = np.sqrt((x1 - x0) ** 2 + (y1 - y0) ** 2)
    at = 0.0
    while True:
        t = 1.0 if length == 0.0 else min(1.0, at / length)
        room = clearance_at(clearance, origin, cell, x0 + t * (x1 - x0), y0 + t * (y1 - y0))
        if room < radius:
            return False
        if t >= 1.0:
            return True
        # Nothing is nearer than ``room``, so that much more can be passed over at once; half a cell
        # where it is tight, or the walk would stand still.
        at += max(0.5 * cell, room - radius)


@dataclass(frozen=True, eq=False)
class NavGrid:
    """One storey seen by one body. Row r, column c is the cell centred at
    (origin + (c + ½)·cell, origin + (r + ½)·cell)."""

    origin: F64  # (2,)
    cell: float
    radius: float
    elevation: float
    clearance: F64  # (rows, cols) metres
    navigable: NDArray[np.bool_]  # (rows, cols)
    component: NDArray[np.int32]  # (rows, cols) 0 = none, 1 = the largest, 2, …

    @classmethod
    def build(cls, scene: Scene, robot: Robot, storey: int = 0) -> NavGrid:
        """Footprints of all triangles between step height and the robot's height, grown by its
        radius; only over floor; islands under MIN_AREA_M2 removed."""
        elevation = scene.storeys[storey].elevation_m
        g = scene.geometry
        triangles = np.ascontiguousarray(g.vertices[g.faces].astype(np.float64))
        origin = np.floor(triangles[:, :, :2].min(axis=(0, 1)) / CELL_M) * CELL_M - 4 * CELL_M
        extent = triangles[:, :, :2].max(axis=(0, 1)) - origin
        cols, rows = (int(n) + 5 for n in np.ceil(extent / CELL_M))
        if rows * cols > MOST_CELLS:
            raise SimulationError(f"scene {scene.id} is too large to navigate: {rows}×{cols} cells")
        check_spread(scene, triangles)
        floor = np.zeros((rows, cols), dtype=np.bool_)
        mark_floor(triangles, elevation - 0.05, elevation + STEP_M, origin, CELL_M, floor)
        _mark_doorways(scene, storey, floor, origin)
        nearest = np.zeros((rows, cols, 2))
        distance2 = np.full((rows, cols), np.inf)
        low, high = elevation + STEP_M, elevation + robot.height_m
        seed_nearest(triangles, low, high, origin, CELL_M, nearest, distance2)
        # Cells without floor count as obstacles, so that the body keeps its radius from an edge.
        edge = ~floor
        distance2[edge] = 0.0
        x, y = (origin[k] + (np.arange(n) + 0.5) * CELL_M for k, n in ((0, cols), (1, rows)))
        np.copyto(nearest[:, :, 0], x[None, :], where=edge)
        np.copyto(nearest[:, :, 1], y[:, None], where=edge)
        propagate_nearest(origin, CELL_M, nearest, distance2)
        clearance = np.sqrt(np.minimum(distance2, 100.0, out=distance2), out=distance2)
        del nearest
        navigable, component = _islands(clearance >= robot.radius_m)
        return cls(origin, CELL_M, robot.radius_m, elevation, clearance, navigable, component)

    def cell_of(self, x: float, y: float) -> tuple[int, int]:
        """(row, column) of a point; may lie outside the grid."""
        return (
            int(np.floor((y - self.origin[1]) / self.cell)),
            int(np.floor((x - self.origin[0]) / self.cell)),
        )

    def centre(self, row: int, col: int) -> tuple[float, float]:
        return (
            float(self.origin[0] + (col + 0.5) * self.cell),
            float(self.origin[1] + (row + 0.5) * self.cell),
        )

    def room_for(self, x: float, y: float) -> float:
        """Metres from the point to the nearest obstacle."""
        return float(clearance_at(self.clearance, self.origin, self.cell, x, y))

    def is_navigable(self, x: float, y: float) -> bool:
        """The body fits there, and the place is no island."""
        if self.room_for(x, y) < self.radius - SLACK_M:
            return False
        row, col = self.cell_of(x, y)
        near = self.navigable[max(0, row - 1) : row + 2, max(0, col - 1) : col + 2]
        return bool(near.any())

    def is_free(self, x0: float, y0: float, x1: float, y1: float) -> bool:
        """Whether the body can go straight from one point to the other."""
        return bool(
            segment_is_free(
                self.clearance, self.origin, self.cell, self.radius - SLACK_M, x0, y0, x1, y1
            )
        )

    def area_m2(self) -> float:
        """Area of the places where the body's centre can be."""
        return float(self.navigable.sum()) * self.cell**2


def _mark_doorways(scene: Scene, storey: int, floor: NDArray[np.bool_], origin: F64) -> None:
    """The threshold of an opening is floor, whether or not the scene has a face there."""
    rows, cols = floor.shape
    elevation = scene.storeys[storey].elevation_m
    for door in scene.doors:
        if not door.passable or abs(door.centre[2] - elevation) > 0.5:
            continue
        reach = door.width_m / 2 + 0.3
        r0, c0 = (int((door.centre[k] - reach - origin[k]) / CELL_M) for k in (1, 0))
        r1, c1 = (int((door.centre[k] + reach - origin[k]) / CELL_M) for k in (1, 0))
        r0, r1, c0, c1 = max(0, r0), min(rows, r1 + 1), max(0, c0), min(cols, c1 + 1)
        if r0 >= r1 or c0 >= c1:  # somewhere else than the scene
            continue
        r, c = np.mgrid[r0:r1, c0:c1]
        dx = origin[0] + (c + 0.5) * CELL_M - door.centre[0]
        dy = origin[1] + (r + 0.5) * CELL_M - door.centre[1]
        through = dx * np.cos(door.yaw) + dy * np.sin(door.yaw)
        across = dy * np.cos(door.yaw) - dx * np.sin(door.yaw)
        inside = (np.abs(through) <= 0.2) & (np.abs(across) <= door.width_m / 2)
        floor[r[inside], c[inside]] = True


def _islands(free: NDArray[np.bool_]) -> tuple[NDArray[np.bool_], NDArray[np.int32]]:
    """Four-connected components of enough area, numbered from the largest."""
    labels, count = ndimage.label(free)
    if count == 0:
        return free, np.zeros(free.shape, dtype=np.int32)
    sizes = np.bincount(labels.ravel())
    # Label 0 is what is not free; it must not be ranked as the largest island.
    sizes[0] = 0
    # Stable, so that islands of equal size are numbered alike on every machine.
    order = np.argsort(-sizes, kind="stable")
    rank = np.zeros(count + 1, dtype=np.int32)
    for position, label in enumerate(order, start=1):
        if label != 0 and sizes[label] * CELL_M**2 >= MIN_AREA_M2:
            rank[label] = position
    component = rank[labels]
    return component > 0, component
