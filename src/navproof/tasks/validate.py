"""Episodes against their scenes: is each one possible, and is what it says of the scene true?"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from navproof.core.errors import NavproofError
from navproof.core.types import Episode
from navproof.language.routes.check import check_instruction
from navproof.sim.embedded import EmbeddedSimulator
from navproof.sim.protocol import Simulator, points
from navproof.tasks.draft import camera_m
from navproof.tasks.langnav.check import langnav_faults
from navproof.tasks.mission.check import mission_faults
from navproof.tasks.objectnav.viewpoints import REACH_M, box_distance_m, sees
from navproof.tasks.specs import spec_for
from navproof.world.scene import Scene

__all__ = ["Fault", "validate_episode", "validate_episodes"]

_LENGTH_TOLERANCE_M = 0.05
_PATH_TOLERANCE = 1.02
_VIEWS_TRIED = 12


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that is wrong with one episode; ``line`` is its place in the file, from 1."""

    line: int
    episode_id: str
    field: str
    what: str

    def __str__(self) -> str:
        return f"line {self.line}, {self.episode_id}: field '{self.field}': {self.what}"


def validate_episodes(
    episodes: Sequence[Episode],
    load: Callable[[str], Scene],
    progress: Callable[[int], None] | None = None,
) -> list[Fault]:
    """Every fault of every episode. ``load`` gives a scene by the name that episodes use; each
    scene is loaded once."""
    faults: list[tuple[int, Fault]] = []
    order = sorted(range(len(episodes)), key=lambda i: (episodes[i].scene, i))
    sim = EmbeddedSimulator()
    scene: Scene | None = None
    name = ""
    for done, index in enumerate(order):
        episode = episodes[index]
        try:
            if scene is None or name != episode.scene:
                scene, name = load(episode.scene), episode.scene
            sim.load(scene, spec_for(episode.task, episode.robot or None).robot)
            found = list(validate_episode(sim, episode))
        except NavproofError as error:
            found = [("scene", str(error))]
        faults += [(index, Fault(index + 1, episode.episode_id, f, w)) for f, w in found]
        if progress is not None:
            progress(done + 1)
    return [fault for _, fault in sorted(faults, key=lambda pair: pair[0])]


def validate_episode(sim: Simulator, episode: Episode) -> Iterator[tuple[str, str]]:
    """(field, what is wrong); the simulator holds the episode's scene and its task's robot."""
    if not sim.is_navigable(episode.start.point):
        yield "start", "the robot does not fit there"
        return
    if sim.scene.room_at(*episode.start.point) is None and not _in_doorway(sim.scene, episode):
        yield "start", "is in no room"
    if episode.subtasks:
        yield from mission_faults(sim, episode)
        return
    goals = points(episode.goals[0].positions)
    length = sim.geodesic(episode.start.point, goals)
    if not math.isfinite(length):
        yield "goals.0.positions", "cannot be reached from the start"
        return
    if abs(length - episode.geodesic_m) > _LENGTH_TOLERANCE_M:
        yield "geodesic_m", f"is {episode.geodesic_m:.2f}, the scene says {length:.2f}"
    yield from _path(sim, episode, length + _later_legs_m(episode))
    if episode.task == "langnav-v1":
        yield from langnav_faults(sim, episode)
    elif episode.goals[0].kind == "object":
        yield from _viewpoints(sim, episode)
    if episode.task == "vln-v1" and episode.instruction is not None and episode.reference_path:
        for violation in check_instruction(
            sim,
            episode.instruction,
            episode.reference_path,
            episode.start,
            camera_m(episode.task),
        ):
            yield "instruction", str(violation)


def _in_doorway(scene: Scene, episode: Episode) -> bool:
    return any(math.dist(episode.start.point, d.centre) < d.width_m for d in scene.doors)


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


def _viewpoints(sim: Simulator, episode: Episode) -> Iterator[tuple[str, str]]:
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
