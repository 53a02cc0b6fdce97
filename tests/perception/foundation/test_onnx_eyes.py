"""ONNX encoders, detectors and YOLO-World exports, with files whose answers are closed forms."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("onnxruntime")
onnx = pytest.importorskip("onnx")

from navproof.core.errors import MissingExtraError, PerceptionError  # noqa: E402
from navproof.perception import load_detector, load_encoder  # noqa: E402
from navproof.perception.foundation.yolo_world import YoloWorldDetector  # noqa: E402

H = onnx.helper
FLOAT, INT64, STRING = onnx.TensorProto.FLOAT, onnx.TensorProto.INT64, onnx.TensorProto.STRING
COLOURS = {"red": (1.0, 0.0, 0.0), "green": (0.0, 1.0, 0.0), "blue": (0.0, 0.0, 1.0)}


def save(file: Path, nodes: list[Any], inputs: Any, outputs: Any, **constants: Any) -> Path:
    """An ONNX file; inputs and outputs are (name, kind, shape)."""
    file.parent.mkdir(parents=True, exist_ok=True)
    held = [onnx.numpy_helper.from_array(np.asarray(v), k) for k, v in constants.items()]
    graph = H.make_graph(
        nodes,
        "eyes",
        [H.make_tensor_value_info(*i) for i in inputs],
        [H.make_tensor_value_info(*o) for o in outputs],
        held,
    )
    opsets = [H.make_opsetid("", 17), H.make_opsetid("ai.onnx.ml", 2)]
    model = H.make_model(graph, opset_imports=opsets)
    model.ir_version = 8
    onnx.save(model, str(file))
    return file


def save_words(folder: Path) -> None:
    """text.onnx: the colour's axis for a colour word, white for any other text."""
    label = H.make_node(
        "LabelEncoder",
        ["text"],
        ["row"],
        domain="ai.onnx.ml",
        keys_strings=list(COLOURS),
        values_int64s=[0, 1, 2],
        default_int64=3,
    )
    pick = H.make_node("Gather", ["table", "row"], ["words"])
    table = np.array([*COLOURS.values(), (1.0, 1.0, 1.0)], np.float32)
    save(
        folder / "text.onnx",
        [label, pick],
        [("text", STRING, ["n"])],
        [("words", FLOAT, ["n", 3])],
        table=table,
    )


def save_encoder(folder: Path, *, whole: bool = False, **facts: Any) -> Path:
    """The feature of an 8×8 patch is its mean colour."""
    nodes = [
        H.make_node("AveragePool", ["image"], ["pooled"], kernel_shape=[8, 8], strides=[8, 8]),
        H.make_node("Transpose", ["pooled"], ["patches"], perm=[0, 2, 3, 1]),
    ]
    outputs: list[Any] = [("patches", FLOAT, [1, "h", "w", 3])]
    if whole:
        nodes.append(H.make_node("ReduceMin", ["image"], ["whole"], axes=[2, 3], keepdims=0))
        outputs.append(("whole", FLOAT, [1, 3]))
    save(folder / "image.onnx", nodes, [("image", FLOAT, [1, 3, "H", "W"])], outputs)
    save_words(folder)
    said = {"scale": 20.0, "bias": -15.0, "size": [32, 64], **facts}
    (folder / "encoder.json").write_text(json.dumps(said))
    return folder


BOXES = np.array([[0.0, 0.0, 0.5, 0.5], [0.5, 0.5, 1.0, 1.0], [0.51, 0.5, 1.0, 1.0]], np.float32)
LOOKS = np.array([[0.9, 0.1, 0.0], [0.0, 0.4, 0.8], [0.0, 0.0, 0.7]], np.float32)


