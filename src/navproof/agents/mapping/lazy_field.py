"""A distance field that is worked out only as far as it is asked about.

A plan needs the distances between the robot and where it goes to, not those behind its back. The
front of the march is kept and goes on when more is asked for; what is known is the same to the bit
as if it had been marched to the end at once.
"""

from __future__ import annotations

import math
from copy import copy
from typing import final

import numpy as np
from numpy.typing import NDArray

from navproof.sim.geodesic.march import begin, go_on

__all__ = ["LazyField"]

F64 = NDArray[np.float64]
_BORDER = 2  # cells that ``sim.geodesic.march`` keeps around its fields


@final
class LazyField:
    """Geodesic distance (m) of every free cell from the nearest seed (fast marching); inf: no way.

    ``values`` holds what is known so far, and inf in all other cells: they are not nearer than what
    was asked for last.
    """

    def __init__(self, free: NDArray[np.bool_], seeds: NDArray[np.bool_], cell: float) -> None:
        flat = np.flatnonzero(seeds & free)
        rows, cols = free.shape
        self._cell, self._width = cell, cols + 2 * _BORDER
        self._known, self._tentative, self._keys, self._cells, self._size = begin(
            np.ascontiguousarray(free), flat, np.zeros(flat.size)
        )
        self.shape = (rows, cols)

    @property
    def values(self) -> F64:
        known = self._known.reshape(-1, self._width)
        return known[_BORDER:-_BORDER, _BORDER:-_BORDER]

    def at(self, row: int, col: int, most_m: float = math.inf) -> float:
        """The distance of a cell; inf where there is no way, or none of at most ``most_m``."""
        target = (row + _BORDER) * self._width + col + _BORDER
        if self._tentative[target] >= 0.0:  # else it is known, or not free
            self._march(most_m, target)
        metres = float(self._known[target])
        return metres if metres <= most_m else math.inf

    def up_to(self, metres: float) -> F64:
        """``values``, complete up to a distance."""
        self._march(metres, -1)
        return self.values

    def _march(self, metres: float, target: int) -> None:
        front = (self._known, self._tentative, self._keys, self._cells, self._size)
        self._size = go_on(*front, self._width, self._cell, metres, target)

    def __deepcopy__(self, memo: object) -> LazyField:
        new = copy(self)
        new._known, new._tentative = self._known.copy(), self._tentative.copy()
        new._keys, new._cells = np.empty_like(self._keys), np.empty_like(self._cells)
        new._keys[: self._size] = self._keys[: self._size]
        new._cells[: self._size] = self._cells[: self._size]
        return new
