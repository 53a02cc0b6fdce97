"""The open-vocabulary detector that comes with navproof (``navproof train perception``)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import final

import cv2
import numpy as np
from numpy.typing import NDArray

from navproof.perception.onnx_session import (
    WEIGHTS,
    TextReader,
    fitted,
    number_in,
    open_session,
    read_facts,
    settled,
)
from navproof.perception.protocol import Detections, check_rgb

__all__ = ["DefaultDetector"]

_CANDIDATES = 100  # per query, before overlapping ones are dropped
_SAME_IOU = 0.6

F32 = NDArray[np.float32]


@final
class DefaultDetector:
    """Boxes, scores and masks for free text.

    A box is reported when its score reaches ``min_score``; of boxes of one query that overlap by
    more than 0.6 the best stays; at most ``limit`` in all. ``folder`` holds the weights of another
    training, if said.
    """

    name = "default"

    def __init__(
        self, folder: str | Path | None = None, min_score: float = 0.1, limit: int = 50
    ) -> None:
        where = Path(folder) if folder else WEIGHTS
        told = where / "detector.json"
        facts = read_facts(told)
        self.min_score, self.limit = min_score, limit
        self._scale, self._bias = (number_in(facts, name, told) for name in ("scale", "bias"))
        self._session = open_session(where / "detector.onnx")
        self._read = TextReader(where / "detector_text.onnx", int(number_in(facts, "words", told)))

    def detect(self, rgb: NDArray[np.uint8], queries: Sequence[str]) -> Detections:
        height, width = check_rgb(rgb).shape[:2]
        image = fitted(rgb)
        text = self._read(queries)
        if not len(text):
            return Detections.nothing(height, width)
        boxes, embeddings, coefficients, prototypes = (
            out[0] for out in self._session.run(None, {"rgb": image[None]})
        )
        logits = embeddings @ text.T * np.float32(self._scale) + np.float32(self._bias)
        scores = settled(np.asarray(1.0 / (1.0 + np.exp(-logits)), dtype=np.float32))
        shape = image.shape[:2]
        boxes = np.clip(boxes, 0.0, np.array([shape[1], shape[0]] * 2, dtype=np.float32))
        candidates = [
            (float(scores[place, query]), query, place)
            for query in range(len(text))
            for place in _best(boxes, scores[:, query], self.min_score)
        ]
        candidates = sorted(candidates, key=lambda k: (-k[0], k[1], k[2]))[: self.limit]
        if not candidates:
            return Detections.nothing(height, width)
        places = [place for _, _, place in candidates]
        grow = np.array([width / shape[1], height / shape[0]] * 2, dtype=np.float32)
        pixel_boxes = np.asarray(np.round(boxes[places] * grow, 1), dtype=np.float32)
        mask_logits = np.tensordot(coefficients[places], prototypes, axes=1)
        return Detections(
            pixel_boxes,
            np.array([score for score, _, _ in candidates], dtype=np.float32),
            np.array([query for _, query, _ in candidates], dtype=np.int64),
            _masks(np.asarray(mask_logits, dtype=np.float32), pixel_boxes, height, width),
        )


def _best(boxes: F32, scores: F32, min_score: float) -> list[int]:
    """Places in order of score, none overlapping a better one much."""
    order = np.flatnonzero(scores >= min_score)
    order = order[np.argsort(-scores[order], kind="stable")][:_CANDIDATES]
    best: list[int] = []
    while order.size:
        first = order[0]
        best.append(int(first))
        rest = order[1:]
        order = rest[_iou(boxes[first], boxes[rest]) <= _SAME_IOU]
    return best


def _iou(one: F32, many: F32) -> F32:
    low = np.maximum(one[:2], many[:, :2])
    high = np.minimum(one[2:], many[:, 2:])
    shared = np.prod(np.clip(high - low, 0.0, None), axis=1)
    areas = np.prod(one[2:] - one[:2]) + np.prod(many[:, 2:] - many[:, :2], axis=1)
    return np.asarray(shared / np.maximum(areas - shared, 1e-6), dtype=np.float32)


def _masks(mask_logits: F32, boxes: F32, height: int, width: int) -> NDArray[np.bool_]:
    """Mask logits at a quarter of the size, cut to their boxes, at the size of the image."""
    masks = np.zeros((len(mask_logits), height, width), dtype=np.bool_)
    for mask, logits, box in zip(masks, mask_logits, boxes, strict=True):
        u0, v0 = int(np.floor(box[0])), int(np.floor(box[1]))
        u1, v1 = int(np.ceil(box[2])), int(np.ceil(box[3]))
        full = cv2.resize(logits, (width, height), interpolation=cv2.INTER_LINEAR)
        inside = full[v0:v1, u0:u1] > 0.0
        mask[v0:v1, u0:u1] = inside if inside.any() else True
    return masks
