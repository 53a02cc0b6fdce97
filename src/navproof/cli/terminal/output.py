"""How commands print: a Rich table for people, JSON with ``--json`` for programs."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any, TypeVar

import typer
from rich import box
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from navproof.api.outputs import PICTURES, check_output
from navproof.core.errors import NavproofError
from navproof.core.registry import Registry

__all__ = [
    "PICTURES",
    "JsonFlag",
    "MoreMetrics",
    "OfAgent",
    "OfCondition",
    "OfSeed",
    "check_output",
    "console",
    "print_json",
    "print_table",
    "usable",
]

T = TypeVar("T")

JsonFlag = Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")]
OfAgent = Annotated[
    str | None, typer.Option("--agent", "-a", help="Whose (default: the first that has it).")
]
OfCondition = Annotated[
    str | None,
    typer.Option("--condition", "-c", help="Under which condition (default: the first)."),
]
OfSeed = Annotated[int | None, typer.Option(help="Of which seed of the run (default: the first).")]
"""Which of a run's episodes of one id is meant."""
MoreMetrics = Annotated[
    list[str] | None,
    typer.Option(
        "--metric",
        help="Also score by my_metrics.py:NAME (a function of a trace); a built-in one is "
        "shown first (navproof metrics list). The run remembers it.",
    ),
]
console = Console(emoji=False)
"""Text is shown as it is: ``my.py:fog:frame`` is a name, not a picture of fog."""


def print_json(value: Any) -> None:
    print(json.dumps(value, indent=2, sort_keys=True, allow_nan=False))


def usable(registry: Registry[T]) -> Iterator[tuple[str, T]]:
    """Everything of a kind that has a name. What an installed package offers and cannot be had is
    left out, in a line on the error stream: one broken plug-in hides no list."""
    for name in registry:
        try:
            thing = registry.get(name)
        except NavproofError as error:
            typer.echo(f"left out: {error}", err=True)
        else:
            yield name, thing


def print_table(title: str, rows: Sequence[Mapping[str, Any]], columns: Sequence[str] = ()) -> None:
    """Rows as a table; numbers to the right, floats with three decimals, None as a dash. Text is
    shown as it is: brackets are no markup."""
    names = list(columns) or (list(rows[0]) if rows else [])
    table = Table(title=escape(title), title_justify="left", box=box.SIMPLE_HEAD, pad_edge=False)
    for name in names:
        numeric = any(isinstance(row.get(name), int | float) for row in rows)
        table.add_column(escape(name), justify="right" if numeric else "left")
    for row in rows:
        table.add_row(*(_cell(row.get(name)) for name in names))
    console.print(table)


def _cell(value: Any) -> str:
    if value is None:
        return "–"
    return f"{value:.3f}" if isinstance(value, float) else escape(str(value))
