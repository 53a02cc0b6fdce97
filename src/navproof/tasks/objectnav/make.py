"""ObjectNav episodes: any instance of a category counts, and all its viewpoints are stored."""

from __future__ import annotations

import math
from collections.abc import Mapping

from navproof.core.types import Episode, Goal, Instruction, Point, Pose, Scalar
from navproof.tasks.draft import Site, episode_id, episode_seed, round_point, round_pose
from navproof.tasks.objectnav.rules import objectnav_text
from navproof.tasks.specs import spec_for
from navproof.world.scene import Scene

__all__ = ["goal_categories", "make_objectnav", "object_goal", "objectnav_episode"]

_TASK = "objectnav-v1"
_MIN_M, _MAX_M = 1.0, 30.0
_MAX_INSTANCES = 6  # more of a kind are met without a search
_NEVER = frozenset({"door", "window", "rug", "curtain", "wall", "floor", "ceiling", "blind"})


def goal_categories(scene: Scene) -> tuple[str, ...]:
    """Categories worth searching for: things that stand, hang or lie, at most six of a kind."""
    counts: dict[str, int] = {}
    for thing in scene.objects:
        if thing.position_kind in ("floor", "on", "wall") and thing.category not in _NEVER:
            counts[thing.category] = counts.get(thing.category, 0) + 1
    return tuple(sorted(name for name, n in counts.items() if n <= _MAX_INSTANCES))


def object_goal(site: Site, category: str) -> Goal | None:
    """The goal "any instance of ``category``"; None where no instance has a viewpoint."""
    ids: list[int] = []
    views: list[Point] = []
    for thing in site.scene.objects:
        if thing.category == category and (viewpoints := site.viewpoints(thing.id)):
            ids.append(thing.id)
            views += [p for p in viewpoints if p not in views]
    if not ids:
        return None
    text = objectnav_text(category)
    return Goal("object", tuple(views), category, tuple(ids), text)


def make_objectnav(site: Site, seed: int, index: int, attempt: int) -> Episode | None:
    """One try: a category and a start at least 1 m away from every viewpoint, or None."""
    draw = site.stream(seed, f"{_TASK}.{index}", attempt)
    categories = goal_categories(site.scene)
    if not categories:
        return None
    category = categories[int(draw.integers(len(categories)))]
    goal = object_goal(site, category)
    if goal is None:
        return None
    start = round_point(site.body(_TASK).random_point(draw))
    pose = round_pose(start, float(draw.uniform(-math.pi, math.pi)))
    return objectnav_episode(site, seed, index, pose, goal, {})


def objectnav_episode(
    site: Site, seed: int, index: int, start: Pose, goal: Goal, tags: Mapping[str, Scalar]
) -> Episode | None:
    """The episode of a start and a goal; None where it is too near, too far or out of reach."""
    sim = site.body(_TASK)
    if not sim.is_navigable(start.point):
        return None
    length = sim.geodesic(start.point, goal.positions)
    if not _MIN_M <= length <= _MAX_M:
        return None
    path = sim.shortest_path(start.point, goal.positions)
    if not path:
        return None
    return Episode(
        episode_id=episode_id(_TASK, site.ref, seed, index),
        task=_TASK,
        scene=site.ref,
        start=start,
        goals=(goal,),
        geodesic_m=round(length, 4),
        reference_path=tuple(round_point(p) for p in path),
        budget_steps=spec_for(_TASK).budget_steps,
        seed=episode_seed(seed, site.ref, _TASK, index),
        instruction=Instruction(goal.text),
        tags=tags,
    )
