"""A pool of worker processes that survives its agents.

Every worker reports each step. The pool ends and replaces a worker whose agent takes too long
(``agent_timeout``), grows too large (``memory_limit``) or brings the process down
(``worker_died``); the episode is recorded as far as it came, with the reason, and the run goes on.
Because the watching is done from outside, an agent that hangs inside C code is no exception.
"""

from __future__ import annotations

import queue
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import TYPE_CHECKING, Any, TypeVar

from navproof.agents.limits import Limits
from navproof.core.errors import AgentError, RunError, SpecError
from navproof.core.registry import Origin, registered_here
from navproof.log.trace import Status, Trace
from navproof.play.abilities import Abilities
from navproof.play.jobs import Dispatcher, PoolJob
from navproof.play.messages import (
    Began,
    Done,
    Entered,
    LoadAgents,
    Loaded,
    Ready,
    Setup,
    Stepped,
    Warmed,
    WarmUp,
    Work,
)
from navproof.play.process import (
    Inbox,
    ReceivedMessage,
    WorkerExit,
    WorkerProcess,
    refuse_in_worker,
)

if TYPE_CHECKING:
    from navproof.corruptions.rewriter import Rewriter

__all__ = ["COMPILING", "Outcome", "Pool"]

COMPILING = "compiling kernels (once; about a minute, cached afterwards)"

M = TypeVar("M")
_TICK_S = 0.1
_GRACE_S = 0.25  # a call that returns just after its limit is caught by the worker itself
_START_S = 300.0
_SCENE_S = 900.0
_MAX_FAILED_STARTS = 3


