"""The numbers of a report, ready to print: summary, differences, scenes, distributions, failures.

Every function takes what was gathered and returns plain values; nothing here knows HTML beyond
the charts' SVG text.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from navproof.metrics import (
    METRICS,
    Interval,
    Metric,
    built_in,
    cluster_interval,
    mean_interval,
    pair_rows,
    paired,
)
from navproof.reports.draw.charts import (
    Bar,
    Strip,
    Whisker,
    interval_bar,
    quantile,
    stacked,
    strips,
    whiskers,
)
from navproof.reports.gather import OUTCOMES, Entrant, Gathered, Row
from navproof.tasks.registry import TASKS

__all__ = [
    "COLUMNS",
    "Cell",
    "Difference",
    "Figure",
    "HeatCell",
    "HeatTable",
    "Part",
    "Reason",
    "SummaryGroup",
    "columns_of",
    "differences",
    "digits",
    "distributions",
    "failures",
    "heat_tables",
    "principal",
    "reasons",
    "show",
    "side_by_side",
    "summary",
    "task_title",
]

_FIRST = (
    *("success", "spl", "goal_sr", "goal_spl", "soft_spl", "oracle_success", "navigation_error_m"),
)
_HIDDEN = ("collision_rate", "dtw_m")  # in results.parquet; beside their siblings they add nothing


def _is_hidden(name: str) -> bool:
    """Also what only the mission tables show."""
    return name in _HIDDEN or name.endswith("_released") or name.startswith("pause_")


COLUMNS: tuple[Metric, ...] = (
    *(METRICS[name] for name in _FIRST),
    *(m for name, m in built_in().items() if name not in _FIRST and not _is_hidden(name)),
)
"""Metrics of the summary, in order; those that somebody named follow."""


def task_title(task: str) -> str:
    """``objectnav-v1`` as people write it: ``ObjectNav v1``; a task that is not at hand any more
    keeps the name it has."""
    kind = TASKS.find(task)
    name, _, version = task.rpartition("-v")
    title = kind.title if kind is not None else name or task
    return f"{title} v{version}" if version.isdigit() else title


def digits(metric: Metric) -> int:
    """Decimals worth showing: shares and scores 3, metres 2, counts 1; 3 where nothing is known
    of the numbers."""
    return 3 if metric.bounded or metric.family == "other" else 2 if metric.unit else 1


def show(value: float, decimals: int) -> str:
    """A number for a table, with a true minus sign and never a negative zero."""
    out = f"{value:.{decimals}f}"
    return out.lstrip("-") if float(out) == 0 else out.replace("-", "−")


@dataclass(frozen=True, slots=True)
class Cell:
    """A mean with its interval; ``mean`` is None where the metric is undefined."""

    name: str
    mean: str | None
    interval: str = ""
    bar: str = ""
    best: bool = False
    n: int = 0


@dataclass(frozen=True, slots=True)
class SummaryGroup:
    """One task of the summary: its agents' rows, a cell for each of ``columns``."""

    task: str
    title: str
    episodes: int
    rows: tuple[tuple[Entrant, int, tuple[Cell, ...]], ...]
    columns: tuple[Metric, ...] = ()


@dataclass(frozen=True, slots=True)
class Part:
    """One metric of a paired comparison; ``clear`` where p < 0.05."""

    label: str
    mean: str
    interval: str
    p_value: str
    wins: int
    losses: int
    ties: int
    clear: bool
    test: str


@dataclass(frozen=True, slots=True)
class Difference:
    """First − second over the episodes of one task that both ran, for SR and SPL."""

    task: str
    first: Entrant
    second: Entrant
    pairs: int
    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class HeatCell:
    text: str
    shade: float  # 0 … 1
    n: int


@dataclass(frozen=True, slots=True)
class HeatTable:
    """Scenes × (task, agent) of one metric."""

    name: str
    label: str
    rows: tuple[tuple[str, tuple[HeatCell | None, ...]], ...]


@dataclass(frozen=True, slots=True)
class Figure:
    title: str
    note: str
    svg: str


