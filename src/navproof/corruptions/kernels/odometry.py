"""How a robot that counts its wheels' turns goes astray."""

from __future__ import annotations

import math
from typing import TypeAlias

import numpy as np

from navproof.sim.motion.motion import wrap_angle

__all__ = ["Numbers", "drifted", "motion_sigmas"]

Numbers: TypeAlias = tuple[float, float, float, float]
"""(x, y, z, yaw), metres and radians."""

# Squares of them are α1 … α4 of the odometry motion model, at intensity 1.
TURN_PER_TURN = 0.15
TURN_PER_M = 0.08
DISTANCE_PER_DISTANCE = 0.15
DISTANCE_PER_TURN_M = 0.03
# Systematic errors at intensity 1: wheels too large or small, unequal, too far apart.
MOST_SCALE_ERROR = 0.05
MOST_PULL_RAD_PER_M = 0.03
MOST_TURN_ERROR = 0.06


def motion_sigmas(distance_m: float, turn_rad: float, intensity: float) -> tuple[float, float]:
    """Standard deviations of one measured motion: of its distance (m) and of its turn (rad).

    ``σ_d² = α3·d² + α4·ψ²`` and ``σ_ψ² = α1·ψ² + α2·d²`` with α = intensity² · (0.0225 rad²/rad²,
    0.0064 rad²/m², 0.0225 m²/m², 0.0009 m²/rad²). The book's two turns, before and after the
    straight way, are one here: a body that slides along a wall does not turn twice.
    """
    return (
        intensity * math.hypot(DISTANCE_PER_DISTANCE * distance_m, DISTANCE_PER_TURN_M * turn_rad),
        intensity * math.hypot(TURN_PER_TURN * turn_rad, TURN_PER_M * distance_m),
    )


def drifted(
    estimate: Numbers,
    before: Numbers,
    now: Numbers,
    intensity: float,
    rng: np.random.Generator,
    still: np.random.Generator | None,
) -> Numbers:
    """``estimate`` moved by the true motion from ``before`` to ``now`` as it was measured.

    With the true distance d and turn ψ, measured are ``d·(1 + b1) + N(0, σ_d²)`` and
    ``ψ·(1 + b2) + b3·d + N(0, σ_ψ²)``; half of the error in the turn also bends the way. The
    systematic b1, b2, b3 are between half and all of ±5 %, ±6 % and ±0.03 rad/m, times intensity.
    """
    yaw = before[3]
    turn = wrap_angle(now[3] - yaw)
    east, north = now[0] - before[0], now[1] - before[1]
    ahead = math.cos(yaw) * east + math.sin(yaw) * north
    aside = math.cos(yaw) * north - math.sin(yaw) * east
    distance = math.hypot(ahead, aside)
    towards = math.atan2(aside, ahead) if distance > 0.0 else 0.0

    distance_sigma, turn_sigma = motion_sigmas(distance, turn, intensity)
    distance_noise, turn_noise = rng.standard_normal(2).tolist()
    scale, spread, pull = _systematic(still)
    measured = distance * (1.0 + intensity * scale) + distance_sigma * distance_noise
    error = intensity * (spread * turn + pull * distance) + turn_sigma * turn_noise

    heading = estimate[3] + towards + 0.5 * error
    return (
        estimate[0] + measured * math.cos(heading),
        estimate[1] + measured * math.sin(heading),
        estimate[2] + now[2] - before[2],
        wrap_angle(estimate[3] + turn + error),
    )


def _systematic(still: np.random.Generator | None) -> tuple[float, float, float]:
    """What is wrong with this robot's wheels, the same through the episode."""
    if still is None:
        return 0.0, 0.0, 0.0
    sizes = still.uniform(0.5, 1.0, 3) * np.where(still.random(3) < 0.5, 1.0, -1.0)
    scale, spread, pull = sizes.tolist()
    return MOST_SCALE_ERROR * scale, MOST_TURN_ERROR * spread, MOST_PULL_RAD_PER_M * pull
