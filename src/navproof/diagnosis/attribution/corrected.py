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
from typing import TypeAlias

import cv2
import numpy as np

from navproof.agents.calls import Fault
from navproof.agents.correction import CorrectableAgent, Correction
from navproof.agents.limits import Limits
from navproof.agents.protocol import Agent
from navproof.agents.snapshot import GlobalRandom, keep_agent, put_back_agent
from navproof.core.errors import AgentError, NavproofError, SimulationError
from navproof.core.types import Action, Decision, Episode, Move, Observation, TaskBrief
from navproof.diagnosis.attribution.clean import clean_observation
from navproof.diagnosis.capabilities import Capability
from navproof.diagnosis.oracles.protocol import CapabilityOracle, OracleFactory, Situation
from navproof.log.trace import Trace, TraceKey
from navproof.perception.protocol import TruthFrame
from navproof.play.deadline import deadline
from navproof.play.env import Env, object_facts
from navproof.play.hosted import HostedAgent, LostError, StateLostError
from navproof.play.jobs import MOST_ATTEMPTS
from navproof.play.play import ask, reset
from navproof.play.record import StepRecord
from navproof.play.session import Phase, Session, SessionState, Watcher

__all__ = ["CorrectedRun", "Look", "PlayedStep", "RunState"]

Look = Callable[[Situation, Decision], None]
KeptAgent: TypeAlias = object
"""A handle of the agent's process, or (state, generators) of one in this process."""
_PICTURES = ("rgb", "semantic", "depth")
_OPPOSITE = {"left": Move.RIGHT, "right": Move.LEFT}


@dataclass(frozen=True, slots=True)
class PlayedStep:
    """One step as it was played: what the agent said, and what was done. ``situation.env`` has gone
    on since: only what else is in it is still that of the step."""

    situation: Situation
    decision: Decision
    action: Action


@dataclass(frozen=True, slots=True)
class _Call:
    """How a step was asked for."""

    correct: tuple[Capability, ...]
    led: bool
    watched: bool


@dataclass(frozen=True, slots=True, eq=False)
class _Origin:
    """Where a run began: from there an agent that cannot be copied is played again."""

    session: SessionState
    oracle: CapabilityOracle
    brief: TaskBrief


@dataclass(frozen=True, slots=True, eq=False)
class RunState:
    """Everything that decides how a run goes on, before the action of step ``step``. ``agent`` is
    None where it could not be copied; ``calls`` are the steps that led here."""

    step: int
    session: SessionState
    agent: KeptAgent | None
    oracle: CapabilityOracle
    origin: _Origin
    calls: tuple[_Call, ...]


