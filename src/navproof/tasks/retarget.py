"""An episode with another goal or from another place: how test generation changes episodes.

What comes out is as valid as what the generators of a task make, with the same rules and by the
same makers. LangNav episodes have one goal here, so that what a change led to can be told.
"""

from __future__ import annotations

import math

import numpy as np

from navproof.core.errors import SpecError
from navproof.core.types import Episode, Pose
from navproof.tasks.changes import Changes
from navproof.tasks.draft import Site, round_point, round_pose
from navproof.tasks.objectnav.viewpoints import box_distance_m
from navproof.tasks.registry import TASKS
from navproof.world.scene import Scene, SceneObject

__all__ = [
    "Site",
    "changes_of",
    "draw_pose",
    "goal_object",
    "goal_room",
    "possible_goals",
    "retarget",
    "single_goal",
]


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


def changes_of(task: str) -> Changes:
    """How episodes of a task may be changed; nothing can be where the task does not say."""
    kind = TASKS.get(task)
    return Changes() if kind.changes is None else kind.changes()


def possible_goals(site: Site, task: str) -> tuple[SceneObject, ...]:
    """What an episode of the task could be about, in the order of ids. Not all can be reached."""
    goals = changes_of(task).goals
    return tuple(sorted(goals(site), key=lambda thing: thing.id)) if goals else ()


def retarget(
    site: Site,
    episode: Episode,
    object_id: int,
    draw: np.random.Generator,
    start: Pose | None = None,
    *,
    plain: bool = False,
) -> Episode | None:
    """The episode with an object as its goal, from where it started or from ``start``; None where
    the task's rules allow no such one (too near, out of reach, cannot be told). ``plain`` asks for
    words that say its kind and no more, where the task has words. People are left out, and the id
    is not yet its own."""
    change = changes_of(episode.task).retarget
    if change is None:
        raise SpecError(f"the goal of a {episode.task} episode cannot be replaced")
    pose = episode.start if start is None else start
    return change(site, episode, object_id, draw, pose, plain)


def single_goal(site: Site, episode: Episode) -> Episode:
    """An episode of several goals with the first of them alone, which nothing refers back from;
    any other episode as it is."""
    first = changes_of(episode.task).first_goal
    return episode if first is None or len(episode.goals) == 1 else first(site, episode)


def draw_pose(site: Site, task: str, draw: np.random.Generator) -> Pose:
    """A place to start from, anywhere."""
    point = round_point(site.body(task).random_point(draw))
    return round_pose(point, float(draw.uniform(-math.pi, math.pi)))
