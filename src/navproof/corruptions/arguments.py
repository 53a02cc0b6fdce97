"""What every corruption asks of its arguments, with the words for those who got it wrong."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from navproof.core.errors import SpecError

__all__ = ["check_generators", "check_intensity", "check_rgb", "check_seed"]


def check_generators(rng: Any, still: Any = None) -> None:
    """A ``SpecError`` unless ``rng``, and ``still`` where it is given, are generators: what else
    can draw (``np.random`` itself) may have a state that somebody else changes."""
    for name, source in (("rng", rng), ("still", rng if still is None else still)):
        if not isinstance(source, np.random.Generator):
            raise SpecError(
                f"{name} must be a NumPy generator, such as np.random.default_rng(0), "
                f"got {_short(source)}"
            )


def check_intensity(intensity: Any) -> float:
    """The intensity as a float in [0, 1], or a ``SpecError``."""
    try:
        value = math.nan if isinstance(intensity, (str, bytes)) else float(intensity)
    except (TypeError, ValueError):
        value = math.nan
    if not 0.0 <= value <= 1.0:
        raise SpecError(f"intensity must be a number in [0, 1], got {_short(intensity)}")
    return value


def check_seed(seed: Any) -> int:
    """The seed as an int, or a ``SpecError``."""
    if isinstance(seed, bool) or not isinstance(seed, (int, np.integer)):
        raise SpecError(f"seed must be a whole number, got {_short(seed)}")
    return int(seed)


def check_rgb(image: Any) -> npt.NDArray[np.uint8]:
    """The image, if it is a uint8 array (h, w, 3) with h, w >= 1, or a ``SpecError``."""
    if not isinstance(image, np.ndarray):
        raise SpecError(f"an RGB image must be a uint8 array (h, w, 3), got {_short(image)}")
    fitting = image.ndim == 3 and image.shape[2] == 3 and image.shape[0] > 0 and image.shape[1] > 0
    if image.dtype != np.uint8 or not fitting:
        shape = " x ".join(map(str, image.shape)) or "a single number"
        raise SpecError(
            "an RGB image must be a uint8 array (h, w, 3), "
            f"got {image.dtype} {shape}{_remedy(image, fitting)}"
        )
    return image


def _remedy(image: npt.NDArray[Any], fitting: bool) -> str:
    if fitting and np.issubdtype(image.dtype, np.floating):
        return ": scale [0, 1] to [0, 255], round, and convert with astype(np.uint8)"
    if image.ndim == 3 and image.shape[2] == 4:
        return ": drop the alpha channel with image[..., :3]"
    if image.ndim == 2 or (image.ndim == 3 and image.shape[2] == 1):
        return ": repeat a grey image into three channels"
    return ""


def _short(value: Any) -> str:
    text = " ".join(repr(value).split())
    return text if len(text) <= 60 else f"a {type(value).__name__}"
