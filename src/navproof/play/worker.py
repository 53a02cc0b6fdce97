"""What a worker keeps between jobs: the simulator with its scene, environments, the agents'
processes."""

from __future__ import annotations

import os
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from navproof.agents.address import is_address
from navproof.agents.calls import Fault, in_agent
from navproof.agents.declaration import Declaration
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
from navproof.play.env import Env
from navproof.play.hosted import HostedAgent, LostError
from navproof.play.jobs import MOST_ATTEMPTS, Job
from navproof.play.play import play
from navproof.play.record import Recorder
from navproof.play.session import Session, Watcher
from navproof.sim.embedded import EmbeddedSimulator
from navproof.sim.protocol import Simulator
from navproof.tasks import make_task

if TYPE_CHECKING:
    from navproof.corruptions.rewriter import Rewriter

__all__ = ["Worker"]

_MOST_AGENTS = 32
_MOST_DOUBTS = 2
"""So often an agent's process may end in an episode without evidence of whose doing it is; the last
time it counts as the agent's. No filter can prove that a process did not end itself."""
_MOST_ENVS = 32
"""Environments that are kept: each holds readings, and conditions may be many."""


class Worker:
    """Does jobs one after another, in a process of its own or in this one.

    An agent has a process of its own (``HostedAgent``), is made once and ``reset`` for each
    episode; one that failed is made anew. ``in_process``: agents are in this process, for
    debugging them. ``withheld`` is what agents' processes may not read.
    """

    def __init__(
        self,
        simulator: Callable[[], Simulator] = EmbeddedSimulator,
        limits: Limits | None = None,
        beliefs: bool = False,
        rewriter: Rewriter | None = None,
        *,
        in_process: bool = False,
        beat: Callable[[], None] | None = None,
        withheld: Sequence[Path] = (),
    ) -> None:
        self._simulator = simulator
        self._sim: Simulator | None = None
        self.limits = limits or Limits()
        self._beliefs, self._rewriter = beliefs, rewriter
        self._in_process, self._beat = in_process, beat
        self._withheld = tuple(withheld)
        self._declared: dict[str, Declaration] = {}
        self._factories: dict[str, AgentFactory] = {}
        self._agents: OrderedDict[str, Agent | HostedAgent] = OrderedDict()
        self._envs: dict[tuple[str, TaskSpec, str, int], Env] = {}
        self._folder = Path.cwd()
        self.printed = ""  # by the agent of the last job, where that did not end "ok"

    # ---------------------------------------------------------------------- what it can do
    def refusal(self, names: Sequence[str], tell: Callable[[str], None] = lambda _: None) -> str:
        """Why the simulator or one of the agents cannot be had, in one line, or "" when all can.
        Agents that come with navproof are made as well: eyes that are not there would cost every
        episode. ``tell`` hears which agent is next, which may end this process."""
        try:
            _ = self.sim
        except NavproofError as error:
            return str(error)
        for name in names:
            try:
                tell(f"import agent {name}")
                if is_address(name):
                    self._hosted(name).greet()
                    continue
                self.declaration(name)
                if parse_agent(name).ref in AGENTS.built_in():
                    self._made(name)
            except (NavproofError, Fault) as error:
                return str(error)
        return ""

    def expect(self, declared: Mapping[str, Declaration]) -> None:
        """What agents said of themselves when the run began: servers must say it again."""
        self._declared |= declared

    def declaration(self, name: str) -> Declaration:
        """What an agent says of itself; an ``AgentError`` where it cannot be loaded."""
        if not self._is_inside(name):
            return self._hosted(name).declaration
        if name not in self._factories:
            self._factories[name] = load_agent(name)
        return self._factories[name].declaration

    def holds(self, names: Sequence[str]) -> tuple[str, ...]:
        """What keeps the processes of all these agents away from others (``core.confine``). It says
        nothing of servers."""
        ours = [name for name in names if not is_address(name)]
        if self._in_process or not ours:
            return ()
        each = [set(self._hosted(name).holds) for name in ours]
        return tuple(sorted(set.intersection(*each)))

    @property
    def sim(self) -> Simulator:
        if self._sim is None:
            self._sim = self._simulator()
        return self._sim

    def agent(self, name: str) -> Agent | HostedAgent:
        """The agent of that name, made if it is not there; a ``NavproofError`` where it cannot
        be."""
        try:
            return self._made(name)
        except Fault as fault:
            raise AgentError(fault.reason) from None

    def forget_agent(self, name: str) -> None:
        """Have it made anew next time."""
        agent = self._agents.get(name)
        if isinstance(agent, HostedAgent):
            agent.forget()
        else:
            self._agents.pop(name, None)

    def close(self) -> None:
        """End the processes of all agents."""
        for agent in self._agents.values():
            if isinstance(agent, HostedAgent):
                agent.close()
        self._agents.clear()

    def processes(self) -> set[int]:
        """The ids of the agents' processes."""
        agents = self._agents.values()
        pids = {agent.pid for agent in agents if isinstance(agent, HostedAgent)}
        return {pid for pid in pids if pid is not None}

    def _hosted(self, name: str) -> HostedAgent:
        agent = self._agents.get(name)
        if isinstance(agent, HostedAgent):
            self._agents.move_to_end(name)
            return agent
        if len(self._agents) >= _MOST_AGENTS:
            _, oldest = self._agents.popitem(last=False)
            if isinstance(oldest, HostedAgent):
                oldest.close()
        declared = self._declared.get(name)
        hosted = HostedAgent(name, self.limits, self._beat, self._withheld, declared)
        self._agents[name] = hosted
        return hosted

    def _is_inside(self, name: str) -> bool:
        """Whether the agent is in this process."""
        return self._in_process and not is_address(name)

    def _made(self, name: str) -> Agent | HostedAgent:
        if not self._is_inside(name):
            hosted = self._hosted(name)
            hosted.make()
            return hosted
        if name not in self._agents:
            self.declaration(name)
            factory = self._factories[name]
            self._agents[name] = in_agent(lambda: _constructed(factory), "constructor")
        return self._agents[name]

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
        delays: Sequence[float] | None = None,
    ) -> Session:
        """A session under a key: its agent's sensors, its condition, its seed. ``words`` have the
        last say on instructions, ``delays`` on how long the world goes on (``play.clock``)."""
        env = self._env(key, spec, task, words)
        return Session(env, key, beliefs=beliefs, timed=timed, watcher=watcher, delays=delays)

    def play(self, job: Job, watcher: Watcher | None = None) -> Trace:
        """The trace of a job, whatever happens short of the end of this process.

        Where the agent's process may have been ended by somebody else, the episode is played again,
        and the trace says in how many ``attempts``. Its death is its own doing unless something
        outside tells of another cause: once it has the benefit of the doubt (three times before it
        was told of an episode, if nothing of it was ever told). What others evidently
        keep from being played three times has the status "infrastructure".
        """
        endings: list[LostError] = []
        self.printed = ""
        while True:
            try:
                trace = self._played(job, watcher)
            except LostError as lost:
                endings.append(lost)
                self._note_print(job.key.agent)
                doubtful = sum(not one.evident for one in endings)
                if doubtful >= (_MOST_DOUBTS if self._steps >= 0 else MOST_ATTEMPTS):
                    assert self._lost is not None
                    return _counted(self._lost, len(endings))
                if len(endings) < MOST_ATTEMPTS:
                    continue
                recorder = Recorder(job.key, job.episode, job.spec, beliefs=self._beliefs)
                reason = f"not played in {MOST_ATTEMPTS} attempts; {lost.reason}"
                return _counted(recorder.finish("infrastructure", reason), len(endings))
            if trace.status != "ok":
                self._note_print(job.key.agent)
                self.forget_agent(job.key.agent)
            return _counted(trace, len(endings) + 1)

    _steps = 0  # of the episode that was lost; -1 where the agent had not been told of it
    _lost: Trace | None = None

    def _played(self, job: Job, watcher: Watcher | None) -> Trace:
        os.chdir(self._folder)  # an agent in this process may have gone elsewhere
        name = job.key.agent
        recorder = Recorder(job.key, job.episode, job.spec, beliefs=self._beliefs)
        self._steps, self._lost = -1, None
        if watcher:
            watcher.phase("setup")
        try:
            agent = self._made(name)
        except LostError as lost:
            self._lost = recorder.finish(lost.status, lost.reason)
            if lost.outside:
                raise
            return self._lost
        except Fault as fault:
            return recorder.finish(fault.status, fault.reason)
        except NavproofError as error:
            return recorder.finish("agent_error", str(error))
        try:
            session = self.session(
                job.key, job.spec, job.episode.task, beliefs=self._beliefs, watcher=watcher
            )
        except NavproofError as error:  # sensors that the task does not have
            return recorder.finish("agent_error", f"agent '{name}': {error}")
        except (Exception, SystemExit) as error:  # the rules or a sensor of the user's
            return recorder.finish("env_error", f"setup: {blame(error)}")
        try:
            return play(session, agent, job.episode, self.limits)
        except LostError as lost:
            self._steps = session.steps
            self._lost = session.trace(lost.status, lost.reason)
            raise

    def _note_print(self, name: str) -> None:
        agent = self._agents.get(name)
        if isinstance(agent, HostedAgent):
            self.printed = agent.printed()

    def _env(self, key: TraceKey, spec: TaskSpec, task: str, words: Corruptor | None) -> Env:
        """One environment per agent, task, condition and seed, all on one simulator, so that a
        scene that is loaded stays."""
        env_key = (key.agent, spec, key.condition, key.seed)
        if words is None and env_key in self._envs:
            return self._envs[env_key]
        env = Env(
            self.sim,
            make_task(task, spec),
            self.declaration(key.agent).sensors,
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


def _counted(trace: Trace, attempts: int) -> Trace:
    """The trace, which says in how many attempts it came to be where there was more than one."""
    if attempts == 1:
        return trace
    return replace(trace, facts=dict(sorted({**trace.facts, "attempts": attempts}.items())))


def _constructed(factory: AgentFactory) -> Agent:
    """The agent, or what its constructor raised."""
    try:
        return factory()
    except AgentError as error:
        if error.__cause__ is None:
            raise
        raise error.__cause__ from None
