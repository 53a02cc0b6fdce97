"""The seams of test generation: cases, mutations, what a case led to, and testers.

One iteration (CanTest, Algorithms 1 and 2): a tester proposes (which seed, how strongly to mutate
it), the mutator realises that in a real scene, the case is played and, where the tester wants it,
diagnosed, and the tester scores it. Everything that is drawn comes from the generator of the
iteration, ``rng(seed, tester, "fuzz", iteration)``, so a campaign can be repeated and resumed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

import numpy as np

from navproof.core.types import Episode, Scalar
from navproof.diagnosis.types import Diagnosis
from navproof.log.trace import Trace

__all__ = ["Axis", "Budget", "Case", "CaseResult", "Corpus", "Mutator", "Proposal", "Seed",
           "Strength", "Tester"]  # fmt: skip

Strength = Literal["fresh", "mild", "aggressive"]
"""``mild`` keeps the room of the goal and changes the thing; ``aggressive`` changes the room;
``fresh`` draws a case without a seed."""
Axis = Literal["goal", "start", "confounder", "condition", "lighting", "camera", "people", "robot"]
"""What a mutation may touch. ``goal`` is the paper's; ``confounder``, ``lighting`` and ``camera``
are VLATest's; the rest is ours."""


@dataclass(frozen=True, slots=True)
class Case:
    """One test: an ordinary episode and the condition it is played under. ``parent`` is the case
    it was made from, ``changed`` what the mutation did, for people and for minimising."""

    episode: Episode
    condition: str = "clean"
    seed: int = 0
    parent: str = ""
    changed: Mapping[str, Scalar] | None = None

    @property
    def case_id(self) -> str:
        return self.episode.episode_id


@dataclass(frozen=True, slots=True)
class CaseResult:
    """What a case led to. ``diagnosis`` only where the tester asked for it (+OA)."""

    case: Case
    trace: Trace
    success: bool
    diagnosis: Diagnosis | None = None


@dataclass(frozen=True, slots=True)
class Seed:
    """A case in the corpus with its feedback score."""

    case: Case
    score: float


@dataclass(frozen=True, slots=True)
class Corpus:
    """The seeds, and every result so far in the order played. Never changed, only replaced."""

    seeds: tuple[Seed, ...] = ()
    results: tuple[CaseResult, ...] = ()

    @property
    def failures(self) -> tuple[CaseResult, ...]:
        return tuple(result for result in self.results if not result.success)


@dataclass(frozen=True, slots=True)
class Proposal:
    """What to try next: a seed (None: a fresh case), how strongly and along which axes."""

    seed: Case | None
    strength: Strength
    axes: tuple[Axis, ...] = ("goal",)


class Mutator(Protocol):
    """Makes cases in real scenes. Every case is feasible: the oracle agent passes it."""

    def initial(self, count: int, draw: np.random.Generator) -> tuple[Case, ...]:
        """The seed corpus."""

    def mutate(self, proposal: Proposal, draw: np.random.Generator) -> Case | None:
        """A new case, or None where the scene has no such one."""


class Tester(Protocol):
    """A strategy of searching. Without state of its own: all it knows is the corpus."""

    @property
    def name(self) -> str: ...

    @property
    def needs_diagnosis(self) -> bool:
        """Whether ``admit`` uses ``CaseResult.diagnosis``; +OA runs diagnose for the others too,
        after the campaign, without feeding it back."""

    def propose(self, corpus: Corpus, draw: np.random.Generator) -> Proposal: ...

    def admit(self, corpus: Corpus, result: CaseResult) -> Corpus:
        """The corpus after a result: it is scored, and kept as a seed or not."""


@dataclass(frozen=True, slots=True)
class Budget:
    """How much a campaign may spend: played cases (the initial corpus counts) and steps in all."""

    cases: int = 200
    steps: int | None = None

    def is_spent(self, results: Sequence[CaseResult]) -> bool:
        played = sum(len(result.trace.actions) for result in results)
        return len(results) >= self.cases or (self.steps is not None and played >= self.steps)
