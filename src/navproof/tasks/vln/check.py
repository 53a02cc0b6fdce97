"""VLN episodes against their scenes: the way, its goal's viewpoints, and every clause about it."""

from __future__ import annotations

from collections.abc import Iterator

from navproof.core.types import Episode
from navproof.language.routes.check import check_instruction
from navproof.sim.protocol import Simulator
from navproof.tasks.draft import camera_m
from navproof.tasks.faults import check_viewpoints, check_way

__all__ = ["check_vln"]


def check_vln(sim: Simulator, episode: Episode) -> Iterator[tuple[str, str]]:
    """(field, what is wrong); the simulator holds the episode's scene and VLN's robot."""
    if not (yield from check_way(sim, episode)):
        return
    if episode.goals[0].kind == "object":
        yield from check_viewpoints(sim, episode)
    words, path = episode.instruction, episode.reference_path
    if words is not None and path:
        height = camera_m(episode.task)
        for violation in check_instruction(sim, words, path, episode.start, height):
            yield "instruction", str(violation)
