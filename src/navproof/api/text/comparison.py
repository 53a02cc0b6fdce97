"""The table of a comparison."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rich import box
from rich.table import Table

if TYPE_CHECKING:
    from rich.console import Console

    from navproof.api.compare import Comparison

__all__ = ["print_comparison"]


def print_comparison(found: Comparison, console: Console) -> None:
    """A table for all tasks or for each, what was tested how, and what to know about it."""
    console.print(f"A = {found.a}\nB = {found.b}", markup=False, highlight=False, soft_wrap=True)
    lines = found.lines
    for task in dict.fromkeys(line["task"] for line in lines):
        title = task if found.by_task else None
        console.print(_table([line for line in lines if line["task"] == task], title))
    groups = "" if found.by is None else f", SR of goals by {found.by}"
    over = f"A − B with 95 % intervals over paired episodes{groups}; wins are A : B"
    console.print(over, style="dim")
    for test in dict.fromkeys(line["test"] for line in lines):
        metrics = ", ".join(dict.fromkeys(x["label"] for x in lines if x["test"] == test))
        console.print(f"{test}: {metrics}", style="dim", highlight=False)
    for note in found.notes:
        console.print(note, style="yellow", highlight=False)


def _table(lines: Sequence[Mapping[str, Any]], title: str | None) -> Table:
    table = Table(
        box=box.SIMPLE_HEAD,
        pad_edge=False,
        collapse_padding=True,
        title=title,
        title_justify="left",
    )
    table.add_column("metric", no_wrap=True)
    for name in ("A", "B", "A − B", "p", "n", "wins"):
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column("better", justify="center", no_wrap=True)
    for line in lines:
        p = line["p_value"]
        table.add_row(
            line["label"],
            _short(line["a"]),
            _short(line["b"]),
            f"{_short(line['difference'], '+')}\n"
            f"[dim]{_short(line['low'], '+')}…{_short(line['high'], '+')}[/dim]",
            "< 0.001" if p < 0.001 else f"{p:.3f}",
            str(line["n"]),
            f"{line['wins']} : {line['losses']}",
            line["better"],
        )
    return table


def _short(value: float, sign: str = "") -> str:
    return f"{value:{sign}.3f}" if abs(value) < 10 else f"{value:{sign}.1f}"
