"""The checker against deliberately false instructions, on the two-room flat.

A true instruction is written by hand for one path, with its clauses. Each test falsifies one thing
and asks that the checker finds it.
"""

from __future__ import annotations

import math
from itertools import pairwise

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from navproof.core.types import Instruction, Pose
from navproof.language.routes.check import check_instruction
from navproof.sim.embedded import EmbeddedSimulator
from navproof.tasks.specs import spec_for
from navproof.testing import tiny_scene

# west room to the crate in the east room: past the red table (left), through the door, past the
# blue chair (left), to the green crate in the south-east corner
PATH = ((-3.6, 2.0, 0.0), (0.4, 2.0, 0.0), (2.6, 2.2, 0.0), (3.3, 1.35, 0.0))
START = Pose(-3.6, 2.0, 0.0, 0.0)
TABLE = {"object": 10, "category": "table", "attr.colour": "red", "side": "left"}
CHAIR = {"object": 11, "category": "chair", "attr.colour": "blue", "side": "left"}
CRATE = {"object": 12, "category": "box", "attr.colour": "green", "relation": "near"}
DOOR = {"door": 0, "leaves": 0, "enters": 1}
RIGHT = {"direction": "right", "sharpness": "full"}
WORDS = (
    "walk past the red table on your left",
    "enter the bedroom",
    "go past the blue chair on the left",
    "turn right",
    "stop by the green box",
)


def true_clauses() -> list[dict]:
    end = round(sum(math.dist(a, b) for a, b in pairwise(PATH)), 2)
    return [
        {"kind": "pass", "at_m": 1.6, "seen_m": 0.25, **TABLE, "words": WORDS[0]},
        {"kind": "transit", "at_m": 3.6, **DOOR, "words": WORDS[1]},
        {"kind": "pass", "at_m": 5.6, "seen_m": 4.2, **CHAIR, "words": WORDS[2]},
        {"kind": "turn", "at_m": 6.2, **RIGHT, "words": WORDS[3]},
        {"kind": "stop", "at_m": end, "seen_m": end, **CRATE, "words": WORDS[4]},
    ]


def text_of(clauses: list[dict]) -> str:
    a, b, c, d, e = (str(clause["words"]) for clause in clauses)
    return f"{a[0].upper()}{a[1:]} and {b}. {c[0].upper()}{c[1:]}, then {d} and {e}."


@pytest.fixture(scope="module")
def sim() -> EmbeddedSimulator:
    sim = EmbeddedSimulator()
    sim.load(tiny_scene(), spec_for("vln-v1").robot)
    return sim


def problems(sim, clauses, text=None, path=PATH, start=START) -> str:
    told = Instruction(text or text_of(clauses), tuple(clauses))
    return " | ".join(str(v) for v in check_instruction(sim, told, path, start, 1.25))


def test_the_truth_passes(sim):
    assert problems(sim, true_clauses()) == ""


@pytest.mark.parametrize(
    ("index", "change", "found"),
    [
        (0, {"side": "right"}, "on the right, it is not"),
        (0, {"attr.colour": "blue"}, "not as described"),
        (0, {"attr.material": "metal"}, "not as described"),
        (0, {"category": "sofa"}, "not as described"),
        (0, {"object": 11}, "not as described"),
        (0, {"object": 99}, "no object 99"),
        (0, {"seen_m": 1.6}, "not in view"),
        (0, {"at_m": 3.0}, "passed at 1."),
        (0, {"at_m": 99.0}, "at_m is 99"),
        (1, {"enters": 0, "leaves": 1}, "does not go from room 1 to 0"),
        (1, {"door": 7}, "no door 7"),
        (1, {"at_m": 2.0}, "not in door 0"),
        (1, {"side": "left", "seen_m": 2.5}, "doorway is on the left"),
        (2, {"seen_m": 0.3}, "not in view"),
        (3, {"direction": "left"}, "turn left"),
        (3, {"sharpness": "slight"}, "that the turn is slight"),
        (3, {"at_m": 4.0}, "full turn right"),
        (4, {"object": 11, "category": "chair", "attr.colour": "blue"}, "it is 2."),
        (4, {"relation": "front"}, "not in front"),
        (4, {"at_m": 5.0, "seen_m": 5.0}, "before the end"),
        (2, {"kind": "dance"}, "unknown kind"),
    ],
)
def test_a_false_clause_is_found(sim, index, change, found):
    clauses = true_clauses()
    clauses[index] = {**clauses[index], **change}
    assert found in problems(sim, clauses, text_of(true_clauses()))


