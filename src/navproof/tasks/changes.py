"""How episodes of a task may be changed: what test generation and diagnosis ask of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from navproof.core.types import Episode, Pose
from navproof.tasks.draft import Site
from navproof.world.scene import SceneObject

__all__ = ["Changes", "differ_by_id"]


def differ_by_id(one: SceneObject, other: SceneObject) -> bool:
    return one.id != other.id


@dataclass(frozen=True, slots=True)
class Changes:
    """A task's episodes can be changed in one of two ways, or not at all.

    ``goals`` are what an episode could be about, and ``retarget`` gives (opened scene, episode,
    object id, random numbers, start, plain words) the episode with that goal, or None where the
    rules allow no such one; ``first_goal`` keeps the first of several goals alone, and ``differ``
    says whether two things are two goals. ``redraw`` makes, from (opened scene, robot, seed),
    another episode altogether, for tasks whose episodes are a whole.

    ``shorter`` gives the episode in fewer words, true ones, the shortest first.
    """

    goals: Callable[[Site], Sequence[SceneObject]] | None = None
    retarget: (
        Callable[[Site, Episode, int, np.random.Generator, Pose, bool], Episode | None] | None
    ) = None
    redraw: Callable[[Site, str, int], Episode | None] | None = None
    first_goal: Callable[[Site, Episode], Episode] | None = None
    differ: Callable[[SceneObject, SceneObject], bool] = differ_by_id
    shorter: Callable[[Site, Episode], Iterator[Episode]] | None = None
