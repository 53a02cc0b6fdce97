"""What an expert would do at a step, given what the agent knows: actions along its path, and the
claim at its end."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from navproof.agents.oracle import Oracle
from navproof.diagnose._moment import Moment
from navproof.diagnose.along import following
from navproof.diagnose.oracle import Situation
from navproof.types import Action, Decision, Move, Observation, TaskBrief

__all__ = ["plan_actions"]

_CLAIM_M = 0.5  # a goal that may be claimed from farther is gone up to this far
_INSIDE = 0.9  # of the distance at which a claim counts


def plan_actions(situation: Situation, decision: Decision, moment: Moment) -> tuple[Action, ...]:
    """Those that follow the expert's path. None where the agent's own plan is as good: what it does
    then is no matter of planning."""
    course, aim, brief = moment.course, moment.aim, situation.brief
    if course.error == 0.0:
        return ()
    if aim.knows and (claim := _claim(situation, moment)) is not None:
        return (claim,)
    right = following(course.path, moment.own.believed, brief, decision.action)
    if len(course.path) < 2 or not aim.goals or brief.control not in ("discrete", "any"):
        return right
    best = _expert_move(brief, moment)
    if best not in brief.actions or best in (Move.STOP, Move.FOUND):
        return right
    return (best, *(action for action in right if action != best))


def _claim(situation: Situation, moment: Moment) -> Move | None:
    """How the goal is claimed, if the robot is at it and it is the last thing to do."""
    brief, env = situation.brief, situation.env
    if not moment.relevant.is_last:
        return None
    reach_m = _INSIDE * min(env.task.spec.success_m, _CLAIM_M)
    if env.sim.geodesic(situation.pose.point, moment.aim.goals) > reach_m:
        return None
    return next((move for move in (Move.FOUND, Move.STOP) if move in brief.actions), None)


def _expert_move(brief: TaskBrief, moment: Moment) -> Action:
    """The first of the discrete moves that take the robot along the expert's path."""
    expert = Oracle()
    expert.reset(replace(brief, sensors=()))
    at = moment.own.believed
    readings = {"pose": np.array((*at.point, at.yaw)), "expert": np.array(moment.course.path)}
    return expert.act(Observation(0, readings, brief.instruction)).action
