"""Goals in words, one by one: what a report says about tasks with several goals.

The layout is LangNavBench's: SR and SPL over goals and per linguistic feature (its Table 3), the
shares of failure classes (Table 4), and one table per option where agents are variants of one
another (Tables 6 to 9). Rates are in per cent, with 95 % intervals that resample episodes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from navproof.metrics import FAILURES, GoalRow, Interval, goal_table
from navproof.reports.draw.charts import Bar, Profile, profiles, stacked
from navproof.reports.gather import Entrant, Gathered, Row
from navproof.reports.sections.langnav.variants import Ablation, ablations, without_variants
from navproof.reports.tables import Figure, show, task_title

__all__ = [
    "FOUND",
    "AblationTable",
    "GoalCell",
    "GoalColumn",
    "GoalLine",
    "GoalSection",
    "goal_sections",
    "percent",
    "slug",
]

FOUND = "found"
_TAG_HELP = {
    "no": "goals that are a bare category",
    "colour": "words with a colour",
    "size": "words with a size",
    "texture": "words with a pattern or finish",
    "number": "words with a numeral",
    "material": "words with a material",
    "state": "words with a state that could change",
    "modifier": "words with another qualifier",
    "support": "words that say what the thing stands or hangs on",
    "negation": "words that say what the thing is not",
    "anchor": "words that place the thing next to or between others",
    "spatial": "words with left, right, behind, under or in front",
    "coreference": "words that refer back to an earlier goal",
}


@dataclass(frozen=True, slots=True)
class GoalColumn:
    """``n`` goals stand behind the column (of the agent that has most)."""

    name: str
    help: str
    n: int


@dataclass(frozen=True, slots=True)
class GoalCell:
    """Per cent with its interval, or no ``mean`` where no goal is in the column."""

    mean: str | None
    interval: str = ""
    n: int = 0
    best: bool = False


@dataclass(frozen=True, slots=True)
class GoalLine:
    """One agent: the cells of the columns with SR by feature, the same with SPL by feature, and the
    shares of the failure classes."""

    entrant: Entrant
    episodes: int
    goals: int
    failed: int
    cells: tuple[GoalCell, ...]
    spl_cells: tuple[GoalCell, ...]
    failures: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class AblationTable:
    """Variants of one agent on the episodes that all of them ran (on all, where there is no such
    episode: ``episodes`` is 0 then); ``lines`` are (values of the options, line)."""

    agent: str
    options: tuple[str, ...]
    episodes: int
    lines: tuple[tuple[tuple[str, ...], GoalLine], ...]


@dataclass(frozen=True, slots=True)
class GoalSection:
    """Everything about one task. Variants of an agent are in ``ablations`` only. ``classes`` are
    the failures that occur: (slug, name, meaning)."""

    task: str
    title: str
    episodes: int
    goals: int
    columns: tuple[GoalColumn, ...]
    tags: int  # how many of the columns are tags
    lines: tuple[GoalLine, ...]
    classes: tuple[tuple[str, str, str], ...]
    bars: Figure
    figures: tuple[Figure, ...]
    ablations: tuple[AblationTable, ...]


def slug(name: str) -> str:
    """A failure class as part of a style's name."""
    return name.replace(" ", "-")


def percent(value: float, decimals: int = 1) -> str:
    return show(100 * value, decimals)


def goal_sections(g: Gathered) -> list[GoalSection]:
    """One section per task with several goals."""
    return [_section(g, task) for task in g.tasks if g.in_sequence(task)]


def _section(g: Gathered, task: str) -> GoalSection:
    everyone = [e for e in g.entrants if g.of(e, task)]
    table = goal_table({str(e.series): [r.goals for r in g.of(e, task)] for e in everyone})
    rows = dict(zip([e.series for e in everyone], table, strict=True))
    used = [name for name in FAILURES if any(row.failures.get(name) for row in table)]
    found = ablations(everyone)
    entrants = without_variants(everyone, found)
    most = max((rows[e.series] for e in entrants), key=lambda row: row.goals)
    return GoalSection(
        task=task,
        title=task_title(task),
        episodes=most.episodes,
        goals=most.goals,
        columns=_columns([rows[e.series] for e in entrants]),
        tags=len(table[0].cuts["tag"]),
        lines=_lines(entrants, rows, used),
        classes=tuple((slug(name), name, FAILURES[name]) for name in used),
        bars=_bars(entrants, rows, used, most.goals),
        figures=_figures(entrants, rows),
        ablations=tuple(_ablation(g, task, a, used) for a in found),
    )


# ----------------------------------------------------------------------------------- the table
def _intervals(row: GoalRow, spl: bool = False) -> tuple[Interval, ...]:
    """In the order of the columns: overall, SR or ``spl`` by tag, and the released variants."""
    by_tag = (row.spl_cuts if spl else row.cuts)["tag"]
    return (row.sr, row.spl, *by_tag.values(), row.sr_released, row.spl_released)


