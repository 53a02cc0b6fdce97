"""What the trace of a mission recorded: its channels, and when each sub-task came into force.

A trace holds T actions and T+1 moments (poses, channel values); what action s led to is moment
s + 1, and so is what its events tell.
"""

from __future__ import annotations

import math

from navproof.core.errors import RunError
from navproof.core.types import Move
from navproof.log.trace import Trace

__all__ = [
    "channel",
    "decided_at",
    "done_at",
    "fell",
    "in_force_from",
    "is_mission",
    "nothing_recorded",
    "stopped",
]


def stopped(trace: Trace) -> bool:
    """The agent itself ended the episode, rather than its budget."""
    return bool(trace.actions) and trace.actions[-1] == Move.STOP.value


def is_mission(trace: Trace) -> bool:
    """Is this an episode of sub-tasks in order?"""
    return bool(trace.episode.subtasks)


def fell(trace: Trace) -> bool:
    return any(event.kind == "fall" for event in trace.events)


def nothing_recorded(trace: Trace) -> bool:
    """The episode broke off before its first moment was measured."""
    return trace.status != "ok" and not trace.channels


def channel(trace: Trace, name: str) -> tuple[float, ...]:
    """The T+1 values of a channel; a one-line ``RunError`` where the trace does not have them."""
    values = trace.channels.get(name)
    whose = f"the trace of agent '{trace.key.agent}' in episode {trace.key.episode_id}"
    if values is None:
        raise RunError(
            f"{whose} has no channel '{name}', which missions are scored by; run it again"
        )
    if len(values) != len(trace.poses):
        raise RunError(
            f"{whose} has {len(values)} values in channel '{name}' for {len(trace.poses)} poses"
        )
    if any(math.isnan(value) for value in values):
        raise RunError(f"{whose} has a value in channel '{name}' that is not a number")
    return values


def done_at(trace: Trace) -> dict[int, int]:
    """Sub-tasks that were completed: index of the sub-task → the moment at which it was."""
    return _moments(trace, "subtask_done")


def decided_at(trace: Trace) -> dict[int, int]:
    """Sub-tasks that were completed, or can no longer be: index → the moment at which it was so."""
    return _moments(trace, "subtask_done", "subtask_failed")


def _moments(trace: Trace, *kinds: str) -> dict[int, int]:
    steps: dict[int, int] = {}
    for event in trace.events:
        index = event.data.get("index")
        if event.kind in kinds and isinstance(index, int):
            steps.setdefault(index, event.step + 1)
    return steps


def in_force_from(trace: Trace, index: int) -> int | None:
    """The moment from which a sub-task was in force: when the one before was completed; None
    where it never was."""
    return 0 if index == 0 else done_at(trace).get(index - 1)
