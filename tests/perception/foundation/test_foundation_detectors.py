"""OWLv2 and Grounding DINO with tiny random weights, against the bare models."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import tiny_models as tiny

tiny.need("torch", "transformers", "tokenizers")

import torch  # noqa: E402

from navproof.core.errors import PerceptionError  # noqa: E402
from navproof.perception import load_detector  # noqa: E402
from navproof.perception.foundation.detectors import (  # noqa: E402
    GroundingDinoDetector,
    Owlv2Detector,
    _words_of_queries,
)
from navproof.perception.protocol import Detections  # noqa: E402

RGB = np.random.default_rng(0).integers(0, 256, (64, 96, 3), dtype=np.uint8)


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    root = tmp_path_factory.mktemp("detectors")
    return {
        "owlv2": tiny.save_owlv2(root / "owlv2"),
        "grounding_dino": tiny.save_grounding_dino(root / "dino"),
    }


def check(found: Detections, height: int, width: int) -> None:
    count = len(found)
    assert found.boxes.shape == (count, 4)
    assert found.masks.shape == (count, height, width)
    assert (found.boxes >= 0).all()
    assert (found.boxes <= [width, height, width, height]).all()
    assert (np.diff(found.scores) <= 0).all()
    assert ((found.scores >= 0) & (found.scores <= 1)).all()
    assert found.masks.any(axis=(1, 2)).all()


@pytest.mark.parametrize("kind", ["owlv2", "grounding_dino"])
def test_answers_are_in_order_inside_and_the_same_every_time(
    kind: str, folders: dict[str, Path]
) -> None:
    detector = load_detector(f"{kind}:{folders[kind]}")
    detector.threshold = 0.0  # type: ignore[attr-defined]
    for image in (RGB, RGB[:, :40], RGB[:8, :9]):
        found = detector.detect(image, ["red mug", "desk"])
        assert len(found) > 2
        check(found, *image.shape[:2])
        again = detector.detect(image, ["red mug", "desk"])
        np.testing.assert_array_equal(found.boxes, again.boxes)
        np.testing.assert_array_equal(found.scores, again.scores)
    assert len(detector.detect(RGB, [])) == 0
    detector.threshold = float(np.median(found.scores))  # type: ignore[attr-defined]
    assert 0 < len(detector.detect(RGB[:8, :9], ["red mug", "desk"])) < len(found)
    detector.threshold = 1.1  # type: ignore[attr-defined]
    nothing = detector.detect(RGB, ["desk"])
    assert nothing.masks.shape == (0, 64, 96)


def test_owlv2_boxes_are_undone_from_the_grey_square(folders: dict[str, Path]) -> None:
    from transformers import AutoTokenizer, Owlv2ForObjectDetection

    image = RGB[:32, :16]  # half of a 32×32 square: nothing is resized
    square = np.full((32, 32, 3), 128, dtype=np.uint8)
    square[:, :16] = image
    mean = np.array((0.48145466, 0.4578275, 0.40821073))
    std = np.array((0.26862954, 0.26130258, 0.27577711))
    scaled = ((square / 255.0 - mean) / std).transpose(2, 0, 1)[None]
    model = Owlv2ForObjectDetection.from_pretrained(folders["owlv2"]).eval()
    tokenizer = AutoTokenizer.from_pretrained(folders["owlv2"])
    tokens = tokenizer("a photo of desk", padding="max_length", max_length=16, return_tensors="pt")
    with torch.no_grad():
        out = model(
            pixel_values=torch.tensor(scaled, dtype=torch.float32),
            input_ids=tokens["input_ids"],
            attention_mask=tokens["attention_mask"],
        )
    u, v, w, h = out.pred_boxes[0].numpy().T * 32.0
    boxes = np.stack([u - w / 2, v - h / 2, u + w / 2, v + h / 2], axis=1).clip(0, [16, 32] * 2)
    scores = out.logits[0, :, 0].sigmoid().numpy()
    best = int(np.argmax(np.where(boxes[:, 2] > boxes[:, 0], scores, -1.0)))
    found = Owlv2Detector(folders["owlv2"], threshold=0.0).detect(image, ["desk"])
    np.testing.assert_allclose(found.boxes[0], boxes[best], atol=1e-2)
    assert found.scores[0] == pytest.approx(scores[best], abs=1e-4)


def test_grounding_dino_scores_a_query_by_its_best_word(folders: dict[str, Path]) -> None:
    from transformers import AutoTokenizer, GroundingDinoForObjectDetection

    folder = folders["grounding_dino"]
    model = GroundingDinoForObjectDetection.from_pretrained(folder).eval()
    tokenizer = AutoTokenizer.from_pretrained(folder)
    tokens = tokenizer("red mug. desk.", return_tensors="pt")
    assert tokens["input_ids"][0].tolist().count(1012) == 2
    mean, std = np.array((0.485, 0.456, 0.406)), np.array((0.229, 0.224, 0.225))
    scaled = ((RGB / 255.0 - mean) / std).transpose(2, 0, 1)[None]
    with torch.no_grad():
        out = model(pixel_values=torch.tensor(scaled, dtype=torch.float32), **tokens)
    likely = out.logits[0].sigmoid().numpy()
    expected = likely[:, 1:3].max(axis=1), likely[:, 4]  # [start] red mug . desk . [end]
    found = GroundingDinoDetector(folder, threshold=0.0).detect(RGB, ["red mug", "Desk"])
    for query in (0, 1):
        best = found.scores[found.queries == query].max()
        assert best == pytest.approx(expected[query].max(), abs=1e-3)


def test_grounding_dino_asks_in_several_sentences_where_one_is_too_long(
    folders: dict[str, Path],
) -> None:
    detector = GroundingDinoDetector(folders["grounding_dino"], threshold=0.0)
    many = ["red mug", "blue chair", "desk", "red chair", "blue mug"] * 3 + ["the red desk"] * 2
    many += [f"the {colour} chair of the room" for colour in ("red", "blue", "wall")]
    assert len(detector._sentences(many)) > 1
    found = detector.detect(RGB, many)
    check(found, 64, 96)
    best = [found.scores[found.queries == query].max(initial=0.0) for query in (0, 5)]
    assert best[0] == best[1] > 0.0  # the same words asked twice
    with pytest.raises(PerceptionError, match="the query is too long"):
        detector.detect(RGB, ["red " * 40])


def test_words_of_queries() -> None:
    assert _words_of_queries([9, 5, 6, 1, 7, 1, 8], full_stop=1) == [[1, 2], [4]]


def test_bad_folders_and_settings_are_one_line(folders: dict[str, Path], tmp_path: Path) -> None:
    for name, says in (
        (f"owlv2:{tmp_path / 'none'}", "there is no folder"),
        (f"grounding_dino:{tmp_path}", "has no config.json"),
        (f"owlv2:{folders['grounding_dino']}", "kind 'grounding-dino', not 'owlv2'"),
    ):
        with pytest.raises(PerceptionError) as caught:
            load_detector(name)
        assert says in str(caught.value)
        assert "\n" not in str(caught.value)
    with pytest.raises(PerceptionError, match="threshold must be from 0 to 1, got 2"):
        Owlv2Detector(folders["owlv2"], threshold=2)
