"""Each depth corruption against the equations of its model."""

from __future__ import annotations

import math

import numpy as np
import pytest
from depth_scenes import corner, fresh, lasting, room, wall
from scipy import stats

from navproof.corruptions import depth
from navproof.corruptions.kernels.depth_fields import enlarged, smooth_field
from navproof.corruptions.kernels.depth_missing import lose_returns
from navproof.corruptions.kernels.depth_multipath import bounce, echo_error


# ------------------------------------------------------------------------------------- gaussian
@pytest.mark.parametrize("z", [0.3, 1.0, 2.0, 4.0, 7.0])
@pytest.mark.parametrize("intensity", [0.1, 0.6])
def test_noise_is_normal_with_the_published_sigma(z: float, intensity: float) -> None:
    image = wall(z, 300, 300)
    error = depth.gaussian(image, intensity, fresh(), None, 20.0).astype(np.float64) - image
    kinect = 0.0012 + 0.0019 * max(z - 0.4, 0.0) ** 2
    sigma = 10.0 * intensity * kinect
    assert error.std() == pytest.approx(sigma, rel=0.01)
    assert abs(error.mean()) < 4 * sigma / 300
    assert stats.kstest(error.ravel() / sigma, "norm").pvalue > 1e-3


def test_noise_is_independent_between_pixels_and_frames() -> None:
    image = wall(3.0)
    one = depth.gaussian(image, 0.5, fresh(0)) - image
    other = depth.gaussian(image, 0.5, fresh(1)) - image
    assert abs(np.corrcoef(one.ravel(), other.ravel())[0, 1]) < 0.02
    assert abs(np.corrcoef(one[:, 1:].ravel(), one[:, :-1].ravel())[0, 1]) < 0.02


def test_asked_to_last_noise_is_a_fixed_pattern() -> None:
    image = room(32, 32)
    frames = [depth.gaussian(image, 0.5, fresh(step), lasting()) for step in (0, 1)]
    assert np.array_equal(*frames)


# ------------------------------------------------------------------------------------- the fields
@pytest.mark.parametrize("scale", [0.04, 0.06, 0.08])
def test_fields_are_standard_normal_everywhere(scale: float) -> None:
    generator = fresh()
    fields = np.stack(
        [enlarged(smooth_field(generator, 24, 32, scale), 24, 32) for _ in range(2000)]
    )
    assert abs(fields.mean()) < 0.02
    assert np.allclose(fields.std(axis=0), 1.0, atol=0.08)
    assert stats.kstest(fields[:, 10, 17], "norm").pvalue > 1e-3


def test_fields_show_the_same_patches_at_every_size() -> None:
    small = enlarged(smooth_field(lasting(), 60, 80, 0.08), 60, 80)
    large = enlarged(smooth_field(lasting(), 480, 640, 0.08), 480, 640)
    assert np.allclose(small, large[4::8, 4::8], atol=0.2)


# -------------------------------------------------------------------------------------- missing
@pytest.mark.parametrize("intensity", [0.25, 0.6, 1.0])
def test_of_a_facing_wall_at_the_reference_the_stated_share_is_lost(intensity: float) -> None:
    seen = []
    for episode in range(400):
        after = depth.missing(wall(3.0, 33, 33), intensity, fresh(), lasting(str(episode)))
        seen.append(after[16, 16] != np.float32(3.0))
    assert np.mean(seen) == pytest.approx(0.4 * intensity, abs=0.07)


def test_a_quarter_of_what_is_lost_reads_as_the_limit() -> None:
    zeros = limits = 0
    for episode in range(60):
        after = depth.missing(wall(6.0, 48, 48), 1.0, fresh(), lasting(str(episode)))
        zeros += int((after == 0).sum())
        limits += int((after == 10.0).sum())
    assert limits / (zeros + limits) == pytest.approx(0.25, abs=0.06)


