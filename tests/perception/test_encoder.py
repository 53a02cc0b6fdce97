"""The default encoder: shapes, units, sizes, words, and that it sees what it is asked for."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from navproof.core.errors import PerceptionError
from navproof.core.types import Camera, Pose
from navproof.perception import load_encoder
from navproof.perception.encoder import DefaultEncoder
from navproof.sim.render.render import Renderer
from navproof.world.library import load_scene
from navproof.world.scene import Scene


@pytest.fixture(scope="module")
def encoder() -> DefaultEncoder:
    return DefaultEncoder()


def noise(height: int, width: int) -> np.ndarray:
    return np.random.default_rng(0).integers(0, 256, (height, width, 3), dtype=np.uint8)


@pytest.mark.parametrize(
    ("height", "width", "grid"),
    [(256, 256, (32, 32)), (480, 640, (24, 32)), (224, 224, (28, 28)), (64, 48, (8, 8))],
)
def test_any_size_gives_unit_vectors_on_a_grid(
    encoder: DefaultEncoder, height: int, width: int, grid: tuple[int, int]
) -> None:
    patches = encoder.encode_patches(noise(height, width))
    assert patches.shape == (*grid, encoder.feature_dim)
    np.testing.assert_allclose(np.linalg.norm(patches, axis=-1), 1.0, atol=0.02)
    assert encoder.encode_image(noise(height, width)).shape == (encoder.feature_dim,)


def test_text_is_free_and_repeatable(encoder: DefaultEncoder) -> None:
    texts = ["the red mug on the desk", "zxqv", "RED  mug on\nthe desk", "two doors 2"]
    vectors = encoder.encode_text(texts)
    assert vectors.shape == (4, encoder.feature_dim)
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=-1), 1.0, atol=0.02)
    assert np.array_equal(vectors, DefaultEncoder().encode_text(texts))
    alone = np.concatenate([DefaultEncoder().encode_text([text]) for text in texts])
    assert np.array_equal(vectors, alone)  # whatever was asked together
    assert encoder.encode_text([]).shape == (0, encoder.feature_dim)


@pytest.mark.parametrize("text", ["红色的椅子", "!?", "🪑"])
def test_texts_without_a_letter_that_it_reads_are_refused(
    encoder: DefaultEncoder, text: str
) -> None:
    with pytest.raises(PerceptionError, match="the default eyes read English, not"):
        encoder.encode_text(["red chair", text])


def test_words_never_trained_on_land_near_what_they_mean(encoder: DefaultEncoder) -> None:
    names = ["refrigerator", "bookshelf", "bicycle", "curtain"]
    unseen = ["icebox", "bookcase", "cycle", "drapes"]  # in lexicon.HELD_OUT, or in no table
    nearest = (encoder.encode_text(unseen) @ encoder.encode_text(names).T).argmax(1)
    assert (nearest == np.arange(4)).sum() >= 3


@pytest.mark.parametrize(
    ("image", "says"),
    [
        (np.zeros((8, 8), np.uint8), r"\(height, width, 3\)"),
        (np.zeros((64, 64, 3), np.float32), "uint8"),
        (np.zeros((4, 64, 3), np.uint8), "at least 8×8"),
        (None, r"\(height, width, 3\)"),
    ],
)
def test_odd_images_are_refused_in_one_line(
    encoder: DefaultEncoder, image: np.ndarray, says: str
) -> None:
    with pytest.raises(PerceptionError, match=says) as caught:
        encoder.encode_patches(image)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("texts", ["red mug", [""], ["  "], [None]])
def test_odd_texts_are_refused_in_one_line(encoder: DefaultEncoder, texts: list[str]) -> None:
    with pytest.raises(PerceptionError):
        encoder.encode_text(texts)


def test_missing_or_broken_weights_are_one_line(tmp_path: Path) -> None:
    with pytest.raises(PerceptionError, match=r"encoder\.json"):
        load_encoder(f"default:{tmp_path}")
    (tmp_path / "encoder.json").write_text('{"features": 96, "words": 16, "scale": 1, "bias": 0,')
    with pytest.raises(PerceptionError, match="cannot be read"):
        DefaultEncoder(tmp_path)


@pytest.fixture(scope="module")
def home() -> Scene:
    return load_scene("home/val/1")


def test_it_points_at_furniture_in_a_scene_it_never_saw(
    encoder: DefaultEncoder, home: Scene
) -> None:
    """From the middle of rooms, all round: the best patch for what is clearly in view."""
    renderer, camera = Renderer(home), Camera(height_m=1.25)
    hits = tries = 0
    for room in home.rooms[:6]:
        x, y = np.mean(room.polygon, axis=0)
        for yaw in np.arange(4) * np.pi / 2:
            frame = renderer.render(camera, Pose(float(x), float(y), 0.0, float(yaw)))
            patches = encoder.encode_patches(frame.rgb)
            ids, counts = np.unique(frame.instances, return_counts=True)
            large = {int(i) for i, n in zip(ids, counts, strict=True) if i >= 10 and n >= 1500}
            for category in sorted({home.labels[i] for i in large}):
                heat = patches @ encoder.encode_text([category])[0]
                row, col = np.unravel_index(int(heat.argmax()), heat.shape)
                block = frame.instances[row * 8 : row * 8 + 8, col * 8 : col * 8 + 8]
                hits += any(home.labels.get(int(i)) == category for i in np.unique(block))
                tries += 1
    assert tries >= 15
    assert hits / tries >= 0.8
