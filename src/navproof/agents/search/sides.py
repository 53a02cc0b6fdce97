"""From which side things were seen: what hangs on a wall is not to be reached through it."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from navproof.core.types import Camera, Pose
from navproof.perception.grid import Grid
from navproof.sim.camera import focal_px, world_to_camera

__all__ = ["ViewDirections"]

_CELL_M = 0.1
_SAMPLES = 32  # along each side of a depth image
_FLOOR_M = 0.1
_ONE_SIDED = 0.35  # of the length that the sum would have if all were seen from one point


class ViewDirections:
    """Holds for each cell the sum of the unit vectors from it to where it was seen from."""

    def __init__(self, size_m: float = 12.0) -> None:
        self._grid = Grid.of_size(_CELL_M, size_m)
        self._sums = np.zeros((*self._grid.shape, 2), dtype=np.float32)
        self._counts = np.zeros(self._grid.shape, dtype=np.float32)

    def add(self, depth: NDArray[np.float32], camera: Camera, pose: Pose) -> None:
        """Take in one depth image; 0 is a hole."""
        v = np.linspace(0, camera.height - 1, _SAMPLES).astype(np.intp)
        u = np.linspace(0, camera.width - 1, _SAMPLES).astype(np.intp)
        z = depth[np.ix_(v, u)].astype(np.float64)
        f = focal_px(camera)
        a, b = (u + 0.5 - camera.width / 2) / f, (v + 0.5 - camera.height / 2) / f
        local = np.stack([z * a[None, :], z * b[:, None], z], axis=-1)
        rotation, centre = world_to_camera(camera, pose)
        points = (local @ rotation + centre)[z > 0.0]
        points = points[points[:, 2] > pose.z + _FLOOR_M]
        if not len(points):
            return
        self._make_room(points)
        back = centre[:2] - points[:, :2]
        back /= np.maximum(np.linalg.norm(back, axis=1, keepdims=True), 1e-6)
        cells = np.floor(points[:, :2] / _CELL_M).astype(np.intp)
        where = (cells[:, 1] - self._grid.row0, cells[:, 0] - self._grid.col0)
        np.add.at(self._sums, where, back)
        np.add.at(self._counts, where, 1.0)

    def of(self, spots: NDArray[np.float64]) -> tuple[float, float] | None:
        """The direction (a unit vector) from which a thing with these ``spots`` (n, 2) was seen;
        None where it was seen from all around, or not at all."""
        cells = np.unique(np.floor(spots / _CELL_M).astype(np.intp), axis=0)
        rows, cols = cells[:, 1] - self._grid.row0, cells[:, 0] - self._grid.col0
        inside = (rows >= 0) & (rows < self._grid.rows) & (cols >= 0) & (cols < self._grid.cols)
        where = (rows[inside], cols[inside])
        count = float(self._counts[where].sum())
        dx, dy = (float(v) for v in self._sums[where].sum(axis=0))
        length = math.hypot(dx, dy)
        if count == 0.0 or length < _ONE_SIDED * count:
            return None
        return dx / length, dy / length

    def _make_room(self, points: NDArray[np.float64]) -> None:
        (x0, y0), (x1, y1) = points[:, :2].min(axis=0), points[:, :2].max(axis=0)
        grid = self._grid.covering(float(x0), float(x1), float(y0), float(y1))
        if grid is self._grid:
            return
        part = self._grid.part_of(grid)
        sums = np.zeros((*grid.shape, 2), dtype=np.float32)
        counts = np.zeros(grid.shape, dtype=np.float32)
        sums[part], counts[part] = self._sums, self._counts
        self._sums, self._counts, self._grid = sums, counts, grid
