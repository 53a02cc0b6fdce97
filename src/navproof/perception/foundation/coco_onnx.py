"""A YOLO detector that was trained on photographs (COCO), as an ONNX file that a user has.

Understood are the usual exports, with one input (1, 3, H, W) and one output:

    v8      (1, 4 + c, n)   centre and size in pixels of the input, then scores; v8 to v12
    v5      (1, n, 5 + c)   centre and size, objectness, scores; three per cell; v5, v7
    yolox   (1, n, 5 + c)   the same, one per cell, in units of cells or in pixels
    nms     (1, n, 6)       corners, score, class, overlaps dropped; v10, and v8 with ``nms=True``

c is 80, the classes of COCO in their usual order, unless the file's metadata (``names``) or a JSON
list of the same name beside it says otherwise. A class answers queries about the categories that
``CATEGORIES_OF`` gives for it, or that its own name means; classes that mean none are ``dropped``.
Attributes are not seen: "the red chair" finds chairs. The inside of a box stands for its mask.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal, final

import numpy as np
from numpy.typing import NDArray

from navproof.core.errors import PerceptionError
from navproof.language.lexicon.terms import covers
from navproof.perception.foundation.boxes import Boxes, check_share, corners, gather
from navproof.perception.foundation.class_names import class_names
from navproof.perception.foundation.onnx_model import Model
from navproof.perception.foundation.pixels import ChannelStatistics, letterboxed
from navproof.perception.foundation.requirements import the_file
from navproof.perception.protocol import Detections, Image, check_queries, check_rgb
from navproof.world.catalog import CATEGORIES

__all__ = ["CATEGORIES_OF", "COCO", "CocoOnnxDetector", "Head"]

Head = Literal["v8", "v5", "yolox", "nms"]
F32 = NDArray[np.float32]

_WHAT = "coco-onnx detector"
_SIDE = 640  # where the file leaves it open
_OVERLAP = 0.45
_STRIDES = (8, 16, 32)
_NMS_COLUMNS = 6
_LARGEST_OFFSET = 16.0  # of a centre from its cell, in cells; in pixels some are far larger

COCO = tuple(
    """person, bicycle, car, motorcycle, airplane, bus, train, truck, boat, traffic light,
    fire hydrant, stop sign, parking meter, bench, bird, cat, dog, horse, sheep, cow, elephant,
    bear, zebra, giraffe, backpack, umbrella, handbag, tie, suitcase, frisbee, skis, snowboard,
    sports ball, kite, baseball bat, baseball glove, skateboard, surfboard, tennis racket, bottle,
    wine glass, cup, fork, knife, spoon, bowl, banana, apple, sandwich, orange, broccoli, carrot,
    hot dog, pizza, donut, cake, chair, couch, potted plant, bed, dining table, toilet, tv, laptop,
    mouse, remote, keyboard, cell phone, microwave, oven, toaster, sink, refrigerator, book, clock,
    vase, scissors, teddy bear, hair drier, toothbrush""".replace("\n    ", " ").split(", ")
)
"""The 80 classes in the order in which detectors have them."""

CATEGORIES_OF: Mapping[str, tuple[str, ...]] = {
    "bicycle": ("bicycle",),
    "bench": ("bench",),
    "backpack": ("backpack",),
    "suitcase": ("suitcase",),
    "bottle": ("bottle",),
    "cup": ("mug",),
    "bowl": ("bowl",),
    "chair": ("chair", "office chair", "armchair", "high chair"),
    "couch": ("sofa",),
    "potted plant": ("plant", "potted plant"),
    "bed": ("bed", "crib"),
    "dining table": ("dining table", "coffee table", "conference table", "side table"),
    "toilet": ("toilet",),
    "tv": ("tv", "monitor"),
    "laptop": ("laptop",),
    "keyboard": ("keyboard",),
    "cell phone": ("phone",),
    "microwave": ("microwave",),
    "oven": ("stove",),
    "toaster": ("toaster",),
    "sink": ("kitchen sink", "washbasin"),
    "refrigerator": ("refrigerator", "display fridge"),
    "book": ("book",),
    "clock": ("clock", "wall clock"),
    "vase": ("vase",),
    "teddy bear": ("teddy bear",),
}
"""What annotators of COCO call a thing of our categories."""


@final
class CocoOnnxDetector:
    """``threshold``: the least score. ``head`` is how the file's output was understood."""

    def __init__(self, file: str | Path = "", *, threshold: float = 0.1) -> None:
        where = the_file(file, _WHAT)
        self.name = f"coco-onnx:{where.stem}"
        self.threshold = check_share(_WHAT, "threshold", threshold)
        self._model = Model(where, _WHAT)
        if len(self._model.inputs) != 1 or len(self._model.outputs) != 1:
            raise PerceptionError(
                f"{_WHAT}: {where} must have one input and one output; it has"
                f" {', '.join(self._model.inputs)} and {', '.join(self._model.outputs)}"
            )
        self._input = next(iter(self._model.inputs))
        self._side = self._model.side(self._input, _SIDE)
        self.classes = class_names(self._model, _WHAT, COCO)
        self._meanings = tuple(_meaning(name) for name in self.classes)
        blank = np.zeros((*self._side, 3), dtype=np.uint8)
        table = self._run(ChannelStatistics()(blank))
        self.head: Head = self._head_of(table.shape)
        self._in_cells = (
            self.head == "yolox" and float(np.abs(table[0, :, :2]).max()) <= _LARGEST_OFFSET
        )

    @property
    def dropped(self) -> tuple[str, ...]:
        """The classes that answer no query."""
        pairs = zip(self.classes, self._meanings, strict=True)
        return tuple(name for name, meaning in pairs if not meaning)

    def detect(self, rgb: Image, queries: Sequence[str]) -> Detections:
        image, plain = check_rgb(rgb), check_queries(queries)
        height, width = image.shape[:2]
        answers = np.array([self._answering(query) for query in plain], dtype=np.bool_)
        if not answers.any():
            return Detections.nothing(height, width)
        field, scale, shift = letterboxed(image, *self._side, centred=self.head != "yolox")
        boxes, likely = self._boxes(self._run(self._pixels(field)))
        likely = np.clip(likely, 0.0, 1.0)
        scores = (likely[:, None, :] * answers[None]).max(axis=2, initial=0.0)
        return gather(
            ((boxes - np.tile(shift, 2)) / scale).astype(np.float32),
            scores.astype(np.float32),
            (height, width),
            threshold=self.threshold,
            overlap=_OVERLAP,
        )

    def _pixels(self, field: Image) -> F32:
        """(1, 3, H, W) in [0, 1]; YOLOX takes blue first and values up to 255."""
        if self.head == "yolox":
            blue_first = field[:, :, ::-1].transpose(2, 0, 1)[None]
            return np.ascontiguousarray(blue_first, dtype=np.float32)
        return ChannelStatistics()(field)

    def _run(self, pixels: F32) -> F32:
        is_half = self._model.inputs[self._input].type == "tensor(float16)"
        feeds = {self._input: pixels.astype(np.float16 if is_half else np.float32)}
        (found,) = self._model(**feeds).values()
        return np.asarray(found, dtype=np.float32)

    def _head_of(self, shape: tuple[int, ...]) -> Head:
        count = len(self.classes)
        cells = sum((self._side[0] // s) * (self._side[1] // s) for s in _STRIDES)
        if len(shape) == 3 and shape[0] == 1:
            if shape[2] == 5 + count and shape[1] in (cells, 3 * cells):
                return "yolox" if shape[1] == cells else "v5"
            if shape[1] == 4 + count:
                return "v8"
            if shape[2] == _NMS_COLUMNS:
                return "nms"
        raise PerceptionError(
            f"{_WHAT}: the output of {self._model.file} is {shape}; for {count} classes at"
            f" {self._side[0]}×{self._side[1]} it must be (1, {4 + count}, n), (1, {3 * cells} or"
            f" {cells}, {5 + count}) or (1, n, 6)"
        )

    def _boxes(self, table: F32) -> tuple[Boxes, F32]:
        """Corners in pixels of the input (n, 4), and scores (n, classes)."""
        if self.head == "v8":
            return corners(table[0, :4].T), table[0, 4:].T
        rows = table[0]
        if self.head == "nms":
            scores = np.zeros((len(rows), len(self.classes)), dtype=np.float32)
            classes = np.clip(rows[:, 5].astype(np.int64), 0, len(self.classes) - 1)
            scores[np.arange(len(rows)), classes] = rows[:, 4]
            return rows[:, :4], scores
        boxes = _in_pixels(rows[:, :4], *self._side) if self._in_cells else rows[:, :4]
        return corners(boxes), rows[:, 4:5] * rows[:, 5:]

    def _answering(self, query: str) -> list[bool]:
        """Which classes answer a query: those that may be what its noun names."""
        said = query.lower().split(" on ")[0].split()
        for start in range(len(said)):
            name = " ".join(said[start:])
            meant = frozenset((name,)) if name in CATEGORIES else covers(name)
            if meant or name in self.classes:
                return [
                    bool(meaning & meant) or (bool(meaning) and own == name)
                    for own, meaning in zip(self.classes, self._meanings, strict=True)
                ]
        return [False] * len(self.classes)


def _meaning(name: str) -> frozenset[str]:
    """The categories that a class stands for."""
    known = frozenset(CATEGORIES_OF.get(name, ())) or covers(name)
    return frozenset((name,)) if name == "person" else known


def _in_pixels(boxes: F32, height: int, width: int) -> F32:
    """YOLOX's boxes: (offset in its cell, log of the size in cells), cells row by row, as centre
    and size in pixels."""
    grids, strides = [], []
    for stride in _STRIDES:
        rows, cols = height // stride, width // stride
        v, u = np.mgrid[:rows, :cols]
        grids.append(np.stack([u.ravel(), v.ravel()], axis=1))
        strides.append(np.full((rows * cols, 1), stride))
    grid, stride_of = np.concatenate(grids), np.concatenate(strides)
    sizes = np.exp(np.minimum(boxes[:, 2:], 10.0))
    return np.concatenate([boxes[:, :2] + grid, sizes], axis=1).astype(np.float32) * stride_of
