"""The oracles along real runs in the two-room flat, and with one belief altered at a time."""

from __future__ import annotations

import copy
import math
from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from run_samples import open_run

from navproof.core.types import Beliefs, Decision, Detection, Move, Pose, Remembered
from navproof.diagnosis.attribution.corrected import CorrectedRun
from navproof.diagnosis.attribution.thresholds import FLOORS
from navproof.diagnosis.capabilities import Capability, ErrorType
from navproof.diagnosis.oracles.along import following
from navproof.diagnosis.oracles.oracles import Oracles, make_oracles
from navproof.diagnosis.oracles.protocol import Situation
from navproof.diagnosis.types import StepErrors
from navproof.metrics.navigation.success import success

P, M, PL, D = Capability
GOAL = "chair"


def open_real(agent: str = "frontier", task: str = "objectnav-v1") -> CorrectedRun:
    return open_run(agent, task, 120, oracle=make_oracles())  # type: ignore[arg-type]


def play_to(step: int, stage: CorrectedRun) -> None:
    while len(stage.records) < step:
        stage.step()


def at(step: int, ask: Callable[[Oracles, Situation, Decision], object]) -> object:
    """What ``ask`` finds at a step of the run of frontier to the chair."""
    stage = open_real()
    play_to(step, stage)
    found: list[object] = []
    oracle = stage.oracle
    assert isinstance(oracle, Oracles)
    stage.step(look=lambda s, d: found.append(ask(oracle, s, d)))
    return found[0]


def altered(step: int, change: Callable[[Situation, Decision], Decision]) -> StepErrors:
    found = at(step, lambda oracle, s, d: oracle.judge(s, change(s, d)))
    assert isinstance(found, StepErrors)
    return found


def with_beliefs(decision: Decision, **changed: object) -> Decision:
    assert decision.beliefs is not None
    return replace(decision, beliefs=replace(decision.beliefs, **changed))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("agent", "task"),
    [("frontier", "objectnav-v1"), ("frontier", "langnav-v1"), ("frontier", "pointnav-v1")],
)
def test_a_run_that_succeeds_has_no_errors(agent: str, task: str) -> None:
    stage = open_real(agent, task)
    errors: list[StepErrors] = []
    while not stage.done:
        stage.step(look=lambda s, d: errors.append(stage.oracle.judge(s, d)))
    assert success(stage.trace()) == 1.0
    judged = {c for step in errors for c in step.values}
    assert judged == ({PL, D} if task == "pointnav-v1" else {P, M, PL, D})
    assert all(value < 0.1 for step in errors for value in step.values.values())
    assert all(not step.types for step in errors if not any(step.values.values()))


# ------------------------------------------------------------------------- one belief at a time
def _missed(_: Situation, d: Decision) -> Decision:
    assert d.beliefs is not None
    return with_beliefs(d, perceived=tuple(s for s in d.beliefs.perceived if s.label != GOAL))


def _confused(_: Situation, d: Decision) -> Decision:
    assert d.beliefs is not None
    return with_beliefs(
        d,
        perceived=tuple(
            replace(s, label="sofa") if s.label == GOAL else s for s in d.beliefs.perceived
        ),
    )


def _made_up(_: Situation, d: Decision) -> Decision:
    assert d.beliefs is not None
    ghost = Detection(GOAL, 0.8, (2.0, 70.0, 12.0, 90.0), (4.0, 1.0, 0.4))
    return with_beliefs(d, perceived=(*d.beliefs.perceived, ghost))


def _forgotten(_: Situation, d: Decision) -> Decision:
    assert d.beliefs is not None
    return with_beliefs(d, remembered=tuple(r for r in d.beliefs.remembered if r.label != GOAL))


def _displaced(_: Situation, d: Decision) -> Decision:
    assert d.beliefs is not None
    return with_beliefs(
        d,
        remembered=tuple(
            replace(r, position=(-1.0, -3.0, 0.4)) if r.label == GOAL else r
            for r in d.beliefs.remembered
        ),
    )


def _detour(s: Situation, d: Decision) -> Decision:
    assert d.beliefs is not None
    assert s.observation.pose is not None
    x, y, _, yaw = (float(v) for v in s.observation.pose)
    back = (x - 1.5, y)
    plan = ((x, y), back, (x, y), *d.beliefs.plan)
    action = following(plan, Pose(x, y, 0.0, yaw), s.brief)[0]
    return replace(with_beliefs(d, plan=plan), action=action)


def _off_plan(_: Situation, d: Decision) -> Decision:
    return replace(d, action=Move.STOP)