def save_detector(folder: Path, *, masks: bool = False, **facts: Any) -> Path:
    """Three boxes of fixed colours; a score is the share of the colour that is asked for."""
    nodes = [
        H.make_node("Transpose", ["text"], ["columns"], perm=[1, 0]),
        H.make_node("MatMul", ["looks", "columns"], ["scores"]),
        H.make_node("ReduceMean", ["image"], ["mean"], keepdims=0),
        H.make_node("Mul", ["mean", "zero"], ["none"]),
        H.make_node("Add", ["fixed", "none"], ["boxes"]),
    ]
    outputs: list[Any] = [("boxes", FLOAT, [3, 4]), ("scores", FLOAT, [3, "q"])]
    constants: dict[str, Any] = {"looks": LOOKS, "fixed": BOXES, "zero": np.float32(0.0)}
    if masks:
        nodes.append(H.make_node("Identity", ["shapes"], ["masks"]))
        outputs.append(("masks", FLOAT, [3, 4, 4]))
        shapes = np.zeros((3, 4, 4), np.float32)
        shapes[:, 0, 0] = 1.0
        constants["shapes"] = shapes
    inputs = [("image", FLOAT, [1, 3, 32, 32]), ("text", FLOAT, ["q", 3])]
    save(folder / "detector.onnx", nodes, inputs, outputs, **constants)
    save_words(folder)
    (folder / "detector.json").write_text(json.dumps(facts))
    return folder


def halves() -> np.ndarray:
    """Left half red, right half blue, 64×128."""
    rgb = np.zeros((64, 128, 3), dtype=np.uint8)
    rgb[:, :64, 0] = 255
    rgb[:, 64:, 2] = 255
    return rgb


# ------------------------------------------------------------------------------------- encoders
def test_encoder_sees_colours_and_reads_words(tmp_path: Path) -> None:
    encoder = load_encoder(f"onnx:{save_encoder(tmp_path / 'mine')}")
    assert encoder.name == "onnx:mine"
    assert (encoder.feature_dim, encoder.scale, encoder.bias) == (3, 20.0, -15.0)
    patches = encoder.encode_patches(halves())
    assert patches.shape == (4, 8, 3)
    words = encoder.encode_text(["red", "blue", "anything else"])
    np.testing.assert_allclose(words[2], np.full(3, 1 / np.sqrt(3)), atol=1e-6)
    heat = patches @ words.T
    np.testing.assert_allclose(heat[:, :3, 0], 1.0, atol=1e-5)
    np.testing.assert_allclose(heat[:, 5:, 0], 0.0, atol=1e-5)
    np.testing.assert_allclose(heat[:, 5:, 1], 1.0, atol=1e-5)
    np.testing.assert_allclose(encoder.encode_image(halves()), [0.5**0.5, 0, 0.5**0.5], atol=1e-5)
    np.testing.assert_array_equal(patches, encoder.encode_patches(halves()))


def test_encoder_settings_are_used(tmp_path: Path) -> None:
    folder = save_encoder(
        tmp_path, name="eyes", mean=[0.0, 0.0, 1.0], std=[1.0, 1.0, 2.0], size=8, template="{}"
    )
    encoder = load_encoder(f"onnx:{folder}")
    assert encoder.name == "eyes"
    (patch,) = encoder.encode_patches(np.full((20, 30, 3), 255, dtype=np.uint8)).reshape(-1, 3)
    np.testing.assert_allclose(patch, [0.5**0.5, 0.5**0.5, 0.0], atol=1e-5)


def test_encoder_with_a_feature_of_the_whole_image(tmp_path: Path) -> None:
    encoder = load_encoder(f"onnx:{save_encoder(tmp_path, whole=True)}")
    rgb = halves()
    rgb[..., 1] = 51  # the least of each channel is (0, 0.2, 0)
    np.testing.assert_allclose(encoder.encode_image(rgb), [0.0, 1.0, 0.0], atol=1e-5)


