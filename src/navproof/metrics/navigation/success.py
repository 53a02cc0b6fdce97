"""Did it get there? Success, oracle success and navigation error.

Distances are the trace's: geodesic, metres, to the nearest position of the goal. An episode whose
status is not ``ok`` (the agent raised, hung, returned nonsense, …) is a failure whatever the
robot's position: it scores 0 here and in every metric that builds on success.

Of a task with several goals an episode is a success when every goal was found (Wani et al. 2020,
MultiON, arXiv:2012.03912); ``metrics.goals.goals`` scores the goals one by one. Of a mission the
final goal counts, as in OmniNavBench's Table III; ``metrics.missions.completion`` scores its
sub-tasks.
"""

from __future__ import annotations

import math

from navproof.log.moments import moment_of, unfolded
from navproof.log.trace import Trace
from navproof.metrics.goals.failures import VIEWPOINT_M
from navproof.metrics.goals.goals import GoalResult, goal_results, goal_sr
from navproof.metrics.missions.completion import final_distances_m, osr, sr
from navproof.metrics.missions.record import is_mission, stopped
from navproof.metrics.registry import register_metric

__all__ = ["navigation_error_m", "oracle_success", "share_found", "stopped", "success"]


@register_metric(
    "success",
    label="SR",
    definition=(
        "1 if the agent stopped within the success distance of the goal (found every goal, where "
        "there are several), else 0."
    ),
    source="Anderson et al. 2018, On Evaluation of Embodied Navigation Agents, arXiv:1807.06757",
    family="success",
    bounded=True,
    binary=True,
)
def success(trace: Trace) -> float:
    """1 if the agent stopped within ``spec.success_m`` of the goal, or found all of several."""
    if (final := sr(trace)) is not None:
        return final
    if goals := goal_results(trace):
        return float(trace.status == "ok" and all(g.success for g in goals))
    near = trace.distances_m[-1] <= trace.spec.success_m
    return float(trace.status == "ok" and stopped(trace) and near)


def share_found(trace: Trace) -> float:
    """Share of the goals that were found, also where there is but one."""
    share = goal_sr(trace)
    return success(trace) if share is None else share


@register_metric(
    "oracle_success",
    label="OSR",
    definition=(
        "1 if the agent was within the success distance at any moment (of every goal in turn), "
        "else 0."
    ),
    source="Anderson et al. 2018, Vision-and-Language Navigation, CVPR, arXiv:1711.07280",
    family="success",
    bounded=True,
    binary=True,
)
def oracle_success(trace: Trace) -> float:
    """1 if the agent was ever within ``spec.success_m`` of the goal, else 0. Of several goals,
    each must have been within ``VIEWPOINT_M`` of a viewpoint while it was in force."""
    if (final := osr(trace)) is not None:
        return final
    if goals := goal_results(trace):
        return float(trace.status == "ok" and all(_was_near(trace, g) for g in goals))
    return float(trace.status == "ok" and min(unfolded(trace).distances_m) <= trace.spec.success_m)


@register_metric(
    "navigation_error_m",
    label="NE",
    unit="m",
    better="lower",
    definition=(
        "Geodesic distance from the robot to the goal when the episode (or the goal) ended."
    ),
    source="Anderson et al. 2018, Vision-and-Language Navigation, CVPR, arXiv:1711.07280",
    family="success",
)
def navigation_error_m(trace: Trace) -> float | None:
    """Distance to the goal where the episode ended, or the mean of those at which its goals
    ended; None where no path leads there or a goal was never tried."""
    if goals := goal_results(trace):
        distances_m = [g.left_m for g in goals if g.left_m is not None]
        return math.fsum(distances_m) / len(distances_m) if len(distances_m) == len(goals) else None
    error = final_distances_m(trace)[-1] if is_mission(trace) else trace.distances_m[-1]
    return error if math.isfinite(error) else None


def _was_near(trace: Trace, goal: GoalResult) -> bool:
    """The pose that ends a goal already belongs to the next one; its event has the distance."""
    last = [] if goal.left_m is None else [goal.left_m]
    begin, end = (moment_of(trace, i) if goal.revealed else 0 for i in (goal.begin, goal.end))
    distances_m = [*unfolded(trace).distances_m[begin:end], *last]
    return min(distances_m, default=math.inf) <= VIEWPOINT_M
