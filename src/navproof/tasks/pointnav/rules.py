"""PointNav: go to a point whose distance and bearing the agent can read at every step.

Anderson et al. 2018, "On Evaluation of Embodied Navigation Agents"; settings of Habitat PointNav.
"""

from __future__ import annotations

from typing import final

from navproof.core.types import Episode
from navproof.tasks.stop_at_goal import StopAtGoal

__all__ = ["PointNav"]


@final
class PointNav(StopAtGoal):
    """Success: stop at most 0.2 m from the goal point, along the floor."""

    def _words(self, episode: Episode) -> str:
        return "Go to the goal point."

    def _category(self, episode: Episode) -> str | None:
        return None
