"""The four capabilities of an agent, and the eight types of error (CanTest, section 3 and Table 3).

Capabilities act in the order perception → memory → planning → decision. Each is judged and
corrected *given what it was handed* by those before it, so that one mistake is charged once.
"""

from __future__ import annotations

from enum import StrEnum

__all__ = ["PIPELINE", "Capability", "ErrorType"]


class Capability(StrEnum):
    """What an agent does at every step."""

    PERCEPTION = "perception"
    MEMORY = "memory"
    PLANNING = "planning"
    DECISION = "decision"

    @property
    def rank(self) -> int:
        """Its place in the pipeline, from 0: of two errors at one step the first is upstream."""
        return PIPELINE.index(self)


PIPELINE = tuple(Capability)


class ErrorType(StrEnum):
    """How a capability erred; the value is the paper's code."""

    MISSED = "PE-1"
    CONFUSED = "PE-2"
    FORGOTTEN = "ME-1"
    MISORDERED = "ME-2"
    DETOUR = "PL-1"
    LOOP = "PL-2"
    CONSTRAINT = "PL-3"
    OFF_PLAN = "DE-1"

    @property
    def capability(self) -> Capability:
        return _CAPABILITY[self.value[:2]]

    @property
    def said(self) -> str:
        """Its name for people."""
        return _SAID[self]


_CAPABILITY = {
    "PE": Capability.PERCEPTION,
    "ME": Capability.MEMORY,
    "PL": Capability.PLANNING,
    "DE": Capability.DECISION,
}
_SAID = {
    ErrorType.MISSED: "missed detection",
    ErrorType.CONFUSED: "object confusion",
    ErrorType.FORGOTTEN: "forgetting",
    ErrorType.MISORDERED: "wrong order or place",
    ErrorType.DETOUR: "detour",
    ErrorType.LOOP: "looping",
    ErrorType.CONSTRAINT: "violated constraint",
    ErrorType.OFF_PLAN: "action off the plan",
}
