"""Which capability lost the run: found where it is known, and said so."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

import pytest
from run_samples import Onlooker, open_run

from navproof.agents.baselines.frontier import FrontierAgent
from navproof.agents.correction import Correction
from navproof.agents.protocol import Agent
from navproof.core.errors import SpecError
from navproof.core.types import (
    Action,
    Beliefs,
    Decision,
    Detection,
    Move,
    Observation,
    Remembered,
    TaskBrief,
)
from navproof.diagnosis.attribution.attribute import Settings, attribute, observe
from navproof.diagnosis.attribution.corrected import CorrectedRun, RunState
from navproof.diagnosis.attribution.suggest import suggestion
from navproof.diagnosis.attribution.thresholds import assumed
from navproof.diagnosis.capabilities import Capability, ErrorType
from navproof.diagnosis.checkpoints import Checkpoints
from navproof.diagnosis.oracles.oracles import make_oracles
from navproof.diagnosis.oracles.protocol import ExpectedOutputs, Situation
from navproof.diagnosis.types import Evidence, StepErrors

_LIMITS = assumed()


class _SeesNothing:
    def detect(self, obs: Observation, brief: TaskBrief) -> tuple[Detection, ...]:
        return ()


def _blind_stage(steps: int = 50) -> CorrectedRun:
    stage = open_run("frontier", steps=steps, oracle=make_oracles())  # type: ignore[arg-type]
    assert isinstance(stage.agent, FrontierAgent)
    stage.agent.detector = _SeesNothing()
    return stage


def test_a_thing_that_was_never_seen_is_perceptions_fault() -> None:
    told = attribute(_blind_stage(), _LIMITS)
    assert told.verdict == "attributed"
    found = told.attribution
    assert found is not None
    assert found.capability is Capability.PERCEPTION
    assert found.kind is ErrorType.MISSED
    assert found.step == next(b.first for b in told.bouts if b.capability is found.capability)
    assert found.error == 1.0
    assert [seen.label for seen in found.evidence.expected_seen] == ["chair"]
    assert found.repair.actions[: found.step] == _actions(_blind_stage())[: found.step]
    assert found.repair.actions[-1] == "stop"
    assert len(found.repair.poses) == len(found.repair.actions) + 1
    assert f"step {found.step}" in told.said
    assert "chair" in found.suggestion
    assert told.thresholds == _LIMITS
    assert told.cost.trials == len(told.trials) <= Settings().trials


def _actions(stage: CorrectedRun) -> tuple[str, ...]:
    while not stage.done:
        stage.step()
    return tuple(record.action for record in stage.records)


def test_the_stage_is_left_at_the_end_of_the_run_as_it_was() -> None:
    plain = _actions(_blind_stage())
    stage = _blind_stage()
    attribute(stage, _LIMITS)
    assert stage.trace().actions == plain
    assert stage.done


def test_the_same_is_said_twice() -> None:
    first, second = (attribute(_blind_stage(), _LIMITS) for _ in range(2))
    assert replace(first, cost=second.cost) == second


def test_a_passed_run_has_its_errors_and_no_trials() -> None:
    told = attribute(open_run("frontier", steps=60, oracle=make_oracles()), _LIMITS)  # type: ignore[arg-type]
    assert told.verdict == "passed"
    assert told.trials == ()
    assert any(Capability.PERCEPTION in step.values for step in told.errors)


def test_other_actions_than_in_the_trace_are_told_and_nothing_else() -> None:
    stage = _blind_stage()
    actions = _actions(stage)
    other = replace(stage.trace(), actions=(*actions[:7], "right", *actions[8:]))
    told = attribute(_blind_stage(), _LIMITS, expected=other)
    assert told.verdict == "not_reproduced"
    assert "from step 7 on" in told.said
    assert attribute(_blind_stage(), _LIMITS, expected=stage.trace()).verdict == "attributed"


def test_observing_keeps_states_and_errors_of_every_step() -> None:
    stage = _blind_stage(20)
    states: Checkpoints[RunState] = Checkpoints(4)
    errors = observe(stage, states)
    assert [step.step for step in errors] == list(range(len(stage.records)))
    assert states.before(13)[0] == 12


# ------------------------------------------------------------- the search, with invented errors
class _Walker:
    """Turns left at the steps of ``astray``, and otherwise does what is right; tells a plan."""

    sensors = ("pose",)

    def reset(self, brief: TaskBrief) -> None: ...

    def act(self, obs: Observation) -> Decision:
        return Decision(Move.LEFT, Beliefs(plan=((0.0, 0.0), (1.0, 0.0))))


@dataclass
class _Script:
    """Which steps err in which capability, and what the plan then calls for."""

    errors: dict[Capability, range]
    right: tuple[Action, ...]


class _Scripted(Onlooker):
    script: ClassVar[_Script]

    def judge(self, situation: Situation, decision: Decision) -> StepErrors:
        step = situation.observation.step
        held = {c: 1.0 if step in steps else 0.0 for c, steps in self.script.errors.items()}
        return StepErrors(step, held)

    def expected(
        self,
        situation: Situation,
        decision: Decision,
        of: Capability | None = None,
        *,
        led: bool = True,
    ) -> ExpectedOutputs:
        return ExpectedOutputs(actions=self.script.right, plan_actions=self.script.right)


def _scripted(errors: dict[Capability, range], right: tuple[Action, ...]) -> type[_Scripted]:
    return type("_ThisScript", (_Scripted,), {"script": _Script(errors, right)})


def test_nothing_that_saves_it_is_told_as_unattributed() -> None:
    oracle = _scripted({Capability.DECISION: range(3, 6)}, (Move.RIGHT,))
    stage = open_run("walker", agent=_Walker(), steps=20, oracle=oracle)
    told = attribute(stage, _LIMITS, settings=Settings(probes=False))
    assert told.verdict == "unattributed"
    assert [(t.capability, t.step, t.dose) for t in told.trials] == [
        (Capability.DECISION, 3, "onward"),
        (Capability.PLANNING, 0, "led"),
    ]
    assert "decision or planning does not save the run" in told.said


def test_agents_without_the_seam_are_told_what_cannot_be_tried() -> None:
    oracle = _scripted({Capability.PERCEPTION: range(2, 4)}, ())
    stage = open_run("walker", agent=_Walker(), steps=20, oracle=oracle)
    told = attribute(stage, _LIMITS, settings=Settings(probes=False))
    assert told.verdict == "unattributed"
    assert {t.capability for t in told.trials} == {Capability.PLANNING}
    assert "perception erred but cannot be corrected" in told.said


class _Stops:
    """Where the goal is in reach, stops only when it is made to: the goal is under its feet."""

    sensors = ("pose",)

    def reset(self, brief: TaskBrief) -> None: ...

    def act(self, obs: Observation) -> Decision:
        return Decision(Move.LEFT, Beliefs(plan=((0.0, 0.0), (1.0, 0.0))))


def _at_the_goal(errors: dict[Capability, range]) -> CorrectedRun:
    stage = open_run("stops", agent=_Stops(), steps=40, oracle=_scripted(errors, (Move.STOP,)))
    episode = stage.env.episode
    goal = replace(episode.goals[0], positions=(episode.start.point,))
    stage.begin(replace(episode, goals=(goal,)))
    return stage


def test_the_earliest_bout_that_saves_the_run_alone_is_the_source() -> None:
    """Any stop saves this run: the first bout of the first capability is the source."""
    errors = {Capability.PLANNING: range(9, 12), Capability.DECISION: range(5, 7)}
    told = attribute(_at_the_goal(errors), _LIMITS)
    found = told.attribution
    assert found is not None
    assert (found.capability, found.step, found.dose) == (Capability.DECISION, 5, "alone")
    assert [t.dose for t in told.trials] == ["onward", "alone"]  # planning's turn never came
    assert found.repair.actions == ("left",) * 5 + ("stop",)


def test_upstream_comes_first_within_a_step() -> None:
    errors = {Capability.DECISION: range(5, 7), Capability.PLANNING: range(5, 7)}
    found = attribute(_at_the_goal(errors), _LIMITS).attribution
    assert found is not None
    assert (found.capability, found.step) == (Capability.PLANNING, 5)


def test_a_budget_that_ends_after_the_screen_leaves_the_onward_source() -> None:
    errors = {Capability.DECISION: range(5, 7)}
    told = attribute(_at_the_goal(errors), _LIMITS, settings=Settings(trials=1))
    found = told.attribution
    assert found is not None
    assert found.dose == "onward"
    assert len(told.trials) == 1
    assert "from there on" in told.said


class _Late(_Scripted):
    """Errs again and again, and is right to stop at the end only."""

    def judge(self, situation: Situation, decision: Decision) -> StepErrors:
        step = situation.observation.step
        return StepErrors(step, {Capability.DECISION: float(step < 30 and step % 6 < 2)})

    def expected(
        self,
        situation: Situation,
        decision: Decision,
        of: Capability | None = None,
        *,
        led: bool = True,
    ) -> ExpectedOutputs:
        is_time = situation.observation.step >= 35
        return ExpectedOutputs(actions=(Move.STOP,) if is_time else (decision.action,))


def test_a_defect_that_outlasts_a_few_bouts_is_a_lasting_one() -> None:
    told = attribute(_looking(_Stops(), _Late), _LIMITS)
    found = told.attribution
    assert found is not None
    assert (found.capability, found.step, found.dose) == (Capability.DECISION, 0, "onward")
    assert len(told.bouts) == 5
    assert [t.dose for t in told.trials] == ["onward", *["alone"] * 4]


def test_an_agent_that_raises_has_not_run() -> None:
    class Falls(_Walker):
        def act(self, obs: Observation) -> Decision:
            if obs.step == 3:
                raise RuntimeError("fell over")
            return super().act(obs)

    told = attribute(open_run("falls", agent=Falls()), _LIMITS)
    assert told.verdict == "not_run"
    assert "fell over" in told.said


def test_spoiled_pictures_are_tried_from_their_first_on() -> None:
    """Eyes that see nothing in noise: no bout of perception lets one know when it began."""
    stage = open_run(
        "mlfm@encoder=truth@detector=truth",
        steps=30,
        condition="low_light_noise@1",
        oracle=_scripted({}, ()),
    )
    told = attribute(stage, _LIMITS)
    assert [(t.capability, t.step, t.dose) for t in told.trials if t.also is None] == [
        (Capability.PERCEPTION, 0, "onward"),  # which is in every step: it is not tried again
        (Capability.PLANNING, 0, "led"),
    ]
    assert told.said.endswith("the run, nor do perception and planning together.")


# ------------------------------------------------------------------------- what no bout explains
class _Seeing(_Stops):
    """Tells that it sees the goal where its eyes are corrected, and goes on turning."""

    def reset(self, brief: TaskBrief) -> None:
        self._is_corrected = False

    def correct(self, correction: Correction) -> None:
        self._is_corrected = True

    def act(self, obs: Observation) -> Decision:
        seen = (Detection("goal", 0.9),) if self._is_corrected else ()
        self._is_corrected = False
        return Decision(Move.LEFT, Beliefs(seen, plan=((0.0, 0.0), (1.0, 0.0))))


class _Leads(Onlooker):
    """Would stop from step 3 on, as an agent that looks for its goal does not; ``only_seen``: once
    the agent sees it."""

    only_seen: ClassVar[bool] = False

    def expected(
        self,
        situation: Situation,
        decision: Decision,
        of: Capability | None = None,
        *,
        led: bool = True,
    ) -> ExpectedOutputs:
        assert decision.beliefs is not None
        right = (Move.STOP,) if situation.observation.step >= 3 else ()
        is_seen = bool(decision.beliefs.perceived) or not self.only_seen
        return ExpectedOutputs(lead_actions=right if is_seen else ())


class _LeadsWhoSee(_Leads):
    only_seen = True


def _looking(agent: Agent, oracle: type[Onlooker]) -> CorrectedRun:
    stage = open_run("looks", agent=agent, steps=40, oracle=oracle)
    episode = stage.env.episode
    goal = replace(episode.goals[0], positions=(episode.start.point,))
    stage.begin(replace(episode, goals=(goal,)))
    return stage


def test_an_agent_that_an_expert_leads_to_its_goal_lacked_planning() -> None:
    told = attribute(_looking(_Stops(), _Leads), _LIMITS)
    assert told.verdict == "attributed"
    found = told.attribution
    assert found is not None
    assert (found.capability, found.step, found.dose) == (Capability.PLANNING, 3, "led")
    assert found.kind is ErrorType.DETOUR
    assert found.also is None
    assert found.repair.actions == ("left",) * 3 + ("stop",)
    assert "led to where the goal is" in told.said


def test_what_only_two_together_save_is_joint_and_the_upstream_one_its_source() -> None:
    told = attribute(_looking(_Seeing(), _LeadsWhoSee), _LIMITS)
    assert told.verdict == "joint"
    found = told.attribution
    assert found is not None
    assert (found.capability, found.also) == (Capability.PERCEPTION, Capability.PLANNING)
    assert found.step == 0  # where it would have been seen
    assert [(t.capability, t.dose, t.also, t.success) for t in told.trials] == [
        (Capability.PERCEPTION, "throughout", None, False),
        (Capability.PLANNING, "led", None, False),
        (Capability.PERCEPTION, "led", Capability.PLANNING, True),
    ]


@pytest.mark.parametrize("kind", list(ErrorType))
def test_every_type_has_a_suggestion(kind: ErrorType) -> None:
    seen = (Detection("mug", 0.9, (0.0, 0.0, 5.0, 5.0)),)
    held = (Remembered("mug", (0.0, 0.0, 0.0), 2),)
    full = Evidence(4, "", seen, (), held, (), expected_actions=("left",), action="right")
    for evidence in (Evidence(4, ""), full):
        words = suggestion(kind, evidence)
        assert words.endswith(".")
        assert "None" not in words
        assert "\n" not in words


def test_settings_that_make_no_sense_are_refused() -> None:
    with pytest.raises(SpecError, match="trials must be at least 1"):
        Settings(trials=0)
