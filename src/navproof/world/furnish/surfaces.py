"""Room for small things on the surfaces of larger ones."""

from __future__ import annotations

import math

import numpy as np

from navproof.world.furnish.placed import Placed
from navproof.world.furnish.placement import Footprint, overlap
from navproof.world.model import ObjectModel

__all__ = ["find_place"]

_TRIES = 8
_EDGE_M = 0.006
_APART_M = 0.008
_HIGHEST_M = 1.75  # what stands higher is out of sight


def find_place(
    model: ObjectModel,
    host: Placed,
    rng: np.random.Generator,
    u: float | None = None,
    v: float | None = None,
    turn: float | None = None,
    surface: int | None = None,
) -> tuple[float, float, float, float] | None:
    """(x, y, z, yaw) in the world for ``model`` on ``host``, or None where there is no room.

    The thing lies wholly on one surface, below what is above it, clear of what stands there. ``u``
    and ``v`` in [−1, 1] fix the place from back to front and right to left, ``turn`` the angle to
    the host; what is not fixed is left to chance. The place is marked as taken.
    """
    surfaces = host.model.surfaces
    options = [surface] if surface is not None else [int(i) for i in rng.permutation(len(surfaces))]
    low = [float(c) for c in model.mesh.vertices.min(axis=0)]
    high = [float(c) for c in model.mesh.vertices.max(axis=0)]
    hx, hy, height = (high[0] - low[0]) / 2, (high[1] - low[1]) / 2, high[2] - low[2]
    for index in options:
        s = surfaces[index]
        if height > s.clearance_m - 0.005 or host.z + s.z > _HIGHEST_M:
            continue
        for _ in range(_TRIES):
            angle = turn if turn is not None else float(rng.uniform(-0.35, 0.35))
            rx, ry = Footprint(0.0, 0.0, hx, hy, angle).radii()
            if turn is None and (2 * rx > s.size_x - 0.02 or 2 * ry > s.size_y - 0.02):
                angle, rx, ry = 0.0, hx, hy
            free_x, free_y = s.size_x / 2 - rx - _EDGE_M, s.size_y / 2 - ry - _EDGE_M
            if free_x < 0 or free_y < 0:
                break
            x = s.x + (u if u is not None else float(rng.uniform(-1, 1))) * free_x
            y = s.y + (v if v is not None else float(rng.uniform(-1, 1))) * free_y
            spot = Footprint(x, y, hx + _APART_M, hy + _APART_M, angle)
            if any(i == index and overlap(spot, f) for i, f in host.used):
                if u is not None and v is not None:
                    break
                continue
            host.used.append((index, spot))
            c, sn = math.cos(angle), math.sin(angle)
            mx, my = (low[0] + high[0]) / 2, (low[1] + high[1]) / 2
            wx, wy = host.world(x - (c * mx - sn * my), y - (sn * mx + c * my))
            return wx, wy, host.z + s.z - low[2], host.yaw + angle
    return None
