"""A walk over time: where a person is at every moment, as piecewise linear functions.

Only +, −, × and ÷ are used on the way from a time to a place, so that one time and an array of
times give the same bits on any machine.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from navproof.core.errors import EpisodeError
from navproof.core.types import Walk

__all__ = ["Course", "PiecewiseLinear", "course_of"]

F64 = NDArray[np.float64]
TURN_S = 0.6
"""A corner is taken in this time, half of it before and half after (less where legs are short)."""
_MOST = 1e6  # metres from the origin, or seconds
_SLOWEST_M_S, _FASTEST_M_S = 1e-3, 100.0
SET_OUT_S = 0.35
"""From standing to full strides, and back."""


@dataclass(frozen=True, slots=True)
class PiecewiseLinear:
    """A piecewise linear function of time, constant before its first knot and after its last."""

    times: tuple[float, ...]
    values: tuple[float, ...]
    slopes: tuple[float, ...]  # of the piece that begins at each knot; the last is 0

    @classmethod
    def through(cls, knots: Sequence[tuple[float, float]]) -> PiecewiseLinear:
        """Knots in the order of time; of two at one time the later holds from there on."""
        times, values = (tuple(float(k[i]) for k in knots) for i in (0, 1))
        slopes = [
            (w - v) / (b - a) if b > a else 0.0
            for (a, v), (b, w) in pairwise(zip(times, values, strict=True))
        ]
        return cls(times, values, (*slopes, 0.0))

    def at(self, time_s: float) -> float:
        if time_s < self.times[0]:
            return self.values[0]
        k = bisect_right(self.times, time_s) - 1
        return self.values[k] + self.slopes[k] * (time_s - self.times[k])

    def over(self, times_s: F64) -> F64:
        """The values at all of these times, with the same bits as ``at`` gives."""
        k = np.maximum(np.searchsorted(self.times, times_s, side="right") - 1, 0)
        since = np.maximum(times_s, self.times[0]) - np.array(self.times)[k]
        out: F64 = np.array(self.values)[k] + np.array(self.slopes)[k] * since
        return out


@dataclass(frozen=True, slots=True)
class Course:
    """``distance`` is what has been walked (m), ``stride`` how full the steps are, 0 … 1; ``yaw``
    is not wrapped. ``going`` are the spans [begin, end) in which somebody moves."""

    x: PiecewiseLinear
    y: PiecewiseLinear
    yaw: PiecewiseLinear
    distance: PiecewiseLinear
    stride: PiecewiseLinear
    going: tuple[tuple[float, float], ...]
    ends_s: float

    def is_going(self, time_s: float) -> bool:
        return any(begin <= time_s < end for begin, end in self.going)


@dataclass(frozen=True, slots=True)
class _Leg:
    begin_s: float
    end_s: float
    yaw: float


@lru_cache(maxsize=4096)
def course_of(walk: Walk) -> Course:
    """The course of a walk. Raises ``EpisodeError`` for a walk that cannot be walked."""
    check(walk)
    time_s, walked = float(walk.begins_s), 0.0
    x, y, _ = walk.path[0]
    xs, ys, along = [(time_s, x)], [(time_s, y)], [(time_s, 0.0)]
    legs: list[_Leg] = []
    time_s += walk.path[0][2]
    for number, (to_x, to_y, rest_s) in enumerate(walk.path[1:], start=2):
        dx, dy = to_x - x, to_y - y
        length = math.sqrt(dx * dx + dy * dy)
        if length > 0.0:
            xs.append((time_s, x))
            ys.append((time_s, y))
            along.append((time_s, walked))
            end_s = time_s + length / walk.speed_m_s
            legs.append(_Leg(time_s, end_s, round(math.atan2(dy, dx), 6)))
            time_s, walked = end_s, walked + length
            x, y = to_x, to_y
            xs.append((time_s, x))
            ys.append((time_s, y))
            along.append((time_s, walked))
        if number < len(walk.path):
            time_s += rest_s
    ends_s = legs[-1].end_s if legs else float(walk.begins_s)
    yaw, stride = PiecewiseLinear.through(_turns(legs)), PiecewiseLinear.through(_strides(legs))
    lines = (
        PiecewiseLinear.through(xs),
        PiecewiseLinear.through(ys),
        yaw,
        PiecewiseLinear.through(along),
        stride,
    )
    return Course(*lines, _spans(legs), ends_s)


def check(walk: Walk) -> None:
    """Raise ``EpisodeError`` for numbers that make no walk."""
    if not walk.path:
        raise EpisodeError(f"person {walk.person}: path is empty; it needs at least one point")
    for number, point in enumerate(walk.path):
        if len(point) != 3 or not all(abs(v) <= _MOST for v in point) or point[2] < 0:
            raise EpisodeError(
                f"person {walk.person}: path[{number}] must be (x, y, rest_s ≥ 0), not {point}"
            )
    if not _SLOWEST_M_S <= walk.speed_m_s <= _FASTEST_M_S:
        raise EpisodeError(
            f"person {walk.person}: speed_m_s is {walk.speed_m_s}; it must be > 0, and that of "
            "a person"
        )
    if not 0.0 <= walk.begins_s <= _MOST:
        raise EpisodeError(f"person {walk.person}: begins_s is {walk.begins_s}; it must be ≥ 0")


def _turns(legs: Sequence[_Leg]) -> list[tuple[float, float]]:
    """Heading over time: round a corner in TURN_S; before setting out again from a rest."""
    if not legs:
        return [(0.0, 0.0)]
    yaw = legs[0].yaw
    knots = [(legs[0].begin_s, yaw)]
    for before, after in pairwise(legs):
        turned = yaw + math.remainder(after.yaw - yaw, math.tau)
        rest_s = after.begin_s - before.end_s
        if rest_s > 0.0:
            begin, end = after.begin_s - min(rest_s, TURN_S), after.begin_s
        else:
            half = 0.5 * TURN_S
            begin = before.end_s - min(half, 0.5 * (before.end_s - before.begin_s))
            end = after.begin_s + min(half, 0.5 * (after.end_s - after.begin_s))
        knots += [(begin, yaw), (end, turned)]
        yaw = turned
    return knots


def _spans(legs: Sequence[_Leg]) -> tuple[tuple[float, float], ...]:
    """Legs without a rest between them, joined."""
    spans: list[tuple[float, float]] = []
    for leg in legs:
        if spans and leg.begin_s <= spans[-1][1]:
            spans[-1] = (spans[-1][0], leg.end_s)
        else:
            spans.append((leg.begin_s, leg.end_s))
    return tuple(spans)


def _strides(legs: Sequence[_Leg]) -> list[tuple[float, float]]:
    knots = [(0.0, 0.0)]
    for begin, end in _spans(legs):
        ramp = min(SET_OUT_S, 0.5 * (end - begin))
        full = ramp / SET_OUT_S
        knots += [(begin, 0.0), (begin + ramp, full), (end - ramp, full), (end, 0.0)]
    return knots
