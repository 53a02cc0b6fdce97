"""The ``Task`` contract: goals and rules. Told the simulator, never stored in it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, runtime_checkable

from navproof.core.types import Action, Episode, Event, Motion, TaskBrief, TaskSpec, Walk
from navproof.sim.protocol import GoalSet, Simulator

__all__ = ["HasSubTasks", "JudgesDelays", "Measures", "SubTaskProgress", "Task"]


class Task(Protocol):
    """The rules of one episode at a time."""

    spec: TaskSpec

    def brief(self, episode: Episode, sensors: Sequence[str]) -> TaskBrief:
        """What the agent is told; ``sensors`` are the sensor names it asked for."""

    def start(self, sim: Simulator, episode: Episode) -> None:
        """Forget the last episode; the robot stands at the episode's start."""

    def after_step(
        self, sim: Simulator, action: Action, motion: Motion | None, step: int
    ) -> list[Event]:
        """Judge one action. ``motion`` is None when the action did not move the robot."""

    def done(self) -> bool: ...

    def goals(self) -> GoalSet:
        """Where to go now: the positions of the current goal, for distances and oracles."""

    def instruction(self) -> str:
        """The words in force now; multi-goal tasks reveal one goal at a time."""

    def snapshot(self) -> Any: ...
    def restore(self, snapshot: Any) -> None: ...


@runtime_checkable
class Measures(Protocol):
    """A task that also gives numbers for the trace."""

    def measure(self, sim: Simulator) -> Mapping[str, float]:
        """Numbers that are true now, by name: the same names after ``start`` and after every step
        of an episode, none of them NaN. They become ``Trace.channels``."""


@runtime_checkable
class JudgesDelays(Protocol):
    """A task in which things may come true, or go wrong, while an agent takes its time and the
    world goes on (``TaskSpec.clock``). Of other tasks nothing is judged then."""

    def in_delay(self, sim: Simulator, motion: Motion, step: int) -> list[Event]:
        """Judge a slice of the time that passes before action ``step``: what the robot did in it,
        and what is true at its end. It counts as no step. The episode may be over after it
        (``done``); the action is then not carried out."""


@dataclass(frozen=True, slots=True)
class SubTaskProgress:
    """How far a task with sub-tasks has come, for oracles: the one in force (their number when all
    are done), their number, whom it asks to follow, and the walks of everybody (which people who
    react to the robot leave)."""

    subtask: int
    subtasks: int
    person: str | None = None
    walks: tuple[Walk, ...] = field(default=(), compare=False)


@runtime_checkable
class HasSubTasks(Protocol):
    """A task with sub-tasks: it also tells how far they have come."""

    def lead(self) -> SubTaskProgress: ...
