"""What an instruction says, before it has words: clauses in the order of the walk.

Kinds of clause and their facts (besides ``kind`` and ``at_m``, metres along the path):

- ``orient``: ``direction`` (left, right, around): the turn on the spot before the first step.
- ``turn``: ``direction`` (left, right), ``sharpness`` (slight, full), and, when the turn is made at
  a landmark, the landmark's facts.
- ``transit``: ``door``, ``leaves``, ``enters`` (rooms), and ``side`` (left, right) when the doorway
  lies on that side for somebody at ``seen_m``; then perhaps ``ordinal``: it is the first, second
  or third doorway in that wall for somebody who walks along it.
- ``cross``: ``room``: walking the length of a room.
- ``straight``: a long straight stretch.
- ``pass``: a landmark on the ``side`` where it is passed.
- ``toward``: a landmark straight ahead.
- ``stop``: a landmark beside the end; ``relation`` is "near", or "front" before its front.

A landmark's facts: ``object``, ``category``, ``attr.*`` (what is said of it), ``seen_m`` (where on
the path it is in view and told apart by what is said).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Literal

import numpy as np

from navproof.core.types import Scalar
from navproof.language.lexicon.describe import describe
from navproof.language.routes.doors import nth_on_its_side
from navproof.language.routes.landmarks import Landmark, footprint_distance_m, passed, towards
from navproof.language.routes.route import Crossing, Route, Stay, Turn
from navproof.language.routes.views import NAMED_SHARE, NOTICED_SHARE, Views
from navproof.world.scene import SceneObject

__all__ = ["Clause", "plan", "tellable"]

Kind = Literal["orient", "turn", "transit", "cross", "straight", "pass", "toward", "stop"]
_NOTABLE, _FULL, _SHARP = math.radians(36), math.radians(50), math.radians(140)
_MAX_ROOMS = 5


@dataclass(frozen=True, slots=True)
class Clause:
    """One thing to say. ``weight`` is None for what must be said; else the lowest goes first."""

    kind: Kind
    at_m: float
    facts: dict[str, Scalar] = field(default_factory=dict)
    weight: float | None = None


def plan(
    route: Route, views: Views, goal: SceneObject, rng: np.random.Generator
) -> list[Clause] | None:
    """The clauses of a route that ends beside ``goal``; None where it cannot be told well."""
    stays = route.stays
    if not tellable(route):
        return None
    first = _orient(route)
    stop = _stop(route, views, goal, rng)
    if first is None or stop is None:
        return None
    transits, turns = _transits(route)
    clauses = [*first, *transits, stop]
    marks = [m for m in passed(route, views, rng) if m.thing.id != goal.id]
    ahead = [m for m in towards(route, views, rng) if m.thing.id != goal.id]
    for turn in turns:
        said = _turn(turn, marks, rng)
        if said is None:
            return None
        clauses += said
    used = {c.facts.get("object") for c in clauses}
    clauses += [_mark_clause("pass", m) for m in marks if m.thing.id not in used]
    used = {c.facts.get("object") for c in clauses}
    clauses += [_mark_clause("toward", m) for m in ahead if m.thing.id not in used]
    clauses += [c for stay in stays for c in _through(route, stay, turns, rng)]
    return sorted(_chosen(clauses, rng), key=lambda c: c.at_m)


def tellable(route: Route) -> bool:
    """Whether a route may make an instruction at all: through one to five rooms, with no turn
    in its first steps and none on the spot."""
    if not route.stays or len(route.stays) > _MAX_ROOMS:
        return False
    early = any(t.s < 0.9 and abs(t.angle) > math.radians(38) for t in route.turns)
    return not early and all(abs(t.angle) <= _SHARP for t in route.turns)


def _orient(route: Route) -> list[Clause] | None:
    angle = route.first_turn
    size = abs(math.degrees(angle))
    if size < 32:
        return []
    if size >= 150:
        return [Clause("orient", 0.0, {"direction": "around"})]
    if 55 <= size <= 125:
        return [Clause("orient", 0.0, {"direction": "left" if angle > 0 else "right"})]
    return None


def _transits(route: Route) -> tuple[list[Clause], list[Turn]]:
    """One clause a crossing, and the turns that no doorway's side already tells."""
    left = [t for t in route.turns if t.s <= route.length_m - 0.9]
    clauses: list[Clause] = []
    for crossing in route.crossings:
        facts: dict[str, Scalar] = {
            "door": crossing.door.id,
            "leaves": crossing.leaves,
            "enters": crossing.enters,
        }
        told = next((t for t in left if _tells(route, crossing, t)), None)
        if told is not None:
            left.remove(told)
            facts["side"] = "left" if told.angle > 0 else "right"
            facts["seen_m"] = round(_before(route, crossing, told), 2)
            count = nth_on_its_side(route, crossing, float(str(facts["seen_m"])))
            if count is not None:
                facts["ordinal"] = count
        clauses.append(Clause("transit", round(crossing.s, 2), facts))
    return clauses, left


