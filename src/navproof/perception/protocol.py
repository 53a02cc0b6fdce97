"""The two contracts of seeing: images and words in one space, and boxes for words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from navproof.core.errors import PerceptionError
from navproof.core.types import Scalar

__all__ = [
    "Detections",
    "ImageTextEncoder",
    "OpenVocabularyDetector",
    "SeesTruth",
    "TruthFrame",
    "check_features",
    "check_queries",
    "check_rgb",
]

Image = NDArray[np.uint8]
Features = NDArray[np.float32]


class ImageTextEncoder(Protocol):
    """Images and free text as unit vectors of one space.

    ``scale`` and ``bias`` turn a cosine into the log-odds that the words fit what is seen:
    ``p = 1 / (1 + exp(−(scale·cos + bias)))``.
    """

    @property
    def name(self) -> str: ...
    @property
    def feature_dim(self) -> int: ...
    @property
    def scale(self) -> float: ...
    @property
    def bias(self) -> float: ...

    def encode_patches(self, rgb: Image) -> Features:
        """(h, w, f) unit vectors on a regular grid over the image, row 0 at the top."""

    def encode_image(self, rgb: Image) -> Features:
        """(f,) unit vector of the whole image."""

    def encode_text(self, texts: Sequence[str]) -> Features:
        """(n, f) unit vectors. Text is free; words never seen in training are no error."""


@dataclass(frozen=True, slots=True, eq=False)
class Detections:
    """What a detector found, best first: ``boxes`` (n, 4) as (u0, v0, u1, v1) in pixels of the
    image given, ``scores`` (n,) in [0, 1], ``queries`` (n,) indices into the queries asked,
    ``masks`` (n, H, W) at the size of the image given."""

    boxes: NDArray[np.float32]
    scores: NDArray[np.float32]
    queries: NDArray[np.int64]
    masks: NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.scores)

    def where(self, is_kept: NDArray[np.bool_]) -> Detections:
        """Those of which ``is_kept`` (n,) is true, in the same order."""
        return Detections(
            self.boxes[is_kept], self.scores[is_kept], self.queries[is_kept], self.masks[is_kept]
        )

    @classmethod
    def nothing(cls, height: int, width: int) -> Detections:
        """No detections in an image of this size."""
        return cls(
            np.zeros((0, 4), dtype=np.float32),
            np.zeros(0, dtype=np.float32),
            np.zeros(0, dtype=np.int64),
            np.zeros((0, height, width), dtype=np.bool_),
        )


class OpenVocabularyDetector(Protocol):
    """Boxes and masks of whatever the queries describe."""

    @property
    def name(self) -> str: ...

    def detect(self, rgb: Image, queries: Sequence[str]) -> Detections: ...


@dataclass(frozen=True, slots=True, eq=False)
class TruthFrame:
    """The ground truth of the frame that is shown next: ``instances`` (H, W) object ids, and
    ``facts`` as in ``TaskBrief.facts``. ``step`` keys the errors that are drawn."""

    instances: NDArray[np.int32]
    facts: Mapping[int, Mapping[str, Scalar]]
    seed: int = 0
    step: int = 0


@runtime_checkable
class SeesTruth(Protocol):
    """An encoder or detector that stands in for perfect (or measured-out imperfect) eyes: it is
    shown the ground truth of a frame before it is asked about it. Results of agents with such
    eyes say that they were given ground truth."""

    def see(self, truth: TruthFrame) -> None: ...


def check_rgb(rgb: object) -> Image:
    """An (H, W, 3) uint8 image, or one line that says what came instead."""
    if not isinstance(rgb, np.ndarray) or rgb.ndim != 3 or rgb.shape[2] != 3:
        shape = getattr(rgb, "shape", type(rgb).__name__)
        raise PerceptionError(f"an image must be (height, width, 3), got {shape}")
    if rgb.dtype != np.uint8:
        raise PerceptionError(f"an image must be uint8, got {rgb.dtype}")
    if min(rgb.shape[:2]) < 8:
        raise PerceptionError(
            f"an image must be at least 8×8 pixels, got {rgb.shape[1]}×{rgb.shape[0]}"
        )
    return rgb


def check_queries(texts: Sequence[str]) -> list[str]:
    """The texts, stripped; raises where one is empty or no text at all."""
    if isinstance(texts, str):
        raise PerceptionError(f"queries must be a list of texts, got one text: {texts[:60]!r}")
    plain = []
    for text in texts:
        if not isinstance(text, str) or not text.strip():
            raise PerceptionError(f"a query must be words, got {text!r}")
        plain.append(" ".join(text.split()))
    return plain


def check_features(features: object, feature_dim: int, what: str) -> Features:
    """Features whose last axis is ``feature_dim``, or one line that says what came instead."""
    shape = getattr(features, "shape", None)
    if not isinstance(features, np.ndarray) or not shape or shape[-1] != feature_dim:
        size = type(features).__name__ if not shape else f"{shape[-1]} numbers a vector"
        raise PerceptionError(f"{what} gave {size}, but says feature_dim = {feature_dim}")
    if not np.isfinite(features).all():
        raise PerceptionError(f"{what} gave features that are not finite")
    return np.asarray(features, dtype=np.float32)
