"""The tables of a diagnosed run: failures by capability, each in a line, and what to fix first."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich import box
from rich.markup import escape
from rich.table import Table

if TYPE_CHECKING:
    from rich.console import Console

    from navproof.diagnosis.summary import Summary, SummaryRow

__all__ = ["print_diagnosis"]

_SHOWN = 8  # failures that are told one by one


def print_diagnosis(summary: Summary, console: Console) -> None:
    """A table for each agent, and what to fix first."""
    from navproof.log.names import short_name
    from navproof.reports.sections.diagnosis.fix_first import advise
    from navproof.reports.sections.diagnosis.section import judge_words, threshold_words

    for agent in dict.fromkeys(row.key.agent for row in summary.rows):
        rows = [row for row in summary.rows if row.key.agent == agent]
        failed = [row for row in rows if row.verdict != "passed"]
        console.print()
        title = f"[bold]{escape(agent)}[/bold]: {_count(rows)}"
        console.print(title, highlight=False, soft_wrap=True)
        if failed:
            console.print(_table(rows))
            _print_each(failed, console)
            _print_repairs(failed, console)
        limits = summary.thresholds.get(agent)
        if limits is not None and any(row.tried for row in rows):
            words = threshold_words(limits)
            console.print(f"thresholds: {words}", style="dim", highlight=False, soft_wrap=True)
        said = advise(short_name(agent), 0, rows).says
        if failed and all(row.verdict == "from_outside" for row in failed):
            said = "it tells nothing of what led to its actions, so no capability can be named"
        console.print(f"[bold]fix first:[/bold] {escape(said)}", highlight=False, soft_wrap=True)
    if summary.is_judged:
        told = judge_words(summary.likeness, [row.unrated for row in summary.rows])
        console.print(told, style="dim", markup=False, highlight=False, soft_wrap=True)


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


def _print_each(failed: Sequence[SummaryRow], console: Console) -> None:
    for row in failed[:_SHOWN]:
        where = row.key.episode_id
        if row.key.condition != "clean":
            where = f"{where} under {row.key.condition}"
        console.print(f"  {where}: {row.said}", markup=False, highlight=False, soft_wrap=True)
        if row.asked:
            told = f"    {row.asked}"
            console.print(told, style="dim", markup=False, highlight=False, soft_wrap=True)
    if len(failed) > _SHOWN:
        console.print(f"  … and {len(failed) - _SHOWN} more", style="dim", highlight=False)


def _print_repairs(failed: Sequence[SummaryRow], console: Console) -> None:
    """How many of the failures in which a capability was corrected by itself that saved."""
    from navproof.diagnosis.capabilities import PIPELINE

    parts = []
    for capability in PIPELINE:
        tried = [row.tried[capability] for row in failed if capability in row.tried]
        if tried:
            parts.append(f"{capability} {sum(tried)} of {len(tried)}")
    if parts:
        console.print(f"repaired where it was corrected: {', '.join(parts)}", highlight=False)
