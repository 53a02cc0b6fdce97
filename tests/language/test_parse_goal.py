"""Reading goals: written sentences, everything the generator says, and what nobody expects."""

from __future__ import annotations

import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from navproof.core.errors import NavproofError
from navproof.core.seeding import rng
from navproof.language.goals.goals import draw_descriptions, say, unique_parts
from navproof.language.goals.phrases import names
from navproof.language.reading.goal import ParsedGoal, parse_goal
from navproof.world.library import load_scene

WRITTEN = {
    "Find the red candle on the night-stand.": ParsedGoal("red candle", "candle", "night-stand"),
    "the blue mug which is on top of the bedside table, please": ParsedGoal(
        "blue mug", "mug", "bedside table"
    ),
    "Go to a couch.": ParsedGoal("couch", "couch"),
    "Can you look for the wooden cabinet with two doors?": ParsedGoal(
        "wooden cabinet with two doors", "cabinet"
    ),
    "Now the lamp beside it.": ParsedGoal("lamp", "lamp", None, "next to", ("it",)),
    "Now find the one on top of it.": ParsedGoal("one", "one", "it"),
    "Where is the TV?": ParsedGoal("TV", "TV"),
    "candle on night-stand": ParsedGoal("candle", "candle", "night-stand"),
    "Robot, please go and find me the mug by the sink!": ParsedGoal(
        "mug", "mug", None, "next to", ("sink",)
    ),
    "I'd like you to go to the big plant near the window please": ParsedGoal(
        "big plant", "plant", None, "next to", ("window",)
    ),
    "the mug on the desk next to the lamp": ParsedGoal("mug", "mug", "desk", "next to", ("lamp",)),
    "a chair that is not black": ParsedGoal("chair", "chair", negated=("black",)),
    "the chair, not the black one, next to the sofa": ParsedGoal(
        "chair", "chair", None, "next to", ("sofa",), ("black",)
    ),
    "non-white chair": ParsedGoal("chair", "chair", negated=("white",)),
    "find the chair between two armchairs": ParsedGoal(
        "chair", "chair", None, "between", ("armchair", "armchair")
    ),
    "the chair in between a bed and the wardrobe": ParsedGoal(
        "chair", "chair", None, "between", ("bed", "wardrobe")
    ),
    "the box to the left-hand side of the desk": ParsedGoal(
        "box", "box", None, "left of", ("desk",)
    ),
    "the wall clock right above the door": ParsedGoal(
        "wall clock", "wall clock", None, "above", ("door",)
    ),
    "the lamp that is on": ParsedGoal("lamp that is on", "lamp"),
    "Find the lamp on the nightstand that is switched on.": ParsedGoal(
        "lamp that is switched on", "lamp", "nightstand"
    ),
    "the plate with food on it on the dining table": ParsedGoal(
        "plate with food on it", "plate", "dining table"
    ),
    "the TV stand next to the bed": ParsedGoal("TV stand", "TV stand", None, "next to", ("bed",)),
    "Go to the neatly made bed": ParsedGoal("neatly made bed", "bed"),
    "Take me to the light switch": ParsedGoal("light switch", "light switch"),
    "FIND THE RED CHAIR": ParsedGoal("RED CHAIR", "chair"),
    "Find the mug. It is on the table.": ParsedGoal("mug", "mug", "table"),
    "the door on the left": ParsedGoal("door on the left", "door"),
    "find a chair that's not wooden": ParsedGoal("chair", "chair", negated=("wooden",)),
    "a table with a vase on it": ParsedGoal("table with a vase on it", "table"),
    "xyzzy": ParsedGoal("xyzzy", "xyzzy"),
    "找到椅子": ParsedGoal("找到椅子", "找到椅子"),
}


@pytest.mark.parametrize("text", WRITTEN)
def test_written_examples(text):
    assert parse_goal(text) == WRITTEN[text]


@pytest.mark.parametrize("text", ["", "   ", "\n", "?!."])
def test_no_words_is_one_clear_line(text):
    with pytest.raises(NavproofError, match="no words") as error:
        parse_goal(text)
    assert "\n" not in str(error.value)


@given(st.text(max_size=60))
def test_any_text_has_a_target_or_is_refused(text):
    try:
        parsed = parse_goal(text)
    except NavproofError:
        return
    assert parsed.target
    assert parsed.noun


SCRAPS = re.findall(r"\w+", "find the a red on next to not it and that is with of by")


@given(st.lists(st.sampled_from(SCRAPS)))
def test_scraps_of_goals_are_survived(words):
    if words:
        assert parse_goal(" ".join(words)).target


def test_a_thousand_commas_take_no_time():
    began = time.process_time()
    assert parse_goal("Find the red mug" + ", " * 3000 + "on the desk.").support == "desk"
    assert time.process_time() - began < 2.0  # once 47 s


def test_everything_the_generator_says_is_read_back():
    ref, count = "home/val/3", 0
    scene = load_scene(ref)
    for thing in scene.objects:
        for detail in ("any", "unique", "negation", "anchor", "spatial", "coreference"):
            draw = rng(3, ref, detail, thing.id)
            previous = (thing.support,) if detail == "coreference" and thing.support else ()
            for said in draw_descriptions(scene, thing.id, draw, detail, previous):
                text = say(said, draw, unique_parts(said, scene, previous))
                read = parse_goal(text)
                assert read.noun in names(said.category), text
                support = "it" if said.coreference == "on" else said.support
                assert (read.support is None) == (support is None), text
                if said.support is not None:
                    assert read.support.endswith(names(said.support.category)), text
                beside = said.coreference if said.coreference != "on" else None
                assert read.relation == (said.relation or beside), text
                expected = [names(a.category) for a in said.anchors] or (
                    [("it",)] if beside else []
                )
                assert len(read.anchors) == len(expected), text
                assert all(a.endswith(b) for a, b in zip(read.anchors, expected, strict=True)), text
                assert len(read.negated) == (said.negation is not None), text
                count += 1
    assert count > 250
