"""What a text says of a route, and the traps a checker of rewritings must not fall into."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from navproof.language.styles.content import content_of, kept
from navproof.language.styles.nouns import NOUNS

R2R = Path(__file__).parents[3] / "shared" / "data" / "r2r" / "R2R_val_seen.json"
ROUTE = (
    "Turn left at the red desk, then walk past two chairs on your right. "
    "Go down the hall and into the second bedroom. Stop in front of the fridge."
)

LOST = [
    ("left for right", "Turn left at the desk.", "Turn right at the desk.", "left"),
    ("a side less", "Enter the door on your left.", "Enter the door.", "left"),
    ("sides swapped", "Pass the chair on your left and the desk on your right.",
     "Pass the chair on your right and the desk on your left.", "right"),
    ("landmarks swapped", "Pass the chair on your left and the desk on your right.",
     "Pass the desk on your left and the chair on your right.", "desk"),
    ("landmark dropped", "Walk past the couch and the piano.", "Walk past the couch.", "piano"),
    ("landmark changed", "Stop by the sink.", "Stop by the stove.", "stove"),
    ("unknown landmark", "Stop by the unicycle.", "Stop by it.", "unicycle"),
    ("colour dropped", "Stop by the red chair.", "Stop by the chair.", "red"),
    ("rooms swapped", "Go from the kitchen into the bedroom.",
     "Go from the bedroom into the kitchen.", "bedroom"),
    ("clauses reordered", "Turn left. Enter the kitchen.", "Enter the kitchen. Turn left.", "left"),
    ("12 for 2", "Walk past 12 chairs.", "Walk past 2 chairs.", "12"),
    ("two for three", "Go up two steps.", "Go up three steps.", "2"),
    ("first for second", "Take the second door.", "Take the first door.", "2th"),
    ("up for down", "Go up the stairs.", "Go down the stairs.", "up"),
    ("past for through", "Walk past the kitchen.", "Walk through the kitchen.", "past"),
    ("no stop", "Turn left and stop.", "Turn left.", "stop"),
    ("slight dropped", "Turn slightly left.", "Turn left.", "slight"),
    ("a turn less", "Turn left. Turn left again.", "Turn left.", "left"),
    ("turn added", "Enter the room.", "Turn left and enter the room.", "left"),
    ("place added", "Stop by the bed.", "Stop by the bed in the garage.", "garage"),
    ("place again, later", "Enter the kitchen. Enter the bedroom. Stop.",
     "Enter the kitchen. Enter the bedroom. Stop in the kitchen.", "kitchen"),
    ("behind for in front", "Stop in front of the bed.", "Stop behind the bed.", "front"),
    ("around left out", "Turn around and leave the room.", "Leave the room.", "around"),
]  # fmt: skip

KEPT = [
    ("Stop by the refrigerator.", "Halt beside the fridge."),
    ("Enter the bathroom.", "Proceed into the lavatory."),
    ("Leave the bedroom.", "Kindly exit the sleeping quarters."),
    ("Turn left at the desk.", "At the desk, rotate 90 degrees to the left."),
    ("Turn around.", "Rotate 180 degrees, please."),
    ("Walk down the hallway.", "Proceed along the corridor."),
    ("Go up the stairs.", "Ascend the staircase."),
    ("Walk straight.", "Advance straight ahead."),
    ("Stop and wait.", "Remain stationary."),
    ("Take the 2nd door.", "Take the second door."),
    ("Walk past 2 chairs.", "Walk past two chairs."),
    ("Stop right in front of the sofa.", "Stop directly in front of the couch."),
    ("Veer right.", "Turn slightly to the right."),
    ("When you reach the TV, stop.", "Stop when you get to the television set."),
]


@pytest.mark.parametrize(("before", "after", "about"), [case[1:] for case in LOST],
                         ids=[case[0] for case in LOST])  # fmt: skip
def test_a_change_of_content_is_noticed_and_named(before: str, after: str, about: str) -> None:
    found = kept(before, after)
    assert found
    assert any(f"“{about}”" in line for line in found), found


@pytest.mark.parametrize(("before", "after"), KEPT)
def test_other_words_for_the_same_are_no_change(before: str, after: str) -> None:
    assert kept(before, after) == []
    assert kept(after, before) == []


def test_saying_again_what_was_just_said_is_no_change() -> None:
    assert kept("Turn left.", "Okay, turn left, yes, to the left!") == []
    assert kept("Turn left. Stop.", "Turn left. Stop. Left.") != []


def test_content_by_kind_and_in_order() -> None:
    content = content_of(ROUTE)
    assert content.landmarks == ("red", "desk", "chair", "refrigerator")
    assert content.rooms == ("hallway", "bedroom")
    assert content.directions == ("left", "past", "right", "through", "into", "front")
    assert content.numbers == ("2", "2th")
    assert content.stops
    assert [len(step) for step in content.steps] == [3, 4, 5, 3]


def test_right_as_emphasis_is_no_direction() -> None:
    assert content_of("Stop right next to the bed.").directions == ("near",)
    assert content_of("Turn right next to the bed.").directions == ("right", "near")
    assert content_of("Turn right on the landing.").directions == ("right",)
    assert content_of("Turn right away from the bar.").directions == ("right", "away")


def test_every_name_of_the_styles_means_what_it_stands_for() -> None:
    for names in NOUNS.values():
        for word, others in names.items():
            meant = content_of(f"the {word}").items
            assert all(content_of(f"the {other}").items == meant for other in others), word


@given(st.text(max_size=200))
def test_any_text_keeps_its_own_content(text: str) -> None:
    assert kept(text, text) == []
    assert kept(text, "") == [] or content_of(text).items


@pytest.mark.skipif(not R2R.exists(), reason="needs the shared R2R instructions")
def test_traps_in_real_sentences() -> None:
    texts = [i.strip() for e in json.loads(R2R.read_text()) for i in e["instructions"]]
    swap = {"left": "right", "right": "left"}
    mirrored = dropped = sided = 0
    for text in texts:
        assert kept(text, text) == []
        if re.search(r"\b(left|right)\b", text, re.IGNORECASE):
            sided += 1
            other = re.sub(r"\b(left|right)\b", lambda m: swap[m[1].lower()], text, flags=re.I)
            mirrored += bool(kept(text, other))
        sentences = text.split(". ")
        dropped += len(sentences) == 1 or bool(kept(text, ". ".join(sentences[:-1])))
    assert mirrored >= 0.99 * sided
    assert dropped >= 0.98 * len(texts)
