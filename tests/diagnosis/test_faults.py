"""Agents with a fault: each breaks what it says, from when it says, and nothing else."""

from __future__ import annotations

import copy

import numpy as np
import pytest
from numpy.typing import NDArray
from run_samples import open_run

from navproof.agents.correction import CorrectableAgent, Correction
from navproof.agents.load import load_agent
from navproof.core.errors import AgentError
from navproof.core.types import WALL, Beliefs, Decision, Move, Observation, Pose, Remembered
from navproof.diagnosis.attribution.corrected import CorrectedRun
from navproof.diagnosis.capabilities import Capability, ErrorType
from navproof.diagnosis.faults.faults import FAULTS, Fault, Faulty
from navproof.diagnosis.faults.senses import (
    ConfusedObjectFault,
    FaultStep,
    PerceivedPlaces,
    SwappedMemoryFault,
    concerns,
)
from navproof.diagnosis.oracles.along import follows
from navproof.perception.protocol import TruthFrame

STEPS = 70
NAME = "navproof.diagnosis.faults.faults:Faulty"


def staged(kind: str, **options: object) -> CorrectedRun:
    """The agent on a stage in the tiny flat, where frontier finds the chair in the next room."""
    more = "".join(f"@{name}={value}" for name, value in options.items())
    return open_run(f"{NAME}@kind={kind}{more}", steps=STEPS)


def played(stage: CorrectedRun) -> list[Decision]:
    told: list[Decision] = []
    while not stage.done:
        told.append(stage.step().decision)
    return told


def fault_step(stage: CorrectedRun) -> int | None:
    assert isinstance(stage.agent, Faulty)
    return stage.agent.first_fault_step


@pytest.fixture(scope="module")
def sound() -> list[Decision]:
    return played(open_run("frontier", steps=STEPS))


def names(decision: Decision) -> set[str]:
    assert decision.beliefs is not None
    return {d.label for d in decision.beliefs.perceived}


def test_every_kind_has_its_type_and_all_capabilities_are_there() -> None:
    assert FAULTS["swaps"] is ErrorType.MISORDERED
    assert {kind.capability for kind in FAULTS.values()} == set(Capability)


@pytest.mark.parametrize("kind", FAULTS)
def test_until_it_begins_the_agent_is_the_sound_one(kind: str, sound: list[Decision]) -> None:
    stage = staged(kind, begins=30)
    told = played(stage)
    assert told[:30] == sound[:30]
    first = fault_step(stage)
    assert first is None or first >= 30


def test_a_rate_of_zero_is_no_fault(sound: list[Decision]) -> None:
    stage = staged("misses", rate=0)
    assert played(stage) == sound
    assert fault_step(stage) is None


def test_the_sound_agent_sees_and_reaches_the_chair(sound: list[Decision]) -> None:
    assert any("chair" in names(d) for d in sound)
    assert sound[-1].action is Move.STOP


def test_what_is_missed_is_never_reported(sound: list[Decision]) -> None:
    stage = staged("misses")
    told = played(stage)
    assert not any("chair" in names(d) for d in told)
    first = next(i for i, d in enumerate(sound) if "chair" in names(d))
    assert fault_step(stage) == first


def test_labels_speak_of_their_own_category() -> None:
    assert concerns("chair", "chair")
    assert concerns("small blue chair", "chair")
    assert concerns("coffee table", "coffee table")
    assert not concerns("potted plant", "plant")
    assert not concerns("chair", "")


def moment(instances: NDArray[np.int32], places: PerceivedPlaces | None = None) -> FaultStep:
    """A moment in the flat with this in view; the chair is looked for."""
    brief = staged("misses").brief
    observation = Observation(5, {"semantic": instances})
    found = places or PerceivedPlaces()
    held = tuple(thing for same in found.found.values() for thing in same)
    return FaultStep(brief, observation, Pose(0.0, 0.0), "chair", ("chair",), found, held)


def ids_of(category: str) -> int:
    facts = staged("misses").brief.facts or {}
    return next(i for i, f in facts.items() if f["category"] == category)


def test_what_is_confused_is_taken_for_the_largest_other_thing() -> None:
    frame = np.full((40, 40), WALL, dtype=np.int32)
    frame[5:20, 5:20] = ids_of("table")
    frame[30:36, 30:36] = ids_of("chair")
    told = ConfusedObjectFault().senses(moment(frame))
    assert told is not None
    assert told.sight is not None
    assert told.sight.facts[ids_of("table")]["category"] == "chair"
    assert told.sight.facts[ids_of("chair")]["category"] == "table"
    np.testing.assert_array_equal(told.sight.instances, frame)
    assert (
        ConfusedObjectFault().senses(moment(np.where(frame == ids_of("table"), WALL, frame)))
        is None
    )


