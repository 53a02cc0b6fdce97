"""LangNav episodes with another goal, one alone, or one asked for by its kind.

They have one goal here, so that what a change led to can be told.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from navproof.core.seeding import rng
from navproof.core.types import Episode, Goal, Pose
from navproof.tasks.changes import Changes
from navproof.tasks.draft import Site
from navproof.tasks.langnav.fairness import broken_constraints
from navproof.tasks.langnav.goal_split import goal_categories_of, split_of
from navproof.tasks.langnav.make import draw_goal, langnav_episode
from navproof.tasks.retarget import goal_object
from navproof.world.scene import SceneObject

__all__ = ["changes"]


def changes() -> Changes:
    return Changes(goals=_goals, retarget=_retarget, first_goal=_first_goal, shorter=_shorter)


def _goals(site: Site) -> list[SceneObject]:
    kinds = goal_categories_of(split_of(site.ref))
    return [thing for thing in site.scene.objects if thing.category in kinds]


def _retarget(
    site: Site,
    episode: Episode,
    object_id: int,
    draw: np.random.Generator,
    start: Pose,
    plain: bool,
) -> Episode | None:
    """Words for another object are new, and plain ones if wanted."""
    same = object_id in episode.goals[-1].object_ids and not plain
    goal = episode.goals[-1] if same else draw_goal(site, draw, object_id, plain)
    return None if goal is None else _with_goal(site, episode.task, start, goal)


def _first_goal(site: Site, episode: Episode) -> Episode:
    alone = _with_goal(site, episode.task, episode.start, episode.goals[0])
    assert alone is not None, "the first goal alone keeps every rule that it kept among others"
    return replace(alone, episode_id=episode.episode_id, seed=episode.seed)


def _with_goal(site: Site, task: str, start: Pose, goal: Goal) -> Episode | None:
    sim = site.body(task)
    if not sim.is_navigable(start.point):
        return None
    if next(broken_constraints(sim, start.point, (goal,)), None) is not None:
        return None
    return langnav_episode(site, sim, 0, 0, task, start, (goal,))


def _shorter(site: Site, episode: Episode) -> Iterator[Episode]:
    """The goal asked for as "a mug" and no more; any instance counts then."""
    thing = goal_object(site.scene, episode)
    if thing is None:
        return
    draw = rng(episode.seed, episode.episode_id, "fuzz.shorten")
    shortened = _retarget(site, episode, thing.id, draw, episode.start, plain=True)
    if shortened is None or len(shortened.goals[0].text.split()) >= len(
        episode.goals[0].text.split()
    ):
        return
    yield replace(
        shortened, episode_id=episode.episode_id, seed=episode.seed, people=episode.people
    )
