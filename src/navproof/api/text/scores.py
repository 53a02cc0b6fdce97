"""The table of a run's scores: means with intervals, agents × tasks.

Conditions are never averaged: of an agent that was run clean, people are shown its clean episodes
here, and what it retains of them elsewhere (``retention``).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rich import box
from rich.markup import escape
from rich.measure import Measurement
from rich.table import Table

if TYPE_CHECKING:
    from rich.console import Console

    from navproof.metrics import Interval, Metric, MetricSet

__all__ = ["GROUPS", "not_played_note", "played_again_note", "print_scores", "scores_json"]

_SHOWN = (
    *("goal_sr", "goal_spl", "success", "full_sr", "csr", "sgc", "spl"),
    *("hfs", "hfr", "sii", "eqa_acc", "navigation_error_m", "ndtw", "soft_spl"),
    *("delay_s", "collisions", "steps"),
)
"""Columns in order of importance: a narrow terminal shows the first ones; those that are defined
in no episode of a task are left out of its table."""
GROUPS = ("agent", "task", "condition")
_LEAST = 2
_REASONS = 6

Row = Mapping[str, Any]


def not_played_note(rows: Sequence[Row]) -> list[str]:
    """What is to be said of episodes that the machine kept from being played, if there are any."""
    from navproof.metrics import played

    if not (count := len(rows) - len(played(rows))):
        return []
    was = "1 episode was" if count == 1 else f"{count} episodes were"
    return [
        f"{was} not played (infrastructure) and left out of all means; the same 'navproof run' "
        "tries again"
    ]


def played_again_note(rows: Sequence[Row]) -> list[str]:
    """What is to be said of episodes that were played again since the agent's process was ended."""
    counts = Counter(str(row["agent"]) for row in rows if (row.get("attempts") or 1) > 1)
    return [
        f"{agent}: {count} {'episode was' if count == 1 else 'episodes were'} played again, since "
        "something ended its process"
        for agent, count in counts.items()
    ]


def print_scores(rows: Sequence[Row], console: Console, metrics: MetricSet | None = None) -> None:
    """Means with their 95 % intervals below them, and why episodes went wrong; a table for all
    tasks that define the same metrics. Those that somebody named come right after the first two."""
    from navproof.metrics import BUILT_IN, played

    metrics = metrics or BUILT_IN
    rows, every = played(rows), rows
    clean = {row["agent"] for row in rows if row["condition"] == "clean"}
    meant = [row for row in rows if row["condition"] == "clean" or row["agent"] not in clean]
    tables: dict[tuple[str, ...], list[Row]] = {}
    for task in dict.fromkeys(row["task"] for row in meant):
        members = [row for row in meant if row["task"] == task]
        tables.setdefault(_columns(members, metrics), []).extend(members)
    for columns, members in tables.items():
        shown = list(columns)
        least = _LEAST + sum(name in _asked(metrics) for name in columns)
        table = _table(members, shown, metrics)
        while len(shown) > least and _width(table, console) > console.width:
            shown.pop()
            table = _table(members, shown, metrics)
        console.print(table)
    what = "episodes" if len(meant) == len(rows) else "clean episodes"
    console.print(f"means over {what} with 95 % intervals; --json has every metric", style="dim")
    privileged = {row["agent"]: row["privileged"] for row in rows if row.get("privileged")}
    for agent, what in privileged.items():
        text = f"* {agent} is given ground truth: {what}"
        console.print(text, style="dim", markup=False, highlight=False, soft_wrap=True)
    _print_reasons(every, console)


def _asked(metrics: MetricSet) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*metrics.named, *metrics.others)))


def _columns(rows: Sequence[Row], metrics: MetricSet) -> tuple[str, ...]:
    """The metrics of a task that any of its rows defines, in order of importance."""
    asked = _asked(metrics)
    first = [name for name in _SHOWN if name not in asked]
    defined = {name for row in rows for name, value in row.items() if value is not None}
    usual = [name for name in first if name in defined]
    return (*usual[:_LEAST], *(name for name in asked if name in defined), *usual[_LEAST:])


def _table(rows: Sequence[Row], names: Sequence[str], metrics: MetricSet) -> Table:
    from navproof.metrics import summarise

    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1), pad_edge=False)
    table.add_column("agent", overflow="fold")
    table.add_column("task", overflow="fold")
    table.add_column("n", justify="right")
    shown = [metrics.metrics[name] for name in names]
    for metric in shown:
        unit = f" ({metric.unit})" if metric.unit else ""
        table.add_column(f"{metric.label}{unit}", justify="right", no_wrap=True)
    failed = any(row["status"] != "ok" for row in rows)
    if failed:
        table.add_column("not ok", justify="right")
    privileged = {row["agent"] for row in rows if row.get("privileged")}
    for summary in summarise(rows, GROUPS, names, definitions=metrics.metrics):
        agent, task, condition = (summary.group[name] for name in GROUPS)
        under = "" if condition == "clean" else f"\n[dim]{escape(condition)}[/dim]"
        cells = [escape(agent) + ("*" if agent in privileged else ""), task + under]
        cells.append(str(summary.n))
        cells += [_cell(summary.intervals[metric.name], metric) for metric in shown]
        if failed:
            cells.append(str(sum(summary.failed.values()) or ""))
        table.add_row(*cells)
    return table


def _width(table: Table, console: Console) -> int:
    """Columns of the terminal that the table would like to have."""
    options = console.options.update(max_width=10_000)
    return Measurement.get(console, options, table).maximum


def _cell(interval: Interval, metric: Metric) -> str:
    if interval.n == 0:
        return "–"
    places = 1 if max(interval.high, -interval.low) >= 10 else 2
    if metric.family == "other" and max(interval.high, -interval.low) < 1:
        places = 3  # nothing is known of how large its numbers are
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


def scores_json(rows: Sequence[Row], metrics: MetricSet | None = None) -> list[dict[str, Any]]:
    """Every metric of every agent, task and condition, as plain JSON; undefined means are null."""
    from navproof.metrics import BUILT_IN, summarise

    known = (metrics or BUILT_IN).metrics
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
        for summary in summarise(rows, GROUPS, definitions=known)
    ]


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None
