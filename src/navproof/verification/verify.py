"""Verifying a run: what it wrote is there as it wrote it, and follows from the actions.

It proves that these actions give these scores. It does not prove that these agents chose them, or
that they did so without knowing the answers: for that, scenes and episodes must be withheld from
whoever wrote the agents (``--salt``).
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import navproof
from navproof.agents.limits import Limits
from navproof.core.errors import AgentError, NavproofError, RunError, SpecError
from navproof.log.actions import are_exact
from navproof.log.clocks import clock_note
from navproof.log.folder import RunFolder, RunInfo
from navproof.log.shard import shard_note
from navproof.log.storage import read_trace
from navproof.log.trace import Trace, TraceKey
from navproof.play.pool import COMPILING, Pool
from navproof.runner.identity import versions
from navproof.runner.plugins import check_as_played
from navproof.sim.registry import PHYSICS
from navproof.tasks.suites.pack.read import Pack
from navproof.verification.claims import Claims, in_words
from navproof.verification.job import Simulated, VerificationJob
from navproof.verification.packed import PackedRun
from navproof.verification.types import Progress, RunVerdict, TraceVerdict
from navproof.world.library import scene_digest

__all__ = ["Progress", "verify_run"]


class _NoProgress:
    def announce(self, text: str) -> None: ...
    def simulated(self, done: int, total: int) -> None: ...


def verify_run(
    folder: RunFolder,
    *,
    sample: int | None = None,
    workers: int = 1,
    progress: Progress | None = None,
    pack: Pack | None = None,
    allow_shard: bool = False,
) -> RunVerdict:
    """Verify a run, or ``sample`` of its traces drawn at random. The agents are not needed.
    ``pack`` is the packed suite that was played, where it is at hand: scenes, episodes and settings
    must then be those in it. ``allow_shard``: that a folder holds one shard of a run is no gap but
    a note. A ``RunError`` where the folder holds no run, a ``SpecError`` where it
    is one of another suite."""
    if sample is not None and sample < 1:
        raise SpecError(f"a sample holds at least one trace, got {sample}")
    info = folder.info
    planned = info.assigned()
    there = set(folder.keys())
    chosen = [key for key in planned if key in there]
    if sample is not None and sample < len(chosen):
        drawn = set(random.SystemRandom().sample(chosen, sample))
        chosen = [key for key in chosen if key in drawn]
    run = _Run(folder, info, pack)
    claims = Claims(folder, info, run.packed)
    claims.look_at_description()
    gaps, progress = list(run.gaps), progress or _NoProgress()
    part = shard_note(info)
    if not allow_shard:
        gaps += part
    if sample is None and (missing := len(planned) - len(chosen)):
        gaps.append(f"{missing} of {len(planned)} episodes have no trace")
    if not (folder.path / "results.parquet").is_file():
        gaps.append(f"there is no results.parquet: navproof score {folder.path} makes it")
    found: list[Simulated] = []
    if chosen and not run.gaps and not claims.has_foreign_code:
        try:
            found = run.simulated(chosen, workers, progress)
        except AgentError as error:  # no agent is loaded: it is the simulator's
            gaps.append(str(error))
        claims.compare(
            found, whole=len(chosen) == len(info.planned()), workers=workers, progress=progress
        )
    faults = [
        *run.faults(),
        *(f"a trace was not planned: {k}" for k in map(in_words, there.difference(planned))),
        *claims.faults,
    ]
    return RunVerdict(
        tuple(run.verdict(one) for one in found),
        len(planned),
        tuple(dict.fromkeys(faults)),
        tuple(dict.fromkeys((*gaps, *claims.gaps))),
        (*run.notes(found, claims), *(part if allow_shard else ())),
        folder.manifest.digest() if folder.has_manifest else "",
        str(info.shard or ""),
    )


class _Run:
    """A run that is being verified."""

    def __init__(self, folder: RunFolder, info: RunInfo, pack: Pack | None) -> None:
        self.folder, self.info, self.packed = folder, info, PackedRun(folder, info, pack)
        self._simulator = str(info.spec.get("simulator", "embedded"))
        self._digests = folder.manifest.digests() if folder.has_manifest else None
        self._rows = self._stored_rows()
        self._other_scenes = self._changed_scenes()

    @property
    def gaps(self) -> list[str]:
        """What keeps the run as a whole from being simulated here."""
        try:
            check_as_played(self.info.spec, str(self.folder.path))
        except NavproofError as error:
            return [str(error)]
        return []

    # -------------------------------------------------------------------------------- simulating
    def simulated(
        self, keys: Sequence[TraceKey], workers: int, progress: Progress
    ) -> list[Simulated]:
        scenes = self._scenes()
        heard = bool(self.info.spec.get("rewriter"))
        jobs = [
            VerificationJob(
                key,
                scenes.get(key.episode_id, ""),
                self.folder.trace_path(key).absolute(),
                heard,
                frozenset(self._other_scenes),
            )
            for key in keys
        ]
        found: dict[TraceKey, Simulated] = {}
        with Pool(min(workers, len(jobs)), Limits(), simulator=self._simulator) as pool:
            pool.load_agents(())
            if not pool.warm:
                progress.announce(COMPILING)
                pool.warm_up()
            for outcome in pool.run(jobs):
                found[outcome.job.key] = outcome.result
                progress.simulated(len(found), len(jobs))
        return [found[key] for key in keys]

    def _scenes(self) -> dict[str, str]:
        """The scene of each episode, so that a worker stays in one."""
        return {row["episode_id"]: row["scene"] for row in self._rows.values()}

    def _changed_scenes(self) -> dict[str, str]:
        """Scenes that are not here as the run had them, with the reason."""
        found = {}
        for scene, digest in dict(self.info.spec.get("scenes", {})).items():
            try:
                if scene_digest(scene) != digest:
                    found[scene] = f"scene {scene} is not the one that the run was played in"
            except NavproofError as error:
                found[scene] = str(error)
        return found

    def _stored_rows(self) -> dict[TraceKey, dict[str, Any]]:
        try:
            return {_key_of(row): row for row in self.folder.results(of_these_traces=False)}
        except RunError:
            return {}

    # ---------------------------------------------------------------------------------- verdicts
    def verdict(self, one: Simulated) -> TraceVerdict:
        """Of one trace."""
        refuted = one.damage or self._wrong_file(one)
        if one.difference is not None and not refuted:
            why = self._excuse(one)
            if why:
                return TraceVerdict(one.key, "unverifiable", f"{one.difference.what}; {why}")
        if one.difference is not None:
            refuted = "; ".join(filter(None, (refuted, one.difference.what)))
        if not refuted:
            refuted = self._wrong_row(one)
        if refuted:
            return TraceVerdict(one.key, "refuted", refuted)
        gap = one.failure or self._gap(one)
        if not gap and not one.was_simulated:
            gap = "it was not simulated"
        return TraceVerdict(one.key, "unverifiable" if gap else "verified", gap)

    def _wrong_file(self, one: Simulated) -> str:
        if self._digests is None:
            return ""
        name = self.folder.trace_path(one.key).relative_to(self.folder.path).as_posix()
        known = self._digests.get(name)
        if known == one.sha256:
            return ""
        return f"the file {'was changed after' if known else 'was not written by'} the run"

    def _wrong_row(self, one: Simulated) -> str:
        """Where ``results.parquet`` says something else than the trace gives."""
        stored = self._rows.get(one.key)
        if stored is None:
            return ""
        if one.row is None:
            return "it cannot be scored"
        for name, value in one.row.items():
            told = stored.get(name)
            if name in stored and not name.startswith("time_") and not _alike(told, value):
                return f"results.parquet has {name} = {told!r}, and the trace gives {value!r}"
        return ""

    def _excuse(self, one: Simulated) -> str:
        """Why a difference does not refute a trace; "" where nothing excuses it."""
        assert one.difference is not None
        if one.row is not None and one.episode is not None and one.trace_version < 2:
            trace = self._trace(one.key)
            if trace is not None and not are_exact(trace.actions, trace.trace_version):
                return "its actions were kept with six digits, which is too few to repeat them"
        if self._simulator == PHYSICS:
            return "physics need not come out alike on two machines"
        if one.navproof and one.navproof != navproof.__version__:
            return f"it was written by navproof {one.navproof}, and this is {navproof.__version__}"
        if one.difference.slight and (others := self._other_libraries()):
            return f"other libraries may calculate otherwise ({others})"
        return ""

    def _gap(self, one: Simulated) -> str:
        if one.status == "infrastructure":
            return "it was not played: the machine kept it from that"
        scene = one.episode.scene if one.episode is not None else ""
        return self._other_scenes.get(scene, "")

    def _trace(self, key: TraceKey) -> Trace | None:
        try:
            return read_trace(self.folder.trace_path(key))
        except RunError:
            return None

    def _other_libraries(self) -> str:
        now = versions()
        others = [
            f"{name} {then} there, {now[name]} here"
            for name, then in self.info.versions.items()
            if name in now and now[name] != then
        ]
        return ", ".join(others[:3])

    # ---------------------------------------------------------------------------------- the run
    def faults(self) -> Iterator[str]:
        """What refutes the run as a whole, whatever its traces."""
        info = self.info
        if self._digests is not None:
            try:
                self.folder.check_results(of_these_traces=False)  # rows are compared
            except RunError as error:
                yield str(error)
        planned = set(info.assigned())
        for key in self._rows.keys() - planned:
            yield f"results.parquet has a row that was not planned: {in_words(key)}"

    def notes(self, found: Sequence[Simulated], claims: Claims) -> Iterator[str]:
        """What a reader should know, whatever the verdict."""
        spec = self.info.spec
        yield from self.packed.notes()
        if claims.suite:
            taken = len(self.info.episodes)
            whole = f"all {taken}" if taken == claims.suite else f"{taken} of {claims.suite}"
            yield f"it holds {whole} episodes of suite '{spec.get('suite')}'"
        elif found:
            name = spec.get("suite")
            yield f"its episodes are compared with each other: '{name}' is no suite known here"
        if spec.get("salt") and claims.suite:
            yield f"salted ({spec['salt']}): scenes and episodes were made from that secret"
        yield from clock_note(self.info)
        if spec.get("in_process"):
            yield "agents shared a process with their judge (--in-process)"
        ended = sum(one.status not in ("ok", "infrastructure") for one in found)
        if ended:
            yield (
                f"{ended} episodes did not end by themselves (an agent failed, say): they were "
                "simulated as far as they went"
            )
        for task, known in sorted(dict(spec.get("tasks", {})).items()):
            if self.packed.standard(task) not in (None, known):
                yield f"{task} was played by other settings than its own (camera, sensors, robot …)"
        if spec.get("rewriter"):
            yield "a language model made the words of conditions: they are taken as recorded"
        if self._digests is None:
            yield "a run of an older version, without digests of its traces"


def _key_of(row: Mapping[str, Any]) -> TraceKey:
    return TraceKey(row["agent"], row["episode_id"], row["condition"], row["seed"])


def _alike(a: object, b: object) -> bool:
    if isinstance(a, float) and isinstance(b, float) and math.isnan(a) and math.isnan(b):
        return True
    return a == b
