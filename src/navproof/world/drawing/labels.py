"""Names on a plan: rooms in large letters, things in small ones where they fit, and none over
another."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from navproof.world.drawing.canvas import (
    FLAT,
    PAPER,
    SCALE,
    Canvas,
    footprint,
    front_bar,
    soft,
)
from navproof.world.polygon import signed_area
from navproof.world.scene import Room, SceneObject

__all__ = ["Labels"]

_FONT = cv2.FONT_HERSHEY_DUPLEX
_ROOM_PX = (15, 13, 11, 9)  # heights of capitals in the finished image
_THING_PX = (9.0, 8.0, 7.0)


class Labels:
    """Places names so that none overlaps another: room names first, then those of things that still
    fit."""

    def __init__(
        self, canvas: Canvas, rooms: Sequence[Room], things: Sequence[SceneObject]
    ) -> None:
        self.canvas = canvas
        self.rooms = rooms
        self.taken = np.zeros(canvas.image.shape[:2], dtype=np.uint8)
        self.owner = np.zeros(canvas.image.shape[:2], dtype=np.int32)
        for number, thing in enumerate(things, start=1):
            cv2.fillPoly(self.owner, [canvas.points(footprint(thing.box))], number, 8, 4)
            bar = front_bar(thing)
            if bar:
                cv2.polylines(
                    self.owner, [canvas.points(bar)], False, -1, canvas.pixels(0.06), 8, 4
                )

    def write(self, things: Sequence[SceneObject]) -> None:
        furniture = (self.owner != 0).astype(np.uint8)
        for room in sorted(self.rooms, key=lambda r: r.id):
            self._room(room, furniture)
        numbered = list(enumerate(things, start=1))
        numbered.sort(key=lambda pair: (-pair[1].box.size[0] * pair[1].box.size[1], pair[1].id))
        for number, thing in numbered:
            if thing.category not in FLAT:
                self._thing(number, thing)

    def _room(self, room: Room, furniture: NDArray[np.uint8]) -> None:
        inside = np.zeros_like(self.taken)
        cv2.fillPoly(inside, [self.canvas.points(room.polygon)], 1, 8, 4)
        area = abs(signed_area(room.polygon))
        sizes = _ROOM_PX if area >= 8.0 else _ROOM_PX[1:]
        for size in sizes:
            for lines in _wrappings(room.name):
                scale, width, height = _measure(lines, size * SCALE)
                last = size == sizes[-1]
                pad = 3 * SCALE
                spot = _best_place(inside, furniture, self.taken, width + 2 * pad, height, last)
                if spot is not None:
                    place = (spot[0] + pad, spot[1])
                    if last:
                        self._plate(place, width, height)
                    self._text(lines, place, scale, height, (64, 66, 76), bold=True)
                    self.taken[place[1] : place[1] + height, place[0] : place[0] + width] = 2
                    return

    def _plate(self, place: tuple[int, int], width: int, height: int) -> None:
        """Paper under a name that has to lie on furniture."""
        spot = self.canvas.image[place[1] : place[1] + height, place[0] : place[0] + width]
        spot[:] = (spot * 0.25 + np.array(PAPER) * 0.75).astype(np.uint8)

    def _thing(self, number: int, thing: SceneObject) -> None:
        corners = self.canvas.points(footprint(thing.box)) / 16
        (left, top), (right, bottom) = corners.min(axis=0), corners.max(axis=0)
        window = (
            slice(max(0, int(top)), int(bottom) + 1),
            slice(max(0, int(left)), int(right) + 1),
        )
        mine = (self.owner[window] == number).astype(np.uint8)
        taken = self.taken[window]
        for size in _THING_PX:
            for lines in _wrappings(thing.category):
                scale, width, height = _measure(lines, size * SCALE)
                pad = SCALE
                place = _best_place(mine, taken, taken, width + 2 * pad, height + pad, False)
                if place is None:
                    continue
                x, y = place[0] + window[1].start + pad, place[1] + window[0].start + pad // 2
                ink = (40, 42, 48) if np.mean(soft(thing)) > 110 else (250, 250, 250)
                self._text(lines, (x, y), scale, height, ink)
                self.taken[y : y + height, x : x + width] = 2
                return

    def _text(
        self,
        lines: Sequence[str],
        place: tuple[int, int],
        scale: float,
        height: int,
        ink: tuple[int, int, int],
        bold: bool = False,
    ) -> None:
        _, width, _ = _measure_at(lines, scale)
        step = height / len(lines)
        thick = max(1, round(scale * (1.6 if bold else 1.2)))
        for number, line in enumerate(lines):
            (w, h), _ = cv2.getTextSize(line, _FONT, scale, thick)
            x = round(place[0] + (width - w) / 2)
            y = round(place[1] + step * (number + 0.5) + h / 2)
            cv2.putText(self.canvas.image, line, (x, y), _FONT, scale, ink, thick, cv2.LINE_AA)


def _measure(lines: Sequence[str], cap_px: float) -> tuple[float, int, int]:
    """(font scale, width, height) of a block whose capitals are ``cap_px`` high."""
    return _measure_at(lines, cap_px / 21.0)


def _measure_at(lines: Sequence[str], scale: float) -> tuple[float, int, int]:
    width = max(cv2.getTextSize(line, _FONT, scale, 1)[0][0] for line in lines)
    return scale, int(width), int(len(lines) * 21.0 * scale * 1.75)


def _wrappings(text: str) -> list[list[str]]:
    words = text.replace("_", " ").split()
    return [[" ".join(words)]] + ([words] if len(words) > 1 else [])


def _best_place(
    inside: NDArray[np.uint8],
    furniture: NDArray[np.uint8],
    taken: NDArray[np.uint8],
    width: int,
    height: int,
    anywhere: bool,
) -> tuple[int, int] | None:
    """The free top-left corner nearest the room's middle; over furniture if ``anywhere``."""
    rows, columns = np.flatnonzero(inside.any(axis=1)), np.flatnonzero(inside.any(axis=0))
    if not len(rows):
        return None
    top, left = int(rows[0]), int(columns[0])
    view = (slice(top, int(rows[-1]) + 1), slice(left, int(columns[-1]) + 1))
    blocked = (inside[view] == 0) | (taken[view] == 2)
    if not anywhere:
        blocked = blocked | (furniture[view] == 1)
    sums = np.pad(np.cumsum(np.cumsum(blocked, axis=0), axis=1), ((1, 0), (1, 0)))
    if sums.shape[0] <= height or sums.shape[1] <= width:
        return None
    hits = sums[height:, width:] - sums[:-height, width:]
    hits = hits - sums[height:, :-width] + sums[:-height, :-width]
    free = np.argwhere(hits == 0)
    if not len(free):
        return None
    middle = (np.array(blocked.shape) - (height, width)) / 2
    best = free[int(np.argmin(((free - middle) ** 2).sum(axis=1)))]
    return int(best[1]) + left, int(best[0]) + top
