"""Proof that a text says a mission: every target, number, person and question, in order, no more.

It searches the text for the words themselves and shares nothing with ``parse_mission`` but the
reading of displacements.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from navproof.core.errors import NavproofError
from navproof.core.types import Question, SubTask, SubTaskKind
from navproof.language.goals.lexicon import NOUNS
from navproof.language.lexicon.nouns import article
from navproof.language.lexicon.terms import ROOM_NAMES
from navproof.language.missions.words import SubTaskWords, name_subtask
from navproof.language.reading.offsets import offsets

__all__ = ["MAX_WORDS", "MIN_WORDS", "check_mission"]

MIN_WORDS, MAX_WORDS = 9, 130
_GOING = r"\b(?:go|going|walk|walking|head|heading|move|moving|make|making|enter|entering|approach"
_GOING += r"|approaching)\b"
_VERBS: Mapping[SubTaskKind, re.Pattern[str]] = {
    "goto_object": re.compile(r"\b(?:find|finding|look|looking|locat(?:e|ing)|search(?:ing)?)\b"),
    "goto_room": re.compile(_GOING),
    "goto_landmark": re.compile(_GOING),
    "goto_point": re.compile(_GOING),
    "return_to": re.compile(r"\b(?:back|return|returning)\b"),
    "follow_human": re.compile(r"\b(?:follow|following|behind)\b"),
}
_START = re.compile(
    r"\b(?:where (?:you|i) (?:started|set out|began)|the (?:start|starting point)"
    r"|(?:your|my) starting (?:point|position))\b"
)
_PEOPLE = re.compile(r"\b(?:people|anyone|anybody|everyone|everybody|nobody)\b")
_MANNERS = re.compile(r"\b(?:distance|clear|room|space|close|way)\b")
_UNTOLD = re.compile(
    r"\b(?:"
    + "|".join(re.escape(word) for word in sorted({*NOUNS, *sum(ROOM_NAMES.values(), ())}))
    + r")\b"
)


def check_mission(
    text: str,
    subtasks: Sequence[SubTask],
    question: Question | None = None,
    social: bool = False,
    people: Mapping[str, str] | None = None,
    rooms: Mapping[int, str] | None = None,
) -> list[str]:
    """What is wrong with a mission's words, in any style; empty when they say all of it, in order,
    and no other target, number or question."""
    try:
        parts = [(s.kind, name_subtask(s, people or {}, rooms or {})) for s in subtasks]
    except NavproofError as error:
        return [str(error)]
    problems = _form(text)
    body = " ".join(text.split())
    if question is not None:
        at = body.lower().find(question.text.lower())
        if at < 0:
            problems.append(f"does not ask {question.text!r}")
        else:
            body = body[:at] + body[at + len(question.text) :]
    if "?" in body:
        problems.append("asks something else")
    body = body.lower()
    problems += _manners(body, social)
    rest, missing = _told(body, parts)
    return problems + missing + _invented(rest)


def _form(text: str) -> list[str]:
    problems = []
    count = len(text.split())
    if not MIN_WORDS <= count <= MAX_WORDS:
        problems.append(f"has {count} words, not {MIN_WORDS} to {MAX_WORDS}")
    if re.search(r"\b(\w+) \1\b|  | [,.?;:]|[{}]|[,.;:]{2}", text):
        problems.append("is not well formed")
    if not re.fullmatch(r"[A-Z].*[.?]", text, re.DOTALL) or re.search(r"[.?!] [a-z]", text):
        problems.append("is not a row of sentences")
    for word, following in re.findall(r"\b([Aa]n?) (\w\S*)", text):
        if word.lower() != article(following) and not following.isupper():
            problems.append(f"says '{word} {following}'")
    return problems


def _manners(body: str, social: bool) -> list[str]:
    kept = any(
        _PEOPLE.search(sentence) and _MANNERS.search(sentence)
        for sentence in re.split(r"(?<=[.?!])\s", body)
    )
    if kept == social:
        return []
    return ["does not say to keep a distance" if social else "says to keep a distance"]


def _told(body: str, parts: Sequence[tuple[SubTaskKind, SubTaskWords]]) -> tuple[str, list[str]]:
    """What is left of the text without the targets, and those that it does not tell in order."""
    problems, left, at = [], "", 0
    for index, (kind, named) in enumerate(parts):
        span = _find(body, at, kind, named)
        if span is None:
            problems.append(f"sub-task {index + 1} ({kind}): does not say {_meant(named)}")
            continue
        between = body[at : span[0]]
        if not _VERBS[kind].search(between + body[span[0] : span[0] + 12]):
            problems.append(f"sub-task {index + 1} ({kind}): has no verb of its kind")
        left += between + " … "
        at = span[1]
    return left + body[at:], problems


def _find(body: str, at: int, kind: SubTaskKind, named: SubTaskWords) -> tuple[int, int] | None:
    if named.offset is not None:
        for told in offsets(body[at:]):
            if max(abs(told.ahead_m - named.offset[0]), abs(told.left_m - named.offset[1])) < 1e-6:
                return at + told.start, at + told.end
        return None
    if kind == "return_to" and not named.target:
        returns = _VERBS[kind].search(body, at)
        place = None if returns is None else _START.search(body, returns.end())
        return None if place is None else place.span()
    found = re.search(rf"(?<!\w){re.escape(named.phrase.lower())}(?!\w)", body[at:])
    return None if found is None else (at + found.start(), at + found.end())


def _meant(named: SubTaskWords) -> str:
    if named.offset is not None:
        return f"{named.offset[0]:+.1f} m ahead and {named.offset[1]:+.1f} m to the left"
    return repr(named.phrase) if named.phrase else "to come back to the start"


def _invented(rest: str) -> list[str]:
    """Things, rooms and numbers that no sub-task speaks of."""
    plain = re.sub(r"plenty of room|enough room|more room", "", rest)
    things = sorted({found[0] for found in _UNTOLD.finditer(plain)})
    numbers = re.findall(r"\d\S*", plain)
    return [f"also speaks of '{word}'" for word in (*things, *numbers)]
