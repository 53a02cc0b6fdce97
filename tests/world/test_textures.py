"""The texture library: shapes, tiling, determinism; and the palette's words."""

from __future__ import annotations

import hashlib
import time

import numpy as np
import pytest

from navproof.world.textures.library import TEXTURE_SIZE_M, texture_library
from navproof.world.textures.palette import (
    COLOURS,
    MATERIAL_COLOURS,
    MATERIALS,
    PATTERN_TEXTURE,
    PATTERNS,
    TEXTURE_OF,
    shade,
    srgb,
)

TILED = sorted(set(TEXTURE_SIZE_M) - {"books", "keys", "leaves"})


def test_every_texture_is_a_read_only_rgba_tile() -> None:
    for name, texture in texture_library().items():
        assert texture.shape == (128, 128, 4), name
        assert texture.dtype == np.uint8, name
        assert not texture.flags.writeable, name
    assert texture_library() is texture_library()


def test_textures_are_made_quickly_and_the_same_each_time() -> None:
    before = {k: hashlib.sha256(t.tobytes()).hexdigest() for k, t in texture_library().items()}
    texture_library.cache_clear()
    start = time.process_time()
    after = {k: hashlib.sha256(t.tobytes()).hexdigest() for k, t in texture_library().items()}
    assert before == after
    assert time.process_time() - start < 1.0


@pytest.mark.parametrize("name", TILED)
def test_tiles_have_no_seam(name: str) -> None:
    """The step across the border is no larger than the largest steps inside."""
    t = texture_library()[name].astype(np.float64)
    for axis in (0, 1):
        inside = np.abs(np.diff(t, axis=axis)).mean(axis=(1 - axis, 2))
        seam = np.abs(t.take(0, axis) - t.take(-1, axis)).mean()
        assert seam <= inside.max() * 1.25 + 2.0


@pytest.mark.parametrize("pattern", [p for p in PATTERNS if p != "plain"])
def test_patterns_mask_a_good_part_but_not_most(pattern: str) -> None:
    texture = texture_library()[PATTERN_TEXTURE[pattern]]
    share = texture[..., 3].mean() / 255
    assert 0.12 < share <= 0.51
    assert texture[..., :3].min() > 200  # the colour comes from the tints


def test_words_are_enough_and_known_to_the_library() -> None:
    assert len(COLOURS) >= 11
    assert len(MATERIALS) >= 8
    assert len(PATTERNS) >= 6
    library = texture_library()
    assert set(TEXTURE_OF.values()) <= set(library)
    assert set(PATTERN_TEXTURE.values()) <= set(library)
    assert set(TEXTURE_SIZE_M) <= set(library)
    for colours in MATERIAL_COLOURS.values():
        assert set(colours) <= set(COLOURS)


def test_colours_are_told_apart() -> None:
    """Every two colour words differ by a clear distance in display space (gamma 2.2)."""
    display = {name: np.array(rgb) ** (1 / 2.2) for name, rgb in COLOURS.items()}
    names = sorted(display)
    for i, a in enumerate(names):
        for b in names[i + 1 :]:
            assert np.linalg.norm(display[a] - display[b]) > 0.18, (a, b)


def test_srgb_and_shade() -> None:
    assert srgb(0, 0, 0) == (0.0, 0.0, 0.0)
    assert srgb(255, 255, 255) == (1.0, 1.0, 1.0)
    assert srgb(128, 128, 128)[0] == pytest.approx(0.2159, abs=1e-4)
    assert shade((0.5, 0.2, 0.9), 2.0) == (1.0, 0.4, 1.0)
