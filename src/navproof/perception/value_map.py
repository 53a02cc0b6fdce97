"""How promising each place looks: VLFM's value map.

An image says one number per question ("does it look as if the goal is ahead?"). It is painted on
all floor that the image sees, trusted most along the optical axis: confidence
cos²(θ / (fov/2) · π/2) at bearing θ. Where views overlap (VLFM, eqs. 2–3)::

    v ← (C·v + c·new) / (C + c)        C ← (C² + c²) / (C + c)

so that a confident view outweighs a glance, and agreement of glances makes no certainty.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from navproof.errors import PerceptionError
from navproof.perception._grid import Grid
from navproof.perception._project import paint, sight
from navproof.perception.feature_map import check_depth
from navproof.sim.camera import focal_px, world_to_camera
from navproof.types import Camera, Pose

__all__ = ["UNSEEN", "ValueMap"]

UNSEEN = -1.0
_STRIDE = 2


class ValueMap:
    """``values`` (channels, rows, cols) with ``confidence`` (rows, cols), 0 where nothing was seen.

    Cells lie as in ``grid``, in the episode frame; the grid grows with where the robot goes.
    """

    def __init__(self, channels: int = 1, cell_m: float = 0.06, size_m: float = 24.0) -> None:
        if channels < 1 or not (cell_m > 0.0 and size_m > 0.0):
            raise PerceptionError(
                "a value map needs at least one channel and a cell and size greater than 0, got "
                f"{channels} channels, cell_m = {cell_m}, size_m = {size_m}"
            )
        self.grid = Grid.of_size(cell_m, size_m)
        size = self.grid.size
        self.values: NDArray[np.float32] = np.zeros((channels, size, size), dtype=np.float32)
        self.confidence: NDArray[np.float32] = np.zeros((size, size), dtype=np.float32)

    @property
    def channels(self) -> int:
        return len(self.values)

    def fuse(
        self,
        values: Sequence[float] | NDArray[np.floating],
        depth: NDArray[np.float32] | None,
        camera: Camera,
        pose: Pose,
        max_range_m: float = 5.0,
    ) -> None:
        """Paint the ``values`` (one per channel) of one image over the floor that it sees.

        Floor is seen in a direction as far as the farthest depth pixel there, at most
        ``max_range_m``; holes (0) say nothing.
        """
        new = np.asarray(values, dtype=np.float32)
        if new.shape != (self.channels,) or not np.isfinite(new).all():
            raise PerceptionError(
                f"a value map of {self.channels} channels needs that many numbers, got {values}"
            )
        image = check_depth(depth, camera)
        if not (max_range_m > 0.0 and math.isfinite(max_range_m)):
            raise PerceptionError(f"max_range_m must be greater than 0, got {max_range_m}")
        rotation, centre = world_to_camera(camera, pose)
        yaw = pose.yaw + math.radians(camera.yaw_deg)
        forward = np.array([math.cos(yaw), math.sin(yaw)])
        focal = focal_px(camera)
        reach = np.zeros(camera.width)
        sight(image, _STRIDE, focal, rotation, forward, max_range_m, reach)
        self._make_room(float(centre[0]), float(centre[1]), max_range_m)
        paint(
            float(centre[0]),
            float(centre[1]),
            forward,
            focal,
            reach,
            _trust(camera),
            max_range_m,
            self.grid.cell_m,
            self.grid.half,
            new,
            self.values,
            self.confidence,
        )

    def value_at(self, x: float, y: float, radius_m: float = 0.5) -> NDArray[np.float32]:
        """(channels,) median of what was seen within ``radius_m`` of a point, else ``UNSEEN``."""
        row, col = self.grid.index(x, y)
        n = math.ceil(radius_m / self.grid.cell_m)
        rows = np.arange(max(0, row - n), min(self.grid.size, row + n + 1))
        cols = np.arange(max(0, col - n), min(self.grid.size, col + n + 1))
        apart = (rows[:, None] - row) ** 2 + (cols[None, :] - col) ** 2
        near = apart <= (radius_m / self.grid.cell_m) ** 2
        block = np.ix_(rows, cols)
        known = near & (self.confidence[block] > 0.0)
        if not known.any():
            return np.full(self.channels, UNSEEN, dtype=np.float32)
        return np.array([np.median(v[block][known]) for v in self.values], dtype=np.float32)

    def _make_room(self, x: float, y: float, reach_m: float) -> None:
        grid = self.grid.around(x, y, reach_m)
        more = grid.half - self.grid.half
        if more:
            self.values = np.pad(self.values, ((0, 0), (more, more), (more, more)))
            self.confidence = np.pad(self.confidence, more)
            self.grid = grid


def _trust(camera: Camera) -> NDArray[np.float32]:
    """(width,) cos²(θ / (fov/2) · π/2) of the middle of each image column."""
    right = np.arange(camera.width) + 0.5 - camera.width / 2.0
    theta = np.arctan(right / focal_px(camera))
    half_fov = math.radians(camera.hfov_deg) / 2.0
    return np.asarray(np.cos(theta / half_fov * (math.pi / 2.0)) ** 2, dtype=np.float32)
