"""What a question asks for: about which things, in which rooms, and between which answers.

>>> read_question("Is the bed in the green bedroom unmade?")
Asked(form='polar', things=('bed',), rooms=('green bedroom',), choices=(('unmade', 'yes'), …))
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from navproof.language.lexicon.nouns import adjective, noun, plural
from navproof.language.lexicon.terms import SYNONYMS
from navproof.world.catalog import CATEGORIES
from navproof.world.textures.palette import COLOURS

__all__ = ["Form", "ParsedQuestion", "read_question"]

Form = Literal[
    "fits", "count", "exists", "room", "support", "taller", "same", "more", "which more",
    "which room more", "unknown",
]  # fmt: skip
"""How it is answered: by which words ``fit`` a thing best · how many there are · whether there is
one · which room it is in · what it stands on · which of two is taller · whether two have the same
colour · whether there are more of one thing (or in one room) · of which, or in which room, there
are more."""


@dataclass(frozen=True, slots=True)
class ParsedQuestion:
    """``things`` are names in the singular. ``choices`` are (words with the thing in place of
    "{}", answer) for ``fits``; ``guess`` is the answer when nothing was seen."""

    form: Form
    things: tuple[str, ...] = ()
    rooms: tuple[str, ...] = ()
    choices: tuple[tuple[str, str], ...] = ()
    guess: str = "yes"


_FRAME_CHOICES = tuple((f"{colour}-framed {{}}", colour) for colour in sorted(COLOURS))
_COLOUR_CHOICES = tuple((f"{colour} {{}}", colour) for colour in sorted(COLOURS))
_MATERIALS = (
    *("wood", "metal", "plastic", "fabric", "leather", "glass", "ceramic", "marble"),
    *("wicker", "cardboard", "paper", "wax", "plush"),
)
_MATERIAL_CHOICES = tuple((f"{adjective('chair', 'material', m)} {{}}", m) for m in _MATERIALS)
_PATTERNS = ("striped", "checkered", "dotted", "floral", "plaid", "zigzag")
_SHAPES = ("round", "square", "rectangular", "oval")
_SHOWN = (
    *(("cat {}", "cat"), ("city {}", "city"), ("landscape {}", "landscape")),
    *(("seascape {}", "sea"), ("portrait {}", "person"), ("floral {}", "flowers")),
)
_NUMBERS = ("one", "two", "three", "four", "five", "six")
_OPPOSITE = {
    "on": "off", "off": "on", "open": "closed", "closed": "open", "ajar": "closed",
    "empty": "filled", "filled": "empty", "full": "empty", "lit": "unlit", "unlit": "lit",
    "made": "unmade", "unmade": "made", "drawn": "open",
}  # fmt: skip
_USUALLY_ON = {"kitchen": "kitchen counter", "bedroom": "nightstand", "office": "desk"}
_SOFT = re.compile(r"\b(?:cushion|pillow|blanket|throw)\b")
_SAID = {"on": "{} that is switched on", "off": "{} that is switched off"}


def read_question(text: str) -> ParsedQuestion:
    """What is asked; ``unknown`` for what is not understood."""
    words = re.sub(r"\s+", " ", text.strip().rstrip("?").lower())
    for pattern, read in _FORMS:
        match = pattern.match(words)
        if match is not None:
            return read(match)
    return ParsedQuestion("unknown")


def _colour(match: re.Match[str]) -> ParsedQuestion:
    what, room = _thing(match["what"])
    choices = _FRAME_CHOICES if match["frame"] else _COLOUR_CHOICES
    return ParsedQuestion("fits", (what,), room, choices, "white")


def _count(match: re.Match[str]) -> ParsedQuestion:
    return ParsedQuestion("count", (_one(match["what"]),), (_room(match["room"]),), guess="2")


def _parts(match: re.Match[str]) -> ParsedQuestion:
    what, room = _thing(match["what"])
    part = match["part"]
    choices = [(f"{{}} with {n} {part}", str(k)) for k, n in enumerate(_NUMBERS, start=1)]
    return ParsedQuestion("fits", (what,), room, tuple(choices), "2")


def _exists(match: re.Match[str]) -> ParsedQuestion:
    return ParsedQuestion("exists", (match["what"],), (_room(match["room"]),), guess="no")


def _holds(match: re.Match[str]) -> ParsedQuestion:
    what, room = _thing(match["what"])
    with_it = f"{{}} with {match['held']}"
    return ParsedQuestion("fits", (what,), room, ((with_it, "yes"), ("empty {}", "no")), "no")


def _written(match: re.Match[str]) -> ParsedQuestion:
    what, room = _thing(match["what"])
    choices = (("{} that is written on", "yes"), ("clean {}", "no"))
    return ParsedQuestion("fits", (what,), room, choices, "no")


def _either(match: re.Match[str]) -> ParsedQuestion:
    what, room = _thing(match["what"])
    states = (match["a"], match["b"])
    return ParsedQuestion("fits", (what,), room, tuple((_state(s), s) for s in states), states[0])


def _polar(match: re.Match[str]) -> ParsedQuestion:
    what, room = _thing(match["what"])
    state = match["a"]
    choices = ((_state(state), "yes"), (_state(_OPPOSITE[state]), "no"))
    return ParsedQuestion("fits", (what,), room, choices, "no")


def _made_of(match: re.Match[str]) -> ParsedQuestion:
    what, room = _thing(match["what"])
    return ParsedQuestion("fits", (what,), room, _MATERIAL_CHOICES, "wood")


def _pattern(match: re.Match[str]) -> ParsedQuestion:
    what, room = _thing(match["what"])
    return ParsedQuestion(
        "fits", (what,), room, tuple((f"{p} {{}}", p) for p in _PATTERNS), "striped"
    )


def _shape(match: re.Match[str]) -> ParsedQuestion:
    what, room = _thing(match["what"])
    return ParsedQuestion(
        "fits", (what,), room, tuple((f"{s} {{}}", s) for s in _SHAPES), "rectangular"
    )


def _shows(match: re.Match[str]) -> ParsedQuestion:
    what, room = _thing(match["what"])
    return ParsedQuestion("fits", (what,), room, _SHOWN, "landscape")


def _which_room(match: re.Match[str]) -> ParsedQuestion:
    return ParsedQuestion("room", (_thing(match["what"])[0],), guess="living room")


def _support(match: re.Match[str]) -> ParsedQuestion:
    what, room = _thing(match["what"])
    if _SOFT.search(what):
        usual = "bed" if room and "bedroom" in room[0] else "sofa"
        return ParsedQuestion("support", (what,), room, guess=usual)
    usual = next((on for kind, on in _USUALLY_ON.items() if room and kind in room[0]), "table")
    return ParsedQuestion("support", (what,), room, guess=usual)


def _taller(match: re.Match[str]) -> ParsedQuestion:
    things = (_bare(match["a"]), _bare(match["b"]))
    return ParsedQuestion("taller", things, (_room(match["room"]),), guess=things[0])


def _same(match: re.Match[str]) -> ParsedQuestion:
    things = (_bare(match["a"]), _bare(match["b"]))
    return ParsedQuestion("same", things, (_room(match["room"]),), _COLOUR_CHOICES, "no")


def _more_things(match: re.Match[str]) -> ParsedQuestion:
    things = (_one(match["a"]), _one(match["b"]))
    return ParsedQuestion("more", things, (_room(match["room"]),), guess="no")


def _more_rooms(match: re.Match[str]) -> ParsedQuestion:
    return ParsedQuestion(
        "more", (_one(match["a"]),), (_room(match["room"]), _room(match["other"]))
    )


def _which_more(match: re.Match[str]) -> ParsedQuestion:
    things = (_one(match["a"]), _one(match["b"]))
    return ParsedQuestion("which more", things, (_room(match["room"]),), guess=things[0])


def _which_room_more(match: re.Match[str]) -> ParsedQuestion:
    rooms = (_room(match["room"]), _room(match["other"]))
    return ParsedQuestion("which room more", (_one(match["a"]),), rooms, guess=rooms[0])


_STATES = "|".join(_OPPOSITE)
_IN = r"(?: (?:in|inside) (?P<room>the .+))"
_FORMS: tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], ParsedQuestion]], ...] = tuple(
    (re.compile(f"^{pattern}$"), read)
    for pattern, read in (
        (r"wh(?:at|ich) colou?r (?:is|are) (?P<frame>the frame of )?(?P<what>.+)", _colour),
        (r"how many (?P<part>drawers|doors|shelves|seats|panes|blades|panels) (?:does|do)"
         r" (?P<what>.+) have", _parts),
        (rf"how many (?P<what>.+?) (?:are|can|do|is|stand|hang)\b.*?{_IN}", _count),
        (r"how many (?P<what>.+?) does (?P<room>the .+) have", _count),
        (r"(?:is|are) there any (?P<held>fruit|food|toast|flowers) (?:in|on) (?P<what>.+)", _holds),
        (r"is anything written on (?P<what>.+)", _written),
        (r"are there more (?P<a>.+) in (?P<room>the .+) than in (?P<other>the .+)", _more_rooms),
        (rf"are there more (?P<a>.+) than (?P<b>.+){_IN}", _more_things),
        (rf"which are there more of{_IN}, (?P<a>.+) or (?P<b>.+)", _which_more),
        (r"which has more (?P<a>.+), (?P<room>the .+) or (?P<other>the .+)", _which_room_more),
        (rf"(?:is|are) there (?:an? |any )?(?P<what>.+?){_IN}", _exists),
        (rf"which is taller{_IN}, (?P<a>.+) or (?P<b>.+)", _taller),
        (rf"are (?P<a>the .+) and (?P<b>the .+?){_IN} the same colou?r", _same),
        (r"what is (?P<what>.+) made of", _made_of),
        (r"what pattern does (?P<what>.+) have", _pattern),
        (r"what shape is (?P<what>.+)", _shape),
        (r"what does (?P<what>.+) show", _shows),
        (r"which room is (?P<what>.+) in", _which_room),
        (r"(?:what|where) is (?P<what>.+?) (?:\w+ing )?on", _support),
        (rf"is (?:the lid of )?(?P<what>the .+) (?P<a>{_STATES}) or (?P<b>{_STATES})", _either),
        (rf"is (?:the lid of )?(?P<what>the .+) (?P<a>{_STATES})", _polar),
    )
)  # fmt: skip


def _thing(phrase: str) -> tuple[str, tuple[str, ...]]:
    """A thing and the room that it is said to be in, without articles."""
    what, _, room = phrase.rpartition(" in the ")
    return (_bare(what), (_bare(room),)) if what else (_bare(phrase), ())


def _room(phrase: str) -> str:
    return _bare(phrase)


def _bare(phrase: str) -> str:
    return re.sub(r"^(?:the|an?) ", "", phrase.strip())


def _state(state: str) -> str:
    return _SAID.get(state, f"{state} {{}}")


@lru_cache(maxsize=1)
def _singulars() -> dict[str, str]:
    others = sorted({name for match in SYNONYMS.values() for name in match})
    usual = [noun(category) for category in CATEGORIES]
    return {plural(name).lower(): name for name in (*others, *usual)}


def _one(many: str) -> str:
    """The singular of a plural, with what is said before it."""
    words = many.split()
    for i in range(len(words)):
        tail = " ".join(words[i:])
        if tail in _singulars():
            return " ".join([*words[:i], _singulars()[tail]])
    return many.removesuffix("s")
