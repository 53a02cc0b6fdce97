"""Geodesic distances and shortest paths: one fast-marching field per goal set, kept."""

from __future__ import annotations

import math
from collections import OrderedDict
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from navproof.sim.geodesic.march import march
from navproof.sim.geodesic.navgrid import SLACK_M, NavGrid
from navproof.sim.geodesic.taut import AT_CELL, GOAL, SNAP_M, pull_taut, reach, seed_cells
from navproof.sim.protocol import GoalSet

__all__ = ["Field", "Geodesics"]

F64 = NDArray[np.float64]
_MOST_BYTES = 512 << 20


@dataclass(frozen=True, eq=False)
class Field:
    """Distances to one goal set: metres per cell (inf: no way), and each cell's anchor."""

    goals: F64  # (n, 2)
    metres: F64  # (rows, cols)
    anchor: NDArray[np.int64]  # (rows, cols), codes of ``taut``


class Geodesics:
    """Distances on one navigation grid. Fields are cached per goal set, least recently used out:
    as many as ``capacity``, of large grids as many as 512 MB hold."""

    def __init__(self, grid: NavGrid, capacity: int = 64) -> None:
        self.grid = grid
        field_bytes = grid.clearance.size * (8 + 8)
        self._capacity = max(1, min(capacity, _MOST_BYTES // max(1, field_bytes)))
        self._radius = grid.radius - SLACK_M
        self._fields: OrderedDict[GoalSet, Field] = OrderedDict()

    def field(self, goals: GoalSet) -> Field:
        """The field of a goal set: marched once, then pulled taut round corners."""
        if goals in self._fields:
            self._fields.move_to_end(goals)
            return self._fields[goals]
        g = self.grid
        points = _flat(goals)
        seeds, values, codes = seed_cells(
            g.navigable, g.clearance, g.origin, g.cell, self._radius, points
        )
        marched = march(g.navigable, seeds, values, g.cell).ravel()
        reached = np.flatnonzero(np.isfinite(marched))
        order = reached[np.argsort(marched[reached], kind="stable")]
        metres, anchor = pull_taut(
            order, seeds, values, codes, g.clearance, g.origin, g.cell, self._radius, points
        )
        field = Field(points, metres, anchor)
        self._fields[goals] = field
        if len(self._fields) > self._capacity:
            self._fields.popitem(last=False)
        return field

    def distance(self, x: float, y: float, goals: GoalSet) -> float:
        """Metres from a point to the nearest goal along the shortest free path, or inf."""
        if not goals:
            return math.inf
        straight, is_free = self._straight(x, y, goals)
        if is_free:  # most often so close to a goal that moves: no field is needed for it then
            return straight
        return max(straight, self._onward(x, y, self.field(goals))[0])

    def path(self, x: float, y: float, goals: GoalSet) -> list[tuple[float, float]]:
        """A shortest free path from a point to the nearest goal, both included, as the ends of
        straight free segments; empty where there is none."""
        if not goals:
            return []
        field = self.field(goals)
        points = [(x, y)]
        metres, code = self._onward(x, y, field)
        if not math.isfinite(metres):
            return []
        cols = field.metres.shape[1]
        while code >= 0:
            row, col = divmod(code, cols)
            points.append(self.grid.centre(row, col))
            code = int(field.anchor[row, col])
        if code <= GOAL:
            end = field.goals[GOAL - code]
        else:
            d = np.hypot(field.goals[:, 0] - points[-1][0], field.goals[:, 1] - points[-1][1])
            end = field.goals[int(d.argmin())]
        points.append((float(end[0]), float(end[1])))
        return [p for i, p in enumerate(points) if i == 0 or p != points[i - 1]]

    def _straight(self, x: float, y: float, goals: GoalSet) -> tuple[float, bool]:
        """The Euclidean distance to the nearest goal, and whether the line there is free: then it
        is the geodesic one, exactly, and in any case no path is shorter."""
        places = self._fields[goals].goals if goals in self._fields else _flat(goals)
        d = np.hypot(places[:, 0] - x, places[:, 1] - y)
        index = int(d.argmin())
        gx, gy = places[index]
        return float(d[index]), self.grid.is_free(x, y, float(gx), float(gy))

    def _onward(self, x: float, y: float, field: Field) -> tuple[float, int]:
        """(metres, anchor code) of the way on from a point that may lie off the free cells."""
        g = self.grid
        for span in (1, 2):
            metres, code = reach(
                float(x),
                float(y),
                span,
                field.metres,
                field.anchor,
                g.clearance,
                g.origin,
                g.cell,
                self._radius,
                field.goals,
            )
            if math.isfinite(metres):
                return float(metres), int(code)
        return self._snap(x, y, field)

    def _snap(self, x: float, y: float, field: Field) -> tuple[float, int]:
        """As ``_onward`` where no cell is in free line: over the nearest one within SNAP_M."""
        row, col = self.grid.cell_of(x, y)
        rows, cols = field.metres.shape
        span = math.ceil(SNAP_M / self.grid.cell)
        best, code = math.inf, AT_CELL
        for r in range(max(0, row - span), min(rows, row + span + 1)):
            for c in range(max(0, col - span), min(cols, col + span + 1)):
                cx, cy = self.grid.centre(r, c)
                total = float(field.metres[r, c]) + math.hypot(cx - x, cy - y)
                if total < best:
                    best, code = total, r * cols + c
        return best, code


def _flat(goals: GoalSet) -> F64:
    return np.array([(x, y) for x, y, _ in goals], dtype=np.float64).reshape(-1, 2)
