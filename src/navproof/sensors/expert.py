"""The shortest path ahead, for oracles. Ground truth: results say when an agent asked for it."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from navproof.core.types import SensorSpec
from navproof.sensors.pose import to_episode_frame
from navproof.sensors.protocol import ReadingSpec, View
from navproof.sensors.registry import register_sensor

__all__ = ["ExpertSensor", "expert"]


@dataclass(frozen=True)
class ExpertSensor:
    """(n, 2) float64: points of the shortest path from the robot to the nearest position of the
    goal in force, in the episode frame; n = 0 where no path exists."""

    spec: SensorSpec

    @property
    def reading(self) -> ReadingSpec:
        return ReadingSpec((None, 2), "float64", -math.inf, math.inf)

    def read(self, view: View) -> NDArray[np.float64]:
        path = view.sim.shortest_path(view.sim.pose.point, view.goals)
        ahead = [to_episode_frame(view.start, x, y) for x, y, _ in path]
        return np.array(ahead, dtype=np.float64).reshape(-1, 2)


@register_sensor("expert", privileged=True, not_given="add")
def expert(spec: SensorSpec) -> ExpertSensor:
    return ExpertSensor(spec)
