"""A detector whose word counts as far as the encoder agrees."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from navproof.agents.search.eyes import Eyes
from navproof.perception.protocol import Detections

__all__ = ["AgreeingEyes"]


class AgreeingEyes(Eyes):
    """Scores are halved where no patch in the box looks like the words to the encoder, and left
    where one surely does: score · (1 + p) / 2 with the best patch's probability p. The truth
    needs nobody's consent."""

    def judges(self, query: str) -> bool:
        """Whether the encoder has a say in this."""
        return True

    def detect(self, rgb: NDArray[np.uint8], queries: Sequence[str]) -> Detections | None:
        detections = super().detect(rgb, queries)
        if detections is None or not len(detections) or self.sight is not None:
            return detections
        patches = self.encoder.encode_patches(rgb)
        words = self.encoder.encode_text(queries)
        odds = self.encoder.scale * (patches @ words.T) + self.encoder.bias
        likely = 1.0 / (1.0 + np.exp(-np.clip(odds, -30.0, 30.0)))
        best = [
            _best(likely[..., query], box, rgb.shape[:2]) if self.judges(queries[query]) else 1.0
            for query, box in zip(detections.queries, detections.boxes, strict=True)
        ]
        scores = (detections.scores * (1.0 + np.array(best)) / 2.0).astype(np.float32)
        order = np.argsort(-scores, kind="stable")
        return replace(
            detections,
            boxes=detections.boxes[order],
            scores=scores[order],
            queries=detections.queries[order],
            masks=detections.masks[order],
        )


def _best(likely: NDArray[np.float32], box: NDArray[np.float32], shape: tuple[int, ...]) -> float:
    """The greatest probability of a patch that the box touches."""
    rows, cols = likely.shape
    u0, v0, u1, v1 = box / np.array([shape[1], shape[0]] * 2) * np.array([cols, rows] * 2)
    inside = likely[
        int(max(0, v0)) : max(int(np.ceil(v1)), int(v0) + 1),
        int(max(0, u0)) : max(int(np.ceil(u1)), int(u0) + 1),
    ]
    return float(inside.max(initial=0.0))
