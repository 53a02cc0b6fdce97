"""One agent in one session, played step by step, put back, and played on otherwise.

The run is that of ``play.play``: the same seeds, the same observations, the same actions. At every
step capabilities may be corrected (``CorrectedRun.step``):

    perception  the eyes answer as the truth does, from readings that no condition has spoiled: of
                sensors that are mounted as the agent was told, and not late
    memory      holds what was perceived rightly before, and nothing else
    planning    the action is one that follows the expected plan; led, one that takes an agent
                which knows no goal to where it is
    decision    the action is one that follows the agent's own plan

The first two go through ``CorrectableAgent``; the last two replace the action, and the agent is
not told: it sees where that has brought it.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Collection, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass

import cv2
import numpy as np

from navproof.agents.correction import CorrectableAgent, Correction
from navproof.agents.limits import Limits
from navproof.agents.protocol import Agent
from navproof.agents.snapshot import AgentState, GlobalRandom, keep_agent, put_back_agent
from navproof.core.errors import AgentError, NavproofError, SimulationError
from navproof.core.types import Action, Decision, Episode, Move, Observation, TaskBrief
from navproof.diagnosis.attribution.clean import clean_observation
from navproof.diagnosis.capabilities import Capability
from navproof.diagnosis.oracles.protocol import CapabilityOracle, OracleFactory, Situation
from navproof.log.trace import Trace, TraceKey
from navproof.perception.protocol import TruthFrame
from navproof.play.deadline import deadline
from navproof.play.env import Env, object_facts
from navproof.play.play import ask, reset
from navproof.play.record import StepRecord
from navproof.play.session import Fault, Phase, Session, SessionState, Watcher

__all__ = ["CorrectedRun", "Look", "PlayedStep", "RunState"]

Look = Callable[[Situation, Decision], None]
_PICTURES = ("rgb", "semantic", "depth")
_OPPOSITE = {"left": Move.RIGHT, "right": Move.LEFT}


@dataclass(frozen=True, slots=True)
class PlayedStep:
    """One step as it was played: what the agent said, and what was done. ``situation.env`` has gone
    on since: only what else is in it is still that of the step."""

    situation: Situation
    decision: Decision
    action: Action


@dataclass(frozen=True, slots=True, eq=False)
class RunState:
    """Everything that decides how a run goes on, before the action of step ``step``."""

    step: int
    session: SessionState
    agent: AgentState
    oracle: CapabilityOracle
    random: GlobalRandom


class CorrectedRun:
    """A session and an agent that nothing else uses while the run lasts. An exception of the
    agent's, or a breach of ``limits``, becomes an ``AgentError``, and a run that the agent cannot
    play counts as failed. ``watcher`` is told when the agent is waited for, and when it is not."""

    def __init__(
        self,
        session: Session,
        agent: Agent,
        oracle: OracleFactory,
        limits: Limits | None = None,
        watcher: Watcher | None = None,
    ) -> None:
        self.session, self.agent = session, agent
        self.limits, self.watcher = limits or Limits(), watcher
        self._make_oracle = oracle
        self.oracle: CapabilityOracle

    # ---------------------------------------------------------------------------------- the run
    def begin(self, episode: Episode) -> None:
        """Reset everything, as ``play`` does."""
        session = self.session
        try:
            session.begin(episode)
            self._facts = object_facts(self.env.sim.scene, episode)
            self.oracle = self._make_oracle(self.env, session.brief)
            self._tell("reset")
            reset(session, self.agent, self.limits)
        except Fault as fault:
            raise _refused(fault) from fault
        finally:
            self._tell("judging")

    @property
    def env(self) -> Env:
        return self.session.env

    @property
    def key(self) -> TraceKey:
        return self.session.key

    @property
    def brief(self) -> TaskBrief:
        return self.session.brief

    @property
    def observation(self) -> Observation:
        return self.session.observation

    @property
    def records(self) -> list[StepRecord]:
        return self.session.records

    @property
    def done(self) -> bool:
        return self.session.done

    @property
    def is_correctable(self) -> bool:
        """Whether perception and memory can be corrected in this agent."""
        return isinstance(self.agent, CorrectableAgent)

    def step(
        self,
        *correct: Capability,
        led: bool = False,
        look: Look | None = None,
        watched: bool = True,
    ) -> PlayedStep:
        """Play one step, with these capabilities corrected; ``led``: planning knows where the goal
        is. ``look`` is called when the agent has decided and nothing has been done yet, which is
        when its oracle can be asked about the step (errors, evidence). Steps after which nobody
        asks what the history decides (memory, planning) need not be ``watched`` by the oracle."""
        clean = Capability.PERCEPTION in correct
        needs_frame = clean or watched or look is not None
        situation = self._situation(clean=clean, needs_frame=needs_frame)
        self._correct_inside(situation, correct)
        decision = self._ask(situation.observation)
        if look is not None:
            look(situation, decision)
        action = self._action(situation, decision, correct, led=led)
        if watched:
            self.oracle.watch(situation, decision)
        try:
            self.session.step(decision, action)
        except Fault as fault:
            raise _refused(fault) from fault
        return PlayedStep(situation, decision, action)

    def trace(self) -> Trace:
        """The run so far, without timing."""
        return self.session.trace()

    # ---------------------------------------------------------------------------- going back
    def snapshot(self) -> RunState:
        return RunState(
            len(self.records),
            self.session.snapshot(),
            keep_agent(self.agent, (self.brief,)),
            copy.deepcopy(self.oracle),
            GlobalRandom.keep(),
        )

    def restore(self, state: RunState) -> None:
        """Be at a state of this run and episode again. As often as wanted."""
        self.session.restore(state.session)
        self.agent = put_back_agent(self.agent, state.agent, (self.brief,))
        self.oracle = copy.deepcopy(state.oracle)
        state.random.put_back()

    # ----------------------------------------------------------------------------------- inside
    def _situation(self, *, clean: bool, needs_frame: bool = True) -> Situation:
        env = self.env
        observation = clean_observation(env) if clean else self.observation
        start, pose = env.episode.start, env.sim.pose
        truth = self._truth(observation, clean=clean) if needs_frame else None
        return Situation(env, self.brief, observation, start, pose, truth)

    def _truth(self, observation: Observation, *, clean: bool) -> TruthFrame | None:
        """The truth of the picture that the agent is given, at its size; None where it is late."""
        sensors = self.env.sensors if clean else self.env.mounted
        by_kind = {sensor.spec.kind: sensor.spec for sensor in sensors}
        spec = next((by_kind[kind] for kind in _PICTURES if kind in by_kind), None)
        if spec is None or spec.camera is None:
            return None
        if not clean and self.env.shown()[spec.name] != self.env.step_count:
            return None
        size = (spec.camera.width, spec.camera.height)
        other = by_kind.get("semantic")
        if other is not None and other.camera == spec.camera and observation.semantic is not None:
            instances = observation.semantic
        else:
            instances = self.env.sim.render(spec.camera, colour=False).instances
        truth = np.asarray(instances, dtype=np.int32)
        if truth.shape != size[::-1]:
            resized = cv2.resize(truth, size, interpolation=cv2.INTER_NEAREST_EXACT)
            truth = np.asarray(resized, dtype=np.int32)
        return TruthFrame(truth, self._facts, self.brief.seed, observation.step)

    def _correct_inside(self, situation: Situation, correct: Collection[Capability]) -> None:
        inside = [c for c in (Capability.PERCEPTION, Capability.MEMORY) if c in correct]
        if not inside:
            return
        if not isinstance(self.agent, CorrectableAgent):
            raise AgentError(f"the {inside[0]} of agent '{self.key.agent}' cannot be corrected")
        self.agent.correct(
            Correction(
                sight=situation.frame if Capability.PERCEPTION in inside else None,
                remembered=self.oracle.memory(situation) if Capability.MEMORY in inside else None,
            )
        )

    def _limited(self, what: str) -> AbstractContextManager[None]:
        """Where nobody watches from outside, a call that hangs is ended from inside."""
        return nullcontext() if self.watcher else deadline(self.limits.step_s, what)

    def _tell(self, phase: Phase) -> None:
        if self.watcher:
            self.watcher.phase(phase)

    def _ask(self, observation: Observation) -> Decision:
        self._tell("acting")
        try:
            with self._limited(f"step {observation.step}"):
                return ask(self.session, self.agent, self.limits, observation)[0]
        except Fault as fault:
            raise _refused(fault) from fault
        finally:
            self._tell("judging")

    def _action(
        self,
        situation: Situation,
        decision: Decision,
        correct: Collection[Capability],
        *,
        led: bool,
    ) -> Action:
        if Capability.PLANNING in correct:  # its own action may follow both plans, leading nowhere
            expected = self.oracle.expected(situation, decision, Capability.PLANNING, led=led)
            leads = (expected.lead_actions if led else ()) or expected.plan_actions
            if leads:
                return leads[0]
        if Capability.DECISION not in correct:
            return decision.action
        right = self.oracle.expected(situation, decision, Capability.DECISION).actions
        if not right or decision.action in right:
            return decision.action
        return _steadily(right, self.records)


def _refused(fault: Fault) -> NavproofError:
    """What a run that cannot go on is told as."""
    kind = SimulationError if fault.status == "env_error" else AgentError
    return kind(fault.reason)


def _steadily(right: Sequence[Action], records: Sequence[StepRecord]) -> Action:
    """The best of the actions; but forward, where that follows too, rather than a turn that undoes
    the last one: else a robot that is corrected at every other step would turn for ever."""
    undone = _OPPOSITE.get(records[-1].action) if records else None
    if right[0] is undone and Move.FORWARD in right:
        return Move.FORWARD
    return right[0]
