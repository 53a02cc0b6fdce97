"""How ``run`` and ``score`` show results: means with intervals, agents × tasks."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from rich.markup import escape
from rich.table import Table

from navproof.cli._output import console

__all__ = ["print_scores", "scores_json"]

_SHOWN = ("success", "spl", "soft_spl", "navigation_error_m", "ndtw", "collisions", "steps")
_REASONS = 6

Row = Mapping[str, Any]


def print_scores(rows: Sequence[Row]) -> None:
    """A table of means with their 95 % intervals below them, and why episodes went wrong."""
    from navproof.metrics import METRICS, summarise

    table = Table(title_justify="left", caption_justify="left", show_lines=False)
    table.add_column("agent", overflow="fold")
    table.add_column("task", overflow="fold")
    table.add_column("n", justify="right")
    shown = [METRICS[name] for name in _SHOWN]
    for metric in shown:
        unit = f" ({metric.unit})" if metric.unit else ""
        table.add_column(f"{metric.label}{unit}", justify="right", no_wrap=True)
    failed = any(row["status"] != "ok" for row in rows)
    if failed:
        table.add_column("not ok", justify="right")
    privileged: dict[str, str] = {}
    for row in rows:
        if row.get("privileged"):
            privileged[row["agent"]] = row["privileged"]
    for summary in summarise(rows, metrics=_SHOWN):
        agent = summary.group["agent"]
        cells = [escape(agent) + ("*" if agent in privileged else ""), summary.group["task"]]
        cells.append(str(summary.n))
        cells += [_cell(summary.intervals[metric.name]) for metric in shown]
        if failed:
            cells.append(str(sum(summary.failed.values()) or ""))
        table.add_row(*cells)
    notes = ["means over episodes, 95 % confidence intervals below"]
    notes += [f"* {agent} is given ground truth: {what}" for agent, what in privileged.items()]
    table.caption = "\n".join(notes)
    console.print(table)
    _print_reasons(rows)


def _cell(interval: Any) -> str:
    if interval.n == 0:
        return "–"
    places = 1 if interval.high >= 10 else 2
    low, high = f"{interval.low:.{places}f}", f"{interval.high:.{places}f}"
    return f"{interval.mean:.{places}f}\n[dim]{low}–{high}[/dim]"


def _print_reasons(rows: Sequence[Row]) -> None:
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
    """Every metric of every agent and task, as plain JSON; undefined means are null."""
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
        for summary in summarise(rows)
    ]


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None
