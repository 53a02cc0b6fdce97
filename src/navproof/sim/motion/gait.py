"""How the cameras of a walking robot swing.

A stride is two steps; its phase is φ = 2π·s/``stride_m``, with s the way walked so far (a foot on
the rim of the body walks, too, when the robot turns on the spot). The body rises and falls with
every step and leans to either side once in a stride, the more the faster it goes:

    up = bob_m·r·sin 2φ,   left = sway_m·r·sin φ,   pitch = pitch_deg·r·cos 2φ,

with r = min(1, v/v_max), so a robot that stands sees what it would see without a gait. (Twice and
once per stride: Menz, Lord & Fitzpatrick 2003, "Acceleration patterns of the head and pelvis when
walking on level and irregular surfaces", Gait & Posture 18.) s and v come from the poses before and
after a command alone, so that a recorded walk can be rendered again. Roll is left out: cameras have
none. Agents are not told.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from navproof.core.types import Camera, Pose, Robot
from navproof.sim.motion.state import wrap_angle

__all__ = ["LEVEL", "STANDING", "Sway", "Walking", "mounted", "sway_of", "walked_on"]


@dataclass(frozen=True, slots=True)
class Walking:
    """The way walked so far, and the speed at which."""

    way_m: float = 0.0
    speed_m_s: float = 0.0


STANDING = Walking()


@dataclass(frozen=True, slots=True)
class Sway:
    """How far a walking body is from where it would be if it glided (robot's frame)."""

    up_m: float = 0.0
    left_m: float = 0.0
    pitch_deg: float = 0.0


LEVEL = Sway()


def walked_on(
    robot: Robot, walking: Walking, begin: Pose, end: Pose, time_s: float, at_rest: bool
) -> Walking:
    """After a command that led from one pose to another, ``at_rest`` at its end or not."""
    if robot.gait is None:
        return walking
    turned = abs(wrap_angle(end.yaw - begin.yaw))
    way_m = math.hypot(end.x - begin.x, end.y - begin.y) + robot.radius_m * turned
    speed_m_s = 0.0 if at_rest or time_s <= 0.0 else way_m / time_s
    return Walking(round(walking.way_m + way_m, 6), round(speed_m_s, 6))


def sway_of(robot: Robot, walking: Walking) -> Sway:
    """The equations at the top."""
    gait = robot.gait
    share = min(1.0, walking.speed_m_s / robot.max_speed_m_s)
    if gait is None or share == 0.0:
        return LEVEL
    phase = math.tau * math.fmod(walking.way_m / gait.stride_m, 1.0)
    return Sway(
        round(gait.bob_m * share * math.sin(2.0 * phase), 6),
        round(gait.sway_m * share * math.sin(phase), 6),
        round(gait.pitch_deg * share * math.cos(2.0 * phase), 6),
    )


def mounted(camera: Camera, sway: Sway) -> Camera:
    """The camera where the body's sway has carried it. One that looks aside is pitched by the
    cosine of its yaw (the rest would be roll)."""
    if sway == LEVEL:
        return camera
    pitch_deg = sway.pitch_deg * math.cos(math.radians(camera.yaw_deg))
    return replace(
        camera,
        height_m=camera.height_m + sway.up_m,
        left_m=camera.left_m + sway.left_m,
        pitch_deg=camera.pitch_deg + pitch_deg,
    )
