"""A whole run: plan it, skip what is done, run the rest, score it."""

from __future__ import annotations

import importlib.metadata
import platform
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Protocol

import navproof
from navproof.core.errors import RunError
from navproof.core.files import TEMPORARY_SUFFIX
from navproof.core.lock import LOCK_NAME, locked
from navproof.core.role import refuse_in_worker
from navproof.core.types import Episode
from navproof.log.folder import RunFolder, RunInfo
from navproof.log.manifest import MANIFEST
from navproof.log.trace import Trace, TraceKey
from navproof.metrics.catalogue import result_rows
from navproof.metrics.named import MetricLike, metric_set
from navproof.metrics.navigation.success import share_found
from navproof.play.abilities import skipped, skips_in_words
from navproof.play.jobs import MOST_ATTEMPTS, Job
from navproof.play.pool import COMPILING, Pool
from navproof.runner.fitting import check_robots, choose_fitting
from navproof.runner.plan import check_bodies, check_styles, plan, task_specs
from navproof.runner.plugins import plugins_of
from navproof.runner.rewriting import rewrite
from navproof.runner.spec import RunSpec, describe, differences, hash_of

__all__ = ["Progress", "run"]


class Progress(Protocol):
    """Is told how a run gets on."""

    def announce(self, text: str) -> None:
        """A line for the user, before the first episode."""

    def making(self, done: int, total: int, what: str) -> None:
        """A suite is being generated; so many of its scenes are done."""

    def begin(self, total: int, resumed: Mapping[TraceKey, float]) -> None:
        """So many episodes in all; ``resumed`` holds the share of goals found in those done."""

    def finished(self, trace: Trace) -> None:
        """One more is done."""


class _NoProgress:
    def announce(self, text: str) -> None: ...
    def making(self, done: int, total: int, what: str) -> None: ...
    def begin(self, total: int, resumed: Mapping[TraceKey, float]) -> None: ...
    def finished(self, trace: Trace) -> None: ...


def run(
    spec: RunSpec,
    out: Path | str,
    *,
    workers: int = 1,
    progress: Progress | None = None,
    fresh: bool = False,
    episodes: Sequence[Episode] | None = None,
    metrics: MetricLike | Iterable[MetricLike] = (),
) -> RunFolder:
    """Run ``spec`` into the folder ``out`` and return it with its results written.

    If ``out`` holds an unfinished run of the same spec, only what is missing is run. A run of
    another spec there is a ``RunError`` that says what differs, unless ``fresh`` removes it.
    ``episodes`` replaces the content of ``spec.suite``, which is then only a label.
    ``metrics`` are more metrics to score by, beside the built-in ones and those that the
    folder remembers.
    """
    refuse_in_worker()
    progress = progress or _NoProgress()
    folder = RunFolder(out)
    _refuse_foreign(folder.path)
    with locked(folder.path), _writing(folder.path):
        # What is there is read before any code of an agent runs, which could write it anew.
        there = None if fresh or not folder.exists else folder.info
        metric_choice = metric_set(metrics, (folder,), forget=fresh)
        if there is not None:
            folder.hold()
        check_robots(spec)
        if episodes is None:
            episodes = _load_suite(spec, progress, workers)
        episodes = choose_fitting(
            spec, episodes, workers, progress.announce, lambda: _compile(progress)
        )
        check_styles(episodes, spec.conditions)
        tasks = task_specs(spec, episodes)
        check_bodies(spec, episodes, tasks)
        description = describe(spec, episodes, tasks)
        info = RunInfo(
            spec=description,
            spec_hash=hash_of(description),
            agents=spec.agents,
            episodes=tuple(e.episode_id for e in episodes),
            conditions=spec.conditions,
            seeds=spec.seeds,
            versions=_versions(),
            tasks=tuple(e.task for e in episodes),
            metrics=metric_choice.recorded,
        )
        pool = partial(
            Pool,
            workers,
            spec.limits,
            simulator=spec.simulator,
            beliefs=spec.beliefs,
            rewriter=spec.rewriter,
            plugins=plugins_of(spec, episodes, tasks),
            in_process=spec.in_process,
        )
        if there is None:
            with pool() as first:
                declared = first.load_agents(spec.agents)
            info = replace(info, skipped=skipped(declared, tasks, spec.conditions))
            folder.clear()
            folder.create(info)
            folder.hold()
        else:
            _refuse_other(folder.path, there, info)
            folder.clear_leftovers()
            info = replace(there, metrics=metric_choice.recorded)
        jobs = plan(spec, episodes, tasks, info.skipped)
        for line in skips_in_words(info.skipped):
            progress.announce(line)
        done = _already_done(folder, jobs)
        waiting = [job for job in jobs if job.key not in done]
        progress.begin(len(jobs), done)
        for _ in range(MOST_ATTEMPTS):
            if waiting:
                _play(spec, pool, waiting, folder, progress)
            foreign, lost = folder.settle(info)
            for path in foreign:
                progress.announce(f"removed {path}, which this run did not write")
            waiting = [job for job in jobs if job.key in set(lost)]
            if not waiting:
                break
            progress.announce(
                f"{len(waiting)} traces were changed by something else while the run went on: "
                "they are played again"
            )
        else:
            raise RunError(
                f"{folder.path}: {len(waiting)} traces are changed by something else whenever they "
                f"are written (first: episode {waiting[0].key.episode_id} of "
                f"{waiting[0].key.agent}); keep agents away from the folder, and run again"
            )
        folder.write_results(result_rows(folder.traces(), metric_choice.metrics))
        for line in metric_choice.complaints():
            progress.announce(line)
    return folder


