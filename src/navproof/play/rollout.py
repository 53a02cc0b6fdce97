"""One agent, one episode, one trace. Whatever the agent does wrong ends up in the trace."""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Callable, Mapping, Set
from dataclasses import replace
from typing import Literal, Protocol, TypeVar

import numpy as np

from navproof.agents.protocol import Agent
from navproof.agents.validate import as_decision
from navproof.core.errors import NavproofError
from navproof.core.seeding import derive
from navproof.core.types import PRIVILEGED, Episode, Event, Observation, Pose, Scalar, TaskBrief
from navproof.log.trace import Status, Trace, TraceKey
from navproof.play.blame import blame
from navproof.play.env import Env
from navproof.play.limits import Limits
from navproof.play.record import Recorder, StepRecord, action_words

__all__ = ["Phase", "Watcher", "agent_seed", "rollout", "seed_globals"]

Phase = Literal["setup", "scene", "reset", "acting"]
T = TypeVar("T")


class Watcher(Protocol):
    """Hears of an episode as it happens (the pool's heartbeat)."""

    def phase(self, phase: Phase) -> None: ...
    def begin(
        self,
        pose: Pose,
        distance_m: float,
        facts: Mapping[str, Scalar],
        events: tuple[Event, ...],
        measured: Mapping[str, float],
    ) -> None: ...
    def step(self, record: StepRecord) -> None: ...


class _Fault(Exception):
    """Ends an episode with a status."""

    def __init__(self, status: Status, reason: str) -> None:
        super().__init__(reason)
        self.status: Status = status
        self.reason = reason


def rollout(
    env: Env,
    agent: Agent,
    episode: Episode,
    key: TraceKey,
    *,
    limits: Limits | None = None,
    beliefs: bool = False,
    watcher: Watcher | None = None,
) -> Trace:
    """Run ``agent`` through ``episode`` and return the trace, whatever happens.

    An exception, an action that is none, or a call beyond ``limits`` ends the episode with a
    status and a one-line reason. (A call that never returns is the pool's to end.) The agent's
    seed, and the global generators of ``random``, NumPy and PyTorch, depend on the run's seed and
    the episode alone, so that an episode and its clean twin differ in the condition only. Words
    that a condition changed are kept as events "heard" and "prompt" (``text``).
    """
    limits = limits or Limits()
    recorder = Recorder(key, episode, env.task.spec, beliefs=beliefs)
    try:
        _play(env, agent, episode, key, limits, recorder, beliefs, watcher)
    except _Fault as fault:
        return recorder.finish(fault.status, fault.reason)
    return recorder.finish("ok")


def agent_seed(seed: int, episode_id: str) -> int:
    """The seed that an agent is given: 31 bits of the run's seed and the episode's id."""
    return derive(seed, episode_id, "agent") % 2**31


def _play(
    env: Env,
    agent: Agent,
    episode: Episode,
    key: TraceKey,
    limits: Limits,
    recorder: Recorder,
    beliefs: bool,
    watcher: Watcher | None,
) -> None:
    if watcher:
        watcher.phase("scene")
    brief, observation = _in_env(lambda: env.reset(episode), "reset")
    brief = replace(brief, seed=agent_seed(key.seed, episode.episode_id))
    pose, distance = env.sim.pose, _in_env(env.distance_to_goal, "reset")
    facts, told = _facts(brief), _told(brief, env.task.instruction())
    measured = _in_env(env.measure, "reset")
    recorder.begin(pose, distance, facts, told, measured)
    if watcher:
        watcher.begin(pose, distance, facts, told, measured)
        watcher.phase("reset")
    seed_globals(brief.seed)
    began = time.perf_counter()
    _in_agent(lambda: agent.reset(brief), "reset")
    took = time.perf_counter() - began
    recorder.reset_took(took)
    if took > limits.setup_s:
        raise _Fault("agent_timeout", f"reset took longer than {limits.setup_s:g} s")
    if watcher:
        watcher.phase("acting")
    done = False
    intent: Mapping[str, Scalar] | None = None
    while not done:
        index = recorder.steps
        record, observation, done, intent = _step(
            env, agent, brief, observation, index, pose, beliefs, limits, intent, measured.keys()
        )
        pose = record.pose
        recorder.add(record)
        if watcher:
            watcher.step(record)
        if not done and time.perf_counter() - began > limits.episode_s:
            raise _Fault("agent_timeout", f"the episode took longer than {limits.episode_s:g} s")


