"""Position and heading sensors: frames, mounts and noise."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from navproof.check.tiny import tiny_simulator
from navproof.core.errors import SpecError
from navproof.core.types import Mount, Noise, Pose, SensorSpec
from navproof.sensors import View, build

START = Pose(-3.0, 1.0, 0.0, math.pi / 2)
NOW = Pose(-3.5, 2.0, 0.0, math.pi)
GPS, COMPASS = SensorSpec("gps", "gps"), SensorSpec("compass", "compass")


SIM = cache(tiny_simulator)


def view(step: int = 0, seed: int = 0) -> View:
    SIM("pointnav-v1").place(NOW)
    return View(SIM("pointnav-v1"), (), START, seed=seed, episode="e", step=step)


def test_without_noise_they_are_exact_in_both_frames() -> None:
    assert build(GPS).read(view()) == pytest.approx([1.0, 0.5, 0.0], abs=1e-6)
    assert build(COMPASS).read(view()) == pytest.approx([math.pi / 2], abs=1e-6)
    world = build(replace(GPS, frame="world")).read(view())
    assert world == pytest.approx([-3.5, 2.0, 0.0], abs=1e-6)
    heading = build(replace(COMPASS, frame="world")).read(view())
    assert abs(heading) == pytest.approx([math.pi], abs=1e-5)


def test_the_antenna_is_where_it_is_mounted() -> None:
    spec = replace(GPS, frame="world", mount=Mount(0.5, forward_m=0.2, left_m=0.1))
    assert build(spec).read(view()) == pytest.approx([-3.7, 1.9, 0.5], abs=1e-5)
    turned = replace(COMPASS, mount=Mount(yaw_deg=90.0))
    assert abs(build(turned).read(view())[0]) == pytest.approx(math.pi, abs=1e-5)


def test_position_noise_is_white_around_an_offset_of_the_episode() -> None:
    spec = replace(GPS, noise=Noise(position_sigma_m=0.5, position_bias_m=2.0))
    sensor, clean = build(spec), build(GPS).read(view())
    drawn = np.array([sensor.read(view(step)) for step in range(400)]) - clean
    assert drawn.std(axis=0) == pytest.approx([0.5] * 3, rel=0.12)
    offset = drawn.mean(axis=0)
    other = np.array([sensor.read(view(step, seed=1)) for step in range(400)]) - clean
    assert np.abs(other.mean(axis=0) - offset).max() > 0.5
    offsets = build(replace(GPS, noise=Noise(position_bias_m=2.0)))
    many = np.array([offsets.read(view(seed=seed)) for seed in range(300)]) - clean
    assert many.std() == pytest.approx(2.0, rel=0.1)
    assert np.array_equal(sensor.read(view(7)), sensor.read(view(7)))


def test_steps_are_independent() -> None:
    sensor = build(replace(GPS, noise=Noise(position_sigma_m=1.0)))
    drawn = np.array([sensor.read(view(step))[0] for step in range(500)])
    assert abs(np.corrcoef(drawn[:-1], drawn[1:])[0, 1]) < 0.15


def test_heading_noise_stays_in_the_circle() -> None:
    sensor = build(replace(COMPASS, frame="world", noise=Noise(heading_sigma_deg=10.0)))
    drawn = np.array([sensor.read(view(step))[0] for step in range(400)])
    assert np.all((drawn > -math.pi) & (drawn <= math.pi))
    off = np.degrees(np.remainder(drawn - math.pi + math.pi, math.tau) - math.pi)
    assert off.std() == pytest.approx(10.0, rel=0.12)


def test_noise_of_another_kind_is_refused() -> None:
    with pytest.raises(SpecError, match="gps sensors have no noise gyro_density"):
        build(replace(GPS, noise=Noise(gyro_density=0.1)))
    with pytest.raises(SpecError, match="position_sigma_m is -1"):
        build(replace(GPS, noise=Noise(position_sigma_m=-1.0)))
