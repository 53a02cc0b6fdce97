"""ONNX Runtime on one thread, and what the default encoder and detector share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, cast

import cv2
import numpy as np
from numpy.typing import NDArray

from navproof.core.errors import PerceptionError, one_line
from navproof.core.input.reading import parse_json, read_file
from navproof.perception.protocol import check_queries
from navproof.perception.words import WordTable

__all__ = ["WEIGHTS", "TextReader", "fitted", "number_in", "open_session", "read_facts", "settled"]

WEIGHTS = Path(__file__).parent / "data"
"""Where the weights lie that come with navproof."""
_MOST_FACTS = 1 << 20
_SIDE = 256
_GRAIN = 32  # the coarsest stride of the networks
_STEP = 1.0 / 512.0


def open_session(path: Path) -> Any:
    """A session on one thread, so that a result does not depend on how many cores are free; the
    same one for the same file until the file changes."""
    if not path.is_file():
        raise PerceptionError(
            f"there are no weights at {path}; make them: navproof train perception"
        )
    return _opened(path, path.stat().st_mtime_ns)


@lru_cache(maxsize=8)
def _opened(path: Path, _changed: int) -> Any:
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    try:
        return onnxruntime.InferenceSession(str(path), options, ["CPUExecutionProvider"])
    except Exception as error:
        raise PerceptionError(f"{path} cannot be used: {one_line(error)}") from None


def read_facts(path: Path) -> dict[str, Any]:
    """What was written beside the weights."""
    try:
        facts = parse_json(read_file(path, _MOST_FACTS))
    except (OSError, ValueError) as error:
        raise PerceptionError(f"{path} cannot be read: {one_line(error)}") from None
    if not isinstance(facts, dict):
        raise PerceptionError(f"{path} must hold one JSON object")
    return facts


def number_in(facts: Mapping[str, Any], name: str, path: Path) -> float:
    """One of the numbers beside the weights; a ``PerceptionError`` where it is none."""
    value = facts.get(name)
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) < 1e9:
        raise PerceptionError(f"{path} must give '{name}' as a number")
    return float(value)


def fitted(rgb: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The image at the size the networks take: the longer side at most 256 pixels, both sides
    multiples of 32, proportions kept as nearly as that allows."""
    height, width = rgb.shape[:2]
    scale = min(1.0, _SIDE / max(height, width))
    sides = [max(_GRAIN, round(side * scale / _GRAIN) * _GRAIN) for side in (height, width)]
    if sides == [height, width]:
        return np.ascontiguousarray(rgb)
    way = cv2.INTER_AREA if scale < 1.0 else cv2.INTER_LINEAR
    return np.asarray(cv2.resize(rgb, (sides[1], sides[0]), interpolation=way), dtype=np.uint8)


def settled(values: NDArray[np.float32]) -> NDArray[np.float32]:
    """Rounded to 1/512, so that another processor's last bits seldom reach a decision."""
    return cast(
        "NDArray[np.float32]", np.round(values * np.float32(1.0 / _STEP)) * np.float32(_STEP)
    )


class TextReader:
    """Free text to unit vectors: English, any words of it. What was read is remembered."""

    def __init__(self, path: Path, words: int) -> None:
        self._session = open_session(path)
        self._words = words
        self._table = WordTable.load()
        self._known: dict[str, NDArray[np.float32]] = {}

    def __call__(self, texts: Sequence[str]) -> NDArray[np.float32]:
        plain = check_queries(texts)
        new = [t for t in dict.fromkeys(plain) if t not in self._known]
        if new:
            ids = self._table.batch(new, self._words)
            for text, row in zip(new, ids, strict=True):
                if not row.any():
                    raise PerceptionError(f"the default eyes read English, not {text[:60]!r}")
            feeds = {
                "vectors": self._table.vectors[ids],
                "present": (ids > 0).astype(np.float32),
            }
            features = self._session.run(None, feeds)[0]
            self._known |= zip(new, settled(features), strict=True)
        if not plain:
            return np.zeros((0, 0), dtype=np.float32)
        return np.stack([self._known[t] for t in plain])
