"""Grounding DINO and OWLv2 through ``transformers``, from folders as ``save_pretrained`` writes.

Both give boxes and no masks: the inside of the box stands for the mask.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from navproof.core.errors import PerceptionError
from navproof.perception.foundation.boxes import check_share, corners, gather
from navproof.perception.foundation.pixels import (
    CLIP_MEAN,
    CLIP_STD,
    IMAGENET_MEAN,
    IMAGENET_STD,
    ChannelStatistics,
    resized,
)
from navproof.perception.foundation.pretrained import PretrainedModel
from navproof.perception.foundation.requirements import read_json
from navproof.perception.protocol import Detections, Image, check_queries, check_rgb

__all__ = ["GroundingDinoDetector", "Owlv2Detector"]

_OVERLAP = 0.7
_GREY = 128


class _Model:
    """A ``transformers`` detector with its tokenizer."""

    def __init__(self, folder: str | Path, kind: str, normal: ChannelStatistics) -> None:
        self.what = what = f"{kind} detector"
        loaded = PretrainedModel(folder, f"{kind}ForObjectDetection", what)
        self.folder, self.torch = loaded.folder, loaded.torch
        self.model, self.tokenizer = loaded.model, loaded.tokenizer
        self.normal = ChannelStatistics.in_folder(self.folder, normal, what)

    def size(self) -> dict[str, Any]:
        """The size in the folder's preprocessor_config.json, or nothing."""
        file = self.folder / "preprocessor_config.json"
        found = read_json(file, self.what).get("size", {}) if file.is_file() else {}
        return found if isinstance(found, dict) else {}

    def __call__(self, image: Image, **tokens: Any) -> tuple[NDArray[np.float32], Any]:
        """Boxes (n, 4), centre and size in [0, 1]; and the scores, (n, texts) in [0, 1]."""
        with self.torch.inference_mode():
            out = self.model(pixel_values=self.torch.from_numpy(self.normal(image)), **tokens)
        return out.pred_boxes[0].numpy(), out.logits[0].sigmoid().numpy()


@final
class GroundingDinoDetector:
    """The queries are asked in one sentence, "red mug. desk."; a box's score for a query is the
    best over the query's words (Liu et al., Grounding DINO, ECCV 2024).

    ``threshold``: the least score. Images are brought to the size that the folder's
    preprocessor_config.json says (800 pixels on the shorter side, at most 1333).
    """

    def __init__(self, folder: str | Path = "", *, threshold: float = 0.3) -> None:
        self._model = _Model(
            folder, "GroundingDino", ChannelStatistics(IMAGENET_MEAN, IMAGENET_STD)
        )
        self.name = f"grounding_dino:{self._model.folder.name}"
        self.threshold = check_share(self.name, "threshold", threshold)
        size = self._model.size()
        self._sides = int(size.get("shortest_edge", 800)), int(size.get("longest_edge", 1333))
        self._longest = int(self._model.model.config.max_text_len)

    def detect(self, rgb: Image, queries: Sequence[str]) -> Detections:
        image, plain = check_rgb(rgb), check_queries(queries)
        height, width = image.shape[:2]
        if not plain:
            return Detections.nothing(height, width)
        scale = min(self._sides[0] / min(height, width), self._sides[1] / max(height, width))
        seen = resized(image, round(height * scale), round(width * scale))
        scores, boxes = [], []
        for part in self._sentences(plain):
            tokens = self._model.tokenizer(self._sentence(part), return_tensors="pt")
            words = _words_of_queries(tokens["input_ids"][0].tolist(), self._ends())
            found, likely = self._model(seen, **tokens)
            table = np.zeros((len(found), len(plain)), dtype=np.float32)
            for query, where in zip(part, words, strict=True):
                table[:, plain.index(query)] = likely[:, where].max(axis=1, initial=0.0)
            boxes.append(corners(found) * np.array([width, height, width, height], np.float32))
            scores.append(table)
        table = np.concatenate(scores)
        for again, query in enumerate(plain):
            table[:, again] = table[:, plain.index(query)]
        return gather(
            np.concatenate(boxes),
            table,
            (height, width),
            threshold=self.threshold,
            overlap=_OVERLAP,
        )

    def _sentence(self, queries: list[str]) -> str:
        return " ".join(
            query.lower().replace(".", " ").replace("?", " ") + "." for query in queries
        )

    def _sentences(self, plain: list[str]) -> list[list[str]]:
        """The queries, in as few sentences as the model can read."""
        parts: list[list[str]] = [[]]
        for query in dict.fromkeys(plain):
            ids = self._model.tokenizer(self._sentence([*parts[-1], query]))["input_ids"]
            if len(ids) > self._longest:
                if not parts[-1]:
                    raise PerceptionError(f"{self.name}: the query is too long: {query[:60]!r}…")
                parts.append([])
            parts[-1].append(query)
        return parts

    def _ends(self) -> int:
        return int(self._model.tokenizer.convert_tokens_to_ids("."))


def _words_of_queries(ids: list[int], full_stop: int) -> list[list[int]]:
    """The places of each query's tokens: those between the full stops, after the first token."""
    found: list[list[int]] = [[]]
    for place, token in enumerate(ids[1:], start=1):
        if token == full_stop:
            found.append([])
        else:
            found[-1].append(place)
    return found[:-1]


@final
class Owlv2Detector:
    """Every query is a text of its own (Minderer et al., Scaling Open-Vocabulary Object Detection,
    NeurIPS 2023). The image is put into the upper left of a grey square and brought to the model's
    size. ``threshold``: the least score; ``template`` turns a query into a caption."""

    def __init__(
        self, folder: str | Path = "", *, threshold: float = 0.2, template: str = "a photo of {}"
    ) -> None:
        self._model = _Model(folder, "Owlv2", ChannelStatistics(CLIP_MEAN, CLIP_STD))
        self.name = f"owlv2:{self._model.folder.name}"
        self.threshold = check_share(self.name, "threshold", threshold)
        if "{}" not in template:
            raise PerceptionError(f"{self.name}: the template must have {{}}, got {template!r}")
        self.template = template
        self._side = int(self._model.model.config.vision_config.image_size)
        self._longest = int(self._model.model.config.text_config.max_position_embeddings)

    def detect(self, rgb: Image, queries: Sequence[str]) -> Detections:
        image, plain = check_rgb(rgb), check_queries(queries)
        height, width = image.shape[:2]
        if not plain:
            return Detections.nothing(height, width)
        side = max(height, width)
        square = np.full((side, side, 3), _GREY, dtype=np.uint8)
        square[:height, :width] = image
        tokens = self._model.tokenizer(
            [self.template.replace("{}", query) for query in plain],
            padding="max_length",
            truncation=True,
            max_length=self._longest,
            return_tensors="pt",
        )
        found, likely = self._model(
            resized(square, self._side, self._side),
            input_ids=tokens["input_ids"],
            attention_mask=tokens["attention_mask"],
        )
        return gather(
            corners(found) * np.float32(side),
            likely,
            (height, width),
            threshold=self.threshold,
            overlap=_OVERLAP,
        )