def test_a_return_is_weak_by_its_distance_and_incidence() -> None:
    """A floor 1 m under the camera: cos θ = 1 / r, so the power is (3² / r³)²."""
    rows = (np.arange(200) + 0.5 - 100) / 100
    across = (np.arange(200) + 0.5 - 100) / 100
    z = np.where(rows > 0.15, 1.0 / np.maximum(rows, 0.15), 0.0)
    image = np.tile(z[:, None], (1, 200)).astype(np.float32)
    reach = image * np.sqrt(1.0 + rows[:, None] ** 2 + across[None, :] ** 2)
    power = (9.0 / np.maximum(reach, 0.1) ** 3) ** 2
    lost = _losses(image, needed=0.09) == 0
    clear = (image > 0) & (np.abs(np.log(power / 0.09)) > 0.15)
    clear[:117] = False  # the first rows of the floor have a neighbour without depth
    assert np.array_equal(lost[clear], power[clear] < 0.09)
    assert 0.1 < lost[clear].mean() < 0.9


def _losses(image: np.ndarray, needed: float, focal_baseline: float = 0.0) -> np.ndarray:
    level = np.full(image.shape, needed, dtype=np.float32)
    nowhere = np.zeros(image.shape, dtype=np.float32)
    steady = np.zeros(image.shape, dtype=np.uint8)
    gains = np.ones(256, dtype=np.float32)
    return lose_returns(image, level, nowhere, steady, gains, focal_baseline, 3.0, 10.0)


def test_lost_pixels_stay_lost_when_more_is_lost() -> None:
    image = room(96, 96)
    gone = np.zeros(image.shape, dtype=bool)
    for intensity in np.linspace(0.05, 1.0, 20):
        after = depth.missing(image, float(intensity), fresh(), lasting())
        now = after != image
        assert (now | ~gone).all()
        gone = now
    assert 0.3 < gone.mean() < 0.95


def test_materials_last_through_an_episode_and_their_rims_flicker() -> None:
    image = room(128, 128)
    one, two = (depth.missing(image, 0.6, fresh(step), lasting()) == 0 for step in (0, 1))
    other = depth.missing(image, 0.6, fresh(), lasting("another")) == 0
    assert 0.0 < (one ^ two).mean() < 0.05
    assert (one ^ other).mean() > 0.1


def test_the_shadow_of_a_near_edge_is_as_wide_as_the_projector_makes_it() -> None:
    image = wall(4.0, 8, 200)
    image[:, 120:160] = 1.0
    focal_baseline = 100 * 0.1
    after = _losses(image, 0.0, focal_baseline)
    width = focal_baseline * (1 / 1.0 - 1 / 4.0)  # 7.5 pixels
    assert np.flatnonzero(after[4] == 0).tolist() == list(range(120 - math.floor(width), 120))


# ------------------------------------------------------------------------------------ multipath
def test_every_error_is_an_overestimate() -> None:
    for image in (room(), corner(), wall(3.0)):
        for episode in "abc":
            after = depth.multipath(image, 0.8, fresh(), lasting(episode))
            assert (after >= image).all()
            assert (after > image).any()


def test_flat_and_convex_surfaces_send_no_light_to_themselves() -> None:
    assert bounce(wall(2.0), 32, 32, 4)[:, :, 0].max() == 0.0
    x = np.abs(np.arange(256) + 0.5 - 128) / 128
    convex = np.tile((1.0 / (1.0 - 0.5 * x)).astype(np.float32), (256, 1))
    assert bounce(convex, 32, 32, 4)[:, :, 0].max() < 0.005


def test_the_bounce_in_a_corner_agrees_with_a_fine_integral() -> None:
    """One bounce between two walls at right angles, integrated over 400 × 400 points of a wall."""
    echo = bounce(corner(256, 2.0), 32, 32, 4)
    for column in (11, 8, 5):
        x = (2 * column + 1) / 32 - 1
        y = 1 / 32
        z = 2.0 / (1 + abs(x))
        amplitude, delay = _corner_integral(np.array([x * z, y * z, z]))
        assert echo[16, column, 0] == pytest.approx(amplitude, rel=0.1)
        assert echo[16, column, 1] == pytest.approx(delay, rel=0.1)


