"""The fastest way to cover a distance from rest to rest: a trapezoid of speed over time."""

from __future__ import annotations

import math

from navproof.core.jit import jit

__all__ = ["covered", "ramp", "time_to_cover"]


def time_to_cover(distance: float, speed: float, acceleration: float) -> float:
    """Seconds from rest to rest over a distance ≥ 0 (metres or radians).

    d/v + v/a where the full speed v is reached (d ≥ v²/a), else 2·√(d/a) (a triangle); d/v where
    the acceleration is 0, which stands for no limit.
    """
    if acceleration <= 0.0:
        return distance / speed
    if distance >= speed * speed / acceleration:
        return distance / speed + speed / acceleration
    return 2.0 * math.sqrt(distance / acceleration)


@jit
def covered(
    time_s: float, distance: float, speed: float, acceleration: float
) -> tuple[float, float]:
    """(distance covered, speed) at a time of that motion, 0 ≤ ``time_s`` ≤ ``time_to_cover``."""
    # Where the distance is too short for the full speed, the peak v of the triangle has v²/a = d.
    top = min(speed, math.sqrt(distance * acceleration))
    rising = top / acceleration
    total = distance / top + rising if top > 0.0 else 0.0
    if time_s <= 0.0:
        return 0.0, 0.0
    if time_s >= total:
        return distance, 0.0
    if time_s < rising:
        return 0.5 * acceleration * time_s * time_s, acceleration * time_s
    left = total - time_s
    if left < rising:
        return distance - 0.5 * acceleration * left * left, acceleration * left
    return top * (time_s - 0.5 * rising), top


@jit
def ramp(now: float, target: float, most: float) -> float:
    """A speed moved towards another by no more than ``most``."""
    return now + max(-most, min(most, target - now))
