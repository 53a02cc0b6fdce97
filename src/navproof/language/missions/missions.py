"""Missions in words: one fluent instruction from an ordered list of sub-tasks, in four styles.

>>> word_mission(subtasks, "concise", question=question, rng=rng, people={"p1": "the man in blue"})
Wording(text='Find a mug, then follow the man in blue. …', segments=('find a mug', …))

All that is said comes from the sub-tasks (``words``): every target, number and person, in
order, and nothing else. The styles are OmniNavBench's (appendix B): the original, a concise one
without anything superfluous, a verbose one, and one from the robot's point of view. They have the
same content, which ``check_mission`` proves on the text alone.

``people`` holds a description of everybody who is followed ("the woman in the red jacket"), by
person; ``rooms`` holds names of rooms, by id: where a landmark or an object has one room, and that
is named there, the words say so ("the sofa in the living room"; "the sofa in a bedroom" where the
name is told with that article, since there are several).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from navproof.core.errors import EpisodeError, SpecError
from navproof.core.types import Question, SubTask
from navproof.language.missions.check import MAX_WORDS, MIN_WORDS, check_mission
from navproof.language.missions.wordings import MISSION_STYLES, MissionStyle, is_style
from navproof.language.missions.words import name_subtask
from navproof.language.missions.writer import Part, Writer

__all__ = [
    "MAX_WORDS",
    "MIN_WORDS",
    "MISSION_STYLES",
    "MissionStyle",
    "Wording",
    "check_mission",
    "word_mission",
]

_NOBODY: Mapping[str, str] = MappingProxyType({})
_NOWHERE: Mapping[int, str] = MappingProxyType({})
_TRIES = 24


@dataclass(frozen=True, slots=True)
class Wording:
    """The words of a mission. ``segments`` are those of each sub-task; the text holds them in order
    (the first letter of one that opens a sentence is a capital there)."""

    text: str
    segments: tuple[str, ...]


def word_mission(
    subtasks: Sequence[SubTask],
    style: str = "original",
    *,
    question: Question | None = None,
    social: bool = False,
    rng: np.random.Generator,
    people: Mapping[str, str] = _NOBODY,
    rooms: Mapping[int, str] = _NOWHERE,
) -> Wording:
    """The instruction of a mission, 9–130 words.

    Raises ``EpisodeError`` where a sub-task has no words of its own, or where the mission cannot
    be said within these bounds.
    """
    if not is_style(style):
        raise SpecError(f"style: {style!r} is not one of {', '.join(MISSION_STYLES)}")
    if not subtasks:
        raise EpisodeError("a mission needs a sub-task to speak of")
    parts = [Part(s.kind, name_subtask(s, people, rooms)) for s in subtasks]
    asked = None if question is None else question.text
    problems: list[str] = []
    length, too_long = 0, 0
    for _ in range(_TRIES):
        text, segments = Writer(style, rng, length).write(parts, asked, social)
        count = len(text.split())
        too_long += count > MAX_WORDS
        length = 1 if count < MIN_WORDS else max(-(too_long // 4), -2)
        problems = check_mission(text, subtasks, question, social, people, rooms)
        if not problems:
            return Wording(text, tuple(segments))
    raise EpisodeError(f"cannot word the mission ({style}): {problems[0]}")
