"""What may come out of an agent, and what is said of the rest."""

from __future__ import annotations

import math

import numpy as np
import pytest

from navproof.agents.validate import as_decision
from navproof.core.errors import AgentError
from navproof.core.types import (
    Action,
    Answer,
    Beliefs,
    Control,
    Decision,
    Detection,
    Move,
    Remembered,
    Robot,
    TaskBrief,
    Velocity,
    Waypoints,
)

MOVES = (Move.FORWARD, Move.LEFT, Move.RIGHT, Move.STOP)


def brief(control: Control = "discrete") -> TaskBrief:
    actions = MOVES if control in ("discrete", "any") else (Move.STOP,)
    return TaskBrief("t", "", Robot("r", 0.2, 1.0), (), control, actions, 10, 0)


@pytest.mark.parametrize("value", [*MOVES, "forward", "left", "right", "stop", np.str_("left")])
def test_moves_and_their_names(value: object) -> None:
    decision = as_decision(value, brief())
    assert decision.action in MOVES
    assert isinstance(decision.action, Move)
    assert decision.beliefs is None


@pytest.mark.parametrize(
    "action", [Move.LEFT, Velocity(0.5, 0.1), Waypoints(((1.0, 0.0),)), Answer("blue"), Move.STOP]
)
def test_a_task_may_take_every_kind_of_command(action: Action) -> None:
    assert as_decision(action, brief("any")).action == action


def test_a_decision_keeps_its_beliefs() -> None:
    beliefs = Beliefs(plan=((1.0, 2.0),))
    assert as_decision(Decision(Move.LEFT, beliefs), brief()) == Decision(Move.LEFT, beliefs)
    assert as_decision(Decision("left"), brief()).action is Move.LEFT  # type: ignore[arg-type]


def test_beliefs_become_plain_whatever_they_came_in() -> None:
    given = Beliefs(
        perceived=[Detection(np.str_("mug"), np.float32(0.5), np.arange(4), None)],  # type: ignore[arg-type]
        remembered=[Remembered("mug", np.zeros(3), np.int64(2))],  # type: ignore[arg-type]
        plan=np.ones((2, 2)),  # type: ignore[arg-type]
    )
    kept = as_decision(Decision(Move.LEFT, given), brief()).beliefs
    assert kept == Beliefs(
        (Detection("mug", 0.5, (0.0, 1.0, 2.0, 3.0)),),
        (Remembered("mug", (0.0, 0.0, 0.0), 2),),
        ((1.0, 1.0), (1.0, 1.0)),
    )
    assert type(kept.perceived[0].score) is float
    assert type(kept.remembered[0].step) is int


@pytest.mark.parametrize(
    "beliefs",
    [
        Beliefs(plan=((object(), 1.0),)),  # type: ignore[arg-type]
        Beliefs(plan=((math.nan, 1.0),)),
        Beliefs(plan=3),  # type: ignore[arg-type]
        Beliefs(perceived=(lambda: 1,)),  # type: ignore[arg-type]
        Beliefs(perceived=(Detection(7),)),  # type: ignore[arg-type]
        Beliefs(perceived=(Detection("\ud800"),)),
        Beliefs(perceived=(Detection("mug", box=(1.0, 2.0)),)),  # type: ignore[arg-type]
        Beliefs(remembered=(Remembered("mug", (0.0, 0.0, 0.0), 1.5),)),  # type: ignore[arg-type]
    ],
)
def test_beliefs_that_no_trace_can_hold_are_refused_in_one_line(beliefs: Beliefs) -> None:
    with pytest.raises(AgentError, match="beliefs that cannot be kept") as caught:
        as_decision(Decision(Move.LEFT, beliefs), brief())
    assert "\n" not in str(caught.value)


def test_answers_are_always_allowed() -> None:
    assert as_decision(Answer("two"), brief()).action == Answer("two")


def test_commands_of_the_right_interface() -> None:
    action = as_decision(Velocity(np.float32(0.5), 1), brief("velocity")).action  # type: ignore[arg-type]
    assert action == Velocity(0.5, 1.0)
    assert isinstance(action, Velocity)
    assert type(action.v_m_s) is float
    points = np.array([[1.0, 0.0], [2.0, 0.5]])
    assert as_decision(Waypoints(points), brief("waypoints")).action == Waypoints(  # type: ignore[arg-type]
        ((1.0, 0.0), (2.0, 0.5))
    )
    assert as_decision("stop", brief("velocity")).action is Move.STOP


@pytest.mark.parametrize(
    ("value", "control", "says"),
    [
        (None, "discrete", "returned None; allowed are 'forward', 'left', 'right', 'stop'"),
        (math.nan, "discrete", "returned nan of type float"),
        (2, "discrete", "returned 2 of type int"),
        ("fly", "discrete", "returned 'fly'"),
        (Move.FOUND, "discrete", "found"),
        ("forward", "velocity", "allowed are 'stop', Velocity(v, w)"),
        (Velocity(0.1, 0.1), "discrete", "the control interface is discrete, not velocity"),
        (Velocity(math.nan, 0.1), "velocity", "finite"),
        (Velocity(math.nan, 0.1), "any", "'stop', Velocity(v, w), Waypoints(points)"),
        (Velocity(0.1, math.inf), "velocity", "finite"),
        (Velocity("fast", 0.0), "velocity", "finite"),  # type: ignore[arg-type]
        (Waypoints(()), "waypoints", "at least one"),
        (Waypoints(((1.0, math.nan),)), "waypoints", "finite"),
        (Waypoints((1.0, 2.0)), "waypoints", "pairs"),  # type: ignore[arg-type]
        (Waypoints(None), "waypoints", "pairs"),  # type: ignore[arg-type]
        (Answer(7), "discrete", "must be a string"),  # type: ignore[arg-type]
        (Answer("\ud800"), "discrete", "must be a string"),
        (Decision(None), "discrete", "returned None"),  # type: ignore[arg-type]
        (Decision(Move.LEFT, "hm"), "discrete", "beliefs"),  # type: ignore[arg-type]
        (np.zeros((9, 9)), "discrete", "of type ndarray"),
        ({"action": "left"}, "discrete", "of type dict"),
    ],
)
def test_anything_else_is_refused_in_one_line(value: object, control: Control, says: str) -> None:
    with pytest.raises(AgentError) as caught:
        as_decision(value, brief(control))
    text = str(caught.value)
    assert says in text
    assert "\n" not in text
    assert len(text) < 300


def test_a_value_that_cannot_be_shown() -> None:
    class Rude:
        def __repr__(self) -> str:
            raise RuntimeError("no")

    with pytest.raises(AgentError, match="cannot be shown of type Rude"):
        as_decision(Rude(), brief())
