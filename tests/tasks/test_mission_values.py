"""Mission files: what makes no sense is refused with the name of the field."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from mission_samples import FOLLOW, LANDMARK, POINT, QUESTION, ROOM, WALK, WHOLE, mission
from navproof.core.errors import EpisodeError
from navproof.core.types import Episode, Goal, Instruction, Walk
from navproof.tasks.episodes import episode_from_json, episode_to_json
from navproof.tasks.mission.values import mission_form
from navproof.tasks.people import people_faults

LOST = Walk("p1", "nobody", ((0.0, 0.0, 0.0),))


def faults(episode: Episode) -> list[tuple[str, str]]:
    return [*people_faults(episode), *mission_form(episode)]


def test_a_mission_without_fault() -> None:
    assert faults(WHOLE) == []
    assert faults(replace(WHOLE, tags={"budget_s": 60}, wordings={"concise": "Do it."})) == []


@pytest.mark.parametrize(
    ("episode", "field", "why"),
    [
        (mission(ROOM, instruction=None), "instruction", "needs one"),
        (mission(ROOM, instruction=Instruction(" ")), "instruction", "needs one"),
        (replace(mission(ROOM), subtasks=()), "subtasks", "at least one"),
        (mission(ROOM, robot="carto"), "robot", "there is no robot 'carto'"),
        (mission(replace(ROOM, within_m=0.0)), "subtasks.0.within_m", "is 0.0"),
        (mission(LANDMARK, replace(ROOM, within_m=math.nan)), "subtasks.1.within_m", "is nan"),
        (mission(replace(ROOM, rooms=())), "subtasks.0.rooms", "must be named"),
        (mission(replace(POINT, goal=Goal("point", ()))), "subtasks.0.goal.positions", "one"),
        (
            mission(replace(POINT, goal=Goal("point", ((math.inf, 0.0, 0.0),)))),
            "subtasks.0.goal.positions",
            "finite",
        ),
        (mission(FOLLOW), "subtasks.0.person", "there is no 'p1'"),
        (mission(replace(FOLLOW, person=None)), "subtasks.0.person", "must be named"),
        (mission(ROOM, question=replace(QUESTION, text="")), "question.text", "empty"),
        (mission(ROOM, question=replace(QUESTION, answer=" ")), "question.answer", "empty"),
        (mission(ROOM, wordings={"concise": ""}), "wordings.concise", "empty"),
        (mission(ROOM, tags={"budget_s": -1.0}), "tags.budget_s", "is -1.0"),
        (mission(ROOM, tags={"budget_s": "long"}), "tags.budget_s", "is long"),
        (mission(ROOM, tags={"budget_s": True}), "tags.budget_s", "is True"),
        (mission(ROOM, people=(WALK, WALK)), "people.1.person", "already there"),
        (mission(ROOM, people=(replace(WALK, person=""),)), "people.0.person", "empty"),
        (mission(ROOM, people=(WALK, replace(LOST, person="x"))), "people.1", "appearance"),
        (mission(ROOM, people=(replace(WALK, path=()),)), "people.0", "path"),
        (mission(ROOM, people=(replace(WALK, speed_m_s=0.0),)), "people.0", "speed_m_s"),
        (mission(ROOM, people=(replace(WALK, begins_s=-1.0),)), "people.0", "begins_s"),
    ],
)
def test_each_fault_names_its_field(episode: Episode, field: str, why: str) -> None:
    found = faults(episode)
    assert found[0][0] == field
    assert why in found[0][1]


def test_a_mission_comes_back_from_its_line_of_json() -> None:
    assert episode_from_json(episode_to_json(WHOLE)) == WHOLE


@pytest.mark.parametrize(
    ("old", "new", "field"),
    [
        ('"kind":"goto_room"', '"kind":"fly_to"', "subtasks.0.kind"),
        ('"within_m":3.0', '"within_m":"far"', "subtasks.0.within_m"),
        ('"person":"p2"', '"person":"p1"', "people.1.person"),
        ('"answer":"red"', '"answer":""', "question.answer"),
        ('"subtasks":[', '"subtask":[', "subtask"),
        ('"path":[[-3.2,3.4,0.0]]', '"path":[[-3.2,3.4]]', "people.1.path.0"),
    ],
)
def test_a_bad_file_is_told_in_one_line_with_its_field(old: str, new: str, field: str) -> None:
    text = episode_to_json(WHOLE)
    assert old in text
    with pytest.raises(EpisodeError, match=f"field '{field}") as caught:
        episode_from_json(text.replace(old, new, 1), "missions.jsonl, line 1")
    assert str(caught.value).startswith("missions.jsonl, line 1: ")
    assert "\n" not in str(caught.value)
