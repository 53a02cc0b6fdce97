"""The final goal of a mission: how far away it was, whether it was reached, whether the agent
stopped there.

With δ_g the success distance of the task (2.0 m), a mission is a success when the agent stops
within δ_g of its final goal, and an oracle success when it ever was within δ_g of it
(OmniNavBench, Table III). Where the mission ends with the way back, the goal is where the robot
started: it counts only after the robot has been more than ``LEFT_M`` away (the paper's rule for
RETURN_TO; else whoever stops at once has succeeded).
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from navproof.core.types import Pose, SubTask
from navproof.log.moments import at_every_moment
from navproof.log.trace import Trace
from navproof.metrics.missions.followed import ROUNDING, walk_of
from navproof.metrics.missions.record import channel, nothing_recorded, stopped

__all__ = [
    "LEFT_M",
    "arrived",
    "arrived_at",
    "final_distances_m",
    "flat_distances_m",
    "goal_distances_m",
    "leaves_at",
    "within",
]

LEFT_M = 2.0
"""The robot must have been further than this from where it is to return."""


def final_distances_m(trace: Trace) -> tuple[float, ...]:
    """To the final goal at each moment; infinite where nothing was recorded."""
    if nothing_recorded(trace):
        return (math.inf,) * len(trace.poses)
    return goal_distances_m(trace, len(trace.episode.subtasks) - 1)


def goal_distances_m(trace: Trace, index: int) -> tuple[float, ...]:
    """To the goal of a sub-task at each moment: as the task measured it (geodesic for rooms,
    landmarks and objects, straight for points); straight to where the walk ends for a person."""
    task = trace.episode.subtasks[index]
    if task.kind == "follow_human":
        return flat_distances_m(trace, task)
    return channel(trace, f"subtask.{index}.distance_m")


def flat_distances_m(trace: Trace, task: SubTask) -> tuple[float, ...]:
    """Straight along the floor to the nearest position of a sub-task's goal at each moment."""
    places = [point[:2] for point in task.goal.positions]
    if not places and task.kind == "follow_human":
        places = [walk_of(trace, task.person or "").path[-1][:2]]
    return tuple(_nearest_m(pose, places) for pose in trace.poses)


def _nearest_m(pose: Pose, places: Sequence[tuple[float, float]]) -> float:
    return min((math.dist((pose.x, pose.y), place) for place in places), default=math.inf)


def within(distance_m: float, limit_m: float) -> bool:
    return distance_m <= limit_m + ROUNDING


def leaves_at(distances_m: Sequence[float]) -> int:
    """The first moment more than ``LEFT_M`` away; beyond the last where there is none."""
    away = (t for t, d in enumerate(distances_m) if d > LEFT_M + ROUNDING)
    return next(away, len(distances_m))


def arrived_at(trace: Trace) -> int | None:
    """The first moment at which the robot was at the final goal, None where it never was."""
    distances = final_distances_m(trace)
    returns = trace.episode.subtasks[-1].kind == "return_to"
    since = leaves_at(distances) if returns else 0
    limit = trace.spec.success_m
    return next((t for t in range(since, len(distances)) if within(distances[t], limit)), None)


@at_every_moment
def arrived(trace: Trace) -> bool:
    """The agent stopped at the final goal, and nothing broke."""
    if trace.status != "ok" or not stopped(trace) or arrived_at(trace) is None:
        return False
    return within(final_distances_m(trace)[-1], trace.spec.success_m)
