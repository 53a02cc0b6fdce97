"""The episodes of a suite: made on first use, and kept."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path

from navproof import __version__
from navproof.core.cache import cache_dir
from navproof.core.errors import EpisodeError, NavproofError, SpecError, UnknownNameError, one_line
from navproof.core.processes import in_processes
from navproof.core.salt import Salt, learn_salts
from navproof.core.seeding import derive
from navproof.core.types import Episode
from navproof.tasks.episodes import (
    episode_from_json,
    episode_to_json,
    read_episodes,
    write_episodes,
)
from navproof.tasks.registry import TASKS
from navproof.tasks.settings import STANDARD, Settings
from navproof.tasks.specs import spec_for, spec_hash
from navproof.tasks.suites.pack.read import SUFFIX, Pack, is_pack_name, open_pack
from navproof.tasks.suites.registry import SUITES, Suite, checked_suite
from navproof.tasks.suites.spread import in_turn

__all__ = [
    "GENERATOR_VERSION",
    "Progress",
    "episodes_in",
    "find_pack",
    "find_suite",
    "load_suite",
    "salted",
    "settings_of",
    "suite_path",
]

GENERATOR_VERSION = 4
"""Raised whenever the same arguments would give other episodes."""
_FILES = (".jsonl", ".jsonl.gz", SUFFIX)
_SHAPING = ("name", "description", "parts", "seed")
Progress = Callable[[int, int, str], None]
"""Called with (scenes done, scenes in all, scene at work)."""


def find_pack(name_or_path: str | Suite) -> Pack | None:
    """The packed suite in a file whose name ends in ``.suite``; None for any other suite."""
    if isinstance(name_or_path, Suite):
        return None
    if name_or_path in SUITES or not is_pack_name(name_or_path):
        return None
    return open_pack(name_or_path)


def settings_of(name_or_path: str | Suite) -> Settings:
    """The settings by which a suite's episodes are played."""
    pack = find_pack(name_or_path)
    return STANDARD if pack is None else pack.settings


def find_suite(name_or_path: str | Suite) -> Suite | None:
    """The suite of that name or reference, or the suite itself, checked; None for an episode file
    or a packed suite. ``UnknownNameError`` with a suggestion where it is none of these."""
    if isinstance(name_or_path, Suite):
        return checked_suite(name_or_path)
    is_file = name_or_path.endswith(_FILES) or Path(name_or_path).is_file()
    if name_or_path not in SUITES and is_file and not name_or_path.endswith(".py"):
        return None
    try:
        return SUITES.get(name_or_path)
    except UnknownNameError as error:
        raise UnknownNameError(f"{error} (or give a .jsonl(.gz) or .suite file)") from None


def load_suite(
    name_or_path: str | Suite,
    progress: Progress | None = None,
    workers: int = 1,
    salt: Salt | None = None,
) -> tuple[Episode, ...]:
    """The episodes of a suite (itself, or its name or reference), or of a ``.jsonl``/``.jsonl.gz``
    file or a packed suite by path; the scenes of the latter are put in their place (``settings_of``
    has its settings). A suite that is not there yet is made by so many processes, the same by any
    number. With a ``salt`` its scenes and episodes are others, which nobody can make who does not
    have it; a ``SpecError`` where there is nothing to be made."""
    pack, suite = find_pack(name_or_path), find_suite(name_or_path)
    if salt is not None:
        if suite is None or suite.episodes is not None:
            what = "an episode file" if suite is None else "a suite that a function returns"
            what = what if pack is None else "a packed suite"
            name = name_or_path.name if isinstance(name_or_path, Suite) else name_or_path
            raise SpecError(f"{name} is {what}: it cannot be made anew with a salt")
        learn_salts((salt,))
        suite = salted(suite, salt)
    if pack is not None:
        pack.unpack()
        return pack.episodes
    if suite is None:
        assert isinstance(name_or_path, str)
        return read_episodes(name_or_path)
    if suite.episodes is not None:
        return _returned(suite, suite.name if isinstance(name_or_path, Suite) else name_or_path)
    path = suite_path(suite)
    if path.is_file():
        try:
            return read_episodes(path)
        except EpisodeError:
            path.unlink()  # a damaged cache file is made again
    episodes = _generate(suite, progress, workers)
    write_episodes(path, episodes)
    return episodes