@pytest.mark.parametrize(
    ("index", "words", "found"),
    [
        (0, "walk past the red table on your right", "says right, means left"),
        (0, "walk past the blue table on your left", "does not say 'red table'"),
        (0, "walk past the big red table on your left", "does not say 'red table'"),
        (0, "walk past the red desk on your left", "does not say 'red table'"),
        (0, "walk past an red table on your left", "says 'an red'"),
        (1, "enter the living room", "it is the bedroom"),
        (1, "leave the bedroom", "it is the living room"),
        (1, "go through the archway", "archway where there is none"),
        (1, "go through the door", "door where there is none"),
        (1, "go on", "neither a room nor a doorway"),
        (1, "enter the bedroom on your left", "a side that is no part"),
        (3, "turn left", "says left, means right"),
        (3, "turn", "does not say right"),
        (4, "stop in front of the green box", "in front of, means near"),
    ],
)
def test_false_words_are_found(sim, index, words, found):
    clauses = true_clauses()
    clauses[index] = {**clauses[index], "words": words}
    assert found in problems(sim, clauses)


@given(
    st.integers(0, 4),
    st.sampled_from(["kind", "at_m", "seen_m", "object", "side", "door", "enters", "words",
                     "direction", "sharpness", "category", "relation", "ordinal", "room"]),
    st.sampled_from([None, "", "left", "stop", "cross", -1, 0, 1, 2.5, 99, True]),
    st.booleans(),
)  # fmt: skip
@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_spoilt_clauses_are_violations_never_crashes(sim, index, key, value, drop):
    clauses = true_clauses()
    needed = key in clauses[index] and (drop or not isinstance(value, int | float))
    if drop:
        clauses[index].pop(key, None)
    else:
        clauses[index][key] = value
    found = problems(sim, clauses, text_of(true_clauses()))
    assert found or not needed or clauses == true_clauses()


def test_what_is_not_said_is_found(sim):
    clauses = true_clauses()
    text = text_of(clauses)
    assert "tells the rooms" in problems(sim, [clauses[0], *clauses[2:]], text)
    assert "does not end with one place" in problems(sim, clauses[:-1], text)
    assert "another order" in problems(sim, [clauses[2], clauses[1], clauses[0], *clauses[3:]])
    assert "is not said" in problems(sim, clauses, text.replace("turn right", "go on"))
    turned = Pose(-3.6, 2.0, 0.0, math.pi / 2)
    assert "does not say to turn -90° at the start" in problems(sim, clauses, start=turned)


def test_claims_without_a_clause_are_found(sim):
    clauses = true_clauses()
    text = text_of(clauses)
    assert "speaks of 'left'" in problems(sim, clauses, text.replace(" and enter", ", left, enter"))
    assert "speaks of 'chair'" in problems(sim, clauses, "See the chair. " + text)
    assert "words, not 10 to 45" in problems(sim, clauses, text + " Go on." * 20)
    assert "row of sentences" in problems(sim, clauses, text.lower())
    assert "repeats a word" in problems(sim, clauses, text.replace("and", "and and"))


def test_a_sharp_turn_must_be_told(sim):
    path = ((-3.6, 2.0, 0.0), (2.0, 2.0, 0.0), (2.0, 0.4, 0.0), (2.9, 0.4, 0.0))
    clauses = [
        {"kind": "transit", "at_m": 3.6, **DOOR, "words": "leave the living room"},
        {"kind": "stop", "at_m": 8.1, "seen_m": 8.1, **CRATE, "words": "stop by the green box"},
    ]
    text = "Leave the living room and keep on walking, then stop by the green box."
    assert "does not tell the turn of -" in problems(sim, clauses, text, path)


def test_orientation_is_checked(sim):
    clauses = true_clauses()
    for yaw, direction in ((math.pi, "around"), (math.pi / 2, "right"), (-math.pi / 2, "left")):
        start = Pose(-3.6, 2.0, 0.0, yaw)
        first = {
            "kind": "orient",
            "at_m": 0.0,
            "direction": direction,
            "words": f"turn {direction}",
        }
        text = f"Turn {direction}. " + text_of(clauses)
        assert problems(sim, [first, *clauses], text, start=start) == ""
        assert "at the start" in problems(sim, [first, *clauses], text) or direction == "around"
    assert "says turn around" in problems(sim, [{**first, "direction": "around"}, *clauses], text)


def test_a_description_that_fits_another_thing_in_view_is_found(sim):
    """Told by its category alone, the blue chair is unique; with a red twin it is not."""
    clauses = true_clauses()
    clauses[2] = {k: v for k, v in clauses[2].items() if k != "attr.colour"}
    clauses[2]["words"] = "go past the chair on the left"
    assert problems(sim, clauses) == ""
    scene = tiny_scene()
    crate = scene.by_id[12]
    twins = (*scene.objects[:2], type(crate)(12, "chair", 1, crate.box, crate.attributes))
    other = EmbeddedSimulator()
    fields = {n: getattr(scene, n) for n in scene.__dataclass_fields__}
    other.load(type(scene)(**{**fields, "objects": twins}), spec_for("vln-v1").robot)
    assert "also fits objects [12]" in problems(other, clauses)
