"""Parts of speech of navigation English: what is a noun, a verb, a preposition in an instruction.

``tag`` gives every token of a text with its place and its part of speech. Each word has the parts
it can have with a cost each (``lexicon``); of all sequences of parts the cheapest is chosen,
costs of neighbouring parts included (the Viterbi algorithm over a first-order model with weights
set by hand). The weights know what instructions are like: a sentence, and what follows "and" or
a comma, may well start with an imperative; "left" after a verb is an adverb, after an article a
noun, before a noun an adjective. Misspelt words that are one slip away from a known verb, adverb
or preposition are read as that; other unknown words by their endings.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import Literal

from navproof.language.tagging.lexicon import Costs, guessed, known_words, mendable_words

__all__ = ["Part", "Token", "tag"]

Part = Literal[
    "NOUN", "VERB", "ADJ", "ADV", "ADP", "DET", "PRON", "NUM", "CONJ", "PART", "PUNCT", "OTHER"
]


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of a text: ``text == whole[start:end]``. Between tokens there is only white space."""

    text: str
    start: int
    end: int
    pos: Part


_PARTS: dict[str, Part] = {
    "N": "NOUN",
    "J": "ADJ",
    "R": "ADV",
    "P": "ADP",
    "D": "DET",
    "O": "PRON",
    "U": "NUM",
    "C": "CONJ",
    **dict.fromkeys("VZGEM", "VERB"),
    **dict.fromkeys("TK", "PART"),
    **dict.fromkeys(".^", "PUNCT"),
    "X": "OTHER",
}
_MARK = "\u0300-\u036f\u200c\u200d\ufe0f"
_LETTER = rf"(?:[^\W_][{_MARK}]*)"
_TOKEN = re.compile(rf"\[MASK\]|{_LETTER}+(?:['’\-]{_LETTER}+)*|\S")
_SENTENCE_ENDS = frozenset(".!?;:…")
_FAR = 3.0


def _rows(table: str) -> dict[str, Costs]:
    rows = {}
    for line in table.strip().splitlines():
        before, *after = line.split()
        rows[before] = {pair[0]: float(pair[1:]) for pair in after}
    return rows


_NEXT = _rows(
    """
    ^ V0 P.3 R.3 D.5 C.3 O.5 T1 U1 G1 N2 J1.5 E2.5 .1 ^1 K1 X0
    . V.1 P.3 R.3 D.3 C.1 O.4 T1 U.8 G.4 N.8 J.6 E1.2 Z2 M2 .0.5 ^.5 K1 X0
    N N.8 V1.6 Z.8 M.8 G1 E1.2 J3 R.6 P0 D2.5 O1 U2.5 C0 T.3 .0 ^0 K1 X0
    J N0 J.4 U1 R2.5 P1.2 C1.2 .1 ^1.2 V3 G2 E1.5 D4 O3 T1 Z3 X.5
    V D0 N.6 J1 R0 P0 O.3 U.5 G.3 C.5 T.5 .0 ^0 V3 Z4 E1.5 M4 K.5 X0
    Z D0 N.8 J.4 R0 P0 O.8 U.5 G.4 E.3 C1 T.3 .0 ^0 V3 Z4 K0 X0
    G D0 N.6 J1 R0 P0 O.3 U.5 G1 C.5 T.5 .0 ^0 V3 Z4 E1.5 X0
    E D.6 N1 J1 R.3 P0 O1 U1 G1 C.3 T.3 .0 ^0 V3 Z3 X0
    M V0 R.5 O.8 K0 Z4 N4 D4 X0
    R V.5 P0 D.8 N1.8 J.3 R.4 O.8 U.8 C.2 T.2 .0 ^0 G.6 E.8 Z1 M1 K1 X0
    P D0 N.3 J.4 U.2 O.3 P.8 G1 R1.2 E2 V4 Z5 C2.5 .2.5 ^2.5 T3 M5 X.5
    D N0 J0 U.3 D.8 R1.5 E1 G1.5 V6 Z6 P5 C5 .4 ^4 O5 T5 M6 X0
    O V.2 Z0 M0 R.5 P.5 D.8 N1.2 J1.5 G1 E.6 C.3 .0 ^0 T.3 O1.5 K1 X0
    U N0 J.3 P.4 R.8 C.5 .0.3 ^.3 U.2 G1 V2.5 Z2.5 X0
    C V.2 N.4 D.1 J.5 P.2 R.2 O.2 U.3 G.4 E1 Z1.2 C1.5 M2.5 .1 ^2 T.8 K1 X0
    T V0 N5 J5 R4 P5 D5 O5 Z5 G5 E5 .5 ^5 X2
    K V.3 G.5 E.5 J.5 R.5 D.5 N1 T.5 P.5 X0
    X V.5 N.5 J.8 R.5 P.3 D.3 O.5 U.5 C.3 T.5 Z1 G1 E1 M1 K1 .0 ^0 X0
    """
)
"""Row: a part; column: the cost of a part after it (``_FAR`` where none is given)."""


