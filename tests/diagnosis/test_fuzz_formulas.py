"""Selection, mutation, balance and score against their equations, and draws against both."""

from __future__ import annotations

import numpy as np
import pytest
from fuzz_samples import draw, result
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from navproof.diagnosis.capabilities import PIPELINE, Capability, ErrorType
from navproof.diagnosis.fuzz.formulas import balance, feedback, mild_probability, selection
from navproof.diagnosis.fuzz.testers import CanTest
from navproof.diagnosis.fuzz.types import Case, Corpus, Seed

P, M, L, D = PIPELINE


def test_selection_is_proportional_to_what_is_above_zero() -> None:
    assert selection([3.0, 1.0, 0.0, -2.0]).tolist() == [0.75, 0.25, 0.0, 0.0]


def test_selection_is_uniform_where_nothing_has_failed() -> None:
    assert selection([0.0, 0.0, -1.0]).tolist() == pytest.approx([1 / 3] * 3)
    with pytest.raises(ValueError, match="no seeds"):
        selection([])


@given(st.lists(st.floats(-5.0, 5.0), min_size=1, max_size=30))
def test_selection_is_a_distribution(scores: list[float]) -> None:
    found = selection(scores)
    assert found.sum() == pytest.approx(1.0)
    assert (found >= 0.0).all()


def test_the_best_seed_is_mutated_mildly_and_the_worst_aggressively() -> None:
    scores = [0.0, 1.0, 3.0]
    assert [mild_probability(s, scores) for s in scores] == [0.0, pytest.approx(1 / 3), 1.0]
    assert mild_probability(2.0, [2.0, 2.0]) == 0.5


def test_balance_favours_what_is_rare() -> None:
    assert balance({P: 8, M: 2}) == {P: 2.5 / 8, M: 2.5 / 2, L: 2.5, D: 2.5}
    assert balance({P: 1}) == {P: 0.25, M: 0.25, L: 0.25, D: 0.25}
    assert balance(dict.fromkeys(PIPELINE, 7)) == dict.fromkeys(PIPELINE, 1.0)


def test_the_score_of_a_failure() -> None:
    counts = {P: 8, M: 2}
    assert feedback(M, 0.8, counts) == pytest.approx(1.0 + 1.25 * 0.8)
    assert feedback(None, 0.0, counts) == 1.0
    assert feedback(M, 0.8, counts, failure=False) == pytest.approx(1.0)
    assert feedback(M, 0.8, counts, capability=False) == 1.0
    assert feedback(M, 0.8, counts, failure=False, capability=False) == 0.0


def test_seeds_and_strengths_are_drawn_as_the_equations_say() -> None:
    scores = [2.0, 1.0, 0.5, 0.0]
    cases = [result(f"c{k}").case for k in range(4)]
    corpus = Corpus(tuple(Seed(c, s) for c, s in zip(cases, scores, strict=True)))
    generator, n = draw(), 10_000
    found = [CanTest().propose(corpus, generator) for _ in range(n)]
    names = [_name(proposal.seed) for proposal in found]
    counts = np.array([names.count(case.case_id) for case in cases])
    expected = n * selection(scores)
    assert counts[3] == 0
    assert stats.chisquare(counts[:3], expected[:3]).pvalue > 0.001
    for k in range(3):
        of = [p.strength for p in found if _name(p.seed) == cases[k].case_id]
        mild = of.count("mild") / len(of)
        wanted = mild_probability(scores[k], scores)
        assert mild == pytest.approx(wanted, abs=4 * np.sqrt(wanted * (1 - wanted) / len(of)))


def test_a_failure_counts_itself_in_the_balance() -> None:
    corpus = Corpus()
    for k in range(3):
        corpus = CanTest().admit(corpus, result(f"p{k}", ErrorType.MISSED, 0.5))
    corpus = CanTest().admit(corpus, result("m", ErrorType.FORGOTTEN, 0.5))
    scores = [seed.score for seed in corpus.seeds]
    assert scores == pytest.approx([1.125, 1.125, 1.125, 1.0 + 1.0 * 0.5])
    assert Capability.MEMORY in balance({})


def _name(case: Case | None) -> str:
    assert case is not None
    return case.case_id
