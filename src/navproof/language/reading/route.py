"""Route instructions read back: from words to an ordered list of sub-goals.

Made for instructions as people write them (R2R) and as ``realise`` does: "Turn around and leave the
bedroom. Walk past the red chair on your left, then stop beside the desk." Reading is shallow: cues
("past", "into", "turn left") are found from left to right, and the words up to the next cue are
what the cue is about. What is not understood is passed over.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import Literal

from navproof.language.lexicon.terms import ROOM_NAMES

__all__ = ["Kind", "SubGoal", "is_room", "parse_route", "sentences"]

Kind = Literal["turn", "straight", "door", "cross", "pass", "toward", "climb", "stop"]


@dataclass(frozen=True, slots=True)
class SubGoal:
    """One step of a route. ``what`` are the words for its landmark, without article.

    ``turn``: ``side`` is left, right or around, ``slight`` a little, at ``what`` if said ·
    ``straight`` · ``door``: from the room ``leaves`` through an opening on ``side`` (the
    ``ordinal``-th) into ``enters``, as far as said · ``cross``: along the room ``what`` ·
    ``pass``: by ``what`` on ``side`` · ``toward`` ``what`` · ``climb`` stairs, ``side`` is up or
    down · ``stop`` at ``what``, or where one is.
    """

    kind: Kind
    what: str = ""
    side: str = ""
    slight: bool = False
    leaves: str = ""
    enters: str = ""
    ordinal: int = 0


_ROOMS = {name.lower() for names in ROOM_NAMES.values() for name in names} | {
    "room", "hall", "hallway", "entryway", "entrance", "entranceway", "foyer", "closet", "patio",
    "lounge", "den", "balcony", "deck", "garage", "gym", "pantry", "theater", "spa", "sauna",
    "landing", "area", "house", "building", "lobby", "library", "porch", "tv room", "courtyard",
    "family room", "restaurant", "workshop", "walkway", "passageway", "space", "alcove",
}  # fmt: skip
_DOORS = re.compile(
    r"\b(?:door ?ways?|doors?|arch ?ways?|arch(?:es)?|openings?|entry|entrance|exit|gate)$"
)
_STAIRS = re.compile(r"\b(?:stairs?|steps?|staircase|stairway|stairwell|flights?)\b")
_ORDINALS = {"first": 1, "1st": 1, "second": 2, "2nd": 2, "third": 3, "3rd": 3, "next": 1}

_MOVE = (
    r"(?:walk|walking|go|going|head|heading|move|moving|continue|proceed|step|come|coming|get"
    r"|keep (?:going|walking)|make your way|travel|return|run|pass|turn)"
)
_SLIGHT = r"(?:slight(?:ly)?|a little|hard|sharp(?:ly)?|quick|immediate(?:ly)?|second|first|next)"
_YOU = r"(?:you(?:'ve| have|'re| are| will)?)"
_CUES: tuple[tuple[str, str], ...] = (
    (
        "stop",
        r"(?:come to a stop|stop(?:ping)?|wait(?:ing)?(?! room| area)|(?<!tv )stand(?! with| and)"
        r"|halt|pause|remain|finish|end up)\b"
        r"(?: there| here)?(?: (?:just|right|directly|immediately|once|when|as soon as))*"
        rf"(?: {_YOU} (?:reach|get to|come to|are (?:in|at|on|near|by|next to)|see|get|enter))?"
        r"(?: next to| beside| by| near| in front of| at| in| on| outside(?: of)?| inside(?: of)?"
        r"| between| before| behind| under| facing| with| to the (?:left|right) of| close to)?",
    ),
    (
        "turn",
        r"(?:turn(?:ing)?|bear|veer|take|make|hang|face|rotate|go|head|walk|step|move)"
        rf"(?: (?:to|towards))?(?: (?:a|an|the|your))?(?: (?P<slight>{_SLIGHT}))?"
        r"(?: to)?(?: (?:a|the|your))? (?:all the way )?"
        r"(?P<turn>left|right|around(?! (?:the|a|an)\b)|180 degrees|back around|about face)"
        r"(?: turn)?"
        r"(?! (?:past|in front|next to|up to|beside|hand|side|of|door|one)\b)",
    ),
    (
        "exit",
        rf"(?:exit|exiting|leave|leaving|(?:{_MOVE} (?:straight |right )?)?"
        rf"(?:out(?: of| from)?|outside|from(?= the\b))|{_YOU} (?:leave|exit))\b",
    ),
    (
        "enter",
        rf"(?:enter(?:ing)?|(?:{_MOVE} (?:straight |right |back |just )?)?"
        r"(?:into|in to|inside(?: of)?|onto)|(?:walk|go|head|step) in\b"
        rf"|once (?:{_YOU} )?(?:inside|in)(?= the\b)|(?:when|once|after) {_YOU} (?:in|inside))\b",
    ),
    (
        "pass",
        rf"(?:(?:{_MOVE} (?:straight |right )?)?(?:past|passed|by(?= (?:the|a|an)\b))"
        r"|pass(?:ing|ed)?(?: by)?|keep(?= (?:the|a|an) .* on (?:your|the) (?:left|right))"
        rf"|(?:{_MOVE} )?around(?= (?:the|a|an)\b))\b",
    ),
    (
        "toward",
        rf"(?:(?:{_MOVE} (?:straight |right |back |over |up )*)?"
        rf"(?:towards?|for(?= the\b)|to(?= (?:the|a|an|your)\b(?! (?:left|right)))|up to)"
        rf"|{_MOVE} (?:straight |over |up )?to(?! (?:the |your )?(?:left|right))"
        rf"|approach(?:ing)?|{_YOU} (?:reach|get to|come to|see|approach)|reach|at(?= the\b)"
        r"|(?:until|before|after) reaching)\b",
    ),
    (
        "through",
        rf"(?:(?:{_MOVE} (?:straight |right |back |all the way )?)?"
        r"(?:through|thru|via|using|across|down|up|along|between|under)|cross(?:ing)?|follow"
        r"|take(?= the\b)|ascend|descend|climb(?: up| down)?)\b",
    ),
    (
        "straight",
        r"(?:(?:go|walk|continue|head|keep|proceed|move)(?: going| walking)? )?"
        r"(?:straight(?: ahead| forward| on)?|forward)\b|(?:go|walk|head|continue) ahead\b"
        r"|keep (?:going|walking)\b",
    ),
)
_CUE = re.compile(
    "|".join(rf"(?P<{name}_>\b(?:{pattern}))" for name, pattern in _CUES), re.IGNORECASE
)
_SIDE = re.compile(
    r"(?:,? ?(?:that is |which is |is )?(?:on|to|at|in)(?: to)? (?:your|the)"
    r"(?: (?:immediate|far|direct))? (?P<side>left|right)(?: hand)?(?: side)?(?! of))"
)
_SIDED = re.compile(r"^(?:(?:the|a|your) )?(?P<side>left|right)(?:[- ]hand)?(?= \w)")
_CUT = re.compile(
    r",|;| - | and(?= |$)| then\b| until\b| when\b| where\b| which\b| that\b| so\b| but\b| while\b"
    r"| once\b| as you\b| if\b| next to\b| in front of\b| located\b| leading\b| ahead\b"
    r"| (?:on|to) (?:your|the) (?:left|right)\b| \(|\)"
)
_ARTICLE = re.compile(r"^(?:all |both |of |the |a |an |your |some |this |that |these |out |its )+")
_LOOSE = re.compile(
    r"^(?:it|there|here|you|them|ahead|straight|around|again|and\b.*|after|before|\d+ \w+)$"
)


def sentences(text: str) -> list[str]:
    """The sentences of an instruction, lower case, without their full stops."""
    plain = " ".join(text.lower().replace("’", "'").split())
    parts = re.split(r"[.!?;\n]+(?:\s|$)", plain)
    return [part.strip(" .,") for part in parts if part.strip(" .,")]


def is_room(what: str) -> bool:
    """Whether words name a room or hall ("blue bedroom", "hallway")."""
    head = re.split(r" (?:with|of|on|to|by|near|in) ", what)[0]
    words = head.split()
    return any(" ".join(words[i:]) in _ROOMS for i in range(len(words)))


def parse_route(text: str) -> tuple[SubGoal, ...]:
    """The sub-goals of an instruction, in order; empty where nothing was understood."""
    found: list[SubGoal] = []
    for sentence in sentences(text):
        found += _joined(list(_read(sentence)))
    return tuple(found)


@dataclass(frozen=True, slots=True)
class _Piece:
    """A sub-goal with its cue, and what stood between the one before and it."""

    goal: SubGoal
    cue: str
    gap: str


def _read(sentence: str) -> Iterator[_Piece]:
    """The sub-goals of one sentence, each by itself."""
    cues = list(_CUE.finditer(sentence))
    before = 0
    for cue, later in zip_longest(cues, cues[1:]):
        end = later.start() if later else len(sentence)
        name = next(k for k, v in cue.groupdict().items() if k.endswith("_") and v is not None)
        object_ = sentence[cue.end() : end]
        cut = _CUT.search(object_)
        gap = _SIDE.sub("", sentence[before : cue.start()])
        for goal in _goals(name.rstrip("_"), cue, object_):
            yield _Piece(goal, cue.group(), gap)
            gap = ""
        before = cue.end() + (cut.start() if cut else len(object_))


def _goals(name: str, cue: re.Match[str], object_: str) -> list[SubGoal]:
    side = _SIDE.search(object_)
    sided = _SIDED.search(object_.strip())
    which = (side or sided).group("side") if side or sided else ""  # type: ignore[union-attr]
    what, ordinal = _noun_phrase(object_)
    goal = SubGoal("toward", what, which, ordinal=ordinal)
    match name:
        case "stop":
            return [replace(goal, kind="stop")]
        case "turn":
            said = cue.group("turn")
            slight = (cue.group("slight") or "").startswith(("slight", "a little"))
            turn = said if said in ("left", "right") else "around"
            return [SubGoal("turn", "", turn, slight=slight)]
        case "exit":
            if _DOORS.search(what):
                return [SubGoal("door", what, which, ordinal=ordinal)]
            return [SubGoal("door", "", which, leaves=what or "room", ordinal=ordinal)]
        case "enter":
            if _DOORS.search(what):
                return [SubGoal("door", what, which, ordinal=ordinal)]
            return [SubGoal("door", "", which, enters=what, ordinal=ordinal)] if what else []
        case "pass":
            if cue.group() == "by" and _DOORS.search(what):
                return [replace(goal, kind="door")]
            return _passed(object_, goal) if what else []
        case "toward":
            if _DOORS.search(what) and ordinal:
                return [replace(goal, kind="door")]
            if is_room(what) and cue.group().startswith("you "):
                return [SubGoal("door", enters=what)]
            return [goal] if what else []
        case "through":
            return _along(cue.group(), goal, object_)
        case _:
            return [SubGoal("straight")]


def _passed(object_: str, goal: SubGoal) -> list[SubGoal]:
    """What is passed: one thing, or two joined by "and the"."""
    goals = []
    parts = re.split(r" and (?=(?:the|a|an) )", object_)
    for part in parts[:2]:
        what, _ = _noun_phrase(part)
        side = _SIDE.search(part)
        if what:
            goals.append(SubGoal("pass", what, side.group("side") if side else ""))
    if len(goals) == 2 and not goals[0].side:
        goals[0] = replace(goals[0], side=goals[1].side)
    return goals or [replace(goal, kind="pass")]


def _along(verb: str, goal: SubGoal, object_: str) -> list[SubGoal]:
    """Through a door, along a room, up stairs, or past something."""
    if _STAIRS.search(goal.what) or verb.startswith(("ascend", "descend", "climb")):
        down = "down" in verb or verb.startswith("descend")
        return [SubGoal("climb", goal.what, "down" if down else "up")]
    if _DOORS.search(goal.what):
        return [replace(goal, kind="door")]
    if not goal.what:
        return [SubGoal("cross")] if re.match(r" it\b", object_) else []
    if is_room(goal.what) or re.search(r"down|along|follow|across|cross|through", verb):
        return [SubGoal("cross", goal.what)]
    return [replace(goal, kind="pass")]


def _noun_phrase(object_: str) -> tuple[str, int]:
    """The words for a thing, without article and side; and the ordinal before them."""
    text = _SIDE.sub("", object_).strip()
    cut = _CUT.search(text)
    text = _ARTICLE.sub("", (text[: cut.start()] if cut else text).strip() + " ").strip(" ,'\"")
    text = _SIDED.sub("", text).strip()
    first, _, rest = text.partition(" ")
    ordinal = _ORDINALS.get(first, 0)
    if ordinal and rest:
        text = rest
    text = re.sub(
        r"^(?:set|middle|end|top|bottom|foot|edge|front|rest|length) of (?:the )?", "", text
    )
    text = re.sub(r" (?:from|of|to|at|in|on|with|by|near|for|just|straight|immediately)$", "", text)
    return ("" if _LOOSE.match(text) else text), ordinal


def _joined(pieces: list[_Piece]) -> list[SubGoal]:
    """Pieces that tell of one thing made one: "turn left into the kitchen", "leave the bedroom
    through the door on your left and enter the hall", "turn right at the desk"."""
    found: list[SubGoal] = []
    at = False  # the last cue told where something else is to be done: "when you reach …"
    for piece in pieces:
        goal, last = piece.goal, found[-1] if found else None
        touching = not piece.gap.strip()
        through = last is not None and last.kind == "door" and last.what
        linked = piece.cue == "into" or (through and piece.cue == "enter")
        close = touching or (piece.gap.strip() == "and" and linked)
        if last is None:
            found.append(goal)
        elif touching and last.kind == "turn" and goal.kind == "door" and last.side != "around":
            found[-1] = replace(goal, side=goal.side or last.side)
        elif touching and last.kind == "turn" and piece.cue in ("at", "by", "before reaching"):
            found[-1] = replace(last, what=goal.what)
        elif goal.kind == "turn" and last.kind == "toward" and piece.gap.strip() == "," and at:
            found[-1] = replace(goal, what=last.what)
        elif close and last.kind == "door" == goal.kind and _one_door(last, goal):
            found[-1] = replace(
                last,
                what=last.what or goal.what,
                side=last.side or goal.side,
                leaves=last.leaves or goal.leaves,
                enters=goal.enters,
                ordinal=last.ordinal or goal.ordinal,
            )
        else:
            found.append(goal)
        at = piece.cue == "at" or piece.cue.startswith("you ")
    return found


def _one_door(first: SubGoal, then: SubGoal) -> bool:
    """Whether two mentions can be of one doorway: out of a room, through a door, into a room."""
    if first.enters or then.leaves:
        return False
    return not (first.what and then.what) and not (first.side and then.side)