@pytest.mark.parametrize(
    ("change", "capability", "kind"),
    [
        (_missed, P, ErrorType.MISSED),
        (_confused, P, ErrorType.CONFUSED),
        (_made_up, P, ErrorType.CONFUSED),
        (_forgotten, M, ErrorType.FORGOTTEN),
        (_displaced, M, ErrorType.MISORDERED),
        (_detour, PL, ErrorType.DETOUR),
        (_off_plan, D, ErrorType.OFF_PLAN),
    ],
)
def test_altering_one_output_shows_in_its_capability_and_in_no_other(
    change: Callable[[Situation, Decision], Decision], capability: Capability, kind: ErrorType
) -> None:
    found = altered(6, change)
    assert found.values[capability] > FLOORS[capability]
    assert found.types == {capability: kind}
    others = {c: v for c, v in found.values.items() if c is not capability}
    assert others == dict.fromkeys({P, M, PL, D} - {capability}, 0.0)


def test_a_poor_box_counts_by_its_overlap() -> None:
    def shifted(_: Situation, d: Decision) -> Decision:
        assert d.beliefs is not None
        (chair,) = (s for s in d.beliefs.perceived if s.label == GOAL)
        assert chair.box is not None
        u0, v0, u1, v1 = chair.box
        half = (u0, v0, (u0 + u1) / 2, v1)
        return with_beliefs(d, perceived=(replace(chair, box=half),))

    assert altered(6, shifted).values[P] == pytest.approx(0.25)  # (0 + 1 − ½) / 2


def test_low_scores_count_as_not_seen() -> None:
    def unsure(_: Situation, d: Decision) -> Decision:
        assert d.beliefs is not None
        return with_beliefs(d, perceived=tuple(replace(s, score=0.2) for s in d.beliefs.perceived))

    found = altered(6, unsure)
    assert found.values[P] == 1.0
    assert found.types[P] is ErrorType.MISSED


def test_without_beliefs_nothing_is_judged() -> None:
    assert altered(6, lambda s, d: replace(d, beliefs=None)).values == {}
    only_plan = altered(6, lambda s, d: replace(d, beliefs=Beliefs(plan=d.beliefs.plan)))  # type: ignore[union-attr]
    assert only_plan.values[P] == only_plan.values[M] == 1.0


def test_a_goal_that_is_not_known_need_not_be_gone_to() -> None:
    """The first action is decided in a run in which the chair was never seen."""

    def elsewhere(s: Situation, d: Decision) -> Decision:
        plan = ((0.0, 0.0), (-0.5, 0.0), (-0.5, 2.0))
        return Decision(Move.LEFT, Beliefs(plan=plan))

    stage = open_real()
    found: list[StepErrors] = []
    stage.step(look=lambda s, d: found.append(stage.oracle.judge(s, elsewhere(s, d))))
    assert found[0].values[PL] == 0.0


# ------------------------------------------------------------------------------ what is expected
def test_expected_output_of_every_capability() -> None:
    def ask(oracle: Oracles, s: Situation, d: Decision) -> None:
        expected = oracle.expected(s, d)
        assert d.beliefs is not None
        (seen,) = expected.seen
        (believed,) = (v for v in d.beliefs.perceived if v.label == GOAL)
        assert (seen.label, seen.box) == (GOAL, believed.box)
        assert seen.position is not None
        assert believed.position is not None
        assert math.dist(seen.position[:2], believed.position[:2]) < 0.6
        assert [r.label for r in expected.remembered] == [GOAL]
        assert expected.remembered[0].step == s.observation.step - 1
        assert expected.actions[0] == d.action
        assert expected.plan_actions == ()  # its own plan is as good
        detour = oracle.expected(s, _detour(s, d))
        assert d.action in detour.plan_actions
        assert math.dist(detour.plan[-1], d.beliefs.plan[-1]) < 2.0
        assert {r.label for r in oracle.memory(s)} == {r.label for r in d.beliefs.remembered}

    at(6, ask)


def test_at_the_goal_the_expert_claims_it() -> None:
    stage = open_real()
    found: list[tuple[object, ...]] = []

    def look(s: Situation, d: Decision) -> None:
        lost = replace(d, action=Move.LEFT, beliefs=replace(d.beliefs, plan=()))  # type: ignore[type-var]
        if s.env.distance_to_goal() <= 0.09:
            found.append(stage.oracle.expected(s, lost).plan_actions)

    while not stage.done:
        stage.step(look=look)
    assert found
    assert set(found) == {(Move.STOP,)}


def _unseen(d: Decision, **changed: object) -> Decision:
    """The same without anything that is taken for the goal."""
    return with_beliefs(d, perceived=(), remembered=(), **changed)


