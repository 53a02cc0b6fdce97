"""Did it get there? Success, oracle success and navigation error.

Distances are the trace's: geodesic, metres, to the nearest position of the goal. An episode whose
status is not ``ok`` (the agent raised, hung, returned nonsense, …) is a failure whatever the
robot's position: it scores 0 here and in every metric that builds on success.
"""

from __future__ import annotations

import math

from navproof.log.trace import Trace
from navproof.metrics.protocol import Metric
from navproof.types import Move

__all__ = ["METRICS", "navigation_error_m", "oracle_success", "stopped", "success"]


def stopped(trace: Trace) -> bool:
    """The agent itself ended the episode, rather than its budget."""
    return bool(trace.actions) and trace.actions[-1] == Move.STOP.value


def success(trace: Trace) -> float:
    """1 if the agent stopped within ``spec.success_m`` of the goal, else 0."""
    near = trace.distances_m[-1] <= trace.spec.success_m
    return float(trace.status == "ok" and stopped(trace) and near)


def oracle_success(trace: Trace) -> float:
    """1 if the agent was ever within ``spec.success_m`` of the goal, else 0."""
    return float(trace.status == "ok" and min(trace.distances_m) <= trace.spec.success_m)


def navigation_error_m(trace: Trace) -> float | None:
    """Distance to the goal where the episode ended; None where no path leads there."""
    error = trace.distances_m[-1]
    return error if math.isfinite(error) else None


METRICS = (
    Metric(
        "success",
        "SR",
        "",
        "higher",
        "1 if the agent stopped within the success distance of the goal, else 0.",
        "Anderson et al. 2018, On Evaluation of Embodied Navigation Agents, arXiv:1807.06757",
        success,
        bounded=True,
        binary=True,
    ),
    Metric(
        "oracle_success",
        "OSR",
        "",
        "higher",
        "1 if the agent was within the success distance at any moment, else 0.",
        "Anderson et al. 2018, Vision-and-Language Navigation, CVPR, arXiv:1711.07280",
        oracle_success,
        bounded=True,
        binary=True,
    ),
    Metric(
        "navigation_error_m",
        "NE",
        "m",
        "lower",
        "Geodesic distance from the robot to the goal when the episode ended.",
        "Anderson et al. 2018, Vision-and-Language Navigation, CVPR, arXiv:1711.07280",
        navigation_error_m,
    ),
)
