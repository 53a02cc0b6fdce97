"""Says facts in English, in one of many ways: "the wooden cabinet with three drawers".

A speaker puts each fact before the noun ("wooden"), behind it ("with three drawers") or into a
clause at the end ("that is open"). It says only words that mean nothing else of the things that
the noun may name: "lit" is said of a lamp, not of "something", which could be a candle.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TypeVar

import numpy as np

from navproof.core.types import Scalar
from navproof.language.lexicon.nouns import article, noun
from navproof.language.lexicon.terms import (
    ATTRIBUTE_WORDS,
    HELD_OUT,
    HYPERNYMS,
    MASS_NOUNS,
    NUMBER_WORDS,
    SYNONYMS,
    AttributeWords,
    covers,
)
from navproof.world.catalog import CATEGORIES

__all__ = ["COUNTS", "FRAMED", "SILENT", "Dice", "names", "noun_phrase", "sayable", "words_for"]

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
FRAMED = frozenset({"picture", "mirror"})
"""Things whose colour and material are their frame's."""
SILENT = frozenset(
    {("colour", c) for c in ("plant", "potted plant", "whiteboard", "ceiling light")}
    | {("material", c) for c in ("bed", "picture", "mirror", "toilet", "washbasin", "bathtub")}
    | {("material", c) for c in ("whiteboard", "book", "kitchen sink", "candle", "radiator")}
    | {(key, "kitchen sink") for key in ("colour", "modifier", "doors")}
    | {("state", "air conditioner")}
)
"""What nobody says of a thing: a green plant, a wooden painting."""

_ADJECTIVES = ("size", "state", "colour", "pattern", "material", "modifier")  # as said in a row
_SHAPES = ("round", "square", "rectangular", "oval")  # modifiers that suit any noun
_LIGHTS = ("ceiling light", "floor lamp", "pendant lamp", "table lamp")
_LIGHT = {
    "on": AttributeWords(("lit", "glowing"), ("lit", "glowing")),
    "off": AttributeWords(("unlit",), ("unlit", "not lit")),
}
_LID = {
    "open": AttributeWords((), ("with its lid up", "with the lid up")),
    "closed": AttributeWords((), ("with its lid down", "with the lid down")),
}
_DOOR = {
    "open": AttributeWords((), ("with its door open", "with the door open")),
    "closed": AttributeWords((), ("with its door closed", "with the door closed")),
    "ajar": AttributeWords((), ("with its door ajar", "with a door ajar")),
}
_OWN: Mapping[str, Mapping[str, AttributeWords]] = {
    **dict.fromkeys(_LIGHTS, _LIGHT),
    **dict.fromkeys(("cabinet", "dishwasher", "refrigerator", "shower", "wardrobe"), _DOOR),
    "toilet": _LID,
}
"""States that are said in another way of some categories."""
_PREPOSITIONS = ("with", "without", "made of", "covered in", "of", "in a", "on a", "showing")
_JOINTS = ("on", "on", "on", "on", "on", "on top of", "standing on", "sitting on", "placed on")
_CLAUSES = ("that is", "that is", "that's", "which is")

_USUAL_WORD_SHARE = 0.6
_OWN_SHARE = 0.5
_BEHIND_SHARE = 0.25
_STATE_BEHIND_SHARE = 0.6
_COUNT_BEFORE_SHARE = 0.25
_DICE = 48  # more than one query ever uses


class Dice:
    """A row of uniform numbers, used one by one: far cheaper than a generator's own choices."""

    __slots__ = ("_left",)

    def __init__(self, rng: np.random.Generator) -> None:
        self._left = iter(rng.random(_DICE).tolist())

    def roll(self) -> float:
        return float(next(self._left))

    def chance(self, share: float) -> bool:
        return self.roll() < share

    def pick(self, options: Sequence[T]) -> T:
        return options[int(self.roll() * len(options))]

    def word(self, options: Sequence[str]) -> str:
        """The usual word, which comes first, or any."""
        if len(options) == 1 or self.chance(_USUAL_WORD_SHARE):
            return options[0]
        return self.pick(options)

    def some(self, options: Sequence[T], count: int, weights: Sequence[float]) -> list[T]:
        """``count`` of the options, or all, in random order, the weightier ones rather."""
        left, heavy = list(options), list(weights)
        found: list[T] = []
        while left and len(found) < count:
            at = self.roll() * sum(heavy)
            index = 0
            while index < len(left) - 1 and at >= heavy[index]:
                at -= heavy[index]
                index += 1
            found.append(left.pop(index))
            heavy.pop(index)
        return found