@dataclass(frozen=True, slots=True)
class Reason:
    """Episodes of one agent that ended the same wrong way; one of them as an example."""

    entrant: Entrant
    outcome: str
    meaning: str
    reason: str
    count: int
    example: str


def _values(rows: Sequence[Row], name: str) -> list[float]:
    return [float(r.result[name]) for r in rows if r.result.get(name) is not None]


def _interval(rows: Sequence[Row], metric: Metric) -> Interval:
    return mean_interval(_values(rows, metric.name), bounded=metric.bounded)


def columns_of(g: Gathered, task: str | None = None) -> tuple[Metric, ...]:
    """The metrics of the summary that are defined in any episode (of a task, if said)."""
    rows = [r for r in g.rows if task in (None, r.task)]
    also = [g.metrics.metrics[name] for name in (*g.metrics.named, *g.metrics.others)]
    shown = dict.fromkeys((*COLUMNS, *also))
    return tuple(m for m in shown if any(r.result.get(m.name) is not None for r in rows))


def principal(g: Gathered, task: str) -> tuple[str, str]:
    """The success rate and SPL that a task is judged by: of goals where it has several."""
    return ("goal_sr", "goal_spl") if g.in_sequence(task) else ("success", "spl")


def summary(g: Gathered) -> list[SummaryGroup]:
    """Agents × tasks: means with 95 % intervals, the best of each column marked."""
    groups = []
    for task in g.tasks:
        shown = columns_of(g, task)
        present = [(e, rows) for e in g.entrants if (rows := g.of(e, task))]
        table = [[_interval(rows, m) for m in shown] for _, rows in present]
        columns = list(zip(*table, strict=True))
        marked = [_best(m, column) for m, column in zip(shown, columns, strict=True)]
        scales = [_scale(m, column) for m, column in zip(shown, columns, strict=True)]
        lines = []
        for (entrant, rows), intervals in zip(present, table, strict=True):
            cells = tuple(
                _cell(m, i, entrant.series, scale, best is not None and i.n > 0 and i.mean == best)
                for m, i, scale, best in zip(shown, intervals, scales, marked, strict=True)
            )
            lines.append((entrant, len(rows), cells))
        episodes = len({(r.key.episode_id, r.key.seed) for _, rows in present for r in rows})
        groups.append(SummaryGroup(task, task_title(task), episodes, tuple(lines), shown))
    return groups


def _best(metric: Metric, column: Sequence[Interval]) -> float | None:
    """The best mean, or None where nobody differs. Counts and lengths have no best: giving up
    at once takes the fewest steps."""
    means = [i.mean for i in column if i.n]
    if metric.better == "lower" and metric.name != "navigation_error_m":
        return None
    if len(means) < 2 or min(means) == max(means):
        return None
    return max(means) if metric.better == "higher" else min(means)


def _scale(metric: Metric, column: Sequence[Interval]) -> tuple[float, float]:
    """What the bars of a column reach from and to."""
    if metric.bounded:
        return 0.0, 1.0
    known = [i for i in column if i.n]
    low = min([0.0, *(i.low for i in known)])
    return low, max([low + 1e-9, *(i.high for i in known)] if known else [1.0])


def _cell(metric: Metric, i: Interval, series: int, scale: tuple[float, float], best: bool) -> Cell:
    if not i.n:
        return Cell(metric.name, None)
    decimals = digits(metric)
    bar = interval_bar(i.mean, i.low, i.high, series, scale)
    coarse = min(decimals, 2)
    limits = f"{show(i.low, coarse)}–{show(i.high, coarse)}"
    return Cell(metric.name, show(i.mean, decimals), limits, bar, best, i.n)


def side_by_side(g: Gathered) -> list[Figure]:
    """Dot-and-whisker charts of SR and SPL per task."""
    figures = []
    for which, title in enumerate(("Success rate", "SPL")):
        groups = []
        for task in g.tasks:
            name = principal(g, task)[which]
            marks = []
            for e in g.doing(task):
                i = _interval(g.of(e, task), METRICS[name])
                known = (i.mean, i.low, i.high) if i.n else (None, None, None)
                marks.append(Whisker(e.label, e.series, *known))
            each = ", per goal" if g.in_sequence(task) else ""
            groups.append((task_title(task) + each, marks))
        names = dict.fromkeys(principal(g, task)[which] for task in g.tasks)
        note = " ".join(METRICS[name].definition for name in names)
        figures.append(Figure(title, note, whiskers(groups, f"{title}, mean and 95 % interval")))
    return figures


