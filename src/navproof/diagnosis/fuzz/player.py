"""Playing cases: once each, diagnosed or not, kept on disk or not."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from navproof.core.errors import NavproofError
from navproof.diagnosis.attribution.attribute import Settings, attribute, observe
from navproof.diagnosis.attribution.corrected import CorrectedRun, RunState
from navproof.diagnosis.attribution.thresholds import calibrate
from navproof.diagnosis.checkpoints import Checkpoints
from navproof.diagnosis.fuzz.store import Store
from navproof.diagnosis.fuzz.types import Case, CaseResult
from navproof.diagnosis.oracles.guide import NoOracle
from navproof.diagnosis.oracles.judge import UnusableAnswerError
from navproof.diagnosis.oracles.oracles import make_oracles
from navproof.diagnosis.oracles.protocol import JudgeError, OracleFactory
from navproof.diagnosis.types import Cost, Diagnosis, StepErrors, Thresholds
from navproof.log.trace import Trace, TraceKey
from navproof.metrics.navigation.success import success
from navproof.play.worker import Worker
from navproof.sim.protocol import Simulator
from navproof.tasks.specs import spec_for

__all__ = ["Player"]

_NO_PROBES = Settings(probes=False)
"""Questions from outside name no capability, so a tester has nothing of them."""


class Player:
    """An agent, played in one case after the other. What has been played before, according to the
    ``store`` where there is one, is not played again."""

    def __init__(
        self,
        agent: str,
        oracles: OracleFactory | None = None,
        settings: Settings | None = None,
        store: Store | None = None,
        sim: Simulator | None = None,
    ) -> None:
        self._agent = agent
        self._oracles = make_oracles() if oracles is None else oracles
        self._worker = Worker() if sim is None else Worker(lambda: sim)
        self._settings = settings or _NO_PROBES
        self._store = store
        self._watched: dict[str, Trace] = {}  # while thresholds were calibrated

    def play(self, case: Case, thresholds: Thresholds | None) -> CaseResult:
        """Play a case; with ``thresholds`` a failure is diagnosed. What comes out depends on the
        case alone: what it cost is not told."""
        known = self._known(case)
        diagnosis: Diagnosis | None = None
        if thresholds is None:
            trace = known or self._plainly(case)
        elif known is not None and success(known):
            trace = known
        else:
            trace, diagnosis = self._diagnosed(case, known, thresholds)
        passed = success(trace) > 0.0
        told = None if passed or diagnosis is None else replace(diagnosis, cost=Cost())
        result = CaseResult(case, trace, passed, told)
        if self._store is not None:
            self._store.keep(case, trace, result.diagnosis)
        return result

    def fails(self, case: Case) -> bool:
        """Whether the agent fails a case, which is not kept."""
        return not success(self._plainly(case))

    def calibrated(
        self, cases: Sequence[Case], progress: Callable[[int, int], None] | None = None
    ) -> Thresholds:
        """Thresholds from those of the cases that pass. All are played; how the others went is
        kept, so that only their diagnosis is left to do. ``progress`` is told (done, in all)."""
        passed: list[Sequence[StepErrors]] = []
        left_out = 0
        for done, case in enumerate(cases):
            if progress is not None:
                progress(done, len(cases))
            known = self._known(case)
            if known is not None and not success(known):
                continue
            run = self._begun(case)
            try:
                errors = observe(run, Checkpoints[RunState](every=10**6))
            except UnusableAnswerError:
                left_out += 1
                continue
            except JudgeError:
                raise
            except NavproofError:
                continue  # ``play`` will say what it raised
            trace = _so_far(run)
            if success(trace):
                passed.append(errors)
            self._watched[case.case_id] = trace
            if self._store is not None:
                self._store.keep(case, trace, None)
        return replace(calibrate(passed), left_out=left_out)

    def _diagnosed(
        self, case: Case, known: Trace | None, thresholds: Thresholds
    ) -> tuple[Trace, Diagnosis]:
        run = self._begun(case)
        try:
            told = attribute(run, thresholds, expected=known, settings=self._settings)
        except UnusableAnswerError as error:
            trace = known or self._plainly(case)
            said = f"It could not be judged: {error}"
            return trace, Diagnosis(trace.key, "not_run", said=said)
        reason = told.said if told.verdict == "not_run" else ""
        return known or _so_far(run, reason), told  # ``attribute`` has left it at its end

    def _known(self, case: Case) -> Trace | None:
        """How the case went, where it has been played."""
        if self._store is None:
            return self._watched.get(case.case_id)
        return self._store.trace(case)

    def _begun(self, case: Case) -> CorrectedRun:
        episode = case.episode
        key = TraceKey(self._agent, episode.episode_id, case.condition, case.seed)
        spec = spec_for(episode.task, episode.robot or None)
        session = self._worker.session(key, spec, episode.task, beliefs=True, timed=False)
        run = CorrectedRun(session, self._worker.agent(self._agent), self._oracles)
        run.begin(episode)
        return run

    def _plainly(self, case: Case) -> Trace:
        run = self._begun(case)
        run.oracle = NoOracle(run.env, run.brief)  # nothing is asked of it
        try:
            while not run.done:
                run.step()
        except NavproofError as error:
            return _so_far(run, str(error))
        return _so_far(run)


def _so_far(run: CorrectedRun, reason: str = "") -> Trace:
    """The run without beliefs, which take most of the room. An agent that raised
    (``reason``) has failed."""
    trace = replace(run.trace(), beliefs=())
    return replace(trace, status="agent_error", reason=reason) if reason else trace
