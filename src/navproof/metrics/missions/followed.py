"""A person to be followed, as a trace shows her: when, how far away, in front of the robot or not.

The following phase of a follow sub-task begins when the sub-task comes into force and lasts until
t_e, the moment at which the person has stopped for good: when the task decided on the sub-task, or,
where it did not, from when on she rests where her walk ends, not before her walk can be over. Where
she had stopped before the phase began, t_e is the moment at which it begins, or the first after
the start of the episode.

    Cond_t := (1.0 < d_t ≤ 3.0 m) ∧ (|∠_err,t| ≤ 60°)            (OmniNavBench, Table II)

with d the straight distance along the floor between the centres of robot and person, and ∠_err
the angle between the robot's heading and the direction to the person. The far limit is the
sub-task's own (``within_m``).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from navproof.core.errors import RunError
from navproof.core.types import Pose, SubTask, Walk
from navproof.log.trace import Trace
from navproof.metrics.missions.record import channel, decided_at, in_force_from

__all__ = [
    "AT_M",
    "FOLLOW_DEG",
    "FOLLOW_FAR_M",
    "FOLLOW_NEAR_M",
    "ROUNDING",
    "Following",
    "Track",
    "bearing_error_rad",
    "followed",
    "followings",
    "share_of_time",
    "track_of",
    "walk_of",
]

FOLLOW_NEAR_M, FOLLOW_FAR_M, FOLLOW_DEG = 1.0, 3.0, 60.0
"""Following is right beyond the first, up to the second, and within this angle of the heading."""
ROUNDING = 1e-9
AT_M = 0.05
"""Who is so near to a point of her walk is there."""
_EARLY_S = 1e-6


@dataclass(frozen=True, slots=True)
class Track:
    """Where somebody was at each moment, and whether she walked."""

    x: tuple[float, ...]
    y: tuple[float, ...]
    moving: tuple[bool, ...]

    def at(self, moment: int) -> tuple[float, float]:
        return self.x[moment], self.y[moment]

    def distances_m(self, poses: Sequence[Pose]) -> list[float]:
        """From the robot, along the floor."""
        return [
            math.hypot(x - pose.x, y - pose.y)
            for x, y, pose in zip(self.x, self.y, poses, strict=True)
        ]


@dataclass(frozen=True, slots=True)
class Following:
    """One follow sub-task. ``begin`` and ``end`` are moments: when it came into force (None:
    never), and t_e (None: the trace ended before). ``ends_s`` is the time of t_e on the
    simulator's clock, by the person's walk where the trace does not show it. ``right`` is Cond at
    each moment."""

    subtask: int
    walk: Walk
    track: Track
    right: tuple[bool, ...]
    begin: int | None
    end: int | None
    ends_s: float


def followed(trace: Trace) -> tuple[tuple[int, SubTask], ...]:
    """The follow sub-tasks, with their indices."""
    every = enumerate(trace.episode.subtasks)
    return tuple((i, task) for i, task in every if task.kind == "follow_human")


def followings(trace: Trace) -> tuple[Following, ...]:
    """What happened in each follow sub-task."""
    phases = []
    times, last, decided = channel(trace, "time_s"), len(trace.poses) - 1, decided_at(trace)
    for index, task in followed(trace):
        person = task.person or ""
        walk, track = walk_of(trace, person), track_of(trace, person)
        begin, end = in_force_from(trace, index), _rests_for_good_from(track, walk, times)
        if begin is not None and end is not None:
            end = min(max(begin, end, 1), last)
        end = decided.get(index, end)
        ends_s = times[end] if end is not None else max(times[-1], _walk_ends_s(walk))
        right = _in_band(track, trace.poses, task.within_m)
        phases.append(Following(index, walk, track, right, begin, end, ends_s))
    return tuple(phases)


def walk_of(trace: Trace, person: str) -> Walk:
    for walk in trace.episode.people:
        if walk.person == person:
            return walk
    raise RunError(
        f"episode {trace.key.episode_id} has nobody called '{person}', who is to be followed"
    )


def track_of(trace: Trace, person: str) -> Track:
    moving = channel(trace, f"person.{person}.moving")
    x, y = channel(trace, f"person.{person}.x"), channel(trace, f"person.{person}.y")
    return Track(x, y, tuple(value > 0.5 for value in moving))


def _in_band(track: Track, poses: Sequence[Pose], far_m: float) -> tuple[bool, ...]:
    return tuple(
        FOLLOW_NEAR_M + ROUNDING < distance <= far_m + ROUNDING
        and abs(bearing_error_rad(pose, track.at(t))) <= math.radians(FOLLOW_DEG) + ROUNDING
        for t, (pose, distance) in enumerate(zip(poses, track.distances_m(poses), strict=True))
    )


def bearing_error_rad(pose: Pose, point: tuple[float, float]) -> float:
    """From the robot's heading to the direction of a point, in [−π, π]."""
    angle = math.atan2(point[1] - pose.y, point[0] - pose.x) - pose.yaw
    return math.remainder(angle, math.tau)


def share_of_time(
    holds: Sequence[bool], times: Sequence[float], begin: int, end: int, ends_s: float
) -> float:
    """Σ_t 1[holds at t] · (time of step t) / (``ends_s`` − time at ``begin``), over the moments
    after ``begin`` up to ``end``: the share of steps, where all steps last equally long as the
    paper's do. Of a phase without duration, whether it holds at its end."""
    whole = ends_s - times[begin]
    if whole <= 0:
        return float(holds[end])
    seconds = math.fsum(times[t] - times[t - 1] for t in range(begin + 1, end + 1) if holds[t])
    return min(1.0, seconds / whole)


def _rests_for_good_from(track: Track, walk: Walk, times: Sequence[float]) -> int | None:
    """Reacting people may be late, but are never early."""
    over_s = _walk_ends_s(walk) - _EARLY_S
    arrived = [
        not moving and time_s >= over_s and math.dist((x, y), walk.path[-1][:2]) <= AT_M
        for x, y, moving, time_s in zip(track.x, track.y, track.moving, times, strict=True)
    ]
    if not arrived[-1]:
        return None
    return next((t + 1 for t in reversed(range(len(arrived))) if not arrived[t]), 0)


def _walk_ends_s(walk: Walk) -> float:
    """When a walk that nothing delays comes to the end of its last leg."""
    time_s = ends_s = walk.begins_s
    for (x0, y0, rest_s), (x1, y1, _) in pairwise(walk.path):
        length = math.hypot(x1 - x0, y1 - y0)
        time_s += rest_s + length / walk.speed_m_s
        if length > 0:
            ends_s = time_s
    return ends_s
