"""Reading a mission at run time: from its words alone to sub-tasks, a question and manners.

>>> parse_mission("Find a mug, then return to the start. What colour is the sofa?")
ParsedMission(subtasks=(ParsedSubTask(kind='goto_object', target='mug', …), …),
    question='What colour is the sofa?', social=False)

It reads every style of ``missions`` and people's own words of that kind; other text gives what can
be made out, perhaps nothing. What is to be *found* or *looked for* is an object; where to *go* is a
room, if it is called one, and a landmark otherwise.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from navproof.core.types import SubTaskKind
from navproof.language.reading.offsets import offsets
from navproof.language.reading.orders import START, Order, is_room, orders, room_behind

__all__ = ["ParsedMission", "ParsedSubTask", "parse_mission"]


@dataclass(frozen=True, slots=True)
class ParsedSubTask:
    """One sub-task as it was read; phrases have no article.

    ``target`` is a thing, a room or, where not the start is meant, a place to return to; ``room``
    is where a thing is said to be; ``offset_m`` is (ahead, left) in the frame of the start pose;
    ``person`` is who is to be followed.
    """

    kind: SubTaskKind
    target: str = ""
    room: str = ""
    offset_m: tuple[float, float] | None = None
    person: str = ""


@dataclass(frozen=True, slots=True)
class ParsedMission:
    """``social``: people are to be given room. ``question`` begins with a capital."""

    subtasks: tuple[ParsedSubTask, ...] = ()
    question: str | None = None
    social: bool = False


_ASKED = re.compile(
    r"(?:^|(?<=[.:!?;\n])\s)\s*(?P<asked>(?:what|which|how|where|who|whose|is|are|was|were|do|does|did|has"
    r"|have|can\s+(?:i|one|there))\b[^?.!;\n]*\?)",
    re.IGNORECASE,
)
_PEOPLE = re.compile(
    r"\b(?:people|persons|anyone|anybody|everyone|everybody|others|pedestrians|passers-?by|humans?)\b",
    re.IGNORECASE,
)
_APART = re.compile(
    r"\b(?:distance|clear|away|space|(?:of|enough|more)\s+room|(?:out\s+of|in)\s+the\s+way|considerate|close|near|crowd\w*"
    r"|disturb\w*|bump\w*|avoid\w*|intrud\w*|respect\w*)\b",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"[^.!?;\n]*(?:[.](?=\d)[^.!?;\n]*)*[.!?;\n]?")
_NO_PLACE = frozenset({"place", "point", "same place", "same point", "same spot", "spot", "end"})
_WHITHER = re.compile(
    r"\s+(?:to|into|towards|out\s+of|through|from|around|all\s+the\s+way)\s+", re.I
)
"""After a person: where she goes."""
_LONGEST = 8_000


def parse_mission(text: str) -> ParsedMission:
    """What a text asks for. Any text is read; beyond 8,000 characters no more of it is."""
    body = re.sub(r"[^\S\n]+", " ", text[:_LONGEST].replace("’", "'")).strip()
    question = None
    asked = _ASKED.search(body)
    if asked is not None:
        words = " ".join(asked["asked"].split())
        question = words[:1].upper() + words[1:]
        body = f"{body[: asked.start()]}. {body[asked.end() :]}"
    kept, social = [], False
    for sentence in _SENTENCE.findall(body):
        for part in re.split(r"(?<=,)", sentence) if _orders_something(sentence) else [sentence]:
            if _PEOPLE.search(part) and _APART.search(part) and not _orders_something(part):
                social = True
            else:
                kept.append(part)
    found: list[ParsedSubTask] = []
    for order in orders("".join(kept)):
        subtask = _read(order)
        if subtask is not None:
            found.append(subtask)
    return ParsedMission(tuple(found), question, social)


def _orders_something(sentence: str) -> bool:
    return any(_read(order) is not None for order in orders(sentence))


def _read(order: Order) -> ParsedSubTask | None:
    metric = next(offsets(order.clause), None)
    if metric is not None and order.manner in ("go", "return"):
        offset = round(metric.ahead_m, 3), round(metric.left_m, 3)
        return ParsedSubTask("goto_point", offset_m=offset)
    place = order.clause.partition(",")[0].strip()
    if order.manner == "return" or (order.manner == "go" and START.search(order.words or place)):
        told = START.search(place) or START.search(order.words)
        to_start = told is not None or not re.search(r"\w", order.words)
        return ParsedSubTask("return_to", "" if to_start else order.words)
    if not re.search(r"\w", order.words) or order.words.lower() in _NO_PLACE:
        return None
    if order.manner == "follow":
        return ParsedSubTask("follow_human", person=_WHITHER.split(order.words, maxsplit=1)[0])
    if order.manner == "go" and is_room(order.words):
        return ParsedSubTask("goto_room", order.words)
    thing, room = room_behind(order.words)
    return ParsedSubTask("goto_landmark" if order.manner == "go" else "goto_object", thing, room)
