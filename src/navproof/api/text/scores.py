"""The table of a run's scores: means with intervals, agents × tasks.

Conditions are never averaged: of an agent that was run clean, people are shown its clean episodes
here, and what it retains of them elsewhere (``retention``).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rich import box
from rich.markup import escape
from rich.measure import Measurement
from rich.table import Table

if TYPE_CHECKING:
    from rich.console import Console

__all__ = ["GROUPS", "print_scores", "scores_json"]

_SHOWN = (
    *("goal_sr", "goal_spl", "success", "full_sr", "csr", "sgc", "spl"),
    *("hfs", "hfr", "sii", "eqa_acc", "navigation_error_m", "ndtw", "soft_spl"),
    *("collisions", "steps"),
)
"""Columns in order of importance: a narrow terminal shows the first ones; those that are defined
in no episode (of goals in sequence, where a task has one) are left out."""
GROUPS = ("agent", "task", "condition")
_LEAST = 2
_REASONS = 6

Row = Mapping[str, Any]


def print_scores(rows: Sequence[Row], console: Console) -> None:
    """A table of means with their 95 % intervals below them, and why episodes went wrong."""
    clean = {row["agent"] for row in rows if row["condition"] == "clean"}
    meant = [row for row in rows if row["condition"] == "clean" or row["agent"] not in clean]
    shown = [name for name in _SHOWN if any(row.get(name) is not None for row in meant)]
    table = _table(meant, shown)
    while len(shown) > _LEAST and _width(table, console) > console.width:
        shown.pop()
        table = _table(meant, shown)
    console.print(table)
    what = "episodes" if len(meant) == len(rows) else "clean episodes"
    console.print(f"means over {what} with 95 % intervals; --json has every metric", style="dim")
    privileged = {row["agent"]: row["privileged"] for row in rows if row.get("privileged")}
    for agent, what in privileged.items():
        text = f"* {agent} is given ground truth: {what}"
        console.print(text, style="dim", markup=False, highlight=False, soft_wrap=True)
    _print_reasons(rows, console)


def _table(rows: Sequence[Row], names: Sequence[str]) -> Table:
    from navproof.metrics import METRICS, summarise

    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1), pad_edge=False)
    table.add_column("agent", overflow="fold")
    table.add_column("task", overflow="fold")
    table.add_column("n", justify="right")
    shown = [METRICS[name] for name in names]
    for metric in shown:
        unit = f" ({metric.unit})" if metric.unit else ""
        table.add_column(f"{metric.label}{unit}", justify="right", no_wrap=True)
    failed = any(row["status"] != "ok" for row in rows)
    if failed:
        table.add_column("not ok", justify="right")
    privileged = {row["agent"] for row in rows if row.get("privileged")}
    for summary in summarise(rows, GROUPS, names):
        agent, task, condition = (summary.group[name] for name in GROUPS)
        under = "" if condition == "clean" else f"\n[dim]{escape(condition)}[/dim]"
        cells = [escape(agent) + ("*" if agent in privileged else ""), task + under]
        cells.append(str(summary.n))
        cells += [_cell(summary.intervals[metric.name]) for metric in shown]
        if failed:
            cells.append(str(sum(summary.failed.values()) or ""))
        table.add_row(*cells)
    return table


def _width(table: Table, console: Console) -> int:
    """Columns of the terminal that the table would like to have."""
    options = console.options.update(max_width=10_000)
    return Measurement.get(console, options, table).maximum


def _cell(interval: Any) -> str:
    if interval.n == 0:
        return "–"
    places = 1 if interval.high >= 10 else 2
    low, high = f"{interval.low:.{places}f}", f"{interval.high:.{places}f}"
    return f"{interval.mean:.{places}f}\n[dim]{low}–{high}[/dim]"


def _print_reasons(rows: Sequence[Row], console: Console) -> None:
    counts: dict[tuple[str, str, str], int] = {}
    for row in rows:
        if row["status"] != "ok":
            key = (row["agent"], row["status"], row["reason"])
            counts[key] = counts.get(key, 0) + 1
    worst = sorted(counts.items(), key=lambda item: -item[1])
    for (agent, status, reason), count in worst[:_REASONS]:
        text = f"{agent}: {count} × {status}: {reason}"
        console.print(text, style="yellow", markup=False, highlight=False, soft_wrap=True)
    if len(worst) > _REASONS:
        console.print(f"… and {len(worst) - _REASONS} more reasons (column 'reason')")


def scores_json(rows: Sequence[Row]) -> list[dict[str, Any]]:
    """Every metric of every agent, task and condition, as plain JSON; undefined means are null."""
    from navproof.metrics import summarise

    return [
        {
            **summary.group,
            "n": summary.n,
            "not_ok": dict(summary.failed),
            "metrics": {
                name: {
                    "mean": _finite(interval.mean),
                    "low": _finite(interval.low),
                    "high": _finite(interval.high),
                    "n": interval.n,
                    "method": interval.method,
                }
                for name, interval in summary.intervals.items()
            },
        }
        for summary in summarise(rows, GROUPS)
    ]


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None
