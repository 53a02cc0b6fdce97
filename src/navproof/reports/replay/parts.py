"""What was asked in an episode, part by part: the goals of a sequence, the sub-tasks of a mission;
which of them was in force when, how each ended, and where its words are in the instruction.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from navproof.log import Trace
from navproof.metrics import GoalResult, goal_results
from navproof.metrics.missions.record import decided_at, done_at, in_force_from, is_mission

__all__ = ["Asked", "Part", "asked_of", "goal_words", "part_in_force"]

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Part:
    """One goal or sub-task. ``begin`` is the index of the pose from which it was in force (-1:
    never), ``end`` of the one at which it ended. ``ending`` says how in a word or two."""

    text: str
    begin: int
    end: int
    success: bool
    ending: str


@dataclass(frozen=True, slots=True)
class Asked:
    """All words that were asked, as the agent read them. ``parts`` is empty where there is only
    one thing to do; ``spans`` are where the words of each part are in the text, None where they
    cannot be found (in another style, or spoiled)."""

    text: str
    parts: tuple[Part, ...]
    spans: tuple[Span | None, ...]


def asked_of(trace: Trace) -> Asked:
    """What was asked in an episode. The goals of a sequence, which are revealed one after another,
    are given in one numbered row."""
    if goals := goal_results(trace):
        words = goal_words(trace, goals)
        text, spans = "", list[Span | None]()
        for number, line in enumerate(words, 1):
            text += f"{' ' if text else ''}{number}. "
            spans.append((len(text), len(text) + len(line)))
            text += line
        return Asked(text, _goal_parts(goals, words), tuple(spans))
    episode = trace.episode
    text = episode.instruction.text if episode.instruction else episode.goals[0].text
    text = next((str(e.data["text"]) for e in trace.events if e.kind == "heard"), text)
    if not is_mission(trace):
        return Asked(text, (), ())
    return Asked(text, _subtask_parts(trace), _spans([s.text for s in episode.subtasks], text))


def part_in_force(parts: Sequence[Part], step: int) -> int:
    """The index of the part in force at a pose; the last one that was, when all are over."""
    return max((i for i, part in enumerate(parts) if 0 <= part.begin <= step), default=0)


def goal_words(trace: Trace, goals: Sequence[GoalResult]) -> list[str]:
    """The words of each goal as the agent read them: a condition may have changed them. Words that
    stay the same from one goal to the next are heard once."""
    heard = {e.data.get("number"): str(e.data["text"]) for e in trace.events if e.kind == "heard"}
    words, number = list[str](), -1
    for index, goal in enumerate(goals):
        number += index == 0 or goal.text != goals[index - 1].text
        words.append(heard.get(number, goal.text))
    return words


def _goal_parts(goals: Sequence[GoalResult], words: Sequence[str]) -> tuple[Part, ...]:
    return tuple(
        Part(text, goal.begin, goal.end, goal.success, "found" if goal.success else goal.failure)
        for goal, text in zip(goals, words, strict=True)
    )


def _subtask_parts(trace: Trace) -> tuple[Part, ...]:
    done, decided, last = done_at(trace), decided_at(trace), len(trace.poses) - 1
    parts = []
    for index, subtask in enumerate(trace.episode.subtasks):
        begin = in_force_from(trace, index)
        ending = "done" if index in done else "failed" if index in decided else "not done"
        begins = -1 if begin is None else min(begin, last)
        ends = min(decided.get(index, last), last)
        parts.append(Part(subtask.text, begins, ends, index in done, ending))
    return tuple(parts)


def _spans(texts: Sequence[str], whole: str) -> tuple[Span | None, ...]:
    """Where each text is in the whole, one after another; only the case of letters may differ."""
    folded, at = whole.lower(), 0
    spans: list[Span | None] = []
    for text in texts:
        found = folded.find(text.lower(), at) if text and len(folded) == len(whole) else -1
        spans.append(None if found < 0 else (found, found + len(text)))
        at = max(at, found + len(text)) if found >= 0 else at
    return tuple(spans)
