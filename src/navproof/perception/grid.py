"""The grid under every map: where a point lies, and how the grid grows.

The grid lives in the episode frame. Cells are counted in whole numbers from the origin: a point
lies in cell (⌊y/cell⌋, ⌊x/cell⌋) of the plane, and the grid is a rectangle of these that begins at
(``row0``, ``col0``). So a point stays in its cell when the grid grows, to the last bit, and the
grid hugs what was seen.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

__all__ = ["Grid"]

_GROW_M = 3.0


@dataclass(frozen=True, slots=True)
class Grid:
    """``rows`` × ``cols`` cells; cell (row, col) is the square with its least corner at
    ``((col0 + col)·cell_m, (row0 + row)·cell_m)``."""

    cell_m: float
    row0: int
    col0: int
    rows: int
    cols: int

    @classmethod
    def of_size(cls, cell_m: float, size_m: float) -> Grid:
        """The smallest square around the origin that is ``size_m`` wide."""
        half = math.ceil(size_m / 2.0 / cell_m)
        return cls(cell_m, -half, -half, 2 * half, 2 * half)

    @property
    def shape(self) -> tuple[int, int]:
        return self.rows, self.cols

    def index(self, x: float, y: float) -> tuple[int, int]:
        """(row, col) of a point, which may lie outside."""
        return math.floor(y / self.cell_m) - self.row0, math.floor(x / self.cell_m) - self.col0

    def centre(self, row: float, col: float) -> tuple[float, float]:
        """(x, y) of the middle of a cell."""
        return (self.col0 + col + 0.5) * self.cell_m, (self.row0 + row + 0.5) * self.cell_m

    def window(self, x: float, y: float, radius_m: float) -> tuple[slice, slice]:
        """The rows and cols within ``radius_m`` of a point: empty where that is all outside."""
        row, col = self.index(x, y)
        n = math.ceil(radius_m / self.cell_m)
        return (
            slice(max(0, row - n), max(0, row + n + 1)),
            slice(max(0, col - n), max(0, col + n + 1)),
        )

    def covering(self, x0: float, x1: float, y0: float, y1: float) -> Grid:
        """This grid, or a larger one that holds a box; a side that grows does so generously."""
        row0, rows = self._span(self.row0, self.rows, y0, y1)
        col0, cols = self._span(self.col0, self.cols, x0, x1)
        if (row0, rows, col0, cols) == (self.row0, self.rows, self.col0, self.cols):
            return self
        return Grid(self.cell_m, row0, col0, rows, cols)

    def part_of(self, larger: Grid) -> tuple[slice, slice]:
        """Where this grid lies in one that it grew to."""
        row, col = self.row0 - larger.row0, self.col0 - larger.col0
        return slice(row, row + self.rows), slice(col, col + self.cols)

    def _span(self, start: int, count: int, low: float, high: float) -> tuple[int, int]:
        """(start, count) of the cells along one side that hold [low, high] too."""
        more = math.ceil(_GROW_M / self.cell_m)
        end = start + count
        first, last = math.floor(low / self.cell_m), math.floor(high / self.cell_m) + 1
        if first < start:
            start = min(first, start - more)
        if last > end:
            end = max(last, end + more)
        return start, end - start
