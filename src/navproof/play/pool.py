"""A pool of worker processes, each of which judges agents that have processes of their own.

A worker bounds what its agents do. The pool bounds the workers: one that is stuck in a simulator is
ended (``env_error``); the job of one that died is done again, and given up after three times
(``infrastructure``), since nothing that an agent may do brings its worker down. Where the system
has no way to keep agents from signalling others, that is the agent's (``agent_died``): it could
drop its losses otherwise. Whatever ends the pool, and however, all that it started ends with it.
"""

from __future__ import annotations

import contextlib
import os
import queue
import secrets
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, TypeVar

from navproof.agents.address import is_address
from navproof.agents.declaration import Declaration
from navproof.agents.limits import Limits
from navproof.core.blame import blame_dump
from navproof.core.confine import adopt_orphans, hide, is_hidden
from navproof.core.errors import AgentError, RunError, SpecError
from navproof.core.launch import RUN_MARK
from navproof.core.registry import Origin, registered_here
from navproof.core.role import refuse_in_worker
from navproof.core.salt import known_salts
from navproof.core.search_path import read_sources_only
from navproof.core.tree import children_of, end_marked, end_shut_in
from navproof.log.trace import Status, TraceKey
from navproof.play.jobs import MOST_ATTEMPTS, Dispatcher, PoolJob
from navproof.play.messages import (
    Beat,
    Done,
    Entered,
    LoadAgents,
    Loaded,
    Loading,
    Ready,
    Require,
    Setup,
    Warmed,
    WarmUp,
    Work,
)
from navproof.play.process import Inbox, ReceivedMessage, WorkerExit, WorkerProcess

if TYPE_CHECKING:
    from navproof.corruptions.rewriter import Rewriter

__all__ = ["COMPILING", "Outcome", "Pool"]

COMPILING = "compiling kernels (once; about a minute, cached afterwards)"

M = TypeVar("M")
_TICK_S = 0.1
_GRACE_S = 0.25  # a call that returns just after its limit is caught by the worker itself
_START_S = 300.0
_SILENCE_S = 900.0
_MAX_FAILED_STARTS = 3
_MOST_KILLED = 10  # starts in a row that somebody else ended


@dataclass(frozen=True, slots=True)
class Outcome:
    """A finished job and what it led to. ``printed`` is what the agent printed, where its trace is
    not ``ok``."""

    job: PoolJob
    result: Any
    printed: str = ""


