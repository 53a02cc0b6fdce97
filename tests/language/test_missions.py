"""Missions in words: every target, number, person and question in order, in all four styles."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

import numpy as np
import pytest

from navproof.core.errors import EpisodeError, SpecError
from navproof.core.seeding import rng
from navproof.core.types import Goal, Question, SubTask, SubTaskKind
from navproof.language.goals.goals import GoalDescription, draw_descriptions, say, unique_parts
from navproof.language.missions.missions import (
    MAX_WORDS,
    MIN_WORDS,
    MISSION_STYLES,
    check_mission,
    word_mission,
)
from navproof.language.missions.words import metres, name_subtask, said_offset
from navproof.language.reading.offsets import length_m, offsets
from navproof.world.library import load_scene

NO_ROOMS: Mapping[int, str] = MappingProxyType({})
REFS = ("home/val/0", "home/val/3", "office/val/1")
PEOPLE = {
    "p1": "the woman in the red jacket",
    "p2": "the tall man with blond hair in the blue jumper and beige trousers",
    "p3": "the older woman with grey hair in a bun wearing a green cardigan",
    "p4": "the person with glasses",
}
QUESTIONS = (
    "How many chairs are there in the kitchen?",
    "Is the TV in the living room on or off?",
    "Which is taller in the study, the bookshelf or the sofa?",
)
NOWHERE = ((0.0, 0.0, 0.0),)


def point(ahead: float, left: float) -> SubTask:
    goal = Goal("point", NOWHERE, description={"ahead_m": ahead, "left_m": left})
    return SubTask("goto_point", "", goal, 0.36)


def thing(kind: SubTaskKind, text: str, room: int | None = None) -> SubTask:
    rooms = () if room is None else (room,)
    return SubTask(kind, "", Goal("object", NOWHERE, text=text), 1.0, rooms=rooms)


def room(text: str) -> SubTask:
    return SubTask("goto_room", "", Goal("room", NOWHERE, text=text), 0.0)


HOME = SubTask("return_to", "", Goal("point", NOWHERE), 2.0)
FOLLOW = SubTask("follow_human", "", Goal("person", NOWHERE), 3.0, person="p1")


def draw_mission(
    index: int, seed: int
) -> tuple[tuple[SubTask, ...], Question | None, bool, dict[int, str]]:
    """A mission of OmniNavBench's mix: 39/32/29 % with 2/3/≥ 4 sub-tasks, those beside the way
    (a question, manners) counted."""
    drawn = rng(seed, str(index), "mission")
    scene = load_scene(REFS[index % len(REFS)])
    things = [o for o in scene.objects if o.position_kind in ("floor", "on")]
    count = int(drawn.choice([2, 3, 4, 5, 6], p=[0.7, 0.16, 0.1, 0.02, 0.02]))
    made: list[SubTask] = []
    while len(made) < count:
        luck = drawn.random()
        if luck < 0.18:
            made.append(room(scene.rooms[int(drawn.integers(len(scene.rooms)))].name))
        elif luck < 0.64:
            kind: SubTaskKind = "goto_landmark" if luck < 0.36 else "goto_object"
            target = things[int(drawn.integers(len(things)))]
            for drawing in draw_descriptions(scene, target.id, drawn):
                text = say(drawing, drawn, unique_parts(drawing, scene))
                made.append(thing(kind, text, target.room if kind == "goto_landmark" else None))
        elif luck < 0.78 and made and made[-1] is not HOME:
            made.append(HOME)
        elif 0.78 <= luck < 0.9:
            made.append(replace(FOLLOW, person=f"p{int(drawn.integers(1, 5))}"))
        elif luck >= 0.9:
            made.append(point(round(drawn.uniform(1, 8), 1), round(drawn.uniform(-4, 4), 1)))
    text = QUESTIONS[int(drawn.integers(len(QUESTIONS)))]
    question = Question(text, "count", "2") if drawn.random() < 0.2 else None
    names = {r.id: r.name for r in scene.rooms}
    return tuple(made), question, bool(drawn.random() < 0.35), names


MISSIONS = [draw_mission(i, 0) for i in range(60)]


@pytest.mark.parametrize("style", MISSION_STYLES)
def test_every_mission_is_said_in_every_style(style: str) -> None:
    lengths = []
    for index, (subtasks, question, social, rooms) in enumerate(MISSIONS):
        worded = word_mission(
            subtasks,
            style,
            question=question,
            social=social,
            rng=rng(1, str(index), style),
            people=PEOPLE,
            rooms=rooms,
        )
        assert not check_mission(worded.text, subtasks, question, social, PEOPLE, rooms)
        lengths.append(len(worded.text.split()))
        assert len(worded.segments) == len(subtasks)
        at = 0
        for subtask, segment in zip(subtasks, worded.segments, strict=True):
            at = worded.text.lower().index(segment.lower(), at) + len(segment)
            named = name_subtask(subtask, PEOPLE, rooms)
            assert named.target.lower() in segment.lower()
        if style == "first_person":
            told = worded.text.replace(question.text if question else "", "")
            assert not re.search(r"\b(?:you|your)\b", told, re.IGNORECASE)
            assert re.search(r"\bI\b", told)
    assert min(lengths) >= MIN_WORDS
    assert max(lengths) <= MAX_WORDS
    mean = {
        "original": (36, 48),
        "concise": (16, 28),
        "verbose": (52, 78),
        "first_person": (32, 50),
    }
    assert mean[style][0] < np.mean(lengths) < mean[style][1]


def _words(
    subtasks: Sequence[SubTask],
    style: str,
    question: Question | None,
    social: bool,
    draw: np.random.Generator,
    rooms: Mapping[int, str] = NO_ROOMS,
) -> str:
    said = word_mission(
        subtasks, style, question=question, social=social, rng=draw, people=PEOPLE, rooms=rooms
    )
    return said.text


def test_the_same_generator_gives_the_same_words() -> None:
    subtasks, question, social, rooms = MISSIONS[3]
    texts = {
        _words(subtasks, "original", question, social, rng(5, "a", "b"), rooms) for _ in range(3)
    }
    assert len(texts) == 1
    assert _words(subtasks, "concise", question, social, rng(5, "a", "b"), rooms) not in texts


def test_words_vary() -> None:
    subtasks = (room("the kitchen"), thing("goto_object", "a mug"), HOME)
    texts = Counter(word_mission(subtasks, rng=rng(i, "x", "y")).text for i in range(60))
    assert len(texts) > 50
    openings = {text.split()[0] for text in texts}
    assert len(openings) >= 8


def test_the_shortest_and_the_longest_missions_keep_to_the_bounds() -> None:
    for style, seed in itertools.product(MISSION_STYLES, range(25)):
        for pair in ((room("study"), HOME), (thing("goto_object", "a mug"), room("study"))):
            text = word_mission(pair, style, rng=rng(seed, style, "short")).text
            assert MIN_WORDS <= len(text.split()) <= MAX_WORDS, text
        wordy = "the small brown wooden three-drawer nightstand that stands next to the bed"
        long = (thing("goto_object", wordy), FOLLOW, thing("goto_landmark", wordy, 1)) * 2
        question = Question(QUESTIONS[2], "comparison", "sofa")
        text = _words(long, style, question, True, rng(seed, style, "long"), {1: "bedroom"})
        assert MIN_WORDS <= len(text.split()) <= MAX_WORDS, text


# ------------------------------------------------------------------------- what a sub-task says
@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Find the red candle on the nightstand.", "the red candle on the nightstand"),
        ("Could you find a mug for me?", "a mug"),
        ("I am looking for any chair.", "any chair"),
        ("Your goal is the sofa.", "the sofa"),
        ("Now I need the lamp beside it.", "the lamp beside it"),
        ("the blue desk", "the blue desk"),
        ("blue desk", "the blue desk"),
        ("A television", "a television"),
        ("TV", "the TV"),
    ],
)
def test_a_target_is_a_noun_phrase(text: str, said: str) -> None:
    assert name_subtask(thing("goto_object", text), {}, {}).target == said


def test_a_goal_without_words_is_named_by_its_structure_or_category() -> None:
    facts = GoalDescription("mug", {"colour": "red"}).facts()
    goal = Goal("object", NOWHERE, category="mug", description=facts)
    assert name_subtask(SubTask("goto_object", "", goal, 1.0), {}, {}).target == "the red mug"
    goal = Goal("object", NOWHERE, category="picture")
    assert name_subtask(SubTask("goto_object", "", goal, 1.0), {}, {}).target == "the painting"
    goal = Goal("room", NOWHERE, category="reception")
    assert name_subtask(SubTask("goto_room", "", goal, 0), {}, {}).target == "the reception area"


def test_the_room_is_said_only_where_it_is_given() -> None:
    landmark = thing("goto_landmark", "the sofa", 4)
    told = word_mission((landmark, HOME), rng=rng(0, "a", "b"), rooms={4: "living room"}).text
    assert "the sofa in the living room" in told
    other = word_mission((landmark, HOME), rng=rng(0, "a", "b"), rooms={3: "lab"}).text
    assert "living room" not in other


def test_a_later_point_is_told_from_the_start() -> None:
    for seed in range(20):
        first = word_mission((point(3.2, 1.5), room("study")), rng=rng(seed, "a", "b")).text
        later = word_mission((room("study"), point(3.2, 1.5)), rng=rng(seed, "a", "b")).text
        assert not re.search(r"you (?:started|set out)|at the start", first)
        assert re.search(r"when you (?:started|set out)|at the start|where you started", later)
        for text in (first, later):
            (told,) = offsets(text)
            assert (told.ahead_m, told.left_m) == pytest.approx((3.2, 1.5))


def test_who_is_followed_has_the_right_pronoun() -> None:
    words = {"a": "the woman in red", "b": "the man in red", "c": "the person in red"}
    for person, she in (("a", "she"), ("b", "he"), ("c", "they")):
        texts = " ".join(
            word_mission(
                (replace(FOLLOW, person=person), HOME), rng=rng(i, person, "follow"), people=words
            ).text
            for i in range(20)
        )
        found = set(re.findall(r"\b(?:she|he|they)\b", texts))
        assert found == {she}


def test_manners_leave_out_who_is_followed() -> None:
    for seed in range(30):
        text = _words((FOLLOW, HOME), "original", None, True, rng(seed, "a", "b"))
        assert re.search(r"\belse\b|\bother people\b", text)


@pytest.mark.parametrize(
    ("subtask", "message"),
    [
        (replace(FOLLOW, person="p9"), "nobody describes 'p9'"),
        (SubTask("goto_point", "", Goal("point", NOWHERE), 0.36), "needs ahead_m in metres"),
        (point(0.0, 0.01), "displacement is nothing"),
        (point(float("nan"), 1.0), "needs ahead_m in metres"),
        (SubTask("goto_object", "", Goal("object", NOWHERE), 1.0), "no words for its target"),
    ],
)
def test_a_subtask_without_words_is_one_clear_line(subtask: SubTask, message: str) -> None:
    with pytest.raises(EpisodeError, match=message):
        word_mission((subtask, HOME), rng=rng(0, "a", "b"), people=PEOPLE)


def test_an_unknown_style_or_an_empty_mission_is_refused() -> None:
    with pytest.raises(SpecError, match="'rude' is not one of original, concise"):
        word_mission((HOME,), "rude", rng=rng(0, "a", "b"))
    with pytest.raises(EpisodeError, match="needs a sub-task"):
        word_mission((), rng=rng(0, "a", "b"))


# ---------------------------------------------------------------------------------- the checker
SUBTASKS = (room("the kitchen"), thing("goto_object", "a red mug"), point(3.0, -1.5), HOME)
ASKED = Question("What colour is the sofa?", "colour", "red")
RIGHT = (
    "Go to the kitchen and then find a red mug. Go to the point that was three metres ahead of "
    "you and 1.5 metres to your right when you started, then return to where you started. Keep "
    "your distance from people. Tell me: what colour is the sofa?"
)


def test_the_checker_accepts_what_is_right() -> None:
    assert not check_mission(RIGHT, SUBTASKS, ASKED, True)


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ("a red mug", "a blue mug", "does not say 'a red mug'"),
        ("a red mug", "a mug", "does not say 'a red mug'"),
        ("to the kitchen", "to the study", "does not say 'the kitchen'"),
        ("three metres", "four metres", r"does not say \+3.0 m ahead"),
        ("1.5 metres to your right", "1.5 metres to your left", "-1.5 m to the left"),
        ("ahead of you", "behind you", r"does not say \+3.0 m ahead"),
        (", then return to where you started", "", "does not say to come back"),
        ("Keep your distance from people. ", "", "does not say to keep a distance"),
        ("what colour is the sofa?", "what colour is the chair?", "does not ask"),
        ("find a red mug", "find a red mug beside the sofa", "also speaks of 'sofa'"),
        ("find a red mug", "find a red mug within 4 steps", "also speaks of '4'"),
        ("find a red mug", "enter a red mug", "has no verb of its kind"),
        ("Go to the", "Go to the the", "well formed"),
        ("a red mug", "an red mug", "says 'an red'"),
        ("what colour", "is it on? what colour", "asks something else"),
        (RIGHT, "Find a mug.", "has 3 words"),
    ],
)
def test_the_checker_finds_what_is_wrong(old: str, new: str, complaint: str) -> None:
    problems = check_mission(RIGHT.replace(old, new), SUBTASKS, ASKED, True)
    assert any(re.search(complaint, problem) for problem in problems), problems


def test_the_checker_holds_to_the_order() -> None:
    swapped = (SUBTASKS[1], SUBTASKS[0], *SUBTASKS[2:])
    assert check_mission(RIGHT, swapped, ASKED, True)
    assert check_mission(RIGHT, SUBTASKS, ASKED, False) == ["says to keep a distance"]
    assert check_mission(RIGHT, SUBTASKS, None, True)


# -------------------------------------------------------------------------------------- numbers
def test_lengths_are_read_as_they_are_said() -> None:
    drawn = rng(0, "metres", "x")
    said = set()
    for tenths in range(1, 150):
        for short in (True, *[False] * 8):
            words = metres(tenths / 10, drawn, short)
            said.add(re.sub(r"[\d.]+", "#", words))
            assert length_m(words) == pytest.approx(tenths / 10), words
    assert {"# metres", "# m", "half a metre", "one metre", "two and a half metres"} <= said
    assert length_m("a metre") == 1.0


def test_displacements_are_read_as_they_are_said() -> None:
    drawn = rng(0, "offsets", "x")
    steps = (-3.4, -1.0, 0.0, 0.5, 2.5, 7.0)
    for ahead, left in itertools.product(steps, steps):
        if ahead == left == 0.0:
            continue
        for seen_from in ("", "you", "where you started", "the start"):
            text = f"Go {said_offset((ahead, left), drawn, seen_from)}, then stop."
            (told,) = offsets(text)
            assert (told.ahead_m, told.left_m) == pytest.approx((ahead, left)), text
