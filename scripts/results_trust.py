"""The results page of trust, from run folders: ``docs/results/trust.md``.

    python scripts/results_trust.py runs/trust runs/trust-sweep -o docs/results/trust.md

Tables are made from the traces. What a person wrote stays: text between ``<!-- prose: NAME -->``
and ``<!-- /prose -->`` is taken over from the page that is there.
"""

from __future__ import annotations

import statistics
import sys
from collections import defaultdict
from collections.abc import Sequence

from figures import sheet
from pages import Kept, prose, publish, reproduction, table

from navproof.log import RunFolder
from navproof.metrics import Interval
from navproof.metrics.retention.retention import OVERALL, Retained
from navproof.reports.gather import Gathered, gather
from navproof.reports.sections.trust.figures import panels
from navproof.reports.sections.trust.section import Subject, TrustSection, trust_section
from navproof.reports.sections.trust.tables import Amount
from navproof.reports.sections.trust.words import FAMILIES, condition_title
from navproof.reports.trials import CLEAN

_CURVES = "trust-curves.svg"
_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def main(words: Sequence[str]) -> None:
    lacks = "no corrupted episode"
    publish("results_trust", words, "docs/results/trust.md", _make, lacks, _pictures)


def _make(g: Gathered, kept: Kept, again: str) -> str | None:
    """Runs that hold nothing at the protocol's intensities are sweeps: curves are made of each of
    them, the tables of all the others together. Sweeps alone are taken as any other runs."""
    full, sweeps = _apart(g)
    of = gather(full) if sweeps else g
    section = trust_section(of)
    return None if section is None else page(of, section, kept, again, g, sweeps)


def _apart(g: Gathered) -> tuple[Sequence[RunFolder], list[TrustSection]]:
    alone = {run: trust_section(gather([run])) for run in g.runs}
    full = [run for run, found in alone.items() if found is None or found.scores.prs] or g.runs
    return full, [found for run, found in alone.items() if found is not None and run not in full]


def _pictures(g: Gathered) -> dict[str, str]:
    """The sensitivity curves of the sweeps."""
    sweeps = _apart(g)[1]
    charts = [
        ("", chart)
        for sweep in sweeps
        for family in panels(sweep.scores, sweep.subjects)
        for chart in family.charts
    ]
    names = {subject.series: subject.label for sweep in sweeps for subject in sweep.subjects}
    return {_CURVES: sheet(charts, [names[k] for k in sorted(names)], columns=3)} if charts else {}


def page(
    g: Gathered,
    s: TrustSection,
    kept: Kept,
    again: str = "",
    everything: Gathered | None = None,
    sweeps: Sequence[TrustSection] = (),
) -> str:
    """The page as Markdown; ``kept`` is the hand-written text by name. ``everything`` is what is
    to be run again, ``sweeps`` what only the curves are made of."""
    parts = [_title(s), prose("summary", kept)]
    parts += [f"> {line}" for line in g.warnings]
    parts += [*_clean(s), *_families(s), *_seeds(g, s), *_conditions(s), *_grades(s)]
    parts += [
        *_curves(s),
        *(part for sweep in sweeps for part in _curves(sweep, drawn=True)),
        *_costs(s),
    ]
    parts += [f"> Skipped: {who}: {what}" for who, what in s.skipped]
    parts += [prose("discussion", kept), *reproduction(everything or g, again)]
    return "\n\n".join(parts) + "\n"


def _title(s: TrustSection) -> str:
    count = _agents(s)
    if count == 1:
        return "# What one agent retains"
    return f"# What {_NUMBERS[count] if count < len(_NUMBERS) else count} agents retain"


def _agents(s: TrustSection) -> int:
    return len({subject.name for subject in s.subjects})


def _clean(s: TrustSection) -> list[str]:
    lines = []
    for subject in s.subjects:
        for c in s.scores.clean:
            if (c.agent, c.task) == (subject.name, subject.task):
                lines.append([subject.label, str(c.n), _interval(c.sr), _interval(c.spl)])
    return ["## Clean", table(["agent", "episodes", "SR", "SPL"], lines)]


def _families(s: TrustSection) -> list[str]:
    heads = ["family", "K"]
    for subject in s.subjects:
        heads += [f"{subject.label}<br>PRS-SR", "PRS-SPL"]
    lines = [
        [line.name, str(line.k), *(_amount(a) for pair in line.cells for a in pair)]
        for line in s.families
    ]
    note = (
        "PRS is the mean over K conditions of score / clean score on the same episodes, each "
        "condition at the protocol's intensity; 95 % intervals resample episodes."
    )
    return ["## Retained, by family", note, table(heads, lines)]


