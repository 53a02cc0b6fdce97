"""The plan beside a replay's frames: the path so far, the goal in force with the area in which it
counts as reached, and the people where they are."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import cv2
import numpy as np

from navproof.core.types import Episode, Point, Pose
from navproof.reports.draw.areas import Area, area_of, mask_of, targets_of
from navproof.reports.draw.canvas import (
    ACCENT,
    BAD,
    Colour,
    Image,
    fit,
    leg_colour,
    width_of,
    write,
)
from navproof.world.drawing.plan import draw_plan, plan_scale
from navproof.world.people.looks import APPEARANCES
from navproof.world.scene import RGB, Scene

__all__ = ["PanelPlan", "Someone"]

_GOAL: Colour = (184, 0, 110)
_REFERENCE: Colour = (90, 94, 102)
_WHITE: Colour = (255, 255, 255)
_DARK: Colour = (30, 32, 36)
_SHIFT = 4  # sub-pixel bits of OpenCV's drawing
_OUTLINED = 8  # pixels: areas of a smaller radius are dots, for which lines are no help
_PERSON_M = 0.3  # how large a person is drawn: her radius


@dataclass(frozen=True, slots=True)
class Someone:
    """A person at one moment: ``way`` is where she has been so far. ``too_near``: the robot is."""

    name: str
    appearance: str
    pose: Pose
    way: tuple[tuple[float, float], ...] = ()
    too_near: bool = False


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
        self._targets = targets_of(episode)
        self._several = len(self._targets) > 1
        _, storey = min((abs(s.elevation_m - episode.start.z), s.index) for s in scene.storeys)
        metres = plan_scale(scene, 0.02, storey)
        image, left, top = draw_plan(scene, metres, labels=False, storey=storey)
        rows, columns = image.shape[:2]
        scale = min(width / columns, height / rows)
        self._size = (width, height)
        self._scale = scale / metres
        self._left = left - (width - columns * scale) / 2 / self._scale
        self._top = top + (height - rows * scale) / 2 / self._scale
        edge = (int(image[0, 0, 0]), int(image[0, 0, 1]), int(image[0, 0, 2]))
        self._plan = fit(image, width, height, edge)
        self._scene, self._episode, self._success_m = scene, episode, success_m
        self._bases: dict[int, Image] = {}

    def _place(self, x: float, y: float) -> tuple[float, float]:
        return (x - self._left) * self._scale, (self._top - y) * self._scale

    def _pixel(self, x: float, y: float) -> tuple[int, int]:
        """Fixed-point pixel position, ``_SHIFT`` fractional bits."""
        u, v = self._place(x, y)
        return round(u * (1 << _SHIFT)), round(v * (1 << _SHIFT))

    def _circle(
        self, image: Image, x: float, y: float, r: float, colour: Colour, thick: int
    ) -> None:
        radius = round(r * (1 << _SHIFT))
        cv2.circle(image, self._pixel(x, y), radius, colour, thick, cv2.LINE_AA, _SHIFT)

    # -------------------------------------------------------------------------------- the goals
    def _base(self, current: int) -> Image:
        """The plan with the goals, ``current`` being in force (-1: none is any more)."""
        if current not in self._bases:
            image = self._plan.copy()
            if current >= 0:
                self._area(image, self._area_of(current), self._colour(current))
            for index in range(len(self._targets)):
                self._goal(image, index)
            if not self._several:
                self._dots(image, self._episode.reference_path)
            self._bases[current] = image
        return self._bases[current]

    def _colour(self, index: int) -> Colour:
        return leg_colour(index) if self._several else _GOAL

    def _area_of(self, index: int) -> Area:
        return area_of(self._scene, self._episode, self._success_m, index)

    def _area(self, image: Image, area: Area, colour: Colour) -> None:
        """Tinted, with a line around it where it is large enough for one."""
        if area.person is not None:
            return
        mask = mask_of(area, self._place, self._scale, *self._size)
        tint = (0.82 * image[mask] + 0.18 * np.array(colour)).round()
        image[mask] = tint.astype(np.uint8)
        if area.within_m * self._scale < _OUTLINED:
            return
        edges = mask.astype(np.uint8)
        lines, _ = cv2.findContours(edges, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
        cv2.drawContours(image, lines, -1, colour, 1, cv2.LINE_AA)

    def _goal(self, image: Image, index: int) -> None:
        goal, colour = self._targets[index], self._colour(index)
        for x, y, _ in goal.positions:
            if len(goal.positions) > 1 or goal.object_ids:
                self._circle(image, x, y, 2.4, colour, -1)
            elif not self._several:
                self._circle(image, x, y, 7, colour, 2)
                self._circle(image, x, y, 2.5, colour, -1)
        if self._several:
            things = [self._scene.by_id[i] for i in goal.object_ids if i in self._scene.by_id]
            spots = [thing.box.centre[:2] for thing in things]
            for x, y in spots or [(x, y) for x, y, _ in goal.positions[:1]]:
                self._number(image, x, y, index)

    def _number(self, image: Image, x: float, y: float, index: int) -> None:
        """The number of a goal in a disc of its colour."""
        self._circle(image, x, y, 10.5, _WHITE, -1)
        self._circle(image, x, y, 9, leg_colour(index), -1)
        u, v = self._place(x, y)
        words = str(index + 1)
        write(image, round(u - width_of(words, 14) / 2), round(v + 5), words, 14, _WHITE)

    def _dots(self, image: Image, path: Sequence[Point]) -> None:
        """The reference path, a dot every 0.25 m."""
        for (x0, y0, _), (x1, y1, _) in pairwise(path):
            count = max(1, round(math.dist((x0, y0), (x1, y1)) / 0.25))
            for i in range(count):
                share = i / count
                x, y = x0 + share * (x1 - x0), y0 + share * (y1 - y0)
                self._circle(image, x, y, 1.3, _REFERENCE, -1)

    # ---------------------------------------------------------------------------- at one moment
    def at(
        self,
        poses: Sequence[Pose],
        step: int,
        hfov_deg: float,
        current: int = 0,
        people: Sequence[Someone] = (),
    ) -> Image:
        """The plan with the path up to ``step``, the robot and what its camera covers; goal
        ``current`` is in force (-1: none), and ``people`` are about."""
        image = self._base(current).copy()
        here = poses[step]
        followed = self._area_of(current) if current >= 0 else None
        for someone in people:
            if followed is not None and someone.name == followed.person:
                at = (someone.pose.x, someone.pose.y)
                radius = followed.within_m * self._scale
                self._circle(image, *at, radius, self._colour(current), 1)
        self._wedge(image, here, hfov_deg)
        for someone in people:
            self._trail(image, someone)
        path = np.array([self._pixel(p.x, p.y) for p in poses[: step + 1]], dtype=np.int32)
        cv2.polylines(image, [path], False, _WHITE, 6, cv2.LINE_AA, _SHIFT)
        begins = [0, *(end for end in self._ends if end <= step)]
        for index, (begin, end) in enumerate(pairwise([*begins, step])):
            leg = path[begin : end + 1]
            cv2.polylines(image, [leg], False, leg_colour(index), 3, cv2.LINE_AA, _SHIFT)
        for end in begins[1:]:
            self._circle(image, poses[end].x, poses[end].y, 4, _DARK, 2)
        self._circle(image, poses[0].x, poses[0].y, 5, _DARK, 2)
        for someone in people:
            self._person(image, someone)
        self._robot(image, here, leg_colour(len(begins) - 1))
        return image

    def _trail(self, image: Image, someone: Someone) -> None:
        if len(someone.way) > 1:
            way = np.array([self._pixel(x, y) for x, y in someone.way], dtype=np.int32)
            cv2.polylines(image, [way], False, _clothes(someone), 2, cv2.LINE_AA, _SHIFT)

    def _person(self, image: Image, someone: Someone) -> None:
        """A disc in the colour of her clothes, and a nose where she looks; ringed where the robot
        is too near."""
        pose, radius = someone.pose, max(5.0, _PERSON_M * self._scale)
        if someone.too_near:
            self._circle(image, pose.x, pose.y, radius + 6, BAD, 3)
        reach = 1.6 * radius / self._scale
        nose = (pose.x + reach * math.cos(pose.yaw), pose.y + reach * math.sin(pose.yaw))
        ends = self._pixel(pose.x, pose.y), self._pixel(*nose)
        cv2.line(image, *ends, _DARK, 3, cv2.LINE_AA, _SHIFT)
        self._circle(image, pose.x, pose.y, radius + 1.5, _DARK, -1)
        self._circle(image, pose.x, pose.y, radius, _clothes(someone), -1)

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
        cv2.polylines(image, points, True, _WHITE, 1, cv2.LINE_AA, _SHIFT)


def _clothes(someone: Someone) -> Colour:
    """The colour of what a person wears above, 8-bit sRGB; grey where nothing is known of her."""
    looks = APPEARANCES.get(someone.appearance)
    return _shown(looks.upper.rgb) if looks else (120, 124, 130)


def _shown(linear: RGB) -> Colour:
    def byte(c: float) -> int:
        return round(255 * (12.92 * c if c <= 0.0031308 else 1.055 * c ** (1 / 2.4) - 0.055))

    red, green, blue = linear
    return byte(red), byte(green), byte(blue)