def differences(g: Gathered, entrants: Sequence[Entrant] | None = None) -> list[Difference]:
    """Pairs of agents (of ``entrants``, or all) on the episodes that both ran: every pair of up to
    four agents, every agent against the best one where there are more."""
    found = []
    for task in g.tasks:
        doing = g.doing(task)
        among = doing if entrants is None else [e for e in entrants if e in doing]
        for place, first in enumerate(among[:-1] if len(among) <= 4 else among[:1]):
            for second in among[place + 1 :]:
                pairs = pair_rows(_results(g, first, task), _results(g, second, task))
                if pairs:
                    parts = tuple(_part(pairs, name) for name in principal(g, task))
                    found.append(Difference(task, first, second, len(pairs), parts))
    return found


def _results(g: Gathered, entrant: Entrant, task: str) -> list[dict[str, Any]]:
    """Result rows that pair by problem and seed, whatever the condition."""
    return [dict(r.result) | {"condition": ""} for r in g.of(entrant, task)]


def _part(pairs: Sequence[tuple[Mapping[str, Any], Mapping[str, Any]]], name: str) -> Part:
    r = paired(pairs, name)
    p_value = "< 0.001" if r.p_value < 0.001 else f"{r.p_value:.3f}"
    ties = r.n - r.wins - r.losses
    limits = f"{show(r.low, 2)} to {show(r.high, 2)}"
    mean, clear = _signed(r.difference), r.p_value < 0.05
    return Part(
        *(METRICS[name].label, mean, limits, p_value, r.wins, r.losses, ties, clear, r.test)
    )


def _signed(value: float) -> str:
    text = show(value, 3)
    return text if text.startswith("−") or float(text) == 0 else f"+{text}"


def heat_tables(g: Gathered) -> list[HeatTable]:
    """Scenes × (task, agent) for SR, SPL and navigation error. Darker is better in all three."""
    tables = []
    for which, name in enumerate(("success", "spl", "navigation_error_m")):
        metric = METRICS[name]
        worst = max(_values(g.rows, name) or [1.0])
        rows = []
        for scene in g.scenes:
            cells: list[HeatCell | None] = []
            for task in g.tasks:
                meant = (*principal(g, task), name)[which]
                for e in g.doing(task):
                    values = _values(g.of(e, task, scene), meant)
                    cells.append(_heat(metric, values, worst))
            rows.append((scene, tuple(cells)))
        tables.append(
            HeatTable(
                name, metric.label + (f" ({metric.unit})" if metric.unit else ""), tuple(rows)
            )
        )
    return tables


def _heat(metric: Metric, values: Sequence[float], worst: float) -> HeatCell | None:
    if not values:
        return None
    mean = math.fsum(values) / len(values)
    shade = mean if metric.better == "higher" else 1.0 - mean / worst if worst > 0 else 1.0
    return HeatCell(show(mean, 2), round(min(max(shade, 0.0), 1.0), 3), len(values))


def distributions(g: Gathered) -> list[Figure]:
    """Navigation error, path over shortest path (successes) and steps, per agent; agents that have
    no task in common, directly or through others, are in figures of their own."""
    groups = g.comparable()
    return [figure for group in groups for figure in _distributions(g, group, len(groups) > 1)]


