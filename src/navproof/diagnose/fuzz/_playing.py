"""Playing cases: once each, diagnosed or not, kept on disk or not."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from navproof.core.errors import NavproofError
from navproof.diagnose.attribution.attribute import Settings, attribute, observe
from navproof.diagnose.attribution.thresholds import calibrate
from navproof.diagnose.fuzz.store import Store
from navproof.diagnose.fuzz.types import Case, CaseResult
from navproof.diagnose.oracles.guide import Nobody
from navproof.diagnose.oracles.judge import UnusableAnswerError
from navproof.diagnose.oracles.oracles import make_oracles
from navproof.diagnose.oracles.protocol import JudgeError, OracleFactory
from navproof.diagnose.snapshot import Checkpoints
from navproof.diagnose.stage import Stage, StageState
from navproof.diagnose.types import Cost, Diagnosis, StepErrors, Thresholds
from navproof.diagnose.workbench import Workbench
from navproof.log.trace import Trace
from navproof.metrics.navigation.success import success
from navproof.sim.protocol import Simulator

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
        made = make_oracles() if oracles is None else oracles
        self._bench = Workbench(agent, made) if sim is None else Workbench(agent, made, sim)
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
            stage = self._stage(case)
            try:
                errors = observe(stage, Checkpoints[StageState](every=10**6))
            except UnusableAnswerError:
                left_out += 1
                continue
            except JudgeError:
                raise
            except NavproofError:
                continue  # ``play`` will say what it raised
            trace = _so_far(stage)
            if success(trace):
                passed.append(errors)
            self._watched[case.case_id] = trace
            if self._store is not None:
                self._store.keep(case, trace, None)
        return replace(calibrate(passed), left_out=left_out)

    def _diagnosed(
        self, case: Case, known: Trace | None, thresholds: Thresholds
    ) -> tuple[Trace, Diagnosis]:
        stage = self._stage(case)
        try:
            told = attribute(stage, thresholds, expected=known, settings=self._settings)
        except UnusableAnswerError as error:
            trace = known or self._plainly(case)
            said = f"It could not be judged: {error}"
            return trace, Diagnosis(trace.key, "not_run", said=said)
        reason = told.said if told.verdict == "not_run" else ""
        return known or _so_far(stage, reason), told  # ``attribute`` has left the run on the stage

    def _known(self, case: Case) -> Trace | None:
        """How the case went, where it has been played."""
        if self._store is None:
            return self._watched.get(case.case_id)
        return self._store.trace(case)

    def _stage(self, case: Case) -> Stage:
        return self._bench.stage(case.episode, case.condition, case.seed)

    def _plainly(self, case: Case) -> Trace:
        stage = self._stage(case)
        stage.oracle = Nobody(stage.env, stage.brief)  # nothing is asked, nobody has to watch
        try:
            while not stage.done:
                stage.step()
        except NavproofError as error:
            return _so_far(stage, str(error))
        return _so_far(stage)


def _so_far(stage: Stage, reason: str = "") -> Trace:
    """The run on a stage without beliefs, which take most of the room. An agent that raised
    (``reason``) has failed."""
    trace = replace(stage.trace(), beliefs=())
    return replace(trace, status="agent_error", reason=reason) if reason else trace
