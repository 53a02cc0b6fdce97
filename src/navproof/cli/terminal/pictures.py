"""Pictures that users hand over, read to a limit: a PNG of a kilobyte can say that it is huge."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from navproof.core.errors import SpecError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["read_depth", "read_picture"]

_MOST_PIXELS = 1 << 26
_MOST_BYTES = 1 << 28
_PNG = b"\x89PNG\r\n\x1a\n"
_SIZES = frozenset({*range(0xC0, 0xD0)} - {0xC4, 0xC8, 0xCC})
"""Markers of a JPEG after which its size is told."""


def read_picture(path: Path, option: str) -> NDArray[np.uint8]:
    """(h, w, 3) BGR. A ``SpecError`` where it cannot be read, or is too large."""
    import cv2
    import numpy as np

    pixels = _decoded(path, option, cv2.IMREAD_COLOR)
    if pixels is None:
        raise SpecError(f"{option} {path} cannot be read as a picture (PNG or JPEG)")
    return np.asarray(pixels, dtype=np.uint8)


def read_depth(path: Path, option: str) -> NDArray[np.float32]:
    """(h, w) metres of a 16-bit grey picture in millimetres."""
    import cv2
    import numpy as np

    millimetres = _decoded(path, option, cv2.IMREAD_UNCHANGED)
    if millimetres is None or millimetres.dtype != np.uint16 or millimetres.ndim != 2:
        raise SpecError(f"{option} {path} is not a 16-bit grey picture (millimetres)")
    return np.asarray(millimetres / np.float64(1000.0), dtype=np.float32)


def _decoded(path: Path, option: str, how: int) -> NDArray[Any] | None:
    """As OpenCV decodes it; None where it does not."""
    import cv2

    from navproof.core.input.reading import LimitError, read_file

    if not path.is_file():
        raise SpecError(f"{option} {path}: there is no such file")
    try:
        data = read_file(path, _MOST_BYTES)
    except OSError as error:
        raise SpecError(f"{option} {path} cannot be read: {error.strerror or error}") from None
    except LimitError as error:
        raise SpecError(f"{option} {path}: {error}") from None
    width, height = _told_size(data)
    if not width * height:
        return None
    if width * height > _MOST_PIXELS:
        raise SpecError(
            f"{option} {path} has {width} × {height} pixels, and {_MOST_PIXELS:,} are the most"
        )
    try:
        return cv2.imread(str(path), how)
    except cv2.error:  # it says that it is larger than OpenCV takes
        return None


def _told_size(data: bytes) -> tuple[int, int]:
    """Width and height as a PNG or JPEG tells them; (0, 0) of what is neither, or does not."""
    if data.startswith(_PNG):
        return int.from_bytes(data[16:20], "big"), int.from_bytes(data[20:24], "big")
    at = 2 if data.startswith(b"\xff\xd8") else len(data)
    while at + 9 < len(data) and data[at] == 0xFF:
        if data[at + 1] == 0xFF:  # a marker may have more than one before it
            at += 1
            continue
        marker, length = data[at + 1], int.from_bytes(data[at + 2 : at + 4], "big")
        if marker in _SIZES:
            height, width = (int.from_bytes(data[at + k : at + k + 2], "big") for k in (5, 7))
            return width, height
        at += 2 + length
    return 0, 0