def test_tokens_for_files_that_take_them(tmp_path: Path) -> None:
    tokenizers = pytest.importorskip("tokenizers")
    folder = save_encoder(tmp_path, max_tokens=4)
    words = {"<pad>": 0, "red": 1, "green": 2, "blue": 3, "<unk>": 4}
    tokenizer = tokenizers.Tokenizer(tokenizers.models.WordLevel(words, unk_token="<unk>"))
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.Whitespace()
    tokenizer.save(str(folder / "tokenizer.json"))
    table = np.array([(0, 0, 0), *COLOURS.values(), (0, 0, 0)], np.float32)
    nodes = [
        H.make_node("Gather", ["table", "input_ids"], ["each"]),
        H.make_node("Cast", ["attention_mask"], ["real"], to=FLOAT),
        H.make_node("Unsqueeze", ["real", "last"], ["column"]),
        H.make_node("Mul", ["each", "column"], ["kept"]),
        H.make_node("ReduceSum", ["kept", "middle"], ["words"], keepdims=0),
    ]
    save(
        folder / "text.onnx",
        nodes,
        [("input_ids", INT64, ["n", "l"]), ("attention_mask", INT64, ["n", "l"])],
        [("words", FLOAT, ["n", 3])],
        table=table,
        last=np.array([2]),
        middle=np.array([1]),
    )
    (folder / "encoder.json").write_text(
        json.dumps({"scale": 1, "bias": 0, "size": 32, "max_tokens": 4, "template": "{} green"})
    )
    encoder = load_encoder(f"onnx:{folder}")
    found = encoder.encode_text(["red", "blue blue blue blue red"])
    np.testing.assert_allclose(found[0], [0.5**0.5, 0.5**0.5, 0.0], atol=1e-6)
    np.testing.assert_allclose(found[1], [0.0, 0.0, 1.0], atol=1e-6)
    (folder / "tokenizer.json").unlink()
    with pytest.raises(PerceptionError, match=r"has no tokenizer\.json"):
        load_encoder(f"onnx:{folder}")


# ------------------------------------------------------------------------------------ detectors
def test_detector_boxes_scores_and_masks(tmp_path: Path) -> None:
    detector = load_detector(f"onnx:{save_detector(tmp_path)}")
    rgb = np.zeros((40, 80, 3), dtype=np.uint8)
    found = detector.detect(rgb, ["red", "blue"])
    assert found.queries.tolist() == [0, 1]  # the third box overlaps the second
    np.testing.assert_allclose(found.scores, [0.9, 0.8])
    np.testing.assert_allclose(found.boxes, [[0, 0, 40, 20], [40, 20, 80, 40]])
    expected = np.zeros((2, 40, 80), dtype=bool)
    expected[0, :20, :40] = True
    expected[1, 20:, 40:] = True
    np.testing.assert_array_equal(found.masks, expected)
    assert detector.detect(rgb, []).masks.shape == (0, 40, 80)
    assert len(detector.detect(rgb, ["green"])) == 1


def test_detector_settings_and_own_masks(tmp_path: Path) -> None:
    folder = save_detector(tmp_path, masks=True, threshold=0.05, overlap=1.0)
    found = load_detector(f"onnx:{folder}").detect(np.zeros((40, 80, 3), np.uint8), ["blue"])
    np.testing.assert_allclose(found.scores, [0.8, 0.7])
    assert found.masks.shape == (2, 40, 80)
    assert found.masks[0, 2, 5]  # the upper left quarter of a quarter, blurred at its edge
    assert not found.masks[0, 20:].any()
    assert not found.masks[0, :, 40:].any()


# ----------------------------------------------------------------------------------- YOLO-World
def save_yolo(
    file: Path, names: str | None, outputs: dict[str, np.ndarray], size: int = 64
) -> Path:
    """A file that gives ``outputs`` whatever it sees."""
    nodes = [
        H.make_node("ReduceMean", ["images"], ["mean"], keepdims=0),
        H.make_node("Mul", ["mean", "zero"], ["none"]),
    ]
    infos = []
    for name, value in outputs.items():
        kind = INT64 if value.dtype == np.int64 else FLOAT
        way = ["fixed_" + name] if kind == INT64 else ["fixed_" + name, "none"]
        nodes.append(H.make_node("Identity" if kind == INT64 else "Add", way, [name]))
        infos.append((name, kind, list(value.shape)))
    constants = {"fixed_" + name: value for name, value in outputs.items()}
    constants["zero"] = np.float32(0.0)  # type: ignore[assignment]
    save(file, nodes, [("images", FLOAT, [1, 3, size, size])], infos, **constants)
    if names is not None:
        model = onnx.load(str(file))
        H.set_model_props(model, {"names": names})
        onnx.save(model, str(file))
    return file


