"""What the encoders of this folder share: checks, unit vectors, remembered texts, calibration."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from navproof.core.errors import PerceptionError
from navproof.perception.protocol import (
    Features,
    Image,
    check_features,
    check_queries,
    check_rgb,
)

__all__ = ["BACKGROUND", "FoundationEncoder", "background_bias", "unit"]

BACKGROUND = ("a wall", "the floor", "the ceiling", "a room", "something", "the background")
"""What words compete with in models that were trained to choose among texts (CLIP)."""
_BLANKS = (48, 112, 176, 240)


class FoundationEncoder(ABC):
    """An ``ImageTextEncoder``; subclasses say how their model sees and reads."""

    def __init__(
        self, name: str, feature_dim: int, scale: float, bias: float, template: str
    ) -> None:
        if "{}" not in template:
            raise PerceptionError(f"{name}: the template must have {{}} in it, got {template!r}")
        self.name = name
        self.feature_dim = feature_dim
        self.scale = scale
        self.bias = bias
        self.template = template
        self._read: dict[str, NDArray[np.float32]] = {}

    @abstractmethod
    def _patches(self, rgb: Image) -> NDArray[np.float32]:
        """(h, w, f), of any length."""

    @abstractmethod
    def _image(self, rgb: Image) -> NDArray[np.float32]:
        """(f,), of any length."""

    @abstractmethod
    def _texts(self, prompts: list[str]) -> NDArray[np.float32]:
        """(n, f), of any length."""

    def encode_patches(self, rgb: Image) -> Features:
        return unit(check_features(self._patches(check_rgb(rgb)), self.feature_dim, self.name))

    def encode_image(self, rgb: Image) -> Features:
        return unit(check_features(self._image(check_rgb(rgb)), self.feature_dim, self.name))

    def encode_text(self, texts: Sequence[str]) -> Features:
        plain = check_queries(texts)
        for text in plain:  # one by one: in a batch, what a text gives depends on its neighbours
            if text not in self._read:
                found = self._texts([self.template.replace("{}", text)])
                self._read[text] = unit(check_features(found, self.feature_dim, self.name))[0]
        if not plain:
            return np.zeros((0, self.feature_dim), dtype=np.float32)
        return np.stack([self._read[t] for t in plain])


def unit(vectors: NDArray[np.float32]) -> Features:
    norms = np.linalg.norm(vectors, axis=-1, keepdims=True)
    return np.asarray(vectors / np.maximum(norms, 1e-12), dtype=np.float32)


def background_bias(
    scale: float, patches: Callable[[Image], Features], background: Features
) -> float:
    """The bias of a model that chooses among texts: words compete with ``background`` (k, f).

    Such a model gives the softmax of scale·cos over the texts, so the log-odds of words against
    the background are scale·cos − log Σ exp(scale·cos of the background). The latter depends on the
    image; its mean over the patches of blank images stands for it.
    """
    blanks = [np.full((64, 64, 3), grey, dtype=np.uint8) for grey in _BLANKS]
    seen = np.concatenate([patches(b).reshape(-1, background.shape[1]) for b in blanks])
    logits = scale * (seen @ background.T).astype(np.float64)
    top = logits.max(axis=1)
    return -float(np.mean(top + np.log(np.exp(logits - top[:, None]).sum(axis=1))))
