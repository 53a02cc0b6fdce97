"""When to go, when to wait and when to go back on a given way, so that nobody is met on it.

Who knows where everybody will be needs no other way to let people pass, only another time: at
every tick the robot goes one place on, stays, or goes one place back. What is reachable by tick t
is a set of places, and the earliest arrival follows from these sets (a search in space and time
over one dimension of space).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["outlook", "tenable", "timed"]

_ON, _STAY, _BACK = -1, 0, 1
"""Where the robot was a tick earlier, in places from where it is."""


def timed(free: NDArray[np.bool_], start: int) -> list[int] | None:
    """The places of one tick after another, from ``start`` to the last place, as early as it can
    be there; None where it cannot. ``free`` is (ticks, places): who may be where and when. Of the
    ways to be there as early, one with few changes between going and waiting."""
    reachable, tick = _reached(free, start)
    return _traced(reachable, tick) if reachable[tick, -1] else None


def outlook(free: NDArray[np.bool_], start: int) -> tuple[int, int]:
    """(place, −tick): the farthest place that can be reached, and the earliest tick there if it is
    the last place (else the last tick), so that the greater is the better; (−1, 0) where the robot
    cannot be anywhere all the time."""
    reachable, tick = _reached(free, start)
    places = np.flatnonzero(reachable[tick])
    return (int(places[-1]), -tick) if len(places) else (-1, 0)


def tenable(free: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """``free`` without the places from which there is no way out: whoever is there at that tick
    meets somebody by the last one, wherever she goes."""
    safe = free.copy()
    for tick in range(len(free) - 2, -1, -1):
        after = safe[tick + 1]
        out = after.copy()
        out[1:] |= after[:-1]
        out[:-1] |= after[1:]
        safe[tick] &= out
    return safe


def _reached(free: NDArray[np.bool_], start: int) -> tuple[NDArray[np.bool_], int]:
    """Where the robot can be at each tick, up to when it can be at the last place, and that tick;
    the last tick where it never can."""
    reachable = np.zeros_like(free)
    reachable[0, start] = free[0, start]
    for tick in range(1, len(free)):
        before, now = reachable[tick - 1], reachable[tick]
        now[:] = before
        now[1:] |= before[:-1]
        now[:-1] |= before[1:]
        # Places that are taken at this tick are removed after spreading: who stays must be safe
        # too.
        now &= free[tick]
        if now[-1]:
            return reachable, tick
    return reachable, len(free) - 1


def _traced(reachable: NDArray[np.bool_], tick: int) -> list[int]:
    """Back from the end, going on as before wherever that is possible."""
    place, last = reachable.shape[1] - 1, _ON
    steps = [place]
    while tick > 0:
        tick -= 1
        for step in sorted((_ON, _STAY, _BACK), key=lambda s: (s != last, s)):
            if 0 <= place + step < reachable.shape[1] and reachable[tick, place + step]:
                break
        place, last = place + step, step
        steps.append(place)
    return steps[::-1]
