"""The ``Task`` contract: goals and rules. Told the simulator, never stored in it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from navproof.sim.protocol import GoalSet, Simulator
from navproof.types import Action, Episode, Event, Motion, TaskBrief, TaskSpec

__all__ = ["Task"]


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
