"""Geodesic distances and shortest paths: one fast-marching field per goal set, kept."""

from __future__ import annotations

import math
from collections import OrderedDict

import numpy as np
from numpy.typing import NDArray

from navproof.sim._march import descend, march
from navproof.sim.navgrid import NavGrid
from navproof.sim.protocol import GoalSet

__all__ = ["Geodesics"]

F64 = NDArray[np.float64]
SNAP_CELLS = 6
"""A goal or start off the navigable cells counts from the nearest one within this many."""


class Geodesics:
    """Distances on one navigation grid. Fields are cached per goal set, least recently used out."""

    def __init__(self, grid: NavGrid, capacity: int = 64) -> None:
        self.grid = grid
        self._capacity = capacity
        self._fields: OrderedDict[GoalSet, F64] = OrderedDict()
        self._points: OrderedDict[GoalSet, F64] = OrderedDict()

    def field(self, goals: GoalSet) -> F64:
        """Distance from every cell centre to the nearest goal, (rows, cols); inf: no way."""
        if goals in self._fields:
            self._fields.move_to_end(goals)
            return self._fields[goals]
        seeds: list[int] = []
        values: list[float] = []
        for x, y, _ in goals:
            for index, value in self._around(x, y):
                seeds.append(index)
                values.append(value)
        field = march(
            self.grid.navigable,
            np.array(seeds, dtype=np.int64),
            np.array(values, dtype=np.float64),
            self.grid.cell,
        )
        self._fields[goals] = field
        self._points[goals] = np.array([(x, y) for x, y, _ in goals], dtype=np.float64)
        if len(self._fields) > self._capacity:
            old, _ = self._fields.popitem(last=False)
            del self._points[old]
        return field

    def distance(self, x: float, y: float, goals: GoalSet) -> float:
        """Metres from a point to the nearest goal along the shortest free path, or inf."""
        if not goals:
            return math.inf
        field = self.field(goals)
        straight, is_free = self._straight(x, y, goals)
        if is_free:
            return straight
        row, col = self.grid.cell_of(x, y)
        fr = (y - self.grid.origin[1]) / self.grid.cell - 0.5
        fc = (x - self.grid.origin[0]) / self.grid.cell - 0.5
        r, c = math.floor(fr), math.floor(fc)
        rows, cols = field.shape
        if 0 <= r < rows - 1 and 0 <= c < cols - 1:
            block = field[r : r + 2, c : c + 2]
            if np.isfinite(block).all():
                u, v = fc - c, fr - r
                top = block[0, 0] * (1 - u) + block[0, 1] * u
                low = block[1, 0] * (1 - u) + block[1, 1] * u
                return max(straight, float(top * (1 - v) + low * v))
        near = self._nearest_cell(row, col, x, y, field)
        return math.inf if near is None else max(straight, near[2])

    def path(self, x: float, y: float, goals: GoalSet) -> list[tuple[float, float]]:
        """A shortest free path from a point to the nearest goal, both included, pulled taut;
        empty where there is none."""
        if not goals or not math.isfinite(self.distance(x, y, goals)):
            return []
        field = self.field(goals)
        row, col = self.grid.cell_of(x, y)
        start = self._nearest_cell(row, col, x, y, field)
        points = [(x, y)]
        if start is not None:
            cells = descend(field, start[0], start[1])
            points += [self.grid.centre(int(r), int(c)) for r, c in cells]
        points.append(self._end(points[-1], goals))
        return self._pull(points)

    def _around(self, x: float, y: float) -> list[tuple[int, float]]:
        """Seed cells of one goal: all in straight free line near it, with exact distances."""
        grid = self.grid
        rows, cols = grid.navigable.shape
        row, col = grid.cell_of(x, y)
        reach = SNAP_CELLS
        found: list[tuple[int, float]] = []
        blocked: list[tuple[float, int]] = []
        for r in range(max(0, row - reach), min(rows, row + reach + 1)):
            for c in range(max(0, col - reach), min(cols, col + reach + 1)):
                if not grid.navigable[r, c]:
                    continue
                cx, cy = grid.centre(r, c)
                d = math.hypot(cx - x, cy - y)
                if d <= reach * grid.cell and grid.is_free(x, y, cx, cy):
                    found.append((r * cols + c, d))
                else:
                    blocked.append((d, r * cols + c))
        if not found and blocked:
            d, index = min(blocked)
            found.append((index, d))
        return found

    def _straight(self, x: float, y: float, goals: GoalSet) -> tuple[float, bool]:
        """The Euclidean distance to the nearest goal, and whether the line there is free: then it
        is the geodesic one, exactly, and in any case no path is shorter."""
        points = self._points[goals]
        d = np.hypot(points[:, 0] - x, points[:, 1] - y)
        index = int(d.argmin())
        is_free = self.grid.is_free(x, y, float(points[index, 0]), float(points[index, 1]))
        return float(d[index]), is_free

    def _nearest_cell(
        self, row: int, col: int, x: float, y: float, field: F64
    ) -> tuple[int, int, float] | None:
        """The reachable cell around a point with the shortest way: (row, col, distance)."""
        rows, cols = field.shape
        for reach in (1, SNAP_CELLS):
            best: tuple[float, int, int] | None = None
            for r in range(max(0, row - reach), min(rows, row + reach + 1)):
                for c in range(max(0, col - reach), min(cols, col + reach + 1)):
                    if np.isfinite(field[r, c]):
                        cx, cy = self.grid.centre(r, c)
                        total = float(field[r, c]) + math.hypot(cx - x, cy - y)
                        if best is None or total < best[0]:
                            best = (total, r, c)
            if best is not None:
                return best[1], best[2], best[0]
        return None

    def _end(self, last: tuple[float, float], goals: GoalSet) -> tuple[float, float]:
        points = self._points[goals]
        d = np.hypot(points[:, 0] - last[0], points[:, 1] - last[1])
        order = np.argsort(d, kind="stable")
        for index in order[:8]:
            end = (float(points[index, 0]), float(points[index, 1]))
            if self.grid.is_free(*last, *end):
                return end
        return float(points[order[0], 0]), float(points[order[0], 1])

    def _pull(self, points: list[tuple[float, float]]) -> list[tuple[float, float]]:
        """Drop every point that a straight free line can skip."""
        taut = [points[0]]
        i = 0
        while i < len(points) - 1:
            low, high = i + 1, len(points) - 1
            step = 1
            while i + step <= high and self.grid.is_free(*points[i], *points[i + step]):
                low = i + step
                step *= 2
            top = min(high, i + step)
            while low < top:
                middle = (low + top + 1) // 2
                if self.grid.is_free(*points[i], *points[middle]):
                    low = middle
                else:
                    top = middle - 1
            if points[low] != taut[-1]:
                taut.append(points[low])
            i = low
        return taut
