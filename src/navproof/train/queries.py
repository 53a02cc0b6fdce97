"""What is said about an object in training, and the rule of what the words fit.

An object is described by *facts*: ``category``, ``colour``, ``material``, ``pattern``, ``size``,
``state``, ``modifier``, ``on`` (the category of the thing that supports it) and counts
(``drawers``, ``doors``, …); attributes that it does not have are absent. ``draw_query`` picks some
of them and says them in one of many ways; what the query wants stays known, so that any other
object can be checked with ``fits``. Held-out words (``lexicon.HELD_OUT``) are never said.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeVar

import numpy as np

from navproof.language.lexicon import (
    ATTRIBUTE_WORDS,
    HELD_OUT,
    HYPERNYMS,
    MASS_NOUNS,
    NUMBER_WORDS,
    ROOM_NAMES,
    SYNONYMS,
    Sayings,
    covers,
    unsure,
)
from navproof.language.nouns import article, noun, plural
from navproof.seeding import derive
from navproof.types import Scalar
from navproof.world.catalog import CATEGORIES

__all__ = ["COUNTS", "HELD_OUT_PAIRS", "Query", "draw_query", "draw_room_query", "fits"]

T = TypeVar("T")

COUNTS: Mapping[str, str] = {
    "blades": "blade",
    "cushions": "cushion",
    "doors": "door",
    "drawers": "drawer",
    "panels": "panel",
    "panes": "pane",
    "pillows": "pillow",
    "seats": "seat",
    "shelves": "shelf",
}
"""Facts that are counts, and what one of the counted things is called."""

_ALL = frozenset(CATEGORIES)
_FRAMED = frozenset({"picture", "mirror"})
_ADJECTIVES = ("size", "state", "colour", "pattern", "material", "modifier")  # as said in a row
_SHAPES = ("round", "square", "rectangular", "oval")  # modifiers that suit any noun
_SILENT = frozenset(
    {("colour", c) for c in ("plant", "potted plant", "whiteboard", "ceiling light")}
    | {("material", c) for c in ("bed", "picture", "mirror", "toilet", "washbasin", "bathtub")}
    | {("material", c) for c in ("whiteboard", "book", "kitchen sink", "candle", "radiator")}
)
"""What nobody says of a thing: a green plant, a wooden painting."""
_LIGHTS = frozenset({"ceiling light", "floor lamp", "pendant lamp", "table lamp"})
_LIGHT_WORDS: Mapping[Scalar, Sayings] = {
    "on": Sayings(("lit", "glowing"), ("lit", "glowing")),
    "off": Sayings(("unlit",), ("unlit", "not lit")),
}
_LIGHT_SHARE = 0.5  # how often a lamp is "lit" rather than "on"
_PREPOSITIONS = ("with", "made", "of", "in", "on", "covered", "showing", "without", "holding")

_NAMELESS = ("something {}", "a thing {}", "anything {}", "an object {}", "the thing {}")
_NAMELESS_BEFORE = ("something {}", "anything {}", "a {} thing", "a {} object", "{} objects")
_FRAMES = (
    *("{}", "{}", "{}", "{}", "{}", "{}", "{}", "{}"),
    *("find {}", "go to {}", "look for {}", "navigate to {}", "search for {}", "walk to {}"),
    *("locate {}", "move to {}", "head to {}", "find me {}", "take me to {}", "I need {}"),
    *("where is {}?", "can you find {}?", "please find {}", "your goal is {}", "stop at {}"),
    *("a photo of {}", "a picture showing {}", "there is {}", "this is {}", "I can see {}"),
)
_ROOM_FRAMES = (
    *("{}", "{}", "the {}", "a {}", "a {}", "in the {}", "go to the {}", "find the {}"),
    *("this looks like a {}", "this is a {}", "a photo of a {}", "I am in a {}"),
    *("a room that is a {}", "a view of a {}", "where is the {}?", "inside a {}"),
)
_DETAIL = (0.30, 0.70, 0.90)  # cumulative shares of no, one, two attributes; the rest three
_NAMELESS_SHARE = 0.07
_CAPITAL_SHARE = 0.25
_PLURAL_SHARE = 0.06
_NOUN_SHARES = (0.55, 0.85)  # cumulative shares of the usual noun, a synonym; the rest broader
_USUAL_WORD_SHARE = 0.6
_DICE = 40  # more than one query ever uses


@dataclass(frozen=True, slots=True)
class Query:
    """``text``, and what it asks for: one of ``categories`` with every ``wanted`` value.

    ``categories`` are all that the words name, every one of the catalogue when they name none
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


def _held_out_pairs() -> frozenset[tuple[str, str]]:
    pairs = (
        (name, str(colour))
        for name, category in CATEGORIES.items()
        if len(colours := category.attributes.get("colour", ())) >= 4 and name not in _FRAMED
        for colour in colours
        if ("colour", name) not in _SILENT
    )
    return frozenset(pair for pair in pairs if derive("held-out pair", *pair) % 10 == 0)


