"""A whole run: plan it, skip what is done, run the rest, score it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, Protocol

import navproof
from navproof.agents.address import is_address
from navproof.agents.declaration import Declaration
from navproof.core.codec import CodecError
from navproof.core.errors import NavproofError, RunError, SpecError
from navproof.core.files import TEMPORARY_SUFFIX
from navproof.core.lock import LOCK_NAME, locked
from navproof.core.registry import Origin, check_unchanged
from navproof.core.role import refuse_in_worker
from navproof.core.salt import learn_salts
from navproof.core.types import Episode
from navproof.log.clocks import clock_note
from navproof.log.folder import RunFolder, RunInfo
from navproof.log.manifest import MANIFEST
from navproof.log.shard import Shard
from navproof.log.trace import Trace, TraceKey
from navproof.log.unfollowed import unfollowed_notes
from navproof.metrics.catalogue import played, result_rows
from navproof.metrics.named import MetricLike, metric_set
from navproof.metrics.navigation.success import share_found
from navproof.play.abilities import skipped, skips_in_words
from navproof.play.jobs import MOST_ATTEMPTS, Job
from navproof.play.pool import COMPILING, Pool
from navproof.runner.fitting import check_clock, check_robots, choose_fitting
from navproof.runner.identity import (
    agent_code,
    declared_digest,
    describe,
    differences,
    hash_of,
    own_code,
    scene_digests,
    versions,
    whole_code,
)
from navproof.runner.plan import check_bodies, check_styles, choose, plan, task_specs
from navproof.runner.plugins import check_needed, plugins_of
from navproof.runner.rewriting import rewrite
from navproof.runner.spec import RunSpec
from navproof.runner.withheld import withheld_with
from navproof.sim.registry import SIMULATORS
from navproof.tasks.settings import STANDARD
from navproof.tasks.suites import Suite, find_pack, find_suite, load_suite, salted, suite_path
from navproof.tasks.suites.pack.read import Pack
from navproof.world.library import is_stored

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
    episodes: Sequence[Episode] | Suite | None = None,
    metrics: MetricLike | Iterable[MetricLike] = (),
    shard: Shard | None = None,
) -> RunFolder:
    """Run ``spec`` into the folder ``out`` and return it with its results written.

    If ``out`` holds an unfinished run of the same spec, only what is missing is run. A run of
    another spec there is a ``RunError`` that says what differs, unless ``fresh`` removes it.
    ``episodes`` (themselves, or a suite that is to be loaded) replaces the content of
    ``spec.suite``, which is then only a label.
    ``metrics`` are more metrics to score by, beside the built-in ones and those that the
    folder remembers. ``shard`` is the part of the run that is played here, by default all of it:
    it decides which episodes are played, and nothing of what comes out of them.
    """
    refuse_in_worker()
    progress = progress or _NoProgress()
    folder = RunFolder(out)
    pack = find_pack(spec.suite) if episodes is None else None
    settings = STANDARD if pack is None else pack.settings
    _refuse_foreign(folder.path)
    with locked(folder.path), _writing(folder.path), _pool(spec, folder, workers, pack) as pool:
        # What is there is read before any code of an agent runs, which could write it anew.
        ours = (own_code(), whole_code())
        there = None if fresh or not folder.exists else folder.info
        metric_choice = metric_set(metrics, (folder,), forget=fresh)
        if there is not None:
            folder.hold()
        check_robots(spec, settings)
        suite = episodes if isinstance(episodes, Suite) else spec.suite
        check_clock(spec)
        if pack is not None:
            pack.unpack()
            episodes = pack.episodes
        elif episodes is None or isinstance(episodes, Suite):
            episodes = _suite_at_hand(spec, suite)
        elif spec.salt is not None:
            raise SpecError("episodes that are given cannot be made anew with a salt")
        early = _early_digests(spec, episodes or ())
        declared = _declared(there, spec.agents) or pool.load_agents(spec.agents)
        if episodes is None:
            episodes = _made_suite(spec, suite, progress, workers)
        episodes = choose_fitting(
            spec, episodes, workers, progress.announce, lambda: _compile(progress), settings
        )
        check_styles(episodes, spec.conditions)
        tasks = task_specs(spec, episodes, settings)
        check_bodies(spec, episodes, tasks, settings)
        plugins = plugins_of(spec, episodes, tasks, settings)
        if pack is not None:
            check_needed(pack, plugins)
        codes = {agent: agent_code(agent, declared[agent]) for agent in spec.agents}
        scenes = scene_digests(spec.simulator, episodes, workers)
        scenes |= {scene: early[scene] for scene in scenes if scene in early}
        description = describe(spec, episodes, tasks, codes, scenes, pack)
        info = RunInfo(
            spec=description,
            spec_hash=hash_of(description),
            agents=spec.agents,
            episodes=tuple(e.episode_id for e in episodes),
            conditions=spec.conditions,
            seeds=spec.seeds,
            versions={
                **versions(package for code in codes.values() for package in code.installed),
                **({"confinement": ", ".join(pool.holds) or "none"} if there is None else {}),
            },
            tasks=tuple(e.task for e in episodes),
            skipped=skipped(declared, tasks, spec.conditions),
            metrics=metric_choice.recorded,
            declared={agent: one.as_plain() for agent, one in declared.items()},
            unfollowed={agent: code.unfollowed for agent, code in codes.items() if code.unfollowed},
            shard=shard,
        )
        assigned = set(info.assigned())
        if shard is not None and shard.count > len(info.planned()):
            raise SpecError(
                f"--shard {shard}: the run has {len(info.planned())} episodes, and no shard may be "
                "without any"
            )
        if there is None:
            folder.clear()
            folder.create(info)
            folder.hold()
        else:
            _refuse_other(folder.path, there, info)
            folder.clear_leftovers()
            info = replace(there, metrics=metric_choice.recorded)
        if shard is not None:
            progress.announce(f"shard {shard}: {len(assigned)} of {len(info.planned())} episodes")
        for line in (*unfollowed_notes(info), *skips_in_words(info.skipped), *clock_note(info)):
            progress.announce(line)
        jobs = [
            job
            for job in plan(spec, episodes, tasks, info.skipped, settings)
            if job.key in assigned
        ]
        done = _already_done(folder, jobs)
        waiting = [job for job in jobs if job.key not in done]
        progress.begin(len(jobs), done)
        files = {agent: declared_digest(agent, declared) for agent in spec.agents}
        pool.require(plugins, declared)
        for _ in range(MOST_ATTEMPTS):
            with _settled_where_it_ends(pool, folder, info):
                if waiting:
                    _play(spec, pool, waiting, folder, progress)
            pool.rest()  # no agent, and nothing that one started, sees results being written
            foreign, lost = folder.settle(info)
            for path in foreign:
                progress.announce(f"removed {path}, which this run did not write")
            lost_keys = set(lost)
            waiting = [job for job in jobs if job.key in lost_keys]
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
        if (now := scene_digests(spec.simulator, episodes, workers)) != scenes:
            changed = next(name for name in scenes if now[name] != scenes[name])
            raise RunError(f"{folder.path}: scene {changed} was changed while the run went on")
        if whole_code() != ours[1]:
            raise RunError(f"{folder.path}: navproof itself was changed while the run went on")
        _refuse_changed(folder.path, plugins, files, declared)
        rows = result_rows(folder.traces(), metric_choice.metrics)
        folder.write_results(rows)
        for line in (*metric_choice.complaints(), *_silent(spec, rows)):
            progress.announce(line)
    return folder


def _pool(spec: RunSpec, folder: RunFolder, workers: int, pack: Pack | None) -> Pool:
    """Where episodes are made with a salt, agents may read neither it, nor what is made with it
    (a packed suite, say), nor what is recorded of it or of earlier runs beside it."""
    withheld: list[Path] = []
    if pack is not None and pack.salt:
        if spec.in_process:
            raise SpecError(
                f"{pack.path} was made with a salt, and with --in-process agents could read it"
            )
        withheld = withheld_with(folder.path, [pack.path.absolute()])
    if spec.salt is not None:
        if pack is not None:
            raise SpecError(f"{pack.path} is packed: it cannot be made anew with a salt")
        learn_salts((spec.salt,))
        withheld = withheld_with(folder.path, filter(None, [spec.salt.file]))
    return Pool(
        workers,
        spec.limits,
        simulator=spec.simulator,
        beliefs=spec.beliefs,
        rewriter=spec.rewriter,
        in_process=spec.in_process,
        withheld=withheld,
    )


def _declared(there: RunInfo | None, agents: Sequence[str]) -> dict[str, Declaration] | None:
    """What the agents of a run that is there said of themselves when it began. Where their code is
    still the same, they would say it again."""
    if there is None or not set(agents) <= there.declared.keys():
        return None
    try:
        return {agent: Declaration.of_plain(there.declared[agent]) for agent in agents}
    except CodecError:
        return None


def _silent(spec: RunSpec, rows: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Agents for which the world waited, though it need not have: a line for each."""
    if spec.clock != "declared":
        return
    for agent in spec.agents:
        delays = [row["delay_s"] for row in played(rows) if row["agent"] == agent]
        if delays and not any(delays):
            yield (
                f"{agent} never said how long a decision took (Decision(action, took_s=…)), so the "
                "world waited for it"
            )


