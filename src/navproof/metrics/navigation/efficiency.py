"""How well did it get there? SPL, soft-SPL, path length and steps.

With S the success of the episode (0 or 1), l the length of the shortest path from start to goal
and p the length of the path taken,

    SPL = S · l / max(p, l)                                   (Anderson et al. 2018, eq. 1)

and, with d_0 and d_T the distances to the goal at the start and at the end,

    soft-SPL = max(0, 1 − d_T / d_0) · l / max(p, l)          (Datta et al. 2020, section 5)

Of a task with several goals, S is the success of the whole episode and l the sum of the shortest
paths to its goals (Wani et al. 2020, MultiON, section 3), each from where the robot was when the
goal was revealed. Of a mission, S is the success at its final goal and l the episode's shortest way
through all of its goals. soft-SPL is defined for one goal only.
"""

from __future__ import annotations

import math

from navproof.log.moments import unfolded
from navproof.log.trace import Trace
from navproof.metrics.goals.goals import goal_results, has_goals
from navproof.metrics.missions.record import is_mission
from navproof.metrics.navigation.lengths import path_ratio, walked_m
from navproof.metrics.navigation.success import success
from navproof.metrics.registry import register_metric

__all__ = ["delay_s", "path_length_m", "path_ratio", "soft_spl", "spl", "steps"]


@register_metric(
    "spl",
    label="SPL",
    definition="Success × shortest path / max(path taken, shortest path).",
    source="Anderson et al. 2018, On Evaluation of Embodied Navigation Agents, arXiv:1807.06757",
    family="efficiency",
    bounded=True,
)
def spl(trace: Trace) -> float:
    """Success weighted by path length."""
    goals = goal_results(trace)
    shortest = math.fsum(g.shortest_m or 0.0 for g in goals) if goals else trace.episode.geodesic_m
    return success(trace) * path_ratio(shortest, path_length_m(trace))


@register_metric(
    "soft_spl",
    label="soft-SPL",
    definition=(
        "Progress (1 − final / initial distance, at least 0) × shortest / max(taken, shortest)."
    ),
    source="Datta et al. 2020, Integrating Egocentric Localization, CoRL, arXiv:2009.03231",
    family="efficiency",
    bounded=True,
)
def soft_spl(trace: Trace) -> float | None:
    """Progress towards the goal weighted by path length; 0 where the status is not ``ok``, None
    where there are several goals."""
    if has_goals(trace) or is_mission(trace):
        return None
    if trace.status != "ok":
        return 0.0
    first, last = trace.distances_m[0], trace.distances_m[-1]
    if not math.isfinite(last):
        return 0.0
    progress = max(0.0, 1.0 - last / first) if first > 0 else float(last <= 0)
    return progress * path_ratio(trace.episode.geodesic_m, path_length_m(trace))


@register_metric(
    "path_length_m",
    label="PL",
    unit="m",
    better="lower",
    definition="Length of the path that the robot travelled.",
    source="Anderson et al. 2018, Vision-and-Language Navigation, CVPR, arXiv:1711.07280",
    family="efficiency",
)
def path_length_m(trace: Trace) -> float:
    """Length of the path that the robot travelled, metres."""
    return walked_m(unfolded(trace).poses)


@register_metric(
    "steps",
    label="steps",
    better="lower",
    definition="Actions taken, the final stop included.",
    source="—",
    family="efficiency",
)
def steps(trace: Trace) -> float:
    """Number of actions, the final stop included."""
    return float(len(trace.actions))


def _goes_on(trace: Trace) -> bool:
    """Does the world go on while the agent makes up its mind?"""
    return trace.spec.clock != "wait"


@register_metric(
    "delay_s",
    label="delay",
    unit="s",
    better="lower",
    definition=(
        "Mean time for which the world went on before an action, while the agent made up its "
        "mind; of runs whose clock does not wait for it."
    ),
    source="—",
    family="efficiency",
    applies=_goes_on,
)
def delay_s(trace: Trace) -> float | None:
    """Mean delay of an action, seconds; None where the world waited."""
    took_s = trace.delays.took_s
    return math.fsum(took_s) / len(took_s) if took_s else None
