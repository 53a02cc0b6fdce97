"""LangNav episodes against their scenes: words, objects, viewpoints and the paper's constraints."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import pairwise

from navproof.core.types import Episode, Goal
from navproof.language.goals.goals import check_goal
from navproof.language.goals.tags import tags_of
from navproof.sim.protocol import Simulator, points
from navproof.tasks.draft import camera_of
from navproof.tasks.faults import check_way
from navproof.tasks.langnav.fairness import broken_constraints
from navproof.tasks.langnav.goal_split import goal_categories_of, split_of
from navproof.tasks.langnav.views import REACH_M, small_view
from navproof.tasks.objectnav.viewpoints import box_distance_m, sees_level

__all__ = ["check_langnav"]

_VIEWS_TRIED = 12
_LENGTH_TOLERANCE_M = 0.05


def check_langnav(sim: Simulator, episode: Episode) -> Iterator[tuple[str, str]]:
    """(field, what is wrong); the simulator holds the episode's scene and LangNav's robot."""
    if not (yield from check_way(sim, episode)):
        return
    missing = [i for g in episode.goals for i in g.object_ids if i not in sim.scene.by_id]
    if missing:
        yield "goals", f"object {missing[0]} is not in the scene"
        return
    categories = goal_categories_of(split_of(episode.scene))
    before: tuple[int, ...] = ()
    for index, goal in enumerate(episode.goals):
        ids = goal.object_ids
        for problem in check_goal(goal.text, goal.description, sim.scene, ids, before):
            yield f"goals.{index}", problem
        if dict(goal.tags) != tags_of(goal.text):
            yield f"goals.{index}.tags", "are not what the words tell"
        if goal.category not in categories:
            yield f"goals.{index}.category", f"{goal.category} is no goal of this split"
        yield from _views(sim, index, goal)
        before = goal.object_ids
    for (i, one), (j, other) in pairwise(enumerate(episode.goals)):
        if one.text == other.text:
            yield f"goals.{j}.text", f"is the same as that of goal {i}"
    yield from broken_constraints(sim, episode.start.point, episode.goals)
    yield from _legs(sim, episode)


def _views(sim: Simulator, index: int, goal: Goal) -> Iterator[tuple[str, str]]:
    """All must be navigable and near an object; an even sample of them must see one, and every
    object must be seen from one of those near it."""
    things = [sim.scene.object(i) for i in goal.object_ids]
    camera = small_view(camera_of("langnav-v1"))
    stride = max(1, math.ceil(len(goal.positions) / _VIEWS_TRIED))
    visible_ids: set[int] = set()
    for number, point in enumerate(goal.positions):
        where = f"goals.{index}.positions.{number}"
        near = [t for t in things if box_distance_m(t.box, point[0], point[1]) <= REACH_M + 1e-3]
        if not sim.is_navigable(point):
            yield where, "is not navigable"
            continue
        if not near:
            yield where, f"is more than {REACH_M} m from every {goal.category}"
            continue
        if number % stride and all(t.id in visible_ids for t in near):
            continue
        visible = {t.id for t in near if sees_level(sim, point, t, camera)}
        if not visible:
            yield where, f"does not see a {goal.category}"
        visible_ids |= visible
    for thing in things:
        if thing.id not in visible_ids:
            yield f"goals.{index}.object_ids", f"object {thing.id} is seen from no viewpoint"


def _legs(sim: Simulator, episode: Episode) -> Iterator[tuple[str, str]]:
    """The lengths of the tour's later legs, from viewpoint to nearest viewpoint."""
    at = episode.start.point
    for index, goal in enumerate(episode.goals):
        views = points(goal.positions)
        length = sim.geodesic(at, views)
        path = sim.shortest_path(at, views)
        if not path:
            yield f"goals.{index}.positions", "cannot be reached from the goal before"
            return
        stated_m = episode.tags.get(f"leg_{index}_m") if index else episode.geodesic_m
        if not isinstance(stated_m, float | int) or abs(stated_m - length) > _LENGTH_TOLERANCE_M:
            yield f"tags.leg_{index}_m", f"is {stated_m}, the scene says {length:.2f}"
        at = path[-1]
