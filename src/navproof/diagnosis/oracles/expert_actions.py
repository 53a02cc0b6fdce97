"""What an expert would do at a step.

``plan_actions`` follow the path of an expert who knows what the agent knows, and claim the goal at
its end. ``lead_actions`` take the agent to where a goal is, so that it can see the goal for itself.
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
    """The actions that follow the expert's path. There are none where the agent's own plan is as
    good, because its next action is then not a matter of planning."""
    course, aim, brief = moment.course, moment.aim, situation.brief
    if course.error == 0.0:
        return ()
    if aim.knows and (claim := _claim(situation, moment)) is not None:
        return (claim,)
    return _along(course.path, decision, brief, moment.own, exactly=bool(aim.goals))


def lead_actions(
    situation: Situation, decision: Decision, moment: ReportedStep, *, in_mind: bool
) -> tuple[Action, ...]:
    """The actions that lead an agent which is looking for a goal to the nearest one and turn it
    that way. There are none where the agent knows where to go, has something ``in_mind`` that it
    takes for the goal, reports no plan or does not follow it: its error is then not about where to
    look."""
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
    """The actions along a path, best first; with ``exactly`` they go on to its very end."""
    right = following(path, own.believed, brief, decision.action)
    if len(path) < 2 or not exactly or brief.control not in ("discrete", "any"):
        return right
    best = _expert_move(brief, own, path)
    if best not in brief.actions or best in _CLAIMS:
        return right
    return (best, *(action for action in right if action != best))


def _turn(situation: Situation, moment: ReportedStep, brief: TaskBrief) -> tuple[Action, ...]:
    """A turn towards the nearest goal, or nothing if that goal is already ahead."""
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
    """The action that claims the goal, if the robot is at the goal and it is the last one."""
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
