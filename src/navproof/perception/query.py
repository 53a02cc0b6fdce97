"""Asking a feature map in words: cosines, text as a kernel across layers, candidates.

query = TextQuery(feature_map, encoder.encode_text(["candle", "nightstand"]))
... feature_map.fuse(...); query.update()                          # every step
likely = query.supported(encoder.scale, encoder.bias)              # the candle on the nightstand
likely = query.likelihood(encoder.scale, encoder.bias)             # a candle, wherever
for spot in top_candidates(likely, feature_map.grid, 0.5): print(spot.x, spot.y, spot.score)

The map survives from goal to goal; a query is made anew for each.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from navproof.core.errors import PerceptionError
from navproof.perception.feature_map import FeatureMap, for_kernel
from navproof.perception.grid import Grid
from navproof.perception.projection import both_hold, calibrate, compare
from navproof.perception.protocol import check_features

__all__ = ["UNKNOWN", "Candidate", "TextQuery", "likelihood", "on_support", "top_candidates"]

UNKNOWN = -1.0
"""The score of a cell of which nothing is known: below whatever is met in practice, and unlike NaN
harmless in a maximum."""

F32 = NDArray[np.float32]


class TextQuery:
    """Cosines between k texts and every cell of a map, kept up to date at the cost of what changed.

    ``scores`` (k, layers, rows, cols), ``UNKNOWN`` where nothing was seen, is another array after
    the map has grown.
    """

    def __init__(self, feature_map: FeatureMap, text_features: F32) -> None:
        texts = check_features(text_features, feature_map.feature_dim, "the text encoder")
        if texts.ndim != 2 or len(texts) == 0:
            raise PerceptionError(f"text features must be (k, f) with k ≥ 1, got {texts.shape}")
        lengths = np.linalg.norm(texts, axis=1, keepdims=True)
        if not (lengths > 0.0).all():
            raise PerceptionError("a text feature is all zeros and points nowhere")
        self.map = feature_map
        self.texts: F32 = for_kernel(texts / lengths)
        self.scores: F32 = self._blank()
        self._frame = 0
        self.update()

    def update(self) -> int:
        """Bring the scores up to date with the map; returns how many cells that took."""
        if self.scores.shape[1:] != self.map.shape:
            self.scores, self._frame = self._blank(), 0
        changed = self.map.changed_since(self._frame)
        compare(self.map.features, self.map.norms, self.texts, changed, self.map.cells, self.scores)
        self._frame = self.map.frame
        return int(changed.size)

    def best(
        self, mask: NDArray[np.bool_] | None = None, text: int = 0
    ) -> tuple[float, int, int, int] | None:
        """(cosine, layer, row, col) of the cell most like a text, among those where ``mask``
        (rows, cols) or (layers, rows, cols) is true. None where nothing is known."""
        layer, row, col = self.map.cells[1:].T
        scores = self.scores[text, layer, row, col]
        if mask is not None:
            allowed = mask[row, col] if mask.ndim == 2 else mask[layer, row, col]
            scores = np.where(allowed, scores, -np.inf)
        if scores.size == 0 or not np.isfinite(scores.max()):
            return None
        at = int(scores.argmax())
        return float(scores[at]), int(layer[at]), int(row[at]), int(col[at])

    def likelihood(self, scale: float, bias: float, text: int = 0) -> F32:
        """(layers, rows, cols) the probability that a text fits; see ``likelihood``."""
        return self._in_bounds(lambda cosines: likelihood(cosines[text], scale, bias))

    def supported(
        self, scale: float, bias: float, reach_m: float = 0.3, same_layer: bool = False
    ) -> F32:
        """(layers, rows, cols) how well text 0 on text 1 fits; see ``on_support``."""
        if len(self.texts) != 2:
            raise PerceptionError(
                f"a support kernel has two texts (what, on what); this query has {len(self.texts)}"
            )
        reach = round(reach_m / self.map.grid.cell_m)
        return self._in_bounds(
            lambda cosines: on_support(cosines[0], cosines[1], scale, bias, reach, same_layer)
        )

    def _blank(self) -> F32:
        return np.full((len(self.texts), *self.map.shape), UNKNOWN, dtype=np.float32)

    def _in_bounds(self, work: Callable[[F32], F32]) -> F32:
        """``work`` on the part of the map that was seen, the rest UNKNOWN."""
        r0, r1, c0, c1 = self.map.known_bounds()
        answer: F32 = np.full(self.map.shape, UNKNOWN, dtype=np.float32)
        if r1 > r0:
            answer[:, r0:r1, c0:c1] = work(self.scores[:, :, r0:r1, c0:c1])
        return answer


def likelihood(cosines: F32, scale: float, bias: float) -> F32:
    """1 / (1 + exp(−(scale·cos + bias))), UNKNOWN where the cosine is."""
    if cosines.ndim != 3:
        raise PerceptionError(f"cosines must be (layers, rows, cols), got {cosines.shape}")
    p: F32 = np.empty_like(cosines, order="C")
    calibrate(for_kernel(cosines), float(scale), float(bias), UNKNOWN, p)
    return p


def on_support(
    target: F32,
    support: F32,
    scale: float,
    bias: float,
    reach_cells: int = 5,
    same_layer: bool = False,
) -> F32:
    """Text as a kernel: how likely each cell (layers, rows, cols) shows the target on the support.

    A cell of layer l is compared with the best cell for the support in layer l − 1 within
    ``reach_cells``, "the immediately lower layer" of LangNavBench §4.1; with ``same_layer`` in
    layer l too (what is on a low table shares its layer; but so does what stands beside it).
    Layer 0 has nothing below it, so things there are on nothing; a map of one layer can only look
    in the same.

    The score is √(p(target)·p(support)): both must hold, since one factor near 0 takes all, and
    it compares with the p of a plain query. (A mean of log-odds would let a very sure candle
    make up for the missing nightstand.)
    """
    if target.shape != support.shape or target.ndim != 3:
        raise PerceptionError(
            "target and support must be cosines (layers, rows, cols), got "
            f"{target.shape} and {support.shape}"
        )
    below = np.full_like(support, UNKNOWN)
    below[1:] = support[:-1]
    if same_layer or len(support) == 1:
        np.maximum(below, support, out=below)
    side = 2 * reach_cells + 1
    disc = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (side, side))
    near: F32 = np.stack([cv2.dilate(layer, disc) for layer in below]).astype(np.float32)
    p: F32 = np.empty_like(near)
    both_hold(for_kernel(target), near, float(scale), float(bias), UNKNOWN, p)
    return p


@dataclass(frozen=True, slots=True)
class Candidate:
    """A spot of the map that fits: its middle (x, y) in the episode frame, the ``layer`` and
    ``score`` of its best cell, and how it spreads: ``extent_m`` from the middle to its farthest
    cell, ``cells`` their number."""

    x: float
    y: float
    layer: int
    score: float
    extent_m: float
    cells: int


def top_candidates(
    scores: F32,
    grid: Grid,
    min_score: float,
    radius_m: float = 0.5,
    n: int = 10,
    min_cells: int = 1,
) -> list[Candidate]:
    """The best spots, best first: peaks with everything within ``radius_m`` taken into the peak.

    ``scores`` (layers, rows, cols) count by their best layer. A spot holds the cells of at least
    ``min_score`` within ``radius_m`` of its peak that no better spot took; its middle is the mean
    of those that reach halfway from ``min_score`` to the peak. Spots of fewer than ``min_cells``
    are specks, and dropped. Ties go to the lower row, then column.
    """
    if scores.ndim != 3 or scores.shape[1:] != grid.shape:
        raise PerceptionError(
            f"scores must be (layers, {grid.rows}, {grid.cols}) as the grid is, got {scores.shape}"
        )
    flat = scores.max(axis=0)
    rows, cols = np.nonzero((flat >= min_score) & (flat > UNKNOWN))
    score = flat[rows, cols]
    order = np.argsort(-score, kind="stable")
    rows, cols, score = rows[order], cols[order], score[order]
    candidates: list[Candidate] = []
    while score.size and len(candidates) < n:
        near = (rows - rows[0]) ** 2 + (cols - cols[0]) ** 2 <= (radius_m / grid.cell_m) ** 2
        if int(near.sum()) >= min_cells:
            core = near & (score >= 0.5 * (min_score + score[0]))
            row, col = float(rows[core].mean()), float(cols[core].mean())
            spread = np.hypot(rows[near] - row, cols[near] - col).max()
            candidates.append(
                Candidate(
                    *grid.centre(row, col),
                    layer=int(scores[:, rows[0], cols[0]].argmax()),
                    score=float(score[0]),
                    extent_m=float(spread) * grid.cell_m,
                    cells=int(near.sum()),
                )
            )
        rows, cols, score = rows[~near], cols[~near], score[~near]
    return candidates
