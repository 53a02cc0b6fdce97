"""What an agent knows at a step, and where that knowledge should take it.

An agent knows a goal if it has it in memory or in view within 1 m of its true place and has seen it
clearly, which means that the scores of its reports add up to 0.9 (one sure look, or three fair
ones). It always knows points that it was told of and the place where it started. It is not expected
to go to a goal that it does not know, with two exceptions: to get out of a loop, and to visit a
place that its plan skips and that must come first.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from navproof.core.types import FIRST_PERSON_ID, Beliefs, Point
from navproof.diagnosis.oracles.along import RemainingPlan
from navproof.diagnosis.oracles.memory import ReportHistory
from navproof.diagnosis.oracles.naming import ThingNames
from navproof.diagnosis.oracles.own_frame import OwnFrame
from navproof.diagnosis.oracles.perception import BELIEVED
from navproof.diagnosis.oracles.protocol import Situation
from navproof.diagnosis.oracles.relevant import RelevantThings
from navproof.sim.protocol import GoalSet
from navproof.tasks.objectnav.viewpoints import REACH_M, box_distance_m
from navproof.world.scene import Box

__all__ = ["ExpertGoal", "aim_of", "has_in_mind", "known_goals"]

WITHIN_M = 1.0
SURE = 0.9
_ROUNDING_M = 0.05
_IN_MIND_M = 2.0  # from the middle of a thing to where one stands by it, at most


@dataclass(frozen=True, slots=True)
class ExpertGoal:
    """Where the expert would go. ``goals`` are positions in the world, empty where the agent knows
    nothing better than its own plan. ``knows`` says that the agent knows these goals, so that they
    may be claimed. ``is_led_there`` says that the plan ends at one of them, so that only the way
    there is judged."""

    goals: GoalSet = ()
    knows: bool = False
    is_led_there: bool = False
    skips: bool = False
    loops: bool = False


def aim_of(
    situation: Situation,
    own: OwnFrame,
    ahead: RemainingPlan | None,
    relevant: RelevantThings,
    known: frozenset[int],
    skipped: GoalSet,
    *,
    loops: bool,
) -> ExpertGoal:
    """Where the expert would go. ``ahead`` is the rest of the plan, ``known`` are the goals that
    the agent knows, and ``skipped`` are the places that the plan leaves out."""
    now = situation.env.task.goals()
    if skipped:
        return ExpertGoal(skipped, skips=True, loops=loops)
    if relevant.is_told or known:
        goals, led = _at_known(situation, own, ahead, now, known)
        return ExpertGoal(goals, knows=True, is_led_there=led, loops=loops)
    return ExpertGoal(now if loops else (), loops=loops)


def known_goals(
    situation: Situation,
    own: OwnFrame,
    beliefs: Beliefs,
    things: Iterable[int],
    past: ReportHistory,
    naming: ThingNames,
) -> frozenset[int]:
    """Those of the given things that the agent knows."""
    return frozenset(
        thing for thing in things if _is_known(thing, situation, own, beliefs, past, naming)
    )


def has_in_mind(own: OwnFrame, beliefs: Beliefs, goals: frozenset[int], naming: ThingNames) -> bool:
    """Whether the agent is going to, or stands at, something that it takes for one of the goals,
    rightly or wrongly."""
    end = beliefs.plan[-1] if beliefs.plan else (own.believed.x, own.believed.y)
    return any(
        naming.is_true_of_any(label, goals) and math.dist(place[:2], end) <= _IN_MIND_M
        for label, place in _places(beliefs)
    )


def _is_known(
    thing: int,
    situation: Situation,
    own: OwnFrame,
    beliefs: Beliefs,
    past: ReportHistory,
    naming: ThingNames,
) -> bool:
    looks = [held.weight for held in past.rightly({thing})]
    looks += [
        seen.score
        for seen in beliefs.perceived
        if seen.score >= BELIEVED and naming.is_true(seen.label, thing)
    ]
    if sum(looks) < SURE:
        return False
    return any(
        naming.is_true(label, thing) and _away_m(situation, own, thing, place) <= WITHIN_M
        for label, place in _places(beliefs)
    )


def _places(beliefs: Beliefs) -> Iterator[tuple[str, Point]]:
    for claim in beliefs.remembered:
        yield claim.label, claim.position
    for seen in beliefs.perceived:
        if seen.position is not None and seen.score >= BELIEVED:
            yield seen.label, seen.position


def _away_m(situation: Situation, own: OwnFrame, thing: int, place: Point) -> float:
    """The distance between a thing's true place and the place where the agent believes it to be."""
    sim, (x, y) = situation.env.sim, own.in_world(place[0], place[1])
    if thing >= FIRST_PERSON_ID:
        people = sim.people()
        index = thing - FIRST_PERSON_ID
        if index >= len(people):
            return math.inf
        return math.dist((x, y), people[index].pose.point[:2])
    return box_distance_m(sim.scene.object(thing).box, x, y)


def _at_known(
    situation: Situation,
    own: OwnFrame,
    ahead: RemainingPlan | None,
    goals: GoalSet,
    known: frozenset[int],
) -> tuple[GoalSet, bool]:
    """The positions of the known goals, and whether the plan leads to one of them. The agent is
    free to choose which of several goals it goes to, and from which side."""
    scene = situation.env.sim.scene
    boxes = {i: scene.by_id[i].box for i in sorted(known) if i in scene.by_id}
    if not boxes:
        return goals, False
    chosen: dict[int, Box] = {}
    if ahead is not None:
        x, y = own.in_world(*ahead.rest[-1])
        chosen = {i: b for i, b in boxes.items() if box_distance_m(b, x, y) <= REACH_M}
    near = tuple(
        point
        for point in goals
        if any(
            box_distance_m(box, *point[:2]) <= REACH_M + _ROUNDING_M
            for box in (chosen or boxes).values()
        )
    )
    return near or goals, bool(chosen)
