"""The ``Agent`` contract: the only thing a user must write."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from navproof.core.types import Action, Decision, Observation, TaskBrief

__all__ = ["FEELINGS", "Agent", "SnapshotAgent"]

FEELINGS = ("rgb", "depth", "words", "prompt")
"""What an agent may say that it feels. What happens to its body it always feels."""


@runtime_checkable
class Agent(Protocol):
    """Something that navigates.

    A class attribute ``sensors: tuple[str, ...]`` names the sensors it wants; without it the agent
    gets the task's standard ones (``rgb``, ``depth``, ``pose``, and ``pointgoal`` in PointNav).
    ``semantic``, ``expert`` and, in missions, ``mission`` are ground truth: they must be asked for,
    and results say so.

    ``tasks: tuple[str, ...]`` names the tasks it is made for; in others it is not run, and the
    run says so. Without it the agent is run in every task.

    ``feels: frozenset[str]`` says what of ``FEELINGS`` reaches it: conditions that spoil something
    else are not run for it. Without it: "rgb" and "depth" where it has the sensor, "words" in
    tasks whose goal is told in words alone (VLN, LangNav, missions), never "prompt"
    (``TaskBrief.system``).
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
