"""Diagnosing a whole run: calibrate on what passed, explain what failed, keep every answer.

A diagnosis that is there already is kept, so an interrupted one is taken up again by the same call;
asked for in another way (run, settings, judges), it has to be made anew, which must be said.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import fields, replace
from itertools import zip_longest
from typing import Any, Protocol, TypeAlias, cast

from navproof.agents.limits import Limits
from navproof.core.errors import RunError, SpecError
from navproof.core.lock import locked, refuse_in_use
from navproof.core.registry import suggest
from navproof.diagnosis.attribution.attribute import Settings
from navproof.diagnosis.attribution.thresholds import assumed, calibrate
from navproof.diagnosis.files import SUMMARY_NAME, read_diagnosis, write_diagnosis
from navproof.diagnosis.jobs import DiagnosisJob
from navproof.diagnosis.oracles.judge import ask_once
from navproof.diagnosis.oracles.protocol import MemoryLikeness, SemanticDistance
from navproof.diagnosis.oracles.semantics import LexicalDistance
from navproof.diagnosis.summary import (
    COUNTED,
    Summary,
    SummaryRow,
    read_summary,
    row_of,
    write_summary,
)
from navproof.diagnosis.types import Diagnosis, Thresholds
from navproof.log.folder import RunFolder
from navproof.log.trace import NOT_PLAYED, TraceKey
from navproof.metrics.catalogue import result_rows
from navproof.play.pool import COMPILING, Pool
from navproof.runner.plugins import check_as_played
from navproof.runner.withheld import withheld_with
from navproof.sim.registry import EMBEDDED

__all__ = ["DiagnosisProgress", "diagnose_run"]

_MOST_PASSED = 10
"""Passed episodes that an agent is calibrated on, the shortest ones."""
Jobs: TypeAlias = Callable[[Sequence[TraceKey], Thresholds], list[DiagnosisJob]]


class DiagnosisProgress(Protocol):
    """Hears how it goes."""

    def announce(self, text: str) -> None: ...
    def begin(self, agent: str, total: int, done: int) -> None:
        """So many failures of an agent, ``done`` of which were explained before."""

    def finished(self, diagnosis: Diagnosis) -> None: ...


class _NoProgress:
    def announce(self, text: str) -> None: ...
    def begin(self, agent: str, total: int, done: int) -> None: ...
    def finished(self, diagnosis: Diagnosis) -> None: ...


def diagnose_run(
    folder: RunFolder,
    *,
    agents: Sequence[str] | None = None,
    conditions: Sequence[str] | None = None,
    limit: int | None = None,
    workers: int = 1,
    settings: Settings = Settings(),  # noqa: B008 (frozen)
    distance: SemanticDistance | None = None,
    likeness: MemoryLikeness | None = None,
    fresh: bool = False,
    progress: DiagnosisProgress | None = None,
) -> Summary:
    """Explain the failures of a run and write the answers beside its traces.

    ``agents``, ``conditions``: only these. ``limit``: only the first so many episodes of each agent
    under each condition, those that passed among them. ``distance``, ``likeness``: who compares
    labels and memories, by default the lexicon and counting. ``fresh`` removes what was explained
    before; without it, asking otherwise than before is refused. The result is the same for any
    number of ``workers``; it also holds what was explained before. A ``RunError`` where the run is
    still going on, or is diagnosed by somebody else.
    """
    progress = progress or _NoProgress()
    if workers < 1:
        raise SpecError(f"a diagnosis needs at least one worker, got {workers}")
    if limit is not None and limit < 1:
        raise SpecError(f"a diagnosis needs at least one episode, got {limit}")
    _ = folder.info  # raises where there is no run, before a lock would make a folder
    refuse_in_use(folder.path)
    with locked(folder.path):  # what it explains must not change meanwhile
        rows = _results(folder)
        selection = _choose(folder, rows, agents, conditions, limit)
        ask_once(distance, likeness)
        request = Summary(
            folder.info.spec_hash,
            settings,
            (distance or LexicalDistance()).name,
            likeness=COUNTED if likeness is None else likeness.name,
        )
        summary = _taken_up(folder, request, fresh)
        names = tuple(dict.fromkeys(key.agent for key in selection))

        def jobs(keys: Sequence[TraceKey], limits: Thresholds) -> list[DiagnosisJob]:
            return [
                DiagnosisJob(
                    key, rows[key]["scene"], folder.path, limits, settings, distance, likeness
                )
                for key in keys
            ]

        with _pool(folder, workers, settings) as pool:
            pool.load_agents(names)
            if not pool.warm:
                progress.announce(COMPILING)
                pool.warm_up()
            for agent in names:
                mine = [key for key in selection if key.agent == agent]
                has_failures = any(not _has_passed(rows[key]) for key in mine)
                if has_failures and agent not in summary.thresholds:
                    limits = _calibrated(pool, jobs, agent, rows, progress)
                    summary = replace(summary, thresholds={**summary.thresholds, agent: limits})
                    write_summary(folder, summary)
                summary = _explained(folder, pool, jobs, agent, mine, rows, summary, progress)
                write_summary(folder, summary)
    return summary


# ----------------------------------------------------------------------------------- what there is
def _results(folder: RunFolder) -> dict[TraceKey, Mapping[str, Any]]:
    """The result of every episode that was played, in planned order."""
    check_as_played(folder.info.spec, str(folder.path))
    keys = folder.keys()
    if not keys:
        raise RunError(f"{folder.path} has no episode to diagnose; finish the run first")
    whole = (folder.path / "results.parquet").is_file()
    rows = folder.results() if whole else []
    rows_by_key = {
        TraceKey(r["agent"], r["episode_id"], r["condition"], r["seed"]): r for r in rows
    }
    missing = [key for key in keys if key not in rows_by_key]
    rows_by_key |= dict(
        zip(missing, result_rows(folder.trace(key) for key in missing), strict=True)
    )
    return {key: rows_by_key[key] for key in keys if rows_by_key[key]["status"] != NOT_PLAYED}


def _choose(
    folder: RunFolder,
    rows: Mapping[TraceKey, Mapping[str, Any]],
    agents: Sequence[str] | None,
    conditions: Sequence[str] | None,
    limit: int | None,
) -> list[TraceKey]:
    agents_there = list(dict.fromkeys(key.agent for key in rows))
    names = (
        agents_there
        if agents is None
        else [folder.agent_named(name, agents_there) for name in agents]
    )
    under = list(dict.fromkeys(key.condition for key in rows))
    for name in conditions or ():
        if name not in under:
            raise RunError(f"{folder.path} has no condition '{name}'{suggest(name, under)}")
    selection: dict[tuple[str, str], list[TraceKey]] = {}
    for key in rows:
        if key.agent in names and key.condition in (conditions or under):
            selection.setdefault((key.agent, key.condition), []).append(key)
    return [key for keys in selection.values() for key in keys[:limit]]


def _taken_up(folder: RunFolder, request: Summary, fresh: bool) -> Summary:
    """What is there of the same questions, or ``request`` where nothing is, or is to be."""
    target = folder.path / "diagnosis"
    if fresh:
        (folder.path / SUMMARY_NAME).unlink(missing_ok=True)
        shutil.rmtree(target, ignore_errors=True)
        return request
    if not (folder.path / SUMMARY_NAME).is_file():
        if any(target.rglob("*.gz")):
            raise RunError(
                f"{folder.path / SUMMARY_NAME} is missing, so what {target} answers is not known; "
                "make it anew with --fresh"
            )
        return request
    previous = read_summary(folder)
    for name, was, now in _questions(previous, request):
        if was != now:
            raise RunError(
                f"{folder.path} was diagnosed otherwise ({name} {was}, not {now}); ask as before, "
                "or make it anew with --fresh"
            )
    return previous


def _questions(previous: Summary, request: Summary) -> Iterator[tuple[str, Any, Any]]:
    """What makes a diagnosis another one: its name, as it was and as it is asked now."""
    for field in fields(Settings):
        yield (
            field.name,
            getattr(previous.settings, field.name),
            getattr(request.settings, field.name),
        )
    for name in ("run", "distance", "likeness"):
        yield name, getattr(previous, name), getattr(request, name)


# ------------------------------------------------------------------------------------- the work
def _pool(folder: RunFolder, workers: int, settings: Settings) -> Pool:
    """Agents may read no more of a secret than when they were run."""
    spec = folder.info.spec
    is_secret = spec.get("salt") or (spec.get("pack") or {}).get("salt")
    return Pool(
        workers,
        _limits(folder, settings),
        simulator=str(spec.get("simulator", EMBEDDED)),
        withheld=withheld_with(folder.path) if is_secret else (),
    )


def _diagnosed(pool: Pool, jobs: Sequence[DiagnosisJob]) -> Iterator[Diagnosis]:
    """Diagnoses as they come, in no particular order."""
    for outcome in pool.run(jobs):
        yield cast("Diagnosis", outcome.result)


def _limits(folder: RunFolder, settings: Settings) -> Limits:
    """Those of the run; an episode is played many times over."""
    names = {f.name for f in fields(Limits)}
    values = {k: v for k, v in folder.info.spec.get("limits", {}).items() if k in names}
    limits = Limits(**values)
    return replace(limits, episode_s=limits.episode_s * (settings.trials + 2))


def _calibrated(
    pool: Pool,
    jobs: Jobs,
    agent: str,
    rows: Mapping[TraceKey, Mapping[str, Any]],
    progress: DiagnosisProgress,
) -> Thresholds:
    """Thresholds out of the agent's passed episodes under whatever condition."""
    passed = [key for key, row in rows.items() if key.agent == agent and _has_passed(row)]
    first, rest = _shortest(passed, rows)
    if not first:
        return assumed()
    progress.announce(f"{agent}: playing {len(first) + len(rest)} passed episodes to calibrate")
    diagnoses = list(_diagnosed(pool, jobs(first, assumed())))
    right = [diagnosis for diagnosis in diagnoses if diagnosis.verdict == "passed"]
    if right and not any(step.values for diagnosis in right for step in diagnosis.errors):
        return assumed()  # a black box: there is nothing to judge
    diagnoses += _diagnosed(pool, jobs(rest, assumed()))
    diagnoses.sort(key=lambda diagnosis: diagnosis.key)
    failures = [diagnosis for diagnosis in diagnoses if diagnosis.verdict != "passed"]
    if failures:
        progress.announce(
            f"{agent}: {len(failures)} of {len(diagnoses)} passed episodes are left out of the "
            f"calibration ({failures[0].key.episode_id}: {failures[0].said})"
        )
    limits = calibrate(d.errors for d in diagnoses if d.verdict == "passed")
    return replace(limits, left_out=len(failures))


