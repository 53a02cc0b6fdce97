"""Missions are a whole: another goal, start or robot makes another mission."""

from __future__ import annotations

from navproof.core.types import Episode
from navproof.tasks.changes import Changes
from navproof.tasks.draft import Site
from navproof.tasks.mission.make import mission_for

__all__ = ["changes"]

_TRIES = 12


def changes() -> Changes:
    return Changes(redraw=_redraw)


def _redraw(site: Site, robot: str, seed: int) -> Episode | None:
    """A mission for a robot; None where a dozen tries gave none."""
    for attempt in range(_TRIES):
        mission = mission_for(site, robot, seed, 0, attempt)
        if mission is not None:
            return mission.episode
    return None
