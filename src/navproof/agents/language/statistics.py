"""The offline stand-in for a language model: which things stand in which rooms of train worlds.

    P(thing | others) = Σ_rooms P(room | others) · P(thing | room)
    P(room | others) ∝ P(room) · Π P(other | room)

over kinds of rooms, with P(thing | room) = (rooms of that kind with one + ½) / (rooms + 1). The
counts (``data/rooms.toml``) are written by ``scripts/room_statistics.py``. A name that is not in
the catalogue means what its synonyms mean, or else the categories with the nearest word vectors.
Alike is what shares a broader word ("seat"), or has a near word vector: words alone, no looks.

It is no language model: it knows how *these* worlds are furnished, as the default eyes know how
they look, so what it brings here is more than common sense would.
"""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from functools import lru_cache
from importlib import resources
from typing import final

import numpy as np
from numpy.typing import NDArray

from navproof.language.lexicon.nouns import noun, room_noun
from navproof.language.lexicon.terms import HYPERNYMS, covers
from navproof.perception.words import WordTable
from navproof.world.catalog import CATEGORIES

__all__ = ["RoomStatistics"]

F64 = NDArray[np.float64]

_NEAREST = 3  # categories that an unknown word may mean
_RELATED = 0.35  # cosine of word vectors below which two words have nothing to do with each other
_ALIKE = 0.5
_MOST_ALIKE = 4
_FEW = 12  # things under a broader word that says something of their looks
_EXPECTED = 0.5  # share of such things that stand in one kind of room
_KINDS = tuple(group for group in HYPERNYMS.values() if len(group) <= _FEW)


@final
class RoomStatistics:
    """``rooms`` (r,) counts the rooms of each kind, ``holding`` (r, c) those with a category."""

    name = "stats"

    def __init__(self) -> None:
        self.kinds, self.categories, self.rooms, self.holding = _counts()
        self._present: F64 = (self.holding + 0.5) / (self.rooms[:, None] + 1.0)
        self._index = {name: i for i, name in enumerate(self.categories)}
        self._named = {noun(name).lower(): name for name in self.categories}
        self._known: dict[str, F64 | None] = {}

    def __deepcopy__(self, memo: object) -> RoomStatistics:
        return self

    def near(self, thing: str, others: Sequence[str]) -> float | None:
        wanted = self._by_room(thing)
        evidence = [p for p in map(self._by_room, sorted(set(others))) if p is not None]
        if wanted is None or not evidence:
            return None
        likely = np.log(self.rooms) + np.sum(np.log(evidence), axis=0)
        weights = np.exp(likely - likely.max())
        return float((weights / weights.sum()) @ wanted)

    def room(self, thing: str) -> str | None:
        meant = self._meant(thing)
        if not meant:
            return None
        count = sum(weight * self.holding[:, self._index[c]] for c, weight in meant.items())
        counts = np.asarray(count, dtype=np.float64)
        best = int(counts.argmax())
        expected = counts.sum() > 0.0 and counts[best] >= _EXPECTED * counts.sum()
        return room_noun(self.kinds[best]) if expected else None

    def alike(self, thing: str) -> tuple[str, ...]:
        own = frozenset(self._meant(thing))
        vector = _vector(thing)
        if vector is None:
            return ()
        kin = frozenset().union(*(group for group in _KINDS if group & own))
        scored = []
        for category in sorted(CATEGORIES.keys() - own):
            other = _vector(noun(category))
            cosine = -1.0 if other is None else float(vector @ other)
            likeness = cosine + (_ALIKE if category in kin else 0.0)
            if likeness >= _ALIKE:
                scored.append((-likeness, noun(category)))
        return tuple(name for _, name in sorted(scored)[:_MOST_ALIKE])

    def _by_room(self, thing: str) -> F64 | None:
        """(r,) the probability that a room of each kind holds such a thing."""
        if thing not in self._known:
            meant = self._meant(thing)
            self._known[thing] = None
            if meant:
                columns = [self._index[c] for c in meant]
                weights = np.array(list(meant.values()))
                if covers(thing):  # of what a broader word means, one is enough
                    self._known[thing] = 1.0 - np.prod(1.0 - self._present[:, columns], axis=1)
                else:
                    self._known[thing] = self._present[:, columns] @ weights
        return self._known[thing]

    def _meant(self, thing: str) -> dict[str, float]:
        """The categories that a name may mean, with weights that add up to 1."""
        if thing.lower() in self._named:
            return {self._named[thing.lower()]: 1.0}
        sure = sorted(covers(thing) & set(self.categories))
        if sure:
            return dict.fromkeys(sure, 1.0 / len(sure))
        vector = _vector(thing)
        if vector is None:
            return {}
        cosines = []
        for category in self.categories:
            other = _vector(noun(category))
            cosines.append(-1.0 if other is None else float(vector @ other))
        nearest = sorted(range(len(cosines)), key=lambda i: (-cosines[i], i))[:_NEAREST]
        weights = {self.categories[i]: cosines[i] ** 2 for i in nearest if cosines[i] >= _RELATED}
        total = sum(weights.values())
        return {category: weight / total for category, weight in weights.items()}


@lru_cache(maxsize=1024)
def _vector(name: str) -> NDArray[np.float32] | None:
    """The mean of a name's word vectors, of unit length; None where no word of it is known."""
    table = WordTable.load()
    mean = table.vectors[table.ids(name)].sum(axis=0)
    length = float(np.linalg.norm(mean))
    return None if length == 0.0 else np.asarray(mean / length, dtype=np.float32)


@lru_cache(maxsize=1)
def _counts() -> tuple[tuple[str, ...], tuple[str, ...], F64, F64]:
    """The kinds of rooms, the categories, the rooms of each kind and those with a category."""
    source = resources.files("navproof.agents.language") / "data" / "rooms.toml"
    data = tomllib.loads(source.read_text(encoding="utf-8"))
    kinds, categories = tuple(data["rooms"]), tuple(data["holding"])
    rooms = np.array([data["rooms"][kind] for kind in kinds], dtype=np.float64)
    holding = np.array(
        [[data["holding"][c].get(kind, 0) for c in categories] for kind in kinds],
        dtype=np.float64,
    )
    return kinds, categories, rooms, holding
