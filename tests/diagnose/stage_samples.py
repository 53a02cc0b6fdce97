"""Stages in the two-room flat, with an oracle that only looks on."""

from __future__ import annotations

from navproof.agents.load import load_agent
from navproof.agents.protocol import Agent
from navproof.check.tiny import tiny_episode, tiny_simulator
from navproof.core.types import Decision, Remembered, TaskBrief
from navproof.corruptions.conditions import parse_condition
from navproof.diagnose.capabilities import Capability
from navproof.diagnose.oracles.protocol import Expected, Situation
from navproof.diagnose.stage import Stage
from navproof.diagnose.types import Evidence, StepErrors
from navproof.log.trace import TraceKey
from navproof.play.env import Env
from navproof.tasks import make_task, spec_for, with_camera

__all__ = ["Onlooker", "open_stage"]

_PIXELS = 96


class Onlooker:
    """Counts steps, and expects whatever ``answer`` is."""

    answer = Expected()

    def __init__(self, env: Env, brief: TaskBrief) -> None:
        self.steps: list[int] = []

    def expected(
        self,
        situation: Situation,
        decision: Decision,
        of: Capability | None = None,
        *,
        led: bool = True,
    ) -> Expected:
        return self.answer

    def judge(self, situation: Situation, decision: Decision) -> StepErrors:
        return StepErrors(situation.observation.step, {})

    def watch(self, situation: Situation, decision: Decision) -> None:
        self.steps.append(situation.observation.step)

    def memory(self, situation: Situation) -> tuple[Remembered, ...]:
        return self.answer.remembered

    def evidence(
        self,
        situation: Situation,
        decision: Decision,
        capability: Capability,
        *,
        led: bool = False,
    ) -> Evidence:
        return Evidence(situation.observation.step, "")


def open_stage(
    name: str,
    task: str = "objectnav-v1",
    steps: int = 40,
    condition: str = "clean",
    agent: Agent | None = None,
    oracle: type[Onlooker] = Onlooker,
) -> Stage:
    """A stage whose episode has begun."""
    sim = tiny_simulator(task)
    factory = None if agent is not None else load_agent(name)
    spec = with_camera(spec_for(task), _PIXELS, _PIXELS)
    sensors = None if factory is None else factory.sensors
    env = Env(sim, make_task(task, spec), sensors, condition=parse_condition(condition), seed=3)
    episode = tiny_episode(task, sim, steps)
    made = agent if agent is not None else load_agent(name)()
    stage = Stage(env, made, oracle)
    stage.begin(episode, TraceKey(name, episode.episode_id, condition, 3))
    return stage
