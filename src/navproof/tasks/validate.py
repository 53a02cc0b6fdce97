"""Episodes against their scenes: is each one possible, and is what it says of the scene true?"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from navproof.core.errors import NavproofError
from navproof.core.types import Episode
from navproof.sim.embedded import EmbeddedSimulator
from navproof.sim.protocol import Simulator
from navproof.tasks.faults import check_way
from navproof.tasks.registry import TASKS
from navproof.tasks.settings import STANDARD, Settings
from navproof.world.scene import Scene

__all__ = ["Fault", "validate_episode", "validate_episodes"]


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
    settings: Settings = STANDARD,
) -> list[Fault]:
    """Every fault of every episode. ``load`` gives a scene by the name that episodes use; each
    scene is loaded once. By ``settings`` the episodes are played."""
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
            sim.load(scene, settings.spec(episode.task, episode.robot).robot)
            problems = list(validate_episode(sim, episode))
        except NavproofError as error:
            problems = [("scene", str(error))]
        faults += [(index, Fault(index + 1, episode.episode_id, f, w)) for f, w in problems]
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
    check = TASKS.get(episode.task).check or check_way
    yield from check(sim, episode)


def _in_doorway(scene: Scene, episode: Episode) -> bool:
    return any(math.dist(episode.start.point, d.centre) < d.width_m for d in scene.doors)
