"""What the robot does while the person whom it follows rests for a moment.

A pause window is a rest that her walk says, between two movements, begun within the following phase
(people who wait because a robot is in their way do not pause). The four behaviours are
OmniNavBench's; what separates them is this project's reading, by the limits of its following band,
(1.0, 3.0] m and ±60°. The first that fits, in this order, the more harmful first:

1. ``intrusion``: at some moment of the window the robot was at 1.0 m or nearer;
2. ``overshoot``: it went past her: along the direction in which she came it was not ahead of her
   when the window began, and more than ``PAST_M`` ahead of her at some moment;
3. ``abandon``: when the window ended, it was further than 3.0 m away or had her out of ±60° of its
   heading, or the agent ended the episode in the window;
4. ``correct wait``: when the window ended, it stood where one who follows should stand.

A window that the end of the episode cut short for another reason (budget, fall) is judged by what
there is of it.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from navproof.core.types import Pose
from navproof.log.moments import at_every_moment
from navproof.log.trace import Trace
from navproof.metrics.missions.followed import (
    AT_M,
    FOLLOW_NEAR_M,
    ROUNDING,
    Following,
    Track,
    followed,
    followings,
)
from navproof.metrics.missions.record import channel, is_mission, nothing_recorded, stopped
from navproof.metrics.registry import register_metric

__all__ = ["BEHAVIOURS", "PAST_M", "PauseWindow", "pause_windows"]

BEHAVIOURS: Mapping[str, str] = {
    "correct wait": "waited where one who follows should stand",
    "abandon": "went away, turned away or gave up",
    "intrusion": "came too near",
    "overshoot": "went past the person",
}
"""Name to meaning, in the order of tables."""
PAST_M = 0.5
"""Ahead of the person by more than this is past her, metres (two steps of 0.25 m)."""
_CAME_M = 0.05


@dataclass(frozen=True, slots=True)
class PauseWindow:
    """One rest: its first and last moments, how long it took, and what the robot did."""

    person: str
    begin: int
    end: int
    rest_s: float
    behaviour: str


@at_every_moment
def pause_windows(trace: Trace) -> tuple[PauseWindow, ...]:
    """Every pause window of a mission's following phases, in order."""
    if not followed(trace) or nothing_recorded(trace):
        return ()
    times = channel(trace, "time_s")
    return tuple(
        PauseWindow(
            phase.walk.person,
            begin,
            end,
            times[end] - times[begin],
            _behaviour(trace, phase, begin, end),
        )
        for phase in followings(trace)
        for begin, end in _rests(phase)
    )


def _rests(phase: Following) -> list[tuple[int, int]]:
    """First and last moments of the rests of her walk that begin in the phase, after she has
    walked; the rest that begins with t_e is for good, and no pause."""
    if phase.begin is None:
        return []
    track = phase.track
    places = [(x, y) for x, y, rest_s in phase.walk.path[:-1] if rest_s > 0]
    rests = []
    for moving, group in groupby(range(len(track.moving)), track.moving.__getitem__):
        moments = list(group)
        begin, end = moments[0], moments[-1]
        planned = any(math.dist(track.at(end), place) <= AT_M for place in places)
        if not moving and planned and begin > 0 and begin >= phase.begin:
            rests.append((begin, end))
    return [(b, e) for b, e in rests if phase.end is None or b < phase.end]


def _behaviour(trace: Trace, phase: Following, begin: int, end: int) -> str:
    track, poses = phase.track, trace.poses
    distances = track.distances_m(poses)
    if min(distances[begin : end + 1]) <= FOLLOW_NEAR_M + ROUNDING:
        return "intrusion"
    ahead = _ahead_m(track, poses, begin, end)
    if ahead[0] <= ROUNDING and max(ahead) > PAST_M + ROUNDING:
        return "overshoot"
    gave_up = end == len(poses) - 1 and stopped(trace)
    return "abandon" if gave_up or not phase.right[end] else "correct wait"


def _ahead_m(track: Track, poses: tuple[Pose, ...], begin: int, end: int) -> list[float]:
    """How far ahead of her the robot was, along the direction in which she came."""
    x, y = track.at(begin)
    came = (t for t in reversed(range(begin)) if math.dist(track.at(t), (x, y)) >= _CAME_M)
    before = next(came, None)
    if before is None:
        return [0.0] * (end + 1 - begin)
    dx, dy = x - track.x[before], y - track.y[before]
    length = math.hypot(dx, dy)
    return [((p.x - x) * dx + (p.y - y) * dy) / length for p in poses[begin : end + 1]]


def _share(behaviour: str) -> Callable[[Trace], float | None]:
    def share(trace: Trace) -> float | None:
        counts = Counter(window.behaviour for window in pause_windows(trace))
        return counts[behaviour] / counts.total() if counts else None

    return share


def _about(behaviour: str) -> dict[str, Any]:
    """What is declared of every behaviour."""
    return {
        "label": f"pause: {behaviour}",
        "better": "higher" if behaviour == "correct wait" else "lower",
        "definition": "Share of the moments of rest of a followed person in which the robot "
        f"{BEHAVIOURS[behaviour]}.",
        "source": "behaviours after Sun et al. 2026, OmniNavBench, arXiv:2605.09441; their limits "
        "are ours",
        "family": "pauses",
        "bounded": True,
        "applies": is_mission,
    }


register_metric("pause_wait", **_about("correct wait"))(_share("correct wait"))
register_metric("pause_abandon", **_about("abandon"))(_share("abandon"))
register_metric("pause_intrusion", **_about("intrusion"))(_share("intrusion"))
register_metric("pause_overshoot", **_about("overshoot"))(_share("overshoot"))
