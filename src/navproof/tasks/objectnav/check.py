"""ObjectNav episodes against their scenes: the way, and what is seen from its viewpoints."""

from __future__ import annotations

from collections.abc import Iterator

from navproof.core.types import Episode
from navproof.sim.protocol import Simulator
from navproof.tasks.faults import check_viewpoints, check_way

__all__ = ["check_objectnav"]


def check_objectnav(sim: Simulator, episode: Episode) -> Iterator[tuple[str, str]]:
    """(field, what is wrong); the simulator holds the episode's scene and ObjectNav's robot."""
    if (yield from check_way(sim, episode)) and episode.goals[0].kind == "object":
        yield from check_viewpoints(sim, episode)