def _step(
    env: Env,
    agent: Agent,
    brief: TaskBrief,
    observation: Observation,
    index: int,
    pose: Pose,
    beliefs: bool,
    limits: Limits,
    intent: Mapping[str, Scalar] | None,
    names: Set[str],
) -> tuple[StepRecord, Observation, bool, Mapping[str, Scalar] | None]:
    """Ask the agent once and do what it says. A change of what it is about becomes an event
    before those of the action."""
    began = time.perf_counter()
    value = _in_agent(lambda: agent.act(observation), f"step {index}")
    acted = time.perf_counter()
    if acted - began > limits.step_s:
        raise _Fault("agent_timeout", f"step {index} took longer than {limits.step_s:g} s")
    decision = _in_agent(lambda: as_decision(value, brief), f"step {index}")
    step = _in_env(lambda: env.step(decision.action), f"step {index}")
    distance = _in_env(env.distance_to_goal, f"step {index}")
    measured = _in_env(env.measure, f"step {index}")
    if measured.keys() != names:
        raise _Fault("env_error", f"step {index}: the task measured other things than before")
    told = decision.intent
    changed = () if told is None or told == intent else (Event(index, "intent", told),)
    record = StepRecord(
        action=action_words(decision.action),
        pose=pose if step.motion is None else step.motion.pose,
        collided=step.motion is not None and step.motion.collided,
        distance_m=distance,
        events=(*changed, *step.events),
        beliefs=decision.beliefs if beliefs else None,
        act_s=acted - began,
        env_s=time.perf_counter() - acted,
        corrupt_s=step.corrupt_s,
        measured=measured,
    )
    return record, step.observation, step.done, told or intent


def _in_agent(call: Callable[[], T], when: str) -> T:
    """Call the agent; anything that it raises costs the episode."""
    try:
        return call()
    except MemoryError as error:
        raise _Fault("memory_limit", f"{when}: {blame(error)}") from None
    except NavproofError as error:
        raise _Fault("agent_error", f"{when}: {error}") from None
    except BaseException as error:  # SystemExit and KeyboardInterrupt are the agent's own here
        raise _Fault("agent_error", f"{when}: {blame(error)}") from None


def _in_env(call: Callable[[], T], when: str) -> T:
    try:
        return call()
    except NavproofError as error:
        raise _Fault("env_error", f"{when}: {error}") from None
    except Exception as error:
        raise _Fault("env_error", f"{when}: {blame(error)}") from None


def _facts(brief: TaskBrief) -> dict[str, Scalar]:
    privileged = [s.name for s in brief.sensors if s.kind in PRIVILEGED]
    return {
        "sensors": ",".join(s.name for s in brief.sensors),
        "privileged": ",".join(privileged),
    }


def _told(brief: TaskBrief, words: str) -> tuple[Event, ...]:
    """What a condition made of the words, before the first step."""
    told = []
    if brief.instruction != words:
        told.append(Event(0, "heard", {"text": brief.instruction, "number": 0}))
    if brief.system:
        told.append(Event(0, "prompt", {"text": brief.system}))
    return tuple(told)


def seed_globals(seed: int) -> None:
    """Even an agent that draws from global generators is the same whatever ran before it."""
    random.seed(seed)
    np.random.seed(seed)  # noqa: NPY002
    torch = sys.modules.get("torch")
    if torch is not None:
        torch.manual_seed(seed)
