"""Where on the floor a goal counts as reached, as a mask on a plan.

The distances are straight: what lies behind a wall is inside a circle and none the less far away.
Where a sub-task names rooms, only these count; outside of all rooms nobody can stand.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from navproof.core.types import Episode, Goal
from navproof.metrics import VIEWPOINT_M
from navproof.world.drawing.canvas import footprint
from navproof.world.scene import Scene

__all__ = ["Area", "area_of", "mask_of", "targets_of"]

XY = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Area:
    """Within ``within_m`` of one of ``spots``, and in one of ``rooms`` (polygons) and within
    ``near_m`` of one of ``things`` (polygons), where there are any. ``person``: around whoever is
    to be followed, wherever she is."""

    within_m: float
    spots: tuple[XY, ...]
    rooms: tuple[tuple[XY, ...], ...] = ()
    things: tuple[tuple[XY, ...], ...] = ()
    near_m: float = 0.0
    person: str | None = None


def targets_of(episode: Episode) -> tuple[Goal, ...]:
    """The goals of an episode, or of its sub-tasks."""
    return tuple(subtask.goal for subtask in episode.subtasks) or episode.goals


def area_of(scene: Scene, episode: Episode, success_m: float, index: int) -> Area:
    """The area of the ``index``-th goal of an episode, as its task judges it."""
    goal = targets_of(episode)[index]
    spots = tuple((x, y) for x, y, _ in goal.positions)
    rooms = tuple(r.polygon for r in scene.rooms)
    if episode.subtasks:
        subtask = episode.subtasks[index]
        named = tuple(r.polygon for r in scene.rooms if r.id in subtask.rooms)
        return Area(subtask.within_m, spots, named or rooms, person=subtask.person)
    if len(episode.goals) > 1:  # goals in sequence: near the thing, and near where it is seen from
        boxes = [scene.by_id[i].box for i in goal.object_ids if i in scene.by_id]
        things = tuple(tuple(footprint(box)) for box in boxes)
        return Area(VIEWPOINT_M, spots, rooms, things, success_m)
    return Area(success_m, spots, rooms)


def mask_of(
    area: Area, pixel: Callable[[float, float], XY], scale: float, width: int, height: int
) -> NDArray[np.bool_]:
    """The area on a plan of ``scale`` pixels a metre; ``pixel`` is where a place of the world is
    on it."""
    mask = _near([[spot] for spot in area.spots], pixel, area.within_m * scale, width, height)
    if area.rooms:
        mask &= _near(area.rooms, pixel, 0.5, width, height)
    if area.things:
        mask &= _near(area.things, pixel, area.near_m * scale, width, height)
    return mask


def _near(
    shapes: Sequence[Sequence[XY]],
    pixel: Callable[[float, float], XY],
    reach: float,
    width: int,
    height: int,
) -> NDArray[np.bool_]:
    """All within ``reach`` pixels of a polygon (or of a point). The shapes may lie beside the
    plan."""
    edge = int(np.ceil(reach)) + 1
    far = np.full((height + 2 * edge, width + 2 * edge), 255, dtype=np.uint8)
    for shape in shapes:
        corners = [[round(c) + edge for c in pixel(x, y)] for x, y in shape]
        if len(corners) == 1:
            u, v = corners[0]
            if 0 <= v < far.shape[0] and 0 <= u < far.shape[1]:
                far[v, u] = 0
        else:
            cv2.fillPoly(far, [np.array(corners, dtype=np.int32)], 0)
    if far.all():  # nothing near this plan
        return np.zeros((height, width), dtype=bool)
    distance = cv2.distanceTransform(far, cv2.DIST_L2, cv2.DIST_MASK_PRECISE)
    return np.asarray(distance[edge : edge + height, edge : edge + width] <= reach)
