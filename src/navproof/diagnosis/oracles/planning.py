"""The planning oracle: the agent's path against the expert's, given what the agent knows.

    ε_pl = 1 − nDTW(plan, path),   d_th = 1 m                        CanTest, equation 5

over the length of the shorter of the two (at least a metre). The expert goes to the goal if the
agent knows where it is, else to where the agent's own plan leads; in a loop, or where the plan
skips what must come first, to what must come next. Of all paths that are as short as the shortest,
give or take a tenth, the one nearest to the plan counts: a plan that is one of them has no error.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from navproof.core.types import Point
from navproof.diagnosis.oracles.along import RemainingPlan
from navproof.diagnosis.oracles.knowledge import ExpertGoal
from navproof.diagnosis.oracles.own_frame import OwnFrame
from navproof.diagnosis.oracles.polyline import XY, cut, length_m
from navproof.diagnosis.oracles.protocol import Situation
from navproof.metrics.navigation.path import distance_matrix, ndtw_from_distances, refine
from navproof.sim.protocol import GoalSet, Simulator

__all__ = ["PlanComparison", "compare_plan", "expert_path", "plan_error"]

THRESHOLD_M = 1.0
_LEAST_M = 1.0
_AS_SHORT = 1.1
_SLACK_M = 0.4
_GRID_M = 0.05  # ends of plans that are nearer to each other are one


@dataclass(frozen=True, slots=True)
class PlanComparison:
    """A plan beside the expert's path, both in the agent's frame. ``path`` is empty where there is
    no path or the plan is as good. ``error`` is None where there is no plan to judge."""

    ahead: RemainingPlan | None
    path: tuple[XY, ...]
    error: float | None


def compare_plan(
    situation: Situation, own: OwnFrame, ahead: RemainingPlan | None, aim: ExpertGoal
) -> PlanComparison:
    """Compare a plan with the expert's path. ``ahead`` is the rest of the plan. ``aim`` says where
    the expert would go; without goals it is where the plan leads."""
    if ahead is None:
        return PlanComparison(None, expert_path(situation, own, aim.goals), None)
    sim, here = situation.env.sim, situation.pose.point
    x, y = own.in_world(*ahead.rest[-1])
    end = (_grid(x), _grid(y), round(here[2], 4))
    is_end = aim.is_led_there or not aim.goals
    goals = (end,) if is_end else aim.goals
    if _is_as_short(sim, here, end, ahead.left_m, goals, is_end=is_end):
        return PlanComparison(ahead, (), 0.0)
    path = expert_path(situation, own, goals)
    if len(path) < 2:
        return PlanComparison(ahead, (), None)
    believed = (own.believed.x, own.believed.y)
    return PlanComparison(ahead, path, plan_error((believed, *ahead.rest), path))


def expert_path(situation: Situation, own: OwnFrame, goals: GoalSet) -> tuple[XY, ...]:
    """The shortest path from the robot to the nearest of some points, in the agent's frame."""
    if not goals:
        return ()
    path = situation.env.sim.shortest_path(situation.pose.point, goals)
    return tuple(own.seen_from_within(x, y) for x, y, _ in path)


def _is_as_short(
    sim: Simulator, here: Point, end: Point, left_m: float, goals: GoalSet, *, is_end: bool
) -> bool:
    """Whether following the plan to its end, and going on from there to the goals, is about as
    short as the shortest path."""
    if is_end and left_m <= _AS_SHORT * math.dist(here[:2], end[:2]) + _SLACK_M:
        return True  # no way is shorter than the straight one
    onward_m = 0.0 if is_end else sim.geodesic(end, goals)
    return left_m + onward_m <= _AS_SHORT * sim.geodesic(here, goals) + _SLACK_M


def plan_error(plan: Sequence[XY], path: Sequence[XY]) -> float:
    """The error of a plan against a path, in [0, 1]; it is 1 where one of them leads nowhere."""
    if len(plan) < 2 or len(path) < 2:
        return 1.0
    metres = max(_LEAST_M, min(length_m(plan), length_m(path)))
    reference, taken = (refine([(x, y, 0.0) for x, y in cut(w, metres)]) for w in (path, plan))
    return 1.0 - ndtw_from_distances(distance_matrix(reference, taken), THRESHOLD_M)


def _grid(value: float) -> float:
    return round(round(value / _GRID_M) * _GRID_M, 4)