def _play(
    spec: RunSpec,
    make_pool: Callable[[], Pool],
    jobs: Sequence[Job],
    folder: RunFolder,
    progress: Progress,
) -> None:
    """Play jobs and write what comes of them."""
    with make_pool() as pool:
        pool.load_agents(spec.agents)
        if not pool.warm:
            progress.announce(COMPILING)
            pool.warm_up()
        if spec.rewriter is not None:
            rewrite(spec.rewriter, jobs, progress.announce)
        for outcome in pool.run(jobs):
            if outcome.printed:
                folder.write_log(outcome.job.key, outcome.printed)
            folder.write(outcome.result)
            progress.finished(outcome.result)


def _load_suite(spec: RunSpec, progress: Progress, workers: int) -> tuple[Episode, ...]:
    """The episodes. Before a suite is generated, which takes a while, the agents must load and
    the kernels be compiled."""
    from navproof.tasks.suites import find_suite, load_suite, suite_path

    name, suite = spec.suite, find_suite(spec.suite)
    if suite is not None and suite.parts and not suite_path(suite).is_file():
        with Pool(1, spec.limits, simulator=spec.simulator) as pool:
            pool.load_agents(spec.agents)
        _compile(progress)
        progress.announce(f"making suite {name} (once; kept for the next run)")
    return load_suite(name, progress.making, workers)


def _compile(progress: Progress) -> None:
    """Compile the kernels in this process, where they are not."""
    from navproof.play.warmup import is_warm, warm_up

    if not is_warm():
        progress.announce(COMPILING)
        warm_up()


def _refuse_foreign(path: Path) -> None:
    """Never mix a run into a folder of something else. One in which a run could not begin (the disk
    was full) is its own."""
    if not path.is_dir() or RunFolder(path).exists:
        return
    begun = {LOCK_NAME, MANIFEST, "traces"}
    for entry in path.iterdir():
        own = entry.name in begun or entry.name.endswith(TEMPORARY_SUFFIX)
        if not own or (entry.is_dir() and any(entry.iterdir())):
            raise RunError(f"{path} holds other files and is not a run folder; choose another -o")


@contextmanager
def _writing(path: Path) -> Iterator[None]:
    """A disk that is full, say, ends a run in one line."""
    try:
        yield
    except OSError as error:
        raise RunError(
            f"{path}: cannot be written ({error.strerror or error}); every episode that was "
            "finished is kept, and the same command goes on from there"
        ) from None


def _refuse_other(path: Path, there: RunInfo, info: RunInfo) -> None:
    """A run of another spec is never gone on with."""
    if there.spec_hash == info.spec_hash:
        return
    theirs, ours = str(there.spec.get("navproof", "")), navproof.__version__
    if theirs != ours:
        raise RunError(
            f"{path} holds a run of navproof {theirs}, and this is {ours}: results of two "
            "versions are never mixed; choose another -o, or add --fresh to replace it"
        )
    changes = differences(there.spec, info.spec)
    what = "; ".join(changes[:3]) or "other settings"
    raise RunError(
        f"{path} holds a run that differs ({what}); choose another -o, or add --fresh to replace it"
    )


def _already_done(folder: RunFolder, jobs: Sequence[Job]) -> dict[TraceKey, float]:
    """The share of goals found in every trace that is there, whole and readable; a damaged one is
    removed, to be run again."""
    statuses = {}
    for job in jobs:
        path = folder.trace_path(job.key)
        if not path.is_file():
            continue
        try:
            trace = folder.trace(job.key)
        except RunError:
            path.unlink()
            continue
        is_played = trace.status != "infrastructure"  # what the machine did is tried again
        if is_played and trace.key == job.key and trace.episode == job.episode:
            statuses[job.key] = share_found(trace)
        else:
            path.unlink()
    return statuses


def _versions() -> dict[str, str]:
    names = (
        *("numpy", "numba", "scipy", "opencv-python-headless", "onnxruntime", "pyarrow"),
        "mujoco-core",  # where it is installed: the physics tier
    )
    versions = {"navproof": navproof.__version__, "python": platform.python_version()}
    for name in names:
        try:
            versions[name] = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            continue
    return versions
