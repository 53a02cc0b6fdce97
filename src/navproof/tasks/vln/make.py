"""VLN episodes, alone or aligned with ObjectNav: a path to something that can be described."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from navproof.core.types import Episode, Goal, Point, Pose, Scalar
from navproof.language.routes.check import check_instruction
from navproof.language.routes.instruct import instruct
from navproof.language.routes.plan import tellable
from navproof.language.routes.route import Route
from navproof.tasks.draft import (
    Site,
    camera_m,
    episode_id,
    episode_seed,
    round_point,
    round_pose,
)
from navproof.tasks.objectnav.make import goal_categories, object_goal, objectnav_episode
from navproof.tasks.specs import spec_for
from navproof.world.scene import Scene, SceneObject

__all__ = ["describable", "make_aligned", "make_vln", "vln_episode"]

_TASK = "vln-v1"
_MIN_M, _MAX_M = 5.0, 25.0
_ONE_ROOM_ODDS = 0.1
_DOOR_GAP_M = 0.6
_STARTS = 30
_TELLINGS = 2


def make_vln(site: Site, seed: int, index: int, attempt: int) -> Episode | None:
    """One try: a describable object, a start 5–25 m away, mostly some rooms away; or None."""
    draw = site.stream(seed, f"{_TASK}.{index}", attempt)
    things = describable(site.scene)
    if not things:
        return None
    thing = things[int(draw.integers(len(things)))]
    views = site.viewpoints(thing.id)
    return _episode(site, seed, index, draw, views, {thing.id: views}, {})


def make_aligned(site: Site, seed: int, index: int, attempt: int) -> tuple[Episode, Episode] | None:
    """One try: a VLN and an ObjectNav episode with the same scene, start and goal object.

    The VLN path ends at the viewpoint of the category that is nearest to the start, so the object
    it is told to stop at is the one that ObjectNav's shortest path leads to.
    """
    draw = site.stream(seed, f"aligned.{index}", attempt)
    names = sorted({o.category for o in describable(site.scene)})
    if not names:
        return None
    goal = object_goal(site, names[int(draw.integers(len(names)))])
    if goal is None:
        return None
    views = {i: site.viewpoints(i) for i in goal.object_ids}
    name = f"{site.ref}#{seed}.{index}"
    vln = _episode(site, seed, index, draw, goal.positions, views, {"aligned": name})
    if vln is None:
        return None
    tags: dict[str, Scalar] = {"aligned": name, "object": vln.goals[0].object_ids[0]}
    twin = objectnav_episode(site, seed, index, vln.start, goal, tags)
    if twin is None or math.dist(twin.reference_path[-1], vln.reference_path[-1]) > 1.0:
        return None
    return vln, twin


def describable(scene: Scene) -> list[SceneObject]:
    """Things that one would tell a person to stop at."""
    categories = goal_categories(scene)
    return [
        o
        for o in scene.objects
        if o.category in categories and o.position_kind != "on" and max(o.box.size) >= 0.4
    ]


def _episode(
    site: Site,
    seed: int,
    index: int,
    draw: np.random.Generator,
    ends: tuple[Point, ...],
    views: Mapping[int, tuple[Point, ...]],
    tags: Mapping[str, Scalar],
) -> Episode | None:
    """A start, the shortest path to the nearest of ``ends``, and an instruction for it."""
    sim = site.body(_TASK)
    reachable = tuple(p for p in ends if sim.is_navigable(p))
    if not reachable:
        return None
    for attempt in range(_STARTS):
        start = round_point(sim.random_point(draw))
        rooms_wanted = 1 if draw.random() < _ONE_ROOM_ODDS else 2
        shortest = _MIN_M + (float(draw.uniform(0.0, 6.0)) if attempt < _STARTS // 2 else 0.0)
        if not shortest <= sim.geodesic(start, reachable) <= _MAX_M:
            continue
        episode = vln_episode(
            site, seed, index, draw, start, reachable, views, tags, rooms_wanted=rooms_wanted
        )
        if episode is not None:
            return episode
    return None


def vln_episode(
    site: Site,
    seed: int,
    index: int,
    draw: np.random.Generator,
    start: Point,
    ends: tuple[Point, ...],
    views: Mapping[int, tuple[Point, ...]],
    tags: Mapping[str, Scalar],
    *,
    rooms_wanted: int = 1,
) -> Episode | None:
    """The shortest path from a start to the nearest of ``ends``, which are navigable, and an
    instruction for it; None where that cannot be told truly. ``views`` are the viewpoints of the
    objects that the path may end at."""
    sim = site.body(_TASK)
    if _in_doorway(site, start):
        return None
    shortest = sim.shortest_path(start, ends)
    if not shortest:
        return None
    end = round_point(shortest[-1])
    length = sim.geodesic(start, (end,))
    path = tuple(round_point(p) for p in sim.shortest_path(start, (end,)))
    if len(path) < 2 or not _MIN_M <= length <= _MAX_M:
        return None
    route = Route(site.scene, path, 0.0)
    if len(route.stays) < rooms_wanted or not tellable(route):
        return None
    thing = site.scene.object(_seen_from(end, views))
    if route.stays[-1].room != thing.room:
        return None  # seen through a doorway: nobody would be sent there
    for _ in range(_TELLINGS):
        pose = _facing(route, draw)
        instruction = instruct(sim, path, pose.yaw, thing, camera_m(_TASK), draw)
        if instruction is None or check_instruction(sim, instruction, path, pose, camera_m(_TASK)):
            continue
        return Episode(
            episode_id=episode_id(_TASK, site.ref, seed, index),
            task=_TASK,
            scene=site.ref,
            start=pose,
            goals=(Goal("point", (end,), thing.category, (thing.id,)),),
            geodesic_m=round(length, 4),
            reference_path=path,
            budget_steps=spec_for(_TASK).budget_steps,
            seed=episode_seed(seed, site.ref, _TASK, index),
            instruction=instruction,
            tags={**tags, "rooms": len(route.stays), "object": thing.id},
        )
    return None


def _seen_from(end: Point, views: Mapping[int, tuple[Point, ...]]) -> int:
    """The object whose viewpoint the end is (the nearest viewpoint's, for rounding's sake)."""
    near = min((math.dist(p, end), i) for i, points in views.items() for p in points)
    return near[1]


def _in_doorway(site: Site, point: Point) -> bool:
    if site.scene.room_at(*point) is None:
        return True
    return any(math.dist(point, d.centre) < _DOOR_GAP_M for d in site.scene.doors)


def _facing(route: Route, draw: np.random.Generator) -> Pose:
    """Mostly along the path, else sideways or away from it."""
    ahead = route.first_turn
    style = draw.random()
    if style < 0.6 or any(t.s < 3.0 for t in route.turns):
        off = float(draw.uniform(-20, 20))
    elif style < 0.85:
        off = float(draw.uniform(65, 115)) * (1 if draw.random() < 0.5 else -1)
    else:
        off = float(draw.uniform(160, 200))
    return round_pose(route.points[0], ahead - math.radians(off))
