"""Goal descriptions in English: "Find the small red candle on the nightstand."

A noun phrase has adjectives before its noun and at most one clause of each kind behind it. Which
of the ways to say a thing is taken is drawn from ``rng``; what is said never changes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from navproof.language.goals.match import is_definite, matches
from navproof.language.goals.phrases import (
    Tail,
    attribute,
    counted,
    in_order,
    names,
    negated,
    place,
    standing,
)
from navproof.language.goals.structure import COUNTS, GoalDescription
from navproof.language.lexicon.nouns import article, plural
from navproof.world.scene import Scene

__all__ = ["say", "unique_parts"]

_T = TypeVar("_T")
_ASK = (
    ("Find {}.", 6),
    ("Go to {}.", 6),
    ("Look for {}.", 3),
    ("Locate {}.", 1),
    ("Navigate to {}.", 2),
    ("Head to {}.", 1),
    ("Walk over to {}.", 1),
    ("Please find {}.", 2),
    ("Please go to {}.", 1),
    ("Can you find {}?", 2),
    ("Can you look for {}?", 1),
    ("Could you go to {}?", 1),
    ("Could you find {} for me?", 1),
    ("I am looking for {}.", 1),
    ("I need you to find {}.", 1),
    ("Your goal is {}.", 1),
    ("Take me to {}.", 1),
)
_AND_NOW = (
    ("Now {}.", 3),
    ("Now find {}.", 3),
    ("Now go to {}.", 3),
    ("Next, find {}.", 1),
    ("Then look for {}.", 1),
    ("Next, go to {}.", 1),
    ("Now I need {}.", 1),
    ("Now can you find {}?", 1),
)


def unique_parts(
    description: GoalDescription, scene: Scene, previous_ids: Sequence[int] = ()
) -> tuple[bool, ...]:
    """For each of ``description.parts()``, whether one object alone fits it ("the", not "a")."""
    first, *rest = description.parts()
    alone = len(matches(first, scene, previous_ids)) == 1
    return (alone, *(is_definite(part, scene) for part in rest))


def say(
    description: GoalDescription, rng: np.random.Generator, unique: bool | Sequence[bool] = True
) -> str:
    """A whole instruction. ``unique`` tells definite from indefinite: of the target, or of each
    of ``description.parts()`` (see ``unique_parts``); parts that are not told are definite."""
    told = [unique] if isinstance(unique, bool) else list(unique)
    parts = list(description.parts())
    definite = {id(part): flag for part, flag in zip(parts, told, strict=False)}
    writer = _Writer(rng, definite)
    asks: Sequence[tuple[str, int]] = _ASK if description.coreference is None else _AND_NOW
    words = writer.phrase(description, target=True)
    if " that " in words or " which " in words:  # "… that is open for me" would be misread
        asks = [ask for ask in asks if not ask[0].endswith("for me?")]
    return writer.weighted(asks).format(words)


@dataclass(frozen=True)
class _Writer:
    rng: np.random.Generator
    definite: Mapping[int, bool]

    def weighted(self, options: Sequence[tuple[str, int]]) -> str:
        share = np.array([float(w) for _, w in options])
        return options[int(self.rng.choice(len(options), p=share / share.sum()))][0]

    def pick(self, options: Sequence[_T]) -> _T:
        return options[int(self.rng.integers(len(options)))]

    def chance(self, share: float) -> bool:
        return bool(self.rng.random() < share)

    # ---------------------------------------------------------------------------- noun phrases
    def phrase(self, what: GoalDescription, target: bool = False) -> str:
        """With its article: "the red mug on a desk"."""
        words = self._bare(what)
        if self.definite.get(id(what), True):
            return f"the {words}"
        if target and self.chance(0.08):
            return f"any {words}"
        return f"{article(words)} {words}"

    def _bare(self, what: GoalDescription) -> str:
        front: dict[str, str] = {}
        having: list[str] = []
        tails: list[Tail] = []
        head = self.pick(names(what.category))
        for key in sorted(what.attributes, key=lambda key: (key not in COUNTS, key)):
            value = what.attributes[key]
            ways = (
                counted(what.category, key, int(str(value)))
                if key in COUNTS
                else attribute(what.category, key, str(value))
            )
            if having:  # one "with" is enough where there is another way
                ways = tuple(way for way in ways if not way.startswith("with ")) or ways
            said = self.pick(ways)
            kind, _, rest = said.partition(" ")
            if kind == "that":
                tails.append(Tail(rest))
            elif kind == "with":
                having.append(rest)
            elif kind == "of":
                head += f" {said}"
            else:
                front[key] = said
        words = " ".join([*in_order(front), head])
        if having:
            words += f" with {' and '.join(having)}"
        return self._hang(words, [*tails, *self._places(what)])

    def _places(self, what: GoalDescription) -> Iterator[Tail]:
        if what.negation is not None:
            yield Tail(self.pick(negated(what.category, *what.negation)))
        if what.support is not None:
            words = f"{self.pick(place('on', what.support.category))} {self.phrase(what.support)}"
            yield self._placed(what.category, words, "on")
        if what.relation is not None:
            preposition = self.pick(place(what.relation, what.anchors[0].category))
            yield self._placed(what.category, f"{preposition} {self._anchors(what)}", what.relation)
        if what.coreference is not None:
            words = f"{self.pick(place(what.coreference, ''))} it"
            yield self._placed(what.category, words, what.coreference)

    def _placed(self, category: str, where: str, relation: str) -> Tail:
        verb, participle = self.pick(standing(category, relation))
        phrase = where
        if participle and self.chance(0.4):
            phrase = f"{participle} {where}"
        return Tail(f"{verb} {where}", phrase)

    def _anchors(self, what: GoalDescription) -> str:
        if len(what.anchors) == 1:
            return self.phrase(what.anchors[0])
        one, other = what.anchors
        if one == other and one.is_bare:
            return f"two {plural(one.category)}"
        return f"{self.phrase(one)} and {self.phrase(other)}"

    def _hang(self, words: str, tails: Sequence[Tail]) -> str:
        """The tails behind the noun: as phrases if all can be, or in one relative clause."""
        phrases = [tail.phrase for tail in tails if tail.phrase is not None]
        if len(phrases) == len(tails) and not (tails and self.chance(0.2)):
            return " ".join([words, *phrases])
        first, *more = [tail.verb for tail in tails]
        if first.startswith("is "):  # "is open and on a desk"
            more = [verb.removeprefix("is ") for verb in more]
        return f"{words} {self.pick(('that', 'which'))} {' and '.join([first, *more])}"
