"""One episode being played. A ``Session`` steps, records, keeps states and goes back to them; it
knows no agent. ``play`` drives it with one; diagnosis drives it with one that it corrects.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Literal, Protocol, TypeVar

from navproof.agents.calls import Fault
from navproof.core.blame import blame
from navproof.core.errors import NavproofError, SimulationError
from navproof.core.seeding import derive
from navproof.core.types import (
    Action,
    Decision,
    Episode,
    Event,
    Observation,
    Pose,
    Scalar,
    TaskBrief,
)
from navproof.log.actions import action_words, late_words
from navproof.log.trace import Status, Trace, TraceKey
from navproof.log.usage import without_timing
from navproof.play.clock import delay_s
from navproof.play.env import Env, EnvSnapshot
from navproof.play.record import Recorder, SliceRecord, StepRecord
from navproof.sensors import kind_of

__all__ = ["Phase", "Session", "SessionState", "Watcher", "agent_seed", "causes_of_faults"]

Phase = Literal["setup", "scene", "reset", "acting", "judging"]
T = TypeVar("T")


class Watcher(Protocol):
    """Is told how a session goes (a worker tells its pool that it is not stuck)."""

    def phase(self, phase: Phase) -> None: ...
    def beat(self) -> None: ...


@dataclass(frozen=True, slots=True, eq=False)
class SessionState:
    """Everything in a session that decides how it goes on."""

    env: EnvSnapshot
    records: tuple[StepRecord, ...]
    intent: Mapping[str, Scalar] | None


def agent_seed(seed: int) -> int:
    """The seed that an agent is given: 31 bits of the run's seed. It is the same in all episodes,
    so that none can be told by it."""
    return derive(seed, "agent") % 2**31


@contextmanager
def causes_of_faults() -> Iterator[None]:
    """Where there is no run to keep, what went wrong in the simulator or the task is raised as it
    is."""
    try:
        yield
    except Fault as fault:
        raise fault.__cause__ or fault from None


class Session:
    """``env`` belongs to nobody else while the session lasts. ``beliefs``: whether they are
    recorded; ``timed``: whether seconds are (without them a trace depends on its content alone).

    The clock is the task's (``TaskSpec.clock``): before each action the world goes on for as long
    as it says (``play.clock``). ``delays`` are those of a trace that is played again.

    What goes wrong in the simulator, the task, sensors or corruptions is a ``Fault`` with the
    status ``env_error``.
    """

    def __init__(
        self,
        env: Env,
        key: TraceKey,
        *,
        beliefs: bool = False,
        timed: bool = True,
        watcher: Watcher | None = None,
        delays: Sequence[float] | None = None,
    ) -> None:
        self.env, self.key, self.watcher, self.delays = env, key, watcher, delays
        self._beliefs, self._timed = beliefs, timed
        self._intent: Mapping[str, Scalar] | None = None
        self.brief: TaskBrief
        self.observation: Observation
        self._recorder: Recorder | None = None
        self._pose: Pose
        self._measured: frozenset[str] = frozenset()

    def begin(self, episode: Episode) -> None:
        """Load the scene unless it is there, place the robot, start the task: ``brief`` and
        ``observation`` are then what the agent is told first."""
        env = self.env
        self._recorder = Recorder(self.key, episode, env.task.spec, beliefs=self._beliefs)
        self._tell("scene")
        brief, self.observation = self._in_env(lambda: env.reset(episode), "reset")
        self.brief = replace(brief, seed=agent_seed(self.key.seed))
        self._pose = self._in_env(lambda: env.sim.pose, "reset")
        distance = self._in_env(env.distance_to_goal, "reset")
        measured = self._in_env(env.measure, "reset")
        words = self._in_env(env.task.instruction, "reset")
        facts, events = _facts(self.brief), _told(self.brief, words)
        self._recorder.begin(self._pose, distance, facts, events, measured)
        self._measured, self._intent = frozenset(measured), None

    @property
    def recorder(self) -> Recorder:
        if self._recorder is None:
            raise RuntimeError("the session has not begun")
        return self._recorder

    @property
    def keeps_beliefs(self) -> bool:
        return self._beliefs

    @property
    def records(self) -> list[StepRecord]:
        """One for each step so far."""
        return self.recorder.records

    @property
    def steps(self) -> int:
        return self.recorder.steps

    @property
    def done(self) -> bool:
        return self._in_env(lambda: self.env.done, f"step {self.steps}")

    def step(self, decision: Decision, action: Action | None = None, act_s: float = 0.0) -> None:
        """Do what was decided, or ``action`` in its place, and record it. A change of what the
        agent is about becomes an event before those of the action. ``act_s`` is what the decision
        took: where the world does not wait, it goes on for some time before the action."""
        env, index = self.env, self.steps
        step_action = decision.action if action is None else action
        began = time.perf_counter()
        delay = delay_s(env.task.spec.clock, decision, act_s, index, self.delays)
        slices, passing = self._in_env(lambda: self._passed(delay), f"step {index}")
        too_late = delay > 0.0 and env.done
        step = self._in_env(
            lambda: env.come_too_late() if too_late else env.step(step_action), f"step {index}"
        )
        distance, measured = self._in_env(self._measure, f"step {index}")
        words = action_words(step_action)
        intent = decision.intent
        changed = (
            () if intent is None or intent == self._intent else (Event(index, "intent", intent),)
        )
        self._intent = intent or self._intent
        if step.motion is not None:
            self._pose = step.motion.pose
        record = StepRecord(
            action=late_words(words) if too_late else words,
            pose=self._pose,
            collided=step.motion is not None and step.motion.collided,
            distance_m=distance,
            events=(*changed, *passing, *step.events),
            beliefs=decision.beliefs if self._beliefs else None,
            act_s=act_s if self._timed else 0.0,
            env_s=time.perf_counter() - began if self._timed else 0.0,
            corrupt_s=step.corrupt_s if self._timed else 0.0,
            measured=measured,
            exchanges=decision.exchanges if self._timed else without_timing(decision.exchanges),
            delay_s=delay,
            slices=slices,
        )
        self.observation = step.observation
        self.recorder.add(record)
        if self.watcher:
            self.watcher.beat()

    def trace(self, status: Status = "ok", reason: str = "") -> Trace:
        """What was played so far."""
        return self.recorder.finish(status, reason)

    # -------------------------------------------------------------------------- going back
    def snapshot(self) -> SessionState:
        return SessionState(self.env.snapshot(), tuple(self.records), self._intent)

    def restore(self, state: SessionState) -> None:
        """Be at a state of this session again, as often as wanted."""
        self.env.restore(state.env)
        self.recorder.restore(state.records)
        self._intent = state.intent
        self._pose = self.env.sim.pose
        self.observation = self.env.observe()

    # ------------------------------------------------------------------------------ inside
    def _passed(self, delay: float) -> tuple[tuple[SliceRecord, ...], tuple[Event, ...]]:
        """What goes on while the agent takes its time, and what happens."""
        records: list[SliceRecord] = []
        events: list[Event] = []
        for piece in self.env.delay(delay):
            motion = piece.motion
            self._pose = motion.pose
            records.append(SliceRecord(motion.pose, motion.collided, *self._measure()))
            events += piece.events
        return tuple(records), tuple(events)

    def _measure(self) -> tuple[float, dict[str, float]]:
        """The distance to the goal, and what the task measures."""
        distance, measured = self.env.distance_to_goal(), self.env.measure()
        if measured.keys() != self._measured:
            raise SimulationError("the task measured other things than before")
        return distance, measured

    def _tell(self, phase: Phase) -> None:
        if self.watcher:
            self.watcher.phase(phase)

    @staticmethod
    def _in_env(call: Callable[[], T], when: str) -> T:
        try:
            return call()
        except NavproofError as error:
            raise Fault("env_error", f"{when}: {error}") from error
        except (Exception, SystemExit) as error:  # something of the user's may end the program
            raise Fault("env_error", f"{when}: {blame(error)}") from error


def _facts(brief: TaskBrief) -> dict[str, Scalar]:
    privileged = [s.name for s in brief.sensors if kind_of(s).privileged]
    return {
        "sensors": ",".join(s.name for s in brief.sensors),
        "privileged": ",".join(privileged),
    }


def _told(brief: TaskBrief, words: str) -> tuple[Event, ...]:
    """What a condition made of the words, before the first step."""
    events = []
    if brief.instruction != words:
        events.append(Event(0, "heard", {"text": brief.instruction, "number": 0}))
    if brief.system:
        events.append(Event(0, "prompt", {"text": brief.system}))
    return tuple(events)
