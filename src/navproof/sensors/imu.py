"""Inertial measurement: acceleration and angular velocity from the last ticks.

With the sensor at p₀, p₁, p₂ at times t₀ < t₁ < t₂ (now), v₁ = (p₁ − p₀)/(t₁ − t₀) and
v₂ = (p₂ − p₁)/(t₂ − t₁) are the mean velocities of two ticks. Acceleration is
(v₂ − v₁)/(t₂ − t₁), in the sensor's axes at t₁; angular velocity is the mean of the last tick,
(ψ₂ − ψ₁)/(t₂ − t₁), so that adding it up gives the heading. The lever arm of the mount is in p.
Poses are rounded to a micrometre, which at ticks of 0.1 s is 10⁻⁴ m/s². Before an episode the
robot stands still.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from navproof.core.types import Mount, Noise, Pose, SensorSpec
from navproof.sensors.noise import check_noise, wandering
from navproof.sensors.protocol import ReadingSpec, View
from navproof.sensors.rays import axes
from navproof.sensors.registry import register_sensor
from navproof.sim.motion.motion import wrap_angle

__all__ = ["GRAVITY_M_S2", "ImuSensor", "imu"]

GRAVITY_M_S2 = 9.80665
"""Standard gravity (ISO 80000-3)."""
F64 = NDArray[np.float64]


@dataclass(frozen=True)
class ImuSensor:
    """(6,) float64: acceleration (m/s²) ahead, left and up, then angular velocity (rad/s) about
    the same axes. With ``gravity``, what an accelerometer feels: +9.81 upwards at rest."""

    spec: SensorSpec
    mount: Mount
    noise: Noise

    @property
    def reading(self) -> ReadingSpec:
        return ReadingSpec((6,), "float64", -math.inf, math.inf)

    def read(self, view: View) -> NDArray[np.float64]:
        force, turning = self._motion(view)
        if self.spec.gravity:
            force[2] += GRAVITY_M_S2
        tilt = axes(self.mount)
        n, name = self.noise, self.spec.name
        felt = tilt @ force + wandering(
            view, name, "accel", n.accel_density, n.accel_walk, n.accel_bias
        )
        turned = tilt @ turning + wandering(
            view, name, "gyro", n.gyro_density, n.gyro_walk, n.gyro_bias
        )
        return np.concatenate([felt, turned])

    def _motion(self, view: View) -> tuple[F64, F64]:
        """Acceleration and angular velocity in the robot's axes."""
        still, nothing = np.zeros(3), np.zeros(3)
        if len(view.past) < 2:
            return nothing, still
        (before_s, before), (now_s, now) = view.past[-2:]
        tick_s = now_s - before_s
        turning = np.array((0.0, 0.0, wrap_angle(now.yaw - before.yaw) / tick_s))
        speed = (self._place(now) - self._place(before)) / tick_s
        if len(view.past) > 2:
            earlier_s, earlier = view.past[-3]
            gone = self._place(before) - self._place(earlier)
            speed -= gone / (before_s - earlier_s)
        c, s = math.cos(before.yaw), math.sin(before.yaw)
        x, y, z = speed / tick_s
        return np.array((c * x + s * y, c * y - s * x, z)), turning

    def _place(self, pose: Pose) -> F64:
        c, s = math.cos(pose.yaw), math.sin(pose.yaw)
        m = self.mount
        return np.array(
            (
                pose.x + c * m.forward_m - s * m.left_m,
                pose.y + s * m.forward_m + c * m.left_m,
                pose.z + m.height_m,
            )
        )


@register_sensor(
    "imu",
    fields=("mount", "gravity", "noise"),
    noise=("gyro", "accel"),
    parts={
        # ADIS16448 as calibrated for the EuRoC data set (Burri et al., IJRR 2016, sensor.yaml).
        "adis16448": Noise(
            gyro_density=1.6968e-4, gyro_walk=1.9393e-5, accel_density=2e-3, accel_walk=3e-3
        ),
    },
)
def imu(spec: SensorSpec) -> ImuSensor:
    return ImuSensor(spec, spec.mount or Mount(), check_noise(spec))
