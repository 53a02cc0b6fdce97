"""ObjectNav episodes with another category as their goal."""

from __future__ import annotations

import numpy as np

from navproof.core.types import Episode, Pose
from navproof.tasks.changes import Changes
from navproof.tasks.draft import Site
from navproof.tasks.objectnav.make import goal_categories, object_goal, objectnav_episode
from navproof.world.scene import SceneObject

__all__ = ["changes"]


def changes() -> Changes:
    return Changes(goals=_goals, retarget=_retarget, differ=_differ)


def _goals(site: Site) -> list[SceneObject]:
    kinds = goal_categories(site.scene)
    return [thing for thing in site.scene.objects if thing.category in kinds]


def _retarget(
    site: Site,
    episode: Episode,
    object_id: int,
    draw: np.random.Generator,
    start: Pose,
    plain: bool,
) -> Episode | None:
    """It asks for the object's category, any instance of it."""
    goal = object_goal(site, site.scene.object(object_id).category)
    return None if goal is None else objectnav_episode(site, 0, 0, start, goal, {})


def _differ(one: SceneObject, other: SceneObject) -> bool:
    return one.category != other.category