def salted(suite: Suite, salt: Salt) -> Suite:
    """The suite as it is made with a salt: as many episodes, in as many scenes, all of them others
    (but for scenes from files, which stay as they are)."""
    from navproof.world.library import salted_ref

    parts = tuple(
        replace(part, scenes=tuple(salted_ref(ref, salt) for ref in part.scenes))
        for part in suite.parts
    )
    seed = derive("suite", suite.seed, salt.key) & 0x7FFFFFFF
    return replace(suite, parts=parts, seed=seed, salt=salt.fingerprint)


def suite_path(suite: Suite) -> Path:
    """Where the suite's episodes are kept; the name changes with anything that shapes them."""
    from navproof.world.library import WITHHELD, WORLD_VERSION

    tasks = sorted(suite.tasks)
    about = asdict(suite)
    files = {ref: _digest_of(ref) for ref in suite.scenes if Path(ref).is_file()}
    settings = {
        "suite": {name: about[name] for name in _SHAPING},
        "specs": {task: spec_hash(spec_for(task)) for task in tasks},
        "generator": GENERATOR_VERSION,
        "world": WORLD_VERSION,
        **({"files": files} if files else {}),
    }
    versions = {task: version for task in tasks if (version := _maker_version(task))}
    if versions:
        settings["makers"] = versions
    digest = hashlib.sha256(json.dumps(settings, sort_keys=True).encode()).hexdigest()[:12]
    name = "".join(c if c.isalnum() or c in "-._" else "-" for c in suite.name)
    withheld = (WITHHELD, suite.salt) if suite.salt else ()
    return cache_dir(*withheld, "suites", __version__) / f"{name}-{digest}.jsonl.gz"


def _maker_version(task: str) -> int | str:
    """What tells that a task makes other episodes than before: its number, or its file's digest."""
    origin = TASKS.origin(task)
    return TASKS.get(task).maker_version if origin is None else origin.digest


def episodes_in(suite: Suite, ref: str) -> tuple[Episode, ...]:
    """The suite's episodes in one of its scenes, generated now."""
    from navproof.tasks.generate import make_episodes, open_site

    site = open_site(ref)
    return tuple(
        episode
        for part in suite.parts
        if ref in part.scenes
        for episode in make_episodes(
            site, part.tasks, part.per_scene, suite.seed, part.aligned, part.extended
        )
    )


def _generate(suite: Suite, progress: Progress | None, workers: int) -> tuple[Episode, ...]:
    """Scene by scene (each is loaded once), then ordered by task as the parts are. A suite of one
    task goes through its scenes in turn, so that its first episodes are an even sample."""
    scenes = suite.scenes
    found: dict[str, tuple[Episode, ...]] = {}
    if progress is not None:
        progress(0, len(scenes), scenes[0])
    for index, result in in_processes(partial(episodes_in, suite), scenes, workers):
        found[scenes[index]] = result()
        if progress is not None:
            waiting = next((ref for ref in scenes if ref not in found), "")
            progress(len(found), len(scenes), waiting)
    if len(suite.tasks) == 1:
        return in_turn([found[ref] for ref in scenes])
    return tuple(
        episode
        for part in suite.parts
        for task in part.tasks
        for ref in part.scenes
        for episode in found[ref]
        if episode.task == task
    )


def _returned(suite: Suite, name: str) -> tuple[Episode, ...]:
    """What the function of a suite returns, checked as a file of episodes is."""
    assert suite.episodes is not None
    what = f"suite '{name}'"
    try:
        returned = suite.episodes()
        given = list(returned) if isinstance(returned, Iterable) else [returned]
    except KeyboardInterrupt:
        raise
    except NavproofError as error:
        raise SpecError(f"{what}: {error}") from None
    except (Exception, SystemExit) as error:
        raise SpecError(f"{what}: its function failed: {one_line(error)}") from error
    for other in given:
        if not isinstance(other, Episode):
            raise SpecError(f"{what}: its function returns a {type(other).__name__}, no episode")
    if not given:
        raise SpecError(f"{what}: its function returns no episodes")
    return tuple(_plainly(e, f"{what}, episode {i}") for i, e in enumerate(given, start=1))


def _plainly(episode: Episode, where: str) -> Episode:
    """The episode as a file would give it back."""
    try:
        line = episode_to_json(episode)
    except (TypeError, ValueError) as error:
        raise EpisodeError(f"{where}: it cannot be written as JSON ({error})") from None
    return episode_from_json(line, where)


def _digest_of(path: str) -> str:
    return hashlib.sha256(Path(path).read_bytes()).hexdigest()[:12]
