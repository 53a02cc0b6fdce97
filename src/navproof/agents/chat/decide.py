"""One question a stop: which of the numbered ways to take, what to walk up to, or whether it is
done."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, final

from navproof.agents.chat.kit import Around, ChatKit, Choice
from navproof.agents.chat.memory import START
from navproof.agents.chat.replies import (
    BadReplyError,
    Schema,
    flag,
    number,
    point,
    schema_of,
    text,
)

__all__ = ["Decide", "read_choice"]

_NUMBER_OR_NOTHING = {"anyOf": [{"type": "integer"}, {"type": "null"}]}
_WORDS_OR_NOTHING = {"anyOf": [{"type": "string"}, {"type": "null"}]}
_POINT = schema_of({name: {"type": "integer"} for name in ("view", "x", "y")})
_SEEN = schema_of(
    {"what": {"type": "string"}, **{name: {"type": "integer"} for name in ("view", "x", "y")}}
)
_NOTHING = ("null", "none", "nothing", "-")
_COMMON: Mapping[str, Schema] = {
    "room": {"type": "string"},
    "notes": {"type": "string"},
    "why": {"type": "string"},
    "direction": _NUMBER_OR_NOTHING,
    "thing": _WORDS_OR_NOTHING,
    "done": {"type": "boolean"},
    "answer": _WORDS_OR_NOTHING,
}
WITH_PICTURES = schema_of(
    {
        "seen": {"type": "array", "items": _SEEN, "maxItems": 12},
        **_COMMON,
        "point": {"anyOf": [_POINT, {"type": "null"}]},
    }
)
IN_WORDS = schema_of(_COMMON)


@final
class Decide:
    """The plain program: all that is around, and one answer."""

    def begin(self, kit: ChatKit) -> None:
        self._kit = kit

    def hear(self, words: str) -> None: ...

    def choose(self, around: Around) -> Choice | None:
        kit = self._kit
        images = kit.options.images
        return kit.asker.ask(
            "decide",
            kit.prompts.filled("decide" if images else "decide-in-words", kit.values(around)),
            kit.pictures(around),
            WITH_PICTURES if images else IN_WORDS,
            lambda reply: read_choice(kit, reply, around),
        )


def read_choice(kit: ChatKit, reply: Mapping[str, Any], around: Around) -> Choice:
    """The choice in a reply; what else it says is remembered once the choice can be used."""
    choice = _choice(kit, reply, around)
    labels = kit.take_in(reply, around)
    kit.diary.notes = text(reply, "notes") or kit.diary.notes
    kit.answer = text(reply, "answer") or kit.answer
    if choice.kind == "up" and choice.label:
        labels.append(choice.label)
    if not kit.options.images:
        labels = [thing.label for thing in around.things[:6]]
    kit.diary.add(around.step, around.pose, text(reply, "room")[:60], labels, choice.said)
    return choice


def _choice(kit: ChatKit, reply: Mapping[str, Any], around: Around) -> Choice:
    numbers = [d.number for d in around.directions]
    way = number(reply, "direction", numbers) if numbers else None
    if flag(reply, "done"):
        return Choice("finish", "said that it is done")
    thing = _thing(kit, reply, around)
    if thing is not None:
        return thing
    if kit.options.images and point(reply.get("point"), len(around.views)) is not None:
        spot = kit.pointed_at(reply, "point", around)
        if spot is not None:
            label = text(reply, "what")[:60] or kit.goal_label
            kit.remember(label, spot, around.pose, around.step)
            return Choice.walking_up(label, *spot.position[:2], spot.outline)
        yaw = kit.bearing_of(reply, "point", around)  # too far for depth: that way, then
        far = None if yaw is None else kit.nearest_way(yaw, around)
        if far is not None:
            return Choice.going(far)
    if way is None:
        raise BadReplyError("it chooses nothing: give the number of a direction")
    return Choice.going(around.direction(way))


def _thing(kit: ChatKit, reply: Mapping[str, Any], around: Around) -> Choice | None:
    """The remembered thing that is named by its letter, or by its name."""
    said = text(reply, "thing").strip()
    if not said or said.lower() in _NOTHING:
        return None
    letter = said[0].upper() if len(said) == 1 or not said[1].isalpha() else ""
    fitting = [t for t in around.things if t.letter == letter or t.label.lower() == said.lower()]
    if not fitting:
        known = ", ".join(t.letter for t in around.things) or "none"
        raise BadReplyError(f"there is no thing {said[:40]}; there are {known}")
    thing = fitting[0]
    x, y, _ = thing.sighting.position
    if thing.letter == START:
        return Choice("go", "went back to where it began", x, y)
    kit.refuse_old(thing.letter, (x, y), around.pose)
    return Choice.walking_up(thing.label, x, y, thing.sighting.spots)
