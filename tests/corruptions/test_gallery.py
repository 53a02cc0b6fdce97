"""The sheet that shows every image corruption."""

from __future__ import annotations

import numpy as np
import pytest

from navproof.core.errors import SpecError
from navproof.corruptions.gallery import IMAGE_CORRUPTIONS, Picture, draw_gallery, fit, photograph
from navproof.testing import tiny_scene

SHAPE = (168, 224)


def noise(seed: int) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    return np.random.default_rng(seed).integers(0, 256, (*SHAPE, 3), dtype=np.uint8)


def holds(sheet: np.ndarray[tuple[int, ...], np.dtype[np.uint8]], tile: np.ndarray) -> int:  # type: ignore[type-arg]
    """How often a tile is on the sheet."""
    height, width = tile.shape[:2]
    corners = np.argwhere(np.all(sheet == tile[0, 0], axis=2))
    inside = [(y, x) for y, x in corners if y + height <= len(sheet)]
    return sum(np.array_equal(sheet[y : y + height, x : x + width], tile) for y, x in inside)


def test_every_row_begins_with_the_clean_picture() -> None:
    depth = np.full(SHAPE, 3.0, np.float32)
    pictures = [Picture("one", noise(0), depth), Picture("other", noise(1))]
    sheet = draw_gallery(pictures)
    assert holds(sheet, pictures[0].rgb) >= 8
    assert holds(sheet, pictures[1].rgb) >= 8
    assert len(IMAGE_CORRUPTIONS) == 15
    assert np.array_equal(sheet, draw_gallery(pictures))
    assert not np.array_equal(sheet, draw_gallery(pictures, seed=1))


def test_chosen_rows_and_intensities_only() -> None:
    picture = Picture("one", noise(0))
    wide = draw_gallery([picture], ["spatter", "flare"])
    narrow = draw_gallery([picture], ["spatter"], (0.0,))
    assert wide.shape[0] - narrow.shape[0] == SHAPE[0] + 6
    assert wide.shape[1] - narrow.shape[1] == 3 * (SHAPE[1] + 6)
    assert holds(narrow, picture.rgb) == 2
    with pytest.raises(SpecError, match="friendly changes words"):
        draw_gallery([picture], ["friendly"])


def test_a_scene_is_photographed_with_its_depth() -> None:
    picture = photograph(tiny_scene())
    assert picture.rgb.shape == (*SHAPE, 3)
    assert picture.depth is not None
    assert picture.depth.shape == SHAPE
    assert picture.rgb.std() > 5.0
    assert 0.2 < float(picture.depth.max()) < 30.0


@pytest.mark.parametrize("name", ["camera_tilt", "camera_height", "wrong_intrinsics"])
def test_another_camera_is_shown_where_the_picture_can_be_taken_again(name: str) -> None:
    picture = photograph(tiny_scene())
    drawn = draw_gallery([picture], [name], (0.0, 0.5, 1.0))
    assert holds(drawn, picture.rgb) == 2  # clean, and at 0
    half, whole = (draw_gallery([picture], [name], (intensity,)) for intensity in (0.5, 1.0))
    assert not np.array_equal(half, whole)
    mine = Picture("mine", picture.rgb)
    assert holds(draw_gallery([mine], [name]), picture.rgb) == 0


@pytest.mark.parametrize("size", [(10, 10), (480, 640), (1000, 50), (168, 224), (1, 1)])
def test_any_picture_fits_a_tile(size: tuple[int, int]) -> None:
    image = np.random.default_rng(2).integers(0, 256, (*size, 3), dtype=np.uint8)
    assert fit(image).shape == (*SHAPE, 3)
    depth = np.random.default_rng(3).choice(np.array([0.0, 1.0, 4.0], np.float32), size)
    fitted = fit(depth, smooth=False)
    assert fitted.shape == SHAPE
    assert set(np.unique(fitted)) <= {0.0, 1.0, 4.0}
    exact = noise(4)
    assert np.array_equal(fit(exact), exact)