@dataclass(frozen=True, slots=True)
class Outcome:
    """A finished job and what it led to. ``printed`` is what the agent printed, where its worker
    had to be ended or its trace is not ``ok``."""

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
        plugins: Sequence[Origin] = (),
    ) -> None:
        refuse_in_worker()
        if workers < 1:
            raise SpecError(f"a run needs at least one worker, got {workers}")
        self._size = workers
        self._limits = limits
        self._setup = Setup(simulator, limits, beliefs, rewriter, registered_here(), tuple(plugins))
        self._inbox: Inbox = queue.SimpleQueue()
        self._workers: dict[int, WorkerProcess] = {}
        self._failed_starts = 0
        self._warm = True

    def __enter__(self) -> Pool:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for worker in self._workers.values():
            if kind is None and worker.job is None:
                worker.stop()
            else:
                worker.kill()
        self._workers.clear()

    # ---------------------------------------------------------------------------- preparation
    def load_agents(self, names: Sequence[str]) -> Mapping[str, Abilities]:
        """Start the first worker and have it import every agent: what each can do. An
        ``AgentError`` in one line where it cannot."""
        worker = self._start(0)
        ready = self._wait_for(worker, Ready, "start")
        self._warm = ready.warm
        worker.ready = True
        size = worker.resident_mb()
        if size > self._limits.memory_mb:
            raise SpecError(
                f"a memory limit of {self._limits.memory_mb:g} MB is less than the {size:.0f} MB "
                "that a worker needs before any agent is loaded"
            )
        worker.send(LoadAgents(tuple(names)))
        loaded = self._wait_for(worker, Loaded, "import the agent")
        if loaded.refusal:
            raise AgentError(loaded.refusal)
        return loaded.abilities

    @property
    def warm(self) -> bool:
        """Whether the kernels are compiled already. Known after ``load_agents``."""
        return self._warm

    def warm_up(self) -> float:
        """Compile them, in one worker so that the others find them done; seconds it took."""
        worker = self._workers[0]
        worker.send(WarmUp())
        warmed = self._wait_for(worker, Warmed, "compile its kernels")
        self._warm = True
        return warmed.seconds

    # -------------------------------------------------------------------------------- the run
    def run(self, jobs: Sequence[PoolJob]) -> Iterator[Outcome]:
        """Outcomes as they come, one per job, in no particular order."""
        dispatcher: Dispatcher[PoolJob] = Dispatcher(jobs)
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
            case Began(pose, distance_m, facts, events, measured):
                if worker.recorder:
                    worker.recorder.begin(pose, distance_m, facts, events, measured)
            case Stepped(record):
                worker.phase_began = letter.at
                if worker.recorder:
                    worker.recorder.add(record)
            case Done(result) if worker.job is not None:
                job = worker.job
                failed = isinstance(result, Trace) and result.status != "ok"
                printed = worker.last_words() if failed else ""
                worker.job = worker.recorder = None
                self._give(worker, dispatcher)
                return Outcome(job, result, printed)
            case WorkerExit():
                return self._bury(worker, dispatcher)
        return None

    def _give(self, worker: WorkerProcess, dispatcher: Dispatcher[PoolJob]) -> None:
        job = dispatcher.next(worker.slot)
        if job is None:
            return
        worker.forget_words()
        worker.job = job
        worker.recorder = job.recorder(self._setup.beliefs)
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
        return self._replace(worker, *verdict, dispatcher)

    def _verdict(self, worker: WorkerProcess, now: float) -> tuple[Status, str] | None:
        limits = self._limits
        overtime_s = now - worker.phase_began - _GRACE_S
        if not worker.ready:
            return ("worker_died", "") if overtime_s > _START_S else None
        if worker.job is None:
            return None
        if worker.resident_mb() > limits.memory_mb:
            return "memory_limit", f"used more than {limits.memory_mb:g} MB of memory"
        match worker.phase:
            case "setup" | "reset" if overtime_s > limits.setup_s:
                what = "constructor" if worker.phase == "setup" else "reset"
                return "agent_timeout", f"{what} took longer than {limits.setup_s:g} s"
            case "scene" if overtime_s > _SCENE_S:
                return "env_error", f"loading the scene took longer than {_SCENE_S:g} s"
            case "acting" if overtime_s > limits.step_s:
                what = f"step {worker.recorder.steps}" if worker.recorder else "a step"
                return "agent_timeout", f"{what} took longer than {limits.step_s:g} s"
        running = worker.phase in ("reset", "acting")
        if running and now - worker.job_began - _GRACE_S > limits.episode_s:
            return "agent_timeout", f"the episode took longer than {limits.episode_s:g} s"
        return None

    def _bury(self, worker: WorkerProcess, dispatcher: Dispatcher[PoolJob]) -> Outcome | None:
        """A process ended by itself."""
        obituary = worker.obituary()
        worker.kill()  # whatever it started
        if worker.job is None:
            self._failed_starts += 1
            if self._failed_starts >= _MAX_FAILED_STARTS:
                raise RunError(f"workers cannot start: {_last_line(worker) or obituary}")
            self._start(worker.slot)
            return None
        when: str = worker.phase
        if worker.phase == "acting" and worker.recorder:
            when = f"step {worker.recorder.steps}"
        return self._replace(worker, "worker_died", f"{when}: the process {obituary}", dispatcher)

    def _replace(
        self, worker: WorkerProcess, status: Status, reason: str, dispatcher: Dispatcher[PoolJob]
    ) -> Outcome:
        assert worker.job is not None
        result = worker.job.lost(worker.recorder, status, reason)
        del self._workers[worker.slot]
        if dispatcher.left:
            self._start(worker.slot)
        return Outcome(worker.job, result, worker.last_words())

    # --------------------------------------------------------------------------------- inside
    def _start(self, slot: int) -> WorkerProcess:
        self._workers[slot] = WorkerProcess(slot, self._inbox, self._setup)
        return self._workers[slot]

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
                continue
            if isinstance(letter.message, kind):
                return letter.message
            if isinstance(letter.message, WorkerExit):
                obituary = worker.obituary()
                raise RunError(f"a worker could not {what}: {_last_line(worker) or obituary}")
        raise RunError(f"a worker did not {what} within {_START_S:g} s")


def _last_line(worker: WorkerProcess) -> str:
    lines = [line.strip() for line in worker.last_words().splitlines() if line.strip()]
    return lines[-1] if lines else ""
