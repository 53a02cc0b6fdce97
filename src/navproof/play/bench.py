"""What a worker keeps between jobs: the simulator with its scene, environments, agents."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from navproof.agents.load import AGENTS, AgentFactory, load_agent
from navproof.agents.options import split_name
from navproof.agents.protocol import Agent
from navproof.core.errors import AgentError, NavproofError
from navproof.core.types import TaskSpec
from navproof.corruptions.conditions import parse_condition
from navproof.log.trace import Trace
from navproof.play.abilities import Abilities
from navproof.play.blame import blame
from navproof.play.env import Env
from navproof.play.jobs import Job
from navproof.play.limits import Limits
from navproof.play.record import Recorder
from navproof.play.rollout import Watcher, rollout
from navproof.sim.protocol import Simulator
from navproof.tasks import make_task
from navproof.wordings import split_style

if TYPE_CHECKING:
    from navproof.corruptions.rewriter import Rewriter

__all__ = ["Bench"]


class _ConstructorError(Exception):
    def __init__(self, cause: BaseException) -> None:
        super().__init__(str(cause))
        self.cause = cause


class Bench:
    """Runs jobs one after another. An agent is made once and ``reset`` for each episode; one that
    failed is made anew."""

    def __init__(
        self,
        simulator: Callable[[], Simulator],
        limits: Limits,
        beliefs: bool = False,
        rewriter: Rewriter | None = None,
    ) -> None:
        self._simulator = simulator
        self._sim: Simulator | None = None
        self._limits, self._beliefs, self._rewriter = limits, beliefs, rewriter
        self._factories: dict[str, AgentFactory] = {}
        self._agents: dict[str, Agent] = {}
        self._envs: dict[tuple[str, TaskSpec, str, int], Env] = {}
        self._folder = Path.cwd()

    def refusal(self, names: Sequence[str]) -> str:
        """Why the simulator or one of the agents cannot be had, in one line, or "" when all can.
        Agents that come with navproof are made as well: eyes that are not there would cost every
        episode."""
        try:
            self._sim = self._sim or self._simulator()
        except NavproofError as error:
            return str(error)
        for name in names:
            try:
                factory = self._factory(name)
                if split_name(name)[0] in AGENTS:
                    self._agents[name] = factory()
            except NavproofError as error:
                return str(error)
        return ""

    def abilities(self, names: Sequence[str]) -> dict[str, Abilities]:
        """What each agent can do and feel."""
        return {name: Abilities.of(self._factory(name)) for name in names}

    def run(self, job: Job, watcher: Watcher | None = None) -> Trace:
        """The trace of a job, whatever happens short of the end of this process."""
        os.chdir(self._folder)  # an agent before this one may have gone elsewhere
        name = job.key.agent
        recorder = Recorder(job.key, job.episode, job.spec, beliefs=self._beliefs)
        if watcher:
            watcher.phase("setup")
        began = time.perf_counter()
        try:
            agent = self._agent(name)
        except _ConstructorError as error:
            memory = isinstance(error.cause, MemoryError)
            return recorder.finish(
                "memory_limit" if memory else "agent_error", f"constructor: {blame(error.cause)}"
            )
        except AgentError as error:
            return recorder.finish("agent_error", str(error))
        if time.perf_counter() - began > self._limits.setup_s:
            limit = self._limits.setup_s
            return recorder.finish("agent_timeout", f"constructor took longer than {limit:g} s")
        try:
            env = self._env(job)
        except NavproofError as error:  # sensors that the task does not have
            return recorder.finish("agent_error", f"agent '{name}': {error}")
        trace = rollout(
            env,
            agent,
            job.episode,
            job.key,
            limits=self._limits,
            beliefs=self._beliefs,
            watcher=watcher,
        )
        if trace.status != "ok":
            self._agents.pop(name, None)
        return trace

    def _factory(self, name: str) -> AgentFactory:
        if name not in self._factories:
            self._factories[name] = load_agent(name)
        return self._factories[name]

    def _agent(self, name: str) -> Agent:
        if name not in self._agents:
            try:
                self._agents[name] = self._factory(name)()
            except AgentError as error:
                if error.__cause__ is None:
                    raise
                raise _ConstructorError(error.__cause__) from None
            except BaseException as error:  # SystemExit, say
                raise _ConstructorError(error) from None
        return self._agents[name]

    def _env(self, job: Job) -> Env:
        """One environment per agent, task, condition and seed, all on one simulator, so that a
        scene that is loaded stays."""
        if self._sim is None:
            self._sim = self._simulator()
        key = (job.key.agent, job.spec, job.key.condition, job.key.seed)
        if key not in self._envs:
            task = make_task(job.episode.task, job.spec)
            sensors = self._factory(job.key.agent).sensors
            condition = parse_condition(split_style(job.key.condition)[1])
            self._envs[key] = Env(
                self._sim,
                task,
                sensors,
                condition=condition,
                rewriter=self._rewriter,
                seed=job.key.seed,
            )
        return self._envs[key]
