"""The type of an error, one of eight (CanTest, Table 3), by rules that can be looked up.

The first rule of a group that holds decides:

PE-2  a report with another name covers a thing that matters, or another thing is reported as it
PE-1  otherwise
ME-2  every label is there, but at another place (exchanged, invented) or in the wrong order
ME-1  otherwise
PL-3  the plan skips what must come first (a sub-task, a room, a landmark to pass)
PL-2  the robot goes round in circles
PL-1  otherwise
DE-1  always
"""

from __future__ import annotations

from collections import Counter

from navproof.diagnosis.capabilities import ErrorType
from navproof.diagnosis.oracles.memory import MemoryComparison
from navproof.diagnosis.oracles.perception import PerceivedFrame

__all__ = ["decision_type", "memory_type", "perception_type", "planning_type"]


def perception_type(sight: PerceivedFrame) -> ErrorType:
    """The type of error of a frame that was reported wrongly."""
    if sight.confused or sight.posing:
        return ErrorType.CONFUSED
    return ErrorType.CONFUSED if sight.made_up and not sight.missed else ErrorType.MISSED


def memory_type(recall: MemoryComparison) -> ErrorType:
    """The type of error of a memory that differs from what was perceived."""
    wanted = Counter(held.label for held in recall.expected)
    there = Counter(claim.label for claim in recall.claimed)
    is_all_there = all(there[label] >= n for label, n in wanted.items())
    return ErrorType.MISORDERED if is_all_there else ErrorType.FORGOTTEN


def planning_type(*, skips: bool, loops: bool) -> ErrorType:
    """The type of error of a plan that differs from the expert's."""
    if skips:
        return ErrorType.CONSTRAINT
    return ErrorType.LOOP if loops else ErrorType.DETOUR


def decision_type() -> ErrorType:
    """The type of error of an action that does not follow the plan."""
    return ErrorType.OFF_PLAN
