"""What a robot is to the physics tier, and the bodies there are.

Everything above a body speaks in forward speed and turning speed of its base (``drive``): wheels
turn them into torques, and a learned gait would turn them into joint targets. A legged body is one
more class here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from navproof.core.errors import SimulationError
from navproof.core.registry import suggest
from navproof.core.types import Robot

__all__ = ["BASE", "HITS_FLOOR", "HITS_OBSTACLES", "Body", "Limits", "body_for"]

BASE = "base"
"""The name of a body's root link and of its free joint."""
HITS_FLOOR, HITS_OBSTACLES = 1, 2
"""Bits of ``conaffinity``: the floor has the first as its ``contype``, obstacles the second."""


@dataclass(frozen=True, slots=True)
class Limits:
    """How fast the speeds of a base change."""

    acceleration_m_s2: float
    turn_acceleration_rad_s2: float


class Body(Protocol):
    """One robot's links, joints and actuators.

    A body keeps no state of its own: what a controller must remember is in MuJoCo's ``data``
    (``ctrl``, ``act``, ``userdata``), because a snapshot holds nothing else.
    """

    @property
    def limits(self) -> Limits: ...

    def build(self, spec: Any) -> None:
        """Add the body to a ``mujoco.MjSpec``: a link ``BASE`` with a free joint ``BASE``, its
        origin on the floor under the robot's middle, x ahead. Feet and wheels hit the floor;
        the rest hits obstacles."""

    def actuate(self, data: Any, v_m_s: float, w_rad_s: float, most: Limits, dt_s: float) -> None:
        """Set the actuators for the next ``dt_s``, so that the base comes to go at these speeds
        (already inside the robot's own), changing them by no more than ``most`` allows."""

    def fallen(self, pitch_rad: float, roll_rad: float) -> bool:
        """Whether a robot whose base is so inclined lies on the floor."""


def body_for(robot: Robot) -> Body:
    """The body with the robot's name; a ``SimulationError`` where there is none."""
    if robot.name not in _BODIES:
        hint = suggest(robot.name, list(_BODIES)) or f"; there is {', '.join(_BODIES)}"
        raise SimulationError(f"the physics tier has no body for robot '{robot.name}'{hint}")
    return _BODIES[robot.name](robot)


def _carter(robot: Robot) -> Body:
    from navproof.sim.physics.carter import Carter

    return Carter(robot)


_BODIES: Mapping[str, Callable[[Robot], Body]] = {"carter": _carter}
