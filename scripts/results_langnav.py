"""The results page of LangNav, from run folders: ``docs/results/langnav.md``.

    python scripts/results_langnav.py runs/langnav-val runs/ablations -o docs/results/langnav.md

Tables are made from the traces. What a person wrote stays: text between ``<!-- prose: NAME -->``
and ``<!-- /prose -->`` is taken over from the page that is there.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence

from pages import Kept, cell, named, pair_rows, prose, publish, reproduction, table

from navproof.metrics import FAILURES, GoalRow, Interval, goal_table
from navproof.reports.gather import Gathered
from navproof.reports.sections.langnav.section import (
    AblationTable,
    GoalLine,
    GoalSection,
    goal_sections,
)
from navproof.reports.tables import differences


def main(words: Sequence[str]) -> None:
    out = "docs/results/langnav.md"
    publish("results_langnav", words, out, _make, "no task with several goals")


def _make(g: Gathered, kept: Kept, again: str) -> str | None:
    sections = goal_sections(g)
    return page(g, sections, kept, again) if sections else None


def page(g: Gathered, sections: Sequence[GoalSection], kept: Kept, again: str = "") -> str:
    """The page as Markdown; ``kept`` is the hand-written text by name."""
    parts = ["# LangNav results", prose("summary", kept)]
    parts += [f"> {line}" for line in g.warnings]
    for section in sections:
        parts += _section(g, section)
    parts += [
        prose("discussion", kept),
        *reproduction(g, again),
    ]
    return "\n\n".join(parts) + "\n"


def _section(g: Gathered, s: GoalSection) -> list[str]:
    heads = ["agent", *(f"{c.name}<br>{c.n}" for c in s.columns)]
    lines = [[named(line.entrant), *map(cell, line.cells)] for line in s.lines]
    inner = slice(2, 2 + s.tags)  # the columns of features
    direct = [[named(x.entrant), *map(cell, x.spl_cells[inner])] for x in s.lines]
    parts = [
        f"## {s.title}: success by linguistic feature",
        f"Per cent over {s.goals} goals in {s.episodes} episodes, with 95 % intervals that resample"
        " episodes; under a name, how many goals it covers. Bold is the best of a column. SR′ and "
        "SPL′ follow the released code of LangNavBench (a viewpoint within 1.0 m; the optimum "
        "starts at the goal before).",
        table(heads, lines),
        "SPL in the same groups:",
        table(["agent", *heads[1:][inner]], direct),
    ]
    if s.classes:
        names = [name for _, name, _ in s.classes]
        parts += [
            "## Why goals were lost",
            "Per cent of the lost goals, by rule from the traces "
            "(`src/navproof/metrics/goals/failures.py`).",
            table(
                ["agent", "lost", *names],
                [[named(x.entrant), str(x.failed), *x.failures] for x in s.lines],
            ),
            "\n".join(f"- *{name}*: {FAILURES[name]}" for name in names),
        ]
    parts += _cuts(g, s)
    parts += _pairs(g, s)
    for found in s.ablations:
        parts += _ablation(s, found)
    return parts


def _cuts(g: Gathered, s: GoalSection) -> list[str]:
    entrants = [line.entrant for line in s.lines]
    rows = goal_table({named(e): [r.goals for r in g.of(e, s.task)] for e in entrants})
    return [
        "## By the number of features, and by the order of goals",
        "Success rate in per cent; under a name, how many goals it covers.",
        *(_cut(rows, cut, title) for cut, title in (("attributes", "features"), ("order", "goal"))),
    ]


def _cut(rows: Sequence[GoalRow], cut: str, title: str) -> str:
    names = list(rows[0].cuts[cut])
    counts = [max(row.cuts[cut][name].n for row in rows) for name in names]
    heads = [f"{title}:", *(f"{name}<br>{n}" for name, n in zip(names, counts, strict=True))]
    return table(heads, [[row.agent, *map(_interval, row.cuts[cut].values())] for row in rows])


def _pairs(g: Gathered, s: GoalSection) -> list[str]:
    shown = [line.entrant for line in s.lines]
    found = [d for d in differences(g, shown) if d.task == s.task]
    if not found:
        return []
    heads = ["pair", "episodes", "goal SR", "p", "goal SPL", "p"]
    note = (
        "Shares of goals per episode, first minus second, on the episodes that both ran; p from a "
        "sign-flip permutation test over episodes, not corrected for the number of comparisons."
    )
    return ["## Differences on the same episodes", note, table(heads, pair_rows(found))]


def _ablation(s: GoalSection, found: AblationTable) -> list[str]:
    names = [name for _, name, _ in s.classes]
    heads = [*found.options, "goals", *(c.name for c in s.columns), *names]
    lines = [_variant(values, line) for values, line in found.lines]
    note = "These ran different episodes, so the rows do not compare."
    if found.episodes:
        note = f"On the {found.episodes} episodes that all of these ran."
    return [
        f"## {found.agent} by {' and '.join(found.options)}",
        f"{note} “As it is” is the agent without the option.",
        table(heads, lines),
    ]


def _variant(values: Iterable[str], line: GoalLine) -> list[str]:
    return [*values, str(line.goals), *map(cell, line.cells), *line.failures]


def _interval(i: Interval) -> str:
    return f"{100 * i.mean:.1f}<br>{100 * i.low:.0f}–{100 * i.high:.0f}" if i.n else "–"


if __name__ == "__main__":
    main(sys.argv[1:])
