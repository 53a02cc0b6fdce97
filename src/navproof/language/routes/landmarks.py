"""Which things along a route are worth naming, and where they can be named truly."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np

from navproof.language.lexicon.describe import Description, describe
from navproof.language.routes.route import Route
from navproof.language.routes.views import NAMED_SHARE, NOTICED_SHARE, Views
from navproof.world.scene import Box, Scene, SceneObject

__all__ = ["Landmark", "footprint_distance_m", "passed", "towards"]

_NEVER = frozenset({"door", "window", "wall", "floor", "ceiling", "rug", "curtain", "blind"})
_NEAR_M = 2.2
_SIDE_MIN, _SIDE_MAX = math.radians(50), math.radians(130)
_AHEAD = math.radians(48)


@dataclass(frozen=True, slots=True)
class Landmark:
    """A thing that can be named at ``seen_m`` because it is then in view and described uniquely;
    ``at_m`` is where the path comes nearest to it."""

    thing: SceneObject
    description: Description
    side: Literal["left", "right", "ahead"]
    seen_m: float
    at_m: float
    weight: float


def footprint_distance_m(box: Box, x: float, y: float) -> float:
    """Horizontal distance from a point to the box; 0 inside."""
    dx, dy = x - box.centre[0], y - box.centre[1]
    c, s = math.cos(box.yaw), math.sin(box.yaw)
    u, v = abs(c * dx + s * dy), abs(-s * dx + c * dy)
    return math.hypot(max(0.0, u - box.size[0] / 2), max(0.0, v - box.size[1] / 2))


def nameable(thing: SceneObject) -> bool:
    """Large enough, and of a kind that people steer by."""
    size = max(thing.box.size)
    if thing.category in _NEVER or thing.position_kind in ("opening", "ceiling"):
        return False
    return size >= (0.45 if thing.position_kind == "floor" else 0.6)


def passed(route: Route, views: Views, rng: np.random.Generator) -> list[Landmark]:
    """Things that the path passes on one side, in view shortly before."""
    found: list[Landmark] = []
    for thing in route.scene.objects:
        if not nameable(thing):
            continue
        distances = [footprint_distance_m(thing.box, *route.at(s)[:2]) for s in route.samples]
        nearest = min(range(len(distances)), key=distances.__getitem__)
        at = route.samples[nearest]
        if distances[nearest] > _NEAR_M or at < 0.75 or at > route.length_m - 1.0:
            continue
        stay = route.stay_at(at)
        if stay.room != thing.room:
            continue
        side = _side(route, thing, at)
        if side is None:
            continue
        landmark = _named(route, views, rng, thing, side, at, max(0.0, stay.s0 - 0.5))
        if landmark is not None:
            found.append(landmark)
    return found


def _side(route: Route, thing: SceneObject, at: float) -> Literal["left", "right"] | None:
    """The side on which the thing is passed: the same from shortly before to shortly after."""
    x, y, _ = thing.box.centre
    angles = [route.bearing(s, x, y) for s in (at - 0.25, at, at + 0.25)]
    if not _SIDE_MIN <= abs(angles[1]) <= _SIDE_MAX:
        return None
    if any((a > 0) != (angles[1] > 0) for a in angles):
        return None
    after = route.bearing(min(at + 1.0, route.length_m), x, y)
    if (after > 0) != (angles[1] > 0) or abs(after) < math.radians(75):
        return None
    return "left" if angles[1] > 0 else "right"


def _named(
    route: Route,
    views: Views,
    rng: np.random.Generator,
    thing: SceneObject,
    side: Literal["left", "right", "ahead"],
    at: float,
    earliest: float,
) -> Landmark | None:
    """The place between 2.5 m and 0.5 m before where it is best seen, ahead and on that side."""
    x, y, _ = thing.box.centre
    best: tuple[float, float] | None = None
    for s in route.samples:
        if not max(earliest, at - 2.5) <= s <= at - 0.5:
            continue
        angle = route.bearing(s, x, y)
        if abs(angle) > _AHEAD:
            continue
        if side != "ahead" and (angle > 0) != (side == "left") and abs(angle) > math.radians(12):
            continue
        share = views.front(s).get(thing.id, 0.0)
        if share >= NAMED_SHARE and (best is None or share > best[0]):
            best = (share, s)
    if best is None:
        return None
    share, seen = best
    visible = rivals(route.scene, views, (seen, at))
    description = describe(thing, visible, route.scene, rng)
    if description is None:
        return None
    weight = math.sqrt(share) + 0.15 * min(1.0, max(thing.box.size))
    return Landmark(thing, description, side, seen, at, weight)


def rivals(scene: Scene, views: Views, places: tuple[float, ...]) -> list[SceneObject]:
    """Everything noticed ahead and to both sides from any of the places."""
    ids = {i for s in places for i, share in views.wide(s).items() if share >= NOTICED_SHARE}
    return [scene.by_id[i] for i in sorted(ids) if i in scene.by_id]


def towards(route: Route, views: Views, rng: np.random.Generator) -> list[Landmark]:
    """Things that the path heads for over at least 2 m: dead ahead, coming nearer, in view."""
    found: list[Landmark] = []
    limit = math.radians(14)
    for thing in route.scene.objects:
        if not nameable(thing):
            continue
        x, y, _ = thing.box.centre
        run: list[float] = []
        for s in route.samples:
            distance = footprint_distance_m(thing.box, *route.at(s)[:2])
            if abs(route.bearing(s, x, y)) <= limit and 0.6 <= distance <= 7.0:
                run.append(s)
            elif run and run[-1] - run[0] < 2.0:
                run = []
            elif run:
                break
        if not run or run[-1] - run[0] < 2.0 or run[-1] > route.length_m - 1.2:
            continue
        if route.stay_at(run[-1]).room != thing.room:
            continue
        end_gap = footprint_distance_m(thing.box, *route.at(run[-1])[:2])
        share = views.front(run[0]).get(thing.id, 0.0)
        if share < NAMED_SHARE or end_gap > 3.0:
            continue
        description = describe(thing, rivals(route.scene, views, (run[0],)), route.scene, rng)
        if description is not None:
            weight = math.sqrt(share)
            found.append(Landmark(thing, description, "ahead", run[0], run[-1], weight))
    return found
