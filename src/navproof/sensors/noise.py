"""What sensors get wrong: the models. Which kind has which noise, and real parts, are declared
with the kinds.

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
from dataclasses import fields

import numpy as np
from numpy.typing import NDArray

from navproof.core.errors import SpecError
from navproof.core.types import Noise, SensorSpec
from navproof.sensors.protocol import View
from navproof.sensors.registry import SENSORS

__all__ = ["check_noise", "drift", "noisy_ranges", "wandering"]

F64 = NDArray[np.float64]


def check_noise(spec: SensorSpec) -> Noise:
    """The noise of a sensor (none: all zero); ``SpecError`` where it makes no sense."""
    noise = spec.noise or Noise()
    known = SENSORS.get(spec.kind).noise
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
