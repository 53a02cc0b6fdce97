"""One trace to be verified, as a worker does it."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from navproof.agents.calls import Fault
from navproof.core.errors import NavproofError, RunError, one_line
from navproof.core.types import Episode
from navproof.log.storage import decode_trace, encode_trace, read_bytes
from navproof.log.trace import Status, Trace, TraceKey
from navproof.metrics.catalogue import result_row
from navproof.play.session import Watcher
from navproof.play.worker import Worker
from navproof.verification.again import session_of, simulated_again
from navproof.verification.compare import Difference, difference

__all__ = ["Simulated", "VerificationJob"]


@dataclass(frozen=True, slots=True)
class Simulated:
    """What came of a trace: the digest of its file, its version and whether its actions are exact,
    how it differs from its simulation, its row of results, its episode. ``damage`` says why it is
    no trace of the run, ``failure`` why it could not be simulated; ``was_simulated`` to its end."""

    key: TraceKey
    sha256: str = ""
    status: Status = "ok"
    trace_version: int = 0
    navproof: str = ""
    difference: Difference | None = None
    row: dict[str, Any] | None = None
    episode: Episode | None = None
    spec_hash: str = ""
    damage: str = ""
    failure: str = ""
    was_simulated: bool = False


@dataclass(frozen=True, slots=True)
class VerificationJob:
    """A trace by its key and file. There is no use in simulating it where its scene is among the
    ``other_scenes``, which are not as they were."""

    key: TraceKey
    scene: str
    path: Path
    words_as_heard: bool = False
    other_scenes: frozenset[str] = frozenset()

    def run(self, worker: Worker, watcher: Watcher | None = None) -> Simulated:
        """Simulate the trace; whatever goes wrong costs this one alone."""
        if watcher:
            watcher.phase("judging")
        data = b""
        try:
            data = read_bytes(self.path)
            trace = decode_trace(data, str(self.path))
        except RunError as error:
            digest = hashlib.sha256(data).hexdigest()
            return Simulated(self.key, digest, damage=str(error))
        found = Simulated(
            self.key,
            hashlib.sha256(data).hexdigest(),
            trace.status,
            trace.trace_version,
            str(trace.facts.get("navproof", "")),
            row=_row(trace),
            episode=trace.episode,
            spec_hash=str(trace.facts.get("spec_hash", "")),
        )
        if trace.key != self.key or trace.episode.episode_id != self.key.episode_id:
            other = trace.key.episode_id
            return replace(found, damage=f"it holds the trace of another episode: {other}")
        if trace.episode.scene in self.other_scenes or trace.status == "infrastructure":
            return found
        return self._simulated(worker, trace, found)

    def _simulated(self, worker: Worker, trace: Trace, found: Simulated) -> Simulated:
        session = None
        try:
            session = session_of(trace, worker.sim, words_as_heard=self.words_as_heard)
            again = simulated_again(session, trace)
        except Fault as fault:
            if session is None or trace.status != "env_error":
                return replace(found, failure=fault.reason)
            again = session.trace(trace.status, trace.reason)
        except (NavproofError, ValueError) as error:
            return replace(found, difference=Difference(str(error)))
        except (Exception, SystemExit) as error:  # a task or simulator of the user's
            return replace(found, failure=one_line(error))
        again = decode_trace(encode_trace(again), "the simulation")
        differs = difference(trace, again, over=session.done)
        return replace(found, difference=differs, was_simulated=True)

    def lost(self, status: Status, reason: str) -> Simulated:
        return Simulated(self.key, failure=reason)


def _row(trace: Trace) -> dict[str, Any] | None:
    try:
        return result_row(trace)
    except Exception:  # of a trace that is none, whatever its form
        return None
