"""``navproof gate``: is a run good enough? An exit code for people's CI."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich import box
from rich.markup import escape
from rich.table import Table

from navproof.cli.terminal.output import JsonFlag, console, print_json

if TYPE_CHECKING:
    from navproof.log import RunFolder, Skipped
    from navproof.metrics.retention.requirements import Check

__all__ = ["Limit", "gate"]

Row = Mapping[str, Any]


class Limit(StrEnum):
    """What must reach the minimum."""

    VALUE = "value"
    LOW = "low"


def gate(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="A run folder.")],
    minimum: Annotated[
        list[str],
        typer.Option(
            "--min",
            metavar="KEY=NUMBER",
            help="A score and the least it must be (repeatable): sr.clean, spl.CONDITION, "
            "retention_sr.CONDITION, prs_sr.FAMILY, prs_spl, worst_sr, …",
            show_default=False,
        ),
    ],
    agent: Annotated[str | None, typer.Option("--agent", help="Only this agent.")] = None,
    task: Annotated[
        str | None, typer.Option("--task", help="Only this task: vln, objectnav-v1, …")
    ] = None,
    on: Annotated[
        Limit,
        typer.Option("--on", help="The value itself, or the lower limit of its 95 % interval."),
    ] = Limit.VALUE,
    verified: Annotated[
        bool,
        typer.Option(
            "--verified",
            help="Also simulate the recorded actions again: what cannot be verified does not pass.",
        ),
    ] = False,
    allow_shard: Annotated[
        bool,
        typer.Option(
            "--allow-shard",
            help="Judge one part of a run (run --shard) by its own episodes, which says less.",
        ),
    ] = False,
    workers: Annotated[
        int, typer.Option("--workers", "-j", help="Processes that verify (0: one a processor).")
    ] = 0,
    json: JsonFlag = False,
) -> None:
    """Check what a run must reach: exit code 0 if every agent on every task does, 1 if one does
    not (an undefined score does not, nor a run in which the machine kept an episode from being
    played), 2 for bad input, an unfinished run or one shard of a run. Scores are made from the
    traces.

    Example: navproof gate runs/trust --min sr.clean=0.5 --min prs_sr.rgb=0.85

    docs/guides/gate.md has every key, and a workflow for GitHub Actions.
    """
    from navproof.api.text.scores import not_played_note
    from navproof.api.verify import verify
    from navproof.core.lock import refuse_in_use
    from navproof.log import RunFolder
    from navproof.log.clocks import clock_note, clock_of
    from navproof.log.shard import shard_note
    from navproof.metrics.catalogue import played
    from navproof.metrics.retention.requirements import check, parse_requirement
    from navproof.metrics.retention.retention import trust_scores

    wanted = [parse_requirement(text) for text in minimum]
    refuse_in_use(run)
    folder = RunFolder(run)
    rows, skipped = _selected(folder, agent, task, allow_shard)
    shard = folder.info.shard
    checks = check(wanted, trust_scores(rows, skipped), "low" if on is Limit.LOW else "value")
    not_played = len(rows) - len(played(rows))
    verification = (
        verify(run, workers=workers or None, allow_shard=allow_shard) if verified else None
    )
    passed = (
        all(found.passed for found in checks)
        and not not_played
        and (verification is None or bool(verification))
    )
    if json:
        told = [asdict(found) for found in checks]
        document: dict[str, Any] = {
            "run": str(run),
            "on": on.value,
            "passed": passed,
            "checks": told,
        }
        document |= {"clock": clock_of(folder.info), "shard": str(shard) if shard else None}
        extra = {} if verification is None else {"verification": verification.document()}
        print_json({**document, "not_played": not_played, **extra})
    else:
        _print(checks, on)
        for note in (*clock_note(folder.info), *shard_note(folder.info)):
            console.print(note, style="dim", markup=False, highlight=False, soft_wrap=True)
        for note in not_played_note(rows):
            console.print(f"FAIL: {note}", style="red", highlight=False, soft_wrap=True)
        if verification is not None:
            verification.show(console)
    if not passed:
        raise typer.Exit(1)


def _selected(
    folder: RunFolder, agent: str | None, task: str | None, allow_shard: bool
) -> tuple[list[Row], list[Skipped]]:
    """The rows of a finished run, of one agent or task if said, and what was skipped there. They
    are made from the traces: a gate believes no table."""
    from navproof.core.errors import RunError
    from navproof.core.registry import suggest
    from navproof.metrics.catalogue import result_rows
    from navproof.tasks.registry import task_id

    info = folder.info
    if info.shard is not None and not allow_shard:
        raise RunError(
            f"{folder.path} is shard {info.shard} of a run, which is judged as a whole: 'navproof "
            "merge' makes it of all shards (--allow-shard judges this one alone)"
        )
    planned = set(info.assigned())
    lost = planned.difference(folder.keys())
    if lost:
        raise RunError(
            f"{folder.path} is not finished: traces of {len(planned) - len(lost)} of "
            f"{len(planned)} episodes; the same 'navproof run' again plays what is missing"
        )
    rows: list[Row] = [*result_rows(folder.traces())]
    skipped = list(info.skipped)
    if agent is not None:
        meant = folder.agent_named(agent, list(dict.fromkeys(row["agent"] for row in rows)))
        rows = [row for row in rows if row["agent"] == meant]
        skipped = [left_out for left_out in skipped if left_out.agent == meant]
    if task is not None:
        known = list(dict.fromkeys(row["task"] for row in rows))
        full = task if task in known else task_id(task)
        if full not in known:
            raise RunError(f"{folder.path} has no task '{task}'{suggest(task, known)}")
        rows = [row for row in rows if row["task"] == full]
        skipped = [left_out for left_out in skipped if left_out.task == full]
    if not rows:
        raise RunError(f"{folder.path} has no results; run it first")
    return rows, skipped


def _print(checks: Sequence[Check], on: Limit) -> None:
    tests = list(dict.fromkeys((found.agent, found.task) for found in checks))
    if len(tests) == 1:
        title = f"{tests[0][0]} on {tests[0][1]}"
        console.print(title, style="bold", markup=False, highlight=False, soft_wrap=True)
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, collapse_padding=True)
    table.add_column("", no_wrap=True)
    for name in ("score", "agent", "task") if len(tests) > 1 else ("score",):
        table.add_column(name, overflow="fold")
    for name in ("least", "value", "95 %"):
        table.add_column(name, justify="right", no_wrap=True)
    for found in checks:
        table.add_row(
            "[green]pass[/green]" if found.passed else "[red]FAIL[/red]",
            escape(found.key),
            *((escape(found.agent), escape(found.task)) if len(tests) > 1 else ()),
            f"{found.minimum:g}",
            "–" if found.value is None else f"{found.value:.3f}",
            "" if found.low is None else f"{found.low:.3f}–{found.high:.3f}",
        )
    console.print(table)
    for found in checks:
        if found.value is None:
            text = f"{found.key} of {found.agent} on {found.task} is undefined: {found.why}"
            console.print(text, style="yellow", markup=False, highlight=False, soft_wrap=True)
    failed = sum(not found.passed for found in checks)
    what = "lower limit" if on is Limit.LOW else "value"
    count = f"{len(checks)} check{'s' * (len(checks) > 1)}"
    told = f"{failed} of {count} failed" if failed else f"{count} passed"
    console.print(f"{told} (on the {what})", highlight=False)
