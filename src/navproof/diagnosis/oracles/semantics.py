"""How different two labels are, out of a lexicon: the scale of CanTest's Figure 9, offline.

====  =================================================  ====================================
0     one thing by two names                             sofa, couch
0.1   the same with more or fewer words                  table, dining table; chair, wooden chair
0.3   kin: one is a kind of the other, or both of one    desk, table; armchair, chair
0.6   related: often confused, or near in word vectors   lamp, ceiling light
0.8   one of them says nothing                           "", unknown
0.9   unrelated                                          bed, microwave
1     they exclude each other                            door, window; red chair, blue chair
====  =================================================  ====================================

Case, punctuation, articles and number do not count. Symmetric.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

import numpy as np

from navproof.language.lexicon.nouns import could_mean, noun
from navproof.language.lexicon.terms import HYPERNYMS, SYNONYMS, covers, unsure
from navproof.perception.truth.meaning import Trait, WordMeaning, read
from navproof.perception.words import UNKNOWN, WordTable

__all__ = ["KIN", "RELATED", "SAME", "SILENT", "UNRELATED", "WORDING", "LexicalDistance"]

SAME, WORDING, KIN, RELATED, SILENT, UNRELATED, EXCLUDED = 0.0, 0.1, 0.3, 0.6, 0.8, 0.9, 1.0
_NOTHING = frozenset({"", "unknown", "none", "nothing", "n a", "na"})
_ARTICLES = frozenset({"a", "an", "the", "some", "this", "that"})
_EXCLUSIVE = (
    frozenset({"door", "window"}),
    frozenset({"wall", "floor"}),
    frozenset({"wall", "ceiling"}),
    frozenset({"floor", "ceiling"}),
    frozenset({"man", "woman"}),
)
_CONFUSED = (
    frozenset({"lamp", "ceiling light"}),
    frozenset({"cabinet", "refrigerator"}),
)
"""Pairs whose distance the figure itself gives."""
_TOO_BROAD = frozenset({"furniture", "decoration", "ornament", "container", "machine"})
_PEOPLE: Mapping[str, str] = {
    **dict.fromkeys(("person", "people", "human", "somebody", "someone", "pedestrian"), "person"),
    **dict.fromkeys(("man", "men", "guy", "gentleman", "boy"), "man"),
    **dict.fromkeys(("woman", "women", "lady", "girl"), "woman"),
}
_NEAR = 0.35
"""Cosine of word vectors from which on two things count as related (design 0006 has what near and
far pairs come to)."""


class LexicalDistance:
    """The distance computed from ``language.lexicon.terms`` and word vectors. It is deterministic
    and needs no model."""

    @property
    def name(self) -> str:
        return "lexicon"

    def __call__(self, believed: str, expected: str) -> float:
        first, second = sorted((_plain(believed), _plain(expected)))
        return _distance(first, second)


def _plain(text: str) -> str:
    words = re.sub(r"[^\w\s]|_", " ", text.lower()).split()
    while words and words[0] in _ARTICLES:
        words = words[1:]
    return " ".join(words)


@lru_cache(maxsize=8192)
def _distance(a: str, b: str) -> float:
    silent = (a in _NOTHING) + (b in _NOTHING)
    if a == b or silent == 2:
        return SAME
    if silent:
        return SILENT
    one, other = read(a), read(b)
    between = _between_nouns(_noun(one), _noun(other))
    if between > KIN:
        return between
    if _contradict(one, other):
        return EXCLUDED
    if one.on != other.on and None not in (one.on, other.on):
        return max(between, KIN)
    says_as_much = (one.said, one.denied, one.on) == (other.said, other.denied, other.on)
    return between if says_as_much else max(between, WORDING)


def _noun(wanted: WordMeaning) -> str:
    return "" if wanted.noun is None else _PEOPLE.get(wanted.noun, wanted.noun)


@lru_cache(maxsize=8192)
def _between_nouns(a: str, b: str) -> float:
    if a == b:
        return SAME
    pair = frozenset({a, b})
    if pair in _EXCLUSIVE:
        return EXCLUDED
    if pair in _CONFUSED:
        return RELATED
    if not a or not b or ("person" in pair and pair & {"man", "woman"}):
        return KIN  # "thing" fits anything, loosely
    mine, theirs = _categories(a), _categories(b)
    if mine & theirs:
        return SAME
    if a.endswith(f" {b}") or b.endswith(f" {a}"):
        return WORDING
    if _are_kin(a, b, mine, theirs):
        return KIN
    if _share_a_kind(mine, theirs) or _cosine(a, b) >= _NEAR:
        return RELATED
    return UNRELATED


@lru_cache(maxsize=1024)
def _categories(name: str) -> frozenset[str]:
    """The categories that this is a name of, rather than a broader word for."""
    return frozenset(
        category
        for category, names in SYNONYMS.items()
        if name in (category, noun(category).lower(), *(n.lower() for n in names))
    )


def _are_kin(a: str, b: str, mine: frozenset[str], theirs: frozenset[str]) -> bool:
    """Whether one is a broader word for the other, looks like it, or their names end alike."""
    if a.endswith(b) or b.endswith(a):
        return True
    if theirs & (covers(a) | unsure(a)) or mine & (covers(b) | unsure(b)):
        return True
    if any(could_mean(x, y) or could_mean(y, x) for x in mine for y in theirs):
        return True
    heads = {name.rpartition(" ")[2] for name in (a, *mine)}
    return bool(heads & {name.rpartition(" ")[2] for name in (b, *theirs)})


def _share_a_kind(mine: frozenset[str], theirs: frozenset[str]) -> bool:
    return any(
        mine & kinds and theirs & kinds
        for word, kinds in HYPERNYMS.items()
        if word not in _TOO_BROAD
    )


def _cosine(a: str, b: str) -> float:
    table = WordTable.load()
    means = []
    for text in (a, b):
        rows = [row for row in table.ids(text) if row > UNKNOWN]
        if not rows:
            return 0.0
        means.append(table.vectors[rows].mean(axis=0))
    lengths = float(np.linalg.norm(means[0]) * np.linalg.norm(means[1]))
    return float(means[0] @ means[1]) / lengths if lengths > 0.0 else 0.0


def _contradict(one: WordMeaning, other: WordMeaning) -> bool:
    """Whether the attributes that one label gives exclude those that the other gives."""
    if any(said <= denied for said in one.said for denied in other.denied):
        return True
    if any(said <= denied for said in other.said for denied in one.denied):
        return True
    mine, theirs = _by_family(one), _by_family(other)
    return any(not mine[family] & theirs[family] for family in mine.keys() & theirs.keys())


def _by_family(wanted: WordMeaning) -> dict[str, frozenset[Trait]]:
    """The attributes that are said, by family, where the words leave no doubt about the family."""
    found: dict[str, frozenset[Trait]] = {}
    for options in wanted.said:
        families = {family for family, _ in options}
        if len(families) == 1:
            family = families.pop()
            found[family] = found.get(family, frozenset()) | options
    return found
