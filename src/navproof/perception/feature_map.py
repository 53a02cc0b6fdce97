"""What was seen where: image features in layers of height over the floor.

M ∈ (L, rows, cols, f), L horizontal slices of the space above the floor, as in LangNavBench §4.1;
one layer gives the flat maps of VLMaps (``fusion="mean"``) and OneMap (``fusion="confidence"``).
Only cells that were seen take memory: 4·f bytes each and some 30 for the books, plus 4 bytes for
every cell of the grid in every layer. So memory is linear in layers and in what was seen of them.

Layers split the height from 0 to ``top_m`` evenly: layer ⌊h/Δh⌋, Δh = top_m / layers; what is
higher goes nowhere. Points below ``floor_m`` are the floor or lie flat on it. They go to layer 0
with a small weight, so that a rug is on the map and yet a table leg is not drowned in the floor
around it; ``floor_weight=0`` leaves the floor out.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from navproof.core.errors import PerceptionError
from navproof.core.types import Camera, Pose
from navproof.perception.cell_table import CellTable, FrameSums
from navproof.perception.grid import Grid
from navproof.perception.projection import accumulate, blend, patch_quality, reach_of, refine
from navproof.perception.protocol import check_features
from navproof.sim.camera import focal_px, world_to_camera

__all__ = ["FeatureMap", "Fusion", "MapSettings", "check_depth", "for_kernel"]

F32 = NDArray[np.float32]
I32 = NDArray[np.int32]
Fusion = Literal["confidence", "mean"]
"""``confidence`` (OneMap): pixels count by distance, mixing and place in the image, and a frame
is one observation of a cell. ``mean`` (VLMaps): every pixel ever projected counts the same."""

_EDGE = 0.1  # relative bend of 1/z at which a patch counts half
_LEAST = 0.05  # of a patch that mixes things: better than nothing, until something better comes
_BORDER = 0.5


@dataclass(frozen=True, slots=True)
class MapSettings:
    """``range_m`` is the distance at which a pixel counts a quarter; ``cap`` the weight at which a
    cell stops getting more stubborn, in looks from no distance. ``smooth`` features are bilinear
    between patches, down to half a patch; otherwise a pixel has that of its patch. ``samples`` is
    the most pixels of an image row that are projected, ``size_m`` the side of the first grid."""

    layers: int = 3
    cell_m: float = 0.06
    top_m: float = 2.4
    floor_m: float = 0.05
    floor_weight: float = 0.1
    fusion: Fusion = "confidence"
    range_m: float = 2.0
    cap: float = 5.0
    smooth: bool = True
    samples: int = 128
    size_m: float = 24.0

    def __post_init__(self) -> None:
        if self.layers < 1 or self.samples < 1:
            raise PerceptionError("a map needs at least one layer and one sample per row")
        for name in ("cell_m", "top_m", "range_m", "cap", "size_m"):
            value = float(getattr(self, name))
            if not (value > 0.0 and math.isfinite(value)):
                raise PerceptionError(f"map setting {name} must be greater than 0, got {value}")
            object.__setattr__(self, name, value)  # kernels are compiled for floats
        if not (0.0 <= self.floor_m < self.top_m and 0.0 <= self.floor_weight <= 1.0):
            raise PerceptionError(
                "map settings need 0 ≤ floor_m < top_m and 0 ≤ floor_weight ≤ 1, got "
                f"floor_m = {self.floor_m}, top_m = {self.top_m}, "
                f"floor_weight = {self.floor_weight}"
            )
        if self.fusion not in get_args(Fusion):
            raise PerceptionError(
                f"map fusion must be one of {', '.join(get_args(Fusion))}, got {self.fusion!r}"
            )

    @property
    def layer_m(self) -> float:
        """Δh: the height of one layer."""
        return self.top_m / self.layers


def check_depth(depth: object, camera: Camera) -> F32:
    """A depth image of the camera's size, or one line that says what came instead."""
    if depth is None:
        raise PerceptionError("a map needs a depth image, and there is none: add a depth sensor")
    if not isinstance(depth, np.ndarray) or depth.shape != (camera.height, camera.width):
        shape = getattr(depth, "shape", type(depth).__name__)
        raise PerceptionError(
            f"depth is {shape}, but the camera takes {(camera.height, camera.width)}"
        )
    return for_kernel(depth)


def for_kernel(array: NDArray[np.floating]) -> F32:
    """An array as kernels know it: of any other kind they would be compiled again, mid-episode."""
    return np.require(array, np.float32, ["C", "W"])


