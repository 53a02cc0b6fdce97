"""Tools for drawing plans: a canvas in metres, soft colours, and the shapes of furniture."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from navproof.world.scene import Box, Room, SceneObject

__all__ = [
    "FLAT",
    "PAPER",
    "SCALE",
    "Canvas",
    "Image",
    "floor_colour",
    "footprint",
    "front_bar",
    "soft",
]

SCALE = 4  # drawn this much larger, then averaged down
PAPER = (252, 251, 248)
_FLOORS: Mapping[str, tuple[int, int, int]] = {
    "living": (247, 238, 221),
    "bedroom": (232, 236, 247),
    "kitchen": (250, 234, 222),
    "dining": (248, 240, 214),
    "bath": (222, 240, 242),
    "toilet": (222, 240, 242),
    "restroom": (222, 240, 242),
    "hall": (240, 240, 238),
    "corridor": (240, 240, 238),
    "entrance": (240, 240, 238),
    "lobby": (240, 240, 238),
    "office": (230, 241, 232),
    "study": (230, 241, 232),
    "laundry": (236, 234, 244),
    "storage": (236, 233, 228),
    "child": (246, 232, 240),
    "meeting": (243, 235, 228),
    "waiting": (244, 240, 226),
    "exam": (226, 240, 238),
}
_FLOOR = (241, 239, 233)
_COLOURS: Mapping[str, tuple[int, int, int]] = {
    "black": (48, 48, 52),
    "white": (246, 246, 244),
    "grey": (140, 142, 146),
    "gray": (140, 142, 146),
    "red": (196, 52, 46),
    "green": (72, 146, 74),
    "blue": (56, 104, 188),
    "yellow": (232, 196, 60),
    "orange": (228, 132, 48),
    "brown": (134, 92, 56),
    "purple": (126, 80, 160),
    "pink": (232, 146, 176),
    "beige": (216, 196, 162),
    "teal": (44, 140, 140),
    "navy": (38, 52, 104),
    "cream": (240, 230, 205),
    "silver": (190, 194, 200),
    "gold": (206, 166, 70),
}
FLAT = frozenset({"rug", "mat", "carpet", "doormat", "bath mat"})
Image = NDArray[np.uint8]


class Canvas:
    """An image larger than the finished one by SCALE; positions in metres, +y up."""

    def __init__(self, x0: float, y0: float, width: int, height: int, m_per_px: float) -> None:
        self.x0, self.y0 = x0, y0
        self.m = m_per_px / SCALE
        self.image: Image = np.full((height * SCALE, width * SCALE, 3), PAPER, dtype=np.uint8)

    def px(self, x: float, y: float) -> tuple[float, float]:
        return (x - self.x0) / self.m, (self.y0 - y) / self.m

    def pixels(self, metres: float) -> int:
        """A length as a stroke width, at least one final pixel."""
        return max(SCALE, round(metres / self.m))

    def points(self, corners: Sequence[tuple[float, float]]) -> NDArray[np.int32]:
        return np.array(
            [[round(16 * c) for c in self.px(x, y)] for x, y in corners], dtype=np.int32
        )

    def fill(self, corners: Sequence[tuple[float, float]], colour: Sequence[int]) -> None:
        cv2.fillPoly(self.image, [self.points(corners)], tuple(colour), cv2.LINE_AA, 4)

    def stroke(
        self,
        corners: Sequence[tuple[float, float]],
        colour: Sequence[int],
        metres: float,
        closed: bool = True,
    ) -> None:
        cv2.polylines(
            self.image,
            [self.points(corners)],
            closed,
            tuple(colour),
            self.pixels(metres),
            cv2.LINE_AA,
            4,
        )

    def finished(self) -> Image:
        """The image at its final size."""
        height, width = self.image.shape[0] // SCALE, self.image.shape[1] // SCALE
        small = cv2.resize(self.image, (width, height), interpolation=cv2.INTER_AREA)
        return np.asarray(small, dtype=np.uint8)


def floor_colour(room: Room) -> tuple[int, int, int]:
    for word, colour in _FLOORS.items():
        if word in room.type.lower():
            return colour
    return _FLOOR


def soft(thing: SceneObject) -> tuple[int, int, int]:
    """The object's colour, mixed with paper."""
    base = _COLOURS.get(str(thing.attributes.get("colour", "")), (196, 190, 182))
    r, g, b = (round(0.52 * c + 0.48 * p) for c, p in zip(base, PAPER, strict=True))
    return r, g, b


def footprint(box: Box) -> list[tuple[float, float]]:
    (x, y, _), (sx, sy, _) = box.centre, box.size
    c, s = math.cos(box.yaw), math.sin(box.yaw)
    return [
        (x + a * sx / 2 * c - b * sy / 2 * s, y + a * sx / 2 * s + b * sy / 2 * c)
        for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))
    ]


def front_bar(thing: SceneObject) -> list[tuple[float, float]]:
    """A line inside the front edge of what stands on the floor; empty for small things."""
    (x, y, _), (sx, sy, _) = thing.box.centre, thing.box.size
    if thing.position_kind != "floor" or min(sx, sy) < 0.3 or thing.category in FLAT:
        return []
    c, s = math.cos(thing.box.yaw), math.sin(thing.box.yaw)
    bar = [(sx / 2 - 0.035, -0.3 * sy), (sx / 2 - 0.035, 0.3 * sy)]
    return [(x + a * c - b * s, y + a * s + b * c) for a, b in bar]
