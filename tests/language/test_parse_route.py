"""Route instructions read back: against the clauses they were made from, written examples, R2R."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from navproof.language.reading.route import SubGoal, is_room, parse_route, sentences
from navproof.tasks.suites import load_suite

R2R = Path(__file__).parents[3] / "shared" / "data" / "r2r" / "R2R_val_seen.json"


def turn(side: str, what: str = "", slight: bool = False) -> SubGoal:
    return SubGoal("turn", what, side, slight=slight)


def door(leaves: str = "", enters: str = "", what: str = "", side: str = "", n: int = 0) -> SubGoal:
    return SubGoal("door", what, side, leaves=leaves, enters=enters, ordinal=n)


EXAMPLES = [
    ("Turn around.", [turn("around")]),
    ("Veer slightly left, then take a right.", [turn("left", slight=True), turn("right")]),
    ("Turn to your left and stop.", [turn("left"), SubGoal("stop")]),
    ("Make a right turn at the red cabinet.", [turn("right", "red cabinet")]),
    ("When you reach the green vase on the desk, turn left.",
     [turn("left", "green vase on the desk")]),
    ("Walk to the mirror and take a left.", [SubGoal("toward", "mirror"), turn("left")]),
    ("Leave the bedroom.", [door("bedroom")]),
    ("Walk out of the bedroom and into the hallway.", [door("bedroom", "hallway")]),
    ("Exit the study through the door on your left and enter the hall.",
     [door("study", "hall", "door", "left")]),
    ("Leave the bathroom and walk into the living room.",
     [door("bathroom"), door("", "living room")]),
    ("Turn left into the kitchen.", [door("", "kitchen", side="left")]),
    ("Take the second doorway on your right into the bathroom.",
     [door("", "bathroom", "doorway", "right", 2)]),
    ("Go through the archway.", [door(what="archway")]),
    ("When you get to the kitchen, make a left.", [door("", "kitchen"), turn("left")]),
    ("Walk past the red chair on your left.", [SubGoal("pass", "red chair", "left")]),
    ("Keep the polka-dot sofa on your right.", [SubGoal("pass", "polka-dot sofa", "right")]),
    ("Pass the desk on your right and the lamp on your left.",
     [SubGoal("pass", "desk", "right"), SubGoal("pass", "lamp", "left")]),
    ("Go straight past the stove.", [SubGoal("pass", "stove")]),
    ("Continue straight. Head towards the TV stand.",
     [SubGoal("straight"), SubGoal("toward", "tv stand")]),
    ("Walk down the hallway and follow it.", [SubGoal("cross", "hallway"), SubGoal("cross")]),
    ("Cross the waiting room.", [SubGoal("cross", "waiting room")]),
    ("Go down the stairs.", [SubGoal("climb", "stairs", "down")]),
    ("Wait in front of the white bookshelf.", [SubGoal("stop", "white bookshelf")]),
    ("Come to a stop next to the vase on the shelf unit.",
     [SubGoal("stop", "vase on the shelf unit")]),
    ("Stop once you reach the brown TV stand.", [SubGoal("stop", "brown tv stand")]),
    ("Wait there.", [SubGoal("stop")]),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), EXAMPLES)
def test_written_examples(text: str, expected: list[SubGoal]) -> None:
    assert list(parse_route(text)) == expected


def test_nothing_understood_is_nothing() -> None:
    for text in ("", "...", "The weather is fine", "\n\n", "Ω≠∅", "a" * 5000):
        assert parse_route(text) == ()


def test_case_and_spaces_do_not_matter() -> None:
    text = "Turn left, then walk past the sofa on your right and stop beside the desk."
    assert parse_route(text.upper().replace(" ", "   ")) == parse_route(text)


def test_rooms_are_known() -> None:
    assert is_room("blue bedroom")
    assert is_room("exam room with the grey walls")
    assert is_room("hallway")
    assert not is_room("counter bar")
    assert not is_room("bedroom door")


def test_generated_instructions_give_back_their_clauses() -> None:
    """Kinds in order, and landmarks, sides and directions; "straight past" may be one thing."""
    from navproof.language.routes.phrases import described

    same = total = 0
    for episode in load_suite("mini"):
        if episode.instruction is None or episode.task != "vln-v1":
            continue
        total += 1
        kinds = {"orient": "turn", "transit": "door"}
        clauses = [c for c in episode.instruction.clauses if c["kind"] != "straight"]
        goals = [g for g in parse_route(episode.instruction.text) if g.kind != "straight"]
        if [kinds.get(str(c["kind"]), c["kind"]) for c in clauses] != [g.kind for g in goals]:
            continue
        same += 1
        for clause, goal in zip(clauses, goals, strict=True):
            if "category" in clause:
                assert goal.what == described(dict(clause)).lower()
            if "direction" in clause:
                assert goal.side == clause["direction"]
            if clause["kind"] == "transit":
                assert goal.side == clause.get("side", "")
            if "ordinal" in clause:
                assert goal.ordinal == clause["ordinal"]
    assert total >= 4
    assert same / total >= 0.9


@pytest.mark.skipif(not R2R.is_file(), reason="the R2R instructions are not here")
def test_instructions_written_by_people_are_mostly_understood() -> None:
    texts = [text for path in json.loads(R2R.read_text()) for text in path["instructions"]]
    assert len(texts) > 1000
    parts = [sentence for text in texts for sentence in sentences(text)]
    understood = sum(bool(parse_route(sentence)) for sentence in parts)
    assert understood / len(parts) >= 0.98
    kinds = [[g.kind for g in parse_route(text)] for text in texts]
    assert sum("stop" in k for k in kinds) / len(kinds) >= 0.75
    assert sum("door" in k or "cross" in k or "turn" in k for k in kinds) / len(kinds) >= 0.9
    assert 3.0 < sum(map(len, kinds)) / len(kinds) < 8.0
