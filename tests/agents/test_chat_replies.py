"""What models answer, made into values: read, mended, or refused with a reason."""

from __future__ import annotations

import contextlib
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from navproof.agents.chat.replies import (
    BadReplyError,
    flag,
    number,
    object_in,
    point,
    schema_of,
    text,
)

WANTED = {"direction": 2, "why": "a door"}


@pytest.mark.parametrize(
    "answer",
    [
        '{"direction": 2, "why": "a door"}',
        'Sure!\n```json\n{"direction": 2, "why": "a door"}\n```\nGood luck.',
        '```\n{"direction": 2, "why": "a door",}\n```',
        'I choose {"direction": 2, "why": "a door"} because {that}.',
        "{'direction': 2, 'why': 'a door'}",
        '{direction: 2, why: "a door"}',
        '{"direction": 2, "why": "a door"',
        '{"direction": 2, "why": "a door',
        '{"direction": 2, "why": "a door", }',
    ],
)
def test_what_is_nearly_an_object_is_one(answer: str) -> None:
    assert object_in(answer) == WANTED


@pytest.mark.parametrize(
    ("answer", "found"),
    [
        ("{'done': True, 'thing': None}", {"done": True, "thing": None}),
        ("{done: true, thing: null}", {"done": True, "thing": None}),
        ('{"seen": [{"what": "sofa", "x": 3', {"seen": [{"what": "sofa", "x": 3}]}),
        ('{"why": "it says \\"go\\" {here}", "n": 1}', {"why": 'it says "go" {here}', "n": 1}),
        ('{"direction":', {"direction": None}),
    ],
)
def test_other_ways_to_write_one(answer: str, found: dict[str, object]) -> None:
    assert object_in(answer) == found


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        ("", "it is empty"),
        (" \n", "it is empty"),
        ("I'm sorry, but I can't help with that.", "holds no JSON object"),
        ("[1, 2]", "holds no JSON object"),
        ("{{{{", "not a JSON object"),
        ("{go there}", "not a JSON object"),
        ("{" * 5000, "not a JSON object"),
        ("{}", "not a JSON object"),
    ],
)
def test_what_is_none_is_refused(answer: str, says: str) -> None:
    with pytest.raises(BadReplyError, match=says):
        object_in(answer)


@given(st.text(max_size=60))
def test_any_text_is_an_object_or_refused(answer: str) -> None:
    with contextlib.suppress(BadReplyError):
        assert isinstance(object_in(answer), dict)


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=8,
)


@given(st.dictionaries(st.text(max_size=6), VALUES, min_size=1, max_size=4), st.text(max_size=12))
def test_every_object_is_found_among_words(value: dict[str, object], before: str) -> None:
    words = before.replace("{", "").replace("`", "")
    assert object_in(f"{words}{json.dumps(value)} and so on") == value


@pytest.mark.parametrize(
    ("given_value", "found"),
    [
        (3, 3),
        (3.0, 3),
        ("3", 3),
        ("number 3: the door", 3),
        (None, None),
        (True, None),
        ("x", None),
    ],
)
def test_numbers_however_they_are_written(given_value: object, found: int | None) -> None:
    assert number({"direction": given_value}, "direction", [1, 2, 3]) == found


@pytest.mark.parametrize("given_value", [0, 9, "12", -1])
def test_numbers_that_there_are_not(given_value: object) -> None:
    with pytest.raises(BadReplyError, match=r"there is no direction -?\d+; there are 1, 2, 3"):
        number({"direction": given_value}, "direction", [1, 2, 3])


@pytest.mark.parametrize("given_value", [[1], {"a": 1}, float("nan"), float("inf")])
def test_numbers_that_are_none(given_value: object) -> None:
    with pytest.raises(BadReplyError, match="must be a number"):
        number({"direction": given_value}, "direction")


def test_flags() -> None:
    assert [flag({"done": v}, "done") for v in (True, "true", "Yes", 1)] == [True] * 4
    assert [flag({"done": v}, "done") for v in (False, "no", 0, None)] == [False] * 4
    with pytest.raises(BadReplyError, match="must be true or false"):
        flag({"done": "perhaps"}, "done")


def test_words_stay_on_one_line_and_short() -> None:
    assert text({"why": " a\n door "}, "why") == "a door"
    assert text({"why": ["a", "b"]}, "why") == "a; b"
    assert text({"why": {"a": 1}}, "why") == text({}, "why") == ""
    assert len(text({"why": "x" * 10_000}, "why")) == 2000
    assert text({"why": "\ud800"}, "why") == "?"


def test_points_are_thousandths_of_a_view() -> None:
    assert point({"view": 2, "x": 500, "y": "250"}, 3) == (2, 0.5, 0.25)
    assert point({"view": 7, "x": 500, "y": 250}, 1) == (1, 0.5, 0.25)
    assert point(None, 3) is None
    assert point({"view": 1, "x": None, "y": 3}, 3) is None
    with pytest.raises(BadReplyError, match="there is no view 4"):
        point({"view": 4, "x": 1, "y": 1}, 3)
    with pytest.raises(BadReplyError, match="from 0 to 1000"):
        point({"view": 1, "x": 1001, "y": 1}, 3)
    with pytest.raises(BadReplyError, match="a point is an object"):
        point("there", 3)


def test_a_schema_allows_nothing_else() -> None:
    schema = schema_of({"done": {"type": "boolean"}})
    assert schema["required"] == ["done"]
    assert schema["additionalProperties"] is False
