"""What a worker keeps between jobs: the simulator with its scene, environments, agents."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from navproof.agents.limits import Limits
from navproof.agents.load import AGENTS, AgentFactory, load_agent
from navproof.agents.options import parse_agent
from navproof.agents.protocol import Agent
from navproof.core.blame import blame
from navproof.core.errors import AgentError, NavproofError
from navproof.core.types import TaskSpec
from navproof.corruptions.condition import parse_condition
from navproof.corruptions.protocol import Corruptor
from navproof.corruptions.robot import INSTRUCTION
from navproof.log.trace import Trace, TraceKey
from navproof.play.abilities import Abilities
from navproof.play.env import Env
from navproof.play.jobs import Job
from navproof.play.play import play
from navproof.play.record import Recorder
from navproof.play.session import Session, Watcher
from navproof.sim.embedded import EmbeddedSimulator
from navproof.sim.protocol import Simulator
from navproof.tasks import make_task

if TYPE_CHECKING:
    from navproof.corruptions.rewriter import Rewriter

__all__ = ["Worker"]

_MOST_ENVS = 32
"""Environments that are kept: each holds readings, and conditions may be many."""


class _ConstructorError(Exception):
    def __init__(self, cause: BaseException) -> None:
        super().__init__(str(cause))
        self.cause = cause


class Worker:
    """Does jobs one after another, in a process of its own or in this one. An agent is made once
    and ``reset`` for each episode; one that failed is made anew."""

    def __init__(
        self,
        simulator: Callable[[], Simulator] = EmbeddedSimulator,
        limits: Limits | None = None,
        beliefs: bool = False,
        rewriter: Rewriter | None = None,
    ) -> None:
        self._simulator = simulator
        self._sim: Simulator | None = None
        self.limits = limits or Limits()
        self._beliefs, self._rewriter = beliefs, rewriter
        self._factories: dict[str, AgentFactory] = {}
        self._agents: dict[str, Agent] = {}
        self._envs: dict[tuple[str, TaskSpec, str, int], Env] = {}
        self._folder = Path.cwd()

    # ---------------------------------------------------------------------- what it can do
    def refusal(self, names: Sequence[str]) -> str:
        """Why the simulator or one of the agents cannot be had, in one line, or "" when all can.
        Agents that come with navproof are made as well: eyes that are not there would cost every
        episode."""
        try:
            _ = self.sim
        except NavproofError as error:
            return str(error)
        for name in names:
            try:
                factory = self.factory(name)
                if parse_agent(name).ref in AGENTS.built_in():
                    self._agents[name] = factory()
            except NavproofError as error:
                return str(error)
        return ""

    def abilities(self, names: Sequence[str]) -> dict[str, Abilities]:
        """What each agent can do, and which inputs it uses."""
        return {name: Abilities.of(self.factory(name)) for name in names}

    @property
    def sim(self) -> Simulator:
        if self._sim is None:
            self._sim = self._simulator()
        return self._sim

    def factory(self, name: str) -> AgentFactory:
        if name not in self._factories:
            self._factories[name] = load_agent(name)
        return self._factories[name]

    def agent(self, name: str) -> Agent:
        """The agent of that name, made if it is not there; an ``AgentError`` where it cannot be."""
        if name not in self._agents:
            self._agents[name] = self.factory(name)()
        return self._agents[name]

    def forget_agent(self, name: str) -> None:
        """Have it made anew next time."""
        self._agents.pop(name, None)

    # -------------------------------------------------------------------------- playing
    def session(
        self,
        key: TraceKey,
        spec: TaskSpec,
        task: str,
        *,
        beliefs: bool = False,
        timed: bool = True,
        watcher: Watcher | None = None,
        words: Corruptor | None = None,
    ) -> Session:
        """A session under a key: its agent's sensors, its condition, its seed. ``words`` have the
        last say on instructions."""
        env = self._env(key, spec, task, words)
        return Session(env, key, beliefs=beliefs, timed=timed, watcher=watcher)

    def play(self, job: Job, watcher: Watcher | None = None) -> Trace:
        """The trace of a job, whatever happens short of the end of this process."""
        os.chdir(self._folder)  # an agent before this one may have gone elsewhere
        name = job.key.agent
        recorder = Recorder(job.key, job.episode, job.spec, beliefs=self._beliefs)
        if watcher:
            watcher.phase("setup")
        began = time.perf_counter()
        try:
            agent = self._made(name)
        except _ConstructorError as error:
            memory = isinstance(error.cause, MemoryError)
            return recorder.finish(
                "memory_limit" if memory else "agent_error", f"constructor: {blame(error.cause)}"
            )
        except AgentError as error:
            return recorder.finish("agent_error", str(error))
        if time.perf_counter() - began > self.limits.setup_s:
            limit = self.limits.setup_s
            return recorder.finish("agent_timeout", f"constructor took longer than {limit:g} s")
        try:
            session = self.session(
                job.key, job.spec, job.episode.task, beliefs=self._beliefs, watcher=watcher
            )
        except NavproofError as error:  # sensors that the task does not have
            return recorder.finish("agent_error", f"agent '{name}': {error}")
        trace = play(session, agent, job.episode, self.limits)
        if trace.status != "ok":
            self.forget_agent(name)
        return trace

    def _made(self, name: str) -> Agent:
        try:
            return self.agent(name)
        except AgentError as error:
            if error.__cause__ is None:
                raise
            raise _ConstructorError(error.__cause__) from None
        except BaseException as error:  # SystemExit, say
            raise _ConstructorError(error) from None

    def _env(self, key: TraceKey, spec: TaskSpec, task: str, words: Corruptor | None) -> Env:
        """One environment per agent, task, condition and seed, all on one simulator, so that a
        scene that is loaded stays."""
        env_key = (key.agent, spec, key.condition, key.seed)
        if words is None and env_key in self._envs:
            return self._envs[env_key]
        env = Env(
            self.sim,
            make_task(task, spec),
            self.factory(key.agent).sensors,
            condition=parse_condition(key.condition),
            corruptors=None if words is None else {INSTRUCTION: words},
            rewriter=self._rewriter,
            seed=key.seed,
        )
        if words is None:
            if len(self._envs) >= _MOST_ENVS:
                self._envs.clear()
            self._envs[env_key] = env
        return env
