"""Faults of planning and decision: what is said and done in the place of what was planned.

Ways lead along the trail that the robot has left behind: it is free, whatever the map holds.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

import numpy as np

from navproof.core.types import Action, Beliefs, Decision, Move, TaskBrief
from navproof.diagnosis.capabilities import Capability, ErrorType
from navproof.diagnosis.faults.senses import FaultStep
from navproof.diagnosis.oracles.along import ahead_of, following, follows
from navproof.diagnosis.oracles.polyline import XY, apart_m

__all__ = ["DetourFault", "IgnoredPlanFault", "LoopFault", "Trail", "left_m"]

_SPACING_M = 0.2
_BACK_M = 1.5  # of trail behind, at least
_LEFT_M = 2.0  # of plan ahead, at least: nearer to its end there is little to lose
_LOOP_M = 1.6
_THERE_M = 0.4
_ARRIVED_M = 0.6
_HELD_BACK_M = 1.0
_ELSEWHERE_M = 3.0


def left_m(plan: Sequence[XY], now: FaultStep) -> float:
    """Metres of a plan that are ahead of the robot; 0 for none."""
    ahead = ahead_of(plan, now.pose, now.brief.robot)
    return 0.0 if ahead is None else ahead.left_m


@dataclass
class Trail:
    """Where the robot has been, a point every 0.2 m."""

    points: list[XY] = field(default_factory=list)

    def __deepcopy__(self, memo: object) -> Trail:
        return Trail(list(self.points))

    def add(self, here: XY) -> None:
        if not self.points or math.dist(self.points[-1], here) >= _SPACING_M:
            self.points.append(here)

    def back(self, here: XY, far_m: float = math.inf) -> tuple[XY, ...]:
        """The way back from ``here``, to the farthest place of the trail (as the crow flies), or to
        the first one that is ``far_m`` away."""
        way = [here, *reversed(self.points)]
        away = [math.dist(point, here) for point in way]
        reached = [i for i, m in enumerate(away) if m >= far_m]
        end = reached[0] if reached else int(np.argmax(away))
        return tuple(way[: end + 1])


@dataclass
class DetourFault:
    """Goes over a place far behind, once for each such place, and from there to where the
    plan led."""

    capability = Capability.PLANNING
    kind = ErrorType.DETOUR
    route: tuple[XY, ...] = ()
    rest: tuple[XY, ...] = ()
    been: list[XY] = field(default_factory=list)

    def output(self, now: FaultStep, decision: Decision, trail: Trail) -> Decision | None:
        here = (now.pose.x, now.pose.y)
        self.route = _onward(self.route, here)
        if self.rest and math.dist(self.rest[-1], here) < _ARRIVED_M:
            self.route = ()  # it is where the plan led already
        if not self.route:
            plan = decision.beliefs.plan if decision.beliefs is not None else ()
            way = trail.back(here)
            far = all(math.dist(way[-1], gone) > _ELSEWHERE_M for gone in self.been)
            if left_m(plan, now) < _LEFT_M or math.dist(way[-1], here) < _BACK_M or not far:
                return None
            self.route, self.rest = way, (*reversed(way), *plan)
            self.been.append(way[-1])
        return _along(now, decision, (here, *self.route[1:], *self.rest))


@dataclass
class LoopFault:
    """Goes back and forth between where it began and a place behind. Before the goal is
    known, where to look next is a choice like another: left to itself it begins after that."""

    capability = Capability.PLANNING
    kind = ErrorType.LOOP
    route: tuple[XY, ...] = ()
    there: tuple[XY, ...] = ()  # the whole way from the one end to the other

    def output(self, now: FaultStep, decision: Decision, trail: Trail) -> Decision | None:
        here = (now.pose.x, now.pose.y)
        self.route = _onward(self.route, here)
        if not self.route and self.there:
            self.there = self.there[::-1]
            self.route = _onward(self.there, here)
        if not self.route:
            plan = decision.beliefs.plan if decision.beliefs is not None else ()
            way = trail.back(here, _LOOP_M)
            if left_m(plan, now) < _LEFT_M or math.dist(way[-1], here) < _BACK_M:
                return None
            self.there = self.route = way
        return _along(now, decision, (here, *self.route[1:]))


@dataclass
class IgnoredPlanFault:
    """Takes another action than one that follows the plan; the plan is reported as it was."""

    capability = Capability.DECISION
    kind = ErrorType.OFF_PLAN
    seed: int = 0

    def output(self, now: FaultStep, decision: Decision, trail: Trail) -> Decision | None:
        plan = decision.beliefs.plan if decision.beliefs is not None else ()
        if left_m(plan, now) < _LEFT_M or not following(plan, now.pose, now.brief):
            return None
        wrong = [m for m in _moves(now.brief) if not follows(m, plan, now.pose, now.brief)]
        if not wrong:
            return None
        # one wrong turn is taken for long enough to lead away
        index = (now.obs.step // 6 + self.seed) % len(wrong)
        return replace(decision, action=wrong[index])


def _moves(brief: TaskBrief) -> list[Action]:
    return [m for m in (Move.LEFT, Move.RIGHT, Move.FORWARD) if m in brief.actions]


def _along(now: FaultStep, decision: Decision, plan: tuple[XY, ...]) -> Decision | None:
    """The decision with this plan, and an action that follows it."""
    actions = following(plan, now.pose, now.brief, decision.action)
    if not actions:
        return None
    beliefs = replace(decision.beliefs or Beliefs(), plan=plan)
    action = Move.FORWARD if Move.FORWARD in actions else actions[0]
    return Decision(action, beliefs, decision.intent)


def _onward(route: tuple[XY, ...], here: XY) -> tuple[XY, ...]:
    """What is left of a route; nothing where its end is reached, or the robot was held back from
    it."""
    if len(route) < 2 or math.dist(route[-1], here) < _THERE_M:
        return ()
    away = [apart_m(segment, here) for segment in pairwise(route)]
    nearest = int(np.argmin(away))
    return route[nearest:] if away[nearest] <= _HELD_BACK_M else ()