def test_what_is_forgotten_is_gone_when_it_is_out_of_view(sound: list[Decision]) -> None:
    seen = next(i for i, d in enumerate(sound) if "chair" in names(d))
    stage = staged("forgets")
    for decision in played(stage)[seen + 1 :]:
        assert decision.beliefs is not None
        held = {t.label for t in decision.beliefs.remembered}
        assert ("chair" in held) == ("chair" in names(decision))


def test_what_is_swapped_is_in_the_other_place() -> None:
    chair, table = Remembered("chair", (1.0, 0.0, 0.4), 2), Remembered("table", (-3.0, 2.0, 0.4), 3)
    lamp = Remembered("lamp", (0.0, 1.0, 1.0), 4)
    places = PerceivedPlaces({"chair": [chair], "table": [table], "lamp": [lamp]})
    now = moment(np.zeros((8, 8), dtype=np.int32), places)
    told = SwappedMemoryFault().senses(now)
    assert told is not None
    assert told.remembered is not None
    assert {(t.label, t.position) for t in told.remembered} == {
        ("chair", table.position),
        ("table", chair.position),
        ("lamp", lamp.position),
    }
    believed = Decision(Move.LEFT, Beliefs(remembered=told.remembered))
    assert SwappedMemoryFault().shows(now, believed)
    assert not SwappedMemoryFault().shows(now, Decision(Move.LEFT, Beliefs(remembered=(chair,))))


@pytest.mark.parametrize("kind", ["detours", "loops"])
def test_a_wrong_plan_is_followed_and_leads_back(kind: str, sound: list[Decision]) -> None:
    stage = staged(kind)
    first = None
    while not stage.done:
        before = stage.observation
        told = stage.step()
        if first is None and fault_step(stage) is not None:
            first = told.decision
            assert before.step == fault_step(stage)
            assert first.beliefs is not None
            assert follows(told.action, first.beliefs.plan, _pose(before), stage.brief)
            assert first.beliefs.plan != sound[before.step].beliefs.plan  # type: ignore[union-attr]
    assert first is not None


def _pose(observation: Observation) -> Pose:
    assert observation.pose is not None
    return Pose(*(float(v) for v in observation.pose))


def test_a_plan_that_is_ignored_is_told_as_it_was(sound: list[Decision]) -> None:
    stage = staged("ignores")
    told = played(stage)
    first = fault_step(stage)
    assert first is not None
    assert told[first].beliefs == sound[first].beliefs
    assert told[first].action != sound[first].action


def test_it_lasts_as_long_as_it_says(sound: list[Decision]) -> None:
    stage = staged("ignores", lasts=1)
    told = played(stage)
    first = fault_step(stage)
    assert first is not None
    assert stage.records[first].action != sound[first].action
    assert told[-1].action is Move.STOP  # one wrong step is made good


def test_what_is_corrected_from_outside_wins() -> None:
    stage = staged("misses")
    seen: list[Decision] = []
    while not stage.done and len(seen) < 3:
        frame = stage._situation(clean=True).frame
        assert isinstance(stage.agent, CorrectableAgent)
        assert frame is not None
        stage.agent.correct(Correction(sight=frame))
        decision = stage.step().decision
        if "chair" in _in_view(frame):
            seen.append(decision)
    assert seen
    assert all("chair" in names(d) for d in seen)


def _in_view(frame: TruthFrame) -> set[str]:
    ids, pixels = np.unique(frame.instances, return_counts=True)
    large = [int(i) for i, n in zip(ids, pixels, strict=True) if n >= 24 and int(i) in frame.facts]
    return {str(frame.facts[i]["category"]) for i in large}


def test_a_copy_goes_on_alike() -> None:
    stage = staged("loops", rate=0.6)
    for _ in range(25):
        stage.step()
    twin = copy.deepcopy(stage.agent)
    assert isinstance(twin, Faulty)
    observation = stage.observation
    assert twin.act(observation) == stage.agent.act(observation)


def test_options_of_the_base_come_after_a_plus() -> None:
    fault = Fault(base="mlfm+encoder=truth+detector=truth")
    assert fault.agent == "mlfm@encoder=truth@detector=truth"
    assert {"rgb", "semantic", "pose"} <= set(fault.sensors)
    assert load_agent(f"{NAME}@kind=loops").sensors is not None


def test_bad_faults_are_refused_in_one_line() -> None:
    with pytest.raises(AgentError, match="kind is one of"):
        load_agent(f"{NAME}@kind=sleeps")
    with pytest.raises(AgentError, match="rate must be from 0 to 1"):
        load_agent(f"{NAME}@rate=2")
    with pytest.raises(AgentError, match="no method 'correct'"):
        Faulty(Fault(base="random"))
