"""The blurs, stains and lights against independent references."""

from __future__ import annotations

import itertools
import math

import cv2
import numpy as np
import pytest

from navproof.core.seeding import rng
from navproof.corruptions import rgb
from navproof.corruptions.kernels.blur import blur_along
from navproof.corruptions.kernels.disc import blur_disc
from navproof.corruptions.kernels.flare import stray_light
from navproof.corruptions.kernels.spatter import stains
from navproof.corruptions.kernels.tone import ENCODE, FULL, LINEAR, dimmed


def noise(height: int = 90, width: int = 110) -> np.ndarray:
    return rng(3, "e", "t").integers(0, 256, (height, width, 3), dtype=np.uint8)


@pytest.mark.parametrize("radius", [0.4, 1.5, 3.0, 6.86, 11.43])
def test_defocus_is_a_convolution_with_a_disc(radius: float) -> None:
    fine, side = 16, math.ceil(radius) + 1
    grid = (np.arange((2 * side + 1) * fine) + 0.5) / fine - side - 0.5
    disc = (grid[:, None] ** 2 + grid[None, :] ** 2 <= radius**2).astype(float)
    kernel = disc.reshape(2 * side + 1, fine, 2 * side + 1, fine).mean(axis=(1, 3))
    image = noise()
    wanted = cv2.filter2D(
        image.astype(float), -1, kernel / kernel.sum(), borderType=cv2.BORDER_REFLECT
    )
    error = blur_disc(image, radius, 0.0) - wanted
    assert error.std() < 0.04 * image.std()  # on white noise, the worst there is
    assert abs(error.mean()) < 0.6


def test_motion_blur_has_the_published_weights_along_its_line() -> None:
    image = np.zeros((81, 81, 3), np.uint8)
    image[40, 60] = 255
    out = blur_along(image, 30.0, 8.0, 0.0)[..., 0].astype(float)
    weights = np.exp(-0.5 * (np.arange(30) / 8.0) ** 2)
    assert np.abs(out[40, 60 - np.arange(30)] - 255 * weights / weights.sum()).max() < 1.0
    assert out[np.arange(81) != 40].sum() == 0


@pytest.mark.parametrize("degrees", [-45.0, -20.0, 13.0, 45.0])
def test_motion_blur_smears_in_its_direction(degrees: float) -> None:
    image = np.zeros((101, 101, 3), np.uint8)
    image[50, 50] = 255
    out = blur_along(image, 40.0, 15.0, math.radians(degrees))[..., 0].astype(float)
    rows, columns = np.nonzero(out)
    slope = np.polyfit(columns - 50, rows - 50, 1)[0]
    assert math.degrees(math.atan(slope)) == pytest.approx(degrees, abs=2.0)
    length = np.hypot(rows - 50, columns - 50).max()
    assert 32 < length <= 41


@pytest.mark.parametrize("angle_rad", [-0.7, 0.0, 0.3])
@pytest.mark.parametrize(("length", "sigma"), [(0.4, 0.1), (3.0, 1.0), (34.3, 9.1), (80.0, 30.0)])
def test_motion_blur_is_within_a_grey_level_of_the_exact_sum(
    length: float, sigma: float, angle_rad: float
) -> None:
    image = noise(40, 50)
    stride, slope = 1.0 / math.cos(angle_rad), math.tan(angle_rad)
    wanted, total = np.zeros(image.shape), 0.0
    for column in range(int(length / stride) + 1):
        weight = math.exp(-0.5 * (column * stride / sigma) ** 2)
        weight *= min(1.0, length / stride - column) if column else 1.0
        row = math.floor(column * slope)
        xs = np.minimum(np.arange(50) + column, 49)
        for k, part in ((0, 1.0 + row - column * slope), (1, column * slope - row)):
            ys = np.clip(np.arange(40) + row + k, 0, 39)
            wanted += weight * part * image[ys][:, xs]
        total += weight
    assert np.abs(blur_along(image, length, sigma, angle_rad) - wanted / total).max() < 1.6


@pytest.mark.parametrize("size", [0.3, 0.6, 2.0, 11.4, 40.0, 170.0])
@pytest.mark.parametrize("value", [0, 1, 2, 254, 255])
def test_blurs_of_any_size_leave_every_grey_as_it_is(size: float, value: int) -> None:
    flat = np.full((9, 12, 3), value, np.uint8)
    assert np.array_equal(blur_disc(flat, size, 0.5), flat)
    assert np.array_equal(blur_along(flat, 2.0 * size, size, 0.3), flat)


