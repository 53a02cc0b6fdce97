"""A campaign: one tester against one agent, case after case, until the budget is spent.

What is drawn in an iteration comes from ``rng(seed, tester, "fuzz", iteration)``, the initial cases
from a stream that all testers share: with one seed they begin alike. A campaign that was
interrupted goes on from its folder as if it had not been.
"""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from navproof.core.errors import EpisodeError, RunError, SpecError
from navproof.core.lock import LOCK_NAME, locked
from navproof.core.seeding import rng
from navproof.diagnosis.attribution.attribute import Settings
from navproof.diagnosis.fuzz.player import Player
from navproof.diagnosis.fuzz.store import Header, Store, is_campaign
from navproof.diagnosis.fuzz.types import Budget, Case, CaseResult, Corpus, Mutator, Tester
from navproof.diagnosis.oracles.protocol import OracleFactory
from navproof.diagnosis.types import Diagnosis, Thresholds
from navproof.sim.protocol import Simulator

__all__ = ["INITIAL_CASES", "Campaign", "Progress", "read_campaign", "run_campaign"]

_PROPOSALS = 40
INITIAL_CASES = 12
"""Of the seed corpus: few beside a budget of 100, enough to calibrate thresholds on."""


@dataclass(frozen=True)
class Campaign:
    """The result of a campaign. ``corpus.results`` are the cases in the order played, the first
    ``initial`` of them the seed corpus; ``thresholds`` what errors were held against, ``judge`` the
    model that compared labels and memories, where one did."""

    agent: str
    tester: str
    seed: int
    initial: int
    corpus: Corpus
    thresholds: Thresholds | None = None
    about: Mapping[str, Any] = field(default_factory=dict)
    judge: str | None = None

    @property
    def results(self) -> tuple[CaseResult, ...]:
        return self.corpus.results

    @property
    def failures(self) -> tuple[CaseResult, ...]:
        return self.corpus.failures

    @property
    def diagnoses(self) -> tuple[Diagnosis, ...]:
        """What was said of failures."""
        diagnoses = (result.diagnosis for result in self.failures)
        return tuple(diagnosis for diagnosis in diagnoses if diagnosis is not None)


class Progress(Protocol):
    """Is told of every case of a campaign."""

    def begin(self, total: int, done: int, failures: int) -> None:
        """``done`` of ``total`` cases were played before, ``failures`` of them failed."""

    def calibrating(self, done: int, total: int) -> None:
        """So many of the initial cases have been watched for thresholds."""

    def played(self, result: CaseResult) -> None: ...


