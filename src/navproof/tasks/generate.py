"""Episodes from scenes: one task at a time, or VLN and ObjectNav aligned."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from navproof.core.errors import EpisodeError, SpecError
from navproof.core.types import Episode
from navproof.tasks.draft import Site
from navproof.tasks.kind import Maker, TaskKind
from navproof.tasks.mission.make import Mission, draw_mission
from navproof.tasks.registry import TASKS, task_id
from navproof.tasks.vln.make import make_aligned
from navproof.world.scene import Scene

__all__ = [
    "ALIGNED",
    "episodes_of_scene",
    "generate_aligned",
    "generate_episodes",
    "generate_missions",
    "make_episodes",
    "open_site",
]

T = TypeVar("T")
ALIGNED = ("vln-v1", "objectnav-v1")
"""The tasks of ``generate_aligned``, as NavTrust pairs them."""
_TRIES_PER_PAIR = 80


def generate_episodes(
    task: str, scene: str | Scene, count: int, seed: int = 0, *, extended: bool = False
) -> tuple[Episode, ...]:
    """``count`` episodes of one task in one scene; the same arguments give the same episodes.

    ``scene`` is a scene id ("home/val/3"), the path of a scene file, or a loaded scene.
    ``extended`` is for LangNav: goals with negation, anchors, sides and coreference. Raises
    ``EpisodeError`` where the scene does not have that many.
    """
    return make_episodes(open_site(scene), (task_id(task),), count, seed, extended=extended)


def generate_aligned(scene: str | Scene, count: int, seed: int = 0) -> tuple[Episode, ...]:
    """``count`` VLN and ``count`` ObjectNav episodes in pairs that share start and goal object
    (and the tag ``aligned``): first all of VLN, then all of ObjectNav."""
    return make_episodes(open_site(scene), ALIGNED, count, seed, aligned=True)


def make_episodes(
    site: Site,
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
        if set(tasks) != set(ALIGNED):
            raise SpecError("only VLN and ObjectNav together can be aligned")
        pairs = _repeat(make_aligned, site, count, seed, "aligned", _TRIES_PER_PAIR)
        return tuple(e for task in tasks for pair in pairs for e in pair if e.task == task)
    return tuple(
        episode
        for name in tasks
        for kind in (TASKS.get(name),)
        for episode in _of_kind(
            kind, _repeat(_maker(kind, extended), site, count, seed, name, kind.tries)
        )
    )


def _of_kind(kind: TaskKind, made: Sequence[Episode]) -> Sequence[Episode]:
    """What a task's maker gave; ``SpecError`` where something in it is not an episode of it."""
    for episode in made:
        if not isinstance(episode, Episode):
            raise SpecError(f"{kind.id}: make returned a {type(episode).__name__}, not an Episode")
        if episode.task != kind.id:
            raise SpecError(
                f"{kind.id}: make returned episode {episode.episode_id} of task '{episode.task}'"
            )
    return made


def episodes_of_scene(
    tasks: Sequence[str], count: int, seed: int, aligned: bool, extended: bool, scene: str
) -> tuple[Episode, ...]:
    """``make_episodes`` in a scene by name: what a process is told to make."""
    return make_episodes(open_site(scene), tasks, count, seed, aligned, extended)


def _maker(kind: TaskKind, extended: bool) -> Maker:
    if kind.make is None:
        raise SpecError(f"{kind.id} makes no episodes: give an episode file")
    if not extended:
        return kind.make
    if kind.extended is None:
        raise SpecError(f"{kind.id} has no extended language")
    return kind.extended


def generate_missions(scene: str | Scene, count: int, seed: int = 0) -> tuple[Mission, ...]:
    """``count`` missions, the robots taking turns, each with an expert's demonstration."""
    site, kind = open_site(scene), TASKS.get("mission-v1")
    return tuple(_repeat(draw_mission, site, count, seed, "mission", kind.tries))


def open_site(scene: str | Scene) -> Site:
    """Load a scene for generation."""
    if isinstance(scene, Scene):
        return Site(scene, scene.id)
    from navproof.world.library import load_scene

    return Site(load_scene(scene), scene)


def _repeat(
    maker: Callable[[Site, int, int, int], T | None],
    site: Site,
    count: int,
    seed: int,
    what: str,
    tries: int,
) -> list[T]:
    """Try with fresh draws until each of ``count`` is made."""
    results: list[T] = []
    for index in range(count):
        for attempt in range(tries):
            one = maker(site, seed, index, attempt)
            if one is not None:
                results.append(one)
                break
        else:
            raise EpisodeError(
                f"scene {site.ref} gave only {len(results)} of {count} {what} episodes in "
                f"{tries} tries each; ask for fewer, or take a larger scene"
            )
    return results
