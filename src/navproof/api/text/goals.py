"""The tables of goals in words: per cent with intervals, by feature, number, order, failure.

The layout is LangNavBench's Table 3 (agents × linguistic features) and Table 4 (failure classes).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from rich import box
from rich.markup import escape
from rich.measure import Measurement
from rich.table import Table

if TYPE_CHECKING:
    from rich.console import Console

    from navproof.metrics import GoalResult, GoalRow, Interval

__all__ = ["Cut", "goals_json", "print_goals"]

Goals = Mapping[tuple[str, str], Sequence[Sequence["GoalResult"]]]
"""The goals of every episode, by (task, agent)."""
_HEADINGS = {
    "tag": "by feature in the words",
    "attributes": "by number of features",
    "order": "by order of goals",
    "failure": "why goals were lost, % of them",
}


class Cut(StrEnum):
    """Ways to group goals."""

    TAG = "tag"
    ATTRIBUTES = "attributes"
    ORDER = "order"
    FAILURE = "failure"


def _tables(goals: Goals) -> dict[str, list[GoalRow]]:
    from navproof.metrics import goal_table

    tasks = list(dict.fromkeys(task for task, _ in goals))
    return {
        task: goal_table({agent: e for (of, agent), e in goals.items() if of == task})
        for task in tasks
    }


def print_goals(goals: Goals, console: Console, by: Iterable[Cut], spl: bool = False) -> None:
    """Tables of every task with several goals, of SR (or ``spl``) within groups; nothing where
    there is none."""
    for task, rows in _tables(goals).items():
        counts = sorted({row.goals for row in rows})
        many = "–".join(str(n) for n in dict.fromkeys((counts[0], counts[-1])))
        worded = any(
            goal.tags
            for (of, _), episodes in goals.items()
            for episode in episodes
            for goal in episode
            if of == task
        )
        for cut in by:
            if cut in (Cut.TAG, Cut.ATTRIBUTES) and not worded:
                continue  # goals that are not described in words have no features
            measure = "" if cut is Cut.FAILURE else "SPL " if spl else "SR "
            heading = f"{task}: {measure}{_HEADINGS[cut]}"
            _print(heading, _columns(rows, cut, spl), console)
        text = f"{many} goals per agent; in %, 95 % intervals resample episodes; n is below a name"
        console.print(text, style="dim", highlight=False)


Column = tuple[str, list[str]]


def _columns(rows: Sequence[GoalRow], cut: Cut, spl: bool) -> list[Column]:
    """(heading, a cell per row) of every column; the first holds the agents."""
    agents: Column = ("agent", [escape(row.agent) for row in rows])
    if cut is Cut.FAILURE:
        names = list(dict.fromkeys(name for row in rows for name in row.failures))
        shares = [
            (
                name.replace(" ", "\n", 1),
                [_share(row, name) for row in rows],
            )
            for name in names
        ]
        return [agents, ("lost", [str(row.failed) for row in rows]), *shares]
    columns = [
        agents,
        ("SR", [_cell(row.sr) for row in rows]),
        ("SPL", [_cell(row.spl) for row in rows]),
    ]
    for name in rows[0].cuts[cut]:
        column = [(row.spl_cuts if spl else row.cuts)[cut][name] for row in rows]
        n = max(i.n for i in column)
        columns.append((f"{escape(name)}\n[dim]{n}[/dim]", [_cell(i) for i in column]))
    return columns


def _share(row: GoalRow, failure: str) -> str:
    return f"{100 * row.failures.get(failure, 0) / row.failed:.1f}" if row.failed else "–"


def _cell(i: Interval) -> str:
    if not i.n:
        return "–"
    return f"{100 * i.mean:.1f}\n[dim]{100 * i.low:.0f}–{100 * i.high:.0f}[/dim]"


def _print(title: str, columns: Sequence[Column], console: Console) -> None:
    """One table, or several below each other where the terminal is narrow."""
    agents, waiting = columns[0], list(columns[1:])
    heading: str | None = title
    while waiting:
        count = len(waiting)
        while count > 1:
            if _width(_table(None, [agents, *waiting[:count]]), console) <= console.width:
                break
            count -= 1
        console.print(_table(heading, [agents, *waiting[:count]]))
        heading, waiting = None, waiting[count:]


def _table(title: str | None, columns: Sequence[Column]) -> Table:
    table = Table(
        box=box.SIMPLE_HEAD,
        pad_edge=False,
        collapse_padding=True,
        title=title,
        title_justify="left",
    )
    table.add_column(columns[0][0], overflow="fold", vertical="top")
    for heading, _ in columns[1:]:
        table.add_column(heading, justify="right", no_wrap=True)
    for cells in zip(*(column for _, column in columns), strict=True):
        table.add_row(*cells)
    return table


def _width(table: Table, console: Console) -> int:
    options = console.options.update(max_width=10_000)
    return Measurement.get(console, options, table).maximum


def goals_json(goals: Goals) -> list[dict[str, Any]]:
    """Everything of every agent, as plain JSON; rates are shares, undefined ones null."""
    return [
        {
            "task": task,
            "agent": row.agent,
            "episodes": row.episodes,
            "goals": row.goals,
            "sr": _plain(row.sr),
            "spl": _plain(row.spl),
            "sr_released": _plain(row.sr_released),
            "spl_released": _plain(row.spl_released),
            "by": {
                cut: {name: _plain(i) for name, i in groups.items()}
                for cut, groups in row.cuts.items()
            },
            "spl_by": {
                cut: {name: _plain(i) for name, i in groups.items()}
                for cut, groups in row.spl_cuts.items()
            },
            "failures": dict(row.failures),
        }
        for task, rows in _tables(goals).items()
        for row in rows
    ]


def _plain(i: Interval) -> dict[str, Any]:
    limits = {"mean": i.mean, "low": i.low, "high": i.high}
    known: dict[str, Any] = {k: v if math.isfinite(v) else None for k, v in limits.items()}
    return {**known, "n": i.n, "method": i.method}
