"""Reading missions: composed ones are read exactly, people's own words mostly, any text safely."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from test_missions import PEOPLE, draw_mission

from navproof.core.seeding import rng
from navproof.core.types import SubTask
from navproof.language.missions.missions import MISSION_STYLES, word_mission
from navproof.language.missions.words import name_subtask
from navproof.language.reading.dissect import plain
from navproof.language.reading.mission import ParsedMission, ParsedSubTask, parse_mission
from navproof.language.reading.orders import room_behind


def meant(subtask: SubTask, rooms: dict[int, str]) -> ParsedSubTask:
    """The sub-task as a reader should find it."""
    named = name_subtask(subtask, PEOPLE, rooms)
    target = plain(named.target)
    match subtask.kind:
        case "goto_point":
            return ParsedSubTask("goto_point", offset_m=named.offset)
        case "follow_human":
            return ParsedSubTask("follow_human", person=target)
        case "goto_room" | "return_to":
            return ParsedSubTask(subtask.kind, target)
        case _:
            whole = plain(named.phrase)
            return ParsedSubTask(subtask.kind, *room_behind(whole))


@pytest.mark.parametrize("style", MISSION_STYLES)
def test_composed_missions_are_read_exactly(style: str) -> None:
    wrong = []
    count = 120
    for index in range(count):
        subtasks, question, social, rooms = draw_mission(index, seed=7)
        text = word_mission(
            subtasks,
            style,
            question=question,
            social=social,
            rng=rng(2, str(index), style),
            people=PEOPLE,
            rooms=rooms,
        ).text
        asked = None if question is None else question.text
        expected = ParsedMission(tuple(meant(s, rooms) for s in subtasks), asked, social)
        if parse_mission(text) != expected:
            wrong.append(text)
    allowed = 0.02 if style == "original" else 0.05
    assert len(wrong) <= allowed * count, wrong[:3]


def kinds(text: str) -> list[tuple[str, str]]:
    return [(s.kind, s.target or s.person) for s in parse_mission(text).subtasks]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "Walk down the hallway to the kitchen, then find the fridge.",
            [("goto_room", "kitchen"), ("goto_object", "fridge")],
        ),
        (
            "Could you please find me a red mug and then come back here?",
            [("goto_object", "red mug"), ("return_to", "")],
        ),
        (
            "Follow the man in the white shirt to the desk, and afterwards go to the copy room.",
            [("follow_human", "man in the white shirt"), ("goto_room", "copy room")],
        ),
        (
            "Exit the room, turn right after the sofa, and stop near the dining table.",
            [("goto_landmark", "dining table")],
        ),
        (
            "Go through the door on your left into the study; after that, go back to the sofa.",
            [("goto_room", "study"), ("return_to", "sofa")],
        ),
        (
            "Follow the woman who is walking to the door, then return to your starting point.",
            [("follow_human", "woman who is walking"), ("return_to", "")],
        ),
        (
            "Find the lamp between the bed and the desk and go up to it.",
            [("goto_object", "lamp between the bed and the desk")],
        ),
        (
            "Find a mug that is empty and on a desk and then look for a chair.",
            [("goto_object", "mug that is empty and on a desk"), ("goto_object", "chair")],
        ),
        (
            "walk to kitchen find sofa follow woman return to start",
            [
                ("goto_room", "kitchen"),
                ("goto_object", "sofa"),
                ("follow_human", "woman"),
                ("return_to", ""),
            ],
        ),
        (
            "Go to the bedroom with the green walls.",
            [("goto_room", "bedroom with the green walls")],
        ),
        ("Go to the kitchen counter.", [("goto_landmark", "kitchen counter")]),
        ("Come to a stop and wait for a moment.", []),
    ],
)
def test_other_peoples_words_are_read(text: str, expected: list[tuple[str, str]]) -> None:
    assert kinds(text) == expected


@pytest.mark.parametrize(
    ("text", "offset"),
    [
        ("Drive 2.5 m forward and 1 m to the right.", (2.5, -1.0)),
        ("Move half a metre back.", (-0.5, 0.0)),
        ("Go left two meters and three metres ahead.", (3.0, 2.0)),
        ("Walk to the spot 1,5 metres behind you.", (-1.5, 0.0)),
    ],
)
def test_points_are_read(text: str, offset: tuple[float, float]) -> None:
    (subtask,) = parse_mission(text).subtasks
    assert subtask == ParsedSubTask("goto_point", offset_m=offset)


def test_a_thing_is_told_from_its_room() -> None:
    (one,) = parse_mission("Go to the mug on the desk in the green bedroom.").subtasks
    assert (one.target, one.room) == ("mug on the desk", "green bedroom")


def test_questions_and_manners_are_read_wherever_they_are() -> None:
    read = parse_mission(
        "Without disturbing anybody, go to the lab. Where is the microscope? Then find a chair."
    )
    assert read.question == "Where is the microscope?"
    assert read.social
    assert [s.target for s in read.subtasks] == ["lab", "chair"]
    assert parse_mission("Can you find the mug?").question is None
    assert not parse_mission("Find the people in the living room.").social


def test_a_text_without_orders_is_no_mission() -> None:
    for text in ("", "???", "12 12 12", "hello there", "\n\n", "Find", "follow", "the the the"):
        assert parse_mission(text).subtasks == ()


WORDS = [
    *("go", "walk", "find", "follow", "return", "to", "the", "a", "sofa", "kitchen", "in", "and"),
    *("then", ",", ".", "?", ":", "what", "is", "it", "people", "room", "metres", "3", "2.5", "I"),
    *("half", "left", "ahead", "until", "stop", "start", "where", "you", "back", "red", "that"),
    *("on", "—", ";", "\n", "by", "distance", "point", "here", "look", "for", "behind"),
]


@given(st.one_of(st.text(max_size=400), st.lists(st.sampled_from(WORDS)).map(" ".join)))
def test_any_text_is_read_safely(text: str) -> None:
    read = parse_mission(text)
    assert read == parse_mission(text)
    for subtask in read.subtasks:
        filled = [subtask.target, subtask.person, subtask.offset_m]
        assert sum(bool(x) for x in filled if x is not None) <= 2
        assert subtask.kind == "return_to" or any(x for x in filled if x is not None)
        assert (subtask.kind == "goto_point") == (subtask.offset_m is not None)
        assert (subtask.kind == "follow_human") == bool(subtask.person)
    if read.question is not None:
        assert read.question.endswith("?")


@pytest.mark.parametrize(
    "unit", ["go ", ",", "what : ", "room people ", "1 metre ", "go to the sofa and ", "in the "]
)
def test_a_long_text_takes_no_long_time(unit: str) -> None:
    begun = time.perf_counter()
    parse_mission(unit * (8000 // len(unit)))
    assert time.perf_counter() - begun < 2.0
