"""Thresholds out of passed episodes, and errors as bouts."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from navproof.diagnosis.attribution.thresholds import (
    CEILING,
    FLOORS,
    LEAST_OFF_PLAN,
    MOST_OFF_PLAN,
    assumed,
    bouts,
    calibrate,
)
from navproof.diagnosis.capabilities import Capability, ErrorType
from navproof.diagnosis.types import StepErrors

P, M, PL, D = Capability


def run(capability: Capability, values: list[float | None], kind: ErrorType) -> list[StepErrors]:
    return [
        StepErrors(step, {} if v is None else {capability: v}, {capability: kind} if v else {})
        for step, v in enumerate(values)
    ]


def test_too_few_passed_episodes_leave_the_floors() -> None:
    found = calibrate([run(P, [0.8] * 5, ErrorType.MISSED)] * 4)
    assert not found.calibrated
    assert found.values == dict(FLOORS)
    assert (found.episodes, found.steps) == (4, 20)


def test_calibration_takes_the_quantile_between_floor_and_ceiling() -> None:
    values = [float(v) for v in np.linspace(0.0, 0.8, 41)]
    episodes = [run(P, values, ErrorType.MISSED) for _ in range(5)]
    found = calibrate(episodes)
    assert found.calibrated
    assert found.values[P] == pytest.approx(np.quantile(values * 5, 0.95))
    assert found.values[M] == FLOORS[M]  # never judged
    always = calibrate([run(D, [1.0] * 10, ErrorType.OFF_PLAN)] * 5)
    assert always.values[D] == CEILING
    never = calibrate([run(D, [0.0] * 10, ErrorType.OFF_PLAN)] * 5)
    assert never.values[D] == FLOORS[D]


def test_actions_off_the_plan_that_passed_episodes_have_as_well_are_no_bout() -> None:
    passed = run(D, [0.0, 1.0, 1.0, 1.0, *[0.0] * 8, 1.0, 0.0], ErrorType.OFF_PLAN)
    limits = calibrate([passed] * 5)
    assert limits.off_plan_steps == 3
    failed = run(D, [1.0, 1.0, 1.0, *[0.0] * 8, 1.0, 1.0, 1.0, 1.0], ErrorType.OFF_PLAN)
    assert [(b.first, b.last) for b in bouts(failed, limits)] == [(11, 14)]
    never = calibrate([run(D, [0.0] * 10, ErrorType.OFF_PLAN)] * 5)
    assert never.off_plan_steps == LEAST_OFF_PLAN
    always = calibrate([run(D, [1.0] * 30, ErrorType.OFF_PLAN)] * 5)
    assert always.off_plan_steps == MOST_OFF_PLAN
    assert assumed().off_plan_steps == 0
    seen = run(P, [1.0, *[0.0] * 8], ErrorType.MISSED)
    assert bouts(seen, limits)  # one look may be enough to lose a thing


def test_a_quantile_must_be_one() -> None:
    with pytest.raises(ValueError, match="quantile"):
        calibrate([], 1.5)


def test_bouts_bridge_short_pauses_and_no_longer_ones() -> None:
    values = [0.0, 0.9, 0.2, None, 0.1, 0.5, 0.0, 0.0, 0.0, 0.0, 0.6]
    (first, second) = bouts(run(P, values, ErrorType.MISSED), assumed(), pause=3)
    assert (first.first, first.last, first.peak) == (1, 5, 0.9)
    assert (second.first, second.last, second.kind) == (10, 10, ErrorType.MISSED)


def test_bouts_come_by_time_and_upstream_first() -> None:
    steps = [
        StepErrors(0, {D: 1.0}),
        StepErrors(1, {}),
        StepErrors(2, {PL: 0.7, P: 1.0, M: 0.3}),
    ]
    assert [(b.capability, b.first) for b in bouts(steps, assumed())] == [(D, 0), (P, 2), (PL, 2)]


def test_the_kind_is_the_most_frequent() -> None:
    kinds = [ErrorType.MISSED, ErrorType.CONFUSED, ErrorType.CONFUSED]
    steps = [StepErrors(i, {P: 0.9}, {P: kind}) for i, kind in enumerate(kinds)]
    assert bouts(steps, assumed())[0].kind is ErrorType.CONFUSED


def test_what_leads_into_a_loop_is_of_it() -> None:
    def at(step: int, kind: ErrorType) -> StepErrors:
        return StepErrors(step, {PL: 0.8}, {PL: kind})

    detour, loop = ErrorType.DETOUR, ErrorType.LOOP
    far = [at(0, detour), at(100, loop)]
    assert [b.kind for b in bouts(far, assumed())] == [detour, loop]
    near = [at(0, detour), at(40, detour), at(90, loop), at(200, detour)]
    assert [b.kind for b in bouts(near, assumed())] == [loop, loop, loop, detour]
    skipping = [at(80, ErrorType.CONSTRAINT), at(100, loop)]
    assert bouts(skipping, assumed())[0].kind is ErrorType.CONSTRAINT


@given(st.lists(st.none() | st.floats(0.0, 1.0), max_size=40), st.integers(0, 5))
def test_bouts_hold_every_step_above_and_begin_and_end_in_one(
    values: list[float | None], pause: int
) -> None:
    above = [i for i, v in enumerate(values) if v is not None and v > FLOORS[M]]
    found = bouts(run(M, values, ErrorType.FORGOTTEN), assumed(), pause)
    assert all(any(b.first <= i <= b.last for b in found) for i in above)
    assert all(b.first in above and b.last in above for b in found)
    assert all(b.first - a.last > pause + 1 for a, b in itertools.pairwise(found))
