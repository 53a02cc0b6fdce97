"""What holds for every depth corruption."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable

import numpy as np
import pytest
from depth_scenes import (
    REAL,
    Depth,
    corner,
    fingerprint,
    fresh,
    lasting,
    lost,
    real,
    rmse,
    room,
    wall,
)

from navproof.core.errors import SpecError
from navproof.corruptions import depth

ALL = [depth.gaussian, depth.missing, depth.multipath, depth.quantisation]
GRADUAL = [depth.gaussian, depth.missing, depth.multipath]
Corrupt = Callable[..., Depth]
every = pytest.mark.parametrize("corrupt", ALL, ids=lambda f: f.__name__)
needs_data = pytest.mark.skipif(not REAL.is_dir(), reason="real frames are not here")
REAL_FRAMES = [("redwood_0", 1000.0), ("redwood_3", 1000.0), ("tum", 5000.0)]


@every
@pytest.mark.parametrize("shape", [(48, 64), (48, 64, 1)])
def test_zero_is_the_identity(corrupt: Corrupt, shape: tuple[int, ...]) -> None:
    image = room(48, 64).reshape(shape)
    same = corrupt(image, 0.0, fresh(), lasting())
    assert same.tobytes() == image.tobytes()
    assert same.shape == shape
    assert not np.shares_memory(same, image)


@every
@pytest.mark.parametrize("intensity", [1e-300, 1e-4, 0.3, 1.0])
@pytest.mark.parametrize("shape", [(1, 1), (1, 7), (9, 1), (2, 3), (33, 47), (40, 30, 1)])
@pytest.mark.parametrize("scene", ["room", "holes", "limit", "tiny"])
def test_form_holes_and_range(
    corrupt: Corrupt, intensity: float, shape: tuple[int, ...], scene: str
) -> None:
    image = room(*shape[:2])
    if scene != "room":
        image = np.full_like(image, {"holes": 0.0, "limit": 3.3, "tiny": 1e-40}[scene])
    image = np.minimum(image, np.float32(3.3)).reshape(shape)
    before = image.copy()
    after = corrupt(image, intensity, fresh(), lasting(), max_range_m=3.3)
    assert after.shape == shape
    assert after.dtype == np.float32
    assert np.array_equal(image, before)
    assert not np.shares_memory(after, image)
    assert np.isfinite(after).all()
    assert (after[before == 0] == 0).all()
    assert (after >= 0).all()
    assert (after.astype(np.float64) <= 3.3).all()


@every
def test_only_missing_makes_holes(corrupt: Corrupt) -> None:
    image = room()
    new_holes = lost(image, corrupt(image, 1.0, fresh(), lasting()))
    assert (new_holes > 0.2) if corrupt is depth.missing else (new_holes == 0.0)


@every
def test_large_and_scattered_images(corrupt: Corrupt) -> None:
    large = room(1500, 2000)
    assert corrupt(large, 0.6, fresh(), lasting()).shape == large.shape
    image = room(60, 80)
    for view in (image[::-1, ::2], np.asfortranarray(image), image.T):
        after = corrupt(view, 0.6, fresh(), lasting())
        expected = corrupt(np.ascontiguousarray(view), 0.6, fresh(), lasting())
        assert np.array_equal(after, expected)


@pytest.mark.parametrize("corrupt", GRADUAL, ids=lambda f: f.__name__)
@pytest.mark.parametrize("mode", ["lasting", "transient"])
def test_more_is_never_less(corrupt: Corrupt, mode: str) -> None:
    for image in (room(128, 160), corner(128), wall(3.0, 64, 64)):
        _rises(corrupt, image, np.linspace(0.0, 1.0, 21), mode == "lasting")


@needs_data
@every
@pytest.mark.parametrize(("name", "units_per_m"), REAL_FRAMES)
def test_more_is_never_less_on_real_frames(corrupt: Corrupt, name: str, units_per_m: float) -> None:
    image = np.ascontiguousarray(real(name, units_per_m)[::2, ::2])
    assert (image == 0).any()
    _rises(corrupt, image, np.linspace(0.0, 1.0, 11), True)


def _rises(corrupt: Corrupt, image: Depth, intensities: np.ndarray, lasts: bool) -> None:
    errors, holes = [], []
    for intensity in intensities:
        after = corrupt(image, float(intensity), fresh(), lasting() if lasts else None)
        assert (after[image == 0] == 0).all()
        errors.append(rmse(image, after))
        holes.append(lost(image, after))
    assert (np.diff(errors) >= -1e-7).all(), errors
    assert (np.diff(holes) >= 0).all(), holes
    assert errors[0] == 0.0
    assert holes[0] == 0.0
    assert errors[-1] + holes[-1] > 0.02


@every
def test_generators_decide_everything(corrupt: Corrupt) -> None:
    image = room(64, 64)
    first = corrupt(image, 0.6, fresh(), lasting())
    np.random.seed(5)  # noqa: NPY002 - global state must not matter
    assert np.array_equal(first, corrupt(image, 0.6, fresh(), lasting()))
    if corrupt is not depth.quantisation:
        assert not np.array_equal(first, corrupt(image, 0.6, fresh(), lasting("another")))
        transient = corrupt(image, 0.6, fresh(0))
        assert not np.array_equal(transient, corrupt(image, 0.6, fresh(1)))


def test_another_process_gives_the_same_bytes() -> None:
    code = (
        "import sys; sys.path.insert(0, sys.argv[1])\n"
        "import depth_scenes\n"
        "print(depth_scenes.fingerprint())"
    )
    folder = __file__.rpartition("/")[0]
    there = subprocess.run(
        [sys.executable, "-c", code, folder], capture_output=True, text=True, check=True
    )
    assert there.stdout.strip() == fingerprint()


@every
@pytest.mark.parametrize(
    ("image", "says"),
    [
        (np.full((4, 4), np.nan, np.float32), "NaN or infinite"),
        (np.full((4, 4), np.inf, np.float32), "NaN or infinite"),
        (np.full((4, 4), -1.0, np.float32), "negative"),
        (np.full((4, 4), 1.0), "astype"),
        (np.full((4, 4), 1000, np.uint16), "1000 for millimetres"),
        (np.full((4, 4, 3), 1.0, np.float32), "4 x 4 x 3"),
        (np.array(1.0, np.float32), "single number"),
        (np.zeros((0, 4), np.float32), "0 x 4"),
        ([[1.0, 2.0]], "got list"),
        (np.full((4, 4), 12.0, np.float32), "beyond max_range_m"),
    ],
)
@pytest.mark.parametrize("intensity", [0.0, 0.6])
def test_strange_depth_is_one_clear_line(
    corrupt: Corrupt, image: Depth, says: str, intensity: float
) -> None:
    with pytest.raises(SpecError, match=says) as raised:
        corrupt(image, intensity, fresh())
    assert "\n" not in str(raised.value)


@every
def test_strange_settings_are_one_clear_line(corrupt: Corrupt) -> None:
    for intensity in (-0.1, 1.1, np.nan, "much"):
        with pytest.raises(SpecError, match="intensity"):
            corrupt(wall(1.0, 4, 4), intensity, fresh())
    for reach in (0.0, -1.0, np.nan, np.inf, None):
        with pytest.raises(SpecError, match="max_range_m"):
            corrupt(wall(1.0, 4, 4), 0.5, fresh(), None, reach)
