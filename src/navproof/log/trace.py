"""The trace of one episode: everything needed to score, report and replay it, and nothing else."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from navproof.core.types import Beliefs, Episode, Event, Exchange, Pose, Scalar, TaskSpec

__all__ = [
    "DELAYS_VERSION",
    "NOT_PLAYED",
    "READABLE_TRACES",
    "TRACE_VERSION",
    "Delays",
    "Status",
    "Trace",
    "TraceKey",
]

TRACE_VERSION = 2
"""2 keeps actions without loss (``log.actions``); 1 gave velocities and waypoints six digits."""
DELAYS_VERSION = 3
"""Of traces in which the world did not wait for the agent; the others need no more than 2."""
READABLE_TRACES = (1, TRACE_VERSION, DELAYS_VERSION)
Status = Literal[
    "ok",
    "agent_error",
    "agent_timeout",
    "memory_limit",
    "agent_died",
    "worker_died",
    "env_error",
    "infrastructure",
]
"""``ok``: the episode ran to stop or budget. Anything else has a ``reason``.

``infrastructure``: the machine kept the episode from being played, three times; it says nothing of
the agent and is never scored. All others are failures. ``worker_died`` is in runs of 0.1, where
agent and judge shared a process; ``agent_died`` is the agent's process alone."""
NOT_PLAYED: Status = "infrastructure"
"""Rows of this status are left out of every mean, and fail every gate."""


@dataclass(frozen=True, slots=True, order=True)
class TraceKey:
    """What identifies a result row. A corrupted episode keeps its clean twin's ``episode_id``."""

    agent: str
    episode_id: str
    condition: str = "clean"
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Delays:
    """What went on while the agent made up its mind, under a clock that does not wait for it.

    ``took_s`` are the seconds that each of the T actions was waited for, exactly as the world went
    on. It was looked at in ``slices`` of the control period (the last one of a delay is shorter),
    so many before each action; everything else is told at the end of each slice, one delay after
    another. Delays in which the episode ended have the slices up to there.
    """

    took_s: tuple[float, ...] = ()
    slices: tuple[int, ...] = ()
    poses: tuple[Pose, ...] = ()
    collisions: tuple[bool, ...] = ()
    distances_m: tuple[float, ...] = ()
    channels: Mapping[str, tuple[float, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Trace:
    """T actions, T+1 poses and distances. Distances are geodesic to the goal in force then.

    ``actions`` are words (``log.actions``): "forward", "stop", "velocity 0.5 -0.1", "waypoints …",
    "answer blue".
    ``channels`` are numbers that the task measured at every moment (T+1 values each), by name:
    "time_s", "subtask.0.distance_m", "person.p1.x"; most tasks have none.
    ``timing`` (seconds per step and per episode) is not deterministic and enters no score.
    ``exchanges`` are what the agent says that it asked of language models, in order, each with its
    step; what of them depends on the machine is in ``timing`` (``log.usage``).
    ``delays`` are empty where the world waits for the agent (``spec.clock``); ``log.moments`` puts
    what they hold among the rest. An action that came too late, since the episode had ended while
    the agent took its time, was not carried out and begins with "late ".
    """

    key: TraceKey
    episode: Episode
    spec: TaskSpec
    status: Status
    reason: str
    poses: tuple[Pose, ...]
    actions: tuple[str, ...]
    collisions: tuple[bool, ...]
    distances_m: tuple[float, ...]
    events: tuple[Event, ...]
    beliefs: tuple[Beliefs | None, ...] = ()
    timing: Mapping[str, tuple[float, ...]] = field(default_factory=dict)
    facts: Mapping[str, Scalar] = field(default_factory=dict)  # privileged sensors, versions, …
    trace_version: int = TRACE_VERSION
    channels: Mapping[str, tuple[float, ...]] = field(
        default_factory=dict, metadata={"later": True}
    )
    exchanges: tuple[Exchange, ...] = field(default=(), metadata={"later": True})
    delays: Delays = field(default_factory=Delays, metadata={"later": True})
