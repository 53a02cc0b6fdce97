"""Missions against their scenes: can each part be done, and is what the words say true?"""

from __future__ import annotations

import math
from collections.abc import Iterator

from navproof.core.seeding import rng
from navproof.core.types import Episode
from navproof.language.reading.mission import parse_mission
from navproof.sim.geodesic.navgrid import NavGrid
from navproof.sim.protocol import Simulator, points
from navproof.world.people.people import PERSON, is_walkable

__all__ = ["mission_faults"]

_TOLD_M = 0.1  # to which places are told


def mission_faults(sim: Simulator, episode: Episode) -> Iterator[tuple[str, str]]:
    """(field, what is wrong); the simulator holds the episode's scene and robot."""
    here = episode.start
    for index, part in enumerate(episode.subtasks):
        where = f"subtasks.{index}"
        ends = points(part.goal.positions)
        if not math.isfinite(sim.geodesic(here.point, ends)):
            yield f"{where}.goal.positions", "cannot be reached from the start"
        things = [sim.scene.by_id.get(i) for i in part.goal.object_ids]
        if any(thing is None for thing in things):
            yield f"{where}.goal.object_ids", "name objects that the scene does not have"
        elif any(thing and thing.category != part.goal.category for thing in things):
            yield f"{where}.goal.object_ids", f"name objects that are no {part.goal.category}"
        if part.kind == "goto_point":
            yield from _told_place(episode, index)
        if part.rooms and not {room.id for room in sim.scene.rooms}.issuperset(part.rooms):
            yield f"{where}.rooms", "name rooms that the scene does not have"
    grid = NavGrid.build(sim.scene, PERSON)
    for index, walk in enumerate(episode.people):
        if not is_walkable(walk, grid):
            yield f"people.{index}.path", f"{walk.person} would walk through something"
    yield from _words(episode)
    yield from _question(sim, episode)


def _told_place(episode: Episode, index: int) -> Iterator[tuple[str, str]]:
    """A point is where the metres that are said lead."""
    goal, start = episode.subtasks[index].goal, episode.start
    ahead, left = goal.description.get("ahead_m"), goal.description.get("left_m")
    if not (isinstance(ahead, int | float) and isinstance(left, int | float)):
        yield f"subtasks.{index}.goal.description", "lacks ahead_m and left_m"
        return
    c, s = math.cos(start.yaw), math.sin(start.yaw)
    stated = start.x + ahead * c - left * s, start.y + ahead * s + left * c
    if math.dist(stated, goal.positions[0][:2]) > _TOLD_M:
        yield f"subtasks.{index}.goal.positions", "is not where ahead_m and left_m lead"


def _words(episode: Episode) -> Iterator[tuple[str, str]]:
    """Every wording asks for the sub-tasks, in their order."""
    original = "" if episode.instruction is None else episode.instruction.text
    kinds = [part.kind for part in episode.subtasks]
    for style, text in {"original": original, **episode.wordings}.items():
        parsed = parse_mission(text)
        field = "instruction" if style == "original" else f"wordings.{style}"
        if [part.kind for part in parsed.subtasks] != kinds:
            yield field, f"asks for {', '.join(p.kind for p in parsed.subtasks) or 'nothing'}"
        if (parsed.question is None) != (episode.question is None):
            yield field, "and the question do not go together"


def _question(sim: Simulator, episode: Episode) -> Iterator[tuple[str, str]]:
    """The scene gives the same answer."""
    from navproof.language.questions.questions import questions_for

    question = episode.question
    if question is None:
        return
    for seed in range(8):  # of many questions only a balanced part is offered at a time
        offered = questions_for(sim.scene, rng(seed, episode.scene, "validate.question"))
        answers = {q.answer for q, _ in offered if q.text == question.text}
        if answers and question.answer not in answers:
            yield "question.answer", f"is '{question.answer}', the scene says '{answers.pop()}'"
        if answers:
            return
