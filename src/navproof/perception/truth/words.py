"""What words ask for: the noun, the looks that are said or denied, and what it stands on.

Reads noun phrases such as "the large red wooden chair", "a lamp that is switched on", "dresser with
three drawers", "chair that is not black", "vase on the desk". Words that it does not know are
passed over, as a listener does with "lovely".
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from navproof.core.types import Scalar
from navproof.language.lexicon.nouns import adjective, could_mean, noun, plural
from navproof.language.lexicon.terms import ATTRIBUTE_WORDS, HYPERNYMS, SYNONYMS, covers
from navproof.world.catalog import CATEGORIES

__all__ = [
    "NOUNS",
    "STRUCTURE",
    "VALUES",
    "Trait",
    "WordMeaning",
    "fits",
    "means",
    "read",
    "traits",
]

Trait = tuple[str, Scalar]
"""A family of attributes and a value in it: ("colour", "red"), ("drawers", 3)."""

STRUCTURE = ("wall", "floor", "ceiling")
_ANYTHING = ("thing", "object", "item", "something", "one", "piece of furniture")
_NUMBERS = dict(
    zip(
        ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
        range(1, 11),
        strict=True,
    )
)
_COUNTED = {
    **{name: name for name in ("drawers", "doors", "shelves", "seats", "cushions")},
    **{name: name for name in ("panes", "blades", "panels", "pillows")},
    "shelf": "shelves",
    "seater": "seats",
}
_ARTICLE = r"(?:the|a|an|some|its|this|that)"
_SUPPORT = re.compile(
    r"\s*\b(?:(?:that|which) (?:is|stands|sits|lies|rests)\s+)?"
    r"(?:standing |sitting |lying |resting |placed )?\b(?:up)?on (?:top of )?"
    + _ARTICLE
    + r" (.+)$"
)
_ELSEWHERE = re.compile(
    r"\b(?:next to|near|beside|under|below|above|behind|between|by|at|in|inside|against|opposite"
    r"|to the (?:left|right)|(?:left|right) of|closest to)\b.*$"
)
"""Where it is among other things: read by whoever knows geometry, not here."""
_TAIL = re.compile(r",|\b(?:with|without|that|which|whose|of|not)\b")
_DENIED = re.compile(r"(?:\bnot|n't|\bnon|\bwithout|\bno)(?: |-)(?:any |a |an )?$")


@dataclass(frozen=True, slots=True)
class WordMeaning:
    """What some words ask for. ``noun`` is None where any thing will do. Of each set in ``said``
    one trait must be there ("floral" is a pattern or a picture's subject); none of ``denied``."""

    noun: str | None
    said: tuple[frozenset[Trait], ...] = ()
    denied: tuple[frozenset[Trait], ...] = ()
    on: str | None = None


def _endings() -> tuple[str, ...]:
    """Every name of a category and every ending of it that is a name: "table", "lamp"."""
    endings: set[str] = set(STRUCTURE)
    for category in CATEGORIES:
        for name in (noun(category).lower(), category):
            words = name.split()
            endings |= {" ".join(words[i:]) for i in range(len(words))}
    return tuple(sorted(endings))


def _values() -> tuple[Trait, ...]:
    pairs: set[Trait] = set()
    for what in CATEGORIES.values():
        for family, values in what.attributes.items():
            pairs |= {(family, value) for value in values if value not in (None, "", 0)}
    return tuple(sorted(pairs, key=lambda pair: (pair[0], str(pair[1]))))


NOUNS: tuple[str, ...] = _endings()
"""The usual nouns, lower case."""
VALUES: tuple[Trait, ...] = _values()
"""Every attribute value of the catalogue."""


def _phrases() -> dict[str, frozenset[Trait]]:
    """Words to the traits that they may mean."""
    phrases: dict[str, set[Trait]] = {}

    def add(words: str, trait: Trait) -> None:
        phrases.setdefault(words.lower(), set()).add(trait)

    for family, value in VALUES:
        if family == "colour2" or not isinstance(value, str):
            continue
        words_of = ATTRIBUTE_WORDS.get(family, {}).get(value)
        words = {value, adjective("chair", family, value)}
        words |= set() if words_of is None else {*words_of.before, *words_of.after}
        for word in words:
            add("is on" if word == "on" else word, (family, value))  # else any support would be one
        if family == "colour":
            add(adjective("picture", family, value), (family, value))
    return {words: frozenset(traits) for words, traits in phrases.items()}


def _names() -> dict[str, str]:
    """Every name, plurals too, to its singular."""
    broader = {n.lower() for names in SYNONYMS.values() for n in names} | set(HYPERNYMS)
    names = {*NOUNS, *broader, *_ANYTHING}
    return {plural(name).lower(): name for name in names} | {name: name for name in names}


_PHRASES = _phrases()
_SINGULAR = _names()
_LINKED = {name for name in _SINGULAR if re.search(r" (?:of|on|in|for|to) ", name)}


def _alternatives(words: list[str]) -> str:
    return "|".join(re.escape(w) for w in sorted(words, key=lambda w: (-len(w), w)))


_NOUN = re.compile(rf"(?<![\w-])({_alternatives(list(_SINGULAR))})(?![\w-])")
_TRAIT = re.compile(rf"(?<![\w])({_alternatives(list(_PHRASES))})(?![\w-])")
_COUNT = re.compile(
    rf"\b({'|'.join(_NUMBERS)}|\d{{1,6}})[ -]"
    rf"({'|'.join(sorted({w.removesuffix('s') for w in _COUNTED} | set(_COUNTED)))})s?\b"
)
_LINKED_NAME = re.compile(rf"\b({_alternatives(list(_LINKED))})\b")
_PAIR = re.compile(r"\b(\w+) and (\w+)\b")


@lru_cache(maxsize=1024)
def read(text: str) -> WordMeaning:
    """What ``text`` asks for."""
    words = re.sub(r"[^\w\s,'-]", " ", text.lower())
    words = _LINKED_NAME.sub(_usual, " ".join(words.split()))
    on = None
    support = _SUPPORT.search(words)
    if support:
        on = _head(_ELSEWHERE.sub("", support.group(1)))[0]
        words = words[: support.start()]
    words = _ELSEWHERE.sub("", words) or words
    name, words = _head(words)
    said: list[frozenset[Trait]] = []
    denied: list[frozenset[Trait]] = []
    seconds = [
        m.group(2)
        for m in _PAIR.finditer(words)
        if all(("colour", g) in VALUES for g in m.groups())
    ]
    for match in _COUNT.finditer(words):
        number = _NUMBERS.get(match.group(1)) or int(match.group(1))
        counted = match.group(2)
        family = _COUNTED.get(counted) or _COUNTED[counted + "s"]
        said.append(frozenset({(family, number)}))
    words = _COUNT.sub(" ", words)
    for match in _TRAIT.finditer(words):
        options = _PHRASES[match.group(1)]
        if match.group(1) in seconds:
            options = frozenset({("colour2", match.group(1))})
        into = denied if _DENIED.search(words[: match.start()]) else said
        if options not in into:
            into.append(options)
    return WordMeaning(name, tuple(said), tuple(denied), on)


def _usual(match: re.Match[str]) -> str:
    """The usual noun for a name with a preposition in it: "chest of drawers", a dresser."""
    return noun(min(covers(_SINGULAR[match.group(1)]))).lower()


def _head(words: str) -> tuple[str | None, str]:
    """The head noun of a phrase, and the phrase without it."""
    cut = _TAIL.search(words)
    front = words[: cut.start()] if cut and words[: cut.start()].strip() else words
    matches = list(_NOUN.finditer(front))
    if matches:
        last = matches[-1]
        name = _SINGULAR[last.group(1)]
        rest = f"{words[: last.start()]} {words[last.end() :]}"
        return (None if name in _ANYTHING else name), rest
    unknown = [
        word
        for word in re.findall(r"[\w'-]+", front)
        if word not in _PHRASES and not re.fullmatch(_ARTICLE, word)
    ]
    return (unknown[-1] if unknown else None), words


def means(words: str, category: str) -> bool:
    """Whether the noun that was said fits a thing of ``category``."""
    return could_mean(words, category) or category in covers(words)


def traits(facts: Mapping[str, Scalar]) -> frozenset[Trait]:
    """The traits in an object's facts (``TaskBrief.facts``)."""
    return frozenset(
        (name.removeprefix("attr."), value)
        for name, value in facts.items()
        if name.startswith("attr.") and value not in (None, "", 0)
    )


def fits(
    meaning: WordMeaning, facts: Mapping[str, Scalar], things: Mapping[int, Mapping[str, Scalar]]
) -> bool:
    """Whether the object with these facts is what is wanted; ``things`` holds its support."""
    if meaning.noun is not None and not means(meaning.noun, str(facts.get("category", ""))):
        return False
    has = traits(facts)
    if not all(options & has for options in meaning.said):
        return False
    if any(options & has for options in meaning.denied):
        return False
    if meaning.on is None:
        return True
    support = facts.get("support")
    below = things.get(support) if isinstance(support, int) else None
    return below is not None and means(meaning.on, str(below.get("category", "")))