HELD_OUT_PAIRS: frozenset[tuple[str, str]] = _held_out_pairs()
"""(category, colour): a tenth of the catalogue's pairs, kept from training to measure
combinations never seen."""


class _Dice:
    """A row of uniform numbers, used one by one: far cheaper than a generator's own choices."""

    __slots__ = ("_left",)

    def __init__(self, rng: np.random.Generator) -> None:
        self._left = iter(rng.random(_DICE).tolist())

    def roll(self) -> float:
        return float(next(self._left))

    def pick(self, options: Sequence[T]) -> T:
        return options[int(self.roll() * len(options))]

    def word(self, options: Sequence[str]) -> str:
        """The usual word, which comes first, or any other."""
        if len(options) == 1 or self.roll() < _USUAL_WORD_SHARE:
            return options[0]
        return self.pick(options)

    def shuffled(self, options: Sequence[T]) -> list[T]:
        keyed = [(self.roll(), i) for i in range(len(options))]
        return [options[i] for _, i in sorted(keyed)]


def draw_query(facts: Mapping[str, Scalar], rng: np.random.Generator) -> Query:
    """One thing that somebody could say of the object; the same for the same ``rng`` state."""
    dice = _Dice(rng)
    category = str(facts["category"])
    share = dice.roll()
    detail = sum(share >= upto for upto in _DETAIL)
    if detail and dice.roll() < _NAMELESS_SHARE:
        query = _nameless(facts, dice)
        if query is not None:
            return query
    name = _name(category, dice)
    sure = covers(name)
    keys = [k for k in facts if _sayable(k, facts[k], category, name)]
    chosen = dice.shuffled(keys[:12])[: detail if detail < 3 else 3 + (dice.roll() < 0.3)]
    maybe = unsure(name)
    if len(sure) > 1 and ("colour" in chosen or "material" in chosen):
        maybe |= sure & _FRAMED - {category}
    if not chosen and name not in MASS_NOUNS and dice.roll() < _PLURAL_SHARE:
        said = f"some {plural(name)}" if dice.roll() < 0.5 else plural(name)
    else:
        said = _phrase(name, category, {k: facts[k] for k in chosen}, dice)
    text = _frame(said, dice)
    return Query(text, sure - maybe, {k: facts[k] for k in chosen}, maybe)


def draw_room_query(room_type: str, rng: np.random.Generator) -> Query:
    """Words for a room of this type, wanting the fact ``room``."""
    dice = _Dice(rng)
    name = dice.word(ROOM_NAMES.get(room_type, (room_type.replace("_", " "),)))
    template = dice.pick(_ROOM_FRAMES)
    text = template.replace(" a {}", f" {article(name)} {{}}").format(name)
    if text.startswith("a ") and template == "a {}":
        text = f"{article(name)} {name}"
    return Query(_cased(text, dice), _ALL, {"room": room_type})


