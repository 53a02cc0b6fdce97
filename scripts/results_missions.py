"""The results page of missions, from run folders: ``docs/results/missions.md``.

    python scripts/results_missions.py runs/missions runs/styles -o docs/results/missions.md

Tables are made from the traces. What a person wrote stays: text between ``<!-- prose: NAME -->``
and ``<!-- /prose -->`` is taken over from the page that is there.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace

from pages import Kept, cell, named, pair_rows, prose, publish, reproduction, table

from navproof.metrics.missions.failures import MODES
from navproof.metrics.missions.pauses import BEHAVIOURS
from navproof.reports.gather import Gathered
from navproof.reports.sections.missions.section import MissionSection, mission_section
from navproof.reports.sections.missions.tables import Grid
from navproof.reports.tables import differences


def main(words: Sequence[str]) -> None:
    publish("results_missions", words, "docs/results/missions.md", _make, "no mission")


def _make(g: Gathered, kept: Kept, again: str) -> str | None:
    section = mission_section(g)
    return None if section is None else page(g, section, kept, again)


def page(g: Gathered, s: MissionSection, kept: Kept, again: str = "") -> str:
    """The page as Markdown; ``kept`` is the hand-written text by name."""
    robots = ", ".join(s.robots)
    parts = [
        "# Mission results",
        prose("summary", kept),
        *(f"> {line}" for line in g.warnings),
        f"{s.episodes} missions on {robots}"
        + (", among people who react to the robot" if s.people else "")
        + ". Per cent, with 95 % intervals that resample episodes; the rules and metrics are in "
        "[missions](../tasks/missions.md).",
    ]
    for grid in s.grids:
        parts += _grid(grid if "style" in grid.by else _once(grid))
        if grid is s.failures:
            parts.append(_meanings(MODES))
        if grid is s.pauses:
            parts.append(_meanings(BEHAVIOURS))
    parts += _pairs(g, s)
    parts += [prose("discussion", kept), *reproduction(g, again)]
    return "\n\n".join(parts) + "\n"


def _once(t: Grid) -> Grid:
    """Without the lines of an agent's second run, which is there for the other styles."""
    first: dict[str, int] = {}
    for x in t.lines:
        first.setdefault(x.entrant.agent, x.entrant.run)
    return replace(t, lines=tuple(x for x in t.lines if x.entrant.run == first[x.entrant.agent]))


def _grid(t: Grid) -> list[str]:
    heads = ["agent", *t.by, t.of, *(h.name + _ARROWS[h.better] for h in t.heads)]
    lines = [[named(x.entrant), *x.names, str(x.count), *map(cell, x.cells)] for x in t.lines]
    return [f"## {t.title}", t.note, table(heads, lines)]


_ARROWS = {"higher": " ↑", "lower": " ↓", "": ""}


def _meanings(names: Mapping[str, str]) -> str:
    return "\n".join(f"- *{name}*: {meaning}" for name, meaning in names.items())


def _pairs(g: Gathered, s: MissionSection) -> list[str]:
    found = [d for d in differences(g, s.entrants) if any(r.mission for r in g.of(d.first, d.task))]
    if not found:
        return []
    note = (
        "SR and SPL, first minus second, on the missions that both ran, all robots together; p "
        "from McNemar’s exact test and a sign-flip permutation test, not corrected for the number "
        "of comparisons."
    )
    heads = ["pair", "missions", "SR", "p", "SPL", "p"]
    return ["## Differences on the same missions", note, table(heads, pair_rows(found))]


if __name__ == "__main__":
    main(sys.argv[1:])
