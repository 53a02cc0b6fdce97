"""Is each clause true? Geometry and sight, clause by clause (see ``check``)."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Mapping

from navproof.core.types import Scalar
from navproof.language.lexicon.nouns import could_mean
from navproof.language.routes.evidence import CLEARLY, Walk, degrees_between, number
from navproof.world.scene import Door, SceneObject

__all__ = ["check_clause"]

Facts = Mapping[str, Scalar]
_TURN_DEG = {"full": (35.0, 160.0), "slight": (12.0, 75.0)}
_PASS_M = 2.4
_SIDEWAYS = (0.0, 90.0, -90.0)
_ALL_ROUND = (0.0, 90.0, -90.0, 180.0)


def check_clause(walk: Walk, facts: Facts, start_yaw: float) -> list[str]:
    """What is false in one clause."""
    kind = facts.get("kind")
    at = facts.get("at_m")
    if not isinstance(at, int | float) or not -0.01 <= at <= walk.length + 0.1:
        return [f"at_m is {at}, the path is {walk.length:.2f} m long"]
    if kind == "orient":
        return _orient(walk, facts, start_yaw)
    checks: dict[str, Callable[[Walk, Facts, float], list[str]]] = {
        "turn": _turn,
        "transit": _transit,
        "cross": _cross,
        "straight": _straight,
        "pass": _pass,
        "toward": _toward,
        "stop": _stop,
    }
    if not isinstance(kind, str) or kind not in checks:
        return [f"unknown kind {kind!r}"]
    return checks[kind](walk, facts, float(at))


def _sign(side: Scalar) -> int:
    return {"left": 1, "right": -1}.get(str(side), 0)


def _orient(walk: Walk, facts: Facts, start_yaw: float) -> list[str]:
    turn = degrees_between(walk.direction(0.0, 1.0), start_yaw)
    direction = facts.get("direction")
    if direction == "around":
        return [] if abs(turn) >= 135 else [f"says turn around, the path needs {turn:.0f}°"]
    good = 40 <= turn * _sign(direction) <= 140
    return [] if good else [f"says turn {direction} at the start, the path needs {turn:.0f}°"]


def _turn(walk: Walk, facts: Facts, at: float) -> list[str]:
    sign = _sign(facts.get("direction"))
    low, high = _TURN_DEG.get(str(facts.get("sharpness")), (999.0, 999.0))
    around = [walk.change(at + 0.1 * k) * sign for k in range(-6, 7)]
    best = max(around)
    problems = []
    if not low <= best <= high:
        problems.append(
            f"says a {facts.get('sharpness')} turn {facts.get('direction')}, the path turns "
            f"{best * sign:.0f}°"
        )
    if "object" in facts:
        thing, wrong = _landmark(walk, facts)
        problems += wrong
        if thing is not None and walk.gap(thing, at) > _PASS_M:
            problems.append(f"turns at the {thing.category}, {walk.gap(thing, at):.1f} m away")
        if not number(facts, "seen_m") < at:
            problems.append("names a landmark of a turn only after it")
    return problems


def _transit(walk: Walk, facts: Facts, at: float) -> list[str]:
    door = next((d for d in walk.scene.doors if d.id == facts.get("door")), None)
    if door is None:
        return [f"there is no door {facts.get('door')}"]
    leaves, enters = facts.get("leaves"), facts.get("enters")
    if {leaves, enters} != set(door.rooms):
        return [f"door {door.id} joins rooms {door.rooms}, not {leaves} and {enters}"]
    problems = []
    spans = walk.rooms()
    walked = any(
        a[0] == leaves and b[0] == enters and a[2] - 0.1 <= at <= b[1] + 0.1
        for a, b in itertools.pairwise(spans)
    )
    if not walked:
        problems.append(f"the path does not go from room {leaves} to {enters} at {at:.1f} m")
    x, y = walk.point(at)
    if math.hypot(x - door.centre[0], y - door.centre[1]) > door.width_m / 2 + 0.1:
        problems.append(f"the path is not in door {door.id} at {at:.1f} m")
    if facts.get("side") is not None:
        seen = number(facts, "seen_m")
        angle = walk.bearing(seen, door.centre[0], door.centre[1]) * _sign(facts["side"])
        if not (12 <= angle <= 140 and at - 4.0 <= seen < at and walk.room(seen) in (leaves, None)):
            problems.append(f"says the doorway is on the {facts['side']}, it is not")
        if "ordinal" in facts and _place_in_wall(walk, door, seen) != facts["ordinal"]:
            problems.append(f"door {door.id} is not number {facts['ordinal']} in its wall")
    return problems


def _place_in_wall(walk: Walk, door: Door, seen: float) -> int:
    """The doorway's number among those of its wall, counted along it as the walker goes: those
    that he has already passed since he last turned count, those behind where he began do not."""
    begin = seen
    while begin > 0.05 and abs(degrees_between(walk.heading(begin - 0.1), walk.heading(seen))) < 25:
        begin -= 0.1
    if walk.room(begin) is None:
        begin += 0.3
    ux, uy = -math.sin(door.yaw), math.cos(door.yaw)
    if ux * math.cos(walk.heading(seen)) + uy * math.sin(walk.heading(seen)) < 0:
        ux, uy = -ux, -uy
    x0, y0 = walk.point(begin)
    start = ux * x0 + uy * y0
    room = walk.room(seen)
    wall = math.cos(door.yaw) * door.centre[0] + math.sin(door.yaw) * door.centre[1]
    places = []
    for other in walk.scene.doors:
        line = math.cos(door.yaw) * other.centre[0] + math.sin(door.yaw) * other.centre[1]
        if abs(line - wall) < 0.3 and (room in other.rooms or other.id == door.id):
            places.append(ux * other.centre[0] + uy * other.centre[1])
    mine = ux * door.centre[0] + uy * door.centre[1]
    return 1 + sum(start < place < mine - 1e-6 for place in places)


def _cross(walk: Walk, facts: Facts, at: float) -> list[str]:
    room = facts.get("room")
    if walk.room(at) != room:
        return [f"says room {room}, the path is in room {walk.room(at)}"]
    length = sum(s1 - s0 for r, s0, s1 in walk.rooms() if r == room)
    return [] if length >= 2.0 else [f"room {room} is crossed in only {length:.1f} m"]


def _straight(walk: Walk, facts: Facts, at: float) -> list[str]:
    middle = walk.heading(at)
    bends = [abs(degrees_between(walk.heading(at + 0.1 * k), middle)) for k in range(-10, 11)]
    return [] if max(bends) <= 30 else [f"says straight, the path bends {max(bends):.0f}°"]


def _pass(walk: Walk, facts: Facts, at: float) -> list[str]:
    thing, problems = _landmark(walk, facts)
    if thing is None:
        return problems
    place, gap = walk.nearest(thing, max(0.0, at - 0.5), at + 0.5)
    closest, least = walk.nearest(thing, max(0.0, at - 2.0), at + 2.0)
    if gap > _PASS_M:
        problems.append(f"says past the {thing.category}, it is {gap:.1f} m away")
    if gap > least + 0.05:
        problems.append(f"the {thing.category} is passed at {closest:.1f} m, not {at:.1f} m")
    if walk.room(place) not in (thing.room, None):
        problems.append(f"the {thing.category} is in another room than the path")
    x, y, _ = thing.box.centre
    sign = _sign(facts.get("side"))
    beside = walk.bearing(place, x, y) * sign
    after = walk.bearing(min(walk.length, place + 1.2), x, y)
    if not 35 <= beside <= 145:
        problems.append(f"says the {thing.category} is on the {facts.get('side')}, it is not")
    if abs(after) < 60:
        problems.append(f"the {thing.category} is never left behind")
    return problems


def _toward(walk: Walk, facts: Facts, at: float) -> list[str]:
    thing, problems = _landmark(walk, facts)
    if thing is None:
        return problems
    seen = number(facts, "seen_m")
    x, y, _ = thing.box.centre
    if walk.gap(thing, seen) - walk.gap(thing, at) < 1.2:
        problems.append(f"the path does not come nearer to the {thing.category}")
    if max(abs(walk.bearing(s, x, y)) for s in (seen, (seen + at) / 2, at)) > 25:
        problems.append(f"the {thing.category} is not straight ahead")
    return problems


def _stop(walk: Walk, facts: Facts, at: float) -> list[str]:
    thing, problems = _landmark(walk, facts, everywhere=True)
    if thing is None:
        return problems
    if at < walk.length - 0.1:
        problems.append("stops before the end of the path")
    gap = walk.gap(thing, walk.length)
    if gap > 1.25:
        problems.append(f"says to stop by the {thing.category}, it is {gap:.1f} m away")
    if facts.get("relation") == "front":
        x, y = walk.point(walk.length)
        box = thing.box
        angle = degrees_between(math.atan2(y - box.centre[1], x - box.centre[0]), box.yaw)
        ahead = math.hypot(x - box.centre[0], y - box.centre[1]) * math.cos(math.radians(angle))
        aside = math.hypot(x - box.centre[0], y - box.centre[1]) * math.sin(math.radians(angle))
        if ahead <= box.size[0] / 2 - 0.01 or abs(aside) > box.size[1] / 2 + 0.25:
            problems.append(f"is not in front of the {thing.category}")
    elif facts.get("relation") != "near":
        problems.append(f"unknown relation {facts.get('relation')!r}")
    return problems


def _landmark(
    walk: Walk, facts: Facts, everywhere: bool = False
) -> tuple[SceneObject | None, list[str]]:
    """The named object; and whether it is as described, in view at ``seen_m``, and alone so."""
    object_id = facts.get("object")
    thing = walk.scene.by_id.get(object_id) if isinstance(object_id, int) else None
    if thing is None:
        return None, [f"there is no object {object_id}"]
    seen, at = facts.get("seen_m"), number(facts, "at_m")
    if not isinstance(seen, int | float) or not -0.01 <= seen <= at + 0.01:
        return thing, [f"seen_m is {seen}"]
    problems = []
    if not _fits(walk, facts, thing):
        problems.append(f"object {thing.id} is not as described")
    looks = _ALL_ROUND if everywhere else (0.0,)
    share = max(walk.visible(float(seen), turn).get(thing.id, 0.0) for turn in looks)
    if share < CLEARLY:
        problems.append(f"the {thing.category} is not in view at {seen:.1f} m ({share:.2%})")
    directions = _ALL_ROUND if everywhere else _SIDEWAYS
    others = sorted(
        i
        for i in walk.noticed(float(seen), directions)
        if i != thing.id and i in walk.scene.by_id and _fits(walk, facts, walk.scene.by_id[i])
    )
    if others:
        problems.append(f"the description also fits objects {others} in view")
    return thing, problems


def _fits(walk: Walk, facts: Facts, thing: SceneObject) -> bool:
    said = str(facts.get("category"))
    if not could_mean(said, thing.category):
        return False
    for key, value in facts.items():
        name = key.removeprefix("attr.")
        if name == key:
            continue
        if name == "on":
            support = walk.scene.by_id.get(-1 if thing.support is None else thing.support)
            if support is None or support.category != value:
                return False
        elif thing.attributes.get(name) != value:
            return False
    return True