def test_an_agent_that_looks_for_its_goal_can_be_led_there() -> None:
    def ask(oracle: Oracles, s: Situation, d: Decision) -> None:
        assert oracle.expected(s, d).lead_actions == ()  # it knows where the chair is
        knows = oracle.evidence(s, d, Capability.PLANNING, led=True)
        assert ("was known" in knows.said, knows.expected_actions) == (True, ())
        assert s.observation.pose is not None
        here = Pose(*(float(v) for v in s.observation.pose))
        elsewhere = ((here.x, here.y), (here.x - 2.0, here.y - 2.0))
        towards = following(elsewhere, here, s.brief)[0]
        looks, oracle = replace(_unseen(d, plan=elsewhere), action=towards), _fresh(s)
        (move, *_) = oracle.expected(s, looks).lead_actions
        assert move in (Move.FORWARD, Move.LEFT, Move.RIGHT)
        searches = oracle.evidence(s, looks, Capability.PLANNING, led=True)
        assert ("elsewhere" in searches.said, bool(searches.expected_actions)) == (True, True)
        assert oracle.expected(s, _unseen(looks, plan=())).lead_actions == ()  # it tells no plan
        ghost = Remembered(GOAL, (here.x - 2.5, here.y - 2.0, 0.4), 2)
        misled = with_beliefs(looks, remembered=(ghost,))
        assert oracle.expected(s, misled).lead_actions == ()  # it goes to what it takes for one
        gives_up = replace(looks, action=Move.STOP)
        assert oracle.expected(s, _unseen(gives_up, plan=())).lead_actions

    at(6, ask)


def _fresh(s: Situation) -> Oracles:
    made = make_oracles()(s.env, s.brief)
    assert isinstance(made, Oracles)
    return made


def test_asking_changes_nothing_and_copies_are_exact() -> None:
    stage = open_real()
    play_to(5, stage)
    twin = copy.deepcopy(stage.oracle)
    seen: list[StepErrors] = []

    def look(s: Situation, d: Decision) -> None:
        first = stage.oracle.judge(s, d)
        stage.oracle.expected(s, _missed(s, d))
        stage.oracle.evidence(s, d, PL)
        assert stage.oracle.judge(s, d) == first == twin.judge(s, d)
        twin.watch(s, d)
        seen.append(first)

    for _ in range(4):
        stage.step(look=look)
    assert [e.step for e in seen] == [5, 6, 7, 8]


def test_evidence_says_it_in_a_sentence() -> None:
    def ask(oracle: Oracles, s: Situation, d: Decision) -> dict[Capability, str]:
        return {
            P: oracle.evidence(s, _missed(s, d), P).said,
            M: oracle.evidence(s, _forgotten(s, d), M).said,
            PL: oracle.evidence(s, _detour(s, d), PL).said,
            D: oracle.evidence(s, _off_plan(s, d), D).said,
        }

    said = at(6, ask)
    assert isinstance(said, dict)
    assert said[P].startswith("the chair ")
    assert said[P].endswith("was not seen")
    assert said[M] == "'chair', seen at step 5, was not remembered"
    assert "chair was known" in said[PL]
    assert "the action was 'stop'" in said[D]


_FLOAT = st.floats(-6, 6)
_POINT = st.tuples(_FLOAT, _FLOAT, _FLOAT)
_LABEL = st.sampled_from([GOAL, "table", "blue chair", "", "sofa", "???"])
_BELIEFS = st.builds(
    Beliefs,
    st.lists(
        st.builds(
            Detection,
            _LABEL,
            st.floats(0, 1),
            st.none() | st.tuples(*[st.floats(0, 96)] * 4),
            st.none() | _POINT,
        ),
        max_size=4,
    ).map(tuple),
    st.lists(st.builds(Remembered, _LABEL, _POINT, st.integers(0, 9)), max_size=4).map(tuple),
    st.lists(st.tuples(_FLOAT, _FLOAT), max_size=5).map(tuple),
)


def test_values_are_between_0_and_1_whatever_is_believed() -> None:
    def ask(oracle: Oracles, s: Situation, _: Decision) -> None:
        @given(_BELIEFS, st.sampled_from(list(Move)))
        @settings(max_examples=80, deadline=None)
        def check(beliefs: Beliefs, action: Move) -> None:
            decision = Decision(action, beliefs)
            found = oracle.judge(s, decision)
            assert all(0.0 <= v <= 1.0 for v in found.values.values())
            assert all(found.types[c].capability is c for c in found.types)
            assert set(found.types) == {c for c, v in found.values.items() if v > 0.0}
            oracle.expected(s, decision)
            for capability in Capability:
                assert oracle.evidence(s, decision, capability).said

        check()

    at(8, ask)
