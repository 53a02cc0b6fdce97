"""Images as models take them: resized, scaled, normalised, channels first."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from navproof.core.errors import PerceptionError
from navproof.perception.foundation.requirements import read_json
from navproof.perception.protocol import Image

__all__ = [
    "CLIP_MEAN",
    "CLIP_STD",
    "IMAGENET_MEAN",
    "IMAGENET_STD",
    "ChannelStatistics",
    "letterboxed",
    "resized",
]

Pixels = NDArray[np.float32]
Triple = tuple[float, float, float]

CLIP_MEAN: Triple = (0.48145466, 0.4578275, 0.40821073)
CLIP_STD: Triple = (0.26862954, 0.26130258, 0.27577711)
IMAGENET_MEAN: Triple = (0.485, 0.456, 0.406)
IMAGENET_STD: Triple = (0.229, 0.224, 0.225)
_GREY = 114


@dataclass(frozen=True, slots=True)
class ChannelStatistics:
    """The mean and standard deviation of each colour channel, for values in [0, 1]."""

    mean: Triple = (0.0, 0.0, 0.0)
    std: Triple = (1.0, 1.0, 1.0)

    def __call__(self, rgb: Image) -> Pixels:
        """(1, 3, H, W) float32."""
        mean, std = np.array(self.mean, np.float32), np.array(self.std, np.float32)
        scaled = (rgb.astype(np.float32) / np.float32(255.0) - mean) / std
        return np.ascontiguousarray(scaled.transpose(2, 0, 1)[None])

    @staticmethod
    def of(facts: dict[str, Any], usual: ChannelStatistics, what: str) -> ChannelStatistics:
        """As said by ``image_mean`` and ``image_std`` (or ``mean``, ``std``)."""
        found = []
        for name, default in (("mean", usual.mean), ("std", usual.std)):
            values = facts.get(f"image_{name}", facts.get(name, default))
            try:
                r, g, b = (float(v) for v in values)
            except (TypeError, ValueError):
                raise PerceptionError(
                    f"{what}: {name} must be three numbers, got {values}"
                ) from None
            found.append((r, g, b))
        if min(found[1]) <= 0.0:
            raise PerceptionError(f"{what}: std must be above 0, got {found[1]}")
        return ChannelStatistics(found[0], found[1])

    @staticmethod
    def in_folder(folder: Path, usual: ChannelStatistics, what: str) -> ChannelStatistics:
        """As said by the folder's preprocessor_config.json, where there is one."""
        file = folder / "preprocessor_config.json"
        return ChannelStatistics.of(read_json(file, what), usual, what) if file.is_file() else usual


def resized(rgb: Image, height: int, width: int) -> Image:
    """The whole image at another size; proportions may change, no pixel is cut off."""
    if rgb.shape[:2] == (height, width):
        return rgb
    shrinks = rgb.shape[0] > height and rgb.shape[1] > width
    way = cv2.INTER_AREA if shrinks else cv2.INTER_CUBIC
    return np.asarray(cv2.resize(rgb, (width, height), interpolation=way), dtype=np.uint8)


def letterboxed(
    rgb: Image, height: int, width: int, *, centred: bool = True
) -> tuple[Image, float, NDArray[np.float32]]:
    """The image in the middle (or the upper left corner) of a grey field, as YOLO models take it; a
    pixel (u, v) of it is at scale·(u, v) + shift."""
    scale = min(height / rgb.shape[0], width / rgb.shape[1])
    inner = resized(rgb, round(rgb.shape[0] * scale), round(rgb.shape[1] * scale))
    top, left = (height - inner.shape[0]) // 2, (width - inner.shape[1]) // 2
    if not centred:
        top, left = 0, 0
    field = np.full((height, width, 3), _GREY, dtype=np.uint8)
    field[top : top + inner.shape[0], left : left + inner.shape[1]] = inner
    return field, scale, np.array([left, top], dtype=np.float32)
