"""Suites: named sets of episodes, generated on first use, the same everywhere, kept on disk."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import zip_longest
from pathlib import Path
from typing import TypeAlias, TypeVar

from navproof import __version__
from navproof.core.cache import cache_dir
from navproof.core.errors import EpisodeError, UnknownNameError
from navproof.core.registry import suggest
from navproof.core.types import Episode
from navproof.tasks.episodes import read_episodes, write_episodes
from navproof.tasks.specs import SPECS, spec_hash

__all__ = [
    "SUITES",
    "Progress",
    "Suite",
    "SuitePart",
    "episodes_in",
    "in_turn",
    "load_suite",
    "suite_path",
]

GENERATOR_VERSION = 4
"""Raised whenever the same arguments would give other episodes."""
_MISSIONS_VERSION = 2
"""The same for missions, whose suites alone depend on it."""
T = TypeVar("T")
Progress = Callable[[int, int, str], None]
"""Called with (scenes done, scenes in all, scene at work)."""


@dataclass(frozen=True, slots=True)
class SuitePart:
    """``per_scene`` episodes of one task in each scene. ``aligned`` (VLN and ObjectNav): the pair
    of tasks with the same scene, start and goal object, ``per_scene`` of each. ``extended``
    (LangNav): goals with negation, anchors, sides and coreference."""

    tasks: tuple[str, ...]
    scenes: tuple[str, ...]
    per_scene: int
    aligned: bool = False
    extended: bool = False


@dataclass(frozen=True, slots=True)
class Suite:
    """What a suite holds; ``seed`` is the seed of its episodes."""

    name: str
    description: str
    parts: tuple[SuitePart, ...]
    seed: int = 1

    @property
    def scenes(self) -> tuple[str, ...]:
        """Every scene once, in the order of the parts."""
        return tuple(dict.fromkeys(s for part in self.parts for s in part.scenes))


Parts: TypeAlias = tuple[SuitePart, ...]


def _scenes(split: str, homes: int, each: int) -> tuple[str, ...]:
    kinds = ("office", "cafe", "shop", "clinic")
    commercial = tuple(f"{kind}/{split}/{i}" for i in range(each) for kind in kinds)
    return tuple(f"home/{split}/{i}" for i in range(homes)) + commercial


def _parts(scenes: tuple[str, ...], per_scene: int) -> Parts:
    return (
        SuitePart(("pointnav-v1",), scenes, per_scene),
        SuitePart(("vln-v1", "objectnav-v1"), scenes, per_scene, aligned=True),
    )


def _spread(
    scenes: tuple[str, ...], count: int, task_id: str = "langnav-v1", *, extended: bool = False
) -> Parts:
    """``count`` episodes of one task over the scenes, as evenly as it goes."""
    each, more = divmod(count, len(scenes))
    task = (task_id,)
    parts = (
        SuitePart(task, scenes[:more], each + 1, extended=extended),
        SuitePart(task, scenes[more:], each, extended=extended),
    )
    return tuple(part for part in parts if part.scenes)


def _aligned(scenes: tuple[str, ...], per_scene: int) -> Parts:
    """The same problems as VLN and as ObjectNav, as NavTrust compares them."""
    return (SuitePart(("vln-v1", "objectnav-v1"), scenes, per_scene, aligned=True),)


_MINI = ("home/val/0", "home/val/1", "office/val/0")
_TRUST = _aligned(_scenes("val", 13, 3), 2)
SUITES: Mapping[str, Suite] = {
    suite.name: suite
    for suite in (
        Suite("mini", "2 homes and an office, 12 episodes a task: minutes", _parts(_MINI, 4)),
        Suite(
            "val",
            "18 homes and 12 commercial spaces, 120 episodes a task",
            _parts(_scenes("val", 18, 3), 4),
        ),
        Suite(
            "test",
            "24 homes and 16 commercial spaces, 160 episodes a task",
            _parts(_scenes("test", 24, 4), 4),
        ),
        Suite("langnav-mini", "2 homes and an office, 12 LangNav episodes", _spread(_MINI, 12)),
        Suite(
            "langnav-val",
            "16 homes and 4 commercial spaces, 832 LangNav episodes, as many as the paper's",
            _spread(_scenes("val", 16, 1), 832),
        ),
        Suite(
            "langnav-test",
            "11 homes and 4 commercial spaces, 750 LangNav episodes, other goal categories",
            _spread(_scenes("test", 11, 1), 750),
        ),
        Suite(
            "langnav-ext-val",
            "as langnav-val, 200 episodes with negation, anchors, sides and coreference",
            _spread(_scenes("val", 16, 1), 200, extended=True),
        ),
        Suite(
            "langnav-ext-test",
            "as langnav-test, 200 episodes with negation, anchors, sides and coreference",
            _spread(_scenes("test", 11, 1), 200, extended=True),
        ),
        Suite(
            "missions-mini",
            "2 homes and an office, 9 missions, three for each robot",
            _spread(_MINI, 9, "mission-v1"),
        ),
        Suite(
            "missions",
            "42 homes and 16 commercial spaces, 592 missions, as many as the paper's test split",
            _spread(_scenes("test", 42, 4), 592, "mission-v1"),
        ),
        Suite(
            "missions-train",
            "84 homes and 28 commercial spaces, 1,187 missions, as many as the paper's train split",
            _spread(_scenes("train", 84, 7), 1187, "mission-v1"),
        ),
        Suite(
            "trust",
            "13 homes and 12 commercial spaces, 50 problems as VLN and as ObjectNav, clean and "
            "under every condition of NavTrust",
            _TRUST,
        ),
        Suite(
            "trust-sweep",
            "the problems of trust, each single corruption at intensities 0.25 to 1",
            _TRUST,
        ),
        Suite(
            "demo",
            "4 homes, 20 ObjectNav episodes, clean and under two conditions: minutes",
            (SuitePart(("objectnav-v1",), tuple(f"home/val/{i}" for i in range(4)), 5),),
        ),
        Suite(
            "trust-demo",
            "one home, 3 problems as VLN and as ObjectNav, clean and under five conditions: a look",
            _aligned(("home/val/0",), 3),
        ),
        Suite(
            "trust-mini",
            "2 homes and an office, 6 problems as VLN and as ObjectNav, clean and under nine "
            "conditions: a quarter of an hour",
            _aligned(_MINI, 2),
        ),
    )
}


def load_suite(name_or_path: str, progress: Progress | None = None) -> tuple[Episode, ...]:
    """The episodes of a suite by name, or of a ``.jsonl``/``.jsonl.gz`` file by path."""
    if name_or_path in SUITES:
        suite = SUITES[name_or_path]
        path = suite_path(suite)
        if path.is_file():
            try:
                return read_episodes(path)
            except EpisodeError:
                path.unlink()  # a damaged cache file is made again
        episodes = _generate(suite, progress)
        write_episodes(path, episodes)
        return episodes
    if name_or_path.endswith((".jsonl", ".jsonl.gz")) or Path(name_or_path).is_file():
        return read_episodes(name_or_path)
    hint = suggest(name_or_path, list(SUITES))
    raise UnknownNameError(f"there is no suite '{name_or_path}'{hint} (or give a .jsonl(.gz) file)")


def suite_path(suite: Suite) -> Path:
    """Where the suite's episodes are kept; the name changes with anything that shapes them."""
    from navproof.world.library import WORLD_VERSION

    tasks = sorted({task for part in suite.parts for task in part.tasks})
    settings = {
        "suite": asdict(suite),
        "specs": {task: spec_hash(SPECS[task]) for task in tasks},
        "generator": GENERATOR_VERSION,
        "world": WORLD_VERSION,
    }
    if "mission-v1" in tasks:
        settings["missions"] = _MISSIONS_VERSION
    digest = hashlib.sha256(json.dumps(settings, sort_keys=True).encode()).hexdigest()[:12]
    return cache_dir("suites", __version__) / f"{suite.name}-{digest}.jsonl.gz"


