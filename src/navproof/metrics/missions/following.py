"""How well did it follow? HFS and HFR of missions with a person to be followed.

    HFS = Cond at t_e        HFR = T_valid / T_follow        (OmniNavBench, Table III and A-3)

Cond, t_e and the following phase are those of ``followed``; T_valid is the part of the
phase in which Cond held. The paper counts steps of one length; ours need not be of one length, so
that each counts for as long as it lasts. A follow sub-task that never came into force scores 0;
where the episode ended before t_e, HFS is 0 and T_follow goes on until the person's walk would
have ended, so that nobody gains by giving up early. Of several people to be followed, the mean.

The released code differs, and gives the variants ``…_released``: the band begins at 0.1 m instead
of 1.0 m, the heading is the direction of the last movement (anything is ahead of a robot that
does not move), the phase begins with the episode and ends with it at the latest, and steps are
counted.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from navproof.core.types import Pose
from navproof.log.moments import at_every_moment
from navproof.log.trace import Trace
from navproof.metrics.missions.followed import (
    FOLLOW_DEG,
    FOLLOW_FAR_M,
    ROUNDING,
    Following,
    Track,
    bearing_error_rad,
    followed,
    followings,
    share_of_time,
    track_of,
)
from navproof.metrics.missions.record import channel, is_mission, nothing_recorded
from navproof.metrics.registry import register_metric

__all__ = ["follow_ratios", "hfr", "hfr_released", "hfs", "hfs_released"]

_PAPER = "Sun et al. 2026, OmniNavBench, Table III and appendix A-3, arXiv:2605.09441"
_CODE = "released code of OmniNavBench, bench/metrics/navigation.py and bench/evaluator"

_NEAR_RELEASED_M = 0.1
_SAME_PLACE_M, _NO_STEP_M = 1e-3, 1e-5


@register_metric(
    "hfs",
    label="HFS",
    definition=(
        "1 if the robot was 1.0 to 3.0 m from the person to be followed and within 60° of facing "
        "her when she stopped for good, else 0."
    ),
    source=_PAPER,
    family="following",
    bounded=True,
    applies=is_mission,
)
@at_every_moment
def hfs(trace: Trace) -> float | None:
    """1 if the robot was behind the person as it should be when she stopped for good, else 0 (the
    mean, where there are several to follow)."""
    if not followed(trace):
        return None
    if nothing_recorded(trace):
        return 0.0
    return _mean([_at_the_end(phase) for phase in followings(trace)])


@register_metric(
    "hfr",
    label="HFR",
    definition=(
        "Share of the following phase in which the robot was 1.0 to 3.0 m from the person and "
        "within 60° of facing her."
    ),
    source=_PAPER,
    family="following",
    bounded=True,
    applies=is_mission,
)
@at_every_moment
def hfr(trace: Trace) -> float | None:
    """Share of the following phase in which the robot was where it should be."""
    if not followed(trace):
        return None
    return 0.0 if nothing_recorded(trace) else _mean(list(follow_ratios(trace).values()))


@at_every_moment
def follow_ratios(trace: Trace) -> Mapping[int, float]:
    """HFR of each follow sub-task, by its index."""
    return {phase.subtask: _ratio(trace, phase) for phase in followings(trace)}


def _at_the_end(phase: Following) -> float:
    if phase.begin is None or phase.end is None:
        return 0.0
    return float(phase.right[phase.end])


def _ratio(trace: Trace, phase: Following) -> float:
    if phase.begin is None:
        return 0.0
    end = len(trace.poses) - 1 if phase.end is None else phase.end
    times = channel(trace, "time_s")
    return share_of_time(phase.right, times, phase.begin, end, phase.ends_s)


@register_metric(
    "hfs_released",
    label="HFS (released)",
    definition=(
        "HFS with a band of 0.1 to 3.0 m and the direction of movement as the heading, when the "
        "person stopped or the episode ended."
    ),
    source=_CODE,
    family="following",
    bounded=True,
    applies=is_mission,
)
def hfs_released(trace: Trace) -> float | None:
    """HFS as the released code has it."""
    return _follow_released(trace, at_end=True)


@register_metric(
    "hfr_released",
    label="HFR (released)",
    definition=(
        "Share of the moments from the start of the episode until the person stopped in which the "
        "condition of HFS (released) held."
    ),
    source=_CODE,
    family="following",
    bounded=True,
    applies=is_mission,
)
def hfr_released(trace: Trace) -> float | None:
    """HFR as the released code has it."""
    return _follow_released(trace, at_end=False)


@at_every_moment
def _follow_released(trace: Trace, *, at_end: bool) -> float | None:
    tasks = followed(trace)
    if not tasks:
        return None
    if nothing_recorded(trace):
        return 0.0
    values = []
    for _, task in tasks:
        track = track_of(trace, task.person or "")
        right = [_right_released(trace.poses, track, t) for t in range(_stop_released(track) + 1)]
        values.append(float(right[-1]) if at_end else sum(right) / len(right))
    return _mean(values)


def _stop_released(track: Track) -> int:
    """The earliest moment from which she stays where the trace leaves her."""
    last = len(track.x) - 1
    there = track.at(last)
    steps = (t for t in reversed(range(last)) if math.dist(track.at(t), there) > _SAME_PLACE_M)
    return next(steps, -1) + 1


def _right_released(poses: Sequence[Pose], track: Track, moment: int) -> bool:
    here, there = poses[moment], track.at(moment)
    away = math.dist((here.x, here.y), there)
    if not _NEAR_RELEASED_M + ROUNDING < away <= FOLLOW_FAR_M + ROUNDING:
        return False
    before = poses[max(moment - 1, 0)]
    dx, dy = here.x - before.x, here.y - before.y
    if math.hypot(dx, dy) <= _NO_STEP_M:
        return True
    went = Pose(here.x, here.y, here.z, math.atan2(dy, dx))
    return abs(bearing_error_rad(went, there)) <= math.radians(FOLLOW_DEG) + ROUNDING


def _mean(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values)
