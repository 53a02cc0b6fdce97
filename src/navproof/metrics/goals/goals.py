"""Every goal of a trace by itself: found or not, how directly, in which words, and what went wrong.

A task with several goals reveals them one after the other; ``found``, or the end of the goal's
budget, ends a goal, and the next one begins where the robot stands (LangNavBench, section 3.3).
With S_k the success of goal k, l_k the length of the shortest path to it from where the robot was
when the goal was revealed, and p_k the length of the path taken from there on,

    SR = mean of S_k          SPL = mean of S_k · l_k / max(p_k, l_k)

over goals (Anderson et al. 2018, eq. 1, per goal). The released code of the benchmark differs in
two points, and gives the variants ``…_released``: success is 1.0 m of geodesic distance to a
viewpoint, whatever the distance to the object; and l_k starts at the best viewpoint of the goal
before, wherever the robot was.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from navproof.core.types import Event, Goal, Scalar
from navproof.log.moments import poses_between
from navproof.log.trace import Trace
from navproof.metrics.goals.failures import VIEWPOINT_M, failure_of
from navproof.metrics.missions.record import is_mission
from navproof.metrics.navigation.lengths import path_ratio, walked_m
from navproof.metrics.registry import register_metric

__all__ = [
    "COUNT_TAG",
    "VIEWPOINT_M",
    "GoalResult",
    "goal_results",
    "goal_spl",
    "goal_sr",
    "has_goals",
]

_LANGNAV = "Raychaudhuri et al. 2025, LangNavBench, section 3.3"

COUNT_TAG = "attributes"
"""The tag that counts a goal's linguistic features; every other tag is one of them."""
_ENDS = ("found", "goal_timeout")


@dataclass(frozen=True, slots=True)
class GoalResult:
    """One goal of one episode.

    ``begin`` and ``end`` are the indices of its first and last pose in the trace (both -1 where
    the episode broke off before the goal was revealed). ``shortest_m`` is the shortest path when
    it was revealed, ``left_m`` what was left to the nearest viewpoint when it ended (None: not
    known, or no path). ``tags`` has one entry per linguistic feature, ``attributes`` counts them,
    ``instances`` the objects that the words fit. ``failure`` is "" for a success and else one of
    ``goal_failures.FAILURES``.
    """

    index: int
    success: bool
    spl: float
    success_released: bool
    spl_released: float | None
    begin: int
    end: int
    path_length_m: float
    shortest_m: float | None
    left_m: float | None
    text: str
    category: str
    instances: int
    tags: Mapping[str, Scalar]
    attributes: int
    failure: str

    @property
    def steps(self) -> int:
        """Actions between the reveal and the end, the claim included."""
        return self.end - self.begin

    @property
    def revealed(self) -> bool:
        return self.begin >= 0


def has_goals(trace: Trace) -> bool:
    """Is this a task with goals in sequence, scored goal by goal? (A mission is not.)"""
    if is_mission(trace):
        return False
    return len(trace.episode.goals) > 1 or any(e.kind in _ENDS for e in trace.events)


def goal_results(trace: Trace) -> tuple[GoalResult, ...]:
    """Every goal of the episode in order; empty for tasks with a single goal, whose result is
    the episode's.

    Goals that had ended before an agent failed keep their result; the others count as failures.
    """
    if not has_goals(trace):
        return ()
    ends = {e.data.get("goal"): e for e in trace.events if e.kind in _ENDS}
    reveals = {e.data.get("goal"): e for e in trace.events if e.kind == "reveal"}
    results: list[GoalResult] = []
    begin = 0
    for index, goal in enumerate(trace.episode.goals):
        shortest = _metres(reveals[index].data.get("geodesic_m")) if index in reveals else None
        if index == 0:
            shortest = trace.episode.geodesic_m
        ended = ends.get(index)
        results.append(_result(trace, index, goal, begin, shortest, ended))
        begin = ended.step + 1 if ended is not None and begin >= 0 else -1
    return tuple(results)


def _result(
    trace: Trace, index: int, goal: Goal, begin: int, shortest: float | None, ended: Event | None
) -> GoalResult:
    end = -1
    if begin >= 0:
        end = ended.step + 1 if ended is not None else len(trace.poses) - 1
    length_m = walked_m(poses_between(trace, begin, end)) if begin >= 0 else 0.0
    left_m = _metres(ended.data.get("viewpoint_m")) if ended is not None else None
    claim = ended.data if ended is not None and ended.kind == "found" else {}
    success = claim.get("success") is True
    released = success or (bool(claim) and left_m is not None and left_m <= VIEWPOINT_M)
    leg = trace.episode.tags.get(f"leg_{index}_m") if index else trace.episode.geodesic_m
    optimum = _metres(leg)
    features = {name: value for name, value in goal.tags.items() if name != COUNT_TAG}
    count = goal.tags.get(COUNT_TAG)
    return GoalResult(
        index=index,
        success=success,
        spl=path_ratio(shortest, length_m) if success and shortest is not None else 0.0,
        success_released=released,
        spl_released=None if optimum is None else released * path_ratio(optimum, length_m),
        begin=begin,
        end=end,
        path_length_m=length_m,
        shortest_m=shortest,
        left_m=left_m,
        text=goal.text,
        category=goal.category or "",
        instances=len(goal.object_ids),
        tags=features,
        attributes=count if isinstance(count, int) else len(features),
        failure="" if success else failure_of(trace, goal, begin, ended),
    )


def _metres(value: Scalar) -> float | None:
    """A finite length, or None."""
    return float(value) if isinstance(value, int | float) and math.isfinite(value) else None


# ---------------------------------------------------------------------------------- of an episode
@register_metric(
    "goal_sr",
    label="goal SR",
    definition=(
        "Share of the goals of an episode that the agent found; for tasks with several goals."
    ),
    source=f"{_LANGNAV}; as in Khanna et al. 2024, GOAT-Bench, CVPR, arXiv:2404.06609",
    family="goals",
    bounded=True,
)
def goal_sr(trace: Trace) -> float | None:
    """Share of the episode's goals that were found; None for a task with a single goal."""
    goals = goal_results(trace)
    return sum(g.success for g in goals) / len(goals) if goals else None


@register_metric(
    "goal_spl",
    label="goal SPL",
    definition=(
        "Mean over goals of success × shortest path / max(path taken, shortest path), both from "
        "where the robot was when the goal was revealed; for tasks with several goals."
    ),
    source=f"{_LANGNAV}; Anderson et al. 2018, arXiv:1807.06757",
    family="goals",
    bounded=True,
)
def goal_spl(trace: Trace) -> float | None:
    """Mean SPL of the episode's goals; None for a task with a single goal."""
    goals = goal_results(trace)
    return math.fsum(g.spl for g in goals) / len(goals) if goals else None