def _seeds(g: Gathered, s: TrustSection) -> list[str]:
    """What drawing the corruptions anew changes, where there are several seeds."""
    seeds = sorted({trial.key.seed for trial in g.trials})
    if len(seeds) < 2:
        return []
    lines = []
    for prs in (p for p in s.scores.prs if p.family == OVERALL):
        subject = next(x for x in s.subjects if (x.name, x.task) == (prs.agent, prs.task))
        rates = _rates(g, subject)
        spreads = []
        for name in prs.conditions:
            found = [rates[name, seed] for seed in seeds if (name, seed) in rates]
            spreads.append(max(found) - min(found))
        alone = [_share(rates, prs.conditions, seed) for seed in seeds]
        widest = [f"{statistics.mean(spreads):.2f}", f"{max(spreads):.2f}"]
        lines.append([subject.label, *alone, *widest])
    note = (
        "PRS-SR of each seed by itself, and by how much the SR of one condition differs between "
        "its best and its worst seed, on average over the conditions and at most."
    )
    heads = ["agent", *(f"seed {seed}" for seed in seeds), "one condition, mean", "most"]
    return ["## Between seeds", note, table(heads, lines)] if lines else []


def _rates(g: Gathered, subject: Subject) -> dict[tuple[str, int], float]:
    """The SR of an agent by condition and seed."""
    won: dict[tuple[str, int], list[float]] = defaultdict(list)
    for trial in g.trials:
        who = (g.entrants[trial.entrant].label, trial.result["task"])
        if who == (subject.name, subject.task):
            won[trial.key.condition, trial.key.seed].append(trial.result["success"])
    return {place: statistics.mean(found) for place, found in won.items()}


def _share(rates: dict[tuple[str, int], float], names: Sequence[str], seed: int) -> str:
    clean = rates.get((CLEAN, seed), 0.0)
    found = [rates[name, seed] for name in names if (name, seed) in rates]
    return f"{statistics.mean(found) / clean:.2f}" if clean and found else "–"


def _conditions(s: TrustSection) -> list[str]:
    heads = ["condition", "grade"]
    for subject in s.subjects:
        heads += [f"{subject.label}<br>SR", "SR retained", "SPL retained"]
    parts = ["## Every condition"]
    for family, conditions in s.numbers:
        lines = []
        for line in conditions:
            cells = [line.condition, line.grade]
            for found in line.cells:
                if isinstance(found, str):
                    cells += [found, "", ""]
                else:
                    cells += [found[0].shown, _amount(found[1]), _amount(found[2])]
            lines.append(cells)
        parts += [f"### {family}", table(heads, lines)]
    return parts


def _grades(s: TrustSection) -> list[str]:
    groups: dict[str, list[str]] = {}
    for d in s.scores.difficulty:
        groups.setdefault(d.grade or "not graded", []).append(condition_title(d.condition))
    names = {"easy": "r ≥ 0.9", "medium": "0.7 to 0.9", "hard": "below 0.7"}
    lines = [f"- *{g}* ({w}): {', '.join(groups[g])}" for g, w in names.items() if g in groups]
    over = {1: "", 2: " over both agents"}.get(_agents(s), " over all agents")
    return ["## Difficulty", f"By the SR retained{over}:", "\n".join(lines)]


def _curves(s: TrustSection, drawn: bool = False) -> list[str]:
    """Retention of SR by intensity where a corruption was swept."""
    swept = [c for c in s.scores.curves if len(c.points) > 2]
    if not swept:
        return []
    levels = sorted({p.intensity for c in swept for p in c.points if p.intensity > 0})
    labels = {(x.name, x.task): x.label for x in s.subjects}
    lines = []
    for c in sorted(swept, key=lambda c: (list(FAMILIES).index(c.family), c.corruption)):
        at = {p.intensity: p.retention_sr for p in c.points}
        half = "–" if c.half_sr.value is None else f"{c.half_sr.value:.2f}"
        cells = [_retained(at[x]) if x in at else "–" for x in levels]
        lines.append([condition_title(c.corruption), labels[c.agent, c.task], *cells, half])
    heads = ["corruption", "agent", *(f"{x:g}" for x in levels), "half is lost at"]
    most = max(p.n for c in swept for p in c.points)
    note = (
        "Share of the clean SR that is retained at each intensity, and the intensity at which half "
        f"of it is lost (–: never); {most} episodes a point."
    )
    shown = f"![Share of the clean SR retained, by intensity](../images/{_CURVES})"
    return ["## By intensity", note, table(heads, lines), *([shown] if drawn else [])]


def _costs(s: TrustSection) -> list[str]:
    if not s.costs:
        return []
    heads = ["condition"]
    for subject in s.subjects:
        heads += [f"{subject.label}<br>s an episode", "ms a step in the corruption"]
    lines = [[line.condition, *(x for pair in line.cells for x in pair)] for line in s.costs]
    note = "As in the paper's Table 2. Machines were shared: read the order, not the digits."
    return ["## Cost", note, table(heads, lines)]


def _interval(i: Interval) -> str:
    return f"{i.mean:.2f} ({i.low:.2f}–{i.high:.2f})" if i.n else "–"


def _amount(a: Amount) -> str:
    return f"{a.shown}<br>{a.interval}" if a.interval else a.shown


def _retained(r: Retained) -> str:
    return "–" if r.value is None else f"{r.value:.2f}"


if __name__ == "__main__":
    main(sys.argv[1:])
