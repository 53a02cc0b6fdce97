"""A disc among obstacles: how far it gets, and which way it is pushed back."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from navproof.core.jit import jit
from navproof.sim.geodesic.navgrid import clearance_at

__all__ = ["SUBSTEP_M", "facing", "slide"]

F64 = NDArray[np.float64]
SUBSTEP_M = 0.01


@jit
def facing(clearance: F64, origin: F64, cell: float, x: float, y: float) -> tuple[float, float]:
    """The unit vector away from the nearest obstacle; (0, 0) between two that are as near."""
    e = 0.5 * cell
    gx = clearance_at(clearance, origin, cell, x + e, y) - clearance_at(
        clearance, origin, cell, x - e, y
    )
    gy = clearance_at(clearance, origin, cell, x, y + e) - clearance_at(
        clearance, origin, cell, x, y - e
    )
    norm = np.sqrt(gx * gx + gy * gy)
    if norm == 0.0:
        return 0.0, 0.0
    return gx / norm, gy / norm


@jit
def slide(
    clearance: F64,
    origin: F64,
    cell: float,
    radius: float,
    sliding: bool,
    x: float,
    y: float,
    dx: float,
    dy: float,
) -> tuple[float, float, float, bool]:
    """Carry a disc from (x, y) by (dx, dy) in substeps: (x, y, metres travelled, collided).

    A substep that would enter an obstacle is shortened to the contact; with sliding, what is left
    of it goes on along the obstacle (its component along the clearance map's gradient removed).
    """
    length = np.sqrt(dx * dx + dy * dy)
    steps = int(np.ceil(length / SUBSTEP_M))
    travelled, collided = 0.0, False
    if steps == 0:
        return x, y, travelled, collided
    sx, sy = dx / steps, dy / steps
    for _ in range(steps):
        if clearance_at(clearance, origin, cell, x + sx, y + sy) >= radius:
            x, y = x + sx, y + sy
            travelled += length / steps
            continue
        collided = True
        low, high = 0.0, 1.0
        # Halving eight times finds the contact to 1/256 of a substep, 0.04 mm.
        for _ in range(8):
            t = 0.5 * (low + high)
            if clearance_at(clearance, origin, cell, x + t * sx, y + t * sy) >= radius:
                low = t
            else:
                high = t
        x, y = x + low * sx, y + low * sy
        travelled += low * length / steps
        if not sliding:
            break
        gx, gy = facing(clearance, origin, cell, x, y)
        if gx == 0.0 and gy == 0.0:
            break
        # Only what points into the obstacle is taken away; what leads off it stays.
        inward = min(0.0, sx * gx + sy * gy)
        tx, ty = (1.0 - low) * (sx - inward * gx), (1.0 - low) * (sy - inward * gy)
        lift = 0.0
        for _ in range(4):
            nx, ny = x + tx + lift * gx, y + ty + lift * gy
            room = clearance_at(clearance, origin, cell, nx, ny)
            if room >= radius:
                travelled += np.sqrt((nx - x) ** 2 + (ny - y) ** 2)
                x, y = nx, ny
                break
            # A curved or inner corner comes nearer along the tangent: the disc is lifted off by
            # what is missing, a few times, and stays at the contact where that does not help.
            lift += radius - room + 1e-4
    return x, y, travelled, collided
