"""Which parts of speech a word of navigation English can have, and how willingly.

Fine tags are one letter: N noun, J adjective, V verb (base), Z verb (-s), G verb (-ing), E verb
(-ed), M modal, R adverb, P preposition, D determiner, O pronoun, U number, C conjunction, T the
"to" of an infinitive, K negation. A cost of 0 is the word's usual part; dearer parts need
a context that asks for them.
"""

from __future__ import annotations

from functools import cache

from navproof.language.lexicon.nouns import noun, plural
from navproof.language.lexicon.terms import (
    ATTRIBUTE_WORDS,
    HYPERNYMS,
    NUMBER_WORDS,
    ROOM_NAMES,
    SYNONYMS,
)
from navproof.language.tagging.words import (
    CLOSED,
    IRREGULAR_PAST,
    NOUNS,
    SHARED,
    VERBS,
    VERBS_THAT_DOUBLE,
)

__all__ = ["Costs", "guessed", "known_words", "mendable_words"]

Costs = dict[str, float]
_NEVER = float("inf")

_VERBS_THAT_DOUBLE = frozenset(VERBS_THAT_DOUBLE.split())
_IRREGULAR_PAST = dict(pair.split(":") for pair in IRREGULAR_PAST.split())
_ADJECTIVE_ENDINGS = ("ous", "ful", "less", "ish", "ic", "able", "ible", "ular", "shaped", "like")


def _third_person(verb: str) -> str:
    if verb.endswith(("s", "x", "ch", "sh", "z")):
        return f"{verb}es"
    if verb.endswith("y") and verb[-2] not in "aeiou":
        return f"{verb[:-1]}ies"
    return f"{verb}s"


def _stems(verb: str) -> tuple[str, str]:
    """What comes before -ing and before -ed."""
    if verb in _VERBS_THAT_DOUBLE:
        return verb + verb[-1], verb + verb[-1]
    if verb.endswith("ie"):
        return f"{verb[:-2]}y", verb[:-1]
    if verb.endswith("e") and not verb.endswith("ee"):
        return verb[:-1], verb[:-1]
    if verb.endswith("y") and verb[-2] not in "aeiou":
        return verb, f"{verb[:-1]}i"
    return verb, verb


def _add(table: dict[str, Costs], word: str, tag: str, cost: float = 0.0) -> None:
    costs = table.setdefault(word.lower(), {})
    costs[tag] = min(cost, costs.get(tag, cost))


def _add_verbs(table: dict[str, Costs]) -> None:
    for verb in (*VERBS.split(), *_IRREGULAR_PAST):
        before_ing, before_ed = _stems(verb)
        _add(table, verb, "V")
        _add(table, verb, "N", 2.0)  # "the climb": most verbs of moving can be nouns
        _add(table, _third_person(verb), "Z", 0.3)
        _add(table, f"{before_ing}ing", "G")
        past = _IRREGULAR_PAST.get(verb, f"{before_ed}ed")
        _add(table, past, "E")
        _add(table, past, "J", 0.8)


def _add_nouns(table: dict[str, Costs]) -> None:
    for word in NOUNS.split():
        _add(table, word, "N", 0.3 if "V" in table.get(word, {}) else 0.0)
        _add(table, plural(word), "N")
    phrases = [*SYNONYMS, *HYPERNYMS, *ROOM_NAMES, *map(noun, SYNONYMS)]
    for names in (*SYNONYMS.values(), *ROOM_NAMES.values()):
        phrases.extend(names)
    for phrase in phrases:  # only heads: "low table" does not make "low" a noun
        head = phrase.split(" in ")[0].split(" for ")[0].split(" with ")[0].split(" on ")[0]
        last = head.rpartition(" ")[2]
        if last not in table:
            _add(table, last, "N")
            _add(table, plural(last), "N")


def _add_adjectives(table: dict[str, Costs]) -> None:
    for values in ATTRIBUTE_WORDS.values():
        for sayings in values.values():
            for word in sayings.before:
                if " " not in word:
                    _add(table, word, "J", 0.3 if word.lower() in table else 0.0)


@cache
def known_words() -> dict[str, Costs]:
    """Every known lower-case word with its parts of speech and their costs."""
    table: dict[str, Costs] = {}
    for tag, words in CLOSED.items():
        for word in words.split():
            _add(table, word, tag)
    for word in NUMBER_WORDS[1:]:
        _add(table, word, "U")
    _add_verbs(table)
    _add_nouns(table)
    _add_adjectives(table)
    for entry in SHARED.split(";"):
        word, *parts = entry.split()
        table[word] = {part[0]: float(part[1:]) for part in parts}
    return table


@cache
def mendable_words() -> frozenset[str]:
    """Longer words that are no usual nouns: a misspelling of them must not pass for a noun."""
    known = known_words().items()
    usual = {word for word, parts in known if len(word) >= 4 and parts.get("N", _NEVER) >= 1.0}
    return frozenset(usual | {"right"})


def guessed(word: str) -> Costs:
    """The parts of an unknown lower-case word, by its ending."""
    if word[:1].isdigit():
        return {"J": 0.0} if word.endswith(("st", "nd", "rd", "th")) else {"U": 0.0}
    if word.endswith("ly"):
        return {"R": 0.0, "J": 1.5}
    if word.endswith("ing"):
        return {"G": 0.0, "N": 0.6, "J": 0.8}
    if word.endswith("ed"):
        return {"E": 0.4, "J": 0.2, "N": 1.5}
    if word.endswith(_ADJECTIVE_ENDINGS):
        return {"J": 0.0, "N": 0.8}
    if word.endswith("s"):
        return {"N": 0.0, "Z": 2.0}
    return {"N": 0.0, "J": 1.6, "V": 2.0}
