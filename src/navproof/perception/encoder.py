"""The image-text encoder that comes with navproof (trained by ``navproof train perception``)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import final

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
from navproof.perception.protocol import check_rgb

__all__ = ["DefaultEncoder"]

Features = NDArray[np.float32]


@final
class DefaultEncoder:
    """Patches of 8×8 pixels, the whole image, and free text, as unit vectors of one space.

    Images of any size are brought to at most 256 pixels first. ``folder`` holds the weights of
    another training, if said.
    """

    name = "default"

    def __init__(self, folder: str | Path | None = None) -> None:
        where = Path(folder) if folder else WEIGHTS
        told = where / "encoder.json"
        facts = read_facts(told)
        self.feature_dim = int(number_in(facts, "features", told))
        self.scale, self.bias = (number_in(facts, name, told) for name in ("scale", "bias"))
        self.image_scale = number_in(facts, "image_scale", told)
        self.image_bias = number_in(facts, "image_bias", told)
        self._session = open_session(where / "encoder.onnx")
        self._read = TextReader(where / "encoder_text.onnx", int(number_in(facts, "words", told)))

    def encode_patches(self, rgb: NDArray[np.uint8]) -> Features:
        """(h/8, w/8, f) unit vectors."""
        return self.encode(rgb)[0]

    def encode_image(self, rgb: NDArray[np.uint8]) -> Features:
        return self.encode(rgb)[1]

    def encode(self, rgb: NDArray[np.uint8]) -> tuple[Features, Features]:
        """Patches and the whole image for the price of one."""
        image = fitted(check_rgb(rgb))
        patches, whole = self._session.run(None, {"rgb": image[None]})
        return settled(patches[0]), settled(whole[0])

    def encode_text(self, texts: Sequence[str]) -> Features:
        features = self._read(texts)
        return features if len(features) else np.zeros((0, self.feature_dim), dtype=np.float32)