def _before(route: Route, crossing: Crossing, turn: Turn) -> float:
    """Where the walker is about to turn to the doorway, still in the room that he leaves."""
    stay = route.stay_at(crossing.s - 0.01)
    return max(stay.s0, turn.s - 1.1)


def _tells(route: Route, crossing: Crossing, turn: Turn) -> bool:
    """The turn is made just before the doorway, which lies clearly on that side."""
    if not crossing.s - 1.5 <= turn.s <= crossing.s + 0.3 or abs(turn.angle) < _FULL:
        return False
    x, y, _ = crossing.door.centre
    bearing = route.bearing(_before(route, crossing, turn), x, y)
    return (bearing > 0) == (turn.angle > 0) and math.radians(22) <= abs(bearing) <= 2.2


def _turn(turn: Turn, marks: list[Landmark], rng: np.random.Generator) -> list[Clause] | None:
    """The turn in words; nothing for one too slight to need any; None when it is too sharp."""
    size = abs(turn.angle)
    if size > _SHARP:
        return None
    direction = "left" if turn.angle > 0 else "right"
    facts: dict[str, Scalar] = {
        "direction": direction,
        "sharpness": "slight" if size < _FULL else "full",
    }
    near = [m for m in marks if abs(m.at_m - turn.s) <= 1.0 and m.seen_m < turn.s - 0.6]
    if near and size >= _FULL and rng.random() < 0.5:
        mark = max(near, key=lambda m: (m.weight, m.thing.id))
        facts |= _mark_facts(mark)
    if size < math.radians(45):
        return [Clause("turn", turn.s, facts, 0.1)] if size > _NOTABLE else []
    return [Clause("turn", turn.s, facts)]


def _through(route: Route, stay: Stay, turns: list[Turn], rng: np.random.Generator) -> list[Clause]:
    """Walking a room's length, or straight on for a while."""
    inner = stay.s0 > 0 and stay.s1 < route.length_m
    length = stay.s1 - stay.s0
    bends = [t.s for t in turns if stay.s0 < t.s < stay.s1]
    if inner and length >= 2.5:
        after = min([b for b in bends if b > stay.s0 + 1.5], default=stay.s1)
        return [Clause("cross", round((stay.s0 + after) / 2, 2), {"room": stay.room}, 0.3)]
    edges = [stay.s0, *bends, stay.s1]
    spans = [(b - a, a, b) for a, b in pairwise(edges)]
    longest, a, b = max(spans)
    if longest >= 4.0 and _is_straight(route, a + 0.8, b - 0.8):
        return [Clause("straight", round((a + b) / 2, 2), {}, 0.05 + 0.1 * float(rng.random()))]
    return []


def _is_straight(route: Route, s0: float, s1: float) -> bool:
    middle = route.heading((s0 + s1) / 2)
    steps = np.arange(s0, s1, 0.25)
    return all(abs(math.remainder(route.heading(s) - middle, math.tau)) < 0.35 for s in steps)


