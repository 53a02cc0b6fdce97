"""The ways to say each kind of clause.

``imperatives`` give full orders ("leave the kitchen"); ``openers`` give the same as the opening of
a sentence that goes on with another order ("once you are out of the kitchen").
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from navproof.core.types import Scalar
from navproof.language.lexicon.describe import SAYABLE, Description
from navproof.language.lexicon.nouns import article, room_noun
from navproof.language.routes.plan import Clause
from navproof.world.scene import Door, Scene

__all__ = ["Naming", "Phrase", "described", "imperatives", "openers", "room_words"]

ORDINALS = ("first", "second", "third")
HALLS = ("hallway", "corridor", "hall")


@dataclass(frozen=True, slots=True)
class Phrase:
    """``verb`` is what a reader would hear repeated; ``fronted`` phrases begin a sentence."""

    text: str
    verb: str
    fronted: bool = False


@dataclass(frozen=True, slots=True)
class Naming:
    """Which rooms a transit names, and how: "" where it does not. A crossing of a room has its
    name in ``leaves``; without one it says "it". ``hall``: that room is a hallway."""

    leaves: str = ""
    enters: str = ""
    hall: bool = False


def described(facts: dict[str, Scalar]) -> str:
    """The description stored in a clause, without article."""
    attributes = {k: str(facts[f"attr.{k}"]) for k in SAYABLE if f"attr.{k}" in facts}
    on = facts.get("attr.on")
    return Description(str(facts["category"]), attributes, None if on is None else str(on)).text


def room_words(scene: Scene, room_id: int, told_apart: bool) -> list[str]:
    """How to call a room. ``told_apart``: its type alone would also mean another one."""
    room = next(r for r in scene.rooms if r.id == room_id)
    said = room_noun(room.type)
    colour = room.name.removesuffix(room.type).strip()
    if not told_apart or not colour or colour == room.name:
        return [said]
    return [f"{colour} {said}", f"{said} with the {colour} walls"]


def opening_words(door: Door) -> list[str]:
    """What a doorway may be called."""
    if door.object_id is not None:
        return ["door", "doorway"]
    return ["archway", "opening"] if door.width_m >= 1.1 else ["doorway", "opening"]


def imperatives(clause: Clause, scene: Scene, naming: Naming) -> list[Phrase]:
    """Orders that say the clause."""
    facts = clause.facts
    match clause.kind:
        case "orient":
            return _orient(str(facts["direction"]))
        case "turn":
            return _turn(facts)
        case "transit":
            return _transit(facts, scene, naming)
        case "cross":
            return _cross(naming)
        case "straight":
            return _plain("go straight ahead|walk straight ahead|continue straight|head straight")
        case "pass":
            return _pass(facts)
        case "toward":
            d = f"the {described(facts)}"
            return _plain(
                f"walk towards {d}|head towards {d}|go towards {d}|head for {d}"
                f"|walk straight towards {d}|move towards {d}"
            )
        case "stop":
            return _stop(facts)


def openers(clause: Clause, naming: Naming) -> list[Phrase]:
    """Openings of a sentence that say the clause; empty where none sounds right."""
    facts = clause.facts
    if clause.kind == "pass":
        d, side = f"the {described(facts)}", facts["side"]
        ways = (f"after passing {d} on your {side}", f"after you pass {d} on the {side}")
        past = Phrase(f"once you are past {d} on your {side}", "once")
        return [past, *(Phrase(text, "pass") for text in ways)]
    if clause.kind == "transit" and facts.get("side") is None:
        if naming.leaves and not naming.enters:
            r = f"the {naming.leaves}"
            return _plain(
                f"as you leave {r}|once you are out of {r}|after leaving {r}|coming out of {r}"
            )
        if naming.enters and not naming.leaves:
            r = f"the {naming.enters}"
            return _plain(
                f"once you are in {r}|once inside {r}|after entering {r}|when you get to {r}"
            )
    if clause.kind == "toward":
        return _plain(f"as you approach the {described(facts)}")
    return []


def _plain(choices: str) -> list[Phrase]:
    return [Phrase(text, text.split()[0]) for text in choices.split("|")]


def _orient(direction: str) -> list[Phrase]:
    if direction == "around":
        return _plain("turn around|turn around|turn all the way around")
    return _plain(f"turn {direction}|turn to your {direction}|turn to the {direction}")


def _turn(facts: dict[str, Scalar]) -> list[Phrase]:
    side = facts["direction"]
    if facts["sharpness"] == "slight":
        return _plain(f"bear {side}|veer {side}|turn slightly {side}|veer slightly {side}")
    if "object" not in facts:
        return _plain(
            f"turn {side}|take a {side}|make a {side}|turn {side}|turn to the {side}|turn {side}"
        )
    d = f"the {described(facts)}"
    return [
        *_plain(f"turn {side} at {d}|take a {side} at {d}|turn {side} by {d}|go {side} at {d}"),
        Phrase(f"at {d}, turn {side}", "turn", fronted=True),
        Phrase(f"when you reach {d}, turn {side}", "turn", fronted=True),
        Phrase(f"when you get to {d}, take a {side}", "take", fronted=True),
    ]


def _transit(facts: dict[str, Scalar], scene: Scene, naming: Naming) -> list[Phrase]:
    door = next(d for d in scene.doors if d.id == facts["door"])
    side = facts.get("side")
    a, b = f"the {naming.leaves}", f"the {naming.enters}"
    texts: list[str] = []
    for way in opening_words(door):
        if side is None:
            if naming.leaves and naming.enters:
                texts += [
                    f"walk from {a} into {b}",
                    f"go out of {a} into {b}",
                    f"head out of {a} into {b}",
                    f"walk out of {a} into {b}",
                    f"exit {a} into {b}",
                ]
            elif naming.leaves:
                texts += [
                    f"leave {a}",
                    f"exit {a}",
                    f"walk out of {a}",
                    f"head out of {a}",
                    f"go out of {a}",
                    f"leave {a} through the {way}",
                ]
            elif naming.enters:
                texts += [
                    f"enter {b}",
                    f"go into {b}",
                    f"walk into {b}",
                    f"step into {b}",
                    f"head into {b}",
                    f"continue into {b}",
                    f"go through the {way} into {b}",
                    f"walk through the {way} into {b}",
                ]
            else:
                texts += [f"go through the {way}", f"walk through the {way}"]
            continue
        on = f"the {way} on your {side}"
        if "ordinal" in facts:
            on = f"the {ORDINALS[int(str(facts['ordinal'])) - 1]} doorway on your {side}"
        if naming.leaves and naming.enters:
            texts += [
                f"leave {a} through {on} and enter {b}",
                f"go from {a} into {b} through {on}",
            ]
        elif naming.leaves:
            texts += [
                f"leave {a} through {on}",
                f"exit {a} through {on}",
                f"walk out of {a} through {on}",
                f"leave {a} by {on}",
            ]
        elif naming.enters:
            texts += [
                f"take {on} into {b}",
                f"go through {on} into {b}",
                f"walk through {on} into {b}",
            ]
            if "ordinal" not in facts:
                texts += [
                    f"turn {side} into {b}",
                    f"go {side} into {b}",
                    f"enter {b} on your {side}",
                    f"head into {b} on your {side}",
                ]
        else:
            texts += [f"go through {on}", f"take {on}", f"walk through {on}"]
    return _plain("|".join(dict.fromkeys(texts)))


def _cross(naming: Naming) -> list[Phrase]:
    if not naming.leaves:
        return _plain("follow it|walk down it" if naming.hall else "cross it|walk through it")
    r = f"the {naming.leaves}"
    if naming.hall:
        return _plain(
            f"go down {r}|walk down {r}|follow {r}|walk along {r}|continue down {r}|head down {r}"
        )
    return _plain(
        f"cross {r}|walk across {r}|go through {r}|walk through {r}|make your way through {r}"
    )


def _pass(facts: dict[str, Scalar]) -> list[Phrase]:
    side = facts["side"]
    what = described(facts)
    texts = []
    for d in (f"the {what}", f"the {what}", f"{article(what)} {what}"):
        texts += [
            f"walk past {d} on your {side}",
            f"go past {d} on your {side}",
            f"pass {d} on your {side}",
            f"pass {d} on the {side}",
            f"continue past {d} on your {side}",
            f"walk past {d} on the {side}",
        ]
    texts += [
        f"keep the {what} on your {side}",
        f"walk past the {what}",
        f"go past the {what}",
        f"pass the {what}",
    ]
    return _plain("|".join(texts))


def _stop(facts: dict[str, Scalar]) -> list[Phrase]:
    d = f"the {described(facts)}"
    places: Sequence[str] = ("next to", "beside", "by", "near")
    if facts["relation"] == "front":
        places = ("in front of", "in front of", "by", "right in front of")
    texts = [f"{verb} {place} {d}" for place in places for verb in ("stop", "stop", "wait")]
    texts += [
        f"stop when you reach {d}",
        f"stop when you get to {d}",
        f"stop once you reach {d}",
        f"stop at {d}",
        f"wait at {d}",
        f"come to a stop {places[0]} {d}",
    ]
    return _plain("|".join(texts))