# The image is 32×16, so in the 64×64 field it is twice as large and 16 pixels from the top.
WIDE = np.zeros((16, 32, 3), dtype=np.uint8)
TABLE = np.zeros((1, 4 + 3, 2), dtype=np.float32)
TABLE[0, :4] = np.array([[32, 32, 64, 32], [8, 24, 8, 8]], np.float32).T  # the image; a corner
TABLE[0, 4:] = np.array([[0.6, 0.05, 0.3], [0.0, 0.9, 0.0]], np.float32).T
CORNERS = np.array([[[0, 16, 64, 48], [4, 20, 12, 28]]], np.float32)
CLASSES = "{0: 'chair', 1: 'Red Mug', 2: 'coffee table'}"


def layouts() -> dict[str, tuple[str | None, dict[str, np.ndarray]]]:
    likely = TABLE[:, 4:].transpose(0, 2, 1)
    return {
        "ultralytics": (CLASSES, {"output0": TABLE}),
        "authors": (None, {"scores": likely, "boxes": CORNERS}),
        "authors with NMS": (
            None,
            {
                "num_dets": np.array([[3]]),
                "boxes": CORNERS[:, [0, 1, 0, 0]],
                "scores": np.array([[0.6, 0.9, 0.3, 0.9]], np.float32),
                "labels": np.array([[0, 1, 2, 2]]),
            },
        ),
    }


@pytest.mark.parametrize("layout", layouts())
def test_yolo_world_exports_give_the_same(layout: str, tmp_path: Path) -> None:
    names, outputs = layouts()[layout]
    file = save_yolo(tmp_path / "yolo.onnx", names, outputs)
    if names is None:
        texts = [["chair"], ["red mug"], ["coffee table"]]
        (tmp_path / "yolo.json").write_text(json.dumps(texts))
    detector = YoloWorldDetector(file)
    assert detector.classes == ("chair", "red mug", "coffee table")
    found = detector.detect(WIDE, ["the chair", "mug", "table", "piano"])
    assert found.queries.tolist() == [1, 0, 2]
    np.testing.assert_allclose(found.scores, [0.9, 0.6, 0.3], atol=1e-6)
    np.testing.assert_allclose(found.boxes[0], [2, 2, 6, 6])
    np.testing.assert_allclose(found.boxes[1:], [[0, 0, 32, 16]] * 2)
    assert found.masks[0].sum() == 16


def test_yolo_world_answers_with_the_class_that_says_most(tmp_path: Path) -> None:
    table = np.zeros((1, 4 + 3, 2), dtype=np.float32)
    table[0, :4] = TABLE[0, :4]
    table[0, 4:] = np.array([[0.9, 0.0, 0.0], [0.0, 0.8, 0.0]], np.float32).T
    names = "{0: 'chair', 1: 'red chair', 2: 'sofa'}"
    detector = YoloWorldDetector(save_yolo(tmp_path / "a.onnx", names, {"output0": table}))
    assert detector.detect(WIDE, ["the red chair on the rug"]).scores.tolist() == [
        pytest.approx(0.8)
    ]
    assert detector.detect(WIDE, ["blue chair"]).scores.tolist() == [pytest.approx(0.9)]
    assert len(detector.detect(WIDE, ["couch"])) == 0


