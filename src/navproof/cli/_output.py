"""How commands print: a Rich table for people, JSON with ``--json`` for programs."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table

__all__ = ["JsonFlag", "console", "print_json", "print_table"]

JsonFlag = Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")]
console = Console()


def print_json(value: Any) -> None:
    print(json.dumps(value, indent=2, sort_keys=True, allow_nan=False))


def print_table(title: str, rows: Sequence[Mapping[str, Any]], columns: Sequence[str] = ()) -> None:
    """Rows as a table; numbers to the right, floats with three decimals, None as a dash. Text is
    shown as it is: brackets are no markup."""
    names = list(columns) or (list(rows[0]) if rows else [])
    table = Table(title=escape(title), title_justify="left")
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
