"""The seam through which an agent's perception and memory are set right from outside.

Diagnosis asks "would this run have succeeded, had it seen (or remembered) rightly here?". An agent
that can be asked so implements ``CorrectableAgent``; the plan and the action need no seam, since
what follows a plan is an action, and actions are replaced outside the agent.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from navproof.agents.protocol import Agent
from navproof.core.types import Remembered
from navproof.perception.protocol import TruthFrame

__all__ = ["CorrectableAgent", "Correction"]


@dataclass(frozen=True, slots=True, eq=False)
class Correction:
    """What counts in the next ``act``, and in that one alone, in place of the agent's own output.
    None leaves a capability as it is.

    ``sight``: the eyes answer as the truth of this frame does: a detector's boxes and masks are
    those of the objects that fit a query, and features of patches and images are moved as little as
    makes every text asked so far come out right. Its ``instances`` have the size of ``obs.rgb``, or
    of ``obs.semantic`` where the agent has no colour.

    ``remembered``: when the step is decided, memory holds these things, what is seen in this very
    step, and no others: labels in the agent's own words, positions in the episode frame as the
    agent takes it to be, ``step`` when each was last seen. What the agent keeps besides things
    (occupied cells, features elsewhere) stays.
    """

    sight: TruthFrame | None = None
    remembered: tuple[Remembered, ...] | None = None


@runtime_checkable
class CorrectableAgent(Agent, Protocol):
    """An agent whose perception and memory can be corrected, one step at a time.

    What follows from a corrected step (a goal that is now known, a map with the thing in it) stays;
    without a correction ``act`` does what it did before there was this method, to the bit.
    """

    def correct(self, correction: Correction) -> None:
        """Takes effect in the next ``act``, which forgets it. Called after ``reset``, at most once
        before each ``act``; a copy of the agent takes a pending correction along."""