def run_campaign(
    agent: str,
    tester: Tester,
    mutator: Mutator,
    budget: Budget,
    seed: int,
    *,
    attribute_all: bool = False,
    thresholds: Thresholds | None = None,
    initial: int = INITIAL_CASES,
    about: Mapping[str, Any] | None = None,
    folder: Path | None = None,
    fresh: bool = False,
    oracles: OracleFactory | None = None,
    judge: str | None = None,
    settings: Settings | None = None,
    sim: Simulator | None = None,
    progress: Progress | None = None,
) -> Campaign:
    """Search for failures of an agent.

    Failures are diagnosed where the tester feeds on it, or all the same with ``attribute_all``
    (+OA, which changes nothing in the search; also of a campaign in ``folder`` that was played
    without). The budget is what is to be played in all: of a campaign in ``folder`` that has come
    further, everything counts. ``thresholds``: by default they are calibrated on
    the initial cases that pass. ``about`` names the space of the mutator in the folder's header;
    ``folder`` keeps the campaign, goes on with one that is there, or (``fresh``) removes it first.
    ``judge`` names the model that ``oracles`` ask, where they do; one that cannot be reached ends
    the campaign (``JudgeError``), which goes on from its folder. ``sim``: where the agent is played
    (by default an embedded simulator of its own).
    """
    if not 1 <= initial <= budget.cases:
        raise SpecError(
            f"--initial must be from 1 to the budget of {budget.cases}; this begins with {initial}"
        )
    diagnosed = tester.needs_diagnosis or attribute_all
    space = dict(about or {})
    header = Header(agent, tester.name, seed, initial, diagnosed, space, thresholds, judge=judge)
    with _alone_in(folder):
        store = _open(folder, fresh)
        before = 0
        if store is not None:
            thresholds = store.begin(header) or thresholds
            there = store.header()
            if there is not None and there.diagnosed != diagnosed:
                before = store.tell_anew()
            store.mend()
        player = Player(agent, oracles, settings, store, sim)
        corpus = Corpus()
        for result in () if store is None else store.results():
            corpus = tester.admit(corpus, result)
        budget = replace(budget, cases=max(budget.cases, before, len(corpus.results)))
        if progress is not None:
            progress.begin(budget.cases, len(corpus.results), len(corpus.failures))

        def note(result: CaseResult) -> None:
            nonlocal corpus
            number, seeds = len(corpus.results), len(corpus.seeds)
            corpus = tester.admit(corpus, result)
            if store is not None:
                store.append(number, result, _score(corpus, seeds))
            if progress is not None:
                progress.played(result)

        if len(corpus.results) < initial:
            cases = mutator.initial(initial, rng(seed, "", "fuzz.initial"))
            if store is not None:
                store.write_header(replace(header, thresholds=thresholds))
            if diagnosed and thresholds is None:
                thresholds = player.calibrated(
                    cases, None if progress is None else progress.calibrating
                )
                if store is not None:
                    store.write_header(replace(header, thresholds=thresholds))
            for case in cases[len(corpus.results) :]:
                if budget.is_spent(corpus.results):
                    break
                note(player.play(case, thresholds if diagnosed else None))
        while not budget.is_spent(corpus.results):
            draw = rng(seed, tester.name, "fuzz", len(corpus.results))
            case = _next(tester, mutator, corpus, draw)
            note(player.play(case, thresholds if diagnosed else None))
        return Campaign(agent, tester.name, seed, initial, corpus, thresholds, space, judge)


def read_campaign(folder: Path, tester: Tester | None = None) -> Campaign:
    """The campaign in a folder. Scores are there where its ``tester`` is given."""
    store = Store(folder)
    header = store.header()
    if header is None:
        raise RunError(f"{folder} holds no campaign; make one with: navproof fuzz")
    corpus = Corpus()
    for result in store.results():
        results = (*corpus.results, result)
        corpus = (
            replace(corpus, results=results) if tester is None else tester.admit(corpus, result)
        )
    return Campaign(
        header.agent,
        header.tester,
        header.seed,
        header.initial,
        corpus,
        header.thresholds,
        header.about,
        header.judge,
    )


def _alone_in(folder: Path | None) -> AbstractContextManager[None]:
    """Lock a campaign's folder, so that no other process continues the campaign at the same
    time."""
    if folder is None:
        return nullcontext()
    if folder.exists() and not folder.is_dir():
        raise RunError(f"{folder} is a file; name a folder")
    return locked(folder)


def _open(folder: Path | None, fresh: bool) -> Store | None:
    if folder is None:
        return None
    if fresh and is_campaign(folder):
        for path in folder.iterdir():
            if path.is_dir() and not path.is_symlink():
                shutil.rmtree(path)
            elif path.name != LOCK_NAME:
                path.unlink()
    return Store(folder)


def _next(tester: Tester, mutator: Mutator, corpus: Corpus, draw: np.random.Generator) -> Case:
    """A case that was not played yet."""
    played = {result.case.case_id for result in corpus.results}
    for _ in range(_PROPOSALS):
        case = mutator.mutate(tester.propose(corpus, draw), draw)
        if case is not None and case.case_id not in played:
            return case
    raise EpisodeError(
        f"after {len(played)} cases {_PROPOSALS} proposals gave no new one; "
        "name more scenes or more axes"
    )


def _score(corpus: Corpus, seeds_before: int) -> float | None:
    """The score of the last case, where it became a seed."""
    return corpus.seeds[-1].score if len(corpus.seeds) > seeds_before else None
