"""Drawing for replays: text, lines and the plan with the path so far, on RGB arrays."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from navproof.core.types import Episode, Point, Pose
from navproof.world.drawing.plan import draw_plan, plan_scale
from navproof.world.scene import Scene

__all__ = [
    "ACCENT",
    "BAD",
    "GOOD",
    "INK",
    "MUTED",
    "PAPER",
    "PanelPlan",
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
_GOAL: Colour = (184, 0, 110)
_LEGS: tuple[Colour, ...] = ((0, 114, 178), (196, 78, 0), (0, 126, 94), (140, 60, 160))
_REFERENCE: Colour = (90, 94, 102)
_SHIFT = 4  # sub-pixel bits of OpenCV's drawing

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


class PanelPlan:
    """The plan of an episode in a panel of fixed size; ``at`` draws the path up to a step.

    The ways to several goals differ in colour, and so do the goals; ``ends`` are the pose indices
    at which all goals but the last one ended.
    """

    def __init__(
        self,
        scene: Scene,
        episode: Episode,
        success_m: float,
        width: int,
        height: int,
        ends: Sequence[int] = (),
    ) -> None:
        self._ends = tuple(ends)
        _, storey = min((abs(s.elevation_m - episode.start.z), s.index) for s in scene.storeys)
        metres = plan_scale(scene, 0.02, storey)
        image, left, top = draw_plan(scene, metres, labels=False, storey=storey)
        rows, columns = image.shape[:2]
        scale = min(width / columns, height / rows)
        self._scale = scale / metres
        self._left = left - (width - columns * scale) / 2 / self._scale
        self._top = top + (height - rows * scale) / 2 / self._scale
        edge = (int(image[0, 0, 0]), int(image[0, 0, 1]), int(image[0, 0, 2]))
        self._base = fit(image, width, height, edge)
        self._goals(scene, episode, success_m)
        if len(episode.goals) == 1:
            self._dots(episode.reference_path)

    def _pixel(self, x: float, y: float) -> tuple[int, int]:
        """Fixed-point pixel position, ``_SHIFT`` fractional bits."""
        one = 1 << _SHIFT
        u, v = (x - self._left) * self._scale, (self._top - y) * self._scale
        return round(u * one), round(v * one)

    def _circle(
        self, image: Image, x: float, y: float, r: float, colour: Colour, thick: int
    ) -> None:
        radius = round(r * (1 << _SHIFT))
        cv2.circle(image, self._pixel(x, y), radius, colour, thick, cv2.LINE_AA, _SHIFT)

    def _goals(self, scene: Scene, episode: Episode, success_m: float) -> None:
        several = len(episode.goals) > 1
        for index, goal in enumerate(episode.goals):
            colour = leg_colour(index) if several else _GOAL
            for x, y, _ in goal.positions:
                if len(goal.positions) > 1 or goal.object_ids:
                    self._circle(self._base, x, y, 2.4, colour, -1)
                else:
                    self._circle(self._base, x, y, success_m * self._scale, colour, 1)
                    self._circle(self._base, x, y, 7, colour, 2)
                    self._circle(self._base, x, y, 2.5, colour, -1)
        for index, goal in enumerate(episode.goals if several else ()):
            things = [scene.by_id[i] for i in goal.object_ids if i in scene.by_id]
            for thing in things:
                self._number(self._base, *thing.box.centre[:2], index)

    def _number(self, image: Image, x: float, y: float, index: int) -> None:
        """The number of a goal in a disc of its colour."""
        self._circle(image, x, y, 10.5, (255, 255, 255), -1)
        self._circle(image, x, y, 9, leg_colour(index), -1)
        u, v = (w / (1 << _SHIFT) for w in self._pixel(x, y))
        words = str(index + 1)
        write(image, round(u - width_of(words, 14) / 2), round(v + 5), words, 14, (255, 255, 255))

    def _dots(self, path: Sequence[Point]) -> None:
        """The reference path, a dot every 0.25 m."""
        for (x0, y0, _), (x1, y1, _) in pairwise(path):
            count = max(1, round(math.dist((x0, y0), (x1, y1)) / 0.25))
            for i in range(count):
                share = i / count
                x, y = x0 + share * (x1 - x0), y0 + share * (y1 - y0)
                self._circle(self._base, x, y, 1.3, _REFERENCE, -1)

    def at(self, poses: Sequence[Pose], step: int, hfov_deg: float) -> Image:
        """The plan with the path up to ``step``, the robot and what its camera covers."""
        image = self._base.copy()
        here = poses[step]
        self._wedge(image, here, hfov_deg)
        path = np.array([self._pixel(p.x, p.y) for p in poses[: step + 1]], dtype=np.int32)
        cv2.polylines(image, [path], False, (255, 255, 255), 6, cv2.LINE_AA, _SHIFT)
        begins = [0, *(end for end in self._ends if end <= step)]
        for index, (begin, end) in enumerate(pairwise([*begins, step])):
            leg = path[begin : end + 1]
            cv2.polylines(image, [leg], False, leg_colour(index), 3, cv2.LINE_AA, _SHIFT)
        for end in begins[1:]:
            self._circle(image, poses[end].x, poses[end].y, 4, (30, 32, 36), 2)
        self._circle(image, poses[0].x, poses[0].y, 5, (30, 32, 36), 2)
        self._robot(image, here, leg_colour(len(begins) - 1))
        return image

    def _wedge(self, image: Image, pose: Pose, hfov_deg: float) -> None:
        reach, half = 46 / self._scale, math.radians(min(hfov_deg, 170.0)) / 2
        angles = [pose.yaw + half * (2 * i / 12 - 1) for i in range(13)]
        rim = [(pose.x + reach * math.cos(a), pose.y + reach * math.sin(a)) for a in angles]
        corners = [self._pixel(x, y) for x, y in [(pose.x, pose.y), *rim]]
        shade = image.copy()
        cv2.fillPoly(shade, [np.array(corners, dtype=np.int32)], ACCENT, cv2.LINE_AA, _SHIFT)
        cv2.addWeighted(shade, 0.35, image, 0.65, 0, image)

    def _robot(self, image: Image, pose: Pose, colour: Colour) -> None:
        c, s, k = math.cos(pose.yaw), math.sin(pose.yaw), 1 / self._scale
        shape = [(11, 0), (-7, 7.5), (-3, 0), (-7, -7.5)]
        corners = [
            self._pixel(pose.x + k * (c * a - s * b), pose.y + k * (s * a + c * b))
            for a, b in shape
        ]
        points = [np.array(corners, dtype=np.int32)]
        cv2.fillPoly(image, points, colour, cv2.LINE_AA, _SHIFT)
        cv2.polylines(image, points, True, (255, 255, 255), 1, cv2.LINE_AA, _SHIFT)
