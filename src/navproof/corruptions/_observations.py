"""Images, depth and words inside somebody else's observation: out of it, and back into its form."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

__all__ = ["Path", "colours", "depth_shaped", "image_shaped", "metres", "of_colours", "of_metres"]
__all__ += ["replaced"]

Path: TypeAlias = tuple[str, ...]
"""The keys (of tuples: the indices) that lead into an observation."""
_CHANNELS = (3, 4)


def replaced(observation: Any, path: Path, change: Callable[[Any], Any]) -> Any:
    """The observation with one entry changed; what lies beside the path is shared, not copied."""
    if not path:
        return change(observation)
    key, rest = path[0], path[1:]
    if isinstance(observation, Mapping):
        return {**observation, key: replaced(observation[key], rest, change)}
    index = int(key)
    inside = replaced(observation[index], rest, change)
    return (*observation[:index], inside, *observation[index + 1 :])


def image_shaped(shape: tuple[int, ...]) -> bool:
    """Three or four channels, last or first."""
    return len(shape) == 3 and (shape[2] in _CHANNELS or shape[0] in _CHANNELS)


def colours(image: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The (h, w, 3) colours of an image with its channels last or first, with or without alpha."""
    last = np.moveaxis(image, 0, 2) if _channels_first(image) else image
    return np.ascontiguousarray(last[..., :3])


def of_colours(image: NDArray[np.uint8], changed: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """An image of the old form with changed colours; alpha stays."""
    first = _channels_first(image)
    alpha = (np.moveaxis(image, 0, 2) if first else image)[..., 3:]
    last = np.concatenate([changed, alpha], axis=2)
    return np.ascontiguousarray(np.moveaxis(last, 2, 0)) if first else last


def _channels_first(image: NDArray[np.uint8]) -> bool:
    return image.ndim == 3 and image.shape[2] not in _CHANNELS


def depth_shaped(shape: tuple[int, ...]) -> bool:
    """(h, w), or the same with an axis of one channel."""
    return len(shape) == 2 or (len(shape) == 3 and 1 in (shape[0], shape[2]))


def metres(depth: NDArray[Any], unit_m: float) -> NDArray[np.float32]:
    """Depth as (h, w) float32 metres, where a value of 1 means ``unit_m``."""
    flat = depth
    if depth.ndim == 3:
        flat = depth[..., 0] if depth.shape[2] == 1 else depth[0]
    return np.ascontiguousarray(flat, dtype=np.float32) * np.float32(unit_m)


def of_metres(depth: NDArray[Any], changed: NDArray[np.float32], unit_m: float) -> NDArray[Any]:
    """Changed metres in the old shape, type and unit."""
    values = changed.reshape(depth.shape) / np.float32(unit_m)
    if np.issubdtype(depth.dtype, np.integer):
        values = np.clip(np.rint(values), 0, np.iinfo(depth.dtype).max)
    return values.astype(depth.dtype)
