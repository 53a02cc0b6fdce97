"""Linguistic features of a goal: from its words alone (``tags_of``), or from its structure.

LangNav's eight (section 3.1 of the paper): colour, size, texture, state, number, material,
modifier, support; and beyond them negation, anchor (next to, between), spatial (left, right,
behind, in front, under, above) and coreference ("it", the goal before). A tag holds the value that
the words tell, in its plain form ("wooden" → "wood"); several values of one feature are joined by
", ". Attributes of a support or an anchor count as well: they are in the words. What is denied is
a negation, not an attribute. ``attributes`` is how many features there are; 0 is a bare category.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from navproof.core.types import Scalar
from navproof.language.goals.lexicon import (
    COLOURS,
    MATERIALS,
    NOUNS,
    NUMBERS,
    SHADES,
    SIZES,
    STATES,
    TEXTURES,
    canonical,
    head_noun,
)
from navproof.language.goals.structure import COUNTS, GoalDescription
from navproof.language.lexicon.nouns import noun
from navproof.language.lexicon.relations import ANCHOR_RELATIONS
from navproof.language.reading.dissect import PRONOUNS, both, core, dissect

__all__ = ["FEATURES", "tags_from", "tags_of"]

FEATURES = (
    "colour",
    "size",
    "texture",
    "state",
    "number",
    "material",
    "modifier",
    "support",
    "negation",
    "anchor",
    "spatial",
    "coreference",
)
"""Every feature that a tag can name."""

_Values = dict[str, list[Scalar]]
_TABLES: tuple[tuple[str, Mapping[str, str]], ...] = (
    ("colour", COLOURS),
    ("size", SIZES),
    ("texture", TEXTURES),
    ("material", MATERIALS),
)
_PAINTINGS = ("painting", "picture", "print", "poster", "drawing")
_FRAME = re.compile(r"\bwith an? (\w+) frame\b|\b(\w+)-framed\b", re.IGNORECASE)
_MADE_OF = re.compile(r"\b(?:(?:that|which) is )?made (?:out )?of (\w+)", re.IGNORECASE)
_NUMBER = "|".join([*NUMBERS, r"\d{1,6}"])
_PARTS = re.compile(
    rf"\bwith (?:only )?(?:({_NUMBER}|a single) )([\w-]+)(?: and (?:({_NUMBER}|a single) )[\w-]+)?",
    re.IGNORECASE,
)
_HYPHENED = re.compile(rf"\b({_NUMBER})-(?!back)(?:\w+)", re.IGNORECASE)
_COUNT = re.compile(rf"\b(?!one\b)({_NUMBER})\b(?! of)", re.IGNORECASE)
_SHOWING = re.compile(r"\b(?:of|showing) (?:an? |the )?(\w+)$", re.IGNORECASE)
_SAYS_NOTHING = re.compile(
    r"the|an?|any|some|my|your|other|another|very|quite|really|nice|favourite|same|both|neatly|and"
    r"|first|second|third|\d+"
)
_WITH = re.compile(r"\b(?:with|having) (?:an? |the |its |some )?([^,]+)", re.IGNORECASE)
_CONTENTS = ("fruit", "food", "toast", "flowers")


# ----------------------------------------------------------------------------------- from words
def tags_of(text: str) -> dict[str, Scalar]:
    """The features in a goal's words."""
    parts = dissect(text)
    values: _Values = {}
    _read(parts.head, values)
    for relation, phrase in parts.places:
        if phrase.lower() in PRONOUNS:
            _add(values, "coreference", relation)
        elif relation == "on":
            _add(values, "support", canonical(_read(phrase, values)))
        else:
            _add(values, "anchor" if relation in ANCHOR_RELATIONS else "spatial", relation)
            for anchor in both(phrase) if relation == "between" else (phrase,):
                _read(anchor, values)
    for what in parts.negated:
        _add(values, "negation", _denied(what))
    return _tags(values)


def _read(phrase: str, values: _Values) -> str:
    """Adds the features of one noun phrase; gives its noun."""
    rest = f" {phrase} "
    for number in _numbers(rest):
        _add(values, "number", number)
    rest = _HYPHENED.sub(" ", _PARTS.sub(" ", rest))
    for pattern, feature, table in ((_FRAME, "colour", COLOURS), (_MADE_OF, "material", MATERIALS)):
        for found in pattern.finditer(rest):
            word = next(g for g in found.groups() if g).lower()
            if word in table:
                _add(values, feature, table[word])
        rest = pattern.sub(" ", rest)
    name = head_noun(core(rest))
    for state, left in _states(rest, name):
        _add(values, "state", state)
        rest = left
    shown = _SHOWING.search(rest.strip())
    if shown is not None and name in _PAINTINGS:
        _add(values, "modifier", shown[1].lower())
    _adjectives(core(rest), name, values)
    for phrase in _WITH.findall(rest):
        _parts_of(phrase, values)
    return name


