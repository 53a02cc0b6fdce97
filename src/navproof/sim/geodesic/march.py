"""Fast marching (Sethian 1996), second order where the upwind neighbours allow it.

Fields are flat here, with a border of two cells that nothing enters, so that no neighbour has to be
asked whether it exists. ``known`` is the distance of the cells that are done, inf of all others.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from navproof.core.jit import jit, jit_inline

__all__ = ["begin", "go_on", "march"]

F64 = NDArray[np.float64]
Front = tuple[F64, F64, F64, NDArray[np.int32], int]
_CLOSED = -1.0
"""In the place of an arrival time: not free, or done."""


@jit
def _push(keys: F64, cells: NDArray[np.int32], size: int, key: float, index: int) -> int:
    i = size
    while i > 0:
        parent = (i - 1) >> 1
        if keys[parent] <= key:
            break
        keys[i] = keys[parent]
        cells[i] = cells[parent]
        i = parent
    keys[i] = key
    cells[i] = index
    return size + 1


@jit_inline
def _pop(keys: F64, cells: NDArray[np.int32], size: int) -> int:
    """Remove the smallest (the caller has read it at 0); the new size. The hole goes down to a
    leaf without asking, and the last one up from there: it mostly belongs there."""
    size -= 1
    key, index = keys[size], cells[size]
    keys[size] = np.inf  # beside an only child
    i, child = 0, 1
    while child < size:
        child += int(keys[child + 1] < keys[child])
        keys[i] = keys[child]
        cells[i] = cells[child]
        i = child
        child = 2 * i + 1
    while i > 0:
        parent = (i - 1) >> 1
        if keys[parent] < key:
            break
        keys[i] = keys[parent]
        cells[i] = cells[parent]
        i = parent
    keys[i] = key
    cells[i] = index
    return size


@jit_inline
def _axis(known: F64, at: int, step: int) -> tuple[float, float]:
    """(weight, value) of the upwind difference along one axis; weight 0 if there is none."""
    best, second = known[at - step], known[at - 2 * step]
    if known[at + step] < best:
        best, second = known[at + step], known[at + 2 * step]
    if best == np.inf:
        return 0.0, 0.0
    # Second order needs two upwind cells, the farther one earlier (Sethian 1999); otherwise the
    # difference would reach across the front.
    if second <= best:
        return 2.25, (4.0 * best - second) / 3.0
    return 1.0, float(best)


@jit_inline
def _solve(known: F64, at: int, width: int, cell: float) -> float:
    """The arrival time of a cell from its known neighbours."""
    wa, a = _axis(known, at, width)
    wb, b = _axis(known, at, 1)
    if wa > 0.0 and wb > 0.0:
        w = wa + wb
        mean = (wa * a + wb * b) / w
        spread = wa * a * a + wb * b * b - cell * cell
        root = mean * mean - spread / w
        if root >= 0.0:
            value = mean + np.sqrt(root)
            # A solution before one of its neighbours would break causality; then one axis alone
            # decides.
            if value >= a and value >= b:
                return float(value)
    value = np.inf
    if wa > 0.0:
        value = min(value, a + cell / np.sqrt(wa))
    if wb > 0.0:
        value = min(value, b + cell / np.sqrt(wb))
    return float(value)


@jit
def begin(free: NDArray[np.bool_], seeds: NDArray[np.int64], values: F64) -> Front:
    """A march that has not begun to move: (known, tentative, keys, cells, size), flat and with the
    border. Seeds are flat indices into ``free``, with their initial values."""
    rows, cols = free.shape
    width = cols + 4
    known = np.full((rows + 4) * width, np.inf)
    open_ = np.full((rows + 4, width), _CLOSED)  # the best arrival time so far
    for r in range(rows):
        for c in range(cols):
            if free[r, c]:
                open_[r + 2, c + 2] = np.inf
    tentative = open_.ravel()
    keys = np.empty(4 * rows * cols + seeds.size + 16)  # a cell may come up once per neighbour
    cells = np.empty(keys.size, dtype=np.int32)
    size = 0
    for i in range(seeds.size):
        at = (seeds[i] // cols + 2) * width + seeds[i] % cols + 2
        if values[i] < tentative[at]:
            tentative[at] = values[i]
            size = _push(keys, cells, size, values[i], at)
    return known, tentative, keys, cells, size


@jit
def go_on(
    known: F64,
    tentative: F64,
    keys: F64,
    cells: NDArray[np.int32],
    size: int,
    width: int,
    cell: float,
    metres: float,
    target: int,
) -> int:
    """March on, until everything up to ``metres`` is done, or a ``target`` cell (flat, with the
    border; -1: none). The new size of the heap. Where it pauses does not change what comes out."""
    while size > 0 and keys[0] <= metres:
        at = cells[0]
        size = _pop(keys, cells, size)
        if tentative[at] < 0.0:
            continue  # it was here before, by a shorter way
        known[at] = tentative[at]
        # The cell may still lie in the heap under later times; those are passed over when they come
        # up.
        tentative[at] = _CLOSED
        for k in range(4):
            beside = at + (width if k == 0 else -width if k == 1 else 1 if k == 2 else -1)
            if tentative[beside] >= 0.0:
                value = _solve(known, beside, width, cell)
                if value < tentative[beside]:
                    tentative[beside] = value
                    size = _push(keys, cells, size, value, beside)
        if at == target:
            break
    return size


@jit
def march(free: NDArray[np.bool_], seeds: NDArray[np.int64], values: F64, cell: float) -> F64:
    """Geodesic distance from the seed cells (flat indices, with their initial values) to every
    free cell, metres; inf where there is no way."""
    rows, cols = free.shape
    known, tentative, keys, cells, size = begin(free, seeds, values)
    go_on(known, tentative, keys, cells, size, cols + 4, cell, np.inf, -1)
    return known.reshape((rows + 4, cols + 4))[2:-2, 2:-2].copy()
