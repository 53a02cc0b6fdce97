"""Naming what a question is about, so that nobody could mean another room or thing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from navproof.core.types import Question, Scalar
from navproof.language.goals.match import ambiguous, matches
from navproof.language.goals.sayable import sayable, sayable_support
from navproof.language.goals.structure import GoalDescription
from navproof.language.lexicon.describe import SAYABLE
from navproof.language.lexicon.nouns import adjective, article, could_mean, noun, room_noun
from navproof.language.lexicon.terms import covers, unsure
from navproof.world.scene import Room, Scene, SceneObject

__all__ = ["NO", "YES", "Draft", "Place", "asked", "doubtful", "places"]

YES, NO = "yes", "no"
_SAID_AS_WELL = {YES: ("yeah", "yep", "yup"), NO: ("nope", "nah")}
_UNASKED = frozenset(
    {
        *("door", "ceiling light", "kitchen counter", "kitchen sink", "wall cabinet", "partition"),
        *("range hood", "radiator", "air conditioner", "window"),
    }
)
"""Things that come in rows or that nobody asks about."""

Draft = tuple[Question, tuple[int, ...]]
"""A question and the objects that must be seen to answer it."""


def asked(
    kind: str, text: str, answer: str, *evidence: int, accepted: tuple[str, ...] = ()
) -> Draft:
    """A draft; ``accepted`` loses the answer itself and gains what goes for yes and no."""
    also = [word for word in (*accepted, *_SAID_AS_WELL.get(answer, ())) if word != answer]
    question = Question(text[:1].upper() + text[1:], kind, answer, tuple(dict.fromkeys(also)))
    return question, tuple(dict.fromkeys(evidence))


def doubtful(category: str, other: str) -> bool:
    """Whether somebody who speaks of a ``category`` might also mean an ``other``."""
    if category == other:
        return False
    said = noun(category)
    return (
        could_mean(category, other)
        or could_mean(other, category)
        or other in covers(said) | unsure(said)
    )


@dataclass(frozen=True)
class Place:
    """A room that has a name of its own, and what is in it. ``by_type``: its type is that name."""

    scene: Scene
    room: Room
    name: str
    by_type: bool

    @cached_property
    def things(self) -> tuple[SceneObject, ...]:
        found = [o for o in self.scene.objects if o.room == self.room.id]
        return tuple(sorted(found, key=lambda o: o.id))

    @cached_property
    def askable(self) -> tuple[SceneObject, ...]:
        return tuple(o for o in self.things if o.category not in _UNASKED)

    def of(self, category: str) -> list[SceneObject]:
        return [o for o in self.things if o.category == category]

    def is_clear(self, category: str) -> bool:
        """Whether nothing in the room could pass for a ``category`` without being one."""
        return not any(doubtful(category, o.category) for o in self.things)

    def fitting(self, description: GoalDescription) -> tuple[int, ...] | None:
        """The things here that fit; None where people would disagree."""
        here = {o.id for o in self.things}
        if here & set(ambiguous(description, self.scene)):
            return None
        return tuple(i for i in matches(description, self.scene) if i in here)

    # --------------------------------------------------------------------------------- references
    def refer(self, thing: SceneObject, unsaid: str = "", room: bool = True) -> str | None:
        """ "the red mug on the desk in the study", as short as it can be and without the attribute
        ``unsaid``; None where the thing cannot be told from others here."""
        for words, description in self._ways(thing, unsaid):
            if self.fitting(description) == (thing.id,) and self._alone(thing, description):
                return f"the {words} in the {self.name}" if room else f"the {words}"
        return None

    def _alone(self, thing: SceneObject, description: GoalDescription) -> bool:
        """Without a word that tells it apart, the noun must not mean anything else."""
        told = bool(description.attributes) or description.support is not None
        return told or not any(doubtful(thing.category, o.category) for o in self.things)

    def _ways(self, thing: SceneObject, unsaid: str) -> Iterator[tuple[str, GoalDescription]]:
        category, said = thing.category, noun(thing.category)
        yield said, GoalDescription(category)
        below = sayable_support(thing, self.scene)
        if below is not None and unsaid != "support":
            one = len(self.of(below.category)) == 1
            determiner = "the" if one else article(noun(below.category))
            on = f"on {determiner} {noun(below.category)}"
            yield f"{said} {on}", GoalDescription(category, support=GoalDescription(below.category))
        words: dict[str, Scalar] = sayable(thing)
        for key in SAYABLE:
            if key in words and key != unsaid:
                value = words[key]
                front = adjective(category, key, str(value))
                yield f"{front} {said}", GoalDescription(category, {key: value})


def places(scene: Scene, rooms: frozenset[int] | None = None) -> list[Place]:
    """The rooms (of these) that can be named."""
    found = []
    for room in scene.rooms:
        if rooms is not None and room.id not in rooms:
            continue
        by_type = not any(_could_be(room_noun(room.type), other, room) for other in scene.rooms)
        name = room_noun(room.type) if by_type else room.name
        unique = by_type or sum(other.name == room.name for other in scene.rooms) == 1
        if unique and (by_type or room.name != room.type):
            found.append(Place(scene, room, name, by_type))
    return found


def _could_be(name: str, other: Room, room: Room) -> bool:
    """Whether ``name`` could also be the other room: "office" and an open office."""
    return other.id != room.id and f" {room_noun(other.type)}".endswith(f" {name}")