def _numbers(phrase: str) -> Iterator[int]:
    for found in _PARTS.finditer(phrase):
        yield from (_number(found[i]) for i in (1, 3) if found[i])
    rest = _PARTS.sub(" ", phrase)
    yield from (_number(found[1]) for found in _HYPHENED.finditer(rest))
    yield from (_number(found[1]) for found in _COUNT.finditer(_HYPHENED.sub(" ", rest)))


def _number(word: str) -> int:
    said = word.lower()
    return 1 if said == "a single" else NUMBERS[said] if said in NUMBERS else int(said)


def _states(phrase: str, name: str) -> Iterator[tuple[str, str]]:
    """(state, the phrase without its words) for each state; words of the noun itself are none."""
    for pattern, state in STATES:
        found = pattern.search(phrase)
        if found is None or found[0].lower() in name.lower().split():
            continue
        phrase = phrase[: found.start()] + " " + phrase[found.end() :]
        yield found[0].lower() if state.startswith("\\") else state, phrase


def _adjectives(before: str, name: str, values: _Values) -> None:
    """Words before the noun: those of known features by feature, any other is a modifier."""
    words = before[: len(before) - len(name)].split() if name else before.split()
    shade = ""
    for word in _words(words):
        said = word.lower()
        if said in SHADES:
            shade = f"{said} "
            continue
        feature = next((key for key, table in _TABLES if said in table), None)
        if feature == "texture" and name in _PAINTINGS:
            feature = None  # a floral painting shows flowers
        if feature is not None:
            value = dict(_TABLES)[feature][said]
            _add(values, feature, f"{shade}{value}" if feature == "colour" else value)
        elif not _SAYS_NOTHING.fullmatch(said) and said not in NUMBERS:
            _add(values, "modifier", word)
        shade = ""


def _words(words: Sequence[str]) -> Iterator[str]:
    """Each word without marks; "dark-green" is two."""
    for word in words:
        shade, _, colour = word.strip(",;.").partition("-")
        if shade.lower() in SHADES and colour.lower() in COLOURS:
            yield from (shade, colour)
        else:
            yield word.strip(",;.")


def _parts_of(phrase: str, values: _Values) -> None:
    """Known attributes of a part: "with the blue blanket", "with wooden legs"."""
    for word in _words(phrase.split()[:-1]):
        for feature, table in _TABLES:
            if word.lower() in table:
                _add(values, feature, table[word.lower()])


def _denied(what: str) -> str:
    """The value in what is denied: "black frame" → "black", "bar stool" → "bar"."""
    said = what.lower()
    if said in _CONTENTS:
        return f"with {said}"
    for pattern, state in STATES:
        if pattern.fullmatch(said) or pattern.fullmatch(f"is {said}"):
            return state
    words = re.sub(r"\s+frame$", "", what).split()
    name = head_noun(" ".join(words))
    if len(words) > 1 and name.lower() in NOUNS:
        words = words[: len(words) - len(name.split())] or words
    told = [next((t[w.lower()] for _, t in _TABLES if w.lower() in t), w) for w in words]
    return " ".join(told)


# ------------------------------------------------------------------------------- from structure
def tags_from(description: GoalDescription) -> dict[str, Scalar]:
    """The features that the words of a description have."""
    values: _Values = {}
    for part in description.parts():
        for key, value in part.attributes.items():
            feature = "number" if key in COUNTS else "texture" if key == "pattern" else key
            _add(values, feature, value)
    if description.support is not None:
        _add(values, "support", noun(description.support.category))
    if description.relation is not None:
        kind = "anchor" if description.relation in ANCHOR_RELATIONS else "spatial"
        _add(values, kind, description.relation)
    if description.coreference is not None:
        _add(values, "coreference", description.coreference)
    if description.negation is not None:
        _add(values, "negation", description.negation[1])
    return _tags(values)


def _add(values: _Values, feature: str, value: Scalar) -> None:
    values.setdefault(feature, []).append(value)


def _tags(values: _Values) -> dict[str, Scalar]:
    tags: dict[str, Scalar] = {}
    for feature in FEATURES:
        told = values.get(feature, [])
        if len(told) == 1:
            tags[feature] = told[0]
        elif told:
            tags[feature] = ", ".join(sorted(str(v) for v in told))
    tags["attributes"] = sum(len(told) for told in values.values())
    return tags
