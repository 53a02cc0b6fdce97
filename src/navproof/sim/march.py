"""Fast marching (Sethian 1996), second order where the upwind neighbours allow it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from navproof._jit import jit

__all__ = ["march"]

F64 = NDArray[np.float64]


@jit
def _push(keys: F64, cells: NDArray[np.int64], size: int, key: float, index: int) -> int:
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


@jit
def _pop(keys: F64, cells: NDArray[np.int64], size: int) -> int:
    """Remove the smallest (the caller has read it at 0); the new size."""
    size -= 1
    key, index = keys[size], cells[size]
    i = 0
    while True:
        child = 2 * i + 1
        if child >= size:
            break
        if child + 1 < size and keys[child + 1] < keys[child]:
            child += 1
        if keys[child] >= key:
            break
        keys[i] = keys[child]
        cells[i] = cells[child]
        i = child
    keys[i] = key
    cells[i] = index
    return size


@jit
def _axis(
    field: F64, done: NDArray[np.bool_], r: int, c: int, dr: int, dc: int
) -> tuple[float, float]:
    """(weight, value) of the upwind difference along one axis; weight 0 if there is none."""
    rows, cols = field.shape
    best, sign = np.inf, 0
    for s in (-1, 1):
        rn, cn = r + s * dr, c + s * dc
        if 0 <= rn < rows and 0 <= cn < cols and done[rn, cn] and field[rn, cn] < best:
            best, sign = field[rn, cn], s
    if sign == 0:
        return 0.0, 0.0
    r2, c2 = r + 2 * sign * dr, c + 2 * sign * dc
    if 0 <= r2 < rows and 0 <= c2 < cols and done[r2, c2] and field[r2, c2] <= best:
        return 2.25, (4.0 * best - field[r2, c2]) / 3.0
    return 1.0, best


@jit
def _solve(field: F64, done: NDArray[np.bool_], r: int, c: int, cell: float) -> float:
    """The arrival time of a cell from its known neighbours."""
    wa, a = _axis(field, done, r, c, 1, 0)
    wb, b = _axis(field, done, r, c, 0, 1)
    if wa > 0.0 and wb > 0.0:
        w = wa + wb
        mean = (wa * a + wb * b) / w
        spread = wa * a * a + wb * b * b - cell * cell
        root = mean * mean - spread / w
        if root >= 0.0:
            value = mean + np.sqrt(root)
            if value >= a and value >= b:
                return float(value)
    value = np.inf
    if wa > 0.0:
        value = min(value, a + cell / np.sqrt(wa))
    if wb > 0.0:
        value = min(value, b + cell / np.sqrt(wb))
    return float(value)


@jit
def march(free: NDArray[np.bool_], seeds: NDArray[np.int64], values: F64, cell: float) -> F64:
    """Geodesic distance from the seed cells (flat indices, with their initial values) to every
    free cell, metres; inf where there is no way."""
    rows, cols = free.shape
    field = np.full((rows, cols), np.inf)
    done = np.zeros((rows, cols), dtype=np.bool_)
    keys = np.empty(8 * rows * cols + seeds.size + 16)
    cells = np.empty(keys.size, dtype=np.int64)
    size = 0
    for i in range(seeds.size):
        r, c = seeds[i] // cols, seeds[i] % cols
        if free[r, c] and values[i] < field[r, c]:
            field[r, c] = values[i]
            size = _push(keys, cells, size, values[i], seeds[i])
    while size > 0:
        index = cells[0]
        size = _pop(keys, cells, size)
        r, c = index // cols, index % cols
        if done[r, c]:
            continue
        done[r, c] = True
        for k in range(4):
            rn = r + (1 if k == 0 else -1 if k == 1 else 0)
            cn = c + (1 if k == 2 else -1 if k == 3 else 0)
            if 0 <= rn < rows and 0 <= cn < cols and free[rn, cn] and not done[rn, cn]:
                value = _solve(field, done, rn, cn, cell)
                if value < field[rn, cn]:
                    field[rn, cn] = value
                    size = _push(keys, cells, size, value, rn * cols + cn)
    return field
