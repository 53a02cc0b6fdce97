"""Satellite positioning: where its antenna is."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from navproof.core.types import Mount, Noise, SensorSpec
from navproof.sensors.noise import check_noise, drift
from navproof.sensors.pose import to_episode_frame
from navproof.sensors.protocol import ReadingSpec, View
from navproof.sensors.registry import register_sensor

__all__ = ["GpsSensor", "gps"]


@dataclass(frozen=True)
class GpsSensor:
    """(3,) float64: x, y, z in metres, in the episode's frame (the start pose is the origin,
    facing +x) or in the world's. Noise is per axis."""

    spec: SensorSpec
    mount: Mount
    noise: Noise

    @property
    def reading(self) -> ReadingSpec:
        return ReadingSpec((3,), "float64", -math.inf, math.inf)

    def read(self, view: View) -> NDArray[np.float64]:
        now, start, m = view.sim.pose, view.start, self.mount
        c, s = math.cos(now.yaw), math.sin(now.yaw)
        x = now.x + c * m.forward_m - s * m.left_m
        y = now.y + s * m.forward_m + c * m.left_m
        z = now.z + m.height_m
        if self.spec.frame == "episode":
            x, y = to_episode_frame(start, x, y)
            z -= start.z
        n = self.noise
        error = drift(view, self.spec.name, "position", n.position_sigma_m, n.position_bias_m, 3)
        return np.array((x, y, z), dtype=np.float64) + error


@register_sensor(
    "gps",
    fields=("mount", "frame", "noise"),
    noise=("position",),
    parts={
        # GPS SPS Performance Standard, 5th edition (2020): 8 m horizontal at 95 %, 8 = 2.45 σ.
        "gps-sps": Noise(position_sigma_m=3.3),
        # A fixed RTK solution: 1–2 cm.
        "gps-rtk": Noise(position_sigma_m=0.015),
    },
)
def gps(spec: SensorSpec) -> GpsSensor:
    return GpsSensor(spec, spec.mount or Mount(), check_noise(spec))
