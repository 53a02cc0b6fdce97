"""Words of one clause in a style: the order given, and what its landmarks are called."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from zlib import crc32

import numpy as np

from navproof.language.lexicon.nouns import article
from navproof.language.styles.clauses import Clause, clause_of
from navproof.language.styles.concepts import word_set
from navproof.language.styles.nouns import NOUNS
from navproof.language.styles.phrases import ORDERS
from navproof.language.styles.reading import carries_content
from navproof.language.styles.relations import RELATIONS

__all__ = ["ClauseChoices", "order_words", "reworded"]

_PATH_WORD = re.compile(
    r"(?:into|down|through|past|passed|towards?|onto|out of|out(?= the\b)|up|across|along)\b",
    re.IGNORECASE,
)
_ON_ITS_OWN = re.compile(
    r"(?:through|into|via|using|and|to|on|onto|by|towards?|from|at|in|,|when|out)\b|,",
    re.IGNORECASE,
)
_DOOR = re.compile(
    r"(?:the |a |an |this |that )?(?:(?!through|to|into|with|via|by)[\w-]+ ){0,2}"
    r"(?:doors?|doorway|door way|gate)\b",
    re.IGNORECASE,
)
_DOOR_VERBS = {
    "friendly": {"out": "head out|pop out", "into": "head into|step into"},
    "novice": {"out": "go out|walk out", "into": "go into|walk into"},
    "professional": {"out": "exit", "into": "enter|proceed into"},
    "formal": {"out": "exit|make your way out of", "into": "enter|proceed into"},
}
_GOES_ON = re.compile(
    r"(?:\band|,)(?: then)? (?:around|over|between|straight|into|through|down|up|past|passed|out"
    r"|outside|across|onto|towards?|to)\b",
    re.IGNORECASE,
)
_PREPOSITION = {"out": "out of"}
_NEAR = {
    "friendly": "right by|right next to|over by|right beside",
    "novice": "next to|near|close to",
    "professional": "adjacent to|immediately adjacent to|beside",
    "formal": "alongside|adjacent to|beside",
}
_SIZES = ("large", "big", "small", "little")
_HOUSEHOLD = word_set(
    "wall kitchen pool filing file wine fire bath ping pong massage side floor ceiling coffee "
    "dining bed corner night book bar computer office medical display mud guest family"
)
_SINGLE_STAIRS = ("staircase", "stairway", "stairwell", "set of stairs", "flight of stairs")
_MANY = word_set(
    "these those two three four five some both few several many more all other sets flights no "
    "couple"
)
_PLURAL_VERB = word_set("are lead go that which going leading were have")


class ClauseChoices:
    """Choices of one clause, from its own generator; names are the same through a text."""

    def __init__(self, seed: int, text_seed: int, style: str) -> None:
        self.style = style
        self._rng = np.random.default_rng(seed)
        self._text_seed = text_seed

    def pick(self, choices: str) -> str:
        options = choices.split("|")
        return options[int(self._rng.integers(len(options)))]

    def chance(self, probability: float) -> bool:
        return bool(self._rng.random() < probability)

    def shuffled(self, choices: str) -> tuple[str, ...]:
        options = choices.split("|")
        return tuple(options[int(k)] for k in self._rng.permutation(len(options)))

    def name(self, word: str) -> str:
        options = NOUNS[self.style][word]
        return options[(self._text_seed + crc32(word.encode())) % len(options)]


def order_words(clause: Clause, draw: ClauseChoices, reword: Callable[[str], str]) -> str:
    """The clause as a plain order; ``reword`` is applied to what follows it."""
    orders = ORDERS[draw.style]
    order, rest = clause.order, clause.rest
    if order in ("turn", "turning", "around"):
        key = f"turn.{clause.manner}" if order == "turn" and clause.manner else order
        said = draw.pick(orders[key]).format(side=clause.side, manner=clause.manner)
        return _turned(said, clause, draw, reword)
    if order in ("stop", "wait"):
        return _stopped(clause, draw, reword)
    if order == "straight":
        verb = draw.pick(orders["straight.again" if clause.again else "straight"])
        return f"{verb}{_spaced(reword(rest))}"
    if order == "go":
        if not rest:
            return (
                f"{draw.pick(orders['go'])} {clause.adverb}"
                if clause.adverb
                else draw.pick(orders["go.bare"])
            )
        verb = draw.pick(orders["again" if clause.again else "go"])
        return f"{verb}{_spaced(clause.adverb)}{_spaced(reword(rest))}"
    return _moved(clause, draw, reword)


def _turned(said: str, clause: Clause, draw: ClauseChoices, reword: Callable[[str], str]) -> str:
    rest = clause.rest
    if not rest:
        echo = draw.style == "novice" and clause.order == "turn" and draw.chance(0.15)
        return f"{said}, yes, to the {clause.side}" if echo else said
    if _PATH_WORD.match(rest) and (draw.style != "friendly" or draw.chance(0.4)):
        onward = clause_of(rest)
        if onward.order not in ("other", "told"):
            return f"{said} and {order_words(onward, draw, reword)}"
    return f"{said}{_spaced(reword(rest))}"


def _stopped(clause: Clause, draw: ClauseChoices, reword: Callable[[str], str]) -> str:
    orders = ORDERS[draw.style]
    rest = clause.rest
    if not rest and clause.order == "stop":
        return draw.pick(orders["stop.bare"])
    verb = draw.pick(orders[clause.order])
    near = re.match(r"(?:right |just )?by(?= )", rest, re.IGNORECASE)
    if near:
        return f"{verb} {draw.pick(_NEAR[draw.style])}{reword(rest[near.end() :])}"
    return f"{verb}{_spaced(reword(rest))}"


def _moved(clause: Clause, draw: ClauseChoices, reword: Callable[[str], str]) -> str:
    orders = ORDERS[draw.style]
    order, rest = clause.order, clause.rest
    if order == "out" and (not rest or _ON_ITS_OWN.match(rest)):
        return f"{draw.pick(orders['out.bare'])}{_spaced(reword(rest))}"
    preposition = _PREPOSITION.get(order, order)
    if clause.adverb or not rest or _GOES_ON.search(rest):
        verb = draw.pick(orders["again" if clause.again else "go"])
        return f"{verb}{_spaced(clause.adverb)} {preposition}{_spaced(reword(rest))}"
    if clause.again and order not in ("up", "down") and draw.chance(0.7):
        return f"{draw.pick(orders['again'])} {preposition} {reword(rest)}"
    if order in ("into", "out") and _DOOR.match(rest):
        return f"{draw.pick(_DOOR_VERBS[draw.style][order])} {reword(rest)}"
    verb = draw.pick(orders[order])
    if verb == "traverse" and _DOOR.match(rest):
        verb = f"proceed {order}"
    return f"{verb} {reword(rest)}"


def _spaced(words: str) -> str:
    if not words:
        return ""
    return words if words[0] in ",;:" else f" {words}"


@lru_cache(maxsize=8)
def _noun_pattern(style: str) -> re.Pattern[str]:
    names = sorted(NOUNS[style], key=len, reverse=True)
    return re.compile(
        r"(?<![\w’'-])(?:" + "|".join(re.escape(n) for n in names) + r")(?![\w’'-])", re.IGNORECASE
    )


@lru_cache(maxsize=8)
def _relations(style: str) -> tuple[re.Pattern[str], tuple[tuple[re.Pattern[str], str], ...]]:
    """What finds any relation, and each by itself with what may stand for it."""
    each = [(rf"(?<![\w’'-])(?:{found})(?![\w’'-])", said) for found, said in RELATIONS[style]]
    plain = "|".join(re.sub(r"\((?=left\|right\))", "(?:", found) for found, _ in each)
    return re.compile(plain, re.IGNORECASE), tuple(
        (re.compile(found, re.IGNORECASE), said) for found, said in each
    )


def _related(match: re.Match[str], draw: ClauseChoices) -> str:
    for pattern, said in _relations(draw.style)[1]:
        if found := pattern.match(match.string, match.start()):
            return found.expand(draw.pick(said))
    return match.group()


def reworded(text: str, draw: ClauseChoices, *, relations: bool = True) -> str:
    """``text`` with landmarks and, if ``relations``, the words between them as the style has
    them."""
    if relations:
        text = _relations(draw.style)[0].sub(lambda m: _related(m, draw), text)
    changed = _noun_pattern(draw.style).sub(lambda m: _named(m, draw), text)
    return re.sub(r"\b(an?)( +)([^\W\d_][\w-]*)", _article, changed)


def _article(match: re.Match[str]) -> str:
    _, gap, word = match.groups()
    if len(word) == 1 or word.lower() in ("and", "or", "at", "in", "of", "to", "on", "is"):
        return match.group()
    return f"{article(word)}{gap}{word}"


def _named(match: re.Match[str], draw: ClauseChoices) -> str:
    found = match.group()
    word = found.lower()
    before = re.findall(r"[\w’'-]+", match.string[max(0, match.start() - 40) : match.start()])
    after = re.match(r"\s+([\w’'-]+)", match.string[match.end() :])
    last = before[-1].lower() if before else ""
    following = after[1].lower() if after else ""
    if word in _SIZES:
        if word == "little" and not carries_content(following):
            return found
    elif (following and carries_content(following)) or _part_of_name(last, draw.style):
        return found
    new = draw.name(word)
    if word == "home" and last not in ("the", "this"):
        return found
    if word == "stairs" and new != "stairs":
        loose = last == "of" and len(before) > 1 and before[-2].lower() in _MANY
        if last in _MANY or loose or following in _PLURAL_VERB:
            return found
    verbal = following in ("that", "which", "is", "leads", "goes")
    if word in _SINGLE_STAIRS and new == "stairs" and (last != "the" or verbal):
        return found
    if found.isupper() and len(found) > 2:
        return new.upper()
    return new


def _part_of_name(last: str, style: str) -> bool:
    """Whether the word before makes a compound that has to stay: "kitchen cabinet"."""
    return last in _HOUSEHOLD or (last in NOUNS[style] and last not in _SIZES)
