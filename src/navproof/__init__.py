"""navproof: find out whether a navigation agent can be trusted."""

from __future__ import annotations

from navproof.types import (
    Action,
    Answer,
    Beliefs,
    Decision,
    Detection,
    Move,
    Observation,
    Pose,
    TaskBrief,
    Velocity,
    Waypoints,
)

__all__ = [
    "Action",
    "Answer",
    "Beliefs",
    "Decision",
    "Detection",
    "Move",
    "Observation",
    "Pose",
    "TaskBrief",
    "Velocity",
    "Waypoints",
    "__version__",
]

__version__ = "0.1.0"
