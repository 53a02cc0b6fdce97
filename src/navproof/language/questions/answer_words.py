"""Answers as words: numerals normalised, known phrases found, denials and rivals recognised."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from navproof.core.types import Question
from navproof.language.goals.lexicon import COLOURS, MATERIALS, SHADES, TEXTURES
from navproof.language.lexicon.nouns import noun, room_noun
from navproof.language.lexicon.terms import ATTRIBUTE_WORDS, HYPERNYMS, ROOM_NAMES, SYNONYMS
from navproof.world.catalog import CATEGORIES

__all__ = ["aside", "denied", "knows_nothing", "normalised", "phrases", "rivals_of", "tokens"]

Phrase = tuple[str, ...]

_UNITS = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
_UNITS += "fifteen sixteen seventeen eighteen nineteen"
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
_VALUES = {word: value for value, word in enumerate(_UNITS.split())}
_VALUES |= {word: 10 * value for value, word in enumerate(_TENS.split(), start=2)}
_TOKEN = re.compile(r"\d[\d,]*(?:\.\d+)?(?:[a-z]+)?|[a-z]+(?:'[a-z]+)?", re.IGNORECASE)
_NEGATIONS = frozenset({"not", "never", "without", "neither", "nor", "isn't", "aren't", "wasn't"})
_NEGATIONS |= {"doesn't", "don't", "didn't", "hasn't", "haven't", "cannot", "can't", "non"}
_FILLERS = frozenset(
    {
        *("a", "an", "the", "any", "it", "is", "are", "be", "been", "really", "very", "quite"),
        *("at", "all", "in", "made", "of", "exactly", "just", "there", "its", "switched"),
        *("turned", "have", "has", "only", *SHADES),
    }
)
_INSTEAD = (("instead", "of"), ("rather", "than"), ("other", "than"), ("anything", "but"))
_IGNORANT = re.compile(
    r"\b(?:no (?:idea|clue|answer|way to tell|opinion)|(?:don't|do not|didn't|did not|cannot|can't"
    r"|can not|couldn't|could not) (?:know|tell|say|see|find|remember|answer)|not sure|unsure"
    r"|unknown|uncertain|unclear)\b"
)
_PREPOSITION = frozenset({"the", "a", "an", "top", "it", "its", "my", "your", "this", "that"})
_ASIDE = frozenset({"near", "beside", "next", "behind", "under", "above", "with", "by", "close"})
_OPPOSED = (*(("yes", "yeah", "yep", "yup"), ("no", "nope", "nah")),)
_STATES: tuple[tuple[str, ...], ...] = (
    ("on", "off"),
    ("open", "closed", "shut", "ajar", "half open", "slightly open", "drawn"),
    ("lit", "unlit", "burning"),
    ("empty", "full", "filled"),
    ("made", "unmade", "messy", "tidy"),
    ("clean", "written on"),
)
_SHAPES = (
    "round",
    "circular",
    "square",
    "rectangular",
    "oblong",
    "oval",
    "elliptical",
    "triangular",
)
_SHOWN = (
    "cat",
    "city",
    "cityscape",
    "landscape",
    "sea",
    "seascape",
    "portrait",
    "person",
    "flowers",
)


def normalised(text: str) -> str:
    """Lower case, number words as numerals, one space between words: for the plain rule."""
    said = " ".join(text.lower().replace("’", "'").split())
    return re.sub(
        r"\b(" + "|".join(_VALUES) + r")\b", lambda found: str(_VALUES[found[1]]), said
    ).strip(" .,!?")


def tokens(text: str) -> list[str]:
    """Words and numbers in lower case: "Twenty-one chairs." → ["21", "chairs"]; "2." is "2"."""
    found: list[str] = []
    tens = False  # whether the last one was "twenty", "thirty", …
    for word in _TOKEN.findall(text.lower().replace("’", "'")):
        value = _VALUES.get(word)
        if value is not None and tens and 0 < value < 10:
            found[-1] = str(int(found[-1]) + value)
            tens = False
            continue
        tens = value is not None and value >= 20
        found.append(_numeral(word) if value is None else str(value))
    return found


def _numeral(word: str) -> str:
    if not re.fullmatch(r"\d[\d,]*(?:\.\d+)?", word):
        return word
    digits, _, fraction = word.replace(",", "").partition(".")
    whole = digits.lstrip("0") or "0"
    return f"{whole}.{fraction}" if fraction.strip("0") else whole


def _all(words: Sequence[str] | set[str]) -> frozenset[Phrase]:
    return frozenset(tuple(tokens(word)) for word in words) - {()}


def _of_attribute(key: str) -> set[str]:
    return {word for s in ATTRIBUTE_WORDS[key].values() for word in (*s.before, *s.after)}


_TABLES: tuple[frozenset[Phrase], ...] = (
    _all({*_of_attribute("colour"), *COLOURS}),
    _all({*_of_attribute("material"), *MATERIALS}),
    _all({*_of_attribute("pattern"), *TEXTURES}),
    *(_all(group) for group in _STATES),
    _all(_SHAPES),
    _all(_SHOWN),
    _all({n for room, names in ROOM_NAMES.items() for n in (room, room_noun(room), *names)}),
    _all({*HYPERNYMS, *(n for c in CATEGORIES for n in (noun(c), c, *SYNONYMS[c]))}),
)
"""Words that answer the same question differently. The first table that holds the right answer
gives its rivals."""
_SHADED = 3
"""The first tables: colours, materials, patterns."""
_NAMES = frozenset().union(*_TABLES[-2:])


def rivals_of(question: Question, right: set[Phrase]) -> frozenset[Phrase]:
    """What would be another answer: the rest of the table that the right one is from, the other
    one of yes and no, and the other choice of an "… or …?". Other numbers are rivals to a number
    without being listed."""
    answer = tuple(tokens(question.answer))
    found: set[Phrase] = set()
    for group in _OPPOSED:
        if (question.answer.lower(),) != group[:1] and question.answer.lower() in ("yes", "no"):
            found |= _all(group)
    homes = [t for t in _TABLES if answer in t] or [t for t in _TABLES if answer[-1:] in t]
    own = homes[0] if homes else frozenset[Phrase]()
    if own in _TABLES[:_SHADED]:  # "made of wood" says wood, "lemon-yellow" yellow
        own = frozenset(p for p in own if not any(_within(good, p) for good in right))
    found |= own - {answer[-1:]}
    choice = re.search(r"(?:,|:|\bis\b|\bof\b)\s*([^,:?]+?)\s+or\s+([^,?]+)\?", question.text)
    if choice is not None:
        found |= _all(
            [re.sub(r"^(?:the|an?)\s+", "", side, flags=re.I) for side in choice.groups()]
        )
    return frozenset(found - right)


def _within(part: Phrase, whole: Phrase) -> bool:
    return any(whole[i : i + len(part)] == part for i in range(len(whole) - len(part) + 1))


def phrases(
    said: Sequence[str], right: set[Phrase], rivals: frozenset[Phrase]
) -> Iterator[tuple[int, Phrase]]:
    """(place, phrase) of every right answer and rival in what was said. The longest known phrase
    counts, so that no answer is found inside the name of something else."""
    numeric = all(re.fullmatch(r"\d+(?:\.\d+)?", word) for answer in right for word in answer)
    known = right | rivals | _NAMES
    longest = max(map(len, known))
    index = 0
    while index < len(said):
        for size in range(min(longest, len(said) - index), 0, -1):
            phrase = tuple(said[index : index + size])
            if phrase in known and not _placing(said, index, phrase):
                if phrase in right or phrase in rivals:
                    yield index, phrase
                index += size
                break
        else:
            if numeric and re.fullmatch(r"\d+(?:\.\d+)?", said[index]):
                yield index, (said[index],)
            index += 1


def _placing(said: Sequence[str], index: int, phrase: Phrase) -> bool:
    """Whether an "on" only says where: "the lamp on the desk"."""
    following = said[index + 1] if index + 1 < len(said) else ""
    return phrase == ("on",) and following in _PREPOSITION


def denied(said: Sequence[str], index: int) -> bool:
    """Whether what begins at ``index`` is said not to be so."""
    place = index - 1
    while place >= 0 and said[place] in _FILLERS:
        place -= 1
    if place < 0:
        return False
    if said[place] in _NEGATIONS:
        return True
    return place > 0 and (said[place - 1], said[place]) in _INSTEAD


def aside(said: Sequence[str], index: int) -> bool:
    """Whether what begins at ``index`` only says where: "the desk next to the lamp"."""
    return not _ASIDE.isdisjoint(said[max(0, index - 3) : index])


def knows_nothing(said: Sequence[str]) -> bool:
    """ "I don't know", "no idea"."""
    return _IGNORANT.search(" ".join(said)) is not None
