"""A few steps of training end to end: the files load and see; odd parts are refused."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from navproof.core.errors import NavproofError
from navproof.train.perception import PerceptionRecipe, main, train_perception
from navproof.train.render import render_dataset

torch = pytest.importorskip("torch", reason="training needs the extra 'train'")
pytest.importorskip("onnx", reason="training needs the extra 'train'")


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("frames") / "data"
    return render_dataset(out, scenes=["home/train/0"], views=6, seed=3, size=64)


def test_trained_eyes_load_and_see(data: Path, tmp_path: Path) -> None:
    from navproof.perception.detector import DefaultDetector
    from navproof.perception.encoder import DefaultEncoder

    recipe = PerceptionRecipe(encoder_steps=2, detector_steps=2, batch=4, queries=16)
    train_perception(recipe, data, tmp_path, workers=1)
    image = np.zeros((64, 96, 3), np.uint8)
    assert DefaultEncoder(tmp_path).encode_patches(image).shape == (8, 12, 96)
    assert len(DefaultDetector(tmp_path, min_score=0.0).detect(image, ["chair"])) > 0


def test_the_text_side_can_be_made_anew(data: Path, tmp_path: Path) -> None:
    """Trained on a finished image side alone, words come to point where they should."""
    from navproof.perception.encoder import DefaultEncoder
    from navproof.train.render import load_dataset

    recipe = PerceptionRecipe(encoder_steps=2, words_steps=40, batch=4, queries=16, rate=2e-3)
    train_perception(recipe, data, tmp_path, ["encoder"], workers=1)
    image = np.asarray(load_dataset(data).rgb[0])
    before = DefaultEncoder(tmp_path)
    was = before.encode_patches(image), before.encode_text(["floor", "ceiling"])
    train_perception(recipe, data, tmp_path, ["words"], workers=1)
    after = DefaultEncoder(tmp_path)
    assert np.array_equal(after.encode_patches(image), was[0])
    assert not np.allclose(after.encode_text(["floor", "ceiling"]), was[1], atol=0.05)
    assert "text_side" in (tmp_path / "encoder.json").read_text()


def test_overlap_of_boxes_by_hand() -> None:
    from navproof.train.train_detector import box_iou

    a = torch.tensor([[0.0, 0.0, 10.0, 10.0]])
    b = torch.tensor([[0.0, 0.0, 10.0, 5.0], [20.0, 0.0, 30.0, 10.0], [5.0, 5.0, 15.0, 15.0]])
    np.testing.assert_allclose(box_iou(a, b).numpy(), [0.5, 0.0, 25 / 175], rtol=1e-5)


def test_unknown_parts_are_one_line(data: Path, tmp_path: Path) -> None:
    with pytest.raises(NavproofError, match="no part 'eyes'"):
        train_perception(PerceptionRecipe(), data, tmp_path, ["eyes"])
    assert main(["eyes", "--data", str(data), "--out", str(tmp_path)]) == 1
