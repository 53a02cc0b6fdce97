"""Episodes from scenes: ``generate_episodes`` for one task, ``generate_aligned`` for a pair."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from navproof.errors import EpisodeError, UnknownNameError
from navproof.registry import suggest
from navproof.tasks._draft import Workshop
from navproof.tasks._make_objectnav import make_objectnav
from navproof.tasks._make_pointnav import make_pointnav
from navproof.tasks.specs import SPECS
from navproof.types import Episode
from navproof.world.scene import Scene

__all__ = ["generate_episodes", "open_workshop", "task_id"]

T = TypeVar("T")
_TRIES_PER_EPISODE = 60


def task_id(name: str) -> str:
    """The versioned id of a task's name: "vln" → "vln-v1"; versioned ids pass unchanged."""
    short = {full.partition("-")[0]: full for full in SPECS}
    if name in SPECS:
        return name
    if name.lower() in short:
        return short[name.lower()]
    raise UnknownNameError(f"there is no task '{name}'{suggest(name, [*short, *SPECS])}")


def generate_episodes(
    task: str, scene: str | Scene, count: int, seed: int = 0
) -> tuple[Episode, ...]:
    """``count`` episodes of one task in one scene; the same arguments give the same episodes.

    ``scene`` is a scene id ("home/val/3"), the path of a scene file, or a loaded scene. Raises
    ``EpisodeError`` where the scene does not have that many.
    """
    full = task_id(task)
    shop = open_workshop(scene)
    makers: dict[str, Callable[[Workshop, int, int, int], Episode | None]] = {
        "pointnav-v1": make_pointnav,
        "objectnav-v1": make_objectnav,
    }
    return tuple(_repeat(makers[full], shop, count, seed, full))


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
) -> list[T]:
    """Try with fresh draws until each of ``count`` is made."""
    if count < 1:
        raise EpisodeError(f"cannot make {count} episodes; ask for at least 1")
    made: list[T] = []
    for index in range(count):
        for attempt in range(_TRIES_PER_EPISODE):
            one = maker(shop, seed, index, attempt)
            if one is not None:
                made.append(one)
                break
        else:
            raise EpisodeError(
                f"scene {shop.ref} gave only {len(made)} of {count} {what} episodes in "
                f"{_TRIES_PER_EPISODE} tries each; ask for fewer, or take a larger scene"
            )
    return made
