"""What can be wrong with an episode in its scene, for tasks with goals at places: (field, what)."""

from __future__ import annotations

import itertools
import math
from collections.abc import Generator, Iterator

from navproof.core.types import Episode
from navproof.sim.protocol import Simulator, points
from navproof.tasks.draft import camera_m
from navproof.tasks.objectnav.viewpoints import REACH_M, box_distance_m, sees

__all__ = ["check_viewpoints", "check_way"]

_LENGTH_TOLERANCE_M = 0.05
_PATH_TOLERANCE = 1.02
_VIEWS_TRIED = 12


def check_way(sim: Simulator, episode: Episode) -> Generator[tuple[str, str], None, bool]:
    """The first goal can be reached, its distance is right, and the reference path is a shortest
    way to the last one. Returns whether it can be reached: without that, little else is true."""
    length = sim.geodesic(episode.start.point, points(episode.goals[0].positions))
    if not math.isfinite(length):
        yield "goals.0.positions", "cannot be reached from the start"
        return False
    if abs(length - episode.geodesic_m) > _LENGTH_TOLERANCE_M:
        yield "geodesic_m", f"is {episode.geodesic_m:.2f}, the scene says {length:.2f}"
    yield from _path(sim, episode, length + _later_legs_m(episode))
    return True


def _later_legs_m(episode: Episode) -> float:
    """Length of a tour beyond its first goal, as the tags tell it."""
    legs = (episode.tags.get(f"leg_{i}_m") for i in range(1, len(episode.goals)))
    return sum(leg for leg in legs if isinstance(leg, int | float))


def _path(sim: Simulator, episode: Episode, length: float) -> Iterator[tuple[str, str]]:
    path = episode.reference_path
    if len(path) < 2:
        yield "reference_path", "has fewer than two points"
        return
    if math.dist(path[0], episode.start.point) > 0.05:
        yield "reference_path", "does not begin at the start"
    if min(math.dist(path[-1], p) for p in episode.goals[-1].positions) > 0.1:
        yield "reference_path", "does not end at a goal position"
    for index, point in enumerate(path):
        if not sim.is_navigable(point):
            yield "reference_path", f"point {index} is not navigable"
            return
    walked = sum(math.dist(a, b) for a, b in itertools.pairwise(path))
    if walked > _PATH_TOLERANCE * length + 0.15 or walked < length / _PATH_TOLERANCE - 0.15:
        yield "reference_path", f"is {walked:.2f} m long, the shortest way {length:.2f} m"


def check_viewpoints(sim: Simulator, episode: Episode) -> Iterator[tuple[str, str]]:
    """All must be navigable and near an instance; an even sample of them must see one."""
    goal = episode.goals[0]
    things = [sim.scene.by_id[i] for i in goal.object_ids if i in sim.scene.by_id]
    if len(things) != len(goal.object_ids) or not things:
        yield "goals.0.object_ids", "name objects that the scene does not have"
        return
    if any(t.category != goal.category for t in things):
        yield "goals.0.object_ids", f"name objects that are no {goal.category}"
    height = camera_m(episode.task)
    stride = max(1, math.ceil(len(goal.positions) / _VIEWS_TRIED))
    for index, point in enumerate(goal.positions):
        where = f"goals.0.positions.{index}"
        near = [t for t in things if box_distance_m(t.box, point[0], point[1]) <= REACH_M + 1e-3]
        if not sim.is_navigable(point):
            yield where, "is not navigable"
        elif not near:
            yield where, f"is more than {REACH_M} m from every {goal.category}"
        elif index % stride == 0 and not any(sees(sim, point, t, height) for t in near):
            yield where, f"does not see a {goal.category}"
