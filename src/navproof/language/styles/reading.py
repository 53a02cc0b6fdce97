"""What the words of a text mean, one after another, cut into the steps of a route."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from navproof.language.lexicon.nouns import noun
from navproof.language.lexicon.terms import SYNONYMS
from navproof.language.styles.concepts import (
    CONCEPTS,
    DIRECTIONS,
    NEGATIONS,
    NEUTRAL,
    NEUTRAL_PHRASES,
    NUMBERS,
    ROOMS,
    STOPPING,
    word_set,
)
from navproof.language.styles.nouns import plural_of

__all__ = ["Item", "Kind", "carries_content", "steps_of"]

Kind = Literal["landmark", "room", "direction", "manner", "number", "stop", "negation"]


@dataclass(frozen=True, slots=True)
class Item:
    """One piece of content: its kind, and what it means whatever the word for it was."""

    kind: Kind
    concept: str

    def __str__(self) -> str:
        return f"{self.kind} “{self.concept}”"


_TOKEN = re.compile(r"\d+(?:st|nd|rd|th)?|[^\W\d_]+(?:[’'-][^\W\d_]+)*|[.!?;:,\n]")
_BREAK = frozenset(".!?;:,\n")
_ENDS = frozenset(".!?;\n")
_MANNERS = ("slight", "sharp")
_LEVEL = ("hallway", "path", "walkway", "aisle", "pathway", "sidewalk", "road", "room", "ramp way")
_NOUN_BEFORE = word_set("the a an this that your its tv night umbrella coat")
_SIDE_BEFORE = word_set(
    "turn turning take taking make making a an the your to hang bear veer slight hard sharp first "
    "slightly second next another go going head and then immediate quick swing on degrees"
)
_INTENSIFIED = word_set(
    "in next beside there here before after by away behind near when where outside inside as "
    "across opposite"
)
_VERBS = word_set(
    "walk go head move continue proceed step come keep make take turn bear veer hang rotate exit "
    "leave enter pass cross follow ascend descend climb approach reach stop wait stand halt stay "
    "pause remain travel advance traverse navigate swing stroll cruise scoot pop wander mosey hop "
    "trot slip cut reorient execute perform cease terminate hold park direct grab rotate"
)
_FRONTED = word_set(
    "when once after as upon at with before if in on from while until by having without"
)
_STEPS_WHERE = word_set("into out onto inside outside forward through in over to back up down")
_NEXT_DONE = word_set("stopping making taking turning continuing waiting heading walking")


def _both(names: str) -> list[str]:
    said = [name.strip() for name in names.split(",") if name.strip()]
    return [*said, *(plural_of(name) for name in said)]


@lru_cache(maxsize=1)
def _lexicon() -> dict[tuple[str, ...], tuple[Item, ...]]:
    """Words → what they mean; the longest phrase that fits is read."""
    found: dict[tuple[str, ...], tuple[Item, ...]] = {}

    def add(phrase: str, *items: Item) -> None:
        found.setdefault(tuple(_TOKEN.findall(phrase.lower())), items)

    for concept, names in DIRECTIONS.items():
        kind: Kind = "manner" if concept in _MANNERS else "direction"
        for name in [concept, *names.split(",")]:
            add(name.strip(), Item(kind, concept))
    for phrase in STOPPING:
        add(phrase, Item("stop", "stop"))
    for word in NEGATIONS:
        add(word, Item("negation", "not"))
    for phrase in NEUTRAL_PHRASES:
        add(phrase)
    for word, value in NUMBERS.items():
        add(word, Item("number", value))
    tables: tuple[tuple[Kind, dict[str, str]], ...] = (
        ("room", dict(ROOMS)),
        ("landmark", dict(CONCEPTS)),
    )
    for kind, table in tables:
        for concept, names in table.items():
            item = Item("number", "1th") if concept == "first" else Item(kind, concept)
            for name in _both(f"{concept}, {names}"):
                add(name, item)
    for category, others in SYNONYMS.items():
        name = noun(category).lower()
        item = found.get(tuple(name.split()), (Item("landmark", name),))[0]
        for name in _both(", ".join([noun(category), *others])):
            if name.lower() not in NEUTRAL:
                add(name, item)
    return found


@lru_cache(maxsize=1)
def _longest() -> dict[str, int]:
    """Word → how long the phrases are that begin with it, at most."""
    found: dict[str, int] = {}
    for phrase in _lexicon():
        found[phrase[0]] = max(found.get(phrase[0], 0), len(phrase))
    return found


def carries_content(word: str) -> bool:
    """Whether a word tells of a thing or a quality: not grammar, direction, or stopping."""
    plain = word.lower()
    if plain in NEUTRAL:
        return False
    items = _lexicon().get((plain,))
    return items is None or any(i.kind in ("landmark", "room", "number") for i in items)


def _one(word: str) -> str:
    """A plain guess at the singular, so that an unknown plural is the same thing."""
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


def _special(tokens: Sequence[str], at: int) -> tuple[int, tuple[Item, ...]] | None:
    """Words whose meaning hangs on their neighbours: (how many were read, what they mean)."""
    word = tokens[at]
    before = tokens[at - 1] if at else ""
    after = tokens[at + 1] if at + 1 < len(tokens) else ""
    if word == "right" and after in _INTENSIFIED and before not in _SIDE_BEFORE:
        return 1, ()
    if word in ("next", "first") and (after == "," or (not before and after in _VERBS)):
        return 1, ()
    if word in ("next", "first") and before in _ENDS and after in (*_VERBS, "and"):
        return 1, ()
    if word in ("so", "um", "then", "and") and after in ("next", "first"):
        follows = tokens[at + 2] if at + 2 < len(tokens) else ""
        if follows in _VERBS or follows in (",", "you"):
            return 2, ()
    if word in ("stand", "exit", "pass", "cross", "face", "climb") and before in _NOUN_BEFORE:
        return 1, (Item("landmark", word),)
    if word == "after" and (after in NEUTRAL or after.endswith("ing")):
        return None if after in ("the", "a", "an", "it") else (1, ())
    if word.isdigit() and after.startswith("degree") and word in ("90", "180"):
        return 2, (Item("direction", "around"),) if word == "180" else ()
    if word == "before" and after in _NEXT_DONE and before != "just":
        return 1, ()
    if word == "step" and after in _STEPS_WHERE and before not in _NOUN_BEFORE | {"one", "first"}:
        return None if after == "out" else (1, ())
    if word == "a" and after == "little":
        follows = tokens[at + 2] if at + 2 < len(tokens) else ""
        if follows in ("left", "right", "to"):
            return 2, (Item("manner", "slight"),)
    if word == "by" and after.endswith("ing"):
        return 1, ()
    return None


def _items(tokens: Sequence[str]) -> list[Item | str]:
    """The content of a text with its breaks ("," and ".") and, as "v", its verbs between."""
    lexicon, longest = _lexicon(), _longest()
    found: list[Item | str] = []
    at = 0
    while at < len(tokens):
        word = tokens[at]
        if word in _BREAK:
            found.append("." if word in _ENDS else ",")
            at += 1
            continue
        if word in ("and", "then", *_FRONTED):
            found.append(word)
        elif word in _VERBS:
            found.append("v")
        special = _special(tokens, at)
        if special is not None:
            at += special[0]
            found += special[1]
            continue
        for size in range(min(longest.get(word, 0), len(tokens) - at), 0, -1):
            items = lexicon.get(tuple(tokens[at : at + size]))
            if items is not None:
                found += items
                at += size
                break
        else:
            if word.isdigit() or word[0].isdigit():
                found.append(Item("number", re.sub("st$|nd$|rd$", "th", word)))
            elif word not in NEUTRAL:
                found.append(Item("landmark", _one(word)))
            at += 1
    return found


def _steps(marked: Sequence[Item | str]) -> list[list[Item]]:
    """Split at full stops, and at commas, "and" and "then" before a verb. What comes before its
    verb ("when you reach the door, …") belongs to the step that follows."""
    steps: list[list[Item]] = [[]]
    fronted = False
    verbs = 0
    for index, mark in enumerate(marked):
        if isinstance(mark, Item):
            if not (steps[-1] and steps[-1][-1] == mark and _merges(mark)):
                steps[-1].append(mark)
            continue
        if mark in _FRONTED:
            fronted = fronted or not (steps[-1] or verbs)
        elif mark == "v":
            verbs += 1
        elif mark == "." or (_verb_next(marked, index) and not (mark == "," and fronted)):
            steps.append([])
            fronted, verbs = False, 0
        elif mark == ",":
            fronted = False
    return [step for step in steps if step]


def _next_things(items: Sequence[Item]) -> list[str]:
    """The first things named, up to the next direction."""
    found: list[str] = []
    for item in items:
        if item.kind in ("landmark", "room"):
            found.append(item.concept)
        elif item.kind == "direction" and (found or item.concept not in ("left", "right")):
            break
    return found[:3]


def _merges(item: Item) -> bool:
    """Whether saying it twice in a row is saying it once: "stop and wait", "forward, straight"."""
    if item.kind == "direction":
        return item.concept not in ("left", "right")
    return item.kind in ("stop", "manner")


def _verb_next(marked: Sequence[Item | str], index: int) -> bool:
    for mark in marked[index + 1 : index + 4]:
        if mark == "v":
            return True
        if mark not in ("and", "then", ","):
            return False
    return False


def _level(step: Sequence[Item]) -> list[Item]:
    """ "Down the hallway" is along it; "down the stairs" is down."""
    out: list[Item] = []
    for index, item in enumerate(step):
        if item.kind == "direction" and item.concept in ("up", "down"):
            heads = _next_things(step[index + 1 :])
            shape = next((h for h in heads if h in (*_LEVEL, "stairs", "step")), "")
            if shape in _LEVEL:
                item = Item("direction", "through")
        if not (out and out[-1] == item and _merges(item)):
            out.append(item)
    return out


def steps_of(text: str) -> tuple[tuple[Item, ...], ...]:
    """The content of each step, in order."""
    tokens = _TOKEN.findall(text.lower().replace("’", "'"))
    return tuple(tuple(_level(step)) for step in _steps(_items(tokens)))
