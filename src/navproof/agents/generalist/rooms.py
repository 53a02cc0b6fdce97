"""Which room is where: what the encoder takes a view for, spread over the floor that it shows.

Every view gives log-probabilities of all kinds of rooms; the cells of a coarse grid that it looks
across keep their mean, so that a place seen from many sides is not decided by one look through a
door. A room is gone to as a region of cells, and entered where the robot's own cell is of it.
"""

from __future__ import annotations

import math

import cv2
import numpy as np
from numpy.typing import NDArray

from navproof.agents.mapping.navigate import XY
from navproof.agents.search.eyes import Eyes
from navproof.core.types import Camera, Pose
from navproof.language.lexicon.terms import ROOM_NAMES

__all__ = ["LIKELY", "RoomMap"]

_CELL_M = 0.5
_SIZE = 96
_SHARP = 0.6  # of the log-odds that an encoder gives: views of one place are not independent
_COLUMNS = 15
_FAR_M = 4.0
_NEAR_WEIGHT = 0.4  # of what is nearer than a metre: a view shows what lies ahead
LIKELY = 0.45
"""Probability from which on a place is taken to be of a room."""
_LEAST_CELLS, _LEAST_VIEWS = 4, 2.0


class RoomMap:
    """In the episode frame, whose origin is the middle of the grid."""

    def __init__(self, eyes: Eyes) -> None:
        self._eyes = eyes
        self._kinds = sorted(ROOM_NAMES)
        self._words = eyes.encoder.encode_text(self._kinds)
        self._sums = np.zeros((_SIZE, _SIZE, len(self._kinds)), dtype=np.float32)
        self._views = np.zeros((_SIZE, _SIZE), dtype=np.float32)
        self._last: tuple[tuple[int, ...], NDArray[np.float32]] | None = None

    def look(
        self, rgb: NDArray[np.uint8], depth: NDArray[np.float32], camera: Camera, pose: Pose
    ) -> None:
        """Take in one view."""
        scale, bias = self._eyes.image_odds
        odds = _SHARP * (scale * (self._words @ self._eyes.encoder.encode_image(rgb)) + bias)
        likely = odds - np.logaddexp.reduce(odds)
        shown = _shown(depth, camera, pose)
        weights = np.zeros_like(self._views)
        for x, y, weight in shown:
            row, col = _cell(x, y)
            if 0 <= row < _SIZE and 0 <= col < _SIZE:
                weights[row, col] = max(weights[row, col], weight)
        rows, cols = np.nonzero(weights)
        self._sums[rows, cols] += weights[rows, cols, None] * likely
        self._views[rows, cols] += weights[rows, cols]
        self._last = None

    def odds(self, room: str) -> NDArray[np.float32]:
        """(rows, cols) probability of each cell to be of such a room; 0 where nothing is known."""
        question = self._asked(room)
        if self._last is None or self._last[0] != question:
            is_known = self._views > 0
            mean = self._sums[is_known] / self._views[is_known][:, None]
            odds = np.zeros_like(self._views)
            if question and len(mean):
                share = np.exp(mean - mean.max(axis=1, keepdims=True))
                odds[is_known] = share[:, list(question)].sum(axis=1) / share.sum(axis=1)
            self._last = question, odds
        return self._last[1]

    def at(self, room: str, x: float, y: float) -> float:
        """The probability that a place is of such a room."""
        row, col = _cell(x, y)
        inside = 0 <= row < _SIZE and 0 <= col < _SIZE
        return float(self.odds(room)[row, col]) if inside else 0.0

    def around(self, room: str, x: float, y: float) -> float:
        """The same for the likeliest cell within a metre."""
        row, col = _cell(x, y)
        window = self.odds(room)[max(0, row - 2) : row + 3, max(0, col - 2) : col + 3]
        return float(window.max(initial=0.0))

    def denies(self, room: str, x: float, y: float, least: float) -> bool:
        """Whether a place was looked at and hardly seemed to be of such a room."""
        row, col = _cell(x, y)
        window = slice(max(0, row - 2), row + 3), slice(max(0, col - 2), col + 3)
        looked = float(self._views[window].max(initial=0.0)) >= _LEAST_VIEWS
        return looked and bool(self._asked(room)) and self.around(room, x, y) < least

    def kind_at(self, x: float, y: float) -> str:
        """The likeliest kind of room at a place; "" where nothing is known of it."""
        row, col = _cell(x, y)
        window = slice(max(0, row - 1), row + 2), slice(max(0, col - 1), col + 2)
        if not self._views[window].any():
            return ""
        mean = self._sums[window].sum(axis=(0, 1)) / self._views[window].sum()
        return self._kinds[int(mean.argmax())]

    def region(self, room: str, here: XY, least: float = LIKELY) -> tuple[XY, float] | None:
        """The middle of the likeliest region of such a room (each cell is one with ``least``), and
        how much speaks for it."""
        odds = self.odds(room)
        likely = (odds >= least) & (self._views >= _LEAST_VIEWS)
        count, labels, stats, _ = cv2.connectedComponentsWithStats(
            likely.astype(np.uint8), connectivity=4
        )
        best: tuple[float, XY] | None = None
        for label in range(1, count):
            if stats[label, cv2.CC_STAT_AREA] < _LEAST_CELLS:
                continue
            rows, cols = np.nonzero(labels == label)
            sure = odds[rows, cols]
            middle = np.array([(rows * sure).sum(), (cols * sure).sum()]) / sure.sum()
            nearest = int(((rows - middle[0]) ** 2 + (cols - middle[1]) ** 2).argmin())
            place = _middle(int(rows[nearest]), int(cols[nearest]))
            worth = float(np.minimum(sure.sum(), 20.0)) - 0.5 * math.dist(place, here)
            if best is None or worth > best[0]:
                best = worth, place
        return None if best is None else (best[1], best[0])

    def _asked(self, room: str) -> tuple[int, ...]:
        return tuple(
            index
            for index, kind in enumerate(self._kinds)
            if any(room.endswith(name.lower()) for name in (kind, *ROOM_NAMES[kind]))
        )


def _shown(
    depth: NDArray[np.float32], camera: Camera, pose: Pose
) -> list[tuple[float, float, float]]:
    """(x, y, weight) of places that a view looks across, and of the robot's own."""
    points = [(pose.x, pose.y, _NEAR_WEIGHT)]
    height, width = depth.shape
    half = math.tan(math.radians(camera.hfov_deg) / 2.0)
    for u in np.linspace(width * 0.1, width * 0.9, _COLUMNS).astype(int):
        column = depth[height // 4 : height // 2 + 1, u]
        column = column[column > 0.0]
        if not column.size:
            continue
        across = (2.0 * (u + 0.5) / width - 1.0) * half
        reach = min(_FAR_M, float(np.median(column)) - 0.2)
        bearing = pose.yaw - math.atan(across)
        stretch = math.hypot(1.0, across)
        at = 0.5
        while at < reach:
            r = at * stretch
            weight = 1.0 if at >= 1.0 else _NEAR_WEIGHT
            points.append((pose.x + r * math.cos(bearing), pose.y + r * math.sin(bearing), weight))
            at += 0.4
    return points


def _cell(x: float, y: float) -> tuple[int, int]:
    return math.floor(y / _CELL_M) + _SIZE // 2, math.floor(x / _CELL_M) + _SIZE // 2


def _middle(row: int, col: int) -> XY:
    return (col - _SIZE // 2 + 0.5) * _CELL_M, (row - _SIZE // 2 + 0.5) * _CELL_M
