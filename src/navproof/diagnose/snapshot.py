"""Exact states to come back to: environment, agent, oracle, and the global random generators.

The environment keeps its own snapshots (simulator, task, sensors' late readings, drift); what a
condition draws depends on episode, slot and step alone and needs none. An agent gives its own
(``SnapshotAgent``) or is deep-copied; eyes are shared by copies.
"""

from __future__ import annotations

import copy
import random
import sys
from bisect import bisect_right
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import numpy as np

from navproof.agents.protocol import Agent, SnapshotAgent

__all__ = ["AgentState", "Checkpoints", "GlobalRandom", "keep_agent", "put_back_agent"]

T = TypeVar("T")


@dataclass(frozen=True, slots=True, eq=False)
class GlobalRandom:
    """The states of ``random``, NumPy's and (where it is loaded) PyTorch's global generators, from
    which an agent may draw."""

    plain: Any
    numpy: Any
    torch: Any

    @staticmethod
    def keep() -> GlobalRandom:
        torch = sys.modules.get("torch")
        state = None if torch is None else torch.get_rng_state()
        return GlobalRandom(random.getstate(), np.random.get_state(), state)  # noqa: NPY002

    def put_back(self) -> None:
        random.setstate(self.plain)
        np.random.set_state(self.numpy)  # noqa: NPY002
        torch = sys.modules.get("torch")
        if torch is not None and self.torch is not None:
            torch.set_rng_state(self.torch)


@dataclass(frozen=True, slots=True, eq=False)
class AgentState:
    """An agent at one moment. ``own``: ``held`` is what its ``snapshot`` gave, else a copy."""

    held: Any
    own: bool


def keep_agent(agent: Agent, shared: Iterable[object] = ()) -> AgentState:
    """What the agent is now; going on with it does not change this. ``shared`` are values that
    nobody changes (the brief): they are not copied."""
    if isinstance(agent, SnapshotAgent):
        return AgentState(agent.snapshot(), own=True)
    return AgentState(_copied(agent, shared), own=False)


def put_back_agent(agent: Agent, state: AgentState, shared: Iterable[object] = ()) -> Agent:
    """The agent as it was: the same object put back, or a fresh copy. A state can be put back as
    often as wanted."""
    if state.own:
        assert isinstance(agent, SnapshotAgent)
        agent.restore(state.held)
        return agent
    return _copied(state.held, shared)


def _copied(agent: Agent, shared: Iterable[object]) -> Agent:
    return copy.deepcopy(agent, {id(value): value for value in shared})


class Checkpoints(Generic[T]):
    """States along one run, at step 0 and every ``every`` steps, never more than ``most``: when
    they become too many, every second one is dropped and the distance doubles. From any step the
    way back is at most ``every`` steps of replay, whatever the length of the run."""

    def __init__(self, every: int = 8, most: int = 24) -> None:
        if every < 1 or most < 2:
            raise ValueError(f"checkpoints every {every} steps, at most {most}, make no sense")
        self.every = every
        self.most = most
        self._kept: dict[int, T] = {}

    def offer(self, step: int, take: Callable[[], T]) -> None:
        """Keep the state of a step, if it is one of those to be kept. Steps come in order."""
        if step % self.every:
            return
        self._kept[step] = take()
        if len(self._kept) > self.most:
            self.every *= 2
            self._kept = {s: state for s, state in self._kept.items() if s % self.every == 0}

    def before(self, step: int) -> tuple[int, T]:
        """(step, state) of the last one at or before a step; a ``KeyError`` where there is none."""
        steps = sorted(self._kept)
        index = bisect_right(steps, step) - 1
        if index < 0:
            raise KeyError(step)
        return steps[index], self._kept[steps[index]]

    def __len__(self) -> int:
        return len(self._kept)
