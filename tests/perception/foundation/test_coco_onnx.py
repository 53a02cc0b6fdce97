"""Detectors of COCO in ONNX files, with files whose answers are closed forms."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("onnxruntime")
onnx = pytest.importorskip("onnx")

from navproof.core.errors import PerceptionError  # noqa: E402
from navproof.perception import load_detector  # noqa: E402
from navproof.perception.foundation.coco_onnx import (  # noqa: E402
    CATEGORIES_OF,
    COCO,
    CocoOnnxDetector,
)
from navproof.world.catalog import CATEGORIES  # noqa: E402

H, FLOAT = onnx.helper, onnx.TensorProto.FLOAT
SIDE = 64
CELLS = 64 + 16 + 4  # of strides 8, 16 and 32
CHAIR, COUCH, CAT = (COCO.index(name) for name in ("chair", "couch", "cat"))

# The image is 32×16: in the field it is twice as large, 16 pixels from the top, or 0 with YOLOX.
WIDE = np.zeros((16, 32, 3), dtype=np.uint8)
BOX = (4.0, 6.0, 12.0, 14.0)


def in_field(top: float) -> tuple[float, float, float, float]:
    """``BOX`` as (centre, size) in the field."""
    u0, v0, u1, v1 = (2.0 * x for x in BOX)
    return (u0 + u1) / 2, (v0 + v1) / 2 + top, u1 - u0, v1 - v0


def save(file: Path, table: np.ndarray, names: str | None = None, half: bool = False) -> Path:
    """A file that gives ``table`` whatever it sees."""
    kind = onnx.TensorProto.FLOAT16 if half else FLOAT
    table = table.astype(np.float16 if half else np.float32)
    zero = np.zeros((), dtype=table.dtype)
    nodes = [
        H.make_node("ReduceMean", ["images"], ["mean"], keepdims=0),
        H.make_node("Mul", ["mean", "zero"], ["none"]),
        H.make_node("Add", ["fixed", "none"], ["output0"]),
    ]
    return written(file, nodes, table.shape, {"fixed": table, "zero": zero}, kind, names)


def written(
    file: Path,
    nodes: list[Any],
    shape: tuple[int, ...],
    held: dict[str, np.ndarray],
    kind: int = FLOAT,
    names: str | None = None,
) -> Path:
    """A file with these nodes, from ``images`` to ``output0``."""
    graph = H.make_graph(
        nodes,
        "eyes",
        [H.make_tensor_value_info("images", kind, [1, 3, SIDE, SIDE])],
        [H.make_tensor_value_info("output0", kind, list(shape))],
        [onnx.numpy_helper.from_array(value, name) for name, value in held.items()],
    )
    model = H.make_model(graph, opset_imports=[H.make_opsetid("", 17)])
    model.ir_version = 8
    if names is not None:
        H.set_model_props(model, {"names": names})
    onnx.save(model, str(file))
    return file


def row(columns: int, first: int, box: Any, **scores: float) -> np.ndarray:
    """A box with scores by class ("c56"), which begin at column ``first``."""
    found = np.zeros(columns, dtype=np.float32)
    found[:4] = box
    for name, score in scores.items():
        found[first + int(name[1:])] = score
    return found


SCORES = {f"c{CHAIR}": 0.8, f"c{CAT}": 0.9}


def v8() -> np.ndarray:
    table = np.zeros((CELLS, 84), np.float32)
    table[7] = row(84, 4, in_field(16), **SCORES)
    table[8] = row(84, 4, in_field(16), **{f"c{CHAIR}": 0.7})  # overlaps
    return table.T[None]


def v5() -> np.ndarray:
    table = np.zeros((3 * CELLS, 85), np.float32)
    table[7] = row(85, 5, in_field(16), **{name: score / 0.9 for name, score in SCORES.items()})
    table[7, 4] = 0.9  # objectness
    return table[None]


def yolox(decoded: bool) -> np.ndarray:
    """The box in the cell of stride 8 that its middle lies in: column 2, row 2."""
    u, v, width, height = in_field(0)
    table = np.zeros((CELLS, 85), np.float32)
    box = (u / 8 - 2, v / 8 - 2, np.log(width / 8), np.log(height / 8))
    table[2 * 8 + 2] = row(85, 5, (u, v, width, height) if decoded else box, **SCORES)
    table[2 * 8 + 2, 4] = 1.0
    if decoded:  # so that no cell is without a box
        table[-1, :4] = (48, 48, 32, 32)
    return table[None]


def nms() -> np.ndarray:
    u, v, width, height = in_field(16)
    corners = (u - width / 2, v - height / 2, u + width / 2, v + height / 2)
    table = np.zeros((1, 300, 6), np.float32)
    table[0, 0] = (*corners, 0.9, CAT)
    table[0, 1] = (*corners, 0.8, CHAIR)
    return table


HEADS = {
    "v8": v8(),
    "v5": v5(),
    "yolox": yolox(decoded=False),
    "yolox in pixels": yolox(decoded=True),
    "nms": nms(),
}


@pytest.mark.parametrize("head", HEADS)
def test_every_head_says_the_same(head: str, tmp_path: Path) -> None:
    file = save(tmp_path / "yolo.onnx", HEADS[head])
    detector = load_detector(f"coco-onnx:{file}")
    assert isinstance(detector, CocoOnnxDetector)
    assert detector.head == head.partition(" ")[0]
    assert detector.name == "coco-onnx:yolo"
    found = detector.detect(WIDE, ["sofa", "the red chair on the rug"])
    assert found.queries.tolist() == [1]
    np.testing.assert_allclose(found.scores, [0.8], atol=1e-6)
    np.testing.assert_allclose(found.boxes, [BOX], atol=1e-4)
    assert found.masks.shape == (1, 16, 32)
    assert found.masks.sum() == 8 * 8
    assert found.masks[0, 6:14, 4:12].all()


@pytest.mark.parametrize(
    ("head", "expected"), [("v8", (200 + 114) / 2 / 255), ("yolox", (0 + 114) / 2)]
)
def test_pixels_are_as_each_kind_takes_them(head: str, expected: float, tmp_path: Path) -> None:
    """A file that scores a chair by the mean of the first channel: red in [0, 1] with grey above
    and below the image, or, with YOLOX, blue to 255 and grey below alone."""
    image = np.zeros((16, 32, 3), dtype=np.uint8)
    image[:, :, 0] = 200
    boxes = HEADS[head] * 0
    scores = boxes.copy()
    if head == "v8":
        boxes[0, :4, 7], scores[0, 4 + CHAIR, 7] = in_field(16), 0.001
    else:
        boxes[0, 7, :5], scores[0, 7, 5 + CHAIR] = (0.0, 0.0, 1.0, 1.0, 1.0), 0.001
    nodes = [
        H.make_node("Gather", ["images", "first"], ["channel"], axis=1),
        H.make_node("ReduceMean", ["channel"], ["mean"], keepdims=0),
        H.make_node("Mul", ["mean", "scores"], ["some"]),
        H.make_node("Add", ["some", "boxes"], ["output0"]),
    ]
    held = {"first": np.array([0]), "scores": scores, "boxes": boxes}
    file = written(tmp_path / "mean.onnx", nodes, boxes.shape, held)
    found = CocoOnnxDetector(file, threshold=0.0).detect(image, ["chair"])
    assert found.scores.max() == pytest.approx(0.001 * expected, rel=1e-3)


def test_half_precision_is_understood(tmp_path: Path) -> None:
    detector = CocoOnnxDetector(save(tmp_path / "half.onnx", v8(), half=True))
    assert len(detector.detect(WIDE, ["chair"])) == 1


def test_what_a_query_means_is_answered_and_nothing_else(tmp_path: Path) -> None:
    table = np.zeros((1, 84, CELLS), np.float32)
    for place in range(80):  # every class once, side by side
        table[0, :4, place] = (0.8 * place, 32, 0.5, 8)
        table[0, 4 + place, place] = 0.5
    detector = CocoOnnxDetector(save(tmp_path / "all.onnx", table))
    for query, classes in (
        ("chair", {"chair"}),
        ("orange swivel office chair", {"chair"}),
        ("couch", {"couch"}),
        ("settee", {"couch"}),
        ("coffee table", {"dining table"}),
        ("cup", {"cup"}),
        ("washbasin", {"sink"}),
        ("seat", {"chair", "couch", "bench"}),
        ("person", {"person"}),
        ("cat", set()),  # none of ours: dropped
        ("candle", set()),  # not in COCO
    ):
        found = detector.detect(WIDE, [query])
        columns = {round(float(b[0] + b[2]) / 0.8) for b in found.boxes}
        assert {COCO[i] for i in columns} == classes, query
    assert "cat" in detector.dropped
    assert not {"chair", "person"} & set(detector.dropped)
    assert len(detector.dropped) + len(CATEGORIES_OF) + 1 == 80


def test_the_table_names_what_there_is() -> None:
    assert len(COCO) == len(set(COCO)) == 80
    assert set(CATEGORIES_OF) <= set(COCO)
    assert {name for names in CATEGORIES_OF.values() for name in names} <= set(CATEGORIES)


def test_a_file_may_have_classes_of_its_own(tmp_path: Path) -> None:
    table = np.zeros((1, 4 + 2, 5), np.float32)
    table[0, :4, 0] = in_field(16)
    table[0, 4:, 0] = (0.3, 0.6)
    detector = CocoOnnxDetector(save(tmp_path / "a.onnx", table, "{0: 'Fridge', 1: 'widget'}"))
    assert detector.classes == ("fridge", "widget")
    assert detector.dropped == ("widget",)
    assert detector.detect(WIDE, ["refrigerator"]).scores.tolist() == [pytest.approx(0.3)]
    (tmp_path / "b.json").write_text(json.dumps(["mug", "chair"]))
    beside = CocoOnnxDetector(save(tmp_path / "b.onnx", table))
    assert beside.detect(WIDE, ["chair"]).scores.tolist() == [pytest.approx(0.6)]


def test_bad_files_are_one_line(tmp_path: Path) -> None:
    odd = np.zeros((1, 7, 9), np.float32)
    (tmp_path / "text.onnx").write_text("no model")
    for name, says in (
        ("", "say its file after a colon, as in coco-onnx:FILE"),
        (str(tmp_path / "none.onnx"), "there is no file"),
        (str(tmp_path / "text.onnx"), "cannot be used"),
        (str(save(tmp_path / "odd.onnx", odd)), "is (1, 7, 9); for 80 classes at 64×64"),
        (str(save(tmp_path / "names.onnx", odd, "{0: ")), "class names"),
    ):
        with pytest.raises(PerceptionError) as caught:
            load_detector(f"coco-onnx:{name}")
        assert says in str(caught.value)
        assert "\n" not in str(caught.value)
