"""The results page of published methods with options, from run folders: ``docs/results/agents.md``.

    python scripts/results_agents.py runs/l3mvn-langnav runs/… -o docs/results/agents.md

Tables are made from the traces, the worst first. What a person wrote stays: text between
``<!-- prose: NAME -->`` and ``<!-- /prose -->`` is taken over from the page that is there.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from pages import Kept, named, pair_rows, prose, publish, reproduction, table

from navproof.core.names import parse_name
from navproof.metrics import FAILURES
from navproof.reports.gather import OUTCOMES, Entrant, Gathered
from navproof.reports.tables import Difference, SummaryGroup, differences, principal, summary

_ASKED = "lm"
_NOBODY = "none"


def main(words: Sequence[str]) -> None:
    publish("results_agents", words, "docs/results/agents.md", page, "no finished episode")


def page(g: Gathered, kept: Kept, again: str = "") -> str:
    """The page as Markdown; ``kept`` is the hand-written text by name."""
    parts = ["# Results of published methods", prose("summary", kept)]
    parts += [f"> {line}" for line in g.warnings]
    for group in summary(g):
        parts += [*_scores(g, group), *_ends(g, group)]
    priors = [pair for pair in _variants(g) if _ASKED in _differing(*pair)]
    others = [pair for pair in _variants(g) if _ASKED not in _differing(*pair)]
    parts += _pairs(
        g,
        "What language priors change",
        "The same agent asking statistics of train worlds and asking nobody, first minus second,",
        priors,
    )
    parts += _pairs(
        g, "With other options", "The same agent with other options, first minus second,", others
    )
    parts += [prose("discussion", kept), *reproduction(g, again)]
    return "\n\n".join(part for part in parts if part) + "\n"


def _scores(g: Gathered, group: SummaryGroup) -> list[str]:
    """Success and SPL of every agent of a task, the worst first."""
    shown = [*principal(g, group.task), "steps"]
    each = "goals" if g.in_sequence(group.task) else "episodes"
    lines = []
    for entrant, count, cells in reversed(group.rows):
        found = {cell.name: cell for cell in cells}
        goals = sum(len(row.goals) or 1 for row in g.of(entrant, group.task))
        line = [named(_alone(g, entrant)), str(count), str(goals)]
        for name in shown:
            mean = found[name].mean
            line.append("–" if mean is None else f"{mean}<br>{found[name].interval}")
        lines.append(line)
    heads = ["agent", "episodes", each, "SR", "SPL", "steps of an episode"]
    note = f"Shares of {each} with 95 % intervals that resample episodes; the worst agent first."
    if each == "episodes":
        heads.pop(2)
        lines = [[*line[:2], *line[3:]] for line in lines]
    return [f"## {group.title}", note, table(heads, lines)]


def _ends(g: Gathered, group: SummaryGroup) -> list[str]:
    """How goals were lost, in per cent of all goals (or episodes)."""
    lost: list[tuple[Entrant, Counter[str], int]] = []
    for entrant, _, _ in reversed(group.rows):
        rows = g.of(entrant, group.task)
        goals = [goal.failure for row in rows for goal in row.goals]
        ends = goals or ["" if row.outcome == "success" else row.outcome for row in rows]
        lost.append((entrant, Counter(end for end in ends if end), len(ends)))
    meanings = FAILURES if g.in_sequence(group.task) else OUTCOMES
    names = [name for name in meanings if any(count[name] for _, count, _ in lost)]
    if not names:
        return []
    each = "goals" if g.in_sequence(group.task) else "episodes"
    lines = [
        [named(_alone(g, entrant)), *(f"{100 * count[name] / total:.0f}" for name in names)]
        for entrant, count, total in lost
    ]
    told = "\n".join(f"- *{name}*: {meanings[name]}" for name in names)
    return [f"Lost, per cent of all {each}:", table(["agent", *names], lines), told]


def _alone(g: Gathered, entrant: Entrant) -> Entrant:
    """Without its folder in its name, where no other folder has the same agent in the same task."""
    tasks = {group.task for group in summary(g) if g.of(entrant, group.task)}
    others = [e for e in g.entrants if e.agent == entrant.agent and e.run != entrant.run]
    is_alone = not any(g.of(other, task) for other in others for task in tasks)
    return replace(entrant, label=entrant.agent) if is_alone else entrant


def _variants(g: Gathered) -> Iterator[tuple[Entrant, Entrant]]:
    """Pairs of one agent that differ in one option, in the order of the first one's name."""
    by_name = sorted(g.entrants, key=lambda e: (e.agent, e.run))
    for first in by_name:
        for second in by_name:
            if first.agent == second.agent or len(_differing(first, second)) != 1:
                continue
            (option,) = _differing(first, second)
            mine, other = (dict(parse_name(e.agent).options).get(option) for e in (first, second))
            if other == _NOBODY if option == _ASKED else (mine is None and other is not None):
                yield first, second


def _differing(first: Entrant, second: Entrant) -> set[str]:
    """The options in which two agents of one kind differ; of two kinds there are none."""
    one, other = (parse_name(e.agent) for e in (first, second))
    if one.ref != other.ref:
        return set()
    mine, its = dict(one.options), dict(other.options)
    return {name for name in {*mine, *its} if mine.get(name) != its.get(name)}


def _pairs(
    g: Gathered, title: str, what: str, pairs: Sequence[tuple[Entrant, Entrant]]
) -> list[str]:
    found: list[Difference] = []
    for pair in pairs:
        for one in differences(g, pair):
            found.append(replace(one, first=_alone(g, one.first), second=_alone(g, one.second)))
    if not found:
        return []
    heads = ["task", "pair", "episodes", "SR", "p", "SPL", "p"]
    lines = [[d.task, *row] for d, row in zip(found, pair_rows(found), strict=True)]
    note = (
        f"{what} on the episodes that both ran; p from McNemar’s exact test where an episode is a "
        "success or not, and from a sign-flip permutation test else, not corrected for the number "
        "of comparisons."
    )
    return [f"## {title}", note, table(heads, lines)]


if __name__ == "__main__":
    main(sys.argv[1:])
