"""Conditions as text and as values."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from navproof.core.errors import NavproofError, SpecError, UnknownNameError
from navproof.core.types import Instruction
from navproof.corruptions import CLEAN, Condition, Moment, parse_condition
from navproof.corruptions.batch import corrupt_rgb
from navproof.corruptions.condition import Applied
from navproof.corruptions.navtrust import MIXED, PAPER
from navproof.corruptions.protocol import Corruption
from navproof.corruptions.registry import CORRUPTIONS

MOMENT = Moment(3, "episode", "camera", 7)


@st.composite
def conditions(draw: st.DrawFn) -> Condition:
    names = draw(st.lists(st.sampled_from(sorted(CORRUPTIONS)), unique=True, max_size=4))
    parts = []
    for name in names:
        corruption = CORRUPTIONS[name]
        lasting = corruption.lasting
        if corruption.target in ("rgb", "depth", "pose", "drive"):
            lasting = draw(st.booleans())
        intensity = draw(st.one_of(st.just(corruption.default), st.floats(0.0, 1.0)))
        parts.append(Applied(corruption, abs(intensity), lasting))
    return Condition(tuple(parts))


@given(conditions(), conditions())
def test_the_name_says_everything(one: Condition, other: Condition) -> None:
    assert parse_condition(one.name) == one
    assert (one.name == other.name) == (one == other)
    assert pickle.loads(pickle.dumps(one)) == one


@pytest.mark.parametrize(
    ("text", "name", "family"),
    [
        ("clean", "clean", "clean"),
        ("motion_blur", "motion_blur", "rgb"),
        (" motion_blur @ 0.60 ", "motion_blur", "rgb"),
        ("flare@1", "flare", "rgb"),
        ("flare@0.6", "flare@0.6", "rgb"),
        ("spatter@.75:frame", "spatter@0.75:frame", "rgb"),
        ("spatter:episode", "spatter", "rgb"),
        ("motion_blur:episode", "motion_blur:episode", "rgb"),
        ("depth_gaussian@-0.0", "depth_gaussian@0", "depth"),
        ("depth_gaussian@0.123456789", "depth_gaussian@0.123456789", "depth"),
        ("low_light_noise + depth_gaussian@0.4", "low_light_noise+depth_gaussian@0.4", "mixed"),
        ("motion_blur+spatter", "motion_blur+spatter", "mixed"),
        ("wheel_slip", "wheel_slip", "body"),
        ("mask_50", "mask_50", "instruction"),
    ],
)
def test_one_condition_has_one_name(text: str, name: str, family: str) -> None:
    condition = parse_condition(text)
    assert condition.name == name
    assert condition.family == family
    assert parse_condition(condition.name) == condition


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", ("empty", "clean")),
        ("  ", ("empty",)),
        ("motion_blurr", ("no corruption 'motion_blurr'", "did you mean 'motion_blur'")),
        ("claen", ("did you mean 'clean'",)),
        ("spatter+depth_gausian", ("depth_gausian", "'spatter+depth_gausian'", "depth_gaussian")),
        ("spatter@1.5", ("[0, 1]", "'1.5'")),
        ("spatter@-0.1", ("[0, 1]", "'-0.1'")),
        ("spatter@nan", ("[0, 1]", "'nan'")),
        ("spatter@", ("'spatter@'", "nothing stands behind the '@'")),
        ("spatter@much", ("[0, 1]", "'much'")),
        ("spatter@0.5@0.6", ("[0, 1]", "'0.5@0.6'")),
        ("spatter:step", ("frame or episode", "'step'")),
        ("spatter:", ("frame or episode", "''")),
        ("spatter@0.5:bogus", ("frame or episode", "'bogus'")),
        ("my_fog.py", ("'my_fog.py' is a file", "my_fog.py:NAME")),
        ("friendly:frame", ("friendly", "no mode")),
        ("camera_tilt:episode", ("camera_tilt", "no mode")),
        ("spatter+", ("missing", "spatter+")),
        ("+", ("missing",)),
        ("spatter+spatter@0.2", ("spatter twice",)),
        ("clean@0.5", ("clean stands alone",)),
        ("clean+spatter", ("clean stands alone",)),
    ],
)
def test_bad_text_is_one_clear_line(text: str, words: tuple[str, ...]) -> None:
    with pytest.raises(NavproofError) as caught:
        parse_condition(text)
    assert len(str(caught.value).splitlines()) == 1
    for word in words:
        assert word in str(caught.value)


@pytest.mark.parametrize("value", [None, 0.6, ["spatter"]])
def test_what_is_no_text_is_one_clear_line(value: Any) -> None:
    images = np.zeros((1, 4, 4, 3), np.uint8)
    for take in (parse_condition, lambda given: corrupt_rgb(given, images)):
        with pytest.raises(SpecError, match="a condition is a text such as"):
            take(value)


@given(st.text(max_size=40))
def test_any_text_is_a_condition_or_an_error(text: str) -> None:
    try:
        condition = parse_condition(text)
    except (SpecError, UnknownNameError):
        return
    assert parse_condition(condition.name) == condition


def test_the_protocols_conditions_parse_to_themselves() -> None:
    assert len(PAPER) == 23
    for name in PAPER:
        assert parse_condition(name).name == name
    assert [parse_condition(name).family for name in MIXED] == ["mixed", "mixed"]


def _recorder(name: str, target: str, lasting: bool = True) -> Corruption:
    """Adds what its generators draw first, so that their origin shows."""

    def apply(
        x: object,
        intensity: float,
        rng: np.random.Generator,
        still: np.random.Generator | None = None,
        max_range_m: float = 10.0,
    ) -> object:
        drawn = (name, intensity, rng.integers(1 << 40), still and still.integers(1 << 40))
        return (*x, (*drawn, max_range_m))  # type: ignore[misc]

    return Corruption(name, "rgb", target, apply, "", "", 0.6, lasting)  # type: ignore[arg-type]


def test_parts_apply_in_order_with_their_own_generators() -> None:
    first, other = _recorder("first", "rgb"), _recorder("other", "rgb", False)
    depth = _recorder("deep", "depth")
    condition = Condition(
        (Applied(first, 0.2, True), Applied(depth, 0.3, True), Applied(other, 0.4, False))
    )
    seen = condition.corrupt("rgb", (), MOMENT)
    fresh = [int(MOMENT.fresh(name).integers(1 << 40)) for name in ("first", "other")]
    still = int(MOMENT.lasting("first").integers(1 << 40))
    assert seen == (("first", 0.2, fresh[0], still, 10.0), ("other", 0.4, fresh[1], None, 10.0))
    assert condition.corrupt("depth", (), MOMENT, max_range_m=5.0)[0][4] == 5.0
    assert condition.parts_of("depth") == (condition.parts[1],)
    later = Moment(3, "episode", "camera", 8)
    again = condition.corrupt("rgb", (), later)
    assert again[0][2] != seen[0][2]
    assert again[0][3] == seen[0][3]


def test_a_clean_condition_gives_back_what_it_was_given() -> None:
    image = np.zeros((2, 2, 3), np.uint8)
    assert CLEAN.corrupt("rgb", image, MOMENT) is image
    assert parse_condition("friendly").corrupt("rgb", image, MOMENT) is image


def test_a_robots_part_says_that_it_needs_a_robot() -> None:
    part = parse_condition("wheel_slip").parts[0]
    with pytest.raises(SpecError, match=r"wheel_slip acts on a robot"):
        part.corrupt(None, MOMENT)


def test_names_may_be_written_with_their_family() -> None:
    assert parse_condition("depth.gaussian@0.4").name == "depth_gaussian@0.4"
    assert parse_condition("rgb.spatter").name == "spatter"
    with pytest.raises(NavproofError, match=r"no corruption 'rgb\.sputter'"):
        parse_condition("rgb.sputter")
    for wrong in ("depth.spatter", "rgb.depth_missing", "low.light", "foo.spatter"):
        with pytest.raises(NavproofError, match=rf"no corruption '{wrong}'"):
            parse_condition(wrong)


def test_a_function_of_words_is_handed_a_plain_text_unless_it_asks_for_more(
    tmp_path: Path,
) -> None:
    file = tmp_path / "my_words.py"
    file.write_text(
        "from navproof import Instruction\n"
        "def plain(text, intensity, rng): return f'{type(text).__name__} {text.split()[0]}'\n"
        "def structured(text: str | Instruction, intensity, rng):\n"
        "    return f'{type(text).__name__} of {len(text.clauses)} clauses'\n"
    )
    said = Instruction("Turn left. Stop.", ({"kind": "turn"}, {"kind": "stop"}))
    moment = Moment(0, "episode", "instruction", 0)
    for name, heard in (("plain", "str Turn"), ("structured", "Instruction of 2 clauses")):
        (part,) = parse_condition(f"{file}:{name}@0.5").parts
        assert part.corrupt(said, moment) == heard
