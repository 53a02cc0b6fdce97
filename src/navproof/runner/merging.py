"""One run from the folders in which its parts were played.

Nothing is believed but what the parts wrote: every trace must have the digest that is in its
folder's manifest. Traces are copied to the byte, and results are made from them anew, so that the
folder is the one that a single machine would have left.
"""

from __future__ import annotations

import json
import os
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Protocol

from navproof.core.codec import to_plain
from navproof.core.errors import RunError, SpecError
from navproof.core.lock import locked, refuse_in_use
from navproof.log.folder import NamedMetric, RunFolder, RunInfo
from navproof.log.shard import Shard
from navproof.log.storage import decode_trace, read_bytes
from navproof.log.trace import NOT_PLAYED, Trace, TraceKey
from navproof.metrics.catalogue import result_row
from navproof.metrics.named import metric_set
from navproof.runner.identity import differences

__all__ = ["Progress", "merge_runs"]

_SHOWN = 3
_NONE = "none"


class Progress(Protocol):
    """Is told how it gets on."""

    def announce(self, text: str) -> None:
        """A line that a reader of the run should know."""

    def copied(self, done: int, total: int) -> None:
        """So many traces are where they belong."""


class _NoProgress:
    def announce(self, text: str) -> None: ...
    def copied(self, done: int, total: int) -> None: ...


def merge_runs(parts: Sequence[Path], out: Path, progress: Progress | None = None) -> RunFolder:
    """Make the run of which ``parts`` are folders, in whatever order, in the new folder ``out``.

    A ``RunError`` that says why, and nothing in ``out``, where they are of different runs, lack
    episodes, hold two traces of one episode, or were changed after they were written."""
    progress = progress or _NoProgress()
    folders = [RunFolder(path) for path in parts]
    infos = [folder.info for folder in folders]
    _refuse_places(folders, out)
    for folder in folders:
        refuse_in_use(folder.path)
    _refuse_different(folders, infos)
    sources = _sources(folders)
    _refuse_missing(folders, infos, sources)
    # Whatever ends this leaves no half of a run: the folder gets its name when it is whole.
    place = out.resolve()
    staging = place.with_name(f".{place.name}.merging")
    for note in _version_notes(infos):
        progress.announce(note)
    with locked(staging):
        whole = RunFolder(staging)
        whole.clear()
        try:
            whole.create(_merged(folders, infos, out))
            _copy(whole, sources, progress)
        except BaseException:
            whole.clear()
            raise
    if hasattr(os, "sync"):
        os.sync()  # once for all traces: each by itself takes longer than to score it
    if place.is_dir():
        place.rmdir()
    staging.rename(place)
    return RunFolder(out)


# --------------------------------------------------------------------------------------- refusals
def _refuse_places(folders: Sequence[RunFolder], out: Path) -> None:
    if not folders:
        raise SpecError("merge needs the folders of a run's shards")
    real = [folder.path.resolve() for folder in folders]
    for folder, path in zip(folders, real, strict=True):
        if real.count(path) > 1:
            raise SpecError(f"{folder.path} is given twice")
        here = out.resolve()
        if path == here or path in here.parents or here in path.parents:
            raise SpecError(f"-o {out}: {folder.path} is read; choose another -o")
    if out.exists() and not out.is_dir():
        raise SpecError(f"-o {out} is not a folder; choose another -o")
    if out.is_dir() and any(out.iterdir()):
        what = "holds a run" if RunFolder(out).exists else "holds other files"
        raise RunError(f"{out} {what}, and nothing is merged over that; choose another -o")


def _refuse_different(folders: Sequence[RunFolder], infos: Sequence[RunInfo]) -> None:
    """They must be parts of one and the same run."""
    first, first_info = folders[0].path, infos[0]
    for folder, info in zip(folders, infos, strict=True):
        if not folder.has_manifest:
            raise RunError(
                f"{folder.path} was written by an older navproof, which kept no digests of traces: "
                "it cannot be merged"
            )
        if info.spec_hash != first_info.spec_hash:
            changes = differences(first_info.spec, info.spec)
            theirs, ours = first_info.spec.get("navproof"), info.spec.get("navproof")
            if theirs != ours:
                changes = [f"navproof {theirs} there, {ours} now"]
            what = "; ".join(changes[:_SHOWN]) or "other settings"
            what = what.replace(" there", f" in {first}").replace(" now", f" in {folder.path}")
            raise RunError(f"{first} and {folder.path} are not of the same run ({what})")
        if info.planned() != first_info.planned():
            raise RunError(
                f"{first} and {folder.path} plan different episodes of the same run: the run.json "
                "of one of them was edited"
            )


def _refuse_missing(
    folders: Sequence[RunFolder],
    infos: Sequence[RunInfo],
    sources: Mapping[TraceKey, Sequence[RunFolder]],
) -> None:
    planned = infos[0].planned()
    missing = {key for key in planned if key not in sources}
    if not missing:
        return
    told, explained = [], set[TraceKey]()
    for folder, info in zip(folders, infos, strict=True):
        assigned = info.assigned()
        if info.shard is not None and (lost := missing.intersection(assigned)):
            explained |= lost
            told.append(
                f"{folder.path} (shard {info.shard}) lacks {len(lost)} of its {len(assigned)}, "
                "which the same 'navproof run' plays"
            )
    counts = {info.shard.count for info in infos if info.shard is not None}
    given = {info.shard for info in infos}
    for count in sorted(counts) if len(counts) == 1 else ():
        for index in range(1, count + 1):
            shard = Shard(index, count)
            lost = set() if shard in given else missing.intersection(infos[0].assigned(shard))
            if lost:
                explained |= lost
                told.append(f"shard {shard} is not among the folders")
    if rest := missing - explained:
        told.append(f"nobody has {min(rest).episode_id} of {min(rest).agent}")
    more = f"; … and {len(told) - _SHOWN} more" if len(told) > _SHOWN else ""
    raise RunError(
        f"{len(missing)} of {len(planned)} episodes are missing: {'; '.join(told[:_SHOWN])}{more}"
    )


