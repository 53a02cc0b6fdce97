"""The noise of ``low_light_noise`` against the distributions it is made of."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import numpy.typing as npt
import pytest
from scipy import stats

from navproof.core.seeding import rng
from navproof.corruptions.kernels import noise
from navproof.corruptions.kernels.tone import FULL, LINEAR

LIT = np.full(256, FULL, np.uint16)


def raw(
    light: float, sensor: noise.Sensor, shape: tuple[int, int] = (256, 256), seed: int = 0
) -> npt.NDArray[np.float64]:
    """A flat field that gives ``light`` of full scale, read out."""
    image = np.zeros((*shape, 3), np.uint8)
    mask = np.full(shape, round(light * FULL), np.uint16)
    return noise.raw_frame(image, LIT, mask, sensor, rng(seed, "flat", "noise")).astype(np.float64)


def only_shot(gain: float) -> noise.Sensor:
    return noise.Sensor(gain, 0.0, 0.0)


@pytest.mark.parametrize("mean", [0.05, 0.4, 1.0, 2.7, 7.3, 15.9, 16.1, 30.0, 60.0])
def test_shot_noise_counts_electrons_as_poisson_does(mean: float) -> None:
    gain = 8.0
    light = round(mean * gain / noise.WHITE * FULL) / FULL
    counts = raw(light, only_shot(gain)).ravel() / gain
    mean = light * noise.WHITE / gain
    assert np.array_equal(counts, np.rint(counts))
    n = counts.size
    expected = stats.poisson(mean)
    assert abs(counts.mean() - mean) < 5 * np.sqrt(mean / n) + 2e-3
    assert counts.var() == pytest.approx(mean, rel=0.03, abs=0.003)
    values = np.arange(int(counts.max()) + 2)
    empirical = np.searchsorted(np.sort(counts), values, side="right") / n
    assert np.abs(empirical - expected.cdf(values)).max() < 2.0 / np.sqrt(n)


def test_shot_variance_is_proportional_to_the_mean_with_the_gain_as_slope() -> None:
    gain = 4.0
    lights = np.array([0.02, 0.1, 0.2, 0.4, 0.6])
    frames = [raw(light, only_shot(gain), seed=k) for k, light in enumerate(lights)]
    means, variances = [f.mean() for f in frames], [f.var() for f in frames]
    slope, intercept = np.polyfit(means, variances, 1)
    assert slope == pytest.approx(gain, rel=0.03)
    assert abs(intercept) < 0.02 * max(variances)


def test_read_noise_has_the_quantiles_of_tukeys_lambda() -> None:
    scale = 8.0
    frame = raw(0.0, noise.Sensor(1.0, scale, 0.0), (300, 300))
    probabilities = np.array([0.001, 0.01, 0.1, 0.25, 0.5, 0.75, 0.9, 0.99, 0.999])
    expected = scale * stats.tukeylambda(noise.SHAPE).ppf(probabilities)
    measured = np.quantile(frame, probabilities)
    spread = np.sqrt(probabilities * (1 - probabilities) / frame.size)
    density = stats.tukeylambda(noise.SHAPE).pdf(expected / scale) / scale
    assert np.all(np.abs(measured - expected) < 5 * spread / density + 1.0)
    assert frame.mean() == pytest.approx(0.0, abs=0.15)


def test_read_noise_is_independent_between_pixels_and_channels() -> None:
    frame = raw(0.0, noise.Sensor(1.0, 8.0, 0.0))
    for a, b in (
        (frame[:, 1:], frame[:, :-1]),
        (frame[1:], frame[:-1]),
        (frame[..., 0], frame[..., 1]),
        (frame[..., 1], frame[..., 2]),
    ):
        assert abs(np.corrcoef(a.ravel(), b.ravel())[0, 1]) < 0.015


def test_shot_and_read_noise_of_a_pixel_are_independent() -> None:
    """Both come from the same 64 bits: their variances must add up."""
    both = raw(0.02, noise.Sensor(4.0, 6.0, 0.0)).var()
    shot = raw(0.02, only_shot(4.0), seed=1).var()
    read = 36.0 * stats.tukeylambda(noise.SHAPE).var()
    assert both == pytest.approx(shot + read + 1 / 12, rel=0.03)


def test_row_noise_is_one_normal_number_a_row() -> None:
    frame = raw(0.5, noise.Sensor(1e-12, 0.0, 25.0), (600, 5))
    level = round(0.5 * FULL) / FULL * noise.WHITE
    assert np.all(frame == frame[:, :1, :1])
    offsets = frame[:, 0, 0] - level
    assert offsets.std() == pytest.approx(25.0, rel=0.12)
    assert stats.kstest(offsets / 25.0, "norm").pvalue > 1e-3


def test_the_sensor_gives_whole_numbers_within_its_ten_bits() -> None:
    dark = raw(0.0, noise.Sensor(8.7, 60.0, 0.0))
    assert np.array_equal(dark, np.rint(dark))
    assert dark.min() == -noise.BLACK
    assert raw(1.0, noise.Sensor(8.7, 60.0, 0.0)).max() == noise.WHITE


def test_without_noise_only_rounding_is_left() -> None:
    image = np.arange(256, dtype=np.uint8).repeat(3).reshape(16, 16, 3)
    sensor = noise.Sensor(1e-9, 0.0, 0.0)
    full = np.full((16, 16), FULL, np.uint16)
    frame = noise.raw_frame(image, LINEAR, full, sensor, rng(0, "e", "s"))
    exact = LINEAR[image] / FULL * noise.WHITE
    assert np.abs(frame - exact).max() <= 0.5 + 1e-3
    assert np.abs(noise.developed(frame).astype(int) - image).max() <= 6
    assert len(np.unique(noise.developed(np.arange(960, dtype=np.int16).reshape(20, 16, 3)))) < 256


def test_gain_and_noise_rise_with_intensity_to_the_calibrated_iso_6400() -> None:
    sensors = [noise.Sensor.at(k / 10) for k in range(11)]
    for a, b in pairwise(sensors):
        assert a.gain < b.gain
        assert a.read < b.read
        assert a.row < b.row
    assert sensors[0].gain == pytest.approx(0.1366021)
    assert sensors[-1].gain == pytest.approx(8.7425333)
    assert sensors[-1].read == pytest.approx(np.exp(0.85187 * np.log(8.7425333) + 0.07991))
