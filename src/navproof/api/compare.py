"""``nv.compare``: two agents or two runs, episode by episode; ``Comparison``: what comes out."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from navproof.api.result import Result
from navproof.api.run_folder import RunLike, path_of
from navproof.api.text.comparison import print_comparison
from navproof.api.text.scores import not_played_note
from navproof.core.errors import RunError, SpecError
from navproof.core.registry import suggest
from navproof.log.clocks import clock_note, clock_of
from navproof.log.folder import RunFolder
from navproof.log.shard import shard_note
from navproof.metrics import (
    MetricLike,
    cuts_of,
    goal_results,
    metric_set,
    pair_rows,
    paired,
    paired_goals,
    played,
    result_row,
)
from navproof.metrics.protocol import Metric

if TYPE_CHECKING:
    from rich.console import Console

    from navproof.metrics import PairedResult

__all__ = ["Comparison", "GoalGroups", "Side", "compare"]

_DEFAULT = (
    *("success", "spl", "goal_sr", "goal_spl", "soft_spl", "navigation_error_m", "ndtw"),
    *("collisions", "steps"),
)
_LEVEL = 0.05

Row = Mapping[str, Any]
Side: TypeAlias = RunLike | tuple[RunLike, str]
"""A run, or a run and one of its agents (as text ``"RUN:agent"``)."""
GoalGroups = Literal["tag", "attributes", "order"]


@dataclass(frozen=True, eq=False)
class Comparison(Result):
    """Differences (A − B) over paired episodes. ``rows`` has one row for each metric (and task,
    where these were kept apart): both means, the difference with its 95 % interval, the paired
    test, wins and losses, and which side is better ("A", "B" or "–")."""

    a: str
    b: str
    pairs: int
    notes: tuple[str, ...]
    lines: tuple[Mapping[str, Any], ...]
    by_task: bool = False
    by: str | None = None

    def __repr__(self) -> str:
        return f"Comparison({self.a!r}, {self.b!r}, {self.pairs} pairs)"

    @property
    def rows(self) -> list[dict[str, Any]]:
        return [dict(line) for line in self.lines]

    def show(self, console: Console) -> None:
        print_comparison(self, console)

    def document(self) -> dict[str, Any]:
        """Everything as plain data."""
        return {
            "a": self.a,
            "b": self.b,
            "pairs": self.pairs,
            "notes": list(self.notes),
            "comparisons": self.rows,
        }


def compare(
    a: Side,
    b: Side,
    *,
    metrics: MetricLike | Iterable[MetricLike] = (),
    by_task: bool = False,
    by: GoalGroups | None = None,
    condition: str | None = None,
) -> Comparison:
    """Pair the episodes of A and B and test their differences.

    A side is a run, or one agent of it: ``"runs/demo:mlfm"`` or ``(run, "mlfm")``. ``by_task``
    keeps tasks apart; ``by`` also tells of goals in groups, for tasks with several. Conditions are
    not mixed: without ``condition`` the clean episodes are compared, where there are any.
    """
    (name_a, folder_a, agent_a), (name_b, folder_b, agent_b) = _side(a), _side(b)
    _refuse_other_tiers(name_a, folder_a, name_b, folder_b)
    chosen = metric_set(metrics, [folder_a, folder_b])
    goals = by is not None
    wanted = chosen.named or (("goal_sr", "goal_spl") if by else (*_DEFAULT, *chosen.others))
    own = {name: chosen.metrics[name] for name in wanted if name in chosen.others}
    every = [
        _select(f, agent, goals, own) for f, agent in ((folder_a, agent_a), (folder_b, agent_b))
    ]
    there = [played(rows) for rows in every]
    rows_a, rows_b = _under(condition, there[0], name_a), _under(condition, there[1], name_b)
    pairs = _pairs(rows_a, rows_b)
    if not pairs:
        raise RunError(
            f"{name_a} and {name_b} have no episode in common (same task, scene, id and seed)"
        )
    if by is not None and not any(row["goals"] for row, _ in pairs):
        raise RunError(f"--by {by} is for tasks with several goals, and {name_a} has none")
    groups = {"all": pairs}
    if by_task:
        groups = {}
        for pair in pairs:
            groups.setdefault(pair[0]["task"], []).append(pair)
    found = [
        line
        for task, members in groups.items()
        for name in wanted
        if (line := _line(task, chosen.metrics[name], members)) is not None
    ]
    if by is not None:
        found += [line for task, members in groups.items() for line in _cut(task, by, members)]
    notes = [*_clock_notes(folder_a, folder_b), *_notes(pairs, len(rows_a), len(rows_b))]
    if condition is None and len(rows_a) + len(rows_b) < len(there[0]) + len(there[1]):
        notes.append("clean episodes only; --condition chooses another condition")
    for side, rows in ((name_a, every[0]), (name_b, every[1])):
        notes += [f"{side}: {note}" for note in not_played_note(rows)]
    for folder in {folder.path: folder for folder in (folder_a, folder_b)}.values():
        notes += [f"{folder.path}: {note}" for note in shard_note(folder.info)]
    notes += [*chosen.notes, *chosen.complaints()]
    return Comparison(name_a, name_b, len(pairs), tuple(notes), tuple(found), by_task, by)


def _side(side: Side) -> tuple[str, RunFolder, str]:
    """What a side is called, its run, and the agent of it that is meant, or ""."""
    if isinstance(side, tuple):
        if len(side) != 2 or not isinstance(side[1], str):
            raise SpecError(f"a side is a run, or (run, agent), got {side!r}")
        folder = RunFolder(path_of(side[0]))
        return f"{folder.path}:{side[1]}", folder, side[1]
    if isinstance(side, str):
        return side, *_run_of(side)
    folder = RunFolder(path_of(side))
    _ = folder.info  # raises, and says what is wrong
    return str(folder.path), folder, ""


def _run_of(text: str) -> tuple[RunFolder, str]:
    """The run in ``RUN`` or ``RUN:agent`` (an agent's name may hold colons itself), and the
    agent."""
    parts = text.split(":")
    for count in range(len(parts), 0, -1):
        folder = RunFolder(":".join(parts[:count]))
        if folder.exists:
            return folder, ":".join(parts[count:])
    folder = RunFolder(text if Path(text).exists() else parts[0])
    _ = folder.info  # raises, and says what is wrong
    return folder, ""


def _refuse_other_tiers(a: str, folder_a: RunFolder, b: str, folder_b: RunFolder) -> None:
    """Results of different simulators are never compared."""
    tiers = [str(f.info.spec.get("simulator", "embedded")) for f in (folder_a, folder_b)]
    if tiers[0] != tiers[1]:
        raise RunError(f"{a} and {b} are of different simulators ({tiers[0]} and {tiers[1]})")


def _clock_notes(folder_a: RunFolder, folder_b: RunFolder) -> list[str]:
    """What the world did while agents made up their minds, where it did not just wait."""
    clocks = [clock_of(folder.info) for folder in (folder_a, folder_b)]
    if clocks[0] == clocks[1]:
        return clock_note(folder_a.info)
    return [
        f"A and B had different clocks ({clocks[0]} and {clocks[1]}): what differs may be due to "
        "how long the world went on while agents made up their minds"
    ]


def _select(folder: RunFolder, agent: str, goals: bool, own: Mapping[str, Metric]) -> list[Row]:
    """The rows of a run or of one agent of it, made from the traces: a table that was edited
    changes nothing. With their goals where these are asked for, and ``own`` metrics."""
    rows: list[Row] = []
    keys = folder.keys()
    if agent:
        meant = folder.agent_named(agent, list(dict.fromkeys(key.agent for key in keys)))
        keys = [key for key in keys if key.agent == meant]
    for trace in map(folder.trace, keys):
        values = {name: metric(trace) for name, metric in own.items() if metric.applies(trace)}
        told = {"goals": goal_results(trace)} if goals else {}
        rows.append({**result_row(trace), **values, **told})
    return rows


def _under(condition: str | None, rows: list[Row], side: str) -> list[Row]:
    """The rows under one condition; without a name the clean ones, or all where none is clean."""
    known = list(dict.fromkeys(row["condition"] for row in rows))
    if condition is None:
        return [row for row in rows if row["condition"] == "clean"] or rows
    from navproof.runner.conditions import condition_name

    name = condition if condition in known else condition_name(condition)
    if name not in known:
        raise RunError(f"{side} has no episodes under '{name}'{suggest(name, known)}")
    return [row for row in rows if row["condition"] == name]


def _pairs(rows_a: list[Row], rows_b: list[Row]) -> list[tuple[Row, Row]]:
    """One agent on each side, or the same agents on both, each paired with itself."""
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
    a, b = [x["goals"] for x, _ in pairs], [y["goals"] for _, y in pairs]
    lines = []
    for name, keep in cuts_of(goal for episode in a for goal in episode)[by].items():
        result = paired_goals(a, b, keep)
        if result.n:
            won = sum(g.success for episode in b for g in episode if keep(g)) / result.n
            means = (won + result.difference, won)
            lines.append(_values(task, f"{by}:{name}", name, means, result))
    return lines


def _line(task: str, metric: Metric, pairs: Sequence[tuple[Row, Row]]) -> dict[str, Any] | None:
    both = [(x, y) for x, y in pairs if None not in (x.get(metric.name), y.get(metric.name))]
    if not both:
        return None
    first = math.fsum(x[metric.name] for x, _ in both) / len(both)
    second = math.fsum(y[metric.name] for _, y in both) / len(both)
    result = paired(both, metric.name, definitions={metric.name: metric})
    higher = metric.better == "higher"
    return _values(task, metric.name, metric.label, (first, second), result, higher)


def _values(
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


def _notes(pairs: Sequence[tuple[Row, Row]], count_a: int, count_b: int) -> list[str]:
    notes = []
    left_a, left_b = count_a - len(pairs), count_b - len(pairs)
    if left_a or left_b:
        notes.append(f"episodes without a partner are left out: {left_a} of A, {left_b} of B")
    other = sorted({x["task"] for x, y in pairs if x["spec_hash"] != y["spec_hash"]})
    if other:
        notes.append(f"protocol settings of A and B differ in {', '.join(other)}")
    return notes
