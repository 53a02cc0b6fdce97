"""Runs in the two-room flat, with an oracle that only looks on."""

from __future__ import annotations

from navproof.agents.load import load_agent
from navproof.agents.protocol import Agent
from navproof.check.tiny import tiny_episode, tiny_simulator
from navproof.core.types import Decision, Remembered, TaskBrief
from navproof.corruptions.condition import parse_condition
from navproof.diagnosis.attribution.corrected import CorrectedRun
from navproof.diagnosis.capabilities import Capability
from navproof.diagnosis.oracles.protocol import ExpectedOutputs, Situation
from navproof.diagnosis.types import Evidence, StepErrors
from navproof.log.trace import TraceKey
from navproof.play.env import Env
from navproof.play.session import Session
from navproof.tasks import make_task, spec_for, with_camera

__all__ = ["Onlooker", "open_run"]

_PIXELS = 96


class Onlooker:
    """Counts steps, and expects whatever ``answer`` is."""

    answer = ExpectedOutputs()

    def __init__(self, env: Env, brief: TaskBrief) -> None:
        self.steps: list[int] = []

    def expected(
        self,
        situation: Situation,
        decision: Decision,
        of: Capability | None = None,
        *,
        led: bool = True,
    ) -> ExpectedOutputs:
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


def open_run(
    name: str,
    task: str = "objectnav-v1",
    steps: int = 40,
    condition: str = "clean",
    agent: Agent | None = None,
    oracle: type[Onlooker] = Onlooker,
) -> CorrectedRun:
    """A run whose episode has begun."""
    sim = tiny_simulator(task)
    factory = None if agent is not None else load_agent(name)
    spec = with_camera(spec_for(task), _PIXELS, _PIXELS)
    sensors = None if factory is None else factory.sensors
    env = Env(sim, make_task(task, spec), sensors, condition=parse_condition(condition), seed=3)
    episode = tiny_episode(task, sim, steps)
    made = agent if agent is not None else load_agent(name)()
    key = TraceKey(name, episode.episode_id, condition, 3)
    run = CorrectedRun(Session(env, key, beliefs=True, timed=False), made, oracle)
    run.begin(episode)
    return run
