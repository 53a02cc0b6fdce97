"""Diagnosing one episode of a run, as a job for the pool.

What is said of an episode depends on the run alone: not on what a worker did before, nor on which
worker it is. The instructions are those that were heard then, out of the trace, so that a language
model that rewrote them is not asked again.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from navproof.core.errors import NavproofError, one_line
from navproof.diagnosis.attribution.attribute import Settings, attribute
from navproof.diagnosis.attribution.corrected import CorrectedRun
from navproof.diagnosis.oracles.oracles import make_oracles
from navproof.diagnosis.oracles.protocol import JudgeError, MemoryLikeness, SemanticDistance
from navproof.diagnosis.types import Diagnosis, Thresholds
from navproof.log.folder import RunFolder
from navproof.log.trace import Status, TraceKey
from navproof.play.seen import heard_words
from navproof.play.session import Watcher
from navproof.play.worker import Worker

__all__ = ["DiagnosisJob"]


@dataclass(frozen=True)
class DiagnosisJob:
    """One episode of the run in ``folder``, and the thresholds to judge it by."""

    key: TraceKey
    scene: str
    folder: Path
    thresholds: Thresholds
    settings: Settings
    distance: SemanticDistance | None = None
    likeness: MemoryLikeness | None = None

    def run(self, worker: Worker, watcher: Watcher | None = None) -> Diagnosis:
        """What is said of the episode; whatever goes wrong costs this episode alone."""
        try:
            trace = RunFolder(self.folder).trace(self.key)
            if trace.status != "ok":
                return Diagnosis(self.key, "not_run", said=f"It ended early: {trace.reason}")
            # What an agent took is what it took then, and not what it takes to be asked again.
            delays = trace.delays.took_s if trace.spec.clock == "measured" else None
            session = worker.session(
                self.key,
                trace.spec,
                trace.episode.task,
                beliefs=True,
                timed=False,
                words=heard_words(trace),
                delays=delays,
            )
            oracles = make_oracles(self.distance, self.likeness)
            run = CorrectedRun(
                session, worker.agent(self.key.agent), oracles, worker.limits, watcher
            )
            run.begin(trace.episode)
            return attribute(run, self.thresholds, expected=trace, settings=self.settings)
        except JudgeError as error:
            return Diagnosis(self.key, "not_run", said=f"It could not be judged: {error}")
        except (Exception, SystemExit) as error:
            worker.forget_agent(self.key.agent)
            why = str(error) if isinstance(error, NavproofError) else one_line(error)
            return Diagnosis(self.key, "not_run", said=f"It could not be played again: {why}")

    def lost(self, status: Status, reason: str) -> Diagnosis:
        return Diagnosis(self.key, "not_run", said=f"It could not be played again: {reason}")