# ----------------------------------------------------------------------------------- bad input
def spoil(change: Callable[[Path], object]) -> Callable[[Path], str]:
    def make(folder: Path) -> str:
        save_encoder(folder)
        change(folder)
        return f"onnx:{folder}"

    return make


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda folder: f"onnx:{folder / 'none'}", "there is no folder"),
        (lambda folder: "onnx", "say its folder after a colon"),
        (spoil(lambda f: (f / "encoder.json").unlink()), "has no encoder.json"),
        (spoil(lambda f: (f / "encoder.json").write_text("[1]")), "must hold one JSON object"),
        (spoil(lambda f: (f / "encoder.json").write_text("{")), "cannot be read"),
        (spoil(lambda f: save_encoder(f, scale="big")), "must give 'scale' as a number"),
        (spoil(lambda f: save_encoder(f, scael=1)), "no 'scael' to say; did you mean 'scale'?"),
        (spoil(lambda f: save_encoder(f, mean=[1])), "mean must be three numbers"),
        (spoil(lambda f: save_encoder(f, std=[0, 1, 1])), "std must be above 0"),
        (spoil(lambda f: save_encoder(f, size=None)), "say 'size' as [height, width]"),
        (spoil(lambda f: save_encoder(f, template="a")), "the template must have {}"),
        (spoil(lambda f: (f / "image.onnx").unlink()), "has no image.onnx"),
        (spoil(lambda f: (f / "text.onnx").unlink()), "has no text.onnx"),
        (spoil(lambda f: (f / "image.onnx").write_bytes(b"no")), "cannot be used"),
        (spoil(lambda f: (f / "text.onnx").replace(f / "image.onnx")), "no input 'image'"),
    ],
)
def test_bad_encoder_folders_are_one_line(
    make: Callable[[Path], str], says: str, tmp_path: Path
) -> None:
    with pytest.raises(PerceptionError) as caught:
        load_encoder(make(tmp_path))
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)


def test_wrong_shapes_and_names_are_one_line(tmp_path: Path) -> None:
    folder = save_encoder(tmp_path / "a")
    nodes = [H.make_node("GlobalAveragePool", ["image"], ["patches"])]
    image = [("image", FLOAT, [1, 3, "H", "W"])]
    save(folder / "image.onnx", nodes, image, [("patches", FLOAT, [1, 3, 1, 1])])
    encoder = load_encoder(f"onnx:{folder}")
    with pytest.raises(PerceptionError, match="gave 1 numbers a vector, but says feature_dim = 3"):
        encoder.encode_patches(halves())
    nodes = [H.make_node("Identity", ["image"], ["features"])]
    save(folder / "image.onnx", nodes, image, [("features", FLOAT, [1, 3, "H", "W"])])
    with pytest.raises(PerceptionError, match="no output 'patches'; it has features"):
        load_encoder(f"onnx:{folder}")
    folder = save_detector(tmp_path / "b", threshold=3)
    with pytest.raises(PerceptionError, match="threshold must be from 0 to 1"):
        load_detector(f"onnx:{folder}")


def test_bad_yolo_files_are_one_line(tmp_path: Path) -> None:
    for argument, says in (
        ("", "say its file after a colon"),
        (str(tmp_path / "x.onnx"), "there is no file"),
        (str(save_yolo(tmp_path / "a.onnx", None, {"o": TABLE})), "into a.json beside it"),
        (str(save_yolo(tmp_path / "b.onnx", "{0: ", {"o": TABLE})), "cannot be read"),
        (str(save_yolo(tmp_path / "c.onnx", "{0: 'a'}", {"o": TABLE, "p": TABLE})), "one output"),
    ):
        with pytest.raises(PerceptionError) as caught:
            YoloWorldDetector(argument)
        assert says in str(caught.value)
    few = YoloWorldDetector(save_yolo(tmp_path / "d.onnx", "{0: 'chair'}", {"o": TABLE}))
    with pytest.raises(PerceptionError, match=r"must be \(1, 5, n\) for 1 classes"):
        few.detect(WIDE, ["chair"])


@pytest.mark.parametrize("name", ["clip", "siglip", "open_clip", "grounding_dino", "owlv2"])
def test_without_the_extra_the_pip_command_is_said(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for package in ("torch", "transformers", "open_clip"):
        monkeypatch.setitem(sys.modules, package, None)
    load = load_detector if name in ("grounding_dino", "owlv2") else load_encoder
    with pytest.raises(MissingExtraError, match=r"pip install 'navproof\[foundation\]'"):
        load(f"{name}:somewhere")
