"""Eyes as they would be if they erred nowhere: what the truth of a frame answers in their place.

A detector's answer is that of the truth. Features are not: they live in a space of their encoder's,
where no truth has a place. They are moved as little as makes the words asked so far come out right:

    f′ = f + Q⁺(c − Qf), made unit again

with the texts Q (k, f) and c the cosines as they are, but for the texts that come out wrong.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from navproof.perception.protocol import Detections, TruthFrame
from navproof.perception.truth import TruthDetector

__all__ = ["Odds", "moved_to_fit", "true_detections", "true_features"]

F32 = NDArray[np.float32]
Odds = tuple[float, float]
"""(scale, bias): p = 1 / (1 + exp(−(scale·cos + bias)))."""

_FITS_P, _FAILS_P = 0.9, 0.1
_PATCH_SHARE = 1 / 3  # of a patch, from which on it shows a thing
_IMAGE_SHARE = 0.1  # of a whole image, likewise
_ROUNDS = 4  # making vectors unit again shifts them a little
_SINGULAR = 1e-3  # share of the greatest singular value below which texts are the same


def true_detections(
    sight: TruthFrame, rgb: NDArray[np.uint8], queries: Sequence[str]
) -> Detections:
    """What a detector without errors finds in the frame."""
    detector = TruthDetector()
    detector.see(sight)
    return detector.detect(rgb, queries)


def true_features(
    features: F32, texts: Mapping[str, F32], sight: TruthFrame, rgb: NDArray[np.uint8], odds: Odds
) -> F32:
    """(h, w, f) features of patches, or (1, 1, f) of an image, that are right about every text.

    A patch shows what covers a third of it (an image: a tenth), and everything that is visible has
    a patch that shows it. Of what covers it in part only, a patch may say what it likes.
    """
    if not texts:
        return features
    height, width, _ = features.shape
    detections = true_detections(sight, rgb, list(texts))
    shows = np.zeros((height * width, len(texts)), dtype=np.bool_)
    hints = np.zeros_like(shows)
    least = _IMAGE_SHARE if height * width == 1 else _PATCH_SHARE
    for mask, query in zip(detections.masks, detections.queries, strict=True):
        share = _shares(mask, height, width)
        shows[:, query] |= share >= least
        hints[:, query] |= share > 0.0
        if height * width > 1:
            shows[int(share.argmax()), query] = True
    flat = features.reshape(height * width, -1)
    result = moved_to_fit(flat, np.stack(list(texts.values())), shows, ~hints, odds)
    return result.reshape(features.shape)


def moved_to_fit(
    features: F32, texts: F32, fits: NDArray[np.bool_], fails: NDArray[np.bool_], odds: Odds
) -> F32:
    """(n, f) unit vectors, moved where a text that ``fits`` (n, k) has p < ½ or one that ``fails``
    has p > ½; the others are left as they are, to the bit."""
    scale, bias = odds
    even = -bias / scale
    high, low = ((math.log(p / (1.0 - p)) - bias) / scale for p in (_FITS_P, _FAILS_P))
    texts = texts / np.linalg.norm(texts, axis=1, keepdims=True)
    back = np.linalg.pinv(texts, rcond=_SINGULAR).T
    result = features.copy()
    for _ in range(_ROUNDS):
        cosines = result @ texts.T
        up, down = fits & (cosines < even), fails & (cosines > even)
        wrong = (up | down).any(axis=1)
        if not wrong.any():
            break
        target = np.where(up, high, np.where(down, low, cosines))[wrong]
        there = result[wrong] + (target - cosines[wrong]) @ back
        result[wrong] = there / np.maximum(np.linalg.norm(there, axis=1, keepdims=True), 1e-12)
    return result


def _shares(mask: NDArray[np.bool_], height: int, width: int) -> NDArray[np.float64]:
    """(height·width,) the share of each cell of a regular grid that a mask covers."""
    rows = np.arange(mask.shape[0]) * height // mask.shape[0]
    cols = np.arange(mask.shape[1]) * width // mask.shape[1]
    cells = (rows[:, None] * width + cols[None, :]).ravel()
    covered = np.bincount(cells, mask.ravel(), height * width)
    return np.asarray(covered / np.maximum(np.bincount(cells, minlength=height * width), 1))
