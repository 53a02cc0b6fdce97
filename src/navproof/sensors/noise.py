"""What sensors get wrong: the models, typical parts, and which kind has which noise.

Everything is drawn from ``View.fresh`` (anew at every step) and ``View.lasting`` (once per
episode), so a reading depends on seed, episode, sensor and step alone; a σ of 0 changes no bit.

* Range (lidar): r + N(0, σ₀² + (σ₁ r)²), and a beam is lost with a fixed probability: the "hit"
  and "max" parts of the beam model (Thrun, Burgard, Fox, "Probabilistic Robotics", 2005, 6.3).
* Inertial: over a tick of Δt, white noise N/√Δt, plus a bias that begins at N(0, b²) and walks by
  K·√Δt a tick. N (angle or velocity random walk) and K (rate random walk) are the constants read
  off an Allan deviation at slopes −½ and +½ (IEEE Std 952; Woodman, "An introduction to inertial
  navigation", UCAM-CL-TR-696, 2007).
* Position and heading (gps, compass): white noise and an offset per episode, per axis.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import fields

import numpy as np
from numpy.typing import NDArray

from navproof.core.errors import SpecError
from navproof.core.types import Noise, SensorKind, SensorSpec
from navproof.sensors.protocol import View

__all__ = ["HAS_NOISE", "PARTS", "check_noise", "drift", "noisy_ranges", "wandering"]

F64 = NDArray[np.float64]

HAS_NOISE: Mapping[SensorKind, str] = {
    "lidar": "range",
    "imu": "gyro accel",
    "gps": "position",
    "compass": "heading",
}
"""How the fields of ``Noise`` that a kind knows begin."""

PARTS: Mapping[str, tuple[SensorKind, Noise]] = {
    # Hokuyo UTM-30LX data sheet: repeated accuracy σ < 10 mm from 0.1 to 10 m.
    "utm-30lx": ("lidar", Noise(range_sigma_m=0.01)),
    # Velodyne VLP-16 user manual: ±3 cm typical, taken as two σ.
    "vlp-16": ("lidar", Noise(range_sigma_m=0.015)),
    # ADIS16448 as calibrated for the EuRoC data set (Burri et al., IJRR 2016, sensor.yaml).
    "adis16448": (
        "imu",
        Noise(gyro_density=1.6968e-4, gyro_walk=1.9393e-5, accel_density=2e-3, accel_walk=3e-3),
    ),
    # GPS SPS Performance Standard, 5th edition (2020): 8 m horizontal at 95 %, 8 = 2.45 σ.
    "gps-sps": ("gps", Noise(position_sigma_m=3.3)),
    # A fixed RTK solution: 1–2 cm.
    "gps-rtk": ("gps", Noise(position_sigma_m=0.015)),
    # A tilt-compensated magnetometer, as data sheets state it: within 2° (two σ); iron nearby 3°.
    "magnetometer": ("compass", Noise(heading_sigma_deg=1.0, heading_bias_deg=3.0)),
}


def check_noise(spec: SensorSpec) -> Noise:
    """The noise of a sensor (none: all zero); ``SpecError`` where it makes no sense."""
    noise = spec.noise or Noise()
    known = HAS_NOISE.get(spec.kind, "").split()
    for field in fields(Noise):
        value = getattr(noise, field.name)
        if not (math.isfinite(value) and value >= 0.0):
            raise SpecError(
                f"sensor '{spec.name}': noise {field.name} is {value}; it must be 0 or more"
            )
        if value and field.name.split("_")[0] not in known:
            raise SpecError(f"sensor '{spec.name}': {spec.kind} sensors have no noise {field.name}")
    if noise.range_dropout > 1.0:
        raise SpecError(
            f"sensor '{spec.name}': noise range_dropout is {noise.range_dropout}; at most 1"
        )
    return noise


def noisy_ranges(ranges: F64, noise: Noise, view: View, sensor: str) -> F64:
    """Ranges (n,) as measured; holes (0) stay holes."""
    if noise.range_sigma_m or noise.range_sigma_ratio:
        sigma = np.hypot(noise.range_sigma_m, noise.range_sigma_ratio * ranges)
        draws = view.fresh(sensor, "range").standard_normal(len(ranges))
        ranges = np.where(ranges > 0.0, np.maximum(ranges + sigma * draws, 0.0), 0.0)
    if noise.range_dropout:
        lost = view.fresh(sensor, "dropout").random(len(ranges)) < noise.range_dropout
        ranges = np.where(lost, 0.0, ranges)
    return ranges


def drift(view: View, sensor: str, stream: str, sigma: float, bias: float, axes: int) -> F64:
    """(axes,) white noise of ``sigma`` on an offset of σ ``bias`` that lasts the episode."""
    error = np.zeros(axes)
    if sigma:
        error += sigma * view.fresh(sensor, stream).standard_normal(axes)
    if bias:
        error += bias * view.lasting(sensor, stream).standard_normal(axes)
    return error


def wandering(
    view: View, sensor: str, stream: str, density: float, walk: float, bias: float
) -> F64:
    """(3,) error of an inertial sensor over the last tick. The walk of n steps is the sum of the
    first n draws of one stream, scaled by the mean tick, so nothing is carried along."""
    now_s = view.past[-1][0]
    tick_s = now_s - view.past[-2][0] if len(view.past) > 1 else 0.0
    error = drift(view, sensor, stream, density / math.sqrt(tick_s) if tick_s else 0.0, bias, 3)
    if walk and view.step:
        draws = view.lasting(sensor, f"{stream}.walk").standard_normal((view.step, 3))
        error += walk * math.sqrt(now_s / view.step) * draws.sum(axis=0)
    return error