def tag(text: str) -> tuple[Token, ...]:
    """The tokens of ``text`` with their parts of speech; any Unicode, in linear time."""
    found = list(_TOKEN.finditer(text))
    words = [match.group() for match in found]
    fine = _cheapest([_costs(word, _after(words, k)) for k, word in enumerate(words)])
    return tuple(
        Token(match.group(), match.start(), match.end(), _PARTS[part])
        for match, part in zip(found, fine, strict=True)
    )


def _after(words: Sequence[str], k: int) -> str:
    return words[k + 1].lower() if k + 1 < len(words) else ""


_PAIRS: dict[tuple[str, str], str] = {
    **dict.fromkeys([("next", "to"), ("prior", "to"), ("out", "of")], "P"),
    **dict.fromkeys([("there", "is"), ("there", "are")], "O"),
    **dict.fromkeys(product(("sitting", "waiting", "changing"), ("room", "area")), "N"),
    ("close", "to"): "J",
}
"""Words whose part is settled by the word after them."""


def _costs(word: str, after: str) -> Costs:
    lower = word.lower().replace("’", "'")
    settled = _PAIRS.get((lower, after))
    if settled:
        return {settled: 0.0}
    if not lower[0].isalnum():
        if lower in _SENTENCE_ENDS:
            return {"^": 0.0}
        is_mark = len(lower) == 1 and unicodedata.category(lower).startswith("P")
        return {"." if is_mark else "X": 0.0}
    return _costs_of(lower)


@lru_cache(maxsize=4096)
def _costs_of(word: str) -> Costs:
    known = known_words()
    if word in known:
        return known[word]
    if not word.isascii():
        return {"N": 0.0, "X": 0.5}
    last = word.rpartition("-")[2]
    if "-" in word:
        return {"J": 0.0, "N": 0.3 if "N" in known.get(last, {}) else 1.0}
    meant = _mended(word)
    return known[meant] if meant else guessed(word)


def _mended(word: str) -> str | None:
    """The known word that ``word`` is with one letter too many or too few or two swapped, or, if
    it is long, with a wrong one."""
    if not 4 <= len(word) <= 14 or not word.isalpha():
        return None
    targets = mendable_words()
    slips = [word[:k] + word[k + 1 :] for k in range(len(word))]
    slips += [word[:k] + word[k + 1] + word[k] + word[k + 2 :] for k in range(len(word) - 1)]
    slips += [word[:k] + c + word[k:] for k in range(1, len(word) + 1) for c in _ALPHABET]
    if len(word) >= 7:
        slips += [word[:k] + c + word[k + 1 :] for k in range(len(word)) for c in _ALPHABET]
    return next((slip for slip in slips if slip in targets), None)


_ALPHABET = "abcdefghijklmnopqrstuvwxyz"


def _cheapest(options: Sequence[Costs]) -> list[str]:
    """Of all sequences that take one part from each of ``options``, the one of least cost."""
    if not options:
        return []
    totals: Costs = {"^": 0.0}
    backs: list[dict[str, str]] = []
    for costs in options:
        reached: Costs = {}
        came: dict[str, str] = {}
        for part, own in costs.items():
            best, before = min(
                (total + _NEXT[previous].get(part, _FAR), previous)
                for previous, total in totals.items()
            )
            reached[part] = best + own
            came[part] = before
        totals = reached
        backs.append(came)
    part = min(totals, key=lambda p: (totals[p], p))
    fine = [part]
    for came in reversed(backs[1:]):
        part = came[part]
        fine.append(part)
    return fine[::-1]
