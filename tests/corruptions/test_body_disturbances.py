"""Disturbances of the mount, the frames and the wheels."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable

import numpy as np
import pytest

from navproof.core.errors import SpecError
from navproof.core.seeding import rng
from navproof.core.types import Camera, SensorSpec
from navproof.corruptions import body
from navproof.corruptions.body import Actuation
from navproof.sim.camera import check_camera, focal_px

GRID = np.linspace(0.0, 1.0, 21)
CAMERA = Camera(width=64, height=48, hfov_deg=79.0, height_m=0.9, pitch_deg=-5.0, yaw_deg=90.0)
DEPTH = SensorSpec("depth", "depth", CAMERA, 0.1, 5.0, every=2, delay_steps=1)
POSE = SensorSpec("pose", "pose")
MOUNTS = [body.latency, body.camera_tilt, body.camera_height, body.wrong_intrinsics]
Mount = Callable[[SensorSpec, float, np.random.Generator], SensorSpec]
mounts = pytest.mark.parametrize("mount", MOUNTS, ids=lambda f: f.__name__)


def still(episode: int = 0) -> np.random.Generator:
    return rng(3, f"episode {episode}", "mount.lasting")


def fresh(step: int = 0) -> np.random.Generator:
    return rng(3, "episode", "drive", step)


# ------------------------------------------------------------------------------------ the mount
@mounts
def test_a_mount_is_as_told_at_zero_and_for_sensors_without_camera(mount: Mount) -> None:
    assert mount(DEPTH, 0.0, still()) == DEPTH
    assert mount(POSE, 1.0, still()) == POSE


@mounts
def test_a_mount_stays_for_an_episode_and_remains_a_camera(mount: Mount) -> None:
    for episode in range(8):
        for intensity in (0.25, 0.6, 1.0):
            real = mount(DEPTH, intensity, still(episode))
            assert real == mount(DEPTH, intensity, still(episode))
            assert real != DEPTH
            assert real.camera is not None
            check_camera(real.camera)
            assert (real.camera.width, real.camera.height) == (64, 48)
            assert (real.name, real.kind, real.every) == ("depth", "depth", 2)


@mounts
def test_sensors_of_one_camera_still_share_it(mount: Mount) -> None:
    rgb = dataclasses.replace(DEPTH, name="rgb", kind="rgb")
    assert mount(rgb, 0.6, still()).camera == mount(DEPTH, 0.6, still()).camera


@pytest.mark.parametrize(
    ("mount", "most", "measure"),
    [
        (body.latency, 5, lambda s: s.delay_steps - 1),
        (body.camera_tilt, 20.0, lambda s: abs(s.camera.pitch_deg + 5.0)),
        (body.camera_tilt, 15.0, lambda s: abs(s.camera.yaw_deg - 90.0)),
        (body.camera_height, 0.45, lambda s: 0.9 - s.camera.height_m),
        (
            body.wrong_intrinsics,
            0.25,
            lambda s: abs(focal_px(s.camera) / focal_px(CAMERA) - 1.0),
        ),
    ],
)
def test_a_mount_errs_in_proportion(
    mount: Mount, most: float, measure: Callable[[SensorSpec], float]
) -> None:
    errors = [measure(mount(DEPTH, float(s), still())) for s in GRID]
    assert (np.diff(errors) >= 0).all()
    tolerance = 0.5 if mount is body.latency else 1e-9
    assert np.allclose(errors, most * GRID, atol=tolerance)
    assert errors[-1] == pytest.approx(most)


def test_mounts_err_either_way() -> None:
    tilts = {
        (c.pitch_deg > -5.0, c.yaw_deg > 90.0)
        for c in (body.camera_tilt(DEPTH, 0.5, still(e)).camera for e in range(60))
        if c is not None
    }
    assert len(tilts) == 4
    wider = [
        c.hfov_deg > 79.0
        for c in (body.wrong_intrinsics(DEPTH, 0.5, still(e)).camera for e in range(60))
        if c is not None
    ]
    assert 15 < sum(wider) < 45


# ---------------------------------------------------------------------------------- the arrival
def test_frames_are_lost_as_often_as_stated_and_never_at_zero() -> None:
    for intensity in (0.0, 0.25, 0.6, 1.0):
        lost = [body.frame_drop(intensity, fresh(step)) for step in range(2000)]
        assert isinstance(lost[0], bool)
        assert np.mean(lost) == pytest.approx(0.9 * intensity, abs=0.035)
    for step in range(50):
        lost = [body.frame_drop(float(s), fresh(step)) for s in GRID]
        assert (np.diff(np.array(lost, dtype=int)) >= 0).all()


# ----------------------------------------------------------------------------------- the wheels
def test_wheels_obey_at_zero() -> None:
    for lasting in (None, still()):
        assert body.wheel_slip(0.0, fresh(), lasting) == Actuation(1.0, 1.0, 0.0)
    assert body.low_battery(0.0, fresh(), still()) == Actuation()


def test_slip_only_loses_and_is_distributed_as_stated() -> None:
    drawn = [body.wheel_slip(0.8, fresh(step)) for step in range(4000)]
    forward = np.array([a.forward for a in drawn])
    turn = np.array([a.turn for a in drawn])
    veer = np.array([a.veer_rad for a in drawn])
    for factor in (forward, turn):
        assert 0.6 <= factor.min() < 0.61
        assert 0.99 < factor.max() <= 1.0
        assert factor.mean() == pytest.approx(0.8, abs=0.01)
    sigma = 0.8 * math.radians(5.0)
    assert veer.std() == pytest.approx(sigma, rel=0.05)
    assert abs(veer.mean()) < 4 * sigma / math.sqrt(4000)
    assert abs(veer).max() <= 3 * sigma
    assert abs(np.corrcoef(forward, turn)[0, 1]) < 0.06


def test_a_lasting_slip_pulls_to_one_side() -> None:
    for episode in range(6):
        veers = [body.wheel_slip(1.0, fresh(s), still(episode)).veer_rad for s in range(800)]
        assert abs(np.mean(veers)) == pytest.approx(math.radians(3.0), rel=0.25)


def test_more_slip_and_less_battery_never_do_better() -> None:
    for step in range(20):
        slips = [body.wheel_slip(float(s), fresh(step), still()) for s in GRID]
        assert (np.diff([a.forward for a in slips]) <= 0).all()
        assert (np.diff([a.turn for a in slips]) <= 0).all()
        assert (np.diff([abs(a.veer_rad) for a in slips]) >= 0).all()
    caps = [body.low_battery(float(s), fresh(), still()) for s in GRID]
    assert np.allclose([a.forward for a in caps], 1.0 - 0.7 * GRID)
    assert all(a.forward == a.turn <= 1.0 and a.veer_rad == 0.0 for a in caps)


@pytest.mark.parametrize("intensity", [-0.1, 1.5, float("nan")])
def test_intensities_out_of_range_are_refused(intensity: float) -> None:
    for mount in MOUNTS:
        with pytest.raises(SpecError, match="intensity"):
            mount(DEPTH, intensity, still())
    for call in (
        lambda: body.frame_drop(intensity, fresh()),
        lambda: body.wheel_slip(intensity, fresh()),
        lambda: body.low_battery(intensity),
    ):
        with pytest.raises(SpecError, match="intensity"):
            call()
