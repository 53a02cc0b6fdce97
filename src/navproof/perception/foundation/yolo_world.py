"""YOLO-World as an ONNX file, as its two usual exporters write it.

The class names are set before the export and are part of the file; a query is answered with the
classes that its noun names. Understood are

- ``ultralytics``: input ``images``, one output (1, 4 + classes, n) with centre and size in pixels
  of the input; the names are in the file's metadata (``names``);
- the authors' exporter: input ``images``, outputs ``boxes`` (1, n, 4) as corners in pixels and
  ``scores`` (1, n, classes), or with NMS ``num_dets``, ``boxes``, ``scores`` (1, n), ``labels``;
  the names are in a JSON file of the same name beside it: what was given as --custom-text.

There are no masks in these files: the inside of the box stands for the mask.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from navproof.core.errors import PerceptionError
from navproof.language.lexicon.nouns import could_mean
from navproof.language.lexicon.terms import covers
from navproof.perception.foundation.boxes import check_share, corners, gather
from navproof.perception.foundation.class_names import class_names
from navproof.perception.foundation.onnx_model import Model
from navproof.perception.foundation.pixels import ChannelStatistics, letterboxed
from navproof.perception.foundation.requirements import the_file
from navproof.perception.protocol import Detections, Image, check_queries, check_rgb

__all__ = ["YoloWorldDetector"]

_WHAT = "yolo_world detector"
_OVERLAP = 0.7


@final
class YoloWorldDetector:
    """``threshold``: the least score. Attributes in a query are read only where a class has them in
    its name: with "red chair" among the classes, "the red chair" finds those alone."""

    def __init__(self, file: str | Path = "", *, threshold: float = 0.1) -> None:
        where = the_file(file, _WHAT)
        self.name = f"yolo_world:{where.stem}"
        self.threshold = check_share(_WHAT, "threshold", threshold)
        self._model = Model(where, _WHAT)
        self._model.require(("images",), ())
        self._side = self._model.side("images", 640)
        self._named = {"boxes", "scores"} <= set(self._model.outputs)
        if not self._named and len(self._model.outputs) != 1:
            raise PerceptionError(
                f"{_WHAT}: {where} must have one output, or 'boxes' and 'scores';"
                f" it has {', '.join(self._model.outputs)}"
            )
        self.classes = class_names(self._model, _WHAT)

    def detect(self, rgb: Image, queries: Sequence[str]) -> Detections:
        image, plain = check_rgb(rgb), check_queries(queries)
        height, width = image.shape[:2]
        if not plain:
            return Detections.nothing(height, width)
        seen, scale, shift = letterboxed(image, *self._side)
        boxes, likely = self._boxes(self._model(images=ChannelStatistics()(seen)))
        answers = np.array([_answering(query, self.classes) for query in plain])
        scores = (likely[:, None, :] * answers[None]).max(axis=2, initial=0.0)
        return gather(
            ((boxes - np.tile(shift, 2)) / scale).astype(np.float32),
            scores.astype(np.float32),
            (height, width),
            threshold=self.threshold,
            overlap=_OVERLAP,
        )

    def _boxes(self, found: dict[str, NDArray[Any]]) -> tuple[NDArray[Any], NDArray[Any]]:
        """Corners in pixels of the input (n, 4), and scores (n, classes)."""
        count = len(self.classes)
        if not self._named:
            (table,) = found.values()
            if table.ndim != 3 or table.shape[1] != 4 + count:
                raise PerceptionError(
                    f"{self.name}: the output must be (1, {4 + count}, n) for {count} classes,"
                    f" got {table.shape}"
                )
            return corners(table[0, :4].T), table[0, 4:].T
        boxes, scores = found["boxes"][0], found["scores"][0]
        if "labels" in found:
            most = int(found["num_dets"].ravel()[0]) if "num_dets" in found else len(boxes)
            table = np.zeros((most, count), dtype=np.float32)
            table[np.arange(most), found["labels"][0][:most].astype(np.int64)] = scores[:most]
            return boxes[:most], table
        if scores.shape != (len(boxes), count):
            raise PerceptionError(
                f"{self.name}: scores must be (1, n, {count}), got {found['scores'].shape}"
            )
        return boxes, scores


def _answering(query: str, classes: tuple[str, ...]) -> NDArray[np.bool_]:
    """Which classes answer a query: those with the most words of it among those that end in its
    noun, or that its noun could mean."""
    said = query.lower().split(" on ")[0].split()
    fits = np.zeros(len(classes), dtype=np.bool_)
    for start in range(len(said)):
        name = " ".join(said[start:])
        fits = np.array([c == name for c in classes])
        if fits.any():
            return fits
    for start in range(len(said)):
        name = " ".join(said[start:])
        meant = covers(name)
        fits = np.array([could_mean(name, c) or c in meant for c in classes])
        if fits.any():
            return fits
    return fits
