"""What each tester proposes and keeps."""

from __future__ import annotations

import math

import pytest
from fuzz_samples import draw, played, result

from navproof.core.errors import UnknownNameError
from navproof.core.types import Pose
from navproof.diagnosis.capabilities import Capability, ErrorType
from navproof.diagnosis.fuzz.behaviour import FEATURES, WINDOWS, behaviour, novelties, violation
from navproof.diagnosis.fuzz.testers import (
    TESTERS,
    BehAVExplor,
    CanTest,
    Random,
    VlaTest,
    failures_by_capability,
    make_tester,
)
from navproof.diagnosis.fuzz.types import Corpus, Proposal
from navproof.diagnosis.fuzz.types import Tester as AnyTester

STRAIGHT = tuple(Pose(-3.0 + 0.25 * k, 1.0) for k in range(21))
TURNING = tuple(Pose(-3.0, 1.0, 0.0, math.remainder(k * math.pi / 6, math.tau)) for k in range(21))


def _corpus(tester: AnyTester) -> Corpus:
    corpus = Corpus()
    for one in (
        result("pass", success=True, poses=STRAIGHT),
        result("fail", ErrorType.DETOUR, 0.6, poses=TURNING),
        result("again", success=True, poses=STRAIGHT, parent="fail"),
    ):
        corpus = tester.admit(corpus, one)
    return corpus


@pytest.mark.parametrize("name", TESTERS)
def test_every_tester_proposes_along_the_axes(name: str) -> None:
    tester = make_tester(name, ("goal", "condition"))
    assert tester.name == name
    corpus = _corpus(tester)
    assert len(corpus.results) == 3
    known = {"goal", "condition", "confounder", "lighting", "camera"}
    generator = draw()
    for _ in range(50):
        proposal = tester.propose(corpus, generator)
        assert (proposal.seed is None) is (proposal.strength == "fresh")
        assert proposal.axes
        assert set(proposal.axes) <= known


def test_an_unknown_tester_is_named() -> None:
    with pytest.raises(UnknownNameError, match=r"no tester 'cantets'.*cantest"):
        make_tester("cantets", ("goal",))


def test_only_capability_feedback_needs_a_diagnosis() -> None:
    needing = [name for name in TESTERS if make_tester(name, ("goal",)).needs_diagnosis]
    assert needing == ["cantest", "cantest-no-failure"]


def test_cantest_keeps_every_case_and_returns_to_failures() -> None:
    corpus = _corpus(CanTest())
    assert [seed.score for seed in corpus.seeds] == [0.0, pytest.approx(1.0 + 0.25 * 0.6), 0.0]
    found = [CanTest().propose(corpus, draw(k)) for k in range(20)]
    assert {p.seed.case_id for p in found if p.seed} == {"fail"}
    assert {p.strength for p in found} == {"mild"}


def test_without_feedback_every_seed_is_alike() -> None:
    tester = CanTest(failure=False, capability=False)
    corpus = _corpus(tester)
    found = [tester.propose(corpus, draw(k)) for k in range(60)]
    assert {p.seed.case_id for p in found if p.seed} == {"pass", "fail", "again"}
    assert {p.strength for p in found} == {"mild", "aggressive"}


def test_random_and_vlatest_need_no_seed() -> None:
    corpus = _corpus(Random())
    assert corpus.seeds == ()
    assert Random(("goal", "people")).propose(corpus, draw()).seed is None
    axes = {a for k in range(40) for a in VlaTest(("goal",)).propose(corpus, draw(k)).axes}
    assert axes == {"goal", "confounder"}
    wide = VlaTest(("goal", "condition"))
    axes = {a for k in range(40) for a in wide.propose(corpus, draw(k)).axes}
    assert axes == {"goal", "confounder", "lighting", "camera"}


def test_behavexplor_keeps_failures_and_new_behaviour_only() -> None:
    corpus = _corpus(BehAVExplor())
    assert [seed.case.case_id for seed in corpus.seeds] == ["pass", "fail"]  # "again" is not new


def test_behavexplor_shares_energy_out_over_children() -> None:
    tester = BehAVExplor()
    corpus = _corpus(tester)

    def share(of: Corpus) -> float:
        found: list[Proposal] = [tester.propose(of, draw(k)) for k in range(200)]
        return sum(p.seed is not None and p.seed.case_id == "fail" for p in found) / 200

    before = share(corpus)
    for k in range(4):
        one = result(f"child{k}", success=True, poses=STRAIGHT, parent="fail")
        corpus = tester.admit(corpus, one)
    assert share(corpus) < before - 0.1


def test_behaviour_tells_going_from_turning() -> None:
    going = behaviour(played(poses=STRAIGHT)).reshape(WINDOWS, len(FEATURES))
    turning = behaviour(played(poses=TURNING)).reshape(WINDOWS, len(FEATURES))
    assert going[:, 0] == pytest.approx([1.0] * WINDOWS)  # speed
    assert going[:, 1].tolist() == [0.0] * WINDOWS  # turning
    assert turning[:, 0].tolist() == [0.0] * WINDOWS
    assert turning[:, 1] == pytest.approx([1.0] * WINDOWS)
    assert going[:, 4].sum() > turning[:, 4].sum()  # coverage
    assert ((going >= 0.0) & (going <= 1.0)).all()


def test_a_run_shorter_than_its_windows_has_a_behaviour() -> None:
    assert behaviour(played(poses=STRAIGHT[:3])).shape == (WINDOWS * len(FEATURES),)


def test_novelty_is_the_distance_to_the_nearest_before() -> None:
    a, b = behaviour(played(poses=STRAIGHT)), behaviour(played(poses=TURNING))
    first, other, same = novelties([a, b, a])
    assert (first, same) == (1.0, 0.0)
    assert 0.0 < other <= 1.0
    assert novelties([]) == []


def test_the_degree_of_violation() -> None:
    assert violation(played()) == 1.0
    assert violation(played(success=True)) == 0.0  # shorter than the shortest way: as good as it
    back_and_forth = STRAIGHT + STRAIGHT[::-1] + STRAIGHT
    assert 0.5 < violation(played(poses=back_and_forth, success=True)) < 1.0


def test_failures_are_counted_by_their_source() -> None:
    results = [
        result("a", ErrorType.MISSED),
        result("b", ErrorType.CONFUSED),
        result("c"),
        result("d", success=True),
    ]
    assert failures_by_capability(results) == {Capability.PERCEPTION: 2}
