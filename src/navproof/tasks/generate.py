"""Episodes from scenes: one task at a time, or VLN and ObjectNav aligned."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from navproof.core.errors import EpisodeError, SpecError, UnknownNameError
from navproof.core.registry import suggest
from navproof.core.types import Episode
from navproof.tasks.draft import Workshop
from navproof.tasks.langnav.make import make_extended_langnav, make_langnav
from navproof.tasks.mission.make import ROBOTS, Mission, make_mission
from navproof.tasks.objectnav.make import make_objectnav
from navproof.tasks.pointnav.make import make_pointnav
from navproof.tasks.specs import SPECS, spec_for
from navproof.tasks.vln.make import make_aligned, make_vln
from navproof.world.scene import Scene

__all__ = [
    "episodes_of_scene",
    "generate_aligned",
    "generate_episodes",
    "generate_missions",
    "make_episodes",
    "open_workshop",
    "task_id",
]

T = TypeVar("T")
_TRIES_PER_EPISODE = 80
_TRIES_PER_MISSION = 240
_ALIGNED = ("vln-v1", "objectnav-v1")


def task_id(name: str) -> str:
    """The versioned id of a task's name: "vln" → "vln-v1"; versioned ids pass unchanged."""
    short = {full.partition("-")[0]: full for full in SPECS}
    if name in SPECS:
        return name
    if name.lower() in short:
        return short[name.lower()]
    raise UnknownNameError(f"there is no task '{name}'{suggest(name, [*short, *SPECS])}")


def generate_episodes(
    task: str, scene: str | Scene, count: int, seed: int = 0, *, extended: bool = False
) -> tuple[Episode, ...]:
    """``count`` episodes of one task in one scene; the same arguments give the same episodes.

    ``scene`` is a scene id ("home/val/3"), the path of a scene file, or a loaded scene.
    ``extended`` is for LangNav: goals with negation, anchors, sides and coreference. Raises
    ``EpisodeError`` where the scene does not have that many.
    """
    return make_episodes(open_workshop(scene), (task_id(task),), count, seed, extended=extended)


def generate_aligned(scene: str | Scene, count: int, seed: int = 0) -> tuple[Episode, ...]:
    """``count`` VLN and ``count`` ObjectNav episodes in pairs that share start and goal object
    (and the tag ``aligned``): first all of VLN, then all of ObjectNav."""
    return make_episodes(open_workshop(scene), _ALIGNED, count, seed, aligned=True)


def make_episodes(
    shop: Workshop,
    tasks: Sequence[str],
    count: int,
    seed: int,
    aligned: bool = False,
    extended: bool = False,
) -> tuple[Episode, ...]:
    """``count`` episodes of each task in an opened scene, in the order of ``tasks``."""
    if count < 1:
        raise EpisodeError(f"cannot make {count} episodes; ask for at least 1")
    if aligned:
        if set(tasks) != set(_ALIGNED):
            raise SpecError("only VLN and ObjectNav together can be aligned")
        pairs = _repeat(make_aligned, shop, count, seed, "aligned")
        return tuple(e for task in tasks for pair in pairs for e in pair if e.task == task)
    if extended and set(tasks) != {"langnav-v1"}:
        raise SpecError("only LangNav has extended language")
    makers: dict[str, Callable[[Workshop, int, int, int], Episode | None]] = {
        "pointnav-v1": make_pointnav,
        "objectnav-v1": make_objectnav,
        "vln-v1": make_vln,
        "langnav-v1": make_extended_langnav if extended else make_langnav,
        "mission-v1": _mission_episode,
    }
    tries = {"mission-v1": _TRIES_PER_MISSION}
    return tuple(
        episode
        for task in tasks
        for episode in _repeat(
            makers[task], shop, count, seed, task, tries.get(task, _TRIES_PER_EPISODE)
        )
    )


def episodes_of_scene(
    tasks: Sequence[str], count: int, seed: int, aligned: bool, extended: bool, scene: str
) -> tuple[Episode, ...]:
    """``make_episodes`` in a scene by name: what a process is told to make."""
    return make_episodes(open_workshop(scene), tasks, count, seed, aligned, extended)


def generate_missions(scene: str | Scene, count: int, seed: int = 0) -> tuple[Mission, ...]:
    """``count`` missions, the robots taking turns, each with an expert's demonstration."""
    shop = open_workshop(scene)
    return tuple(_repeat(_mission, shop, count, seed, "mission", _TRIES_PER_MISSION))


def _mission(shop: Workshop, seed: int, index: int, attempt: int) -> Mission | None:
    spec = spec_for("mission-v1", ROBOTS[index % len(ROBOTS)])
    camera = next(s.camera for s in spec.sensors if s.camera is not None)
    return make_mission(shop, spec.robot, camera, seed, index, attempt)


def _mission_episode(shop: Workshop, seed: int, index: int, attempt: int) -> Episode | None:
    made = _mission(shop, seed, index, attempt)
    return None if made is None else made.episode


def open_workshop(scene: str | Scene) -> Workshop:
    """Load a scene for generation."""
    if isinstance(scene, Scene):
        return Workshop(scene, scene.id)
    from navproof.world.library import load_scene

    return Workshop(load_scene(scene), scene)


def _repeat(
    maker: Callable[[Workshop, int, int, int], T | None],
    shop: Workshop,
    count: int,
    seed: int,
    what: str,
    tries: int = _TRIES_PER_EPISODE,
) -> list[T]:
    """Try with fresh draws until each of ``count`` is made."""
    made: list[T] = []
    for index in range(count):
        for attempt in range(tries):
            one = maker(shop, seed, index, attempt)
            if one is not None:
                made.append(one)
                break
        else:
            raise EpisodeError(
                f"scene {shop.ref} gave only {len(made)} of {count} {what} episodes in "
                f"{tries} tries each; ask for fewer, or take a larger scene"
            )
    return made
