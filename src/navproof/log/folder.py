"""A run on disk: a folder that can be re-scored, re-reported and replayed without the agent.

::

    run.json          what was run: spec, its hash, versions, the planned order
    results.parquet   one row per episode × condition × seed × agent, in planned order
    traces/           one gzipped JSON file per row, <agent>/<episode>@<condition>@<seed>.json.gz
    logs/             the last words of agents whose episode did not end "ok"
    manifest.jsonl    a digest of each trace and of the results (``log.manifest``)

Nothing in ``run.json`` depends on the machine, the clock or the number of workers.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote

from navproof.core.codec import from_plain, to_plain
from navproof.core.errors import RunError, SpecError
from navproof.core.files import TEMPORARY_SUFFIX, write_atomically
from navproof.core.input.reading import parse_json, short
from navproof.core.registry import suggest
from navproof.log.manifest import MANIFEST, Manifest
from navproof.log.names import short_name
from navproof.log.shard import Shard, cut
from navproof.log.storage import decode_trace, encode_trace, read_bytes, read_trace
from navproof.log.trace import Trace, TraceKey

__all__ = ["RUN_VERSION", "NamedMetric", "RunFolder", "RunInfo", "Skipped"]

RUN_VERSION = 3
"""2 added ``tasks`` and ``skipped``; version 1 is read as a run that skipped nothing. 3 has a
manifest."""
_READABLE = (1, 2, RUN_VERSION)
_SUFFIX = ".json.gz"
_LONGEST = 180  # bytes of a file name's readable part; longer names are cut and hashed
_CUT = "~"
_MOST_ROWS = 2_000_000
_LATER = {"later": True}


@dataclass(frozen=True, slots=True)
class Skipped:
    """What was not run for an agent in all episodes of a task, and why, in words."""

    agent: str
    task: str
    condition: str
    why: str


@dataclass(frozen=True, slots=True)
class NamedMetric:
    """A metric that somebody named for a run: its column in the results, how it was named, its
    file as seen from the run folder ("" where it was no file) and a digest of that."""

    name: str
    ref: str
    file: str = ""
    digest: str = ""


@dataclass(frozen=True)
class RunInfo:
    """The content of ``run.json``. ``agents`` and ``episodes`` give the planned order; ``tasks``
    holds the task of each episode (nothing in version 1). ``metrics`` are those that were named
    for the run beside the built-in ones; they change nothing else, and may change later.
    ``declared`` is what each agent's class said of itself, ``unfollowed`` what of its code could
    not be made part of ``spec_hash``, a line each. ``shard`` is the part of the run that is played
    in this folder, where that is not all of it; it is no part of ``spec_hash``."""

    spec: Mapping[str, Any]
    spec_hash: str
    agents: tuple[str, ...]
    episodes: tuple[str, ...]
    conditions: tuple[str, ...] = ("clean",)
    seeds: tuple[int, ...] = (0,)
    versions: Mapping[str, str] = field(default_factory=dict)
    tasks: tuple[str, ...] = ()
    skipped: tuple[Skipped, ...] = ()
    run_version: int = RUN_VERSION
    metrics: tuple[NamedMetric, ...] = field(default=(), metadata=_LATER)
    declared: Mapping[str, Any] = field(default_factory=dict, metadata=_LATER)
    unfollowed: Mapping[str, tuple[str, ...]] = field(default_factory=dict, metadata=_LATER)
    shard: Shard | None = field(default=None, metadata=_LATER)

    def planned(self) -> list[TraceKey]:
        """Every row of the run: by agent, then condition, seed and episode."""
        tasks = self.tasks or ("",) * len(self.episodes)
        left_out = {(s.agent, s.task, s.condition) for s in self.skipped}
        return [
            TraceKey(agent, episode, condition, seed)
            for agent in self.agents
            for condition in self.conditions
            for seed in self.seeds
            for episode, task in zip(self.episodes, tasks, strict=True)
            if (agent, task, condition) not in left_out
        ]

    def assigned(self, shard: Shard | None = None) -> list[TraceKey]:
        """The rows of a shard, by default the one that is played in this folder; all that are
        planned where that is the whole run."""
        planned, shard = self.planned(), shard or self.shard
        if shard is None:
            return planned
        return cut(shard, planned, self.episodes, self.tasks or ("",) * len(self.episodes))


class RunFolder:
    """Reads and writes one run. Opening is free; every method goes to the disk."""

    def __init__(self, path: Path | str) -> None:
        self.path = Path(path)
        self.manifest = Manifest(self.path)

    def __repr__(self) -> str:
        return f"RunFolder({str(self.path)!r})"

    @property
    def exists(self) -> bool:
        return (self.path / "run.json").is_file()

    def create(self, info: RunInfo) -> None:
        """Begin a run here: make the folders and write ``run.json``."""
        (self.path / "traces").mkdir(parents=True, exist_ok=True)
        text = json.dumps(to_plain(info), indent=2, ensure_ascii=False, allow_nan=False)
        write_atomically(self.path / "run.json", text.encode() + b"\n")

    @property
    def info(self) -> RunInfo:
        """What was run; a ``RunError`` where this is not a run folder."""
        path = self.path / "run.json"
        if not path.is_file():
            what = "is not a run folder (no run.json)" if self.path.exists() else "does not exist"
            raise RunError(f"{self.path} {what}; give the folder that 'navproof run -o' wrote")
        try:
            plain = parse_json(read_bytes(path))
            version = plain.get("run_version") if isinstance(plain, dict) else None
            if version not in _READABLE:
                raise RunError(
                    f"{path}: run version {short(version)}, but this navproof reads {RUN_VERSION}; "
                    "use the navproof that wrote it, or run again"
                )
            info: RunInfo = from_plain(RunInfo, plain)
            if info.tasks and len(info.tasks) != len(info.episodes):
                raise ValueError(f"{len(info.tasks)} tasks for {len(info.episodes)} episodes")
            rows = math.prod(map(len, (info.agents, info.episodes, info.conditions, info.seeds)))
            if rows > _MOST_ROWS:
                raise ValueError(f"{rows:,} episodes are planned, more than {_MOST_ROWS:,}")
        except (ValueError, SpecError) as error:  # JSON's own, or a CodecError; no such shard
            raise RunError(f"{path}: not a valid run description ({error})") from None
        return info

    def remember_metrics(self, metrics: Sequence[NamedMetric]) -> None:
        """Write the metrics by which this run is scored into ``run.json``, beside the built-in
        ones; nothing else in it changes."""
        info = self.info
        if info.metrics != tuple(metrics):
            self.create(replace(info, metrics=tuple(metrics)))

    # ------------------------------------------------------------------------------- traces
    def trace_path(self, key: TraceKey) -> Path:
        """Where the trace of a key is kept."""
        name = f"{_safe(key.episode_id)}@{_safe(key.condition)}@{key.seed}"
        return self.path / "traces" / _fitted(_safe(key.agent)) / f"{_fitted(name)}{_SUFFIX}"

    @property
    def has_manifest(self) -> bool:
        """Whether the run kept digests of what it wrote: not so before run version 3."""
        return self.manifest.exists or (self.exists and self.info.run_version > 2)

    def write(self, trace: Trace) -> None:
        self._write(self.trace_path(trace.key), encode_trace(trace))

    def take(self, key: TraceKey, data: bytes) -> None:
        """Store a trace that was written elsewhere, in a folder that nobody reads before all of it
        is there: it is in the manifest when that is settled, and on the disk when all files are
        flushed."""
        path = self.trace_path(key)
        self.manifest.keep(self._name_of(path), data)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)

    def _write(self, path: Path, data: bytes, *, from_traces: bool = False) -> None:
        if self.has_manifest or not self.exists:
            self.manifest.add(self._name_of(path), data, from_traces=from_traces)
        write_atomically(path, data)

    def _name_of(self, path: Path) -> str:
        return path.relative_to(self.path).as_posix()

    def trace(self, key: TraceKey) -> Trace:
        """The trace of a key; a ``RunError`` where there is none, it cannot be read, or it is not
        the one that the run wrote."""
        path = self.trace_path(key)
        if not path.is_file():
            raise RunError(
                f"{self.path} has no trace of agent '{key.agent}', episode '{key.episode_id}', "
                f"condition '{key.condition}', seed {key.seed}"
            )
        data = read_bytes(path)
        trace = decode_trace(data, str(path))  # of what is damaged that is told
        if self.has_manifest:
            self.manifest.check(self._name_of(path), data)
        if trace.key != key:
            raise RunError(f"{path} holds the trace of another episode: {trace.key.episode_id}")
        return trace

    def keys(self) -> list[TraceKey]:
        """The keys whose trace is there, in planned order."""
        keys = [self._key_of(path) for path in self._trace_files()]
        if not self.exists:
            return sorted(keys)
        info = self.info
        agents, conditions = _positions(info.agents), _positions(info.conditions)
        episodes, seeds = _positions(info.episodes), _positions(info.seeds)

        def order(key: TraceKey) -> tuple[object, ...]:
            last = len(keys) + len(episodes)
            return (
                agents.get(key.agent, last),
                conditions.get(key.condition, last),
                seeds.get(key.seed, last),
                episodes.get(key.episode_id, last),
                key,
            )

        return sorted(keys, key=order)

    def agent_named(self, name: str, agents: Sequence[str]) -> str:
        """The one of ``agents`` that ``name`` means: its full name, or the class alone
        ("MyAgent" for "my_agent.py:MyAgent") where that is unique."""
        if name in agents:
            return name
        fitting = [agent for agent in agents if short_name(agent) == name]
        if len(fitting) != 1:
            raise RunError(f"{self.path} has no agent '{name}'{suggest(name, list(agents))}")
        return fitting[0]

    def traces(self) -> Iterator[Trace]:
        """Every trace, in planned order, one at a time."""
        for key in self.keys():
            yield self.trace(key)

    def hold(self) -> None:
        """Keep in mind what the run has written so far: whatever others change in its folder while
        agents play is noticed."""
        if self.has_manifest:
            self.manifest.hold()

    def settle(self, info: RunInfo) -> tuple[list[Path], list[TraceKey]]:
        """Set right what others changed meanwhile in a run that is ``info``: files among the traces
        that the run did not write are removed, as are its own that are not as it wrote them, which
        have to be played again. Both are returned; nothing is to be said of most runs."""
        if _info_or_none(self) != info:
            self.create(info)
        planned = {self.trace_path(key): key for key in info.assigned()}
        known = self.manifest.digests()
        foreign, damaged = [], []
        for path in self._trace_files():
            digest = hashlib.sha256(read_bytes(path)).hexdigest()
            if path not in planned:
                foreign.append(path)
            elif known.get(self._name_of(path)) != digest:
                damaged.append(planned[path])
            else:
                continue
            self.manifest.forget(self._name_of(path))
            path.unlink()
        gone = set(damaged)
        missing = [k for path, k in planned.items() if not path.is_file() and k not in gone]
        self.manifest.settle()
        return foreign, [*damaged, *missing]

    def check_traces(self) -> None:
        """``RunError`` where a trace is not the one that the run wrote. They are not decoded."""
        if self.has_manifest:
            for path in self._trace_files():
                self.manifest.check(self._name_of(path), read_bytes(path))

    def _trace_files(self) -> list[Path]:
        return sorted((self.path / "traces").glob(f"*/*{_SUFFIX}"))

    def _key_of(self, path: Path) -> TraceKey:
        agent, name = path.parent.name, path.name[: -len(_SUFFIX)]
        parts = name.split("@")
        if _CUT in agent or _CUT in name or len(parts) != 3 or not parts[2].lstrip("-").isdigit():
            return read_trace(path).key
        return TraceKey(unquote(agent), unquote(parts[0]), unquote(parts[1]), int(parts[2]))

    # ------------------------------------------------------------------------------ results
    def results(self, *, of_these_traces: bool = True) -> list[dict[str, Any]]:
        """The rows of ``results.parquet`` in planned order; a ``RunError`` where they are not those
        that were written, or (``of_these_traces``) are of others than those that are there."""
        from navproof.log.results import read_results

        self.check_results(of_these_traces=of_these_traces)
        return read_results(self.path / "results.parquet")

    def check_results(self, *, of_these_traces: bool = True) -> None:
        """``RunError`` where ``results.parquet`` is there and is not what was written, or
        (``of_these_traces``) was made from others than those that are there. None is read for
        it."""
        path = self.path / "results.parquet"
        if not path.is_file() or not self.has_manifest:
            return
        try:
            self.manifest.check(path.name, read_bytes(path))
            if of_these_traces:
                self.manifest.check_traces_of(path.name)
        except RunError as error:
            raise RunError(
                f"{error}; 'navproof score {self.path}' makes it again from the traces"
            ) from None

    def write_results(self, rows: Sequence[Mapping[str, Any]]) -> None:
        """Replace ``results.parquet`` by the rows of all traces."""
        from navproof.log.results import encode_results

        self._write(self.path / "results.parquet", encode_results(rows), from_traces=True)

    # --------------------------------------------------------------------------- housekeeping
    def write_log(self, key: TraceKey, text: str) -> None:
        """Keep what an agent printed during an episode that went wrong."""
        write_atomically(self._log_path(key), text.encode())

    def log(self, key: TraceKey) -> str | None:
        """What an agent printed during an episode; None where nothing was kept."""
        path = self._log_path(key)
        return read_bytes(path).decode(errors="replace") if path.is_file() else None

    def _log_path(self, key: TraceKey) -> Path:
        path = self.trace_path(key)
        return self.path / "logs" / path.parent.name / path.name.replace(_SUFFIX, ".log")

    def clear_leftovers(self) -> None:
        """Remove half-written files of a run that was killed."""
        for path in self.path.rglob(f".*{TEMPORARY_SUFFIX}"):
            path.unlink(missing_ok=True)

    def clear(self) -> None:
        """Remove everything that a run writes, and nothing else."""
        import shutil

        for name in ("traces", "logs", "diagnosis"):
            shutil.rmtree(self.path / name, ignore_errors=True)
        for name in ("run.json", "results.parquet", "report.html", "diagnosis.json", MANIFEST):
            (self.path / name).unlink(missing_ok=True)
        self.clear_leftovers()


def _info_or_none(folder: RunFolder) -> RunInfo | None:
    try:
        return folder.info
    except RunError:
        return None


def _safe(part: str) -> str:
    """Reversible, fit for a file name everywhere; ``@`` and ``~`` are escaped too."""
    text = quote(part, safe=" ").replace(_CUT, "%7E")
    return f"%2E{text[1:]}" if text.startswith(".") else text


def _fitted(name: str) -> str:
    """Cut an over-long name and make it unique again; its key is then read from the file."""
    if len(name) <= _LONGEST:
        return name
    digest = hashlib.blake2b(name.encode(), digest_size=8).hexdigest()
    return f"{name[:_LONGEST]}{_CUT}{digest}"


def _positions(values: Sequence[Any]) -> dict[Any, int]:
    return {value: index for index, value in enumerate(values)}