class CorrectedRun:
    """A session and an agent that nothing else uses while the run lasts. An exception of the
    agent's, or a breach of ``limits``, becomes an ``AgentError``, and a run that the agent cannot
    play counts as failed. ``watcher`` is told when the agent is waited for, and when it is not.

    An agent that cannot be copied, or whose process was lost, is brought back to a state by playing
    the run again from its beginning; ``AgentError`` where it then acts otherwise."""

    def __init__(
        self,
        session: Session,
        agent: Agent | HostedAgent,
        oracle: OracleFactory,
        limits: Limits | None = None,
        watcher: Watcher | None = None,
    ) -> None:
        self.session, self.agent = session, agent
        self.limits, self.watcher = limits or Limits(), watcher
        self._make_oracle = oracle
        self.oracle: CapabilityOracle
        self._origin: _Origin
        self._calls: list[_Call] = []
        self._can_be_kept = True

    # ---------------------------------------------------------------------------------- the run
    def begin(self, episode: Episode) -> None:
        """Reset everything, as ``play`` does."""
        session = self.session
        try:
            session.begin(episode)
            self._facts = object_facts(self.env.sim.scene, episode)
            self.oracle = self._make_oracle(self.env, session.brief)
            self._origin = _Origin(session.snapshot(), copy.deepcopy(self.oracle), session.brief)
            self._reset()
        except Fault as fault:
            raise _refused(fault) from fault
        finally:
            self._tell("judging")

    def _reset(self) -> None:
        """Tell the agent of the episode, again where its process was ended by somebody else."""
        self._calls = []
        for attempt in range(MOST_ATTEMPTS):
            self._tell("reset")
            try:
                reset(self.session, self.agent, self.limits)
                return
            except LostError as lost:
                if not lost.outside or attempt == MOST_ATTEMPTS - 1:
                    raise

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
        if isinstance(self.agent, HostedAgent):
            return self.agent.is_correctable
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
        decision = self._decided(situation, correct)
        if look is not None:
            look(situation, decision)
        action = self._action(situation, decision, correct, led=led)
        if watched:
            self.oracle.watch(situation, decision)
        try:
            self.session.step(decision, action)
        except Fault as fault:
            raise _refused(fault) from fault
        self._calls.append(_Call(correct, led, watched))
        return PlayedStep(situation, decision, action)

    def trace(self) -> Trace:
        """The run so far, without timing."""
        return self.session.trace()

    # ---------------------------------------------------------------------------- going back
    def snapshot(self) -> RunState:
        return RunState(
            len(self.records),
            self.session.snapshot(),
            self._kept(),
            copy.deepcopy(self.oracle),
            self._origin,
            tuple(self._calls),
        )

    def restore(self, state: RunState) -> None:
        """Be at a state of this run and episode again. As often as wanted."""
        try:
            if state.agent is None:
                raise StateLostError
            self._put_back(state.agent)
        except StateLostError:
            self._play_again(state)
        except Fault as fault:
            raise _refused(fault) from fault
        self.session.restore(state.session)
        self.session.brief = state.origin.brief
        self.oracle = copy.deepcopy(state.oracle)
        self._origin, self._calls = state.origin, list(state.calls)

    def _kept(self) -> KeptAgent | None:
        """The agent as it is now; None where it cannot be copied, which is tried but once."""
        if not self._can_be_kept:
            return None
        try:
            if isinstance(self.agent, HostedAgent):
                return self.agent.snapshot()
            return keep_agent(self.agent, (self.brief,)), GlobalRandom.keep()
        except Exception:  # whatever its class raises when it is copied
            self._can_be_kept = False
            return None

    def _put_back(self, kept: KeptAgent) -> None:
        if isinstance(self.agent, HostedAgent):
            self.agent.restore(kept)
            return
        assert isinstance(kept, tuple)
        state, generators = kept
        self.agent = put_back_agent(self.agent, state, (self.brief,))
        generators.put_back()

    def _play_again(self, state: RunState) -> None:
        """Bring the agent to where it was in ``state``, from the beginning of the run on."""
        self.session.restore(state.origin.session)
        self.session.brief = state.origin.brief
        self.oracle = copy.deepcopy(state.origin.oracle)
        try:
            self._reset()
        except Fault as fault:
            raise _refused(fault) from fault
        for index, call in enumerate(state.calls):
            self.step(*call.correct, led=call.led, watched=call.watched)
            now, then = self.records[index], state.session.records[index]
            if (now.action, now.beliefs) != (then.action, then.beliefs):
                raise AgentError(
                    f"played again from the beginning, the agent acts differently at step {index}"
                )

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

    def _decided(self, situation: Situation, correct: Collection[Capability]) -> Decision:
        """What the agent decides; where its process was ended by somebody else, another one is
        brought to where it was, and asked."""
        for _ in range(MOST_ATTEMPTS):
            try:
                self._correct_inside(situation, correct)
                return self._ask(situation.observation)
            except LostError as lost:
                if not lost.outside:
                    raise _refused(lost) from lost
                here = self._lost_here()
                self._play_again(here)
                self.session.restore(here.session)
                self.oracle = here.oracle
                self._calls = list(here.calls)
        raise AgentError(f"its process was ended {MOST_ATTEMPTS} times in one step")

    def _lost_here(self) -> RunState:
        return RunState(
            len(self.records),
            self.session.snapshot(),
            None,
            copy.deepcopy(self.oracle),
            self._origin,
            tuple(self._calls),
        )

    def _correct_inside(self, situation: Situation, correct: Collection[Capability]) -> None:
        inside = [c for c in (Capability.PERCEPTION, Capability.MEMORY) if c in correct]
        if not inside:
            return
        agent = self.agent
        if not self.is_correctable:
            raise AgentError(f"the {inside[0]} of agent '{self.key.agent}' cannot be corrected")
        assert isinstance(agent, HostedAgent | CorrectableAgent)
        try:
            agent.correct(
                Correction(
                    sight=situation.frame if Capability.PERCEPTION in inside else None,
                    remembered=self.oracle.memory(situation)
                    if Capability.MEMORY in inside
                    else None,
                )
            )
        except LostError:
            raise
        except Fault as fault:
            raise _refused(fault) from fault

    def _limited(self, what: str) -> AbstractContextManager[None]:
        """Where nobody watches from outside, a call that hangs is ended from inside."""
        watched = self.watcher is not None or isinstance(self.agent, HostedAgent)
        return nullcontext() if watched else deadline(self.limits.step_s, what)

    def _tell(self, phase: Phase) -> None:
        if self.watcher:
            self.watcher.phase(phase)

    def _ask(self, observation: Observation) -> Decision:
        self._tell("acting")
        try:
            with self._limited(f"step {observation.step}"):
                return ask(self.session, self.agent, self.limits, observation)[0]
        except LostError:
            raise
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