def _shortest(
    keys: Sequence[TraceKey], rows: Mapping[TraceKey, Mapping[str, Any]]
) -> tuple[list[TraceKey], list[TraceKey]]:
    """The shortest episode of each task, and the next ones, the tasks in turn."""
    by_task: dict[str, list[TraceKey]] = {}
    for key in sorted(keys, key=lambda key: (rows[key]["steps"], key)):
        by_task.setdefault(rows[key]["task"], []).append(key)
    turns = zip_longest(*(by_task[task] for task in sorted(by_task)))
    mixed = [key for turn in turns for key in turn if key is not None][:_MOST_PASSED]
    return mixed[: len(by_task)], mixed[len(by_task) :]


def _explained(
    folder: RunFolder,
    pool: Pool,
    jobs: Jobs,
    agent: str,
    keys: Sequence[TraceKey],
    rows: Mapping[TraceKey, Mapping[str, Any]],
    summary: Summary,
    progress: DiagnosisProgress,
) -> Summary:
    """The summary with these episodes of an agent in it."""
    rows_by_key: dict[TraceKey, SummaryRow] = {row.key: row for row in summary.rows}
    failed = [key for key in keys if not _has_passed(rows[key])]
    waiting = []
    for key in keys:
        if key not in failed:
            rows_by_key[key] = SummaryRow(key, rows[key]["task"], "passed")
        elif (stored := _kept(folder, key, rows[key])) is not None:
            rows_by_key[key] = row_of(stored, rows[key]["task"])
        else:
            waiting.append(key)
    progress.begin(agent, len(failed), len(failed) - len(waiting))
    for diagnosis in _diagnosed(pool, jobs(waiting, summary.thresholds.get(agent, assumed()))):
        write_diagnosis(folder, diagnosis)
        rows_by_key[diagnosis.key] = row_of(diagnosis, rows[diagnosis.key]["task"])
        progress.finished(diagnosis)
    return replace(summary, rows=tuple(rows_by_key[key] for key in rows if key in rows_by_key))


def _kept(folder: RunFolder, key: TraceKey, row: Mapping[str, Any]) -> Diagnosis | None:
    """What was said before; not where the episode is sound and yet could not be played again, since
    what was in the way (a judge that was away, a process that died) may be gone."""
    try:
        diagnosis = read_diagnosis(folder, key)
    except RunError:
        return None
    return None if diagnosis.verdict == "not_run" and row["status"] == "ok" else diagnosis


def _has_passed(row: Mapping[str, Any]) -> bool:
    return bool(row["success"])
