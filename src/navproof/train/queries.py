"""What is said about an object in training, and the rule of what the words fit.

An object is described by *facts*: ``category``, ``colour``, ``material``, ``pattern``, ``size``,
``state``, ``modifier``, ``on`` (the category of the thing that supports it) and counts
(``drawers``, ``doors``, …); attributes that it does not have are absent. ``draw_query`` picks some
of them and says them in one of many ways; what the query wants stays known, so that any other
object can be checked with ``fits``. Held-out words (``lexicon.HELD_OUT``) are never said.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from navproof.core.seeding import derive
from navproof.core.types import Scalar
from navproof.language.lexicon.nouns import article, noun, plural
from navproof.language.lexicon.terms import ATTRIBUTE_WORDS, MASS_NOUNS, ROOM_NAMES, covers, unsure
from navproof.train.descriptions import (
    COUNTS,
    FRAMED,
    SILENT,
    Dice,
    names,
    noun_phrase,
    sayable,
    words_for,
)
from navproof.train.people import PEOPLE, draw_person_words
from navproof.world.catalog import CATEGORIES

__all__ = [
    "COUNTS",
    "HELD_OUT_PAIRS",
    "Query",
    "draw_person_query",
    "draw_query",
    "draw_room_query",
    "emphasis",
    "fits",
]

_ALL = frozenset(CATEGORIES)
_COLOUR_LIKE = ("colour", "material")
_NAMELESS = ("colour", "pattern", "material")
"""Attributes that mean the same of anything."""

_ASK = (
    *("find {}", "go to {}", "look for {}", "navigate to {}", "search for {}", "walk over to {}"),
    *("locate {}", "move to {}", "head to {}", "find me {}", "take me to {}", "I need {}"),
    *("where is {}?", "can you find {}?", "could you go to {}?", "please find {}", "stop at {}"),
    *("your goal is {}", "I am looking for {}", "please go to {}", "now find {}", "now {}"),
)
_FOLLOW = ("follow {}", "follow {}", "keep behind {}", "walk after {}", "stay close to {}")
_SEE = ("a photo of {}", "a picture showing {}", "there is {}", "this is {}", "I can see {}")
_ROOM = (
    *("{}", "{}", "the {}", "in the {}", "go to the {}", "find the {}", "where is the {}?"),
    *("[a] {}", "[a] {}", "this looks like [a] {}", "this is [a] {}", "a photo of [a] {}"),
    *("I am in [a] {}", "a room that is [a] {}", "a view of [a] {}", "inside [a] {}"),
)
_BARE_SHARE, _ASK_SHARE = 0.40, 0.85  # cumulative: the phrase alone, a request; the rest a sight
_DETAIL = (0.30, 0.70, 0.90, 0.97)  # cumulative shares of no, one, two, three attributes
_NOUN_SHARE, _SYNONYM_SHARE = 0.55, 0.85  # cumulative: the usual noun, another; the rest broader
_NAMELESS_SHARE = 0.07
_PLURAL_SHARE = 0.06
_CAPITAL_SHARE = 0.3
_SPOKEN_OF = {"pattern": 5.0, "material": 2.0, "size": 2.0, "modifier": 1.5}
_COUNT_SPOKEN_OF = 2.5
"""How much rather an attribute is mentioned than colour, state or support: families that few
objects have, or that are hard to see, would otherwise hardly be learnt."""


@dataclass(frozen=True, slots=True)
class Query:
    """``text``, and what it asks for: one of ``categories`` with every ``wanted`` value.

    ``categories`` are all that the words name, nearly all of the catalogue when they name none
    ("something red"). For those in ``unsure`` the words are neither right nor wrong (a dresser
    for "cabinet", see ``nouns.could_mean``): best left out of a loss.
    """

    text: str
    categories: frozenset[str]
    wanted: Mapping[str, Scalar]
    unsure: frozenset[str] = frozenset()


def fits(query: Query, facts: Mapping[str, Scalar]) -> bool:
    """Whether the words of ``query`` are true of the object: the reference rule. A value that is
    absent from the facts never fits a wanted one."""
    if facts.get("category") not in query.categories:
        return False
    return all(key in facts and facts[key] == value for key, value in query.wanted.items())


def draw_query(
    facts: Mapping[str, Scalar], rng: np.random.Generator, *, focus: bool = False
) -> Query:
    """One thing that somebody could say of the object; the same for the same ``rng`` state.
    ``focus``: attributes that few things have, or that are hard to see, are said more often."""
    dice = Dice(rng)
    category = str(facts["category"])
    share = dice.roll()
    detail = sum(share >= upto for upto in _DETAIL)
    if detail and dice.chance(_NAMELESS_SHARE) and (query := _nameless(facts, category, dice)):
        return query
    name = _name(category, dice)
    known = [k for k in facts if sayable(k, facts[k], category, name)]
    chosen = dice.some(known, detail, [emphasis(k) if focus else 1.0 for k in known])
    wanted = {key: facts[key] for key in chosen}
    if not wanted and name not in MASS_NOUNS and dice.chance(_PLURAL_SHARE):
        text = _cased(plural(name), dice)
    else:
        text = _asked(noun_phrase(name, category, wanted, dice), name in MASS_NOUNS, dice)
    sure, maybe = covers(name), unsure(name)
    if len(sure) > 1 and not wanted.keys().isdisjoint(_COLOUR_LIKE):
        maybe |= (sure & FRAMED) - {category}
    return Query(text, sure - maybe, wanted, maybe)


def emphasis(attribute: str) -> float:
    """How often an attribute is spoken of, beside 1 for colour."""
    return _COUNT_SPOKEN_OF if attribute in COUNTS else _SPOKEN_OF.get(attribute, 1.0)


def draw_person_query(appearance: str, rng: np.random.Generator) -> Query:
    """Words for somebody, alone or in a sentence, wanting everybody whom they fit."""
    words, fitting = draw_person_words(appearance, rng)
    dice = Dice(rng)
    share = dice.roll()
    if share >= _ASK_SHARE:
        words = dice.pick(_SEE).format(words)
    elif share >= _BARE_SHARE:
        words = dice.pick((*_ASK, *_FOLLOW)).format(words)
    return Query(_cased(words, dice), fitting, {})


def draw_room_query(room_type: str, rng: np.random.Generator) -> Query:
    """Words for a room of this type, wanting the fact ``room`` of whatever is in it."""
    dice = Dice(rng)
    name = dice.word(ROOM_NAMES.get(room_type, (room_type.replace("_", " "),)))
    text = dice.pick(_ROOM).replace("[a]", article(name)).format(name)
    return Query(_cased(text, dice), _ALL, {"room": room_type})


def _name(category: str, dice: Dice) -> str:
    near, broad = names(category)
    share = dice.roll()
    if near and _NOUN_SHARE <= share < _SYNONYM_SHARE:
        return dice.pick(near)
    if broad and share >= _SYNONYM_SHARE:
        return dice.pick(broad)
    return noun(category)


def _nameless(facts: Mapping[str, Scalar], category: str, dice: Dice) -> Query | None:
    """An attribute alone: "something red", "a thing made of wood"; None if it has none such."""
    if category in FRAMED:
        return None
    said = {
        key: words_for(key, facts[key], _ALL)
        for key in _NAMELESS
        if facts.get(key) in ATTRIBUTE_WORDS[key] and (key, category) not in SILENT
    }
    keys = [key for key, words in said.items() if words.before]
    if not keys:
        return None
    key = dice.pick(keys)
    words = said[key]
    if words.after and dice.chance(0.4):
        text = f"{dice.pick(('something', 'anything', 'a thing'))} {dice.pick(words.after)}"
    else:
        word = dice.word(words.before)
        one = article(word)
        ways = (f"something {word}", f"anything {word}", f"{one} {word} thing", f"{word} objects")
        text = dice.pick((*ways, f"{one} {word} object"))
    maybe = FRAMED if key in _COLOUR_LIKE else frozenset()
    unsure_of = maybe | frozenset(PEOPLE)  # whose clothes may be red, too
    return Query(_cased(text, dice), _ALL - maybe, {key: facts[key]}, unsure_of)


def _asked(said: str, mass: bool, dice: Dice) -> str:
    """The phrase with a determiner, alone or in a sentence."""
    share = dice.roll()
    one = f"{'some' if mass else article(said)} {said}"
    if share < _BARE_SHARE:
        text = dice.pick((said, said, f"the {said}", one))
    elif share < _ASK_SHARE:
        text = dice.pick(_ASK).format(f"the {said}" if dice.chance(0.75) else one)
    else:
        text = dice.pick(_SEE).format(one)
    return _cased(text, dice)


def _cased(text: str, dice: Dice) -> str:
    """As it is, or as a sentence is written."""
    if not dice.chance(_CAPITAL_SHARE):
        return text
    text = text[:1].upper() + text[1:]
    return text if text.endswith("?") or dice.chance(0.4) else f"{text}."


def _held_out_pairs() -> frozenset[tuple[str, str]]:
    pairs = (
        (name, str(colour))
        for name, category in CATEGORIES.items()
        if len(colours := category.attributes.get("colour", ())) >= 4
        and name not in FRAMED
        and ("colour", name) not in SILENT
        for colour in colours
    )
    return frozenset(pair for pair in pairs if derive("held-out pair", *pair) % 10 == 0)


HELD_OUT_PAIRS: frozenset[tuple[str, str]] = _held_out_pairs()
"""(category, colour): a tenth of the catalogue's pairs, kept from training to measure
combinations never seen."""