# ---------------------------------------------------------------------------- what is said
@lru_cache(maxsize=512)
def _names(category: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Synonyms and broader words that may be said."""
    near = tuple(n for n in SYNONYMS[category] if n.lower() not in HELD_OUT)
    broad = tuple(w for w, names in HYPERNYMS.items() if category in names and w not in HELD_OUT)
    return near, broad


def _name(category: str, dice: _Dice) -> str:
    near, broad = _names(category)
    share = dice.roll()
    if near and _NOUN_SHARES[0] <= share < _NOUN_SHARES[1]:
        return dice.pick(near)
    if broad and share >= _NOUN_SHARES[1]:
        return dice.pick(broad)
    return noun(category)


@lru_cache(maxsize=65536)
def _sayable(key: str, value: Scalar, category: str, name: str) -> bool:
    """Whether somebody who says ``name`` for the thing could mention this fact, and be right."""
    if key == "on":
        return isinstance(value, str) and value in CATEGORIES
    if key in COUNTS:
        return isinstance(value, int) and 0 < value < len(NUMBER_WORDS)
    if value not in ATTRIBUTE_WORDS.get(key, {}) or (key, category) in _SILENT:
        return False
    broad = name in HYPERNYMS and name not in (category, noun(category))
    if key in ("colour", "material") and category in _FRAMED:
        return key == "colour" and not broad
    if key == "modifier" and broad and value not in _SHAPES:
        return False
    return any(_words(key, value, category, covers(name)))


@lru_cache(maxsize=65536)
def _words(
    key: str, value: Scalar, category: str, among: frozenset[str]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Words (before, after) for the value that mean nothing else in any of ``among``."""
    other = {
        word
        for k, values in ATTRIBUTE_WORDS.items()
        for v, said in values.items()
        if (k, v) != (key, value) and any(v in CATEGORIES[c].attributes.get(k, ()) for c in among)
        for word in (*said.before, *said.after)
    }
    said = ATTRIBUTE_WORDS[key][value]
    usable = HELD_OUT | other
    return (
        tuple(word for word in said.before if word not in usable),
        tuple(word for word in said.after if word not in usable),
    )


def _nameless(facts: Mapping[str, Scalar], dice: _Dice) -> Query | None:
    """Attributes alone: "something red", "a thing made of wood"."""
    category = str(facts["category"])
    if category in _FRAMED:
        return None
    options = []
    for key in ("colour", "pattern", "material"):
        value = facts.get(key)
        if value in ATTRIBUTE_WORDS[key] and (key, category) not in _SILENT:
            before, after = _words(key, value, category, _ALL)
            options += [(key, value, before, after)] if before or after else []
    if not options:
        return None
    key, value, before, after = dice.pick(options)
    if before and (not after or dice.roll() < 0.6):
        word = dice.word(before)
        said = dice.pick(_NAMELESS_BEFORE).format(word)
        said = said.replace(f"a {word}", f"{article(word)} {word}", 1) if said[:2] == "a " else said
    else:
        said = dice.pick(_NAMELESS).format(dice.pick(after))
    maybe = _FRAMED if key in ("colour", "material") else frozenset()
    return Query(_cased(said, dice), _ALL - maybe, {key: value}, maybe)


def _phrase(name: str, category: str, said: Mapping[str, Scalar], dice: _Dice) -> str:
    """The noun phrase, with its determiner: "a wooden cabinet with three drawers"."""
    before: list[str] = []
    after: list[str] = []
    clause: list[str] = []
    for key in _ADJECTIVES:
        if key in said:
            _say(key, said[key], category, name, before, after, clause, dice)
    for key, value in said.items():
        if key in COUNTS:
            _count(COUNTS[key], key, int(value or 0), name, before, after, dice)
    if "on" in said:
        joint = dice.pick((" on ", " on ", " on ", " on top of ", " standing on ", " placed on "))
        after.append(joint.strip() + f" {_support(str(said['on']), dice)}")
    words = " ".join([*before, name])
    tail = [*after]
    if clause:
        verb = dice.pick(("that is", "that is", "that's", "which is"))
        tail.append(f"{verb} {' and '.join(clause)}")
    return " ".join([_determined(words, name, dice), *tail])


def _say(
    key: str,
    value: Scalar,
    category: str,
    name: str,
    before: list[str],
    after: list[str],
    clause: list[str],
    dice: _Dice,
) -> None:
    """Put one attribute before the noun, after it, or into a clause at the end."""
    if key == "colour" and category in _FRAMED:
        colour = dice.word(_words(key, value, category, frozenset((category,)))[0])
        framed = f"{article(colour)} {colour} frame"
        if dice.roll() < 0.5:
            before.append(f"{colour}-framed")
        else:
            after.append(dice.pick((f"with {framed}", f"in {framed}")))
        return
    first, last = _words(key, value, category, covers(name))
    if key == "state" and covers(name) <= _LIGHTS and dice.roll() < _LIGHT_SHARE:
        first, last = _LIGHT_WORDS[value].before, _LIGHT_WORDS[value].after
    if key == "colour" and dice.roll() < 0.3:
        colour = dice.word(first)
        if dice.roll() < 0.3:
            after.append(f"in {colour}")
        else:
            clause.append(f"{colour} in colour" if dice.roll() < 0.2 else colour)
    elif last and (not first or dice.roll() < (0.6 if key == "state" else 0.25)):
        word = dice.word(last)
        bare = word.split(" ")[0] not in _PREPOSITIONS or word in ("on", "of")
        (clause if bare else after).append(word)
    else:
        before.append(dice.word(first))


def _count(
    one: str, key: str, number: int, name: str, before: list[str], after: list[str], dice: _Dice
) -> None:
    word = NUMBER_WORDS[number] if dice.roll() < 0.75 else str(number)
    if dice.roll() < 0.25:
        before.insert(
            0, f"{word}-seater" if one == "seat" and dice.roll() < 0.7 else f"{word}-{one}"
        )
    elif number == 1:
        after.append(dice.pick((f"with one {one}", f"with a single {one}", f"with 1 {one}")))
    else:
        after.append(f"with {word} {key}" if dice.roll() < 0.85 else f"that has {word} {key}")


@lru_cache(maxsize=512)
def _support_names(category: str) -> tuple[str, ...]:
    near = (n for n in _names(category)[0] if covers(n) == {category})
    return (noun(category), *near)


def _support(category: str, dice: _Dice) -> str:
    name = dice.word(_support_names(category))
    return f"the {name}" if dice.roll() < 0.8 or name in MASS_NOUNS else f"{article(name)} {name}"


def _determined(words: str, name: str, dice: _Dice) -> str:
    share = dice.roll()
    if share < 0.4:
        return words
    if share < 0.7:
        return f"the {words}"
    return f"some {words}" if name in MASS_NOUNS else f"{article(words)} {words}"


def _frame(said: str, dice: _Dice) -> str:
    template = dice.pick(_FRAMES)
    if template != "{}" and not said.startswith(("the ", "a ", "an ", "some ")):
        said = f"the {said}"
    return _cased(template.format(said), dice)


def _cased(text: str, dice: _Dice) -> str:
    if dice.roll() >= _CAPITAL_SHARE:
        return text
    text = text[:1].upper() + text[1:]
    return text + "." if text[-1] != "?" and dice.roll() < 0.5 else text
