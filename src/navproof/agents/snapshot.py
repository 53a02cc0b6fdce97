"""Exact states of an agent and of the global random generators, to come back to.

The environment keeps its own snapshots (simulator, task, sensors' late readings, drift); what a
condition draws depends on episode, slot and step alone and needs none. An agent gives its own
(``SnapshotAgent``) or is deep-copied; eyes are shared by copies.
"""

from __future__ import annotations

import copy
import random
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from navproof.agents.protocol import Agent, SnapshotAgent

__all__ = ["AgentState", "GlobalRandom", "keep_agent", "put_back_agent"]


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
