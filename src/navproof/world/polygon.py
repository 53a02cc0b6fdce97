"""Polygons on the floor: corners (x, y) in order, the last joined to the first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

__all__ = ["Corner", "inside", "signed_area"]

Corner = tuple[float, float]


def inside(polygon: Sequence[Corner], x: float, y: float) -> bool:
    """Whether (x, y) lies in the polygon (even–odd rule)."""
    result = False
    for (x0, y0), (x1, y1) in _edges(polygon):
        if (y0 > y) != (y1 > y) and x < x0 + (y - y0) * (x1 - x0) / (y1 - y0):
            result = not result
    return result


def signed_area(polygon: Sequence[Corner]) -> float:
    """Square metres, negative for a clockwise polygon."""
    return 0.5 * sum(x0 * y1 - x1 * y0 for (x0, y0), (x1, y1) in _edges(polygon))


def _edges(polygon: Sequence[Corner]) -> Iterator[tuple[Corner, Corner]]:
    return zip(polygon, [*polygon[1:], polygon[0]], strict=True)
