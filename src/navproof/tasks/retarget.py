"""An episode with another goal or from another place: how test generation changes episodes.

What comes out is as valid as what the generators of a task make, with the same rules and by the
same makers. LangNav episodes have one goal here, so that what a change led to can be told.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from navproof.core.errors import SpecError
from navproof.core.types import Episode, Goal, Pose
from navproof.tasks.draft import Workshop, round_point, round_pose
from navproof.tasks.langnav.fairness import broken_constraints
from navproof.tasks.langnav.goal_split import goal_categories_of, split_of
from navproof.tasks.langnav.make import draw_goal, langnav_episode
from navproof.tasks.mission.make import make_mission
from navproof.tasks.objectnav.make import goal_categories, object_goal, objectnav_episode
from navproof.tasks.objectnav.viewpoints import box_distance_m
from navproof.tasks.specs import spec_for
from navproof.tasks.vln.make import describable, vln_episode
from navproof.world.scene import Scene, SceneObject

__all__ = [
    "RETARGETABLE",
    "Workshop",
    "draw_mission",
    "draw_pose",
    "goal_object",
    "goal_room",
    "possible_goals",
    "retarget",
    "single_goal",
]

RETARGETABLE = ("objectnav-v1", "vln-v1", "langnav-v1")
_MISSION_TRIES = 12


def goal_object(scene: Scene, episode: Episode) -> SceneObject | None:
    """The object that an episode ends at: of those that its last goal names, the nearest to the end
    of the reference path. None where the goal is no object."""
    x, y, _ = episode.reference_path[-1]
    things = [scene.by_id[i] for i in episode.goals[-1].object_ids if i in scene.by_id]
    return min(things, key=lambda t: (box_distance_m(t.box, x, y), t.id), default=None)


def goal_room(scene: Scene, episode: Episode) -> int | None:
    """The room that an episode ends in: that of its object, else that of its last point."""
    thing = goal_object(scene, episode)
    if thing is not None:
        return thing.room
    room = scene.room_at(*episode.reference_path[-1])
    return None if room is None else room.id


def possible_goals(shop: Workshop, task: str) -> tuple[SceneObject, ...]:
    """What an episode of the task could be about, in the order of ids. Not all can be reached."""
    scene = shop.scene
    if task == "vln-v1":
        found: Sequence[SceneObject] = describable(scene)
    else:
        langnav = task == "langnav-v1"
        kinds = goal_categories_of(split_of(shop.ref)) if langnav else goal_categories(scene)
        found = [thing for thing in scene.objects if thing.category in kinds]
    return tuple(sorted(found, key=lambda thing: thing.id))


def retarget(
    shop: Workshop,
    episode: Episode,
    object_id: int,
    draw: np.random.Generator,
    start: Pose | None = None,
    *,
    plain: bool = False,
) -> Episode | None:
    """The episode with an object as its goal, from where it started or from ``start``; None where
    the task's rules allow no such one (too near, out of reach, cannot be told).

    ObjectNav asks for the object's category, any instance of it. VLN is told anew; the robot stands
    where it stood and may face elsewhere. LangNav has this one goal; words for another object are
    new, and ``plain`` ones if wanted. People are left out, and the id is not yet its own.
    """
    task, pose = episode.task, episode.start if start is None else start
    if task == "objectnav-v1":
        goal = object_goal(shop, shop.scene.object(object_id).category)
        return None if goal is None else objectnav_episode(shop, 0, 0, pose, goal, {})
    if task == "vln-v1":
        views = shop.viewpoints(object_id)
        sim = shop.body(task)
        ends = tuple(p for p in views if sim.is_navigable(p))
        if not ends:
            return None
        return vln_episode(shop, 0, 0, draw, pose.point, ends, {object_id: views}, {})
    if task == "langnav-v1":
        same = object_id in episode.goals[-1].object_ids and not plain
        told = episode.goals[-1] if same else draw_goal(shop, draw, object_id, plain)
        return None if told is None else _langnav(shop, pose, told)
    raise SpecError(f"the goal of a {task} episode cannot be replaced; it can of {RETARGETABLE}")


def single_goal(shop: Workshop, episode: Episode) -> Episode:
    """A LangNav episode with the first of its goals alone, which nothing refers back from; any
    other episode as it is."""
    if episode.task != "langnav-v1" or len(episode.goals) == 1:
        return episode
    alone = _langnav(shop, episode.start, episode.goals[0])
    assert alone is not None, "the first goal alone keeps every rule that it kept among others"
    return replace(alone, episode_id=episode.episode_id, seed=episode.seed)


def draw_pose(shop: Workshop, task: str, draw: np.random.Generator) -> Pose:
    """A place to start from, anywhere."""
    point = round_point(shop.body(task).random_point(draw))
    return round_pose(point, float(draw.uniform(-math.pi, math.pi)))


def draw_mission(shop: Workshop, robot: str, seed: int) -> Episode | None:
    """A mission for a robot; None where a dozen tries gave none."""
    spec = spec_for("mission-v1", robot)
    camera = next(s.camera for s in spec.sensors if s.camera is not None)
    for attempt in range(_MISSION_TRIES):
        made = make_mission(shop, spec.robot, camera, seed, 0, attempt)
        if made is not None:
            return made.episode
    return None


def _langnav(shop: Workshop, start: Pose, goal: Goal) -> Episode | None:
    sim = shop.body("langnav-v1")
    if not sim.is_navigable(start.point):
        return None
    if next(broken_constraints(sim, start.point, (goal,)), None) is not None:
        return None
    return langnav_episode(shop, sim, 0, 0, "langnav-v1", start, (goal,))
