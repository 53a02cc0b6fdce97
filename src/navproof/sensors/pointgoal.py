"""Distance and bearing of the goal point: what PointNav tells the agent about its goal."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from navproof.core.types import SensorSpec
from navproof.sensors.protocol import ReadingSpec, View
from navproof.sensors.registry import register_sensor
from navproof.sim.motion.motion import wrap_angle

__all__ = ["PointGoalSensor", "pointgoal"]


@dataclass(frozen=True)
class PointGoalSensor:
    """(2,) float64: straight-line distance (m) on the floor plane, bearing (rad,
    counter-clockwise from straight ahead, in (−π, π]). Of several goal points the nearest."""

    spec: SensorSpec

    @property
    def reading(self) -> ReadingSpec:
        return ReadingSpec((2,), "float64", (0.0, -math.pi), (math.inf, math.pi))

    def read(self, view: View) -> NDArray[np.float64]:
        now = view.sim.pose
        distance, bearing = 0.0, 0.0
        nearest = math.inf
        for x, y, _ in view.goals:
            dx, dy = x - now.x, y - now.y
            reach = math.hypot(dx, dy)
            if reach < nearest:
                nearest = distance = reach
                bearing = wrap_angle(math.atan2(dy, dx) - now.yaw)
        return np.array((round(distance, 6), round(bearing, 6)), dtype=np.float64)


@register_sensor("pointgoal", not_given="leave out")
def pointgoal(spec: SensorSpec) -> PointGoalSensor:
    return PointGoalSensor(spec)