@pytest.mark.parametrize("blur", [rgb.motion_blur, rgb.defocus])
def test_blurs_leave_flat_images_alone_and_grow_with_the_image(blur: object) -> None:
    assert callable(blur)
    flat = np.full((60, 80, 3), (255, 130, 1), np.uint8)
    assert np.array_equal(blur(flat, 1.0, rng(0, "e", "s")), flat)
    step = np.zeros((448, 448, 3), np.uint8)
    step[:, 224:] = 255
    small = cv2.resize(step, (224, 224), interpolation=cv2.INTER_AREA).astype(np.uint8)
    widths = [
        int(((b[b.shape[0] // 2, :, 0] > 2) & (b[b.shape[0] // 2, :, 0] < 253)).sum())
        for b in (blur(s, 0.8, rng(0, "e", "s")) for s in (small, step))
    ]
    assert widths[1] == pytest.approx(2 * widths[0], abs=4)


def test_linear_light_comes_back_as_it_was() -> None:
    assert np.array_equal(ENCODE[LINEAR >> 2], np.arange(256))
    image = noise()
    assert np.array_equal(
        dimmed(image, LINEAR, np.full(image.shape[:2], FULL, np.uint16), ENCODE), image
    )
    half = dimmed(image, LINEAR, np.full(image.shape[:2], FULL // 2, np.uint16), ENCODE)
    srgb = image / 255.0
    light = np.where(srgb <= 0.04045, srgb / 12.92, ((srgb + 0.055) / 1.055) ** 2.4) / 2
    wanted = np.where(light <= 0.0031308, 12.92 * light, 1.055 * light ** (1 / 2.4) - 0.055)
    assert np.abs(half - 255 * wanted).max() < 1.0


def test_low_light_is_brightest_at_the_lamp_and_darkens_every_pixel() -> None:
    image = np.full((100, 100, 3), 200, np.uint8)
    frames = [rgb.low_light(image, k / 5, rng(0, "e", "s")).astype(int) for k in range(6)]
    assert all(np.all(b <= a) for a, b in itertools.pairwise(frames))
    darkest = frames[-1]
    assert darkest.max() > 4 * darkest.min()
    row, column = np.unravel_index(darkest[..., 0].argmax(), (100, 100))
    ahead = darkest[row, column:, 0]
    assert np.all(np.diff(ahead) <= 0)


def test_flare_only_adds_light_and_saturates_at_its_source() -> None:
    image = noise()
    frames = [rgb.flare(image, k / 5, rng(0, "e", "s")).astype(int) for k in range(6)]
    assert all(np.all(b >= a) for a, b in itertools.pairwise(frames))
    stray = stray_light(5, 90, 110)
    assert stray.max() > 4 * 8192
    assert stray.min() > 0
    assert np.array_equal(stray_light(5, 90, 110), stray)


def test_a_foreign_object_hides_the_centre_and_leaves_the_corners() -> None:
    image = np.full((120, 160, 3), 180, np.uint8)
    out = rgb.foreign_object(image, 0.6, rng(0, "e", "s"))
    assert not out[60, 80].any()
    assert np.array_equal(out[0, 0], image[0, 0])
    hidden = 1.0 - out[..., 0].astype(float).mean() / 180
    assert hidden == pytest.approx(math.pi * 36.0**2 / (120 * 160), rel=0.1)
    edge = np.diff(out[60, :, 0].astype(int))
    assert 0 < np.abs(edge).max() < 60


def test_stains_spread_with_the_rows_water_first_then_mud() -> None:
    covered = [
        tuple(
            0.0 if layer is None else float((layer > 0).mean()) for layer in stains(7, 224, 224, i)
        )
        for i in (0.2, 0.4, 0.6, 0.8, 1.0)
    ]
    water, mud = zip(*covered, strict=True)
    assert 0.01 < water[0] < 0.07
    assert water[0] < water[1] < water[2] < 0.35
    assert mud[:3] == (0.0, 0.0, 0.0)
    assert 0.1 < mud[3] < mud[4] < 0.4


def test_stains_are_the_same_stains_at_any_resolution() -> None:
    small, large = stains(7, 240, 320, 1.0)[1], stains(7, 480, 640, 1.0)[1]
    assert small is not None
    assert large is not None
    halved = cv2.resize(large, (320, 240), interpolation=cv2.INTER_AREA)
    assert np.corrcoef(small.ravel(), halved.ravel())[0, 1] > 0.95