def _play(
    spec: RunSpec, pool: Pool, jobs: Sequence[Job], folder: RunFolder, progress: Progress
) -> None:
    """Play jobs and write what comes of them."""
    pool.load_agents(spec.agents)
    if pool.withheld and "files" not in pool.holds:
        progress.announce(
            "this system cannot keep agents from reading files (it has no Landlock): keep the salt "
            "or packed suite, the cache and the run folder out of their reach, under another user, "
            "say"
        )
    if spec.salt is not None and any(is_address(agent) for agent in spec.agents):
        progress.announce(
            "an agent on a server is not kept from reading files: the salt, the cache and the run "
            "folder must be out of its reach"
        )
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


@contextmanager
def _settled_where_it_ends(pool: Pool, folder: RunFolder, info: RunInfo) -> Iterator[None]:
    """A run that is interrupted here leaves nothing in its folder that others wrote into it: the
    one that goes on with it believes what it finds."""
    try:
        yield
    except BaseException:
        pool.rest()
        with suppress(OSError, RunError):  # a full disk, say, which is what is told
            folder.settle(info)
        raise


def _suite_at_hand(spec: RunSpec, name: str | Suite) -> tuple[Episode, ...] | None:
    """The episodes of a suite that need not be generated; None where they must be."""
    suite = find_suite(name)
    if suite is not None and spec.salt is not None:
        suite = salted(suite, spec.salt)
    if suite is not None and suite.parts and not suite_path(suite).is_file():
        return None
    return load_suite(name, salt=spec.salt)


