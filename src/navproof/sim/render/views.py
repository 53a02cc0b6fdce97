"""Good places to look at a scene from: for pictures of it, not for evaluation."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from navproof.core.types import FIRST_OBJECT_ID, Camera, Frame, Pose
from navproof.sim.render.render import Renderer
from navproof.world.scene import Room, Scene, SceneObject

__all__ = ["View", "choose_views"]

_PROBE = Camera(width=72, height=54, hfov_deg=90.0, height_m=1.4)
_YAWS = 16
_STEP_M = 0.45
_CLEAR_M = 0.35
_PLACES = 14  # tried per room
_MOST_TRIED = 10_000  # of which these are taken; in a room of more than 2,000 m² they lie wider


@dataclass(frozen=True, slots=True)
class View:
    """A pose, the room that it is in, and how much there is to see (for ordering)."""

    pose: Pose
    room: Room
    score: float


def choose_views(scene: Scene, count: int = 4, renderer: Renderer | None = None) -> list[View]:
    """Up to ``count`` views across furnished rooms, different rooms first, best rooms first.

    Each room is tried from free places near its walls; a view scores by how many things of the
    room it shows, each at a fair size, and by how far one sees.
    """
    eye = renderer or Renderer(scene)
    ranked = [_best_views(scene, room, eye) for room in scene.rooms]
    ranked = sorted((r for r in ranked if r), key=lambda r: (-r[0].score, r[0].room.id))
    chosen: list[View] = []
    for turn in range(count):
        left = count - len(chosen)
        chosen += [views[turn] for views in ranked if len(views) > turn][:left]
    return chosen


def _best_views(scene: Scene, room: Room, eye: Renderer) -> list[View]:
    """The room's best views, best first, of clearly different directions."""
    things = [o for o in scene.objects if o.room == room.id]
    elevation = scene.storeys[room.storey].elevation_m
    found = []
    for x, y in _places(scene, room, things):
        for k in range(_YAWS):
            pose = Pose(x, y, elevation, round(-math.pi + (k + 1) * 2 * math.pi / _YAWS, 6))
            frame = eye.render(_PROBE, pose)
            found.append(View(pose, room, _score(frame, things)))
    found.sort(key=lambda v: -v.score)
    apart: list[View] = []
    for view in found:
        if all(abs(math.remainder(view.pose.yaw - v.pose.yaw, math.tau)) > 1.2 for v in apart):
            apart.append(view)
    return apart


def _places(scene: Scene, room: Room, things: Sequence[SceneObject]) -> list[tuple[float, float]]:
    """Free standing places of a room, those nearest its corners first."""
    xs, ys = [p[0] for p in room.polygon], [p[1] for p in room.polygon]
    solid = [o.box for o in things if o.position_kind != "opening"]
    solid = [b for b in solid if b.centre[2] - b.size[2] / 2 < 1.5]
    solid = [b for b in solid if b.centre[2] + b.size[2] / 2 > 0.1]
    places = []
    width, depth = max(xs) - min(xs), max(ys) - min(ys)
    step = max(_STEP_M, math.sqrt(width * depth / _MOST_TRIED))
    for i in range(math.ceil(width / step)):
        for j in range(math.ceil(depth / step)):
            x, y = min(xs) + (i + 0.5) * step, min(ys) + (j + 0.5) * step
            if not all(
                scene.room_at(x + _CLEAR_M * dx, y + _CLEAR_M * dy) == room
                for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1))
            ):
                continue
            free = True
            for box in solid:
                c, s = math.cos(box.yaw), math.sin(box.yaw)
                dx, dy = x - box.centre[0], y - box.centre[1]
                a, b = (
                    abs(c * dx + s * dy) - box.size[0] / 2,
                    abs(c * dy - s * dx) - box.size[1] / 2,
                )
                tall = box.centre[2] + box.size[2] / 2 > 1.0
                if max(a, b) < (_CLEAR_M + 0.25 if tall else _CLEAR_M):
                    free = False
                    break
            if free:
                places.append((round(x, 4), round(y, 4)))
    corner = [(x, y) for x, y in room.polygon]
    places.sort(key=lambda p: (min(math.dist(p, c) for c in corner), p))
    return places[:_PLACES]


def _score(frame: Frame, things: Sequence[SceneObject]) -> float:
    pixels = frame.instances.size
    ids, counts = np.unique(frame.instances, return_counts=True)
    share = {int(i): int(n) / pixels for i, n in zip(ids, counts, strict=True)}
    score = 0.0
    for thing in things:
        part = share.get(thing.id, 0.0)
        if part > 0.002 and thing.position_kind != "opening":
            score += min(1.0, math.sqrt(part / 0.06))
            score -= max(0.0, part - 0.25) * 8.0
    empty = sum(part for i, part in share.items() if i < FIRST_OBJECT_ID)
    depth: NDArray[np.float32] = frame.depth[frame.depth > 0]
    far = float(np.sort(depth)[len(depth) // 2]) if len(depth) else 0.0
    return score + min(far, 3.5) - 2.0 * max(0.0, empty - 0.6)
