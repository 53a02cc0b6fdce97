"""navproof: find out whether a navigation agent can be trusted."""

from __future__ import annotations

import sys

from navproof.core.gym_ids import register_envs
from navproof.core.types import (
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

if "gymnasium" in sys.modules:  # gymnasium.make("navproof/ObjectNav-v1") then knows us
    register_envs(sys.modules["gymnasium"])
