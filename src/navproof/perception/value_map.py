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

from navproof.core.errors import PerceptionError
from navproof.core.types import Camera, Pose
from navproof.perception._cone import paint, sight
from navproof.perception.feature_map import check_depth
from navproof.perception.grid import Grid
from navproof.sim.camera import focal_px, world_to_camera

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
        self.grid = Grid.of_size(float(cell_m), size_m)
        self.values: NDArray[np.float32] = np.zeros((channels, *self.grid.shape), dtype=np.float32)
        self.confidence: NDArray[np.float32] = np.zeros(self.grid.shape, dtype=np.float32)

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
        sight(image, _STRIDE, focal, rotation, forward, float(max_range_m), reach)
        x, y, far = float(centre[0]), float(centre[1]), float(reach.max())
        self._make_room(x - far, x + far, y - far, y + far)
        paint(
            x,
            y,
            forward,
            focal,
            reach,
            _trust(camera),
            far,
            self.grid.cell_m,
            self.grid.row0,
            self.grid.col0,
            new,
            self.values,
            self.confidence,
        )

    def value_at(self, x: float, y: float, radius_m: float = 0.5) -> NDArray[np.float32]:
        """(channels,) median of what was seen within ``radius_m`` of a point, else ``UNSEEN``."""
        rows, cols = self.grid.window(x, y, radius_m)
        row, col = self.grid.index(x, y)
        sure = self.confidence[rows, cols]
        apart = np.hypot(
            np.arange(sure.shape[0])[:, None] + rows.start - row,
            np.arange(sure.shape[1])[None, :] + cols.start - col,
        )
        is_known = (sure > 0.0) & (apart * self.grid.cell_m <= radius_m)
        if not is_known.any():
            return np.full(self.channels, UNSEEN, dtype=np.float32)
        return np.array([np.median(v[rows, cols][is_known]) for v in self.values], dtype=np.float32)

    def _make_room(self, x0: float, x1: float, y0: float, y1: float) -> None:
        grid = self.grid.covering(x0, x1, y0, y1)
        if grid is self.grid:
            return
        rows, cols = self.grid.part_of(grid)
        values = np.zeros((self.channels, *grid.shape), dtype=np.float32)
        confidence = np.zeros(grid.shape, dtype=np.float32)
        values[:, rows, cols], confidence[rows, cols] = self.values, self.confidence
        self.values, self.confidence, self.grid = values, confidence, grid


def _trust(camera: Camera) -> NDArray[np.float32]:
    """(width,) cos²(θ / (fov/2) · π/2) of the middle of each image column."""
    right = np.arange(camera.width) + 0.5 - camera.width / 2.0
    theta = np.arctan(right / focal_px(camera))
    half_fov = math.radians(camera.hfov_deg) / 2.0
    return np.asarray(np.cos(theta / half_fov * (math.pi / 2.0)) ** 2, dtype=np.float32)
