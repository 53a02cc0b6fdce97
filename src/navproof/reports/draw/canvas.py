"""Drawing for replays: text and flat shapes on RGB arrays."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

__all__ = [
    "ACCENT",
    "BAD",
    "GOOD",
    "INK",
    "MUTED",
    "PAPER",
    "Colour",
    "Image",
    "blank",
    "fit",
    "leg_colour",
    "rectangle",
    "width_of",
    "wrap",
    "write",
]

Image = NDArray[np.uint8]
Colour = tuple[int, int, int]
PAPER: Colour = (20, 23, 27)
INK: Colour = (233, 231, 226)
MUTED: Colour = (160, 168, 178)
ACCENT: Colour = (83, 172, 230)
GOOD: Colour = (53, 199, 156)
BAD: Colour = (245, 138, 75)
_LEGS: tuple[Colour, ...] = ((0, 114, 178), (196, 78, 0), (0, 126, 94), (140, 60, 160))

# OpenCV 5 draws with an outline font that knows Unicode; OpenCV 4 has stroke fonts in ASCII only.
_FACE: Any = getattr(cv2, "FontFace", lambda _: None)("sans")
_PLAIN = str.maketrans({"·": "-", "–": "-", "−": "-", "…": ".", "“": '"', "”": '"', "’": "'"})


def leg_colour(index: int) -> Colour:
    """The colour of the way to the ``index``-th of several goals, and of that goal."""
    return _LEGS[index % len(_LEGS)]


def blank(width: int, height: int, colour: Colour = PAPER) -> Image:
    row = np.array(colour * width, dtype=np.uint8)
    return np.tile(row, height).reshape(height, width, 3)


def _ascii(words: str) -> str:
    return words.translate(_PLAIN).encode("ascii", "replace").decode()


def width_of(words: str, size: int) -> int:
    """How wide a line of text is, pixels; ``size`` is the font's height."""
    if _FACE is not None:
        box = cv2.getTextSize((10_000, 200), words, (0, 100), _FACE, size)
        return int(box[2])
    return int(cv2.getTextSize(_ascii(words), cv2.FONT_HERSHEY_DUPLEX, size / 30, 1)[0][0])


def write(image: Image, x: int, y: int, words: str, size: int, colour: Colour = INK) -> None:
    """One line of text with its baseline at ``y``."""
    if _FACE is not None:
        cv2.putText(image, words, (x, y), colour, _FACE, size)
    else:
        face = cv2.FONT_HERSHEY_DUPLEX
        cv2.putText(image, _ascii(words), (x, y), face, size / 30, colour, 1, cv2.LINE_AA)


def wrap(words: str, size: int, room: int, lines: int) -> list[str]:
    """Break text into at most ``lines`` lines of ``room`` pixels; the rest becomes an ellipsis."""
    out: list[str] = []
    current = ""
    for word in words.split():
        longer = f"{current} {word}".strip()
        if current and width_of(longer, size) > room:
            out.append(current)
            current = word
        else:
            current = longer
    out.append(current)
    if len(out) > lines:
        out = out[:lines]
        out[-1] = f"{out[-1]} …"
    while out[-1].endswith(" …") and width_of(out[-1], size) > room and " " in out[-1][:-2]:
        out[-1] = out[-1][:-2].rsplit(" ", 1)[0] + " …"
    return out


def rectangle(image: Image, x: int, y: int, width: int, height: int, colour: Colour) -> None:
    image[y : y + height, x : x + max(0, width)] = colour


def fit(image: Image, width: int, height: int, around: Colour = PAPER) -> Image:
    """Resize without changing proportions and centre on paper of exactly width × height."""
    rows, columns = image.shape[:2]
    scale = min(width / columns, height / rows)
    size = (max(1, round(columns * scale)), max(1, round(rows * scale)))
    way = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
    out = blank(width, height, around)
    x, y = (width - size[0]) // 2, (height - size[1]) // 2
    out[y : y + size[1], x : x + size[0]] = cv2.resize(image, size, interpolation=way)
    return out
