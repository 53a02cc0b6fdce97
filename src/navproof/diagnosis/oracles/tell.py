"""What was expected and what was believed at one step, in a sentence."""

from __future__ import annotations

import math

from navproof.core.types import FIRST_PERSON_ID, Action, Decision, Move
from navproof.diagnosis.attribution.clean import is_spoiled
from navproof.diagnosis.capabilities import Capability
from navproof.diagnosis.oracles.moment import ReportedStep
from navproof.diagnosis.oracles.perception import BELIEVED
from navproof.diagnosis.oracles.planning import expert_path
from navproof.diagnosis.oracles.protocol import ExpectedOutputs, Situation
from navproof.diagnosis.types import Evidence
from navproof.log.actions import action_words, rounded_words
from navproof.tasks.objectnav.viewpoints import box_distance_m

__all__ = ["tell", "tell_search"]


def tell(
    situation: Situation,
    decision: Decision,
    capability: Capability,
    moment: ReportedStep,
    expected: ExpectedOutputs,
) -> Evidence:
    """The evidence of a step that concerns one capability."""
    step, beliefs = situation.observation.step, moment.beliefs
    done = _words(decision.action)
    match capability:
        case Capability.PERCEPTION:
            return Evidence(
                step,
                _said_of_sight(situation, moment),
                expected_seen=expected.seen,
                believed_seen=tuple(d for d in beliefs.perceived if d.score >= BELIEVED),
                action=done,
            )
        case Capability.MEMORY:
            return Evidence(
                step,
                _said_of_memory(moment),
                expected_remembered=expected.remembered,
                believed_remembered=moment.recall.claimed,
                action=done,
            )
        case Capability.PLANNING:
            return Evidence(
                step,
                _said_of_plan(moment),
                expected_plan=expected.plan,
                believed_plan=beliefs.plan,
                expected_actions=tuple(_words(a) for a in expected.plan_actions),
                action=done,
            )
        case Capability.DECISION:
            right = tuple(_words(a) for a in expected.actions)
            return Evidence(
                step,
                _said_of_action(done, right, moment),
                expected_plan=beliefs.plan,
                believed_plan=beliefs.plan,
                expected_actions=right,
                action=done,
            )


def tell_search(
    situation: Situation, decision: Decision, moment: ReportedStep, expected: ExpectedOutputs
) -> Evidence:
    """The evidence of a step at which the agent looks for its goal in the wrong place, or knows the
    goal and does not come to claim it (``expected_actions`` is then empty)."""
    goals, words = situation.env.task.goals(), moment.relevant.words
    away_m = situation.env.sim.geodesic(situation.pose.point, goals)
    said = f"it looks for the {words} elsewhere, the nearest is {away_m:.1f} m away"
    if not expected.lead_actions and moment.aim.knows:
        said = f"the {words} was known, but it does not go where that counts, {away_m:.1f} m away"
    elif decision.action in (Move.STOP, Move.FOUND):
        said = f"it gives up, the nearest {words} is {away_m:.1f} m away"
    return Evidence(
        situation.observation.step,
        said,
        expected_plan=expert_path(situation, moment.own, goals),
        believed_plan=moment.beliefs.plan,
        expected_actions=tuple(_words(a) for a in expected.lead_actions),
        action=_words(decision.action),
    )


def _words(action: Action) -> str:
    return rounded_words(action_words(action))


def _said_of_sight(situation: Situation, moment: ReportedStep) -> str:
    sight, beliefs = moment.sight, moment.beliefs
    if sight is None:
        return "the picture given was an older one"
    for thing, report in zip(sight.expected, sight.matched, strict=True):
        name, where = moment.relevant.labels[thing], _where(situation, thing)
        if report is None:
            return f"the {name} {where} was not seen"
        if thing in sight.confused:
            return f"the {name} {where} was taken for '{beliefs.perceived[report].label}'"
    wrong = (*sight.posing, *sight.made_up)
    if wrong:
        return f"'{beliefs.perceived[wrong[0]].label}' was reported where there is none"
    if sight.expected:
        return f"the {moment.relevant.labels[sight.expected[0]]} was seen, but not well"
    if is_spoiled(situation.env, situation.observation):
        return "its pictures are spoiled from here on"
    return ""  # a run whose eyes never err may go another way before anything is in view


def _where(situation: Situation, thing: int) -> str:
    """ "2.1 m ahead" (or to the left, to the right)."""
    sim, pose = situation.env.sim, situation.pose
    if thing >= FIRST_PERSON_ID:
        x, y, _ = sim.people()[thing - FIRST_PERSON_ID].pose.point
        away = math.dist((x, y), (pose.x, pose.y))
    else:
        box = sim.scene.object(thing).box
        (x, y, _), away = box.centre, box_distance_m(box, pose.x, pose.y)
    bearing = math.remainder(math.atan2(y - pose.y, x - pose.x) - pose.yaw, math.tau)
    side = (
        "ahead" if abs(bearing) < math.pi / 8 else "to the left" if bearing > 0 else "to the right"
    )
    return f"{away:.1f} m {side}"


def _said_of_memory(moment: ReportedStep) -> str:
    recall = moment.recall
    for held, claim in zip(recall.expected, recall.matched, strict=True):
        if claim is not None:
            continue
        other = next((c for c in recall.claimed if c.label == held.label), None)
        if other is None:
            return f"'{held.label}', seen at step {held.step}, was not remembered"
        off_m = math.dist(other.position[:2], held.spots[0][:2])
        return f"'{held.label}', seen at step {held.step}, was remembered {off_m:.1f} m away"
    if recall.invented:
        return f"'{recall.invented[0].label}' was remembered but never seen"
    if recall.misordered > 0.0:
        return "what was seen is remembered in the wrong order"
    return "memory held what was seen"


def _said_of_plan(moment: ReportedStep) -> str:
    aim, course = moment.aim, moment.course
    if course.ahead is None:
        return "there was no plan"
    if course.error == 0.0:
        return "the plan was as short as any"
    if aim.skips:
        return "the plan leads past what had to come first"
    if aim.loops:
        return "the robot was going round in circles, and the plan goes on with it"
    if aim.knows:
        return f"the {moment.relevant.words} was known, but the plan does not go there directly"
    return "the plan takes a detour to where it leads"


def _said_of_action(done: str, right: tuple[str, ...], moment: ReportedStep) -> str:
    if moment.follows is None:
        return f"there was no plan for '{done}' to follow"
    if moment.follows:
        return f"'{done}' follows the plan"
    return f"the plan asked for '{right[0]}', the action was '{done}'" if right else "off the plan"