class Pool:
    """Use as a context manager: leaving it ends every worker."""

    def __init__(
        self,
        workers: int,
        limits: Limits,
        *,
        simulator: str = "embedded",
        beliefs: bool = False,
        rewriter: Rewriter | None = None,
        in_process: bool = False,
        withheld: Sequence[Path] = (),
    ) -> None:
        refuse_in_worker()
        if workers < 1:
            raise SpecError(f"a run needs at least one worker, got {workers}")
        self._size = workers
        self._limits = limits
        self._setup = Setup(
            simulator,
            limits,
            beliefs,
            in_process,
            rewriter,
            registered_here(),
            salts=known_salts(),
            withheld=tuple(withheld),
        )
        self._before: set[int] = set()
        self._mark = secrets.token_hex(8)
        self._attempts: Counter[TraceKey] = Counter()
        self._inbox: Inbox = queue.SimpleQueue()
        self._workers: dict[int, WorkerProcess] = {}
        self._failed_starts = 0
        self._warm = True
        self._holds: tuple[str, ...] | None = None  # until agents were loaded

    def __enter__(self) -> Pool:
        self._was_hidden = is_hidden()
        hide()
        self._before = children_of(os.getpid())
        adopt_orphans()
        read_sources_only()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._end_workers(gently=kind is None)
        adopt_orphans(False)
        if not self._was_hidden:
            hide(False)

    def rest(self) -> None:
        """End every worker with its agents' processes and all that these started, whatever they are
        at. Who needs them again (``load_agents``, ``run``) has them started anew."""
        self._end_workers(gently=True)
        self._inbox = queue.SimpleQueue()  # what those that are gone said last is nobody's matter

    def _end_workers(self, *, gently: bool) -> None:
        for worker in self._workers.values():
            if gently and worker.job is None:
                worker.stop()
            else:
                worker.kill()
        self._workers.clear()
        self._end_leftovers()

    def _end_leftovers(self) -> None:
        """What workers left behind that were ended by others."""
        keep = {worker.pid for worker in self._workers.values()}
        end_marked(f"{RUN_MARK}={self._mark}", keep)
        end_shut_in(keep | self._before)

    # ---------------------------------------------------------------------------- preparation
    def load_agents(self, names: Sequence[str]) -> Mapping[str, Declaration]:
        """Start the first worker and have every agent imported: what each says of itself. An
        ``AgentError`` in one line where that cannot be had."""
        return self._in_attempts(lambda: self._loaded(names))

    def _loaded(self, names: Sequence[str]) -> Mapping[str, Declaration]:
        worker = self._first()
        worker.send(LoadAgents(tuple(names)))
        loaded = self._wait_for(worker, Loaded, "import the agents")
        if loaded.refusal:
            raise AgentError(loaded.refusal)
        self._holds = loaded.holds
        return loaded.declarations

    @property
    def holds(self) -> tuple[str, ...]:
        """What keeps agents' processes away from others (``core.confine``). Known after
        ``load_agents``."""
        return self._holds or ()

    @property
    def withheld(self) -> tuple[Path, ...]:
        """What agents' processes may not read."""
        return self._setup.withheld

    def require(
        self, plugins: Sequence[Origin], declared: Mapping[str, Declaration] | None = None
    ) -> None:
        """From now on these files must be as they are now: workers that find them otherwise
        end. Servers must say of themselves what they ``declared``."""
        told = Require(tuple(plugins), dict(declared or {}))
        self._setup = replace(self._setup, plugins=told.plugins, declared=told.declared)
        for worker in self._workers.values():
            worker.send(told)

    @property
    def warm(self) -> bool:
        """Whether the kernels are compiled already. Known after ``load_agents``."""
        return self._warm

    def warm_up(self) -> float:
        """Compile them, in one worker so that the others find them done; seconds it took."""
        return self._in_attempts(self._warmed)

    def _warmed(self) -> float:
        worker = self._first()
        worker.send(WarmUp())
        warmed = self._wait_for(worker, Warmed, "compile its kernels")
        self._warm = True
        return warmed.seconds

    # -------------------------------------------------------------------------------- the run
    def run(self, jobs: Sequence[PoolJob]) -> Iterator[Outcome]:
        """Outcomes as they come, one per job, in no particular order."""
        dispatcher: Dispatcher[PoolJob] = Dispatcher(jobs)
        self._attempts.clear()
        for slot in range(min(self._size, len(jobs))):
            if slot not in self._workers:
                self._start(slot)
        for worker in list(self._workers.values()):
            if worker.ready:
                self._give(worker, dispatcher)
        last_look = 0.0
        while dispatcher.left or any(w.job for w in self._workers.values()):
            try:
                letter: ReceivedMessage | None = self._inbox.get(timeout=_TICK_S)
            except queue.Empty:
                letter = None
            if letter is not None and letter.sender is self._workers.get(letter.sender.slot):
                letter.sender.handled += 1
                outcome = self._handle(letter, dispatcher)
                if outcome is not None:
                    yield outcome
            now = time.monotonic()
            if now - last_look > _TICK_S:
                last_look = now
                for worker in list(self._workers.values()):
                    if worker.handled == worker.heard:  # nothing of it waits in the inbox
                        outcome = self._judge(worker, now, dispatcher)
                        if outcome is not None:
                            yield outcome

    def _handle(self, letter: ReceivedMessage, dispatcher: Dispatcher[PoolJob]) -> Outcome | None:
        worker = letter.sender
        match letter.message:
            case Ready():
                worker.ready = True
                self._failed_starts = 0
                self._give(worker, dispatcher)
            case Entered(phase):
                worker.enter(phase, letter.at)
                if phase == "reset":
                    worker.job_began = letter.at
            case Beat():
                worker.phase_began = letter.at
            case Done(result, printed) if worker.job is not None:
                job, worker.job = worker.job, None
                self._give(worker, dispatcher)
                return Outcome(job, result, printed)
            case WorkerExit():
                return self._bury(worker, dispatcher)
        return None

    def _give(self, worker: WorkerProcess, dispatcher: Dispatcher[PoolJob]) -> None:
        job = dispatcher.next(worker.slot)
        if job is None:
            return
        worker.job = job
        worker.enter("setup", time.monotonic())
        worker.send(Work(job))

    # ------------------------------------------------------------------------------- judgement
    def _judge(
        self, worker: WorkerProcess, now: float, dispatcher: Dispatcher[PoolJob]
    ) -> Outcome | None:
        """End a worker that is over a limit."""
        verdict = self._verdict(worker, now)
        if verdict is None:
            return None
        if worker.job is None:
            raise RunError(f"a worker did not start within {_START_S:g} s")
        worker.dump_stacks()
        worker.kill()
        status, reason = verdict
        if status == "env_error":
            reason += blame_dump(worker.last_words().encode())
        return self._replace(worker, status, reason, dispatcher)

    def _verdict(self, worker: WorkerProcess, now: float) -> tuple[Status, str] | None:
        silent_s = now - worker.phase_began - _GRACE_S
        if not worker.ready:
            return ("worker_died", "") if silent_s > _START_S else None
        if worker.job is None or worker.phase == "judging":
            return None
        if self._setup.in_process and (found := self._of_agent_inside(worker, now, silent_s)):
            return found
        if silent_s > self._patience_s:
            what = "loading the scene" if worker.phase == "scene" else "a step outside the agent"
            return "env_error", f"{what} took longer than {self._patience_s:g} s"
        return None

    @property
    def _patience_s(self) -> float:
        """For how long a worker may say nothing. It speaks while it waits for agents; but not where
        they are in its own process."""
        return _SILENCE_S + (self._limits.setup_s if self._setup.in_process else 0.0)

    def _of_agent_inside(
        self, worker: WorkerProcess, now: float, silent_s: float
    ) -> tuple[Status, str] | None:
        """What an agent did that shares the worker's process. (The steps before are lost.)"""
        limits = self._limits
        if worker.resident_mb() > limits.memory_mb:
            return "memory_limit", f"used more than {limits.memory_mb:g} MB of memory"
        if worker.phase in ("setup", "reset") and silent_s > limits.setup_s:
            what = "constructor" if worker.phase == "setup" else "reset"
            return "agent_timeout", f"{what} took longer than {limits.setup_s:g} s"
        if worker.phase == "acting" and silent_s > limits.step_s:
            return "agent_timeout", f"a step took longer than {limits.step_s:g} s"
        running = worker.phase in ("reset", "acting")
        if running and now - worker.job_began - _GRACE_S > limits.episode_s:
            return "agent_timeout", f"the episode took longer than {limits.episode_s:g} s"
        return None

    def _bury(self, worker: WorkerProcess, dispatcher: Dispatcher[PoolJob]) -> Outcome | None:
        """A process ended by itself, or was ended: its job is done again."""
        obituary = worker.obituary()
        worker.kill()  # whatever it started
        self._end_leftovers()
        job = worker.job
        if job is None:
            if worker.ready:  # it was idle
                del self._workers[worker.slot]
                return None
            self._failed_starts += 1
            if self._failed_starts >= (_MOST_KILLED if worker.was_killed else _MAX_FAILED_STARTS):
                raise RunError(f"workers cannot start: {_last_line(worker) or obituary}")
            self._start(worker.slot)
            return None
        self._attempts[job.key] += 1
        if self._attempts[job.key] < MOST_ATTEMPTS:
            dispatcher.again(worker.slot, job)
            self._start(worker.slot)
            return None
        if self._setup.in_process:
            return self._replace(worker, "agent_died", f"the process {obituary}", dispatcher)
        if self._may_be_of(job.key.agent):
            reason = f"its worker {obituary}, in each of {MOST_ATTEMPTS} attempts"
            reason += " (this system cannot keep agents from doing that)"
            return self._replace(worker, "agent_died", reason, dispatcher)
        reason = f"not played in {MOST_ATTEMPTS} attempts; its worker {obituary}"
        return self._replace(worker, "infrastructure", reason, dispatcher)

    def _may_be_of(self, agent: str) -> bool:
        """Whether the end of a worker may be an agent's doing: it is on this machine, and could
        send signals."""
        has_agents = self._holds is not None
        return has_agents and "signals" not in self.holds and not is_address(agent)

    def _replace(
        self, worker: WorkerProcess, status: Status, reason: str, dispatcher: Dispatcher[PoolJob]
    ) -> Outcome:
        assert worker.job is not None
        result = worker.job.lost(status, reason)
        del self._workers[worker.slot]
        if dispatcher.left:
            self._start(worker.slot)
        return Outcome(worker.job, result, worker.last_words())

    # --------------------------------------------------------------------------------- inside
    def _start(self, slot: int) -> WorkerProcess:
        self._workers[slot] = WorkerProcess(slot, self._inbox, self._setup, self._mark)
        return self._workers[slot]

    def _first(self) -> WorkerProcess:
        """The first worker, started unless it is there."""
        worker = self._workers.get(0)
        if worker is None:
            worker = self._start(0)
            self._warm = self._wait_for(worker, Ready, "start").warm
            worker.ready = True
        return worker

    def _in_attempts(self, call: Callable[[], M]) -> M:
        """What ``call`` gives. It is called again where its worker was ended by somebody else."""
        for _ in range(MOST_ATTEMPTS - 1):
            with contextlib.suppress(_KilledError):
                return call()
        return call()

    def _forget(self, worker: WorkerProcess) -> None:
        """What is left of a worker that has ended."""
        worker.kill()  # whatever it started
        if self._workers.get(worker.slot) is worker:
            del self._workers[worker.slot]

    def _wait_for(self, worker: WorkerProcess, kind: type[M], what: str) -> M:
        """The next message of a worker, which must be of this kind."""
        deadline = time.monotonic() + _START_S
        while time.monotonic() < deadline:
            try:
                letter = self._inbox.get(timeout=_TICK_S)
            except queue.Empty:
                continue
            letter.sender.handled += 1
            if letter.sender is not worker:
                if isinstance(letter.message, WorkerExit):  # an idle one ended
                    self._forget(letter.sender)
                continue
            if isinstance(letter.message, kind):
                return letter.message
            if isinstance(letter.message, Loading):
                what = letter.message.what
            if isinstance(letter.message, WorkerExit):
                obituary = worker.obituary()
                killed = worker.was_killed
                self._forget(worker)
                why = obituary if killed else _last_line(worker) or obituary
                raise (_KilledError if killed else RunError)(f"a worker could not {what}: {why}")
        raise RunError(f"a worker did not {what} within {_START_S:g} s")


class _KilledError(RunError):
    """A worker may have been ended by somebody else."""


def _last_line(worker: WorkerProcess) -> str:
    lines = [line.strip() for line in worker.last_words().splitlines() if line.strip()]
    return lines[-1] if lines else ""