def _distributions(g: Gathered, group: Sequence[Entrant], several: bool) -> list[Figure]:
    error, ratio, steps = [], [], []
    for e in group:
        rows = g.of(e)
        error.append(Strip(e.label, e.series, tuple(_values(rows, "navigation_error_m"))))
        steps.append(Strip(e.label, e.series, tuple(_values(rows, "steps"))))
        ways = [way for r in rows for way in _ways(r)]
        ratios = tuple(taken / least for least, taken, won in ways if won and least > 0)
        ratio.append(Strip(e.label, e.series, ratios))
    tasks = dict.fromkeys(task_title(task) for e in group for task in g.tasks if g.of(e, task))
    whose = f" {', '.join(tasks)} alone." if several else ""
    return [
        Figure(
            "How far from the goal it ended",
            f"Geodesic distance at the end of each episode.{whose}",
            strips(error, "navigation error, metres"),
        ),
        Figure(
            "How direct the successes were",
            "Path taken over the shortest path, successful episodes only; 1 is the optimum."
            f"{whose}",
            strips(ratio, "path length / shortest path", 1.0),
        ),
        Figure(
            "How long it took",
            f"Actions per episode, the final stop included.{whose}",
            strips(steps, "steps"),
        ),
        *_by_length(g, group, whose),
    ]


def _ways(row: Row) -> list[tuple[float, float, bool]]:
    """(shortest path, path taken, success) of every goal that was begun."""
    if not row.goals:
        return [(row.geodesic_m, float(row.result["path_length_m"]), row.outcome == "success")]
    return [
        (goal.shortest_m, goal.path_length_m, goal.success)
        for goal in row.goals
        if goal.revealed and goal.shortest_m is not None
    ]


def _by_length(g: Gathered, group: Sequence[Entrant], whose: str) -> list[Figure]:
    """Success in the short, middle and long third of the ways to a goal (by shortest path)."""
    lengths = [least for e in group for r in g.of(e) for least, _, _ in _ways(r)]
    if not lengths:
        return []
    low, high = (round(quantile(lengths, q), 1) for q in (1 / 3, 2 / 3))
    if not 0 < low < high:
        return []
    thirds = (
        (f"up to {low:.1f} m", -math.inf, low),
        (f"{low:.1f} to {high:.1f} m", low, high),
        (f"over {high:.1f} m", high, math.inf),
    )
    groups = []
    for heading, above, most in thirds:
        marks = []
        for e in group:
            i = cluster_interval(
                [[float(w) for x, _, w in _ways(r) if above < x <= most] for r in g.of(e)]
            )
            known = (i.mean, i.low, i.high) if i.n else (None, None, None)
            marks.append(Whisker(e.label, e.series, *known))
        groups.append((heading, marks))
    note = f"In three groups by the length of the shortest path to the goal.{whose}"
    return [Figure("Success by distance", note, whiskers(groups, "success rate, 95 % interval"))]


def failures(g: Gathered) -> tuple[list[Figure], list[tuple[str, str]]]:
    """One stacked bar chart per task, and the outcomes that occur (name, meaning)."""
    seen = Counter(r.outcome for r in g.rows)
    used = [(name, meaning) for name, meaning in OUTCOMES.items() if seen[name]]
    figures = []
    for task in g.tasks:
        bars = []
        for e in g.entrants:
            counts = Counter(r.outcome for r in g.of(e, task))
            if counts:
                bars.append(Bar(e.label, tuple(counts[name] for name, _ in used)))
        styles = [(f"o-{name}", meaning) for name, meaning in used]
        total = len({(r.key.episode_id, r.key.seed) for r in g.rows if r.task == task})
        chart = stacked(bars, styles, f"share of {total} episodes")
        figures.append(Figure(task_title(task), "", chart))
    return figures, used


def reasons(g: Gathered, limit: int = 40) -> list[Reason]:
    """What went wrong, grouped by agent, outcome and recorded reason; most frequent first."""
    groups: dict[tuple[int, str, str], list[Row]] = {}
    for row in g.rows:
        if row.outcome != "success":
            reason = str(row.result["reason"])
            groups.setdefault((row.entrant, row.outcome, reason), []).append(row)
    rank = list(OUTCOMES)
    order = sorted(groups, key=lambda k: (k[0], -len(groups[k]), rank.index(k[1]), k[2]))
    return [
        Reason(
            g.entrants[entrant],
            *(outcome, OUTCOMES[outcome], reason, len(groups[entrant, outcome, reason])),
            min(r.key.episode_id for r in groups[entrant, outcome, reason]),
        )
        for entrant, outcome, reason in order[:limit]
    ]
