"""What all eight RGB corruptions promise: identity at 0, more is worse, and who decides what."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt
import pytest

from navproof.core.errors import SpecError
from navproof.core.seeding import rng
from navproof.corruptions import rgb

Image = npt.NDArray[np.uint8]
REAL = Path(__file__).parents[3] / "shared" / "data" / "rgbd"
EVERY = [getattr(rgb, name) for name in rgb.__all__]
STEPS = [k / 10 for k in range(11)]

every = pytest.mark.parametrize("corrupt", EVERY, ids=rgb.__all__)


def synthetic(height: int = 96, width: int = 128) -> Image:
    """Gradients, a checkerboard and noise, with dark and bright parts."""
    y, x = np.mgrid[:height, :width]
    image = np.stack([2 * x, 2 * y, x + y], axis=2) % 256
    image[: height // 2, : width // 2] = (((x // 8 + y // 8) % 2) * 190 + 30)[
        : height // 2, : width // 2, None
    ]
    image[height // 2 :, width // 2 :] = rng(0, "noise", "t").integers(
        0, 256, image[height // 2 :, width // 2 :].shape
    )
    return image.astype(np.uint8)


def real_frames() -> list[Image]:
    names = ("redwood_0.color.jpg", "sun.color.jpg", "tum.color.png")
    frames = [cv2.cvtColor(cv2.imread(str(REAL / n)), cv2.COLOR_BGR2RGB) for n in names]
    return [
        cv2.resize(f, (256, 256), interpolation=cv2.INTER_AREA).astype(np.uint8) for f in frames
    ]


def psnr(a: Image, b: Image) -> float:
    error = float(np.mean((a.astype(np.float64) - b) ** 2))
    return 10 * np.log10(255.0**2 / max(error, 1e-6))


def spoil(
    corrupt: Callable[..., Image], image: Image, intensity: float, frame: int = 0, episode: int = 0
) -> Image:
    return corrupt(image, intensity, rng(frame, "e", "fresh"), rng(episode, "e", "still"))


@every
def test_nothing_happens_at_zero(corrupt: Callable[..., Image]) -> None:
    image = synthetic()
    same = corrupt(image, 0.0, rng(0, "e", "s"))
    assert np.array_equal(same, image)
    assert not np.shares_memory(same, image)


@every
def test_something_happens_above_zero(corrupt: Callable[..., Image]) -> None:
    image = synthetic()
    assert any(not np.array_equal(spoil(corrupt, image, 0.3, k), image) for k in range(12))
    assert not np.array_equal(spoil(corrupt, image, 1.0), image)


def never_less_damage(corrupt: Callable[..., Image], images: list[Image]) -> None:
    for image in images:
        for seed in range(2):
            damage = [psnr(spoil(corrupt, image, s, seed, seed), image) for s in STEPS]
            assert all(a >= b for a, b in pairwise(damage)), damage


@every
def test_more_is_never_less_damage_on_made_images(corrupt: Callable[..., Image]) -> None:
    never_less_damage(corrupt, [synthetic(), np.full((96, 90, 3), 128, np.uint8)])


@every
@pytest.mark.skipif(not REAL.exists(), reason="the shared frames are not here")
def test_more_is_never_less_damage_on_real_frames(corrupt: Callable[..., Image]) -> None:
    never_less_damage(corrupt, real_frames())


@every
def test_generators_decide_everything(corrupt: Callable[..., Image]) -> None:
    image = synthetic()
    np.random.seed(1)  # noqa: NPY002
    first = spoil(corrupt, image, 0.7, 3, 4)
    np.random.seed(2)  # noqa: NPY002
    cv2.setRNGSeed(7)
    spoil(corrupt, image, 0.4, 9, 9)
    assert np.array_equal(spoil(corrupt, image, 0.7, 3, 4), first)


@pytest.mark.parametrize("name", ["motion_blur", "spatter", "low_light", "flare", "foreign_object"])
def test_what_lies_on_the_lens_stays_there(name: str) -> None:
    corrupt, image = getattr(rgb, name), synthetic()
    first = spoil(corrupt, image, 0.7, frame=0, episode=5)
    assert np.array_equal(spoil(corrupt, image, 0.7, frame=1, episode=5), first)
    assert not np.array_equal(spoil(corrupt, image, 0.7, frame=0, episode=6), first)


@pytest.mark.parametrize("name", ["motion_blur", "spatter", "low_light", "flare", "foreign_object"])
def test_without_still_each_frame_draws_it_anew(name: str) -> None:
    corrupt, image = getattr(rgb, name), synthetic()
    frames = [corrupt(image, 0.7, rng(k, "e", "fresh")) for k in range(2)]
    assert not np.array_equal(frames[0], frames[1])


def test_sensor_noise_is_fresh_while_the_lamp_stays() -> None:
    image = np.full((96, 96, 3), 200, np.uint8)
    a, b, other = (
        spoil(rgb.low_light_noise, image, 0.8, frame, episode).astype(float)
        for frame, episode in ((0, 1), (1, 1), (0, 2))
    )
    assert not np.array_equal(a, b)
    smooth = [cv2.blur(frame, (15, 15)) for frame in (a, b, other)]
    assert np.abs(smooth[0] - smooth[1]).mean() < 0.3 * np.abs(smooth[0] - smooth[2]).mean()


def test_sensor_noise_is_around_the_dark_picture_without_it() -> None:
    image = np.full((128, 128, 3), 220, np.uint8)
    dark = spoil(rgb.low_light, image, 0.4).astype(float)
    noisy = spoil(rgb.low_light_noise, image, 0.4).astype(float)
    assert np.abs(cv2.blur(noisy, (31, 31)) - cv2.blur(dark, (31, 31))).max() < 5
    assert np.std(noisy - dark) > 2


def test_black_out_is_as_frequent_as_its_intensity_and_ignores_the_episode() -> None:
    image = np.full((4, 4, 3), 9, np.uint8)
    source = rng(0, "e", "frames")
    black = [not rgb.black_out(image, 0.3, source, rng(0, "e", "still")).any() for _ in range(1000)]
    assert np.mean(black) == pytest.approx(0.3, abs=0.06)
    assert not rgb.black_out(image, 1.0, source).any()


@every
@pytest.mark.parametrize("shape", [(1, 1), (1, 7), (7, 1), (2, 3), (33, 1000), (225, 223)])
def test_any_size_keeps_its_shape(corrupt: Callable[..., Image], shape: tuple[int, int]) -> None:
    image = rng(1, "e", "t").integers(0, 256, (*shape, 3), dtype=np.uint8)
    for intensity in (1e-12, 0.1, 0.65, 1.0):
        out = spoil(corrupt, image, intensity)
        assert out.shape == image.shape
        assert out.dtype == np.uint8


@every
def test_strided_and_read_only_images_are_the_same_images(corrupt: Callable[..., Image]) -> None:
    image = synthetic()
    wanted = spoil(corrupt, image, 0.7)
    wide = np.zeros((*image.shape[:2], 6), np.uint8)[..., ::-2]
    wide[...] = image
    frozen = np.asfortranarray(image)
    frozen.flags.writeable = False
    assert np.array_equal(spoil(corrupt, wide, 0.7), wanted)
    assert np.array_equal(spoil(corrupt, frozen, 0.7), wanted)


@every
def test_the_image_is_not_written_into(corrupt: Callable[..., Image]) -> None:
    image = synthetic()
    before = image.copy()
    out = spoil(corrupt, image, 1.0)
    assert np.array_equal(image, before)
    assert not np.shares_memory(out, image)
    assert out.flags.writeable


@every
@pytest.mark.parametrize("intensity", [float("nan"), -0.01, 1.01, float("inf"), "0.5", None, [1]])
def test_a_wrong_intensity_is_said(corrupt: Callable[..., Image], intensity: object) -> None:
    with pytest.raises(SpecError, match=r"intensity must be a number in \[0, 1\]"):
        corrupt(synthetic(), intensity, rng(0, "e", "s"))


@every
@pytest.mark.parametrize(
    ("image", "says"),
    [
        (np.zeros((4, 4), np.uint8), "grey"),
        (np.zeros((4, 4, 1), np.uint8), "grey"),
        (np.zeros((4, 4, 4), np.uint8), "alpha"),
        (np.zeros((4, 4, 3), np.float32), "astype"),
        (np.zeros((4, 4, 3), np.int64), "int64"),
        (np.zeros((0, 4, 3), np.uint8), "0 x 4 x 3"),
        (np.zeros((2, 4, 4, 3), np.uint8), "2 x 4 x 4 x 3"),
        ([[1, 2, 3]], r"\[\[1, 2, 3\]\]"),
        (None, "None"),
    ],
)
def test_a_wrong_image_is_said(corrupt: Callable[..., Image], image: object, says: str) -> None:
    with pytest.raises(SpecError, match=rf"uint8 array \(h, w, 3\), got .*{says}"):
        corrupt(image, 0.5, rng(0, "e", "s"))


def test_threads_of_opencv_do_not_matter() -> None:
    image, threads = synthetic(240, 320), cv2.getNumThreads()
    try:
        cv2.setNumThreads(1)
        one = [spoil(c, image, 0.7, 1, 100 + k) for k, c in enumerate(EVERY)]
        cv2.setNumThreads(4)
        rgb.stains.cache_clear()
        four = [spoil(c, image, 0.7, 1, 100 + k) for k, c in enumerate(EVERY)]
    finally:
        cv2.setNumThreads(threads)
    assert all(np.array_equal(a, b) for a, b in zip(one, four, strict=True))
