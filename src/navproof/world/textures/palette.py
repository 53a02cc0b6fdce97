"""The words for looks (colours, materials and patterns), and what each is in pixels.

A colour word stands for one linear RGB value; ``shade`` varies it a little without leaving the
word. ``TEXTURE_OF`` and ``PATTERN_TEXTURE`` name the texture that shows a material or a pattern.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from navproof.world.scene import RGB

__all__ = [
    "COLOURS",
    "MATERIALS",
    "MATERIAL_COLOURS",
    "PATTERNED_MATERIALS",
    "PATTERNS",
    "PATTERN_TEXTURE",
    "TEXTURE_OF",
    "shade",
    "srgb",
]


def srgb(red: int, green: int, blue: int) -> RGB:
    """Linear RGB of an 8-bit sRGB colour (IEC 61966-2-1), rounded to 1e-4."""

    def linear(byte: int) -> float:
        c = byte / 255.0
        return round(c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4, 4)

    return linear(red), linear(green), linear(blue)


def shade(colour: RGB, factor: float) -> RGB:
    """``colour`` lighter or darker by ``factor``, kept within [0, 1] and rounded to 1e-4."""
    r, g, b = (round(min(1.0, max(0.0, c * factor)), 4) for c in colour)
    return r, g, b


COLOURS: Mapping[str, RGB] = MappingProxyType(
    {
        "black": srgb(34, 34, 37),
        "white": srgb(240, 239, 235),
        "grey": srgb(134, 137, 141),
        "red": srgb(186, 32, 36),
        "orange": srgb(232, 122, 28),
        "yellow": srgb(238, 200, 46),
        "green": srgb(48, 126, 62),
        "blue": srgb(36, 82, 172),
        "purple": srgb(108, 52, 142),
        "pink": srgb(236, 136, 168),
        "brown": srgb(118, 72, 40),
        "beige": srgb(216, 194, 156),
        "turquoise": srgb(38, 172, 172),
    }
)
"""Colour word to linear RGB."""

TEXTURE_OF: Mapping[str, str] = MappingProxyType(
    {
        "wood": "wood",
        "metal": "metal",
        "plastic": "plain",
        "glass": "glass",
        "fabric": "fabric",
        "leather": "leather",
        "ceramic": "ceramic",
        "marble": "marble",
        "wicker": "wicker",
        "cardboard": "cardboard",
        "paper": "paper",
        "wax": "plain",
        "plush": "plush",
    }
)
"""Material word to the texture that shows it."""

MATERIALS: tuple[str, ...] = tuple(TEXTURE_OF)

PATTERN_TEXTURE: Mapping[str, str] = MappingProxyType(
    {
        "plain": "fabric",
        "striped": "striped",
        "checkered": "checkered",
        "dotted": "dotted",
        "floral": "floral",
        "plaid": "plaid",
        "zigzag": "zigzag",
    }
)
"""Pattern word to the texture whose alpha is its mask."""

PATTERNS: tuple[str, ...] = tuple(PATTERN_TEXTURE)

PATTERNED_MATERIALS: frozenset[str] = frozenset({"fabric", "ceramic", "paper", "plastic"})
"""Materials that can carry a pattern; the others are always plain."""

MATERIAL_COLOURS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "wicker": ("beige", "brown", "white", "black", "grey"),
        "cardboard": ("brown", "beige", "white"),
        "marble": ("white", "grey", "black", "beige", "green"),
        "glass": (
            "white", "grey", "black", "green", "blue", "turquoise", "brown", "red", "orange",
            "yellow", "purple", "pink",
        ),
        "metal": (
            "grey", "black", "white", "red", "orange", "yellow", "green", "blue", "purple", "pink",
            "turquoise",
        ),
    }
)  # fmt: skip
"""The colours of materials that do not come in every colour."""