def _columns(table: Sequence[GoalRow]) -> tuple[GoalColumn, ...]:
    named = [
        ("SR", "goals found"),
        ("SPL", "success × shortest path / max(path, shortest path), from the goal's reveal"),
        *((tag, _TAG_HELP.get(tag, f"words with {tag}")) for tag in table[0].cuts["tag"]),
        ("SR′", "success as the released code has it: within 1.0 m of a viewpoint"),
        ("SPL′", "as the released code has it: the optimum starts at the goal before"),
    ]
    counts = [max(i.n for i in column) for column in zip(*map(_intervals, table), strict=True)]
    return tuple(GoalColumn(*words, n) for words, n in zip(named, counts, strict=True))


def _lines(
    entrants: Sequence[Entrant], rows: Mapping[int, GoalRow], used: Sequence[str]
) -> tuple[GoalLine, ...]:
    by_sr, by_spl = (_cells(entrants, rows, spl) for spl in (False, True))
    lines = []
    for entrant, cells, spl_cells in zip(entrants, by_sr, by_spl, strict=True):
        row = rows[entrant.series]
        shares = tuple(
            percent(row.failures.get(name, 0) / row.failed) if row.failed else "–" for name in used
        )
        counts = (row.episodes, row.goals, row.failed)
        lines.append(GoalLine(entrant, *counts, cells, spl_cells, shares))
    return tuple(lines)


def _cells(
    entrants: Sequence[Entrant], rows: Mapping[int, GoalRow], spl: bool
) -> list[tuple[GoalCell, ...]]:
    """The cells of every entrant, the best of each column marked."""
    table = [_intervals(rows[e.series], spl) for e in entrants]
    tops = []
    for column in zip(*table, strict=True):
        means = [i.mean for i in column if i.n]
        tops.append(max(means) if len(means) > 1 and max(means) > min(means) else None)
    return [tuple(_cell(i, top) for i, top in zip(line, tops, strict=True)) for line in table]


def _cell(i: Interval, top: float | None) -> GoalCell:
    if not i.n:
        return GoalCell(None)
    limits = f"{percent(i.low, 0)}–{percent(i.high, 0)}"
    return GoalCell(percent(i.mean), limits, i.n, top is not None and i.mean == top)


def _ablation(g: Gathered, task: str, found: Ablation, used: Sequence[str]) -> AblationTable:
    entrants = [entrant for _, entrant in found.rows]
    mine = [{_problem(r): r.goals for r in g.of(e, task)} for e in entrants]
    common = [p for p in mine[0] if all(p in others for others in mine)]
    table = goal_table(
        {
            str(e.series): [own[p] for p in (common or own)]
            for e, own in zip(entrants, mine, strict=True)
        }
    )
    rows = dict(zip([e.series for e in entrants], table, strict=True))
    values = [values for values, _ in found.rows]
    lines = tuple(zip(values, _lines(entrants, rows, used), strict=True))
    return AblationTable(found.agent, found.options, len(common), lines)


def _problem(row: Row) -> tuple[str, str, int]:
    return row.key.episode_id, row.problem, row.key.seed


# ---------------------------------------------------------------------------------- the charts
def _bars(
    entrants: Sequence[Entrant], rows: Mapping[int, GoalRow], used: Sequence[str], goals: int
) -> Figure:
    bars = []
    for e in entrants:
        row = rows[e.series]
        counts = (row.goals - row.failed, *(row.failures.get(name, 0) for name in used))
        bars.append(Bar(e.label, counts))
    styles = [("f-found", FOUND), *((f"f-{slug(name)}", name) for name in used)]
    return Figure("How goals ended", "", stacked(bars, styles, f"share of {goals} goals"))


def _figures(entrants: Sequence[Entrant], rows: Mapping[int, GoalRow]) -> tuple[Figure, ...]:
    told = (
        (
            *("attributes", "by the number of features in the words", "features in the words"),
            "None is a bare category; with more words fewer objects fit. In brackets: goals.",
        ),
        (
            *("order", "by the order of goals", "goals in the order of their reveal"),
            "Later goals can profit from what was seen before. In brackets: goals.",
        ),
    )
    figures = []
    for cut, heading, caption, note in told:
        for title, axis in (("Success", "success rate"), ("SPL", "SPL")):
            found = [rows[e.series] for e in entrants]
            groups = [(row.spl_cuts if title == "SPL" else row.cuts)[cut] for row in found]
            places = [f"{name} ({max(group[name].n for group in groups)})" for name in groups[0]]
            lines = [_profile(e, [*g.values()]) for e, g in zip(entrants, groups, strict=True)]
            chart = profiles(lines, places, caption, axis)
            figures.append(Figure(f"{title} {heading}", note, chart))
    return tuple(figures)


def _profile(entrant: Entrant, intervals: Sequence[Interval]) -> Profile:
    values = tuple((i.mean, i.low, i.high) if i.n else None for i in intervals)
    return Profile(entrant.label, entrant.series, values)
