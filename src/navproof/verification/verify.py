"""Verifying a run: what it wrote is there as it wrote it, and follows from the actions.

It proves that these actions give these scores. It does not prove that these agents chose them, or
that they did so without knowing the answers: for that, scenes and episodes must be withheld from
whoever wrote the agents (``--salt``).
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Protocol

import navproof
from navproof.agents.limits import Limits
from navproof.core.errors import AgentError, NavproofError, RunError, SpecError
from navproof.core.salt import salt_called
from navproof.core.types import Episode
from navproof.corruptions.condition import parse_condition
from navproof.language.missions.wordings import ORIGINAL
from navproof.log.actions import are_exact
from navproof.log.folder import RunFolder, RunInfo
from navproof.log.storage import read_trace
from navproof.log.trace import Trace, TraceKey
from navproof.play.pool import COMPILING, Pool
from navproof.runner.identity import episodes_digest, hash_of, versions
from navproof.runner.plugins import check_as_played
from navproof.sim.registry import PHYSICS
from navproof.tasks.suites import SUITES, load_suite, salted, suite_path
from navproof.tasks.suites.pack.read import Pack
from navproof.verification.job import Simulated, VerificationJob
from navproof.verification.packed import PackedRun
from navproof.verification.types import RunVerdict, TraceVerdict
from navproof.world.library import scene_digest

__all__ = ["Progress", "verify_run"]


class Progress(Protocol):
    """Is told how a verification gets on."""

    def announce(self, text: str) -> None:
        """A line for the user."""

    def simulated(self, done: int, total: int) -> None:
        """So many traces are done."""


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
) -> RunVerdict:
    """Verify a run, or ``sample`` of its traces drawn at random. The agents are not needed.
    ``pack`` is the packed suite that was played, where it is at hand: scenes, episodes and settings
    must then be those in it. A ``RunError`` where the folder holds no run, a ``SpecError`` where it
    is one of another suite."""
    if sample is not None and sample < 1:
        raise SpecError(f"a sample holds at least one trace, got {sample}")
    info = folder.info
    planned = info.planned()
    there = set(folder.keys())
    chosen = [key for key in planned if key in there]
    if sample is not None and sample < len(chosen):
        drawn = set(random.SystemRandom().sample(chosen, sample))
        chosen = [key for key in chosen if key in drawn]
    run = _Run(folder, info, pack)
    gaps = list(run.gaps)
    if sample is None and (missing := len(planned) - len(chosen)):
        gaps.append(f"{missing} of {len(planned)} episodes have no trace")
    found: list[Simulated] = []
    if chosen and not run.gaps:
        try:
            found = run.simulated(chosen, workers, progress or _NoProgress())
        except AgentError as error:  # no agent is loaded: it is the simulator's
            gaps.append(str(error))
    faults = [
        *run.faults(),
        *(f"a trace was not planned: {k}" for k in map(_words, there.difference(planned))),
    ]
    faults += run.faults_among(found, whole=sample is None)
    gaps += run.gaps_in_settings
    return RunVerdict(
        tuple(run.verdict(one) for one in found),
        len(planned),
        tuple(faults),
        tuple(gaps),
        tuple(run.notes(found)),
        folder.manifest.digest() if folder.has_manifest else "",
    )


class _Run:
    """A run that is being verified."""

    def __init__(self, folder: RunFolder, info: RunInfo, pack: Pack | None) -> None:
        self.folder, self.info, self._packed = folder, info, PackedRun(folder, info, pack)
        self.gaps_in_settings: list[str] = []
        self._same_version = info.spec.get("navproof") == navproof.__version__
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
                scene := scenes.get(key.episode_id, ""),
                self.folder.trace_path(key).absolute(),
                heard,
                scene not in self._other_scenes,
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
            return {_key_of(row): row for row in self.folder.results()}
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
        if self._same_version and hash_of(info.spec) != info.spec_hash:
            yield "run.json was edited: its hash is not that of what it describes"
        if self._digests is not None:
            try:
                self.folder.check_results()
            except RunError as error:
                yield str(error)
        planned = set(info.planned())
        for key in self._rows.keys() - planned:
            yield f"results.parquet has a row that was not planned: {_words(key)}"

    def faults_among(self, found: Sequence[Simulated], *, whole: bool) -> Iterator[str]:
        """What refutes the run as a whole, by its traces; ``whole``: these are all."""
        tasks: Mapping[str, str] = self.info.spec.get("tasks", {})
        for one in found:
            if one.episode is None or one.episode.robot or one.episode.task not in tasks:
                continue
            if one.spec_hash != tasks[one.episode.task]:
                yield (
                    f"{_words(one.key)} was played by other settings of {one.episode.task} than "
                    "the run describes"
                )
                break
        episodes = self._episodes(found)
        known = self.info.spec.get("episodes")
        comparable = whole and self._same_version and known is not None
        if comparable and episodes is not None and episodes_digest(episodes) != known:
            yield "its episodes are not those that the run describes"
        if (self._same_version or self._packed.pack) and found:
            yield from self._not_of_the_suite(found)
        faults, self.gaps_in_settings = self._packed.other_settings(found)
        yield from faults

    def _episodes(self, found: Sequence[Simulated]) -> list[Episode] | None:
        """The run's episodes in order; None where they are not all there in their own words."""
        by_id = {
            one.key.episode_id: one.episode
            for one in found
            if one.episode is not None and parse_condition(one.key.condition).style == ORIGINAL
        }
        if not set(self.info.episodes) <= by_id.keys():
            return None
        return [by_id[name] for name in self.info.episodes]

    def _not_of_the_suite(self, found: Sequence[Simulated]) -> Iterator[str]:
        """Episodes that go by the name of a suite and are none of it, where the suite is here."""
        suite = self._suite()
        if suite is None or self.info.spec.get("robots"):
            return
        known = {episode.episode_id: episode for episode in suite}
        others = {
            one.key.episode_id
            for one in found
            if one.episode is not None
            and parse_condition(one.key.condition).style == ORIGINAL
            and known.get(one.key.episode_id) != one.episode
        }
        if others:
            name = self.info.spec.get("suite")
            yield f"{len(others)} episodes are not those of suite '{name}': {min(others)}, …"

    def _suite(self) -> tuple[Episode, ...] | None:
        """The episodes of the run's suite where it has one of navproof's that is made already, or a
        packed one that is at hand."""
        if self._packed.pack is not None:
            return self._packed.pack.episodes
        name = str(self.info.spec.get("suite", ""))
        if name not in SUITES.built_in():
            return None
        suite, salt = SUITES[name], None
        if fingerprint := self.info.spec.get("salt"):
            if (salt := salt_called(str(fingerprint))) is None:
                return None
            suite = salted(suite, salt)
        return load_suite(name, salt=salt) if suite_path(suite).is_file() else None

    def notes(self, found: Sequence[Simulated]) -> Iterator[str]:
        """What a reader should know, whatever the verdict."""
        spec = self.info.spec
        yield from self._packed.notes()
        if spec.get("salt"):
            yield f"salted ({spec['salt']}): scenes and episodes were made from a secret"
        if spec.get("in_process"):
            yield "agents shared a process with their judge (--in-process)"
        ended = sum(one.status not in ("ok", "infrastructure") for one in found)
        if ended:
            yield (
                f"{ended} episodes did not end by themselves (an agent failed, say): they were "
                "simulated as far as they went"
            )
        for task, known in sorted(dict(spec.get("tasks", {})).items()):
            if self._same_version and self._packed.standard(task) not in (None, known):
                yield f"{task} was played by other settings than its own (camera, sensors, robot …)"
        if spec.get("rewriter"):
            yield "a language model made the words of conditions: they are taken as recorded"
        name = str(spec.get("suite", ""))
        if self._same_version and found and self._suite() is None and name in SUITES.built_in():
            why = f"is not made here yet (navproof suite make {name} makes it)"
            if (salt := spec.get("salt")) and salt_called(str(salt)) is None:
                why = "is made with a salt (--salt FILE)"
            yield f"its episodes were not compared with those of suite '{name}', which {why}"
        if spec.get("robots") and self._suite() is not None:
            yield "its episodes were fitted to other robots, and not compared with the suite's"
        if self._digests is None:
            yield "a run of an older version, without digests of its traces"


def _key_of(row: Mapping[str, Any]) -> TraceKey:
    return TraceKey(row["agent"], row["episode_id"], row["condition"], row["seed"])


def _words(key: TraceKey) -> str:
    return f"{key.agent}, {key.episode_id}, {key.condition}, seed {key.seed}"


def _alike(a: object, b: object) -> bool:
    if isinstance(a, float) and isinstance(b, float) and math.isnan(a) and math.isnan(b):
        return True
    return a == b
