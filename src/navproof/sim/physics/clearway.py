"""Paths that keep off walls where there is room to.

A shortest path touches every corner that it bends round. A disc slides past a corner that it cuts
by a centimetre; wheels do not roll sideways, and a robot that cuts one stands against it. So the
bends of a path are moved away from what is nearest, up the slope of the clearance map, until there
is ``KEEP_M`` between the body and all obstacles, or until it is in the middle of a passage.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from navproof.sim.geodesic.navgrid import NavGrid

__all__ = ["KEEP_M", "clear_way"]

XY = tuple[float, float]
KEEP_M = 0.15
"""Pure pursuit cuts a right angle by about a third of its 0.4 m of look-ahead, at full speed."""
_SETTING_OUT_M = 0.3
"""A path has a bend there, so that a robot at a wall leaves it at once."""
_STEP_M = 0.02


def clear_way(path: Sequence[XY], grid: NavGrid) -> list[XY]:
    """The path with the same ends, its bends moved away from obstacles.

    Near its end bends move less, by no more than half of the way that is left, so that a path to a
    place at a wall stays about as long as it was. A bend stays where it is if the way to the next
    one would not be free otherwise.
    """
    if len(path) < 2:
        return list(path)
    old = _setting_out(path)
    new = [old[0], *(_moved(p, old[-1], grid) for p in old[1:-1]), old[-1]]
    is_settled = False
    while not is_settled:
        is_settled = True
        for i in range(1, len(old) - 1):
            if not grid.is_free(*new[i], *new[i + 1]) and new[i : i + 2] != old[i : i + 2]:
                new[i : i + 2] = old[i : i + 2]
                is_settled = False
    return new


def _setting_out(path: Sequence[XY]) -> list[XY]:
    (x0, y0), (x1, y1) = path[:2]
    length = math.dist(path[0], path[1])
    if length < 2.0 * _SETTING_OUT_M:
        return list(path)
    share = _SETTING_OUT_M / length
    return [path[0], (x0 + share * (x1 - x0), y0 + share * (y1 - y0)), *path[1:]]


def _moved(point: XY, end: XY, grid: NavGrid) -> XY:
    """Up the slope of the clearance, as far as it is of use."""
    x, y = point
    room = grid.room_for(x, y)
    enough = min(grid.radius + KEEP_M, room + 0.5 * math.dist(point, end))
    h = 0.5 * grid.cell
    while room < enough:
        dx = grid.room_for(x + h, y) - grid.room_for(x - h, y)
        dy = grid.room_for(x, y + h) - grid.room_for(x, y - h)
        slope = math.hypot(dx, dy)
        if slope == 0.0:
            break
        step = min(_STEP_M, enough - room)
        there = (x + step * dx / slope, y + step * dy / slope)
        more = grid.room_for(*there)
        if more <= room + 0.1 * step:
            break
        (x, y), room = there, more
    return x, y
