"""Confounding things: what an agent on its way to the goal may take for it.

VLATest's second operator, adapted as in CanTest's A.6: distractors on the way. Scenes are as they
are, so a case is confounded by its choice of goal: one with look-alikes near the route.
"""

from __future__ import annotations

import numpy as np

from navproof.core.types import Episode
from navproof.language.lexicon.terms import HYPERNYMS
from navproof.world.scene import Scene, SceneObject

__all__ = ["confounders", "look_alike"]

_NEAR_M = 2.5


def look_alike(one: SceneObject, other: SceneObject) -> bool:
    """Whether two things could be taken for each other: of one kind, of kinds that share
    a broader word, or of one colour and about as large."""
    if one.category == other.category:
        return True
    if any({one.category, other.category} <= covered for covered in HYPERNYMS.values()):
        return True
    colour = one.attributes.get("colour")
    if colour is None or colour != other.attributes.get("colour"):
        return False
    small, large = sorted((max(one.box.size), max(other.box.size)))
    return large <= 2.0 * small


def confounders(scene: Scene, episode: Episode, goal: SceneObject) -> tuple[int, ...]:
    """Ids of things within 2.5 m of the reference path that look like the goal and are none."""
    goals = {i for g in episode.goals for i in g.object_ids}
    path = np.asarray(episode.reference_path)[:, :2]
    found = []
    for thing in scene.objects:
        if thing.id in goals or not look_alike(goal, thing):
            continue
        centre = np.asarray(thing.box.centre[:2])
        if float(np.linalg.norm(path - centre, axis=1).min()) <= _NEAR_M:
            found.append(thing.id)
    return tuple(found)
