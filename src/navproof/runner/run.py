"""A whole run: plan it, skip what is done, run the rest, score it."""

from __future__ import annotations

import importlib.metadata
import platform
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Protocol

import navproof
from navproof.core.errors import RunError
from navproof.core.lock import LOCK_NAME, locked
from navproof.core.types import Episode
from navproof.log.folder import RunFolder, RunInfo
from navproof.log.trace import Trace, TraceKey
from navproof.metrics.catalogue import result_rows
from navproof.metrics.named import MetricLike, metric_set
from navproof.metrics.navigation.success import share_found
from navproof.play.abilities import skipped, skips_in_words
from navproof.play.jobs import Job
from navproof.play.pool import COMPILING, Pool
from navproof.play.process import refuse_in_worker
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
    metric_choice = metric_set(metrics, (folder,), forget=fresh)
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
    )
    plugins = plugins_of(spec, episodes, tasks)
    with locked(folder.path):
        if fresh:
            folder.clear()
        _refuse_other(folder, info)
        folder.clear_leftovers()
        loaded = False
        with Pool(
            workers,
            spec.limits,
            simulator=spec.simulator,
            beliefs=spec.beliefs,
            rewriter=spec.rewriter,
            plugins=plugins,
        ) as pool:
            if not folder.exists:
                abilities = pool.load_agents(spec.agents)
                folder.create(replace(info, skipped=skipped(abilities, tasks, spec.conditions)))
                loaded = True
            folder.remember_metrics(metric_choice.recorded)
            skips = folder.info.skipped
            jobs = plan(spec, episodes, tasks, skips)
            for line in skips_in_words(skips):
                progress.announce(line)
            done = _already_done(folder, jobs)
            waiting = [job for job in jobs if job.key not in done]
            if waiting:
                if not loaded:
                    pool.load_agents(spec.agents)
                if not pool.warm:
                    progress.announce(COMPILING)
                    pool.warm_up()
                if spec.rewriter is not None:
                    rewrite(spec.rewriter, waiting, progress.announce)
            progress.begin(len(jobs), done)
            for outcome in pool.run(waiting):
                if outcome.printed:
                    folder.write_log(outcome.job.key, outcome.printed)
                folder.write(outcome.result)
                progress.finished(outcome.result)
        folder.write_results(result_rows(folder.traces(), metric_choice.metrics))
        for line in metric_choice.complaints():
            progress.announce(line)
    return folder


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
    """Never mix a run into a folder of something else."""
    if not path.is_dir() or RunFolder(path).exists:
        return
    if any(entry.name != LOCK_NAME for entry in path.iterdir()):
        raise RunError(f"{path} holds other files and is not a run folder; choose another -o")


def _refuse_other(folder: RunFolder, info: RunInfo) -> None:
    if not folder.exists:
        return
    there = folder.info
    if there.spec_hash == info.spec_hash:
        return
    theirs, ours = str(there.spec.get("navproof", "")), navproof.__version__
    if theirs != ours:
        raise RunError(
            f"{folder.path} holds a run of navproof {theirs}, and this is {ours}: results of two "
            "versions are never mixed; choose another -o, or add --fresh to replace it"
        )
    changes = differences(there.spec, info.spec)
    what = "; ".join(changes[:3]) or "other settings"
    raise RunError(
        f"{folder.path} holds a run that differs ({what}); "
        "choose another -o, or add --fresh to replace it"
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
        if trace.key == job.key and trace.episode == job.episode:
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