# ---------------------------------------------------------------------------- what may be said
@lru_cache(maxsize=512)
def names(category: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Other names of a category, and broader words, that training may use."""
    near = tuple(name for name in SYNONYMS[category] if name.lower() not in HELD_OUT)
    return near, tuple(word for word, found in HYPERNYMS.items() if category in found)


@lru_cache(maxsize=65536)
def sayable(key: str, value: Scalar, category: str, name: str) -> bool:
    """Whether somebody who says ``name`` for the thing could mention this fact, and be right."""
    if (key, category) in SILENT:
        return False
    if key == "on":
        return value in CATEGORIES
    if key in COUNTS:
        return isinstance(value, int) and 0 < value < len(NUMBER_WORDS)
    if value not in ATTRIBUTE_WORDS.get(key, {}):
        return False
    broad = name in HYPERNYMS and name != noun(category)
    if broad and (category in FRAMED or (key == "modifier" and value not in _SHAPES)):
        return False
    said = words_for(key, value, covers(name))
    return bool(said.before or said.after)


@lru_cache(maxsize=65536)
def words_for(key: str, value: Scalar, among: frozenset[str]) -> AttributeWords:
    """Words for the value that mean nothing else of any category in ``among``."""
    taken = HELD_OUT | {
        word
        for k, values in ATTRIBUTE_WORDS.items()
        for v, said in values.items()
        if (k, v) != (key, value) and any(v in CATEGORIES[c].attributes.get(k, ()) for c in among)
        for word in (*said.before, *said.after)
    }
    said = ATTRIBUTE_WORDS[key][value]
    return AttributeWords(
        tuple(word for word in said.before if word not in taken),
        tuple(word for word in said.after if word not in taken),
    )


@lru_cache(maxsize=4096)
def _own_words(value: Scalar, among: frozenset[str]) -> AttributeWords | None:
    """The state's own words if every category in ``among`` has the same ones."""
    found = [_OWN.get(category, {}).get(str(value)) for category in among]
    return found[0] if found and all(said == found[0] for said in found) else None


@lru_cache(maxsize=512)
def _support_names(category: str) -> tuple[str, ...]:
    """Names of a support that mean no other category."""
    near = (name for name in names(category)[0] if covers(name) == {category})
    return (noun(category), *near)


# ---------------------------------------------------------------------------- how it is said
def noun_phrase(name: str, category: str, said: Mapping[str, Scalar], dice: Dice) -> str:
    """``name`` with the facts ``said`` about the thing, without determiner."""
    speaker = _Speaker(name, category, dice)
    for key in _ADJECTIVES:
        if key in said:
            speaker.attribute(key, said[key])
    for key, value in said.items():
        if key in COUNTS:
            speaker.count(key, int(value or 0))
    if "on" in said:
        speaker.support(str(said["on"]))
    return speaker.text()


@dataclass(frozen=True, slots=True)
class _Speaker:
    name: str
    category: str
    dice: Dice
    before: list[str] = field(default_factory=list)
    behind: list[str] = field(default_factory=list)
    clause: list[str] = field(default_factory=list)

    def text(self) -> str:
        words = [*self.before, self.name, *self.behind]
        if self.clause:
            words += [self.dice.pick(_CLAUSES), " and ".join(self.clause)]
        return " ".join(words)

    def attribute(self, key: str, value: Scalar) -> None:
        among = covers(self.name)
        said = words_for(key, value, among)
        if key == "colour":
            return self._colour(self.dice.word(said.before))
        own = _own_words(value, among) if key == "state" else None
        if own is not None and self.dice.chance(_OWN_SHARE):
            said = own
        share = _STATE_BEHIND_SHARE if key == "state" else _BEHIND_SHARE
        if said.after and (not said.before or self.dice.chance(share)):
            word = self.dice.word(said.after)
            (self.behind if word.startswith(_PREPOSITIONS) else self.clause).append(word)
        else:
            self.before.append(self.dice.word(said.before))
        return None

    def _colour(self, colour: str) -> None:
        dice = self.dice
        if self.category in FRAMED:
            if dice.chance(0.5):
                self.before.append(f"{colour}-framed")
            else:
                joint = dice.pick(("with", "with", "in"))
                self.behind.append(f"{joint} {article(colour)} {colour} frame")
        elif dice.chance(0.7):
            self.before.append(colour)
        elif dice.chance(0.3):
            self.behind.append(f"in {colour}")
        else:
            self.clause.append(f"{colour} in colour" if dice.chance(0.2) else colour)

    def count(self, key: str, number: int) -> None:
        dice, one = self.dice, COUNTS[key]
        word = NUMBER_WORDS[number] if dice.chance(0.75) else str(number)
        if dice.chance(_COUNT_BEFORE_SHARE):
            unit = {"seat": "seater", "shelf": "tier"}.get(one, one) if dice.chance(0.7) else one
            self.before.insert(0, f"{word}-{unit}")
        elif number == 1:
            self.behind.append(dice.pick((f"with one {one}", f"with a single {one}")))
        else:
            self.behind.append(f"{dice.pick(('with', 'with', 'with', 'having'))} {word} {key}")

    def support(self, category: str) -> None:
        name = self.dice.word(_support_names(category))
        one = "the" if name in MASS_NOUNS or self.dice.chance(0.8) else article(name)
        self.behind.append(f"{self.dice.pick(_JOINTS)} {one} {name}")
