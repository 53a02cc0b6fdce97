"""What a robot carries from one command to the next, besides its pose; how poses are kept."""

from __future__ import annotations

import math
from dataclasses import dataclass

from navproof.core.types import Pose

__all__ = ["AT_REST", "PERFECT", "BodyState", "SetWheels", "rounded", "wrap_angle"]


@dataclass(frozen=True, slots=True)
class BodyState:
    """Speeds, the offset of the capture point (``sim.motion.stability``), whether it has fallen,
    and what is left of the waypoints that it was given last (world; the first point is where the
    piece begins that it is on, if its controller has such). Robots without limits of acceleration
    are always at rest between two commands."""

    v_m_s: float = 0.0
    w_rad_s: float = 0.0
    ahead_m: float = 0.0
    left_m: float = 0.0
    fallen: bool = False
    path: tuple[tuple[float, float], ...] = ()


AT_REST = BodyState()


@dataclass(frozen=True, slots=True)
class SetWheels:
    """Those that do what they are told, unless set otherwise (see ``protocol.Wheels``)."""

    forward: float = 1.0
    turn: float = 1.0
    veer_rad: float = 0.0


PERFECT = SetWheels()


def wrap_angle(angle: float) -> float:
    """The same direction in (−π, π]."""
    wrapped = math.remainder(angle, math.tau)
    return math.pi if wrapped == -math.pi else wrapped


def rounded(x: float, y: float, z: float, yaw: float) -> Pose:
    """Poses live on a grid of 1e-6, so that a last-bit difference of a machine's sine cannot
    grow into another trajectory. Adding 0.0 turns −0.0 into 0.0."""
    return Pose(
        round(float(x), 6) + 0.0, round(float(y), 6) + 0.0, z, round(wrap_angle(yaw), 6) + 0.0
    )
