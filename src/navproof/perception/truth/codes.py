"""The space of the perfect encoder: a code for every noun and trait, things and words as sums.

The space is a stack of blocks, one for nouns and one per family of traits; blocks are orthogonal to
each other, and the codes in a block are orthogonal where there is room and nearly so where not. In

    thing = Σ its nouns + ½ Σ its traits        words = noun + 2 Σ traits said − ½ Σ traits denied

every part that fits adds 1 to the inner product. Both are lengthened to one norm along directions
of their own, so that a full fit has the cosine ``FIT`` however much is said, and words with n
traits have n/(n + 1) of it where one part does not fit (¾ where a denied trait is there).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from navproof.core.seeding import rng
from navproof.language.lexicon.nouns import could_mean, noun
from navproof.language.lexicon.terms import covers
from navproof.perception.truth.words import NOUNS, STRUCTURE, VALUES, Trait, WordMeaning
from navproof.world.catalog import CATEGORIES

__all__ = ["FIT", "LEAST_DIM", "Codes", "codes"]

Vector = NDArray[np.float64]

_THING_NORM = np.sqrt(5.0)  # three nouns and eight traits at ½: few things have more
_WORDS_NORM = np.sqrt(5.0) / 2.0  # for each part said; noun and one trait is the tightest case
FIT = float(1.0 / (_THING_NORM * _WORDS_NORM))
"""The cosine of words with what they fit: 0.4."""
LEAST_DIM = 64
_LOOKS = ("colour", "material", "modifier", "pattern", "size", "state")
_REST = "rest"  # the block of counts and second colours
_ROUNDS = 200
_RIDGE = 1e-6  # for directions that no noun uses


@dataclass(frozen=True, eq=False)
class Codes:
    """``nouns`` and ``traits`` are unit vectors, ``kinds`` the noun part of each category;
    ``spare`` are two unit vectors that no code touches."""

    feature_dim: int
    blocks: Mapping[str, slice]
    nouns: Mapping[str, Vector]
    traits: Mapping[Trait, Vector]
    kinds: Mapping[str, Vector]
    spare: tuple[Vector, Vector]

    def thing(self, category: str, traits: frozenset[Trait]) -> Vector:
        """The unit feature of something of ``category`` with ``traits``."""
        code = self.kinds.get(category)
        total = self._noun(category) if code is None else code
        for trait in sorted(traits, key=str):
            total = total + 0.5 * self._trait(trait)
        return _lengthened(total, _THING_NORM, self.spare[0])

    def words(self, meaning: WordMeaning) -> Vector:
        """The unit feature of what words ask for. (What a thing stands on is not in its looks.)"""
        total = np.zeros(self.feature_dim) if meaning.noun is None else self._noun(meaning.noun)
        for weight, traits in ((2.0, meaning.said), (-0.5, meaning.denied)):
            for options in traits:
                for trait in sorted(options, key=str):
                    total = total + weight / np.sqrt(len(options)) * self._trait(trait)
        parts = (meaning.noun is not None) + len(meaning.said)
        return _lengthened(total, max(parts, 1) * _WORDS_NORM, self.spare[1])

    def _noun(self, name: str) -> Vector:
        """The code of a noun; a name for several categories ("seat") is less sure of each."""
        if name in self.nouns:
            return self.nouns[name]
        categories = sorted(covers(name))
        if not categories:
            return self._hashed("noun", name)
        return np.asarray(sum(self.nouns[noun(c).lower()] for c in categories))

    def _trait(self, trait: Trait) -> Vector:
        code = self.traits.get(trait)
        return self._hashed(_block(trait), str(trait)) if code is None else code

    def _hashed(self, block: str, word: str) -> Vector:
        """The code of a word that no catalogue holds, the same everywhere."""
        where = self.blocks[block]
        code = np.zeros(self.feature_dim)
        code[where] = rng(0, word, "truth.word").normal(size=where.stop - where.start)
        return code / float(np.linalg.norm(code))


@lru_cache(maxsize=4)
def codes(feature_dim: int) -> Codes:
    """The space of ``feature_dim`` ≥ ``LEAST_DIM`` numbers, always the same one."""
    same: dict[tuple[str, ...], str] = {}  # nouns that mean the same categories share a code
    alias = {name: same.setdefault(_meant(name), name) for name in NOUNS}
    members: dict[str, list[str | Trait]] = {"noun": list(same.values())}
    for trait in VALUES:
        members.setdefault(_block(trait), []).append(trait)
    sizes = _shares({name: len(inside) for name, inside in members.items()}, feature_dim - 2)
    table_of: dict[str | Trait, Vector] = {}
    blocks: dict[str, slice] = {}
    start = 2
    for name, inside in members.items():
        blocks[name] = slice(start, start + sizes[name])
        table = np.zeros((len(inside), feature_dim))
        table[:, blocks[name]] = _spread(len(inside), sizes[name], name)
        table_of |= dict(zip(inside, table, strict=True))
        start += sizes[name]
    nouns = {name: table_of[alias[name]] for name in NOUNS}
    first, second = np.eye(2, feature_dim)
    return Codes(
        feature_dim,
        blocks,
        nouns,
        {key: code for key, code in table_of.items() if not isinstance(key, str)},
        {name: _kind(name, nouns, blocks["noun"]) for name in (*CATEGORIES, *STRUCTURE)},
        (first, second),
    )


def _meant(name: str) -> tuple[str, ...]:
    return tuple(c for c in (*CATEGORIES, *STRUCTURE) if could_mean(name, c))


def _block(trait: Trait) -> str:
    return trait[0] if trait[0] in _LOOKS else _REST


def _shares(counts: dict[str, int], total: int) -> dict[str, int]:
    """Room for each block, by the square root of its number of codes, nouns first; none gets more
    than it has codes, save nouns what is left."""
    sizes = dict.fromkeys(counts, 1)
    while sum(sizes.values()) < total:
        wanting = {
            name: sizes[name] / np.sqrt(count) / (2.0 if name == "noun" else 1.0)
            for name, count in counts.items()
            if sizes[name] < count
        }
        neediest = min(wanting or {"noun": 0.0}, key=lambda n: (wanting.get(n, 0.0), n))
        sizes[neediest] += 1
    return sizes


def _spread(count: int, dim: int, stream: str) -> Vector:
    """(count, dim) unit rows that are as far from parallel as a few rounds of repulsion make them;
    orthogonal where count ≤ dim.

    A linear-algebra library rounds differently from processor to processor, and the rounds amplify
    that until other rows come out. So sums are taken in a fixed order here.
    """
    rows = rng(0, "codes", f"truth.{stream}").normal(size=(max(count, dim), dim))
    if count <= dim:
        return _orthonormal(rows[:count])
    rows = _units(rows)
    best, least = rows, np.inf
    for _ in range(_ROUNDS):
        overlap = _products(rows, rows)
        np.fill_diagonal(overlap, 0.0)
        if (largest := float(np.abs(overlap).max())) < least:
            best, least = rows, largest
        push = overlap**3
        total = _summed(np.abs(push).T)[:, None]
        rows = _units(rows - _products(push, rows.T) / total)
    return best


def _orthonormal(rows: Vector) -> Vector:
    """Gram–Schmidt, each row twice."""
    for index in range(len(rows)):
        for _ in range(2):
            for before in rows[:index]:
                rows[index] -= float(_summed(rows[index] * before)) * before
        rows[index] = _units(rows[index : index + 1])[0]
    return rows


def _units(rows: Vector) -> Vector:
    return rows / np.sqrt(_summed((rows * rows).T))[:, None]


def _products(a: Vector, b: Vector) -> Vector:
    """``a @ b.T``, summed in the order of the columns."""
    return _summed(a.T[:, :, None] * b.T[:, None, :])


def _summed(terms: Vector) -> Vector:
    """The sum along the first axis, from first to last."""
    total = np.zeros(terms.shape[1:])
    for term in terms:
        total = total + term
    return total


def _kind(category: str, nouns: Mapping[str, Vector], block: slice) -> Vector:
    """The vector of the noun block whose product is 1 with every noun that could mean
    ``category`` and, in least squares, 0 with the others."""
    own = np.array([could_mean(name, category) for name in nouns])
    weight = np.where(own, 100.0, 1.0)
    table = np.stack(list(nouns.values()))[:, block]
    kind = np.zeros(len(next(iter(nouns.values()))))
    names, room = table.shape
    if room > names:  # the same least squares over names: far smaller where there is much room
        gram = table @ table.T + np.diag(_RIDGE / weight**2)
        kind[block] = table.T @ np.linalg.solve(gram, own.astype(np.float64))
    else:
        weighted = table.T * weight**2
        kind[block] = np.linalg.solve(weighted @ table + _RIDGE * np.eye(room), weighted @ own)
    return kind


def _lengthened(total: Vector, norm: float, along: Vector) -> Vector:
    length = float(np.linalg.norm(total))
    if length < norm:
        total = total + np.sqrt(norm**2 - length**2) * along
    unit: Vector = total / max(length, norm)
    return unit
