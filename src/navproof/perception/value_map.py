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
from navproof.core.jit import jit
from navproof.core.types import Camera, Pose
from navproof.perception.feature_map import check_depth
from navproof.perception.grid import Grid
from navproof.sim.camera import focal_px, world_to_camera

__all__ = ["UNSEEN", "ValueMap"]

F32 = NDArray[np.float32]
F64 = NDArray[np.float64]

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
        _sight(image, _STRIDE, focal, rotation, forward, float(max_range_m), reach)
        x, y, far = float(centre[0]), float(centre[1]), float(reach.max())
        self._make_room(x - far, x + far, y - far, y + far)
        _paint(
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


@jit
def _sight(
    depth: F32,
    stride: int,
    focal: float,
    rotation: F64,
    forward: F64,
    max_range_m: float,
    reach: F64,
) -> None:
    """How far one sees in each direction of the floor plan: the farthest pixel of each bin.

    ``forward`` (2,) is the camera's bearing. Bin b of ``reach`` holds the directions with
    ``right/ahead·focal + bins/2`` in [b, b + 1): the image column, for a level camera.
    """
    rows, cols = depth.shape
    bins = reach.size
    first = stride // 2
    for v in range(first, rows, stride):
        b = (v + 0.5 - rows / 2.0) / focal
        for u in range(first, cols, stride):
            z = depth[v, u]
            if not (z > 0.0 and z < 1e4):
                continue
            a = (u + 0.5 - cols / 2.0) / focal
            dx = z * (a * rotation[0, 0] + b * rotation[1, 0] + rotation[2, 0])
            dy = z * (a * rotation[0, 1] + b * rotation[1, 1] + rotation[2, 1])
            ahead = dx * forward[0] + dy * forward[1]
            if ahead <= 0.0:
                continue
            right = dx * forward[1] - dy * forward[0]
            k = int(np.floor(focal * right / ahead + bins / 2.0))
            if not 0 <= k < bins:
                continue
            far = min(max_range_m, np.sqrt(dx * dx + dy * dy))
            for near in range(max(0, k - first), min(bins, k + stride - first)):
                reach[near] = max(reach[near], far)


@jit
def _paint(
    x: float,
    y: float,
    forward: F64,
    focal: float,
    reach: F64,
    trust: F32,
    max_range_m: float,
    cell_m: float,
    row0: int,
    col0: int,
    new: F32,
    values: F32,
    confidence: F32,
) -> None:
    """Blend ``new`` (k,) into the cells whose middle is in sight (see ``_sight``).

    With c the ``trust`` of the direction: v ← (C·v + c·new) / (C + c), C ← (C² + c²) / (C + c).
    """
    rows, cols = confidence.shape
    bins = reach.size
    r0 = max(0, int(np.floor((y - max_range_m) / cell_m)) - row0)
    r1 = min(rows, int(np.floor((y + max_range_m) / cell_m)) - row0 + 1)
    c0 = max(0, int(np.floor((x - max_range_m) / cell_m)) - col0)
    c1 = min(cols, int(np.floor((x + max_range_m) / cell_m)) - col0 + 1)
    for r in range(r0, r1):
        dy = (row0 + r + 0.5) * cell_m - y
        for c in range(c0, c1):
            dx = (col0 + c + 0.5) * cell_m - x
            ahead = dx * forward[0] + dy * forward[1]
            if ahead <= 0.0:
                continue
            k = int(np.floor(focal * (dx * forward[1] - dy * forward[0]) / ahead + bins / 2.0))
            if not 0 <= k < bins or dx * dx + dy * dy > reach[k] * reach[k]:
                continue
            sure, old = trust[k], confidence[r, c]
            if sure <= 0.0:
                continue
            for q in range(new.size):
                values[q, r, c] = (old * values[q, r, c] + sure * new[q]) / (old + sure)
            confidence[r, c] = (old * old + sure * sure) / (old + sure)
