"""Two oracles that judge nothing: one expects nothing, the other expects the oracle agent's
actions."""

from __future__ import annotations

from dataclasses import replace

from navproof.agents.baselines.oracle import Oracle
from navproof.core.types import Decision, Observation, Remembered, TaskBrief
from navproof.diagnosis.capabilities import Capability
from navproof.diagnosis.oracles.protocol import Asked, ExpectedOutputs, Situation
from navproof.diagnosis.types import Evidence, StepErrors
from navproof.play.env import Env
from navproof.sensors import View, build
from navproof.tasks.protocol import HasSubTasks

__all__ = ["ExpertActions", "NoOracle"]


class NoOracle:
    """A ``CapabilityOracle`` that expects nothing, judges nothing and keeps no history."""

    def __init__(self, env: Env, brief: TaskBrief) -> None: ...

    def expected(
        self, situation: Situation, decision: Decision, of: Asked = None, *, led: bool = True
    ) -> ExpectedOutputs:
        return ExpectedOutputs()

    def judge(self, situation: Situation, decision: Decision) -> StepErrors:
        return StepErrors(situation.observation.step, {})

    def watch(self, situation: Situation, decision: Decision) -> None: ...

    def memory(self, situation: Situation) -> tuple[Remembered, ...]:
        return ()

    def evidence(
        self, situation: Situation, decision: Decision, capability: Capability, *, led: bool = False
    ) -> Evidence:
        return Evidence(situation.observation.step, "")


class ExpertActions(NoOracle):
    """A ``CapabilityOracle`` that expects the oracle agent's action, whatever the agent planned.
    ``words`` is the instruction that is in force when the oracle agent takes over."""

    def __init__(self, brief: TaskBrief, words: str) -> None:
        self._brief = replace(brief, instruction=words)
        self._oracle: Oracle | None = None

    def expected(
        self, situation: Situation, decision: Decision, of: Asked = None, *, led: bool = True
    ) -> ExpectedOutputs:
        env = situation.env
        specs = tuple(s for s in env.task.spec.sensors if s.kind in Oracle.sensors)
        if self._oracle is None:
            asked = env.episode.question
            answer = None if asked is None else asked.answer
            self._oracle = Oracle()
            self._oracle.reset(replace(self._brief, sensors=specs, answer=answer))
        view = View(
            env.sim,
            env.task.goals(),
            env.episode.start,
            frozenset(),
            step=env.step_count,
            lead=env.task.lead() if isinstance(env.task, HasSubTasks) else None,
        )
        readings = {spec.name: build(spec).read(view) for spec in specs}
        given = situation.observation
        seen = Observation(given.step, readings, given.instruction, given.collided)
        return ExpectedOutputs(plan_actions=(self._oracle.act(seen).action,))
