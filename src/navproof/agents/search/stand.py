"""Where to stand to have reached a thing: near it, on its side of the wall."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from navproof.agents.mapping.navigate import XY, Navigator
from navproof.agents.mapping.occupancy import OccupancyMap
from navproof.core.jit import jit
from navproof.core.types import Pose

__all__ = ["EyeLevel", "stand_by"]

_WINDOW_M = 2.0
_SKINS_M = (0.1, 0.35)  # of the thing itself (or what it stands in) that may hide it on the map


class EyeLevel(OccupancyMap):
    """What stands in the way of the eyes: all that is as high as the camera."""

    def __init__(self, camera_m: float) -> None:
        super().__init__(camera_m - 0.15, camera_m + 0.35)

    def sees(self, points: NDArray[np.float64], x: float, y: float, skin_m: float) -> Bools:
        """Which of ``points`` (n, 2) nothing known hides from (x, y), but within ``skin_m`` of
        it."""
        return _sees(self.evidence, self.origin, self.cell, points, x, y, skin_m)


Bools = NDArray[np.bool_]


@jit
def _sees(
    evidence: NDArray[np.int16],
    origin: NDArray[np.float64],
    cell: float,
    points: NDArray[np.float64],
    x: float,
    y: float,
    skin_m: float,
) -> NDArray[np.bool_]:
    rows, cols = evidence.shape
    is_visible = np.ones(len(points), dtype=np.bool_)
    for i in range(len(points)):
        dx, dy = points[i, 0] - x, points[i, 1] - y
        length = np.sqrt(dx * dx + dy * dy)
        at = skin_m
        while at < length:
            c = int(np.floor((x + dx * at / length - origin[0]) / cell))
            r = int(np.floor((y + dy * at / length - origin[1]) / cell))
            if 0 <= r < rows and 0 <= c < cols and evidence[r, c] > 0:
                is_visible[i] = False
                break
            at += 0.5 * cell
    return is_visible


def stand_by(
    nav: Navigator,
    eyes: EyeLevel,
    pose: Pose,
    spots: NDArray[np.float64],
    reaches_m: tuple[float, ...],
    side: XY | None = None,
) -> tuple[XY, float] | None:
    """The place with the shortest way to it from which one of ``spots`` (n, 2) is within reach
    and in view, and its distance from the nearest spot; the smallest reach that any place allows
    counts. ``side`` is the direction in which the place must lie from the spots, if any. None
    where no place does."""
    field, (r0, c0) = nav.distances(pose)
    cell = nav.map.cell
    x, y = (float(v) for v in np.median(spots, axis=0))
    row, col = nav.map.index(x, y)
    n = math.ceil(_WINDOW_M / cell)
    top, left = max(0, row - r0 - n), max(0, col - c0 - n)
    window = field[top : max(0, row - r0 + n + 1), left : max(0, col - c0 + n + 1)]
    rows, cols = np.nonzero(np.isfinite(window))
    if not rows.size:
        return None
    way = window[rows, cols]
    places = np.stack(
        [
            (cols + left + c0 + 0.5) * cell + nav.map.origin[0],
            (rows + top + r0 + 0.5) * cell + nav.map.origin[1],
        ],
        axis=1,
    )
    if side is not None:
        right = (places - (x, y)) @ np.array(side) > 0.0
        places, way = places[right], way[right]
        if not len(places):
            return None
    apart = np.linalg.norm(places[:, None, :] - spots[None, :, :], axis=2)
    away = apart.min(axis=1)
    for skin_m in _SKINS_M:
        in_view = eyes.sees(places, x, y, skin_m)
        for reach_m in reaches_m:
            fit = np.flatnonzero(in_view & (away <= reach_m))
            if fit.size:
                best = fit[int(way[fit].argmin())]
                return (float(places[best, 0]), float(places[best, 1])), float(away[best])
    return None