def episodes_in(suite: Suite, ref: str) -> tuple[Episode, ...]:
    """The suite's episodes in one of its scenes, generated now."""
    from navproof.tasks.generate import make_episodes, open_workshop

    shop = open_workshop(ref)
    return tuple(
        episode
        for part in suite.parts
        if ref in part.scenes
        for episode in make_episodes(
            shop, part.tasks, part.per_scene, suite.seed, part.aligned, part.extended
        )
    )


def in_turn(scenes: Sequence[Sequence[T]]) -> tuple[T, ...]:
    """The first of every scene, then the second ones, and so on."""
    rounds = zip_longest(*scenes)
    return tuple(one for several in rounds for one in several if one is not None)


def _generate(suite: Suite, progress: Progress | None) -> tuple[Episode, ...]:
    """Scene by scene (each is loaded once), then ordered by task as the parts are. A suite of one
    task goes through its scenes in turn, so that its first episodes are an even sample."""
    scenes = suite.scenes
    found: dict[str, tuple[Episode, ...]] = {}
    for done, ref in enumerate(scenes):
        if progress is not None:
            progress(done, len(scenes), ref)
        found[ref] = episodes_in(suite, ref)
    if progress is not None:
        progress(len(scenes), len(scenes), "")
    if len({task for part in suite.parts for task in part.tasks}) == 1:
        return in_turn(list(found.values()))
    return tuple(
        episode
        for part in suite.parts
        for task in part.tasks
        for ref in part.scenes
        for episode in found[ref]
        if episode.task == task
    )
