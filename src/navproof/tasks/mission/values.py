"""What the types of a mission's fields do not say: values that no scene can make sense of."""

from __future__ import annotations

import math
from collections.abc import Iterator

from navproof.core.registry import suggest
from navproof.core.types import Episode, Scalar
from navproof.sim.robots import is_robot_name, robot_names

__all__ = ["mission_form"]

_FARTHEST_M = 1e6


def mission_form(episode: Episode) -> Iterator[tuple[str, str]]:
    """(field, what is wrong) with what a mission has besides."""
    if episode.instruction is None or not episode.instruction.text.strip():
        yield "instruction", "a mission needs one"
    robot = episode.robot
    if robot and not is_robot_name(robot):
        yield "robot", f"there is no robot '{robot}'{suggest(robot, list(robot_names()))}"
    if not episode.subtasks:
        yield "subtasks", "there must be at least one"
    yield from _subtasks(episode)
    question = episode.question
    if question is not None:
        if not question.text.strip():
            yield "question.text", "is empty"
        if not question.answer.strip():
            yield "question.answer", "is empty"
    for style, text in episode.wordings.items():
        if not text.strip():
            yield f"wordings.{style}", "is empty"
    budget_s = episode.tags.get("budget_s", 1.0)
    if not _is_positive(budget_s):
        yield "tags.budget_s", f"must be a time in seconds, is {budget_s}"


def _subtasks(episode: Episode) -> Iterator[tuple[str, str]]:
    people = [walk.person for walk in episode.people]
    for index, subtask in enumerate(episode.subtasks):
        where = f"subtasks.{index}"
        if not _is_positive(subtask.within_m):
            yield f"{where}.within_m", f"must be a length in metres, is {subtask.within_m}"
        follows = subtask.kind == "follow_human"
        if follows and subtask.person is None:
            yield f"{where}.person", "somebody to follow must be named"
        elif follows and subtask.person not in people:
            yield f"{where}.person", f"there is no '{subtask.person}' among the people"
        positions = subtask.goal.positions
        if not positions and not follows:
            yield f"{where}.goal.positions", "there must be at least one"
        if not all(abs(v) <= _FARTHEST_M for p in positions for v in p):
            yield f"{where}.goal.positions", "must be finite numbers"
        if subtask.kind == "goto_room" and not subtask.rooms:
            yield f"{where}.rooms", "a room to go to must be named"


def _is_positive(value: Scalar) -> bool:
    number = isinstance(value, int | float) and not isinstance(value, bool)
    return number and math.isfinite(float(value)) and float(value) > 0.0  # type: ignore[arg-type]
