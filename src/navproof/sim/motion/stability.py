"""Whether a walking robot stays up: the capture point of a linear inverted pendulum.

The robot is a point mass at constant height z over its feet, so that ẍ = ω₀²·(x − p) with
ω₀ = √(g/z) and p the centre of pressure under the feet. Its capture point (Pratt et al. 2006;
"extrapolated centre of mass" in Hof 2008) is ξ = x + ẋ/ω₀: the place to step on in order to come to
rest. It obeys ξ̇ = ω₀·(ξ − p), and the robot can be saved while ξ lies over what the feet reach.

A steady gait puts the feet where the capture point of that speed wants them, so what counts is
the offset δ of the capture point from there, in the robot's frame (x ahead, y left):

    δ̇ = ω₀·(δ − p) + a/ω₀,    p = δ·(1 + 1/(ω₀·T)) held inside the support,

where a is the acceleration of the body over the floor (change of speed along the heading, and v·ω
across it in a turn). While p is free, δ decays with the time constant T (``recovery_s``), the
usual feedback on the capture point (Englsberger et al. 2011). Beyond the edge s of the support it
runs away, δ(t) = s + (δ₀ − s)·exp(ω₀·t), unless the robot itself makes good for it in time.

The fall test is that of VLN-PE for H1 (|pitch| > 35°, |roll| > 15°, base less than 0.5 m above the
ankle), applied to the line from the feet to the mass: pitch = atan(δx/z), roll = atan(δy/z), base
above ankle = ``leg_m``·cos(pitch)·cos(roll). So a robot has not fallen at once when its capture
point leaves the support, but it will, after ln((z·tan 35° − s)/(δ₀ − s))/ω₀ seconds when it leans
ahead. Running into something at more than ``impact_m_s`` (across the surface) is a fall, too; below
that, the obstacle takes the momentum up. Turning on the spot shifts no mass in this model.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from navproof.core.jit import jit
from navproof.core.types import Balance

__all__ = [
    "GRAVITY_M_S2",
    "capture_point_m",
    "has_fallen",
    "packed",
    "pendulum_rate",
    "sharpest_m_s2",
    "step_offset",
]

GRAVITY_M_S2 = 9.81
F64 = NDArray[np.float64]


def pendulum_rate(height_m: float) -> float:
    """ω₀ = √(g/z), 1/s."""
    return math.sqrt(GRAVITY_M_S2 / height_m)


def capture_point_m(position_m: float, velocity_m_s: float, height_m: float) -> float:
    """ξ = x + ẋ/ω₀ of a mass at ``height_m``, along one axis."""
    return position_m + velocity_m_s / pendulum_rate(height_m)


def sharpest_m_s2(balance: Balance, edge_m: float) -> float:
    """The acceleration that can be kept up for ever over a support of ``edge_m``: in the steady
    state δ = a·T/ω₀ and p = a·(T/ω₀ + 1/ω₀²), which must not pass the edge."""
    rate = pendulum_rate(balance.height_m)
    return edge_m / (balance.recovery_s / rate + 1.0 / rate**2)


def packed(balance: Balance | None) -> F64:
    """The numbers for the kernels: ω₀, T, the support ahead, behind and to the side, the height,
    the tangents of the greatest pitch and roll, leg, what must be left of it, impact. Empty for
    None."""
    if balance is None:
        return np.empty(0)
    b = balance
    return np.array(
        (
            pendulum_rate(b.height_m), b.recovery_s, b.ahead_m, b.behind_m, b.side_m, b.height_m,
            math.tan(math.radians(b.fall_pitch_deg)), math.tan(math.radians(b.fall_roll_deg)),
            b.leg_m, b.fall_leg_m, b.impact_m_s,
        )
    )  # fmt: skip


@jit
def step_offset(
    balance: F64, dx: float, dy: float, ax: float, ay: float, turned_rad: float, time_s: float
) -> tuple[float, float]:
    """The offset δ after a short time in which the body had the acceleration (ax, ay) and turned;
    all in the robot's frame, δ in the new one."""
    rate, recovery = balance[0], balance[1]
    ahead, behind, side = balance[2], balance[3], balance[4]
    gain = 1.0 + 1.0 / (rate * recovery)
    px = max(-behind, min(ahead, gain * dx))
    py = max(-side, min(side, gain * dy))
    dx += (rate * (dx - px) + ax / rate) * time_s
    dy += (rate * (dy - py) + ay / rate) * time_s
    c, s = math.cos(turned_rad), math.sin(turned_rad)
    return c * dx + s * dy, c * dy - s * dx


@jit
def has_fallen(balance: F64, dx: float, dy: float) -> bool:
    """The fall test of an offset δ (see the top)."""
    height, leg = balance[5], balance[8]
    if abs(dx) > height * balance[6] or abs(dy) > height * balance[7]:
        return True
    if leg <= 0.0:  # a robot that gives no leg length has no test of its height
        return False
    # cos(pitch)·cos(roll), from the tangents dx/height and dy/height.
    upright = 1.0 / math.sqrt((1.0 + (dx / height) ** 2) * (1.0 + (dy / height) ** 2))
    return bool(leg * upright < balance[9])
