"""What an expert would do at a step. Given what the agent knows: actions along its path, and the
claim at its end. Knowing where the goal is: actions that take the agent there, to see for itself.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from navproof.agents.baselines.oracle import Oracle
from navproof.core.types import Action, Decision, Move, Observation, TaskBrief
from navproof.diagnosis.oracles.along import following
from navproof.diagnosis.oracles.moment import ReportedStep
from navproof.diagnosis.oracles.own_frame import OwnFrame
from navproof.diagnosis.oracles.planning import expert_path
from navproof.diagnosis.oracles.polyline import XY
from navproof.diagnosis.oracles.protocol import Situation
from navproof.tasks.objectnav.viewpoints import box_distance_m

__all__ = ["lead_actions", "plan_actions"]

_CLAIMS = (Move.STOP, Move.FOUND)
_CLAIM_M = 0.5  # a goal that may be claimed from farther is gone up to this far
_INSIDE = 0.9  # of the distance at which a claim counts


def plan_actions(
    situation: Situation, decision: Decision, moment: ReportedStep
) -> tuple[Action, ...]:
    """Those that follow the expert's path. None where the agent's own plan is as good: what it does
    then is no matter of planning."""
    course, aim, brief = moment.course, moment.aim, situation.brief
    if course.error == 0.0:
        return ()
    if aim.knows and (claim := _claim(situation, moment)) is not None:
        return (claim,)
    return _along(course.path, decision, brief, moment.own, exactly=bool(aim.goals))


def lead_actions(
    situation: Situation, decision: Decision, moment: ReportedStep, *, in_mind: bool
) -> tuple[Action, ...]:
    """Those that lead an agent which looks for a goal to the nearest, and turn it to that. None
    where it knows where to go, has something ``in_mind`` that it takes for the goal, tells no plan,
    or does not follow it: what it should do then is not a matter of where to look."""
    searches = moment.beliefs.plan or decision.action in _CLAIMS
    if moment.aim.goals or in_mind or not searches or moment.follows is False:
        return ()
    brief = situation.brief
    path = expert_path(situation, moment.own, situation.env.task.goals())
    found = _along(path, decision, brief, moment.own, exactly=True)
    return found or _turn(situation, moment, brief)


def _along(
    path: tuple[XY, ...], decision: Decision, brief: TaskBrief, own: OwnFrame, *, exactly: bool
) -> tuple[Action, ...]:
    """The actions along a path, best first; ``exactly``: up to its very end."""
    right = following(path, own.believed, brief, decision.action)
    if len(path) < 2 or not exactly or brief.control not in ("discrete", "any"):
        return right
    best = _expert_move(brief, own, path)
    if best not in brief.actions or best in _CLAIMS:
        return right
    return (best, *(action for action in right if action != best))


def _turn(situation: Situation, moment: ReportedStep, brief: TaskBrief) -> tuple[Action, ...]:
    """Towards the nearest goal, unless that is ahead."""
    by_id, pose = situation.env.sim.scene.by_id, situation.pose
    boxes = [by_id[i].box for i in sorted(moment.relevant.goals) if i in by_id]
    if not boxes or Move.LEFT not in brief.actions:
        return ()
    x, y, _ = min(boxes, key=lambda box: box_distance_m(box, pose.x, pose.y)).centre
    bearing = math.remainder(math.atan2(y - pose.y, x - pose.x) - pose.yaw, math.tau)
    if abs(bearing) <= math.radians(brief.robot.turn_deg) / 2.0 + 1e-9:
        return ()
    return (Move.LEFT if bearing > 0.0 else Move.RIGHT,)


def _claim(situation: Situation, moment: ReportedStep) -> Move | None:
    """How the goal is claimed, if the robot is at it and it is the last thing to do."""
    brief, env = situation.brief, situation.env
    if not moment.relevant.is_last:
        return None
    reach_m = _INSIDE * min(env.task.spec.success_m, _CLAIM_M)
    if env.sim.geodesic(situation.pose.point, moment.aim.goals) > reach_m:
        return None
    return next((move for move in (Move.FOUND, Move.STOP) if move in brief.actions), None)


def _expert_move(brief: TaskBrief, own: OwnFrame, path: tuple[XY, ...]) -> Action:
    """The first of the discrete moves that take the robot along the expert's path."""
    expert = Oracle()
    expert.reset(replace(brief, sensors=()))
    at = own.believed
    readings = {"pose": np.array((*at.point, at.yaw)), "expert": np.array(path)}
    return expert.act(Observation(0, readings, brief.instruction)).action
