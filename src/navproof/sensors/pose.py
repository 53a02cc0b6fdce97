"""GPS and compass: the robot's pose in the episode frame (start pose = origin, facing +x)."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from navproof.core.types import Pose, SensorSpec
from navproof.sensors.protocol import ReadingSpec, View
from navproof.sensors.registry import register_sensor
from navproof.sim.motion.motion import wrap_angle

__all__ = ["PoseSensor", "pose", "to_episode_frame"]

_DECIMALS = 6


def to_episode_frame(start: Pose, x: float, y: float) -> tuple[float, float]:
    """A world point in the frame whose origin is ``start`` and whose +x is where it faces."""
    c, s = math.cos(start.yaw), math.sin(start.yaw)
    dx, dy = x - start.x, y - start.y
    return round(c * dx + s * dy, _DECIMALS), round(c * dy - s * dx, _DECIMALS)


@dataclass(frozen=True)
class PoseSensor:
    """(4,) float64: x, y, z in metres and yaw in (−π, π], rounded to a micrometre."""

    spec: SensorSpec

    @property
    def reading(self) -> ReadingSpec:
        return ReadingSpec((4,), "float64", -math.inf, math.inf)

    def read(self, view: View) -> NDArray[np.float64]:
        now, start = view.sim.pose, view.start
        x, y = to_episode_frame(start, now.x, now.y)
        z = round(now.z - start.z, _DECIMALS)
        yaw = round(wrap_angle(now.yaw - start.yaw), _DECIMALS)
        return np.array((x, y, z, yaw), dtype=np.float64)


@register_sensor("pose", sees="pose", fields=(), not_given="add")
def pose(spec: SensorSpec) -> PoseSensor:
    return PoseSensor(spec)
