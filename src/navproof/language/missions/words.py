"""What a sub-task speaks of, in words: its target, its room, its person, its metres.

A point is told by ``ahead_m`` and ``left_m`` in its goal's description: metres in the frame of the
episode's start pose (x forward, y left), said to a tenth of a metre.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from navproof.core.errors import EpisodeError
from navproof.core.seeding import keyed
from navproof.core.types import Goal, SubTask
from navproof.language.goals.structure import GoalDescription
from navproof.language.goals.words import say
from navproof.language.lexicon.nouns import noun, room_noun
from navproof.language.lexicon.terms import NUMBER_WORDS

__all__ = ["SubTaskWords", "metres", "name_subtask", "pronoun", "said_offset"]

_DETERMINED = re.compile(
    r"^(?:the|an?|any|some|my|your|our|that|this|one of|every|somebody|someone|two|three)\b", re.I
)
_ASKED = re.compile(
    r"^(?:(?:please|now|next|then)\b,?\s*)?"
    r"(?:(?:can|could)\s+you\s+|i\s+need\s+you\s+to\s+|your\s+goal\s+is\s+(?=\w)|i\s+need\s+(?=\w))?"
    r"(?:(?:i\s+am\s+)?look(?:ing)?\s+for|find|locate|take\s+me\s+to"
    r"|(?:go|navigate|head|walk)(?:\s+over)?\s+to)?\s*(?=(?:the|an?|any|some)\s)",
    re.IGNORECASE,
)
_SMALLEST_M = 0.05


@dataclass(frozen=True, slots=True)
class SubTaskWords:
    """The words of a sub-task. ``target`` has its article: "the red mug", "the woman in red"; ""
    for a point and for a return to the start. So has ``room``: "the kitchen", or "a bedroom" where
    there are several. ``offset`` is (ahead, left), to a tenth of a metre."""

    target: str = ""
    room: str = ""
    offset: tuple[float, float] | None = None

    @property
    def phrase(self) -> str:
        """The target, and the room that it is in."""
        return f"{self.target} in {self.room}" if self.room else self.target


def name_subtask(
    subtask: SubTask, people: Mapping[str, str], rooms: Mapping[int, str]
) -> SubTaskWords:
    """What is to be said of a sub-task. Raises ``EpisodeError`` where it holds no words."""
    goal = subtask.goal
    match subtask.kind:
        case "goto_point":
            return SubTaskWords(offset=_offset(goal))
        case "follow_human":
            if subtask.person is None or not people.get(subtask.person, "").strip():
                raise EpisodeError(f"sub-task follow_human: nobody describes {subtask.person!r}")
            return SubTaskWords(_phrase(people[subtask.person]))
        case "return_to":
            return SubTaskWords(_phrase(goal.text) if goal.text.strip() else "")
        case "goto_room":
            told = [rooms[r] for r in subtask.rooms if r in rooms]
            words = goal.text or room_noun(goal.category or "") or (told[0] if told else "")
            return SubTaskWords(_phrase(_room(words)))
        case _:
            said = rooms.get(subtask.rooms[0], "") if len(subtask.rooms) == 1 else ""
            return SubTaskWords(_thing(goal), _phrase(_room(said)) if said else "")


def _room(words: str) -> str:
    """As ``nouns.room_noun`` says it, whatever stands before the noun."""
    return re.sub(r"\b(reception|counter)$", r"\1 area", words.strip(" .,"))


def _thing(goal: Goal) -> str:
    """A goal that has a structure and no words is said in the same ones every time."""
    if goal.text.strip() or "category" not in goal.description:
        return _phrase(goal.text if goal.text.strip() else noun(goal.category or ""))
    return _phrase(say(GoalDescription.from_facts(goal.description), keyed(0)))


def _phrase(words: str) -> str:
    """A noun phrase with its article, whatever asked for it."""
    body = " ".join(words.split()).strip(" .,;:!?")
    body = _ASKED.sub("", body).removesuffix(" for me")
    if not body:
        raise EpisodeError("a sub-task has no words for its target")
    first, rest = body[0], body[1:]
    if _DETERMINED.match(body):
        return first.lower() + rest
    return f"the {body}"


def _offset(goal: Goal) -> tuple[float, float]:
    found = []
    for key in ("ahead_m", "left_m"):
        value = goal.description.get(key)
        if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) <= 1000:
            raise EpisodeError(f"sub-task goto_point: its description needs {key} in metres")
        found.append(round(float(value), 1) + 0.0)
    if max(map(abs, found)) < _SMALLEST_M:
        raise EpisodeError("sub-task goto_point: its displacement is nothing")
    return found[0], found[1]


def pronoun(person: str) -> tuple[str, str, str]:
    """(subject, object, ending of the verb) for somebody described so: she, her, "stops"."""
    words = re.findall(r"[a-z]+", person.lower())
    for word in words:
        if word in ("woman", "lady", "girl", "she", "female", "her"):
            return "she", "her", "s"
        if word in ("man", "gentleman", "boy", "guy", "he", "male", "his"):
            return "he", "him", "s"
    return "they", "them", ""


def metres(value_m: float, rng: np.random.Generator, short: bool = False) -> str:
    """A length: "3.2 metres", "three metres", "two and a half metres", "half a metre"."""
    tenths = round(abs(value_m) * 10)
    whole, rest = divmod(tenths, 10)
    digits = f"{whole}.{rest}" if rest else f"{whole}"
    if short:
        return f"{digits} m"
    unit = "metre" if tenths == 10 else "metres"
    spelt = rng.random() < 0.45
    if spelt and not rest and 1 <= whole <= 10:
        return f"{NUMBER_WORDS[whole]} {unit}"
    if spelt and rest == 5 and 1 <= whole <= 10:
        return f"{NUMBER_WORDS[whole]} and a half metres"
    if spelt and tenths == 5:
        return "half a metre"
    return f"{digits} {unit}"


def said_offset(
    offset: tuple[float, float], rng: np.random.Generator, seen_from: str, short: bool = False
) -> str:
    """A displacement, ahead first as a rule. ``seen_from`` is "you" ("ahead of you", "to your
    left"), "" ("ahead", "to your left") or a place ("ahead and 1 metre to the left of the
    door")."""
    ahead, left = offset
    along, across = "ahead" if ahead > 0 else "behind", "left" if left > 0 else "right"
    parts = []
    if abs(ahead) >= _SMALLEST_M:
        length = metres(ahead, rng, short)
        if not seen_from:
            ways = (f"{length} {along}", f"{length} straight ahead", f"forward {length}")
            back = (f"{length} back", f"{length} backwards")
            chosen = ways if ahead > 0 else back
            parts.append(chosen[0] if short else chosen[int(rng.integers(len(chosen)))])
        elif seen_from == "you":
            places = ("ahead of you", "in front of you") if ahead > 0 else ("behind you",)
            parts.append(f"{length} {places[int(rng.integers(len(places)))]}")
        else:
            parts.append(f"{length} {along}")
    if abs(left) >= _SMALLEST_M:
        length = metres(left, rng, short)
        own = "the" if seen_from not in ("", "you") else "your"
        parts.append(f"{length} {across}" if short else f"{length} to {own} {across}")
    if len(parts) == 2 and seen_from == "you" and rng.random() < 0.25:
        parts.reverse()
    told = " and ".join(parts)
    if seen_from in ("", "you"):
        return told
    return f"{told} {seen_from}" if told.endswith("behind") else f"{told} of {seen_from}"