# ------------------------------------------------------------------------------------ what is read
def _sources(folders: Sequence[RunFolder]) -> dict[TraceKey, list[RunFolder]]:
    """The folders in which there is a trace of each key."""
    found: dict[TraceKey, list[RunFolder]] = defaultdict(list)
    for folder in folders:
        planned, keys = set(folder.info.planned()), folder.keys()
        for key in keys:
            if key not in planned:
                path = folder.trace_path(key)
                raise RunError(f"{path} was not planned by the run; remove it and merge again")
            found[key].append(folder)
    return dict(found)


def _bytes_of(folder: RunFolder, key: TraceKey) -> tuple[bytes, Trace]:
    path = folder.trace_path(key)
    data = read_bytes(path)
    folder.manifest.check(path.relative_to(folder.path).as_posix(), data)
    trace = decode_trace(data, str(path))
    if trace.key != key:
        raise RunError(f"{path} holds the trace of another episode: {trace.key.episode_id}")
    return data, trace


def _chosen(key: TraceKey, folders: Sequence[RunFolder]) -> tuple[bytes, Trace]:
    """The trace of a key. Of several the same, or the only one that was played."""
    found = [_bytes_of(folder, key) for folder in folders]
    played = [pair for pair in found if pair[1].status != NOT_PLAYED]
    several = played or found
    if any(data != several[0][0] for data, _ in several):
        where = " and ".join(str(folder.trace_path(key)) for folder in folders[:2])
        raise RunError(
            f"{where} are two different traces of one episode; remove the one that is not meant, "
            "or merge other folders"
        )
    return several[0]


# --------------------------------------------------------------------------------- what is written
def _copy(
    whole: RunFolder, sources: Mapping[TraceKey, Sequence[RunFolder]], progress: Progress
) -> None:
    metrics, planned, rows = metric_set((), (whole,)), whole.info.planned(), []
    for key in planned:
        data, trace = _chosen(key, sources[key])
        whole.take(key, data)
        for folder in sources[key]:
            if (text := folder.log(key)) is not None:
                whole.write_log(key, text)
        rows.append(result_row(trace, metrics.metrics))
        progress.copied(len(rows), len(planned))
    whole.manifest.settle()
    whole.write_results(rows)
    for line in (*metrics.notes, *metrics.complaints()):
        progress.announce(line)


def _merged(folders: Sequence[RunFolder], infos: Sequence[RunInfo], out: Path) -> RunInfo:
    """What is to be said of the whole: the same whatever the order of its parts. ``out`` is beside
    the folder in which it is made, so that files are the same way from both."""
    labels = min(infos, key=lambda info: json.dumps(to_plain(info.spec), sort_keys=True))
    ordered = sorted(infos, key=lambda info: json.dumps(to_plain(info.versions)))
    names = dict.fromkeys(name for info in ordered for name in info.versions)
    versions = {
        name: _together(name, [one.versions.get(name) for one in ordered]) for name in names
    }
    unfollowed = {
        agent: tuple(sorted({line for info in infos for line in info.unfollowed.get(agent, ())}))
        for agent in infos[0].agents
    }
    named: dict[str, NamedMetric] = {}
    for folder, info in sorted(
        zip(folders, infos, strict=True), key=lambda pair: str(pair[1].shard or "")
    ):
        for one in info.metrics:
            known = named.setdefault(one.name, replace(one, file=_seen_from(out, folder, one)))
            if known.digest != one.digest:
                raise RunError(
                    f"{folder.path} has another metric '{one.name}' than the folders before it; "
                    f"'navproof score {folder.path} --metric …' sets it right"
                )
    return replace(
        infos[0],
        spec=labels.spec,
        versions=versions,
        unfollowed={agent: lines for agent, lines in unfollowed.items() if lines},
        metrics=tuple(named.values()),
        shard=None,
    )


def _seen_from(out: Path, folder: RunFolder, one: NamedMetric) -> str:
    """The file of a metric that is remembered in ``folder``, as ``out`` has to remember it."""
    if not one.file:
        return ""
    try:
        file = (folder.path / one.file).resolve()
        return Path(os.path.relpath(file, out.resolve())).as_posix()
    except ValueError:  # on another drive
        return ""


def _together(name: str, versions: Sequence[str | None]) -> str:
    """All versions that parts had. Agents were confined by what confined them everywhere."""
    there = [version for version in versions if version is not None]
    if name == "confinement" and (len(set(there)) > 1 or len(there) < len(versions)):
        kept = set.intersection(*(set(version.split(", ")) for version in there))
        ways = [way for way in there[0].split(", ") if way in kept and len(there) == len(versions)]
        return ", ".join(sorted(ways)) or _NONE
    return ", ".join(sorted(set(there)))


def _version_notes(infos: Sequence[RunInfo]) -> list[str]:
    names = sorted({name for info in infos for name in info.versions})
    told = []
    for name in names:
        found = sorted({info.versions.get(name, _NONE) for info in infos})
        if len(found) > 1:
            told.append(f"{name} {' and '.join(found)}")
    if not told:
        return []
    return [f"the shards were played with different versions: {', '.join(told)}"]
