"""Inertial readings against closed forms of motion, and their noise against its constants."""

from __future__ import annotations

import math
from functools import cache

import numpy as np
import pytest
from numpy.typing import NDArray

from navproof.check.tiny import tiny_simulator
from navproof.core.types import Mount, Noise, Pose, SensorSpec
from navproof.sensors import View, build
from navproof.sensors.imu import GRAVITY_M_S2
from navproof.sim.motion.motion import wrap_angle

DT = 0.1
SIM = cache(tiny_simulator)
F64 = NDArray[np.float64]


def read(past: list[Pose], spec: SensorSpec, step: int = 0, seed: int = 0) -> F64:
    sim = SIM("pointnav-v1")
    sim.place(Pose(-3.0, 1.0))
    first = step + 1 - len(past) if step else 0
    ticks = tuple(((first + i) * DT, pose) for i, pose in enumerate(past))
    view = View(sim, (), sim.pose, past=ticks, seed=seed, episode="e", step=step)
    reading = build(spec).read(view)
    assert reading.dtype == np.float64
    return reading  # type: ignore[return-value]


def imu(noise: Noise | None = None, *, gravity: bool = False, **mount: float) -> SensorSpec:
    return SensorSpec("imu", "imu", mount=Mount(**mount), gravity=gravity, noise=noise)


def on_circle(radius: float, speed: float, t: float) -> Pose:
    """Counter-clockwise round the origin."""
    angle = speed / radius * t
    x, y = radius * math.cos(angle), radius * math.sin(angle)
    return Pose(x, y, 0.0, wrap_angle(angle + math.pi / 2))


def test_at_rest_it_feels_gravity_alone() -> None:
    still = [Pose(1.0, 2.0, 0.0, 0.3)] * 3
    assert read(still, imu(gravity=True)).tolist() == [0, 0, GRAVITY_M_S2, 0, 0, 0]
    assert read(still, imu()).tolist() == [0.0] * 6
    assert read(still[:1], imu(gravity=True)).tolist() == [0, 0, GRAVITY_M_S2, 0, 0, 0]


@pytest.mark.parametrize("yaw", [0.0, 2.0])
def test_straight_acceleration_is_felt_ahead(yaw: float) -> None:
    a = 0.8
    along = [0.5 * a * (i * DT) ** 2 for i in (4, 5, 6)]
    poses = [Pose(s * math.cos(yaw), s * math.sin(yaw), 0.0, yaw) for s in along]
    assert read(poses, imu()) == pytest.approx([a, 0, 0, 0, 0, 0], abs=1e-9)


def test_setting_out_and_stopping() -> None:
    """From rest to 0.5 m/s within a tick, and back."""
    assert read([Pose(0, 0), Pose(0.05, 0)], imu())[:2] == pytest.approx([5.0, 0.0])
    stop = [Pose(0, 0), Pose(0.05, 0), Pose(0.05, 0)]
    assert read(stop, imu())[:2] == pytest.approx([-5.0, 0.0])


def test_a_steady_turn_is_centripetal_and_turns_at_its_rate() -> None:
    radius, speed = 2.0, 0.8
    w = speed / radius
    poses = [on_circle(radius, speed, t) for t in (1.0, 1.1, 1.2)]
    ax, ay, az, wx, wy, wz = read(poses, imu())
    blunt = (math.sin(w * DT / 2) / (w * DT / 2)) ** 2  # a central difference over two ticks
    assert (ax, az, wx, wy) == pytest.approx((0, 0, 0, 0), abs=1e-9)
    assert ay == pytest.approx(speed**2 / radius * blunt, abs=1e-9)
    assert blunt == pytest.approx(1.0, abs=2e-4)
    assert wz == pytest.approx(w, abs=1e-9)


def test_angular_velocity_adds_up_to_the_heading_across_the_branch() -> None:
    yaws = [wrap_angle(3.0 + 0.1 * i) for i in range(6)]
    poses = [Pose(0, 0, 0, yaw) for yaw in yaws]
    turned = sum(read(poses[i : i + 2], imu())[5] * DT for i in range(5))
    assert turned == pytest.approx(0.5)


def test_a_lever_arm_feels_the_turn() -> None:
    """Turning on the spot at ω, a sensor r ahead is drawn back by ω²r."""
    w, r = 1.0, 0.3
    poses = [Pose(0, 0, 0, w * DT * i) for i in range(3)]
    ax, ay, *_ = read(poses, imu(forward_m=r))
    assert ax == pytest.approx(-(w**2) * r, rel=1e-3)
    assert ay == pytest.approx(0.0, abs=1e-9)


def test_axes_are_the_mounts() -> None:
    poses = [Pose(0.5 * (i * DT) ** 2, 0) for i in (4, 5, 6)]
    assert read(poses, imu(yaw_deg=90.0))[:3] == pytest.approx([0, -1, 0], abs=1e-9)
    up = read([Pose(0, 0)] * 3, imu(pitch_deg=90.0, gravity=True))[:3]
    assert up == pytest.approx([GRAVITY_M_S2, 0, 0], abs=1e-9)


def test_white_noise_has_its_density_over_the_root_of_the_tick() -> None:
    noise = Noise(gyro_density=0.01, accel_density=0.2)
    still = [Pose(0, 0)] * 3
    drawn = np.array([read(still, imu(noise), step) for step in range(5, 705)])
    assert drawn[:, :3].std() == pytest.approx(0.2 / math.sqrt(DT), rel=0.06)
    assert drawn[:, 3:].std() == pytest.approx(0.01 / math.sqrt(DT), rel=0.06)
    assert np.abs(drawn[:, 3:].mean(axis=0)).max() < 4 * 0.01 / math.sqrt(DT * 700)
    assert np.array_equal(drawn[3], read(still, imu(noise), 8))
    assert not np.array_equal(drawn[3], read(still, imu(noise), 8, seed=1))


def test_bias_lasts_the_episode_and_walks_by_the_root_of_time() -> None:
    still = [Pose(0, 0)] * 3
    fixed = imu(Noise(gyro_bias=0.1))
    assert np.array_equal(read(still, fixed, 5), read(still, fixed, 500))
    begun = np.array([read(still, fixed, 5, seed)[3:] for seed in range(200)])
    assert begun.std() == pytest.approx(0.1, rel=0.1)
    walks = imu(Noise(gyro_walk=0.02))
    gone = np.array([read(still, walks, 400, seed)[3:] for seed in range(200)])
    assert gone.std() == pytest.approx(0.02 * math.sqrt(400 * DT), rel=0.12)
    steps = np.array([read(still, walks, n)[3:] for n in range(100, 300)])
    assert np.diff(steps, axis=0).std() == pytest.approx(0.02 * math.sqrt(DT), rel=0.12)
