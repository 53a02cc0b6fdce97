"""Small helpers to write SVG by hand: elements, numbers, scales and the marks of a series.

Colours never appear here: an element carries a class (``s0`` … ``s7`` for a series, ``axis``,
``grid``, …) and the report's style sheet gives it a colour for light, dark and paper.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from xml.sax.saxutils import escape

__all__ = [
    "COLOURS",
    "Scale",
    "dash",
    "mark",
    "nice_ticks",
    "number",
    "picture",
    "tag",
    "text",
    "title",
]

COLOURS = 8
"""Series classes in the style sheet; more series than that begin again with another shape."""
_SHAPES = ("circle", "square", "triangle", "diamond", "cross", "down", "bar")
_DASHES = ("", "7 3", "2 3", "9 3 2 3", "4 2", "12 3", "1 2", "6 2 1 2 1 2")


def number(value: float) -> str:
    """A coordinate: two decimals at most, never ``-0``."""
    out = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if out in ("-0", "") else out


def tag(name: str, *children: str, **attributes: str | float | None) -> str:
    """One element: ``class_`` is written ``class``, ``x_y`` is ``x-y``, and None is left out."""
    parts = [name]
    for key, value in attributes.items():
        if value is None:
            continue
        shown = value if isinstance(value, str) else number(value)
        quoted = escape(shown, {'"': "&quot;"})
        parts.append(f'{key.rstrip("_").replace("_", "-")}="{quoted}"')
    head = " ".join(parts)
    return f"<{head}>{''.join(children)}</{name}>" if children else f"<{head}/>"


def text(x: float, y: float, words: str, **attributes: str | float | None) -> str:
    """A ``<text>`` element with its words escaped."""
    return tag("text", escape(words), x=x, y=y, **attributes)


def title(words: str) -> str:
    """A ``<title>`` (shown when one points at its parent) with its words escaped."""
    return tag("title", escape(words))


def picture(width: float, height: float, label: str, *children: str, class_: str = "chart") -> str:
    """A whole ``<svg>`` with its text alternative."""
    box = f"0 0 {number(width)} {number(height)}"
    return tag("svg", *children, viewBox=box, role="img", aria_label=label, class_=class_)


@dataclass(frozen=True, slots=True)
class Scale:
    """A linear map from [low, high] to [start, end]; values outside are clamped to the ends."""

    low: float
    high: float
    start: float
    end: float

    def __call__(self, value: float) -> float:
        span = self.high - self.low
        share = 0.0 if span <= 0 else (min(max(value, self.low), self.high) - self.low) / span
        return self.start + share * (self.end - self.start)


def nice_ticks(low: float, high: float, about: int = 5) -> tuple[float, ...]:
    """Round numbers (1, 2 or 5 × 10ⁿ apart) from at most ``low`` to at least ``high``."""
    if not high > low:
        high = low + 1.0
    raw = (high - low) / max(1, about)
    power = 10.0 ** math.floor(math.log10(raw))
    step = next(m * power for m in (1.0, 2.0, 5.0, 10.0) if m * power >= raw * (1 - 1e-9))
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    return tuple(round(i * step, 10) for i in range(first, last + 1))


def dash(series: int) -> str | None:
    """The dash pattern that tells series' lines apart without colour; the first is solid."""
    return _DASHES[series % len(_DASHES)] or None


def mark(series: int, x: float, y: float, r: float, hollow: bool = False) -> str:
    """The point mark of a series, about ``2 r`` wide. Colour and shape differ between series."""
    shape = _SHAPES[series % len(_SHAPES)]
    kind = "mark hollow" if hollow else "mark"
    if shape == "circle":
        return tag("circle", class_=kind, cx=x, cy=y, r=r)
    corners: Sequence[tuple[float, float]] = {
        "square": ((-0.88, -0.88), (0.88, -0.88), (0.88, 0.88), (-0.88, 0.88)),
        "triangle": ((0, -1.15), (1.1, 0.8), (-1.1, 0.8)),
        "diamond": ((0, -1.25), (1.25, 0), (0, 1.25), (-1.25, 0)),
        "cross": (
            *((-0.4, -1.1), (0.4, -1.1), (0.4, -0.4), (1.1, -0.4), (1.1, 0.4), (0.4, 0.4)),
            *((0.4, 1.1), (-0.4, 1.1), (-0.4, 0.4), (-1.1, 0.4), (-1.1, -0.4), (-0.4, -0.4)),
        ),
        "down": ((0, 1.15), (1.1, -0.8), (-1.1, -0.8)),
        "bar": ((-0.5, -1.2), (0.5, -1.2), (0.5, 1.2), (-0.5, 1.2)),
    }[shape]
    points = " ".join(f"{number(x + dx * r)},{number(y + dy * r)}" for dx, dy in corners)
    return tag("polygon", class_=kind, points=points)
