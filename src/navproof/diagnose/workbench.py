"""Stages on demand: one simulator, one agent, environments for whatever it is to be played in."""

from __future__ import annotations

from dataclasses import dataclass, field

from navproof.agents.load import AgentFactory, load_agent
from navproof.agents.protocol import Agent
from navproof.core.types import Episode, TaskSpec
from navproof.corruptions.conditions import parse_condition
from navproof.diagnose.oracles.protocol import OracleFactory
from navproof.diagnose.stage import Stage
from navproof.log.trace import Trace, TraceKey
from navproof.play.env import Env
from navproof.sim.embedded import EmbeddedSimulator
from navproof.sim.protocol import Simulator
from navproof.tasks import make_task
from navproof.tasks.specs import spec_for
from navproof.wordings import split_style

__all__ = ["Workbench"]


@dataclass
class Workbench:
    """Belongs to one process. A stage is given up when the next one is asked for: the agent and
    the simulator are the same."""

    agent: str
    oracle: OracleFactory
    sim: Simulator = field(default_factory=EmbeddedSimulator)

    def __post_init__(self) -> None:
        self._factory: AgentFactory = load_agent(self.agent)
        self._made: Agent | None = None
        self._envs: dict[tuple[TaskSpec, str, int], Env] = {}

    def stage(
        self,
        episode: Episode,
        condition: str = "clean",
        seed: int = 0,
        spec: TaskSpec | None = None,
    ) -> Stage:
        """A stage on which the episode has begun. ``spec``: by default the task's own, with the
        episode's robot. Words of another style are in the episode already."""
        spec = spec or spec_for(episode.task, episode.robot or None)
        if self._made is None:
            self._made = self._factory()
        stage = Stage(self._env(episode.task, spec, condition, seed), self._made, self.oracle)
        stage.begin(episode, TraceKey(self.agent, episode.episode_id, condition, seed))
        return stage

    def restage(self, trace: Trace) -> Stage:
        """A stage for what a trace tells of, from its beginning."""
        key = trace.key
        return self.stage(trace.episode, key.condition, key.seed, trace.spec)

    def _env(self, task: str, spec: TaskSpec, condition: str, seed: int) -> Env:
        key = (spec, condition, seed)
        if key not in self._envs:
            self._envs.clear()  # each holds a scene, and conditions are many
            self._envs[key] = Env(
                self.sim,
                make_task(task, spec),
                self._factory.sensors,
                condition=parse_condition(split_style(condition)[1]),
                seed=seed,
            )
        return self._envs[key]
