"""Encoders and detectors of one's own as ONNX files. The contract of the folders is in
docs/guides/perception.md; the tables in the docstrings below are its short form."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, final

import cv2
import numpy as np
from numpy.typing import NDArray

from navproof.core.errors import PerceptionError
from navproof.core.registry import suggest
from navproof.perception.foundation.boxes import check_share, gather
from navproof.perception.foundation.encoder import FoundationEncoder
from navproof.perception.foundation.onnx_model import Model, TextModel
from navproof.perception.foundation.pixels import ChannelStatistics, resized
from navproof.perception.foundation.requirements import read_json, the_folder
from navproof.perception.protocol import Detections, Image, check_queries, check_rgb

__all__ = ["OnnxDetector", "OnnxEncoder"]

_SHARED = ("name", "size", "mean", "std", "template", "max_tokens")


@final
class OnnxEncoder(FoundationEncoder):
    """A folder with ``image.onnx``, ``text.onnx`` and ``encoder.json``.

    ``image.onnx``: input ``image`` (1, 3, H, W) float32; outputs ``patches`` (1, h, w, f) and, if
    it has one, ``whole`` (1, f) (else the mean of the patches stands for it).
    ``encoder.json``: ``scale`` and ``bias`` of the log-odds, and if not the usual ``name``,
    ``size``, ``mean``, ``std`` (of values in [0, 1]), ``template``, ``max_tokens``.
    """

    def __init__(self, folder: str | Path = "") -> None:
        what = "onnx encoder"
        where = the_folder(folder, what, "encoder.json")
        facts = _facts(where / "encoder.json", ("scale", "bias"), (), what)
        the_folder(where, what, "image.onnx")
        self._model = Model(where / "image.onnx", what)
        self._model.require(("image",), ("patches",))
        self._side = self._model.side("image", facts.get("size"))
        self._normal = ChannelStatistics.of(facts, ChannelStatistics(), what)
        self._reads = TextModel(where, what, int(facts.get("max_tokens", 77)))
        self._seen: tuple[Image, dict[str, NDArray[Any]]] | None = None
        feature_dim = self._reads(["something"]).shape[-1]
        super().__init__(
            str(facts.get("name", f"onnx:{where.name}")),
            feature_dim,
            float(facts["scale"]),
            float(facts["bias"]),
            str(facts.get("template", "{}")),
        )

    def _patches(self, rgb: Image) -> NDArray[np.float32]:
        patches = self._see(rgb)["patches"]
        if patches.ndim != 4 or patches.shape[0] != 1:
            raise PerceptionError(
                f"{self.name}: patches must be (1, h, w, {self.feature_dim}), got {patches.shape}"
            )
        return np.asarray(patches[0], dtype=np.float32)

    def _image(self, rgb: Image) -> NDArray[np.float32]:
        found = self._see(rgb)
        if "whole" in found:
            return np.asarray(found["whole"][0], dtype=np.float32)
        return np.asarray(self.encode_patches(rgb).mean(axis=(0, 1)), dtype=np.float32)

    def _texts(self, prompts: list[str]) -> NDArray[np.float32]:
        return self._reads(prompts)

    def _see(self, rgb: Image) -> dict[str, NDArray[Any]]:
        """What the model makes of the image; the last one is remembered, for its two questions."""
        if self._seen is None or not np.array_equal(self._seen[0], rgb):
            found = self._model(image=self._normal(resized(rgb, *self._side)))
            self._seen = (rgb.copy(), found)
        return self._seen[1]


@final
class OnnxDetector:
    """A folder with ``detector.onnx``, ``text.onnx`` and ``detector.json``.

    ``detector.onnx``: inputs ``image`` (1, 3, H, W) float32 and ``text`` (q, f) float32, which is
    what ``text.onnx`` gives; outputs ``boxes`` (n, 4) as (u0, v0, u1, v1) in [0, 1] of the image,
    ``scores`` (n, q) in [0, 1] and, if it has them, ``masks`` (n, h, w) in [0, 1] over the whole
    image. ``detector.json`` as for the encoder, with ``threshold`` (0.3) and ``overlap`` (0.7) for
    scale and bias.
    """

    def __init__(self, folder: str | Path = "") -> None:
        what = "onnx detector"
        where = the_folder(folder, what, "detector.json")
        facts = _facts(where / "detector.json", (), ("threshold", "overlap"), what)
        the_folder(where, what, "detector.onnx")
        self.name = str(facts.get("name", f"onnx:{where.name}"))
        self.threshold = check_share(what, "threshold", float(facts.get("threshold", 0.3)))
        self.overlap = check_share(what, "overlap", float(facts.get("overlap", 0.7)))
        self.template = str(facts.get("template", "{}"))
        self._model = Model(where / "detector.onnx", what)
        self._model.require(("image", "text"), ("boxes", "scores"))
        self._side = self._model.side("image", facts.get("size"))
        self._normal = ChannelStatistics.of(facts, ChannelStatistics(), what)
        self._reads = TextModel(where, what, int(facts.get("max_tokens", 77)))

    def detect(self, rgb: Image, queries: Sequence[str]) -> Detections:
        image, plain = check_rgb(rgb), check_queries(queries)
        height, width = image.shape[:2]
        if not plain:
            return Detections.nothing(height, width)
        found = self._model(
            image=self._normal(resized(image, *self._side)),
            text=self._reads([self.template.replace("{}", query) for query in plain]),
        )
        boxes, scores = found["boxes"], found["scores"]
        if boxes.shape != (len(boxes), 4) or scores.shape != (len(boxes), len(plain)):
            raise PerceptionError(
                f"{self.name}: boxes must be (n, 4) and scores (n, {len(plain)}),"
                f" got {boxes.shape} and {scores.shape}"
            )
        return gather(
            boxes.astype(np.float32) * np.array([width, height, width, height], np.float32),
            scores.astype(np.float32),
            (height, width),
            threshold=self.threshold,
            overlap=self.overlap,
            masks=_masks(found["masks"], height, width) if "masks" in found else None,
        )


def _masks(likely: NDArray[Any], height: int, width: int) -> NDArray[np.bool_]:
    """Pixels that are in it with even odds or better, at the size of the image."""
    if likely.shape[1:] == (height, width):
        return np.asarray(likely >= 0.5)
    scaled = [
        cv2.resize(m.astype(np.float32), (width, height), interpolation=cv2.INTER_LINEAR)
        for m in likely
    ]
    return np.asarray(np.array(scaled).reshape(-1, height, width) >= 0.5)


def _facts(
    file: Path, required: tuple[str, ...], optional: tuple[str, ...], what: str
) -> dict[str, Any]:
    facts = read_json(file, what)
    known = [*_SHARED, *required, *optional]
    for name in facts:
        if name not in known:
            raise PerceptionError(f"{what}: {file} has no '{name}' to say{suggest(name, known)}")
    for name in required:
        if not isinstance(facts.get(name), int | float):
            raise PerceptionError(f"{what}: {file} must give '{name}' as a number")
    return facts
