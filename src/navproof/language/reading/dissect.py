"""Taking a goal's words apart: what is asked for, where it is, what it is not.

Rules over plain text, no scene and no model: the wrapping ("Can you find …, please?") is taken off,
the rest is cut at the words that place one thing by another ("on", "next to", "behind", …).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

__all__ = ["PRONOUNS", "PhraseParts", "both", "core", "dissect", "plain"]

PRONOUNS = ("it", "that", "this", "them", "that one", "this one", "there")
"""Anchors that are the goal before."""

_NO_SUPPORT = "and|or|that|which|on|next|beside|in|under|behind|to|near|by|at|between|above|over"
_ASKING = re.compile(
    r"""^(?:
        (?:please|now|then|next|finally|first|ok|okay|alright|hey|hi|hello|robot|so|and|also)\b
      | (?:can|could|would|will)\s+you\b
      | i(?:'d|\s+would)\s+like(?:\s+you)?\b | i\s+(?:need|want)(?:\s+you)?\b
      | i(?:'m|\s+am)\s+(?:looking|searching)\s+for\b
      | (?:your|the)\s+(?:goal|target|task|destination)\s+is\b | my\s+goal\s+is\b
      | where(?:'s|\s+is|\s+are)\b | help\s+me\b | let(?:'s|\s+us)\b | let\s+me\s+see\b
      | (?:take|bring|lead|guide)\s+me\b | show\s+me\b | try\s+to\b | to\b(?=\s+\w)
      | (?:go|head|walk|move|drive|navigate|come|get|travel|proceed|run|roll)
        (?:\s+(?:over|up|back|straight))?\s+(?:to|towards?|for)\b
      | go\s+and\b | go(?=\s+find\b)
      | (?:look|search|hunt)(?:\s+around)?\s+for\b
      | (?:find|locate|reach|approach|seek|spot|visit|see|identify|fetch)(?:\s+out)?(?:\s+me)?\b
      | stop\s+(?:at|by|near)\b
    )[\s,:]*""",
    re.IGNORECASE | re.VERBOSE,
)
_THANKS = re.compile(
    r"(?:[\s,;]+(?:please|for me|thanks|thank you|now|and stop(?: there)?|if you can|again))+$",
    re.IGNORECASE,
)
_LEAD_IN = (
    r"(?:[\s,]+(?:and|that|which|who))*"
    r"(?:[\s,]+(?:is|are|stands|sits|lies|hangs|rests|was|(?:that|which)'s))?"
    r"(?:[\s,]+(?:standing|sitting|lying|hanging|resting|placed|located|positioned|kept|found))?"
    r"(?:[\s,]+(?:right|just|directly|immediately|close|straight))?[\s,]+"
)
_WHERE = (
    ("between", r"in\s+between|between"),
    ("left of", r"(?:to|on|at)\s+the\s+left(?:[\s-]+(?:hand[\s-]+)?side)?\s+of|left\s+of"),
    ("right of", r"(?:to|on|at)\s+the\s+right(?:[\s-]+(?:hand[\s-]+)?side)?\s+of|right\s+of"),
    ("in front of", r"in\s+front\s+of|before"),
    ("behind", r"behind|in\s+back\s+of"),
    ("under", r"underneath|under|beneath|below"),
    ("above", r"above|over"),
    ("next to", r"next\s+to|beside|adjacent\s+to|alongside|near(?:\s+to)?|close\s+to|by"),
    ("on", rf"on\s+top\s+of|atop|upon|on(?=\s+(?!(?:{_NO_SUPPORT}|the\s+(?:left|right))\b)\S)"),
)
_PLACE = re.compile(
    rf"{_LEAD_IN}(?:"
    + "|".join(f"(?P<w{i}>(?:{pattern}))" for i, (_, pattern) in enumerate(_WHERE))
    + r")\b",
    re.IGNORECASE,
)
_STATE_WORD = re.compile(r"\b(?:switched|turned|powered|written)(?:\s+)$", re.IGNORECASE)
_BEARING = re.compile(r"\b(?:with|has|have|no)\s+(?:[\w-]+\s+){1,4}$", re.IGNORECASE)
_NEGATIONS = re.compile(
    r"""[\s,]+(?:(?:and|but)\s+)?(?:(?:that|which)(?:\s+|(?='s)))?(?:
        (?:is|are|was|does|do|has|have)(?:n't|\s+not)
          (?:\s+been)?(?:\s+(?:made|made\s+out))?(?:\s+(?:of|have|show))?
      | 's\s+not | has\s+no | without | (?:but\s+)?not | other\s+than | except(?:\s+for)?
    )\s+(?:(?:an?|the|any)\s+)?(?P<what>[^,]+?)(?=\s+and\s+(?:is|stands|sits|lies|hangs)\b|,|$)""",
    re.IGNORECASE | re.VERBOSE,
)
_NON = re.compile(r"\bnon-(?P<what>\w+)\s+", re.IGNORECASE)
_ARTICLE = re.compile(
    r"^(?:the|an?|any|some|my|your|our|that|this|one\s+of\s+(?:the|my|your))\s+", re.IGNORECASE
)
_CLAUSE = re.compile(
    r"[\s,]+(?:(?:that|which|and)\s+(?:is|are|has|have)|and(?=\s+(?:switched|turned|open|closed)\b))"
    r"\s+(?P<what>.+)$",
    re.IGNORECASE,
)
_COMMAS = re.compile(r"\s*,[\s,]*")  # a thousand in a row would take the patterns a minute
_SECOND_SENTENCE = re.compile(r"[.;]\s+(?:it|they)\s+(?=is\b|are\b|has\b|stands\b)", re.IGNORECASE)
_BEHIND_NOUN = re.compile(
    r"[,;]|\s+(?:with|that|that's|which|who|of|in|on|from|at|to|made\s+of|having|whose|facing|holding)"
    r"(?!\S)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class PhraseParts:
    """``head`` is what is asked for, without article; ``places`` are (relation, phrase) in the
    order of the words, phrases without article; ``negated`` what is denied of it."""

    head: str
    places: tuple[tuple[str, str], ...]
    negated: tuple[str, ...]


def dissect(text: str) -> PhraseParts:
    """The parts of a goal's words; all of them are the head where nothing else is recognised."""
    whole = " ".join(text.replace("’", "'").split())
    whole = _SECOND_SENTENCE.sub(" that ", re.sub(r"\s*[()]\s*", ", ", whole))
    whole = _COMMAS.sub(", ", whole)
    body = _unwrapped(whole) or whole
    pieces = list(_pieces(body))
    head, places, negated = "", [], []
    for relation, piece in pieces:
        kept, denied = _denied(piece)
        negated += denied
        if relation is None:
            head = plain(kept)
            continue
        clause = _CLAUSE.search(kept)  # "the lamp on the desk that is switched on"
        if clause is not None:
            kept = kept[: clause.start()]
            head = f"{head} that is {clause['what']}"
        places.append((relation, plain(kept)))
    if not head:
        return PhraseParts(plain(body), (), ())
    return PhraseParts(head, tuple(p for p in places if p[1]), tuple(negated))


def both(phrase: str) -> tuple[str, ...]:
    """The two anchors of "between": "a bed and a desk", "two chairs"."""
    sides = re.split(r"\s+and\s+", phrase, maxsplit=1)
    if len(sides) == 2:
        return plain(sides[0]), plain(sides[1])
    alone = re.sub(r"^(?:the\s+)?(?:two|both)\s+", "", phrase, flags=re.IGNORECASE)
    single = _singular(alone)
    return single, single


def _singular(words: str) -> str:
    for ending, instead in (("shelves", "shelf"), ("ches", "ch"), ("xes", "x"), ("shes", "sh")):
        if words.endswith(ending):
            return words.removesuffix(ending) + instead
    return words.removesuffix("s")


def core(phrase: str) -> str:
    """The words up to the noun: "red candle" of "red candle with a flame"."""
    return _BEHIND_NOUN.split(f" {phrase}", maxsplit=1)[0].strip() or phrase.strip()


def plain(phrase: str) -> str:
    """Without article and stray marks."""
    bare = phrase.strip(" ,.;:!?")
    while True:
        shorter = _ARTICLE.sub("", bare)
        if shorter == bare or not shorter:
            return bare
        bare = shorter


def _unwrapped(text: str) -> str:
    """Without what only asks: "Could you find the mug for me?" → "the mug"."""
    body = text.strip(" .!?\"'")
    while True:
        shorter = _THANKS.sub("", _ASKING.sub("", body)).strip(" .!?,")
        if shorter == body or not shorter:
            return body
        body = shorter


def _pieces(body: str) -> Iterator[tuple[str | None, str]]:
    """(relation that leads to it, words); the first has none."""
    start, relation = 0, None
    for found in _PLACE.finditer(body):
        index = next(i for i in range(len(_WHERE)) if found[f"w{i}"] is not None)
        word = found.start(f"w{index}")
        if found.start() < start or _is_state(body, word, found.end()):
            continue
        if found.start() == start and relation is None:
            continue  # nothing before it that could be placed
        yield relation, body[start : found.start()]
        start, relation = found.end(), _WHERE[index][0]
    yield relation, body[start:]


def _is_state(body: str, word: int, end: int) -> bool:
    """Whether the "on" at ``word`` places nothing: "switched on", "with food on it"."""
    before, after = body[:word], body[end:].split()[:1]
    return bool(_STATE_WORD.search(before)) or (after == ["it"] and bool(_BEARING.search(before)))


def _denied(piece: str) -> tuple[str, list[str]]:
    """The piece without its negations, and what they deny."""
    denied = [_denial(m["what"]) for m in _NON.finditer(piece)]
    piece = _NON.sub("", piece)
    denied += [_denial(m["what"]) for m in _NEGATIONS.finditer(piece)]
    return _NEGATIONS.sub("", piece), denied


def _denial(what: str) -> str:
    short = re.sub(r"\s+(?:ones?|in it|on it)$", "", plain(what), flags=re.IGNORECASE)
    return re.sub(r"^made of ", "", short, flags=re.IGNORECASE)
