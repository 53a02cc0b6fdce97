"""Ways drawn into pictures: an arrow along the floor for each, and its number at the tip."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from navproof.agents.chat.directions import Direction
from navproof.agents.chat.views import View
from navproof.core.types import Pose

__all__ = ["Marker", "draw_directions", "draw_markers"]

Image = NDArray[np.uint8]
Colour = tuple[int, int, int]
Marker = tuple[float, float, str, Colour]
"""(x, y) on the floor, what is written there, and in which colour."""

WAY: Colour = (225, 30, 35)
_PAPER: Colour = (255, 255, 255)
_INK: Colour = (0, 0, 0)
_FACE = cv2.FONT_HERSHEY_SIMPLEX
_NEAR_M = 0.35  # from which on the floor before the robot is drawn
_EDGE = 0.03
_BESIDE = 0.93  # of half the field of view: what lies at its very edge is in the next picture


def draw_directions(
    picture: Image, view: View, pose: Pose, directions: Iterable[Direction]
) -> tuple[int, ...]:
    """Draw the ways that this view shows into its picture, as an arrow from the robot's foot; the
    numbers of those that are drawn."""
    drawn = []
    for way in directions:
        if way.is_far or not _is_before(view, pose, way.x, way.y):
            continue
        share = _NEAR_M / max(way.way_m, _NEAR_M)
        foot = (pose.x + share * (way.x - pose.x), pose.y + share * (way.y - pose.y))
        a, b = (_pixel(picture, view, pose, x, y) for x, y in (foot, (way.x, way.y)))
        thick = max(2, round(picture.shape[0] / 90))
        cv2.line(picture, a, b, WAY, thick, cv2.LINE_AA)
        _number(picture, b, str(way.number), WAY)
        drawn.append(way.number)
    return tuple(drawn)


def draw_markers(
    picture: Image, view: View, pose: Pose, markers: Sequence[Marker]
) -> tuple[str, ...]:
    """Draw marks on the floor where this view shows them; what is written on those drawn."""
    drawn = []
    for x, y, name, colour in markers:
        if _is_before(view, pose, x, y):
            _number(picture, _pixel(picture, view, pose, x, y), name, colour)
            drawn.append(name)
    return tuple(drawn)


def _is_before(view: View, pose: Pose, x: float, y: float) -> bool:
    """Whether a view shows the direction in which a place lies."""
    off = math.remainder(math.atan2(y - pose.y, x - pose.x) - view.yaw, math.tau)
    return abs(off) <= _BESIDE * math.radians(view.camera.hfov_deg) / 2.0


def _pixel(picture: Image, view: View, pose: Pose, x: float, y: float) -> tuple[int, int]:
    """Where a place on the floor is in the picture, or at its nearer edge."""
    height, width = picture.shape[:2]
    u, v, z = view.pixels(np.array([[x, y, pose.z]]))[0]
    if z <= 0.05:  # beside or under the camera: the lower edge, in its direction
        off = math.remainder(math.atan2(y - pose.y, x - pose.x) - view.yaw, math.tau)
        half = math.radians(view.camera.hfov_deg) / 2.0
        u, v = 0.5 - 0.5 * math.tan(off) / math.tan(half), 1.0
    u, v = min(max(u, _EDGE), 1.0 - _EDGE), min(max(v, _EDGE), 1.0 - 2.0 * _EDGE)
    return round(u * width), round(v * height)


def _number(picture: Image, at: tuple[int, int], words: str, colour: Colour) -> None:
    """A disc with a rim in a colour and something short on it."""
    radius = max(9, round(picture.shape[0] / 24))
    scale, thick = radius / 17.0, max(1, round(radius / 8))
    cv2.circle(picture, at, radius, _PAPER, -1, cv2.LINE_AA)
    cv2.circle(picture, at, radius, colour, max(2, thick), cv2.LINE_AA)
    (wide, tall), _ = cv2.getTextSize(words, _FACE, scale, thick)
    if wide > 1.7 * radius:
        scale *= 1.7 * radius / wide
        (wide, tall), _ = cv2.getTextSize(words, _FACE, scale, thick)
    origin = (at[0] - wide // 2, at[1] + tall // 2)
    cv2.putText(picture, words, origin, _FACE, scale, _INK, thick, cv2.LINE_AA)
