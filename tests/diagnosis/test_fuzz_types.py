"""What a campaign may spend, and what it found."""

from __future__ import annotations

from run_samples import open_run

from navproof.diagnosis.fuzz.types import Budget, Case, CaseResult, Corpus


def _result(*, success: bool) -> CaseResult:
    stage = open_run("forward", steps=6)
    while not stage.done:
        stage.step()
    return CaseResult(Case(stage.env.episode), stage.trace(), success)


def test_a_budget_is_spent_by_cases_or_by_steps() -> None:
    played = [_result(success=True)] * 3
    steps = len(played[0].trace.actions)
    assert Budget(cases=3).is_spent(played)
    assert not Budget(cases=4).is_spent(played)
    assert Budget(cases=9, steps=3 * steps).is_spent(played)
    assert not Budget(cases=9, steps=3 * steps + 1).is_spent(played)


def test_a_corpus_knows_its_failures() -> None:
    failed, passed = _result(success=False), _result(success=True)
    assert Corpus(results=(passed, failed, passed)).failures == (failed,)
    assert failed.case.case_id == "tiny-objectnav-v1"
