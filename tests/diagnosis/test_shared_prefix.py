"""What counterfactuals leave out, because it was played before or nobody reads it, against playing
everything."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from run_samples import open_run

from navproof.core.types import Decision
from navproof.diagnosis.attribution.corrected import CorrectedRun, RunState
from navproof.diagnosis.attribution.intervene import (
    Counterfactual,
    Intervention,
    play_otherwise,
    play_shorter,
)
from navproof.diagnosis.capabilities import Capability
from navproof.diagnosis.checkpoints import Checkpoints
from navproof.diagnosis.oracles.oracles import make_oracles
from navproof.diagnosis.oracles.protocol import Situation
from navproof.play.record import StepRecord

P, M, PL, D = Capability
_FAULTS = {P: "misses", M: "forgets", PL: "detours", D: "ignores"}
_FIRST = 5


def _failed(
    capability: Capability,
) -> tuple[CorrectedRun, Checkpoints[RunState], Sequence[StepRecord]]:
    """A run of an agent that is broken in a capability."""
    name = f"navproof.diagnosis.faults.faults:Faulty@kind={_FAULTS[capability]}@begins={_FIRST}"
    stage = open_run(name, steps=44, oracle=make_oracles())  # type: ignore[arg-type]
    states: Checkpoints[RunState] = Checkpoints(every=4)
    while not stage.done:
        states.offer(len(stage.records), stage.snapshot)
        stage.step()
    return stage, states, tuple(stage.records)


def _said(found: Counterfactual) -> tuple[object, ...]:
    trace = found.trace
    return (
        found.intervention,
        found.success,
        found.ended,
        found.differs_at,
        trace.actions,
        trace.poses,
        trace.beliefs,
    )


@pytest.mark.parametrize("capability", Capability)
def test_a_shorter_correction_is_the_same_run_whether_its_beginning_is_played_or_not(
    capability: Capability,
) -> None:
    stage, states, failed = _failed(capability)
    for last in (_FIRST, _FIRST + 6, len(failed)):
        longer = play_otherwise(
            stage, states, Intervention(capability, _FIRST), failed, parts_after=last
        )
        shorter = play_shorter(stage, longer, last, failed)
        alone = play_otherwise(stage, states, Intervention(capability, _FIRST, last), failed)
        assert _said(shorter) == _said(alone)
        assert shorter.steps_played < alone.steps_played
        assert (shorter.steps_played == 0) == (longer.parting is None)
    assert longer.parting is None  # the last one was over within the window
    assert shorter.trace == longer.trace


@pytest.mark.parametrize("capability", Capability)
def test_steps_that_nobody_asks_about_need_not_be_watched(capability: Capability) -> None:
    stage, states, failed = _failed(capability)
    intervention = Intervention(capability, _FIRST, 20)
    found = play_otherwise(stage, states, intervention, failed)
    stage.restore(states.before(_FIRST)[1])
    while len(stage.records) < len(found.trace.actions):
        stage.step(*intervention.at(len(stage.records)))
    assert stage.trace().actions == found.trace.actions
    assert stage.trace().beliefs == found.trace.beliefs
    assert intervention.needs_history(19) == (capability in (M, PL))
    assert not intervention.needs_history(20)


def test_what_is_expected_of_one_capability_is_part_of_what_is_expected() -> None:
    stage = open_run("frontier", steps=60, oracle=make_oracles())  # type: ignore[arg-type]

    def look(s: Situation, d: Decision) -> None:
        whole, fresh = stage.oracle.expected(s, d), make_oracles()(s.env, s.brief)
        assert stage.oracle.expected(s, d, D).actions == whole.actions
        planned = stage.oracle.expected(s, d, PL)
        assert planned.plan_actions == whole.plan_actions
        assert planned.lead_actions == whole.lead_actions
        assert stage.oracle.expected(s, d, PL, led=False).lead_actions == ()
        assert fresh.expected(s, d, D).actions == whole.actions  # it needs no history

    while not stage.done:
        stage.step(look=look)
