"""Where the sub-tasks of a mission lead: rooms, landmarks, things, points, and back."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from navproof.core.types import Goal, Point, Pose, SubTask, SubTaskKind
from navproof.language.goals.goals import draw_descriptions, matches, say, unique_parts
from navproof.language.lexicon.nouns import article, room_noun
from navproof.sim.protocol import Simulator, points
from navproof.tasks.draft import Site, round_point
from navproof.tasks.langnav.views import border_points
from navproof.tasks.mission.completion import WITHIN_M
from navproof.tasks.objectnav.make import goal_categories
from navproof.world.scene import Room, Scene, SceneObject

__all__ = ["Leg", "called_room", "draw_leg"]

_NEAREST_M, _FARTHEST_M = 2.5, 14.0
_DRAWS = 12
_TENTH = 10.0


@dataclass(frozen=True, slots=True)
class Leg:
    """A sub-task, and the way to it from where the one before ended."""

    subtask: SubTask
    path: tuple[Point, ...]
    length_m: float


def draw_leg(
    kind: SubTaskKind,
    site: Site,
    sim: Simulator,
    start: Pose,
    here: Point,
    earlier: Sequence[SubTask],
    draw: np.random.Generator,
) -> Leg | None:
    """One try at a sub-task from ``here`` that differs from those ``earlier``; None for a
    follower's (which depends on time) and where there is none."""
    if kind == "goto_room":
        goal, rooms = _room(site, sim, here, draw)
    elif kind == "goto_landmark":
        goal, rooms = _landmark(site, sim, here, draw)
    elif kind == "goto_object":
        goal, rooms = _object(site, sim, here, draw)
    elif kind == "goto_point":
        goal, rooms = _point(sim, start, draw)
    elif kind == "return_to":
        goal, rooms = Goal("point", (start.point,)), ()
    else:
        return None
    if goal is None or any(_alike(goal, other.goal) for other in earlier):
        return None
    ends = points([p for p in goal.positions if not rooms or _room_at(site.scene, p) in rooms])
    length = sim.geodesic(here, ends) if ends else math.inf
    if not _NEAREST_M <= length <= _FARTHEST_M:
        return None
    path = tuple(round_point(p) for p in sim.shortest_path(here, ends))
    if len(path) < 2:
        return None
    return Leg(SubTask(kind, "", goal, WITHIN_M[kind], rooms=rooms), path, length)


def _room(
    site: Site, sim: Simulator, here: Point, draw: np.random.Generator
) -> tuple[Goal | None, tuple[int, ...]]:
    """A kind of room that one is not in. Any room of that kind will do; where there are several,
    the words say "a bedroom"."""
    inside = _room_at(site.scene, here)
    by_type: dict[str, list[Room]] = {}
    for room in site.scene.rooms:
        by_type.setdefault(room.type, []).append(room)
    kinds = [t for t, rooms in by_type.items() if inside not in [r.id for r in rooms]]
    if not kinds:
        return None, ()
    kind = kinds[int(draw.integers(len(kinds)))]
    points = [p for room in by_type[kind] if (p := _middle(sim, room, draw)) is not None]
    if not points:
        return None, ()
    goal = Goal("room", tuple(points), kind, text=called_room(site.scene, kind))
    return goal, tuple(room.id for room in by_type[kind])


def _middle(sim: Simulator, room: Room, draw: np.random.Generator) -> Point | None:
    """A place well inside a room where the robot fits: the one nearest to its middle."""
    x, y = np.asarray(room.polygon).T
    middle = float((x.min() + x.max()) / 2), float((y.min() + y.max()) / 2)
    tries = [middle] + [
        (float(draw.uniform(x.min(), x.max())), float(draw.uniform(y.min(), y.max())))
        for _ in range(40)
    ]
    fits = [
        point
        for u, v in sorted(tries, key=lambda p: math.dist(p, middle))
        if sim.is_navigable(point := round_point((u, v, 0.0)))
        and _room_at(sim.scene, point) == room.id
    ]
    return fits[0] if fits else None


def _landmark(
    site: Site, sim: Simulator, here: Point, draw: np.random.Generator
) -> tuple[Goal | None, tuple[int, ...]]:
    """A large thing, told apart from all others by its description."""
    scene = site.scene
    categories = goal_categories(scene)
    things = [
        o
        for o in scene.objects
        if o.category in categories and o.position_kind != "on" and max(o.box.size) >= 0.4
    ]
    for _ in range(_DRAWS if things else 0):
        thing = things[int(draw.integers(len(things)))]
        for description in draw_descriptions(scene, thing.id, draw, "unique", ()):
            if matches(description, scene, ()) != (thing.id,):
                continue
            ends = _around(sim, here, [thing])
            if not ends:
                break
            words = say(description, draw, unique_parts(description, scene, ()))
            goal = Goal("object", ends, thing.category, (thing.id,), words, description.facts())
            return goal, (thing.room,)
    return None, ()


def _object(
    site: Site, sim: Simulator, here: Point, draw: np.random.Generator
) -> tuple[Goal | None, tuple[int, ...]]:
    """Anything that a description fits: a category ("a mug"), or more than that ("a red mug on a
    desk"), of which there may be several."""
    scene = site.scene
    categories = goal_categories(scene)
    if not categories:
        return None, ()
    category = categories[int(draw.integers(len(categories)))]
    things = [o for o in scene.objects if o.category == category]
    thing = things[int(draw.integers(len(things)))]
    for description in draw_descriptions(scene, thing.id, draw, "any", ()):
        ids = matches(description, scene, ())
        ends = _around(sim, here, [scene.object(i) for i in ids])
        if ends:
            words = say(description, draw, unique_parts(description, scene, ()))
            return Goal("object", ends, category, ids, words, description.facts()), ()
    return None, ()


def _around(sim: Simulator, here: Point, things: Sequence[SceneObject]) -> tuple[Point, ...]:
    """Where one can stand beside any of the things."""
    points: dict[Point, None] = {}
    for thing in things:
        for point in border_points(sim, thing.box, here[2]):
            if sim.is_navigable(point) and math.isfinite(sim.geodesic(point, (here,))):
                points[round_point(point)] = None
    return tuple(points)


def _point(
    sim: Simulator, start: Pose, draw: np.random.Generator
) -> tuple[Goal | None, tuple[int, ...]]:
    """A place told by metres ahead and to the left of the start, to a tenth."""
    x, y, _ = sim.random_point(draw)
    c, s = math.cos(start.yaw), math.sin(start.yaw)
    ahead = round(((x - start.x) * c + (y - start.y) * s) * _TENTH) / _TENTH
    left = round(((y - start.y) * c - (x - start.x) * s) * _TENTH) / _TENTH
    point = round_point((start.x + ahead * c - left * s, start.y + ahead * s + left * c, start.z))
    if not sim.is_navigable(point):
        return None, ()
    return Goal("point", (point,), description={"ahead_m": ahead, "left_m": left}), ()


def called_room(scene: Scene, kind: str) -> str:
    """ "the kitchen"; "a bedroom" where the scene has several."""
    noun = room_noun(kind)
    several = sum(room.type == kind for room in scene.rooms) > 1
    return f"{article(noun)} {noun}" if several else f"the {noun}"


def _room_at(scene: Scene, point: Point) -> int | None:
    room = scene.room_at(*point)
    return None if room is None else room.id


def _alike(one: Goal, other: Goal) -> bool:
    if one.kind != other.kind:
        return False
    if one.kind == "point":
        return math.dist(one.positions[0], other.positions[0]) < 1.0
    return one.category == other.category
