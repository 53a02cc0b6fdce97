"""VLN: follow a route instruction to its end, in continuous space.

Anderson et al. 2018 (R2R) and Krantz et al. 2020 (R2R-CE).
"""

from __future__ import annotations

from typing import final

from navproof.core.errors import EpisodeError
from navproof.core.types import Episode
from navproof.tasks.stop_at_goal import StopAtGoal

__all__ = ["VLN"]


@final
class VLN(StopAtGoal):
    """Success: stop at most 3 m from the end of the reference path, along the floor.

    3 m is the threshold of R2R: it forgives an error of about one viewpoint of R2R's graph.
    """

    def _words(self, episode: Episode) -> str:
        if episode.instruction is None:
            raise EpisodeError(f"episode {episode.episode_id} has no instruction; VLN needs one")
        return episode.instruction.text

    def _category(self, episode: Episode) -> str | None:
        return None
