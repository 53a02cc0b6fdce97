"""Reading displacements: "3.2 metres ahead and one and a half metres to your left" → (3.2, 1.5)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from navproof.language.lexicon.terms import NUMBER_WORDS

__all__ = ["Offset", "length_m", "offsets"]

_SPELT = "|".join(sorted(NUMBER_WORDS[1:], key=len, reverse=True))
_DIGITS = r"\d{1,4}(?:[.,]\d{1,3})?[\s-]*(?:metres?|meters?|m)\b"
_WORDS = rf"(?:half\s+an?|(?:{_SPELT})(?:\s+and\s+a\s+half)?|an?)[\s-]+(?:metres?|meters?)\b"
_LENGTH = rf"(?:{_DIGITS}|{_WORDS})"
_SIDE = r"(?:(?:to|on|towards)\s+(?:your|my|the|its|one's)\s+)?(?:left|right)"
_ALONG = r"(?:straight\s+|directly\s+)?(?:ahead|forwards?|in\s+front|backwards?|back|behind)"
_BEFORE = r"(?:straight\s+)?(?:forwards?|ahead|backwards?|back|left|right)\s+(?:by\s+|for\s+)?"
_BEHIND = rf"\s+(?:{_ALONG}|{_SIDE})\b(?:\s+(?:of\s+)?(?:you|me)\b)?"
_MEASURE = rf"(?:{_BEFORE}{_LENGTH}(?!{_BEHIND})|{_LENGTH}{_BEHIND})"
_RUN = re.compile(
    rf"(?<![\w.]){_MEASURE}(?:(?:\s*,)?(?:\s+and)?(?:\s+then)?\s+{_MEASURE})?", re.IGNORECASE
)
_ONE = re.compile(_MEASURE, re.IGNORECASE)
_LONG = re.compile(_LENGTH, re.IGNORECASE)
_WHITHER = re.compile(r"\b(ahead|forwards?|front|backwards?|back|behind|left|right)\b", re.I)


@dataclass(frozen=True, slots=True)
class Offset:
    """A displacement in a text, from character ``start`` to ``end``; metres."""

    start: int
    end: int
    ahead_m: float
    left_m: float


def offsets(text: str) -> Iterator[Offset]:
    """Every displacement that the text tells, in order."""
    for run in _RUN.finditer(text):
        ahead = left = 0.0
        for measure in _ONE.finditer(run[0]):
            found, way = _LONG.search(measure[0]), _WHITHER.search(measure[0])
            if found is None or way is None:
                continue
            value, where = length_m(found[0]), way[1].lower()
            if where in ("left", "right"):
                left += value if where == "left" else -value
            else:
                ahead += -value if where.startswith("b") else value
        yield Offset(run.start(), run.end(), ahead, left)


def length_m(words: str) -> float:
    """ "3.2 metres", "two and a half metres", "half a metre", "a metre"."""
    number = re.sub(r"[\s-]*(?:metres?|meters?|m)$", "", words.strip().lower())
    if re.match(r"\d", number):
        return float(number.replace(",", "."))
    if number.startswith("half"):
        return 0.5
    first = number.split()[0]
    whole = 1.0 if first in ("a", "an") else float(NUMBER_WORDS.index(first))
    return whole + (0.5 if "half" in number else 0.0)
