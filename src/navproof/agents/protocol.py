"""The ``Agent`` contract: the only thing a user must write."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from navproof.types import Action, Decision, Observation, TaskBrief

__all__ = ["Agent", "SnapshotAgent"]


@runtime_checkable
class Agent(Protocol):
    """Something that navigates.

    A class attribute ``sensors: tuple[str, ...]`` names the sensors it wants; without it the agent
    gets the task's standard ones (``rgb``, ``depth``, ``pose``, and ``pointgoal`` in PointNav).
    ``semantic`` and ``expert`` are ground truth: they must be asked for, and results say so.
    """

    def reset(self, brief: TaskBrief) -> None:
        """A new episode begins. Any randomness comes from ``brief.seed``."""

    def act(self, obs: Observation) -> Action | Decision:
        """The next action."""


@runtime_checkable
class SnapshotAgent(Agent, Protocol):
    """An agent whose state can be kept and put back exactly (else it is deep-copied)."""

    def snapshot(self) -> object: ...
    def restore(self, snapshot: object) -> None: ...
