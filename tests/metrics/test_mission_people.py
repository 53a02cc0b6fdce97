"""SII and EQA-ACC at their thresholds, over hand-written moments."""

from __future__ import annotations

from dataclasses import replace

import pytest

from mission_traces import behind, follow, mission_trace, person, point, walk
from navproof.core.errors import RunError
from navproof.core.types import Event, Question
from navproof.log.trace import Trace
from navproof.metrics import METRICS
from navproof.metrics.missions.people import answer_of, avoided

EPS = 1e-6


def both(trace: Trace) -> tuple[float | None, float | None]:
    return METRICS["sii"](trace), METRICS["sii_released"](trace)


def standing(who: str, x: float, y: float, count: int):  # type: ignore[no-untyped-def]
    return walk(who, (x, y)), [(x, y, False)] * count


@pytest.mark.parametrize(
    ("gap", "near", "released"),
    [(1.2, 0.0, 1.0), (1.2 - EPS, 1.0, 1.0), (1.2 + EPS, 0.0, 0.0)],
)
def test_personal_space_at_its_edge(gap: float, near: float, released: float) -> None:
    trace = mission_trace([(0, 0)] * 5, point(9, 0), people=[standing("p1", gap, 0, 5)])
    assert both(trace) == (near, released)


def test_the_share_of_the_steps_beside_somebody() -> None:
    """Past her at 1.0 m: within 1.2 m at x = 4 only (at 3 and 5 it is 1.41 m): 1 step of 8."""
    spots = [(float(x), 0.0) for x in range(9)]
    trace = mission_trace(spots, point(8, 0), people=[standing("p1", 4, 1, 9)])
    assert both(trace) == (pytest.approx(1 / 8), pytest.approx(1 / 9))


def test_the_start_is_not_a_step() -> None:
    spots = [(4.0, 0.0), (8.0, 0.0), (9.0, 0.0)]
    trace = mission_trace(spots, point(9, 0), people=[standing("p1", 4, 1, 3)])
    assert both(trace) == (0.0, pytest.approx(1 / 3))


def test_steps_count_for_as_long_as_they_last() -> None:
    spots = [(0.0, 0.0), (4.0, 0.0), (8.0, 0.0)]
    trace = mission_trace(
        spots, point(8, 0), people=[standing("p1", 4, 1, 3)], times=[0.0, 3.0, 4.0]
    )
    assert both(trace) == (pytest.approx(3 / 4), pytest.approx(1 / 3))


def test_near_two_people_at_once_counts_once() -> None:
    people = [standing("p1", 0, 1, 3), standing("p2", 0, -1, 3)]
    spots = [(0, 0), (0, 0), (5, 0)]
    assert METRICS["sii"](mission_trace(spots, point(5, 0), people=people)) == 0.5


def test_the_person_to_be_followed_is_not_kept_away_from() -> None:
    """Half a metre behind her: an intrusion for the released code alone."""
    her = person("p1", 13)
    close = behind(0.5, her)
    alone = mission_trace(close, follow(), people=[her])
    assert avoided(alone) == ()
    assert both(alone) == (None, 1.0)
    with_another = mission_trace(close, follow(), people=[her, standing("p2", 4, 3, 13)])
    assert avoided(with_another) == ("p2",)
    assert both(with_another) == (0.0, 1.0)


def test_missions_without_people_have_no_index() -> None:
    assert both(mission_trace([(0, 0), (1, 0)], point(4, 0))) == (None, None)


def test_an_immediate_stop_is_judged_where_it_stands() -> None:
    near = mission_trace(
        [(0, 0)] * 2, point(4, 0), people=[standing("p1", 1, 0, 2)], times=[0.0, 0.0]
    )
    assert METRICS["sii"](near) == 1.0
    nothing = mission_trace([(0, 0)], point(4, 0), people=[standing("p1", 1, 0, 1)])
    assert METRICS["sii"](nothing) is None


def test_the_channels_of_people_are_needed() -> None:
    trace = mission_trace([(0, 0)] * 2, point(4, 0), people=[standing("p1", 1, 0, 2)])
    less = {k: v for k, v in trace.channels.items() if not k.startswith("person")}
    with pytest.raises(RunError, match=r"no channel 'person\.p1\."):
        METRICS["sii"](replace(trace, channels=less))


# ------------------------------------------------------------------------------------- answering
CHAIRS = Question("How many chairs are there?", "count", "2")


def asked(*answers: str, question: Question | None = CHAIRS) -> Trace:
    told = [Event(step, "answer", {"text": text}) for step, text in enumerate(answers)]
    return mission_trace([(0, 0)] * 4, point(4, 0), question=question, events=told)


@pytest.mark.parametrize(
    ("answers", "right", "released"),
    [
        (("2",), 1.0, 1.0),
        (("Two chairs.",), 1.0, 1.0),
        (("12",), 0.0, 1.0),
        (("three",), 0.0, 0.0),
        (("three", "two"), 1.0, 1.0),
        (("two", "three"), 0.0, 0.0),
        (("",), 0.0, 0.0),
    ],
)
def test_answers(answers: tuple[str, ...], right: float, released: float) -> None:
    trace = asked(*answers)
    assert METRICS["eqa_acc"](trace) == right
    assert METRICS["eqa_acc_released"](trace) == released


def test_no_answer_is_wrong_and_the_released_code_drops_it() -> None:
    trace = asked()
    assert answer_of(trace) is None
    assert (METRICS["eqa_acc"](trace), METRICS["eqa_acc_released"](trace)) == (0.0, None)


def test_no_question_no_accuracy() -> None:
    trace = asked("two", question=None)
    assert (METRICS["eqa_acc"](trace), METRICS["eqa_acc_released"](trace)) == (None, None)