def _early_digests(spec: RunSpec, episodes: Sequence[Episode]) -> dict[str, str]:
    """The digests of scenes that are there, before any code of an agent runs that could change
    them: of those that are played unless robots do not fit into some."""
    if not episodes or spec.simulator not in SIMULATORS.built_in():
        return {}
    first = choose(episodes, spec.episode_limit, spec.episode_skip)
    there = []
    with suppress(NavproofError):  # a scene that cannot be had is told when it is needed
        there = [episode for episode in first if is_stored(episode.scene)]
    return scene_digests(spec.simulator, there)


def _made_suite(
    spec: RunSpec, suite: str | Suite, progress: Progress, workers: int
) -> tuple[Episode, ...]:
    """The episodes of a suite that is not there yet, which takes a while: so the agents must be
    loaded before."""
    _compile(progress)
    progress.announce(f"making suite {spec.suite} (once; kept for the next run)")
    return load_suite(suite, progress.making, workers, spec.salt)


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
        if there.shard != info.shard:
            raise RunError(
                f"{path} holds {_part(there)} of this run, and this is {_part(info)}: choose "
                "another -o, and 'navproof merge' makes one run of several folders"
            )
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


def _part(info: RunInfo) -> str:
    return "the whole" if info.shard is None else f"shard {info.shard}"


def _refuse_changed(
    path: Path,
    plugins: Sequence[Origin],
    files: Mapping[str, str],
    declared: Mapping[str, Declaration],
) -> None:
    """Processes that started late may have loaded something else than the run describes."""
    try:
        check_unchanged(plugins)
        for agent, digest in files.items():
            if declared_digest(agent, declared) != digest:
                raise SpecError(f"a file that agent {agent} names has changed since the run began")
    except NavproofError as error:
        raise RunError(
            f"{path}: {error}; put it back and give the same command again, or begin with --fresh"
        ) from None


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
