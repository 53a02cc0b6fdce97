"""Types of error by rule."""

from __future__ import annotations

import pytest

from navproof.core.types import Remembered
from navproof.diagnosis.capabilities import ErrorType
from navproof.diagnosis.oracles.memory import MemoryComparison, RememberedThing
from navproof.diagnosis.oracles.perception import PerceivedFrame
from navproof.diagnosis.oracles.taxonomy import (
    decision_type,
    memory_type,
    perception_type,
    planning_type,
)

CHAIR, TABLE = 11, 12


def sight(**changed: object) -> PerceivedFrame:
    usual = {
        "expected": (CHAIR,),
        "matched": (None,),
        "true_of": (),
        "confused": (),
        "made_up": (),
        "posing": (),
        "error": 1.0,
    }
    return PerceivedFrame(**{**usual, **changed})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("frame", "kind"),
    [
        (sight(), "PE-1"),
        (sight(matched=(0,), true_of=((),), confused=(CHAIR,), made_up=(0,)), "PE-2"),
        (sight(made_up=(0,), true_of=((),), posing=(0,)), "PE-2"),  # it is seen somewhere else
        (sight(made_up=(0,), true_of=((),)), "PE-1"),  # something else was made up besides
        (sight(expected=(), matched=(), made_up=(0,), true_of=((),)), "PE-2"),
        (sight(matched=(0,), true_of=((CHAIR,),), error=0.2), "PE-1"),  # a poor box
    ],
)
def test_perception(frame: PerceivedFrame, kind: str) -> None:
    assert perception_type(frame) == kind


def held(label: str, thing: int, x: float, step: int) -> RememberedThing:
    return RememberedThing(label, thing, ((x, 0.0, 0.5),), step, 1.0)


def recall(
    *claimed: Remembered, matched: tuple[Remembered | None, ...], order: float
) -> MemoryComparison:
    expected = (held("chair", CHAIR, 0.0, 3), held("table", TABLE, 5.0, 8))
    return MemoryComparison(expected, claimed, matched, (), order, 1.0)


def test_memory() -> None:
    chair, table = Remembered("chair", (0.0, 0.0, 0.5), 3), Remembered("table", (5.0, 0.0, 0.5), 8)
    assert memory_type(recall(table, matched=(None, table), order=0.0)) == "ME-1"
    assert memory_type(recall(matched=(None, None), order=0.0)) == "ME-1"
    away = Remembered("chair", (5.0, 0.0, 0.5), 3)
    assert memory_type(recall(away, table, matched=(None, table), order=0.0)) == "ME-2"
    assert memory_type(recall(chair, table, matched=(chair, table), order=1.0)) == "ME-2"


def test_planning_and_decision() -> None:
    assert planning_type(skips=True, loops=True) is ErrorType.CONSTRAINT
    assert planning_type(skips=False, loops=True) is ErrorType.LOOP
    assert planning_type(skips=False, loops=False) is ErrorType.DETOUR
    assert decision_type() is ErrorType.OFF_PLAN
