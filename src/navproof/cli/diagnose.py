"""``navproof diagnose``: which capability lost each failed run of a run folder, and when."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich import box
from rich.markup import escape
from rich.table import Table

from navproof.cli.terminal.judging import JudgeModelOption, JudgeOption, judges_at
from navproof.cli.terminal.output import JsonFlag, console, print_json
from navproof.cli.terminal.stopping import terminable

if TYPE_CHECKING:
    from navproof.diagnosis.summary import Summary, SummaryRow
    from navproof.log.folder import RunFolder

__all__ = ["diagnose"]

_SHOWN = 8  # failures that are told one by one


def diagnose(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="A run folder.")],
    agent: Annotated[
        list[str] | None, typer.Option("--agent", "-a", help="Only this agent (repeatable).")
    ] = None,
    condition: Annotated[
        list[str] | None,
        typer.Option("--condition", "-c", help="Only under this condition (repeatable)."),
    ] = None,
    episodes: Annotated[
        int | None,
        typer.Option(help="Only the first so many episodes of each agent under each condition."),
    ] = None,
    workers: Annotated[int, typer.Option("--workers", "-j", help="Processes.")] = 1,
    trials: Annotated[int, typer.Option(help="The most counterfactuals for one failure.")] = 12,
    probes: Annotated[
        bool,
        typer.Option(
            help="Ask agents from outside (clean input, oracle actions, plain words) that tell "
            "nothing of what led to their actions."
        ),
    ] = True,
    judge: JudgeOption = None,
    judge_model: JudgeModelOption = None,
    fresh: Annotated[
        bool, typer.Option("--fresh", help="Remove all earlier diagnoses of the run first.")
    ] = False,
    json: JsonFlag = False,
) -> None:
    """Say of every failure in a run which capability caused it, when, and that correcting it would
    have saved the run. The same command goes on where it was interrupted."""
    from navproof.cli.terminal.diagnosis_progress import ShownProgress
    from navproof.core.errors import RunError
    from navproof.diagnosis.attribution.attribute import Settings
    from navproof.diagnosis.fuzz.store import is_campaign
    from navproof.diagnosis.run import diagnose_run
    from navproof.diagnosis.summary import as_document
    from navproof.log.folder import RunFolder
    from navproof.reports.sections.diagnosis.section import judge_words

    if is_campaign(run):
        raise RunError(
            f"{run} is a search for failures, which are diagnosed as they are found (navproof fuzz "
            f"--diagnose): 'navproof report {run}' shows them"
        )
    folder = RunFolder(run)
    _ = folder.info  # raises, and says what is wrong
    labels, memories = judges_at(judge, judge_model) or (None, None)
    progress = ShownProgress()
    try:
        with terminable(), progress:
            summary = diagnose_run(
                folder,
                agents=agent,
                conditions=condition,
                limit=episodes,
                workers=workers,
                settings=Settings(trials=trials, probes=probes),
                distance=labels,
                likeness=memories,
                fresh=fresh,
                progress=progress,
            )
    except KeyboardInterrupt:
        typer.echo("stopped: what was explained is kept; the same command goes on", err=True)
        raise typer.Exit(130) from None
    summary = _asked_for(summary, folder, agent, condition)
    if json:
        print_json(as_document(summary))
        return
    _tell(summary)
    if summary.is_judged:
        told = judge_words(summary.likeness, [row.unrated for row in summary.rows])
        console.print(told, style="dim", markup=False, highlight=False, soft_wrap=True)
    console.print(
        f"details: {run}/diagnosis.json; navproof report {run} shows them",
        style="dim",
        markup=False,
        highlight=False,
        soft_wrap=True,
    )


def _asked_for(
    summary: Summary, folder: RunFolder, agents: list[str] | None, conditions: list[str] | None
) -> Summary:
    """What was explained before of other agents and conditions is not told again."""
    known = list(dict.fromkeys(row.key.agent for row in summary.rows))
    names = known if agents is None else [folder.agent_named(name, known) for name in agents]
    rows = tuple(
        row
        for row in summary.rows
        if row.key.agent in names and (conditions is None or row.key.condition in conditions)
    )
    limits = {name: found for name, found in summary.thresholds.items() if name in names}
    return replace(summary, rows=rows, thresholds=limits)


def _tell(summary: Summary) -> None:
    """A table for each agent, and what to fix first."""
    from navproof.log.names import short_name
    from navproof.reports.sections.diagnosis.fix_first import advise
    from navproof.reports.sections.diagnosis.section import threshold_words

    for agent in dict.fromkeys(row.key.agent for row in summary.rows):
        rows = [row for row in summary.rows if row.key.agent == agent]
        failed = [row for row in rows if row.verdict != "passed"]
        console.print()
        title = f"[bold]{escape(agent)}[/bold]: {_count(rows)}"
        console.print(title, highlight=False, soft_wrap=True)
        if failed:
            console.print(_table(rows))
            _tell_each(failed)
            _tell_repairs(failed)
        limits = summary.thresholds.get(agent)
        if limits is not None and any(row.tried for row in rows):
            words = threshold_words(limits)
            console.print(f"thresholds: {words}", style="dim", highlight=False, soft_wrap=True)
        said = advise(short_name(agent), 0, rows).says
        if failed and all(row.verdict == "from_outside" for row in failed):
            said = "it tells nothing of what led to its actions, so no capability can be named"
        console.print(f"[bold]fix first:[/bold] {escape(said)}", highlight=False, soft_wrap=True)


def _count(rows: Sequence[SummaryRow]) -> str:
    failed = [row for row in rows if row.verdict != "passed"]
    found = sum(row.verdict == "attributed" for row in failed)
    told = f"{len(failed)} of {len(rows)} episodes failed"
    if failed and all(row.verdict == "from_outside" for row in failed):
        return f"{told}, and were asked about from outside"
    return f"{told}, {found} of them explained"


def _table(rows: Sequence[SummaryRow]) -> Table:
    """Failures by capability and type, one line for each condition."""
    failed = [row for row in rows if row.verdict != "passed"]
    kinds = sorted({row.kind for row in failed if _is_named(row) and row.kind is not None})
    others = sorted({row.verdict for row in failed} - {"attributed"})
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("condition")
    table.add_column("episodes", justify="right")
    table.add_column("failed", justify="right")
    for kind in kinds:
        table.add_column(f"{kind.capability}\n{kind} {kind.said}", justify="right")
    for verdict in others:
        table.add_column(verdict.replace("_", " "), justify="right")
    for condition in dict.fromkeys(row.key.condition for row in rows):
        here = [row for row in rows if row.key.condition == condition]
        table.add_row(
            escape(condition),
            str(len(here)),
            str(sum(row.verdict != "passed" for row in here)),
            *(_number(sum(_is_named(row) and row.kind == kind for row in here)) for kind in kinds),
            *(_number(sum(row.verdict == verdict for row in here)) for verdict in others),
        )
    return table


def _is_named(row: SummaryRow) -> bool:
    """Whether one capability is the cause."""
    return row.verdict == "attributed"


def _number(count: int) -> str:
    return str(count) if count else "·"


def _tell_each(failed: Sequence[SummaryRow]) -> None:
    for row in failed[:_SHOWN]:
        where = row.key.episode_id
        if row.key.condition != "clean":
            where = f"{where} under {row.key.condition}"
        console.print(f"  {where}: {row.said}", markup=False, highlight=False, soft_wrap=True)
    if len(failed) > _SHOWN:
        console.print(f"  … and {len(failed) - _SHOWN} more", style="dim", highlight=False)


def _tell_repairs(failed: Sequence[SummaryRow]) -> None:
    """How many of the failures in which a capability was corrected by itself that saved."""
    from navproof.diagnosis.capabilities import PIPELINE

    parts = []
    for capability in PIPELINE:
        tried = [row.tried[capability] for row in failed if capability in row.tried]
        if tried:
            parts.append(f"{capability} {sum(tried)} of {len(tried)}")
    if parts:
        console.print(f"repaired where it was corrected: {', '.join(parts)}", highlight=False)
