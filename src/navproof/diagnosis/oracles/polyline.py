"""Lengths and points along a polyline in the plane."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

__all__ = ["XY", "along", "apart_m", "beyond", "cut", "foot", "length_m"]

XY = tuple[float, float]


def length_m(points: Sequence[XY]) -> float:
    return math.fsum(math.dist(a, b) for a, b in pairwise(points))


def along(points: Sequence[XY], metres: float) -> XY:
    """The point at a given length along a polyline, or the polyline's end."""
    return cut(points, metres)[-1]


def cut(points: Sequence[XY], metres: float) -> list[XY]:
    """The first so many metres of a polyline."""
    out = [points[0]]
    for a, b in pairwise(points):
        step = math.dist(a, b)
        if step >= metres:
            t = metres / step if step > 0.0 else 0.0
            out.append((a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1])))
            break
        out.append(b)
        metres -= step
    return out


def beyond(points: Sequence[XY], metres: float) -> list[XY]:
    """The part of a polyline after so many metres; at least its end."""
    rest: list[XY] = [along(points, metres)]
    for a, b in pairwise(points):
        metres -= math.dist(a, b)
        if metres < 0.0:
            rest.append(b)
    return rest


def foot(a: XY, b: XY, here: XY) -> XY:
    """The point of the segment a–b nearest to ``here``."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    squared = dx * dx + dy * dy
    if squared == 0.0:
        return a
    t = ((here[0] - a[0]) * dx + (here[1] - a[1]) * dy) / squared
    t = min(1.0, max(0.0, t))
    return (a[0] + t * dx, a[1] + t * dy)


def apart_m(points: Sequence[XY], here: XY) -> float:
    """The distance from a point to a polyline of at least one point."""
    feet = [foot(a, b, here) for a, b in pairwise(points)] or [points[0]]
    return min(math.dist(f, here) for f in feet)