class FeatureMap:
    """Running means of image features per cell. It grows with where the robot goes.

    ``grid`` says where cells lie. ``slots`` (layers, rows, cols) holds for every cell its row in
    ``features`` (0: never seen), ``cells`` the way back, ``weights`` how much each mean weighs.
    """

    def __init__(self, feature_dim: int, settings: MapSettings | None = None) -> None:
        if feature_dim < 1:
            raise PerceptionError(f"feature_dim must be at least 1, got {feature_dim}")
        self.feature_dim = feature_dim
        self.settings = settings or MapSettings()
        self.grid = Grid.of_size(self.settings.cell_m, self.settings.size_m)
        self.slots: I32 = self._empty_slots(self.grid)
        self.frame = 0
        self._bounds = (0, 0, 0, 0)  # as known_bounds, counted from the origin of the plane
        self._table = CellTable(feature_dim)
        self._sums = FrameSums(0, feature_dim)
        self._finer: F32 = np.empty((0, 0, feature_dim), dtype=np.float32)

    # ------------------------------------------------------------------------------- what it holds
    @property
    def shape(self) -> tuple[int, int, int]:
        """(layers, rows, cols)."""
        return self.settings.layers, self.grid.rows, self.grid.cols

    def __len__(self) -> int:
        """How many cells have been seen."""
        return self._table.count - 1

    @property
    def features(self) -> F32:
        """(n + 1, f) means of unit vectors, shorter where views disagree; row 0 is zero."""
        return self._table.vectors[: self._table.count]

    @property
    def cells(self) -> I32:
        """(n + 1, 3) rows of (layer, row, col); row 0 means nothing."""
        return self._table.cells[: self._table.count]

    @property
    def weights(self) -> F32:
        """(n + 1,) what each mean weighs; row 0 is 0."""
        return self._table.totals[: self._table.count]

    @property
    def norms(self) -> F32:
        """(n + 1,) the lengths of ``features``."""
        return self._table.norms[: self._table.count]

    @property
    def nbytes(self) -> int:
        """Bytes that hold something: the vectors seen with their books, and the slots."""
        return self._table.count * self._table.row_bytes + self.slots.nbytes

    def at(self, layer: int, row: int, col: int) -> F32:
        """(f,) the mean of one cell; zeros where nothing was seen."""
        return np.asarray(self._table.vectors[self.slots[layer, row, col]])

    def dense(self) -> F32:
        """M as (layers, rows, cols, f): for looking at, large."""
        return np.take(self._table.vectors, self.slots, axis=0)

    def changed_since(self, frame: int) -> I32:
        """Rows of ``features`` that were changed after ``frame`` frames had been fused."""
        return np.flatnonzero(self._table.stamps[: self._table.count] > frame).astype(np.int32)

    def known_bounds(self) -> tuple[int, int, int, int]:
        """(row0, row1, col0, col1) around every cell seen, half open; empty before the first."""
        row0, row1, col0, col1 = self._bounds
        grid = self.grid
        return row0 - grid.row0, row1 - grid.row0, col0 - grid.col0, col1 - grid.col0

    # ------------------------------------------------------------------------------------- fusing
    def fuse(
        self,
        features: F32,
        depth: F32 | None,
        camera: Camera,
        pose: Pose,
        max_range_m: float = 5.0,
        confidence: F32 | None = None,
    ) -> int:
        """Add what one image shows; returns how many cells it showed.

        ``features`` (h, w, f) lie as a regular grid over the image, (1, 1, f) for a vector of the
        whole image. ``depth`` (H, W) and ``camera`` are of the depth image, which looks the same
        way: 0, NaN and infinity are holes. ``pose`` is in the episode frame. Points farther than
        ``max_range_m`` (horizontally) are left out. ``confidence`` (h, w) ≥ 0 weighs patches.
        """
        patches = check_features(features, self.feature_dim, "the encoder")
        if patches.ndim != 3:
            raise PerceptionError(f"patch features must be (h, w, f), got {patches.shape}")
        image = check_depth(depth, camera)
        if not (max_range_m > 0.0 and math.isfinite(max_range_m)):
            raise PerceptionError(f"max_range_m must be greater than 0, got {max_range_m}")
        if not all(map(math.isfinite, (pose.x, pose.y, pose.z, pose.yaw))):
            raise PerceptionError(f"the pose is not finite: {pose}")
        s = self.settings
        stride = max(1, math.ceil(camera.width / s.samples))
        weighted = s.fusion == "confidence"
        patches, quality = self._refined(for_kernel(patches), confidence)
        if weighted:
            patch_quality(image, stride, _EDGE, _LEAST, _BORDER, quality)
        rotation, centre = world_to_camera(camera, pose)
        focal = focal_px(camera)
        self._make_room(
            reach_of(image, stride, focal, rotation, centre, pose.z + s.top_m, float(max_range_m))
        )
        table, sums = self._space_for(image[::stride, ::stride].size)
        count_before = table.count
        table.count, touched = accumulate(
            image,
            stride,
            focal,
            rotation,
            centre,
            float(pose.z),
            float(s.floor_m),
            float(s.floor_weight) if weighted else float(s.floor_weight > 0.0),
            s.layer_m,
            s.cell_m,
            self.grid.row0,
            self.grid.col0,
            float(max_range_m),
            s.range_m if weighted else math.inf,
            patches,
            quality,
            self.slots,
            table.cells,
            table.count,
            table.places,
            sums.sums,
            sums.weights,
            sums.hits,
            sums.rows,
        )
        self._widen_bounds(table.cells[count_before : table.count])
        self.frame += 1
        blend(
            touched,
            not weighted,
            s.cap if weighted else math.inf,
            self.frame,
            sums.rows,
            sums.sums,
            sums.weights,
            sums.hits,
            table.places,
            table.vectors,
            table.totals,
            table.norms,
            table.stamps,
        )
        return touched

    def replace(self, rows: I32, vectors: F32) -> None:
        """Let the cells in these rows of ``features`` hold other vectors; what they weigh stays. It
        counts as a frame of its own (``changed_since``)."""
        table = self._table
        self.frame += 1
        table.vectors[rows] = vectors
        table.norms[rows] = np.linalg.norm(vectors, axis=1)
        table.stamps[rows] = self.frame

    def _refined(self, patches: F32, confidence: F32 | None) -> tuple[F32, F32]:
        """Features and confidence of patches of half the size, if that is wanted."""
        h, w, _ = patches.shape
        quality = np.ones((h, w)) if confidence is None else np.asarray(confidence)
        if quality.shape != (h, w):
            raise PerceptionError(f"confidence is {quality.shape}, but there are {(h, w)} patches")
        if not (np.isfinite(quality).all() and (quality >= 0.0).all()):
            raise PerceptionError("confidence must be finite and not negative")
        quality = quality.astype(np.float32)
        if not self.settings.smooth or h * w == 1:
            return patches, quality
        if self._finer.shape[:2] != (2 * h, 2 * w):
            self._finer = np.empty((2 * h, 2 * w, self.feature_dim), dtype=np.float32)
        refine(patches, self._finer)
        return self._finer, quality.repeat(2, axis=0).repeat(2, axis=1)

    # ------------------------------------------------------------------------------------- growing
    def _empty_slots(self, grid: Grid) -> I32:
        return np.zeros((self.settings.layers, *grid.shape), dtype=np.int32)

    def _make_room(self, box: tuple[float, float, float, float]) -> None:
        """Let the grid hold (x0, x1, y0, y1)."""
        grid = self.grid.covering(*box)
        if grid is self.grid:
            return
        rows, cols = self.grid.part_of(grid)
        slots = self._empty_slots(grid)
        slots[:, rows, cols] = self.slots
        self.cells[1:, 1:] += np.array([rows.start, cols.start], dtype=np.int32)
        self.slots, self.grid = slots, grid

    def _widen_bounds(self, cells: I32) -> None:
        """Let the bounds hold new cells."""
        if cells.size == 0:
            return
        low, high = cells.min(axis=0), cells.max(axis=0) + 1
        row0, row1 = int(low[1]) + self.grid.row0, int(high[1]) + self.grid.row0
        col0, col1 = int(low[2]) + self.grid.col0, int(high[2]) + self.grid.col0
        old = self._bounds
        if old[1] > old[0]:
            row0, row1 = min(row0, old[0]), max(row1, old[1])
            col0, col1 = min(col0, old[2]), max(col1, old[3])
        self._bounds = (row0, row1, col0, col1)

    def _space_for(self, pixels: int) -> tuple[CellTable, FrameSums]:
        """The table with a row to spare for every pixel of a frame, and the sums of a frame."""
        if len(self._sums.rows) < pixels:
            self._sums = FrameSums(pixels, self.feature_dim)
        self._table.make_space(pixels)
        return self._table, self._sums
