"""``navproof compare``: two agents or two runs, episode by episode."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich import box
from rich.table import Table

from navproof.cli.terminal.output import JsonFlag, console, print_json

if TYPE_CHECKING:
    from navproof.log import RunFolder
    from navproof.metrics import PairedResult

__all__ = ["GoalCut", "compare"]

_DEFAULT = (
    *("success", "spl", "goal_sr", "goal_spl", "soft_spl", "navigation_error_m", "ndtw"),
    *("collisions", "steps"),
)
_LEVEL = 0.05

Row = Mapping[str, Any]


class GoalCut(StrEnum):
    """Ways to group goals."""

    TAG = "tag"
    ATTRIBUTES = "attributes"
    ORDER = "order"


def compare(
    a: Annotated[str, typer.Argument(metavar="A", help="A run folder, or RUN:agent.")],
    b: Annotated[str, typer.Argument(metavar="B", help="Another one, or another agent of it.")],
    metric: Annotated[
        list[str] | None, typer.Option("--metric", "-m", help="Only this metric (repeatable).")
    ] = None,
    by_task: Annotated[bool, typer.Option("--by-task", help="Each task by itself.")] = False,
    by: Annotated[
        GoalCut | None,
        typer.Option("--by", help="Success of goals in groups, for tasks with several goals."),
    ] = None,
    condition: Annotated[
        str | None,
        typer.Option(
            help="The episodes under this condition (default: the clean ones, where there are any)",
            show_default=False,
        ),
    ] = None,
    json: JsonFlag = False,
) -> None:
    """Pair the episodes of A and B; differences (A − B) with intervals and a paired test.

    Conditions are not mixed: what an agent retains under each is for 'navproof score'."""
    from navproof.core.errors import RunError
    from navproof.metrics import METRICS, pair_rows
    from navproof.metrics import metric as find_metric

    _refuse_other_tiers(a, b)
    names = [find_metric(name).name for part in metric or () for name in part.split(",")]
    every = [_select(side, goals=by is not None) for side in (a, b)]
    rows_a, rows_b = (
        _under(condition, rows, side) for rows, side in zip(every, (a, b), strict=True)
    )
    pairs = _pairs(rows_a, rows_b, pair_rows)
    if not pairs:
        raise RunError(f"{a} and {b} have no episode in common (same task, scene, id and seed)")
    if by is not None and not any(row["goals"] for row, _ in pairs):
        raise RunError(f"--by {by} is for tasks with several goals, and {a} has none")
    groups = {"all": pairs}
    if by_task:
        groups = {}
        for pair in pairs:
            groups.setdefault(pair[0]["task"], []).append(pair)
    found = [
        line
        for task, members in groups.items()
        for name in names or (("goal_sr", "goal_spl") if by else _DEFAULT)
        if (line := _line(task, METRICS[name], members)) is not None
    ]
    if by is not None:
        found += [line for task, members in groups.items() for line in _cut(task, by, members)]
    notes = _notes(pairs, len(rows_a), len(rows_b))
    if condition is None and len(rows_a) + len(rows_b) < len(every[0]) + len(every[1]):
        notes.append("clean episodes only; --condition chooses another condition")
    if json:
        print_json({"a": a, "b": b, "pairs": len(pairs), "notes": notes, "comparisons": found})
        return
    console.print(f"A = {a}\nB = {b}", markup=False, highlight=False, soft_wrap=True)
    for task in groups:
        title = task if by_task else None
        console.print(_table([line for line in found if line["task"] == task], title))
    over = "over paired episodes" if by is None else f"over paired episodes, SR of goals by {by}"
    console.print(f"A − B with 95 % intervals {over}; wins are A : B", style="dim")
    for test in dict.fromkeys(line["test"] for line in found):
        metrics = ", ".join(dict.fromkeys(x["label"] for x in found if x["test"] == test))
        console.print(f"{test}: {metrics}", style="dim", highlight=False)
    for note in notes:
        console.print(note, style="yellow", highlight=False)


def _run_of(text: str) -> tuple[RunFolder, str]:
    """The run, and the agent of it that is meant, or ""."""
    from navproof.log import RunFolder

    parts = text.split(":")
    for count in range(len(parts), 0, -1):
        folder = RunFolder(":".join(parts[:count]))
        if folder.exists:
            return folder, ":".join(parts[count:])
    folder = RunFolder(text if Path(text).exists() else parts[0])
    _ = folder.info  # raises, and says what is wrong
    return folder, ""


def _refuse_other_tiers(a: str, b: str) -> None:
    """Results of different simulators are never compared."""
    from navproof.core.errors import RunError

    tiers = [str(_run_of(side)[0].info.spec.get("simulator", "embedded")) for side in (a, b)]
    if tiers[0] != tiers[1]:
        raise RunError(f"{a} and {b} are of different simulators ({tiers[0]} and {tiers[1]})")


def _select(text: str, goals: bool = False) -> list[Row]:
    """The rows of ``RUN`` or ``RUN:agent`` (an agent's name may hold colons itself), from the
    traces and with their goals where these are asked for."""
    from navproof.metrics import goal_results, result_row

    folder, agent = _run_of(text)
    rows: list[Row] = list(folder.results())
    if goals:
        rows = [{**result_row(t), "goals": goal_results(t)} for t in folder.traces()]
    if not agent:
        return rows
    meant = folder.agent_named(agent, list(dict.fromkeys(row["agent"] for row in rows)))
    return [row for row in rows if row["agent"] == meant]


def _under(condition: str | None, rows: list[Row], side: str) -> list[Row]:
    """The rows under one condition; without a name the clean ones, or all where none is clean."""
    from navproof.core.errors import RunError
    from navproof.core.registry import suggest
    from navproof.runner.conditions import condition_name

    known = list(dict.fromkeys(row["condition"] for row in rows))
    if condition is None:
        return [row for row in rows if row["condition"] == "clean"] or rows
    name = condition if condition in known else condition_name(condition)
    if name not in known:
        raise RunError(f"{side} has no episodes under '{name}'{suggest(name, known)}")
    return [row for row in rows if row["condition"] == name]


def _pairs(rows_a: list[Row], rows_b: list[Row], pair_rows: Any) -> list[tuple[Row, Row]]:
    """One agent on each side, or the same agents on both, each paired with itself."""
    from navproof.core.errors import RunError

    agents_a, agents_b = (
        list(dict.fromkeys(r["agent"] for r in rows)) for rows in (rows_a, rows_b)
    )
    if len(agents_a) == len(agents_b) == 1:
        return list(pair_rows(rows_a, rows_b))
    if set(agents_a) != set(agents_b):
        several = agents_a if len(agents_a) > 1 else agents_b
        raise RunError(f"several agents ({', '.join(several)}); say which one, as RUN:{several[0]}")
    return [
        pair
        for agent in agents_a
        for pair in pair_rows(
            [r for r in rows_a if r["agent"] == agent], [r for r in rows_b if r["agent"] == agent]
        )
    ]


def _cut(task: str, by: str, pairs: Sequence[tuple[Row, Row]]) -> list[dict[str, Any]]:
    """One line per group of goals that occurs: the difference in success over them."""
    from navproof.metrics import cuts_of, paired_goals

    a, b = [x["goals"] for x, _ in pairs], [y["goals"] for _, y in pairs]
    lines = []
    for name, keep in cuts_of(goal for episode in a for goal in episode)[by].items():
        result = paired_goals(a, b, keep)
        if result.n:
            won = sum(g.success for episode in b for g in episode if keep(g)) / result.n
            means = (won + result.difference, won)
            lines.append(_told(task, f"{by}:{name}", name, means, result))
    return lines


def _line(task: str, metric: Any, pairs: Sequence[tuple[Row, Row]]) -> dict[str, Any] | None:
    from navproof.metrics import paired

    both = [(x, y) for x, y in pairs if None not in (x.get(metric.name), y.get(metric.name))]
    if not both:
        return None
    first = math.fsum(x[metric.name] for x, _ in both) / len(both)
    second = math.fsum(y[metric.name] for _, y in both) / len(both)
    result, higher = paired(both, metric.name), metric.better == "higher"
    return _told(task, metric.name, metric.label, (first, second), result, higher)


def _told(
    task: str,
    name: str,
    label: str,
    means: tuple[float, float],
    result: PairedResult,
    higher: bool = True,
) -> dict[str, Any]:
    """A comparison as plain values; ``higher`` is better, or lower."""
    wins, losses = (result.wins, result.losses) if higher else (result.losses, result.wins)
    better = "–"
    if result.p_value < _LEVEL:
        better = "A" if (result.difference > 0) == higher else "B"
    return {
        "task": task,
        "metric": name,
        "label": label,
        "a": means[0],
        "b": means[1],
        "difference": result.difference,
        "low": result.low,
        "high": result.high,
        "p_value": result.p_value,
        "n": result.n,
        "wins": wins,
        "losses": losses,
        "better": better,
        "test": result.test,
    }


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


def _notes(pairs: Sequence[tuple[Row, Row]], count_a: int, count_b: int) -> list[str]:
    notes = []
    left_a, left_b = count_a - len(pairs), count_b - len(pairs)
    if left_a or left_b:
        notes.append(f"episodes without a partner are left out: {left_a} of A, {left_b} of B")
    other = sorted({x["task"] for x, y in pairs if x["spec_hash"] != y["spec_hash"]})
    if other:
        notes.append(f"protocol settings of A and B differ in {', '.join(other)}")
    return notes
