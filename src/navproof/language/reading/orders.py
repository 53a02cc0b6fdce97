"""Finding the orders in a mission's words: verbs that open a sub-task, and where its target ends.

An order is found by its verb ("walk over to", "looking for", "follow", "come back to"), whatever
asks for it; its target runs to the next order or to a word that no target holds ("until", a comma,
a full stop). Orders about something already named ("and go up to it") are no orders of their own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from navproof.language.goals.lexicon import COLOURS
from navproof.language.lexicon.nouns import room_noun
from navproof.language.lexicon.terms import ROOM_NAMES
from navproof.language.reading.dissect import plain

__all__ = ["START", "Order", "is_room", "orders", "room_behind"]

Manner = Literal["find", "go", "follow", "return"]

_ON_THE_WAY = (
    r"(?:\s+(?:straight|over|on|up|along|down|across|out|directly|right|all\s+the\s+way|carefully"
    r"|calmly|unhurriedly|slowly|quickly|at\s+a\s+steady\s+pace|exactly|now|around|round|past))*"
)
_GO = r"(?:go|going|walk|walking|head|heading|move|moving|proceed(?:ing)?|navigat(?:e|ing)|step"
_GO += r"(?:ping)?|driv(?:e|ing)|continu(?:e|ing)|travel(?:ling)?|run(?:ning)?|com(?:e|ing)"
_GO += r"|advanc(?:e|ing)|scoot(?:ing)?|stroll(?:ing)?|pop(?:ping)?|slip(?:ping)?|transition|mosey"
_GO += r"|get(?:ting)?|mak(?:e|ing)\s+(?:your|my|its|the)\s+way|tak(?:e|ing)\s+me|bring\s+me)"
_VERBS: tuple[tuple[Manner, str], ...] = (
    ("return", r"return(?:ing)?(?:\s+all\s+the\s+way)?(?:\s+back)?\s+(?:to|in|into)"),
    ("return", rf"{_GO}(?:\s+all\s+the\s+way)?\s+back(?:\s+over)?\s+(?:to|in|into)"),
    ("return", rf"{_GO}\s+back(?=\s*(?:here\b|[.,;!?]|$|and\b))"),
    ("follow", r"follow(?:ing)?|accompany(?:ing)?|tail(?:ing)?|trail(?:ing)?\s+after"),
    (
        "follow",
        rf"(?:{_GO}|stay(?:ing)?|keep(?:ing)?)"
        r"(?:\s+(?:a\s+little\s+way|close|right|just|a\s+bit))?\s+(?:behind|after)",
    ),
    ("follow", r"keep(?:ing)?\s+up\s+with"),
    (
        "follow",
        rf"(?:{_GO}|travers(?:e|ing))(?:\s+(?:along|down|with))?"
        r"(?=\s+(?:the|an?)\s+(?:[\w-]+\s+){0,3}?(?:man|woman|person|lady|gentleman|boy|girl)\b)",
    ),
    ("find", r"find(?:ing)?(?!\s+out\b)|locat(?:e|ing)(?!\s+(?:on|in|at)\b)|seek(?:ing)?\s+out"),
    (
        "find",
        r"(?:look|search|hunt)(?:ing)?(?:\s+(?:around|carefully|everywhere|out|about"
        r"|(?:the|your|my)\s+surroundings|the\s+area))*\s+for",
    ),
    ("find", r"(?:have|having)\s+a\s+(?:good\s+)?look\s+(?:around\s+)?for|track(?:ing)?\s+down"),
    ("go", rf"{_GO}{_ON_THE_WAY}\s+(?:to|into|towards?|inside|in(?!\s+front\b)|for)"),
    ("find", r"search(?:ing)?\s+(?:the|this|your|every)(?:\s+[\w'-]+){1,4}?\s+for"),
    (
        "go",
        rf"{_GO}\s+(?:down|along|through|across|past|out\s+of)\s+(?:the|an?|this|that)"
        r"(?:\s+[\w'-]+){1,6}?\s+(?:to|into)(?!\s+(?:your|the|my)\s+(?:left|right)\b)",
    ),
    (
        "go",
        r"(?:stop|wait|halt|park)(?:ping|ing)?\s+(?:right\s+)?"
        r"(?:near|by|at|beside|next\s+to|close\s+to|in\s+front\s+of)",
    ),
    ("go", r"enter(?:ing)?|approach(?:ing)?|reach(?:ing)?|visit(?:ing)?"),
    (
        "go",
        rf"{_GO}{_ON_THE_WAY}(?=\s+(?:forwards?|backwards?|back|ahead(?!\s+and\b)|left|right|an?|half|\d"
        r"|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\b)",
    ),
)
_ORDER = re.compile(
    r"(?<![\w'-])(?:"
    + "|".join(f"(?P<v{i}>{pattern})" for i, (_, pattern) in enumerate(_VERBS))
    + r")(?![\w'-])",
    re.IGNORECASE,
)
_DOING = re.compile(r"\b(?:is|are|was|were|who|been|being|stops?|keeps|starts?)\s+$", re.I)
"""Before a verb: somebody else is doing it, so it is no order ("who is walking to")."""
_FULL_STOP = re.compile(r"[.;!?:](?=\s|$)|\n|—|–")
_ENDS = re.compile(
    r"""\s*(?:
        ,(?!\s*(?:wearing|dressed|who|with|in\s+(?:an?|the)\b))
      | \s(?:until|before|after|once|when|whenever|where(?!ver)|wherever|while|as\s+(?:soon|you|i
        |she|he|they|precisely|close)|so\s+that|at\s+a\s+comfortable\s+distance|for\s+as\s+long
        |without\s+(?:hurrying|stopping)|then|please|and\s+(?:then|also|stop|wait|stay|pause|halt
        |make|come|only|keep|do|tell|answer|finally|go|walk|now|please|be|turn|i|you|remain|stand
        |have|hold|hang|rest|look|take|try|see|check|leave|ask|continue|return|tell|face))
      \b)""",
    re.IGNORECASE | re.VERBOSE,
)
_PRONOUN = re.compile(
    r"^(?:(?:it|there|me|you|moment|while|(?:complete\s+)?stop|halt|rest|way|as\s+long|answer)(?:\s+.*)?"
    r"|them|him|her|one|that|this|that\s+one|this\s+one|the|an?"
    r"|left|right|(?:my|your)\s+(?:left|right))$",
    re.IGNORECASE,
)
"""What was named before, or nothing at all."""
_LED = re.compile(
    r"^(?:exactly|the\s+very|very|back|to|into|towards|over|me(?=\s+(?:an?|the|some|any|one|my)\b))\s+",
    re.IGNORECASE,
)
START = re.compile(
    r"\b(?:where|place|spot|point|position)\b.*\b(?:you|i|we|it)\s+(?:had\s+)?"
    r"(?:started|set\s+(?:out|off)|began|begun|were|was|came|left|first)\b"
    r"|\bstart(?:ing)?(?:\s+(?:point|position|place|spot|location|pose))?$"
    r"|^here$|\b(?:origin|initial\s+(?:position|location|place)|home\s+position)$",
    re.IGNORECASE,
)
"""Words for the place where the mission began."""

_SHADES = "|".join(sorted(COLOURS, key=len, reverse=True))
_ROOM_WORDS = sorted(
    {word.lower() for room, names in ROOM_NAMES.items() for word in (room_noun(room), room, *names)}
    | {"room", "landing", "entrance", "lobby", "foyer", "sleeping quarters"},
    key=lambda word: (-len(word), word),
)
_ROOM = (
    rf"(?:(?:{_SHADES}|first|second|third|other|large|small|big|left|right|master|main)\s+)*"
    rf"(?:(?:{'|'.join(map(re.escape, _ROOM_WORDS))})(?:\s+area)?"
    r"|(?:[\w-]+\s+)?[\w-]*(?:room|chamber)|[\w-]+\s+area)"
    rf"(?:\s+with\s+(?:the\s+)?(?:{_SHADES})\s+walls)?"
)
_IS_ROOM = re.compile(_ROOM, re.IGNORECASE)
_IN_ROOM = re.compile(
    rf"^(?P<thing>.+?),?\s+(?:in|inside)\s+(?:the|an?|my|your)\s+(?P<room>{_ROOM})$", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Order:
    """``words`` is the target without article, ``clause`` all up to the next order."""

    manner: Manner
    words: str
    clause: str


def orders(text: str) -> Iterator[Order]:
    """The orders of a text, as they come."""
    found = [
        m
        for m in _ORDER.finditer(text)
        if not _DOING.search(text, max(0, m.start() - 12), m.start())
    ]
    for number, match in enumerate(found, start=1):
        limit = found[number].start() if number < len(found) else len(text)
        stop = _FULL_STOP.search(text, match.end(), limit)
        clause = text[match.end() : limit if stop is None else stop.start()]
        index = next(i for i in range(len(_VERBS)) if match[f"v{i}"] is not None)
        words = _target(clause)
        if not _PRONOUN.match(words):
            yield Order(_VERBS[index][0], words, clause)


def _target(clause: str) -> str:
    end = _ENDS.search(clause)
    words = " ".join((clause if end is None else clause[: end.start()]).split())
    words = re.sub(
        r"(?:[\s,]+(?:and|then|to|i|please|or|but|by|next|finally))+$", "", words, flags=re.I
    )
    while True:
        shorter = plain(_LED.sub("", words))
        if shorter == words:
            return words
        words = shorter


def is_room(words: str) -> bool:
    """Whether they name a room and nothing else."""
    return _IS_ROOM.fullmatch(words) is not None


def room_behind(words: str) -> tuple[str, str]:
    """(thing, room): "sofa in the living room" → ("sofa", "living room"); the room may be ""."""
    found = _IN_ROOM.match(words)
    return (words, "") if found is None else (found["thing"], found["room"])
