"""The testers: CanTest with its ablations, and the baselines of the paper (section 5, A.6).

All of them search the same space, the axes of a campaign, and none has a state but the corpus. A
tester says which seed to mutate, how strongly and along which axes; the ``Mutator`` realises it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import median
from typing import final

import numpy as np

from navproof.core.errors import UnknownNameError
from navproof.core.registry import suggest
from navproof.diagnosis.capabilities import Capability
from navproof.diagnosis.fuzz.behaviour import behaviour, novelties, violation
from navproof.diagnosis.fuzz.formulas import feedback, mild_probability, selection
from navproof.diagnosis.fuzz.types import Axis, CaseResult, Corpus, Proposal, Seed, Tester

__all__ = [
    "ABLATIONS",
    "BASELINES",
    "MAIN_TESTERS",
    "TESTERS",
    "BehAVExplor",
    "CanTest",
    "Random",
    "VlaTest",
    "failures_by_capability",
    "make_tester",
]

_SECOND_AXIS = 0.5
"""How likely another axis is touched along with the goal."""


@final
@dataclass(frozen=True)
class CanTest:
    """Algorithms 1 and 2: seeds are selected by their score; the better a seed, the milder its
    mutation. Every played case joins the corpus with its score, 0 for a pass."""

    axes: tuple[Axis, ...] = ("goal",)
    failure: bool = True
    capability: bool = True

    @property
    def name(self) -> str:
        lacking = {
            (True, True): "",
            (False, True): "-no-failure",
            (True, False): "-no-capability",
            (False, False): "-no-feedback",
        }
        return f"cantest{lacking[self.failure, self.capability]}"

    @property
    def needs_diagnosis(self) -> bool:
        return self.capability

    def propose(self, corpus: Corpus, draw: np.random.Generator) -> Proposal:
        scores = [seed.score for seed in corpus.seeds]
        seed = corpus.seeds[int(draw.choice(len(scores), p=selection(scores)))]
        mild = float(draw.random()) < mild_probability(seed.score, scores)
        return Proposal(seed.case, "mild" if mild else "aggressive", _touched(self.axes, draw))

    def admit(self, corpus: Corpus, result: CaseResult) -> Corpus:
        results = (*corpus.results, result)
        score = 0.0
        if not result.success:
            found = None if result.diagnosis is None else result.diagnosis.attribution
            score = feedback(
                None if found is None else found.capability,
                0.0 if found is None else found.error,
                failures_by_capability(results),
                failure=self.failure,
                capability=self.capability,
            )
        return Corpus((*corpus.seeds, Seed(result.case, score)), results)


@final
@dataclass(frozen=True)
class Random:
    """A fresh case every time, each other axis of the campaign touched in half of them."""

    axes: tuple[Axis, ...] = ("goal",)
    name: str = "random"
    needs_diagnosis: bool = False

    def propose(self, corpus: Corpus, draw: np.random.Generator) -> Proposal:
        others = [a for a in self.axes if a != "goal" and float(draw.random()) < 0.5]
        return Proposal(None, "fresh", ("goal", *others))

    def admit(self, corpus: Corpus, result: CaseResult) -> Corpus:
        return replace(corpus, results=(*corpus.results, result))


@final
@dataclass(frozen=True)
class BehAVExplor:
    """Searches for behaviour that was not seen before (Cheng et al., ISSTA 2023).

    A case becomes a seed if the run failed, or if its behaviour is farther from all before than the
    median of such distances so far (the threshold adapts). Its energy is its novelty and its degree
    of violation, shared out over the times that it has been mutated; seeds are selected by energy,
    and those near to a violation are mutated mildly.
    """

    axes: tuple[Axis, ...] = ("goal",)
    name: str = "behavexplor"
    needs_diagnosis: bool = False

    def propose(self, corpus: Corpus, draw: np.random.Generator) -> Proposal:
        mutated = Counter(result.case.parent for result in corpus.results)
        energies = [seed.score / (1 + mutated[seed.case.case_id]) for seed in corpus.seeds]
        k = int(draw.choice(len(energies), p=selection(energies)))
        seed = corpus.seeds[k]
        near = next(r for r in corpus.results if r.case.case_id == seed.case.case_id)
        mild = float(draw.random()) < violation(near.trace)
        return Proposal(seed.case, "mild" if mild else "aggressive", _touched(self.axes, draw))

    def admit(self, corpus: Corpus, result: CaseResult) -> Corpus:
        results = (*corpus.results, result)
        *before, novelty = novelties([behaviour(r.trace) for r in results])
        seeds = corpus.seeds
        if not result.success or novelty > median(before or [0.0]):
            seeds = (*seeds, Seed(result.case, novelty + violation(result.trace)))
        return Corpus(seeds, results)


@final
@dataclass(frozen=True)
class VlaTest:
    """Fresh cases from four operators at random, without feedback (Wang et al. 2025, adapted as in
    A.6): target, confounding things, lighting, camera. It takes those of its operators that the
    campaign's axes allow: a free choice of goals includes confounded ones, one of conditions
    includes light and cameras."""

    axes: tuple[Axis, ...] = ("goal", "confounder", "lighting", "camera")
    name: str = "vlatest"
    needs_diagnosis: bool = False

    def propose(self, corpus: Corpus, draw: np.random.Generator) -> Proposal:
        wider: Mapping[Axis, Axis] = {
            "confounder": "goal",
            "lighting": "condition",
            "camera": "condition",
        }
        allowed = [a for a, of in wider.items() if a in self.axes or of in self.axes]
        taken = [axis for axis in allowed if float(draw.random()) < 0.5]
        return Proposal(None, "fresh", ("goal", *taken))

    def admit(self, corpus: Corpus, result: CaseResult) -> Corpus:
        return replace(corpus, results=(*corpus.results, result))


BASELINES: tuple[str, ...] = ("random", "behavexplor", "vlatest")
ABLATIONS: tuple[str, ...] = ("cantest-no-failure", "cantest-no-capability", "cantest-no-feedback")
MAIN_TESTERS: tuple[str, ...] = ("cantest", *BASELINES)
"""Those that are held against each other; the ablations are held against CanTest alone."""
TESTERS: tuple[str, ...] = (*MAIN_TESTERS, *ABLATIONS)


def make_tester(name: str, axes: Sequence[Axis]) -> Tester:
    """A tester by its name, for a campaign along these axes."""
    along = tuple(axes)
    made: list[Tester] = [CanTest(along, f, c) for f in (True, False) for c in (True, False)]
    made += [Random(along), BehAVExplor(along), VlaTest(along)]
    for tester in made:
        if tester.name == name:
            return tester
    raise UnknownNameError(f"there is no tester '{name}'{suggest(name, list(TESTERS))}")


def failures_by_capability(results: Sequence[CaseResult]) -> Counter[Capability]:
    """How many of the failures have their source in each capability."""
    attributions = (
        r.diagnosis.attribution for r in results if not r.success and r.diagnosis is not None
    )
    return Counter(
        attribution.capability for attribution in attributions if attribution is not None
    )


def _touched(axes: Sequence[Axis], draw: np.random.Generator) -> tuple[Axis, ...]:
    """What a mutation changes: the goal where that is allowed, and at times one axis more."""
    main: list[Axis] = [axis for axis in axes if axis == "goal"]
    others = [axis for axis in axes if axis != "goal"]
    if others and (not main or float(draw.random()) < _SECOND_AXIS):
        main.append(others[int(draw.integers(len(others)))])
    return tuple(main)
