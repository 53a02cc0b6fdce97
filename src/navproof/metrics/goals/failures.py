"""Why a goal was not found: one class per failed goal, from what the trace recorded, by rule.

The classes are LangNavBench's (section 5.4). An agent says what it is about through intents
(``Decision.intent``); the one in force when the goal ended decides, in this order:

1. the episode broke off: ``agent failure``, or ``environment failure`` where the bench is to blame;
2. it had given up because nothing was left to explore: ``all explored``;
3. it claimed the goal wrongly. If it did not say what it trusted: ``wrong claim``. If it stood near
   the goal, within the success distance *or* within reach of a viewpoint but not both: ``found but
   not reached``. Else by what it trusted: ``wrong detection`` (the detector, or detector and map in
   consensus), ``wrong goal on map`` (the map alone);
4. its budget ran out. If it moved 0.1 m or less in the last 60 steps: ``stuck``; if it was on its
   way to a right target: ``found but not reached``; else ``out of time``.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

from navproof.core.types import Event, Goal, Pose, Scalar
from navproof.log.moments import poses_between
from navproof.log.trace import Trace
from navproof.metrics.navigation.lengths import walked_m

__all__ = [
    "FAILURES",
    "RIGHT_M",
    "STUCK_M",
    "STUCK_STEPS",
    "VIEWPOINT_M",
    "failure_of",
    "target_at",
]

FAILURES: Mapping[str, str] = {
    "wrong detection": "claimed something else that its detector took for the goal",
    "wrong goal on map": "claimed something else that its map took for the goal",
    "wrong claim": "claimed something else, and does not say why",
    "out of time": "its steps ran out before it had found the goal",
    "found but not reached": "knew where the goal was, and was not near enough at the end",
    "all explored": "gave up with nothing left to explore",
    "stuck": "did not move any more when its steps ran out",
    "agent failure": "the agent raised, hung or returned nonsense",
    "environment failure": "the simulator or the task failed",
}
"""Name to meaning, in the order of tables."""
RIGHT_M = 1.5
"""A target is right within this distance of one of the goal's positions, metres."""
STUCK_M, STUCK_STEPS = 0.1, 60
VIEWPOINT_M = 1.0
"""Geodesic distance to a viewpoint within which a goal counts as reached (released code)."""


def failure_of(trace: Trace, goal: Goal, begin: int, ended: Event | None) -> str:
    """The class of a goal that was not found.

    ``begin`` is the index of its first pose (-1: never revealed), ``ended`` its last event, None
    where the episode broke off before.
    """
    if ended is None and trace.status != "ok":
        return "environment failure" if trace.status == "env_error" else "agent failure"
    step = ended.step if ended is not None else len(trace.actions) - 1
    intent = _intent_at(trace, step)
    if intent.get("is") == "exhausted":
        return "all explored"
    if ended is not None and ended.kind == "found":
        return _wrong_claim(trace, ended, intent)
    if _stuck(trace, begin, step):
        return "stuck"
    if intent.get("is") in ("approach", "claim") and _right(intent, trace.episode.start, goal):
        return "found but not reached"
    return "out of time"


def _intent_at(trace: Trace, step: int) -> Mapping[str, Scalar]:
    """What the agent was about at ``step``: intents are recorded when they change."""
    intents = [e.data for e in trace.events if e.kind == "intent" and e.step <= step]
    return intents[-1] if intents else {}


def _wrong_claim(trace: Trace, ended: Event, intent: Mapping[str, Scalar]) -> str:
    by = intent.get("by") if intent.get("is") in ("approach", "claim") else None
    if by is None:
        return "wrong claim"
    near = _at_most(ended.data.get("distance_m"), trace.spec.success_m)
    if near or _at_most(ended.data.get("viewpoint_m"), VIEWPOINT_M):
        return "found but not reached"
    return "wrong goal on map" if by == "map" else "wrong detection"


def _stuck(trace: Trace, begin: int, step: int) -> bool:
    first = step + 1 - STUCK_STEPS
    return first >= begin and walked_m(poses_between(trace, first, step + 1)) <= STUCK_M


def target_at(trace: Trace, step: int) -> tuple[float, float] | None:
    """Where the agent took the goal to be at ``step``, (x, y) in the world, if it said so."""
    return _target(_intent_at(trace, step), trace.episode.start)


def _target(intent: Mapping[str, Scalar], start: Pose) -> tuple[float, float] | None:
    """From the episode frame, whose origin is the start pose, to the world."""
    x, y = intent.get("x"), intent.get("y")
    if not isinstance(x, int | float) or not isinstance(y, int | float):
        return None
    c, s = math.cos(start.yaw), math.sin(start.yaw)
    return start.x + c * x - s * y, start.y + s * x + c * y


def _right(intent: Mapping[str, Scalar], start: Pose, goal: Goal) -> bool:
    target = _target(intent, start)
    if target is None:
        return False
    return any(math.dist(target, position[:2]) <= RIGHT_M for position in goal.positions)


def _at_most(value: Scalar, limit: float) -> bool:
    return isinstance(value, int | float) and value <= limit
