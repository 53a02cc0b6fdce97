"""From what a model scores to ``Detections``: threshold, overlaps, masks."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from navproof.core.errors import PerceptionError
from navproof.perception.protocol import Detections

__all__ = ["Boxes", "check_share", "corners", "gather"]

Boxes = NDArray[np.float32]
_MOST = 100


def check_share(what: str, name: str, value: float) -> float:
    """``value`` if it is in [0, 1], else one line."""
    if not 0.0 <= value <= 1.0:
        raise PerceptionError(f"{what}: {name} must be from 0 to 1, got {value}")
    return value


def corners(boxes: Boxes) -> Boxes:
    """(n, 4) of (centre u, centre v, width, height) as (u0, v0, u1, v1)."""
    half = boxes[:, 2:] / 2.0
    return np.concatenate([boxes[:, :2] - half, boxes[:, :2] + half], axis=1)


def gather(
    boxes: Boxes,
    scores: NDArray[np.float32],
    shape: tuple[int, int],
    *,
    threshold: float,
    overlap: float,
    masks: NDArray[np.bool_] | None = None,
) -> Detections:
    """The best answers: ``boxes`` (n, 4) in pixels of an image of ``shape``, ``scores`` (n, q) in
    [0, 1] for each query.

    A box answers every query for which it scores ``threshold`` or more; of boxes for the same query
    whose intersection over union exceeds ``overlap``, the best stays. Without ``masks`` (n, H, W),
    the inside of the box is the mask. At most 100 answers.
    """
    height, width = shape
    boxes = np.clip(boxes, 0.0, np.array([width, height, width, height], np.float32))
    real = (boxes[:, 2] > boxes[:, 0]) & (boxes[:, 3] > boxes[:, 1])
    kept: list[tuple[float, int, int]] = []  # score, query, box
    for query in range(scores.shape[1]):
        fair = np.flatnonzero(real & (scores[:, query] >= threshold))
        order = fair[np.argsort(-scores[fair, query], kind="stable")]
        while order.size:
            best, order = int(order[0]), order[1:]
            kept.append((float(scores[best, query]), query, best))
            order = order[_iou(boxes[best], boxes[order]) <= overlap]
    kept = sorted(kept, key=lambda k: (-k[0], k[1], k[2]))[:_MOST]
    if not kept:
        return Detections.nothing(height, width)
    which = [k[2] for k in kept]
    return Detections(
        boxes=np.ascontiguousarray(boxes[which], dtype=np.float32),
        scores=np.array([k[0] for k in kept], dtype=np.float32),
        queries=np.array([k[1] for k in kept], dtype=np.int64),
        masks=_insides(boxes[which], height, width) if masks is None else masks[which],
    )


def _iou(box: Boxes, others: Boxes) -> NDArray[np.float32]:
    low = np.maximum(box[:2], others[:, :2])
    high = np.minimum(box[2:], others[:, 2:])
    both = np.prod(np.maximum(high - low, 0.0), axis=1)
    areas = np.prod(others[:, 2:] - others[:, :2], axis=1)
    return np.asarray(both / (np.prod(box[2:] - box[:2]) + areas - both), dtype=np.float32)


def _insides(boxes: Boxes, height: int, width: int) -> NDArray[np.bool_]:
    """Pixels whose centre is in the box; of a box between two centres, the pixel it is in."""
    masks = np.zeros((len(boxes), height, width), dtype=np.bool_)
    for mask, (u0, v0, u1, v1) in zip(masks, boxes, strict=True):
        left, top = min(int(np.ceil(u0 - 0.5)), width - 1), min(int(np.ceil(v0 - 0.5)), height - 1)
        right, bottom = int(np.ceil(u1 - 0.5)), int(np.ceil(v1 - 0.5))
        mask[top : max(bottom, top + 1), left : max(right, left + 1)] = True
    return masks
