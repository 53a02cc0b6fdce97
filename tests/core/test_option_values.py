"""Options: what a class or function takes, in types, defaults and refusals."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from navproof.core.errors import SpecError
from navproof.core.options import describe_options, read_options


class Walker:
    """Takes options of every kind as a dataclass."""

    @dataclass(frozen=True)
    class Options:
        steps: int = 3
        speed: float = 0.5
        loud: bool = False
        name: str = "walker"
        mode: Literal["fast", "slow"] = "slow"
        file: Path | None = None
        path: tuple[int, ...] = ()

        def __post_init__(self) -> None:
            if not 0.0 <= self.speed <= 1.0:
                raise SpecError(f"speed must be from 0 to 1, not {self.speed:g}")


def makes(spec: str, steps: int = 3, speed=0.5, *, loud: bool = False, name: str | None = None):
    """Takes them as parameters, after one of its own."""


def of_walker(*pairs: tuple[str, Any]) -> Any:
    return read_options("walker", Walker, pairs).options


def test_values_take_the_type_of_their_field() -> None:
    written = [("steps", "7"), ("speed", "1"), ("loud", "Yes"), ("name", "a=b"), ("mode", "fast")]
    assert of_walker(*written) == Walker.Options(7, 1.0, True, "a=b", "fast")
    assert of_walker(("steps", 7), ("speed", 1), ("loud", True)) == Walker.Options(7, 1.0, True)
    assert of_walker(("file", "a/b.pt")).file == Path("a/b.pt")
    assert of_walker(("file", "none")).file is None
    assert of_walker() == Walker.Options()


@pytest.mark.parametrize(
    ("name", "value", "says"),
    [
        ("path", "1", "walker: path cannot be set by an option"),
        ("speed", "nan", "walker: speed must be from 0 to 1, not nan"),
        ("speed", True, "walker: speed must be a number, not 'true'"),
        ("steps", 1.5, "walker: steps must be a whole number, not '1.5'"),
        ("name", 3, "walker: name must be text, not '3'"),
        ("loud", 2, "walker: loud must be true or false, not '2'"),
        ("mode", "fats", "walker: mode is one of fast, slow, not 'fats'; did you mean 'fast'?"),
        ("step", "1", "walker has no option 'step'; did you mean 'steps'?"),
    ],
)
def test_what_does_not_fit_is_one_line(name: str, value: Any, says: str) -> None:
    with pytest.raises(SpecError) as refusal:
        of_walker((name, value))
    assert str(refusal.value) == says


def test_parameters_are_options_too() -> None:
    given = read_options("it", makes, [("speed", "2"), ("loud", "on"), ("name", "x")], first=1)
    assert given.positional == ()
    assert given.named == {"speed": 2.0, "loud": True, "name": "x"}
    assert describe_options(makes, first=1) == {
        "steps": "3", "speed": "0.5", "loud": "false", "name": "none",
    }  # fmt: skip
    with pytest.raises(SpecError, match="it needs the option 'spec'"):
        read_options("it", makes, [])
    with pytest.raises(SpecError, match="it takes no options"):
        read_options("it", object, [("x", "1")])
    assert describe_options(object) == {}


def test_what_is_shown_can_be_written() -> None:
    shown = describe_options(Walker)
    assert shown["loud"] == "false"
    assert "path" not in shown  # there is no way to write one
    assert of_walker(*shown.items()) == Walker.Options()


@given(st.text(max_size=8), st.sampled_from(["steps", "speed", "loud", "mode", "file", "name"]))
def test_any_text_is_read_or_refused(text: str, name: str) -> None:
    with contextlib.suppress(SpecError):
        of_walker((name, text))
