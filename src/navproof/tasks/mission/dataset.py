"""Suites of missions as files: episodes and an expert's demonstrations, scene by scene.

Each scene is made on its own, by any of several processes, and kept in ``scenes/`` as soon as it is
there: a run that was broken off goes on where it was, and a scene that cannot be made does not take
the others with it. The same suite gives the same files, whatever the number of processes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from navproof.core.errors import EpisodeError, NavproofError, RunError, SpecError
from navproof.core.processes import in_processes
from navproof.core.types import Episode
from navproof.tasks.episodes import read_episodes, write_episodes
from navproof.tasks.generate import generate_missions
from navproof.tasks.mission.demonstrations import (
    Demonstration,
    read_demonstrations,
    write_demonstrations,
)
from navproof.tasks.suites import SUITES, Suite, in_turn, suite_path

__all__ = ["MISSION_SUITES", "SuiteResult", "make_missions"]

MISSION_SUITES = ("missions", "missions-train")
"""The two splits that together are as large as OmniNavBench."""
SceneDone = Callable[[str, str], None]
"""Called with (scene, what went wrong or nothing) for every scene."""


@dataclass(frozen=True, slots=True)
class SuiteResult:
    """The episodes made of a suite; ``failed`` tells, by scene, why there are none."""

    suite: str
    wanted: int
    episodes: tuple[Episode, ...]
    demonstrations: tuple[Demonstration, ...]
    failed: dict[str, str]


@dataclass(frozen=True, slots=True)
class _Job:
    scene: str
    count: int
    seed: int
    target: Path  # of the episodes; the demonstrations lie beside

    @property
    def shown(self) -> Path:
        return self.target.with_name(self.target.name.replace(".jsonl", ".demonstrations.jsonl"))


def make_missions(
    name: str, folder: Path, workers: int = 1, scene_done: SceneDone | None = None
) -> SuiteResult:
    """Make a suite of missions in ``folder``, or what is missing of it: ``NAME.jsonl.gz`` (the
    episodes, as the suite has them), ``NAME.demonstrations.jsonl.gz`` and ``scenes/``. A complete
    suite is then also the one that ``load_suite`` finds."""
    suite = SUITES.get(name) if name in SUITES else None
    if suite is None or set(suite.tasks) != {"mission-v1"}:
        names = ", ".join(n for n in SUITES if n.startswith("missions"))
        raise SpecError(f"'{name}' is no suite of missions; there are {names}")
    if workers < 1:
        raise SpecError(f"workers must be at least 1, not {workers}")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise SpecError(f"{folder}: no folder can be made there ({error.strerror})") from None
    jobs = _jobs(suite, folder)
    failed: dict[str, str] = {}
    for scene, why in _all_done(jobs, workers):
        if why:
            failed[scene] = why
        if scene_done is not None:
            scene_done(scene, why)
    good = [job for job in jobs if job.scene not in failed]
    episodes = in_turn([read_episodes(job.target) for job in good])
    demonstrations = in_turn([read_demonstrations(job.shown) for job in good])
    write_episodes(folder / f"{name}.jsonl.gz", episodes)
    write_demonstrations(folder / f"{name}.demonstrations.jsonl.gz", demonstrations)
    if not failed:
        write_episodes(suite_path(suite), episodes)
    return SuiteResult(name, sum(job.count for job in jobs), episodes, demonstrations, failed)


def _jobs(suite: Suite, folder: Path) -> list[_Job]:
    """A scene's file has the name of the suite's own, which changes with what shapes it."""
    version = suite_path(suite).name.removesuffix(".jsonl.gz")
    jobs = []
    for part in suite.parts:
        for scene in part.scenes:
            target = folder / "scenes" / version / f"{scene.replace('/', '-')}.jsonl.gz"
            jobs.append(_Job(scene, part.per_scene, suite.seed, target))
    return jobs


def _all_done(jobs: Sequence[_Job], workers: int) -> Iterator[tuple[str, str]]:
    todo = [job for job in jobs if not _is_there(job)]
    yield from ((job.scene, "") for job in jobs if job not in todo)
    for index, result in in_processes(_made, todo, workers):
        try:
            why = result()
        except RunError as error:  # what it made is kept; the next time it goes on
            why = f"broke off ({error})"
        yield todo[index].scene, why


def _is_there(job: _Job) -> bool:
    try:
        is_complete = len(read_episodes(job.target)) == job.count
        return is_complete and len(read_demonstrations(job.shown)) == job.count
    except EpisodeError:
        return False


def _made(job: _Job) -> str:
    """Make a scene's missions; what went wrong, in a line, or nothing."""
    try:
        missions = generate_missions(job.scene, job.count, job.seed)
        write_demonstrations(job.shown, [m.demonstration for m in missions])
        write_episodes(job.target, [m.episode for m in missions])
    except NavproofError as error:
        return str(error)
    except Exception as error:  # one bad scene must not take the others with it
        return f"{type(error).__name__}: {' '.join(str(error).split())}"
    return ""
