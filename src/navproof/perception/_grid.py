"""The square grid under every map: where a point lies, and how the grid grows.

The grid lives in the episode frame. Cell (row, col) is the square of side ``cell_m`` whose corner
is ``((col − half)·cell_m, (row − half)·cell_m)``. Counting from the middle in whole cells, and not
from a corner in metres, puts a point into the same cell before and after growth, to the last bit.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

__all__ = ["Grid"]

_GROW_M = 10.0


@dataclass(frozen=True, slots=True)
class Grid:
    """``size`` × ``size`` cells around the origin of the episode frame."""

    cell_m: float
    half: int

    @classmethod
    def of_size(cls, cell_m: float, size_m: float) -> Grid:
        """The smallest grid that is ``size_m`` wide."""
        return cls(cell_m, math.ceil(size_m / 2.0 / cell_m))

    @property
    def size(self) -> int:
        return 2 * self.half

    def index(self, x: float, y: float) -> tuple[int, int]:
        """(row, column) of a point, which may lie outside."""
        return math.floor(y / self.cell_m) + self.half, math.floor(x / self.cell_m) + self.half

    def centre(self, row: float, col: float) -> tuple[float, float]:
        """(x, y) of the middle of a cell."""
        return (col + 0.5 - self.half) * self.cell_m, (row + 0.5 - self.half) * self.cell_m

    def around(self, x: float, y: float, reach_m: float) -> Grid:
        """This grid, or a larger one that holds everything within ``reach_m`` of a point."""
        far = max(abs(x), abs(y)) + reach_m
        if far <= self.half * self.cell_m:
            return self
        wide = max(far, self.half * self.cell_m + _GROW_M)
        return Grid(self.cell_m, math.ceil(wide / self.cell_m))
