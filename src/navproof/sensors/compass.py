"""Compass: which way it points."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from navproof.core.types import Mount, Noise, SensorSpec
from navproof.sensors.noise import check_noise, drift
from navproof.sensors.protocol import ReadingSpec, View
from navproof.sensors.registry import register_sensor
from navproof.sim.motion.motion import wrap_angle

__all__ = ["CompassSensor", "compass"]


@dataclass(frozen=True)
class CompassSensor:
    """(1,) float64: heading in (−π, π], counter-clockwise from where the episode began, or from
    the world's +x."""

    spec: SensorSpec
    mount: Mount
    noise: Noise

    @property
    def reading(self) -> ReadingSpec:
        return ReadingSpec((1,), "float64", -math.pi, math.pi)

    def read(self, view: View) -> NDArray[np.float64]:
        heading = view.sim.pose.yaw + math.radians(self.mount.yaw_deg)
        if self.spec.frame == "episode":
            heading -= view.start.yaw
        sigma = math.radians(self.noise.heading_sigma_deg)
        bias = math.radians(self.noise.heading_bias_deg)
        heading += float(drift(view, self.spec.name, "heading", sigma, bias, 1)[0])
        return np.array((wrap_angle(heading),), dtype=np.float64)


@register_sensor(
    "compass",
    fields=("mount", "frame", "noise"),
    noise=("heading",),
    parts={
        # A tilt-compensated magnetometer, as data sheets state it: within 2° (two σ); iron nearby
        # 3°.
        "magnetometer": Noise(heading_sigma_deg=1.0, heading_bias_deg=3.0),
    },
)
def compass(spec: SensorSpec) -> CompassSensor:
    return CompassSensor(spec, spec.mount or Mount(), check_noise(spec))