def _stop(route: Route, views: Views, goal: SceneObject, rng: np.random.Generator) -> Clause | None:
    """Beside the goal, which is in view at the end and told apart from all that is seen there."""
    end = route.length_m
    x, y, _ = route.at(end)
    around = views.around(end)
    if around.get(goal.id, 0.0) < NAMED_SHARE or footprint_distance_m(goal.box, x, y) > 1.15:
        return None
    seen = [
        route.scene.by_id[i]
        for i in sorted(around)
        if around[i] >= NOTICED_SHARE and i in route.scene.by_id
    ]
    description = describe(goal, seen, route.scene, rng)
    if description is None:
        return None
    facts: dict[str, Scalar] = {
        "object": goal.id,
        "seen_m": round(end, 2),
        "relation": "front" if _in_front(route, goal) else "near",
    }
    return Clause("stop", round(end, 2), facts | description.facts())


def _in_front(route: Route, goal: SceneObject) -> bool:
    """The end lies before the object's front, and the walker arrives facing it."""
    x, y, _ = route.at(route.length_m)
    dx, dy = x - goal.box.centre[0], y - goal.box.centre[1]
    c, s = math.cos(goal.box.yaw), math.sin(goal.box.yaw)
    u, v = c * dx + s * dy, -s * dx + c * dy
    before = u > goal.box.size[0] / 2 and abs(v) <= goal.box.size[1] / 2 + 0.15
    bearing = route.bearing(route.length_m, goal.box.centre[0], goal.box.centre[1])
    return before and abs(bearing) <= math.radians(50) and goal.position_kind != "on"


def _mark_facts(mark: Landmark) -> dict[str, Scalar]:
    facts: dict[str, Scalar] = {"object": mark.thing.id, "seen_m": round(mark.seen_m, 2)}
    return facts | mark.description.facts()


def _mark_clause(kind: Literal["pass", "toward"], mark: Landmark) -> Clause:
    facts = _mark_facts(mark)
    if kind == "pass":
        facts["side"] = mark.side
    return Clause(kind, round(mark.at_m, 2), facts, 0.5 + mark.weight)


def _chosen(clauses: list[Clause], rng: np.random.Generator) -> list[Clause]:
    """All that must be said, and the best of what may be: four to seven clauses in all."""
    must = [c for c in clauses if c.weight is None]
    may = [c for c in clauses if c.weight is not None]
    wanted = int(rng.integers(3, 8)) - len(must)
    wanted = max(wanted, 1 if len(must) < 6 and rng.random() < 0.7 else 0)
    noisy = sorted(may, key=lambda c: (-(c.weight or 0.0) - 0.25 * float(rng.random()), c.at_m))
    kept: list[Clause] = []
    for clause in noisy:
        if len(kept) < wanted and not _crowded(clause, must + kept):
            kept.append(clause)
    return must + kept


def _crowded(clause: Clause, kept: list[Clause]) -> bool:
    """Too near to another of its kind, or naming what is already named."""
    for other in kept:
        if clause.facts.get("object") is not None and (
            clause.facts.get("object") == other.facts.get("object")
            or (
                clause.facts.get("category") == other.facts.get("category")
                and abs(clause.at_m - other.at_m) < 3.0
            )
        ):
            return True
        if clause.kind == other.kind and abs(clause.at_m - other.at_m) < 0.75:
            return True
        turning = clause.kind == "turn" and other.kind in ("orient", "turn")
        if turning and abs(clause.at_m - other.at_m) < 2.0:
            return True
    same = [o for o in kept if o.kind == clause.kind]
    if clause.kind == "pass" and sum(abs(o.at_m - clause.at_m) < 4.0 for o in same) >= 2:
        return True
    limit = {"pass": 3, "toward": 1, "straight": 1, "cross": 2, "turn": 4}
    return len(same) >= limit.get(clause.kind, 9)