def _corner_integral(p: np.ndarray) -> tuple[float, float]:
    v, u = np.meshgrid(np.linspace(-1, 1, 401), np.linspace(0, 1, 400), indexing="ij")
    u, v = u + 0.5 / 400, v + 0.5 / 400
    z = 2.0 / (1 + u)
    q = np.stack([u * z, v * z, z], axis=-1)
    normal_q = np.array([-1.0, 0.0, -1.0]) / math.sqrt(2.0)
    normal_p = np.array([1.0, 0.0, -1.0]) / math.sqrt(2.0)
    reach_q = np.linalg.norm(q, axis=-1)
    solid_angle = (1 / 400) * (2 / 401) * (z / reach_q) ** 3
    way = q - p
    length = np.linalg.norm(way, axis=-1)
    arriving = np.maximum(way @ normal_p, 0) / length
    leaving = np.maximum(-(way @ normal_q), 0) / length
    share = solid_angle / math.pi * arriving * leaving / length**2
    reach = float(np.linalg.norm(p))
    incidence = float(-(p @ normal_p)) / reach
    delay = float((share * (reach_q + length - reach)).sum() / share.sum() / 2)
    return float(share.sum()) * reach**2 / incidence, delay


def test_the_phase_is_that_of_the_sum_of_direct_light_and_echoes() -> None:
    echo = np.array([[[0.3, 0.8, 2.5, 2.0]]])
    gloss, lag = np.array([[0.5]], np.float32), np.array([[1.25]], np.float32)
    error = echo_error(echo, gloss, lag, 2.0, 0.6, 10.0)
    phasor = 1 + 0.6 * np.exp(2j * np.pi * 0.08) + 0.3 * np.exp(2j * np.pi * 0.125)
    assert error[0, 0, 0] * 2.5 == pytest.approx(np.angle(phasor) / (2 * np.pi) * 10.0)


def test_corners_err_more_than_open_walls() -> None:
    image = corner()
    error = np.mean(
        [depth.multipath(image, 0.5, fresh(), lasting(str(e))) - image for e in range(40)], axis=0
    )
    flat = np.mean(
        [
            depth.multipath(wall(1.5), 0.5, fresh(), lasting(str(e))) - np.float32(1.5)
            for e in range(40)
        ],
        axis=0,
    )
    assert 0.06 < error[100:150, 100].mean() < 0.25  # near the fold: decimetres at most
    assert error[100:150, 100].mean() > 3 * flat.mean()


def test_a_jump_in_depth_draws_its_rim_towards_what_is_behind() -> None:
    image = wall(4.0, 64, 64)
    image[20:40, 20:40] = 1.0
    after = depth.multipath(image, 1.0, fresh(), lasting())
    assert after[30, 20] == pytest.approx(2.0, abs=0.4)
    assert after[30, 30] < 1.5


# ---------------------------------------------------------------------------------- quantisation
@pytest.mark.parametrize(("intensity", "bits"), [(0.25, 8), (0.5, 6), (1.0, 4)])
def test_levels_are_exact_and_as_many_as_stated(intensity: float, bits: int) -> None:
    image = np.linspace(0.001, 10.0, 200 * 300, dtype=np.float32).reshape(200, 300)
    after = depth.quantisation(image, intensity, fresh())
    step = 10.0 / 2**bits
    assert depth.quantisation_step_m(intensity) == pytest.approx(step)
    levels = np.unique(after).astype(np.float64) / step
    assert np.array_equal(levels, np.arange(1, 2**bits + 1))
    inside = image > step
    assert np.abs(after - image)[inside].max() <= step / 2 + 1e-5
    error = (after - image)[inside].astype(np.float64)
    assert np.mean(error**2) == pytest.approx(step**2 / 12, rel=0.02)


def test_nothing_measured_is_rounded_away() -> None:
    after = depth.quantisation(wall(0.02, 4, 4), 1.0, fresh())
    assert (after == np.float32(0.625)).all()


def test_over_many_depths_a_larger_step_never_errs_less() -> None:
    image = fresh().uniform(0.8, 9.0, (300, 300)).astype(np.float32)
    errors = [
        float(np.mean((depth.quantisation(image, s, fresh()) - image) ** 2))
        for s in np.linspace(0.05, 1.0, 20)
    ]
    assert (np.diff(errors) > 0).all()
