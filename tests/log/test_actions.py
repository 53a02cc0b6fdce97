"""Actions in words: without loss, and readable as before."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from navproof.core.types import Action, Answer, Move, Velocity, Waypoints
from navproof.log.actions import action_of, action_words, are_exact, rounded_words

_NUMBER = st.floats(allow_nan=False, allow_infinity=False)
_ACTION = st.one_of(
    st.sampled_from(Move),
    st.builds(Velocity, _NUMBER, _NUMBER),
    st.builds(Waypoints, st.lists(st.tuples(_NUMBER, _NUMBER), min_size=1, max_size=5).map(tuple)),
    st.builds(Answer, st.text()),
)


def test_actions_in_words() -> None:
    assert action_words(Move.FORWARD) == "forward"
    assert action_words(Velocity(0.5, -0.1)) == "velocity 0.5 -0.1"
    assert action_words(Velocity(0.1 + 0.2, 1 / 3)) == (
        "velocity 0.30000000000000004 0.3333333333333333"
    )
    assert action_words(Waypoints(((1.0, 0.25), (2.0, 0.0)))) == "waypoints 1.0,0.25 2.0,0.0"
    assert action_words(Answer("blue")) == "answer blue"


@given(_ACTION)
def test_the_same_action_comes_back(action: Action) -> None:
    again = action_of(action_words(action))
    assert (type(again), repr(again)) == (type(action), repr(action))  # -0.0 is not 0.0


@pytest.mark.parametrize(
    "words",
    ["", "fly", "answer", "velocity", "velocity 1", "velocity 1 2 3", "velocity a b", "waypoints",
     "waypoints 1", "waypoints 1,2,3", "forward 1"],
)  # fmt: skip
def test_other_words_are_no_action(words: str) -> None:
    with pytest.raises(ValueError):
        action_of(words)


def test_people_read_six_digits() -> None:
    assert rounded_words("velocity 0.30000000000000004 0.0") == "velocity 0.3 0"
    assert rounded_words("waypoints 1.23456789,0.5 2.0,-0.0") == "waypoints 1.23457,0.5 2,-0"
    assert rounded_words("answer velocity 1.0") == "answer velocity 1.0"
    assert rounded_words("left") == "left"


def test_old_traces_hold_moves_exactly_and_velocities_not() -> None:
    assert are_exact(("forward", "answer 1.5", "stop"), 1)
    assert not are_exact(("forward", "velocity 0.5 0"), 1)
    assert not are_exact(("waypoints 1,0",), 1)
    assert are_exact(("velocity 0.5 0.0",), 2)


def test_old_traces_are_read_with_their_version() -> None:
    from test_trace_files import full_trace

    from navproof.log import decode_trace, encode_trace

    old = replace(full_trace(), trace_version=1)
    assert decode_trace(encode_trace(old), "t").trace_version == 1
    assert decode_trace(encode_trace(full_trace()), "t").trace_version == 2
