"""What agents retain under corruptions: the section of a report about trust.

The scores are those of ``metrics.retention.retention``; here they become a heat map, a radar,
sensitivity curves and tables. A subject is an agent on one task.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from navproof.metrics.retention.retention import TrustScores, trust_scores
from navproof.reports.gather import Gathered
from navproof.reports.sections.trust.figures import Panels, family_radar, panels
from navproof.reports.sections.trust.maps import HeatMap, heat_maps
from navproof.reports.sections.trust.tables import (
    CostLine,
    FamilyLine,
    Numbers,
    Subject,
    costs,
    families,
    halves,
    numbers,
)
from navproof.reports.sections.trust.words import condition_title, headline, listed, sentence
from navproof.reports.tables import task_title
from navproof.reports.trials import CLEAN

__all__ = ["TrustSection", "trust_section"]


@dataclass(frozen=True, slots=True)
class TrustSection:
    """Everything of the section but its pictures. PRS is at the protocol's intensities, or all
    at ``intensity``."""

    scores: TrustScores
    subjects: tuple[Subject, ...]
    intensity: float | None
    heat: tuple[HeatMap, ...]
    skipped: tuple[tuple[str, str], ...]
    undefined: tuple[str, ...]
    radar: str
    families: tuple[FamilyLine, ...]
    numbers: tuple[tuple[str, tuple[Numbers, ...]], ...]
    panels: tuple[Panels, ...]
    halves: tuple[tuple[str, tuple[str, ...]], ...]
    costs: tuple[CostLine, ...]


def trust_section(g: Gathered) -> TrustSection | None:
    """The section, or None where nothing but clean episodes was run."""
    if not g.trials:
        return None
    rows = [dict(t.result) | {"agent": g.entrants[t.entrant].label} for t in g.trials]
    labels = {(e.run, e.agent): e.label for e in g.entrants if e.condition == "clean"}
    skipped = [
        replace(s, agent=labels[run, s.agent])
        for run, info in enumerate(g.infos)
        for s in info.skipped
        if (run, s.agent) in labels
    ]
    untried = {(s.agent, s.task): s.why for s in skipped if s.condition == CLEAN}
    scores = trust_scores(rows, [s for s in skipped if (s.agent, s.task) not in untried])
    if not scores.corrupted:
        return None
    subjects = _subjects(g, scores)
    return TrustSection(
        scores=scores,
        subjects=subjects,
        intensity=quoted[0].intensity if (quoted := headline(scores)) else None,
        heat=heat_maps(scores, [(s.name, s.task, s.label) for s in subjects]),
        skipped=(*_reasons(scores, subjects), *_untried(untried)),
        undefined=_undefined(scores, subjects),
        radar=family_radar(scores, subjects),
        families=families(scores, subjects),
        numbers=numbers(scores, subjects),
        panels=panels(scores, subjects),
        halves=halves(scores, subjects),
        costs=costs(scores, subjects),
    )


def _subjects(g: Gathered, scores: TrustScores) -> tuple[Subject, ...]:
    by_label = {e.label: e for e in g.entrants}
    several = len({c.task for c in scores.clean}) > 1
    twofold = len({c.agent for c in scores.clean}) < len(scores.clean)
    found = []
    order = sorted(scores.clean, key=lambda c: (c.task, by_label[c.agent].series))
    for index, clean in enumerate(order):
        entrant = by_label[clean.agent]
        series = index if twofold else entrant.series
        label = f"{clean.agent} · {task_title(clean.task)}" if several else clean.agent
        says = sentence(scores, clean.agent, clean.task)
        found.append(Subject(entrant, series, clean.task, label, says))
    return tuple(found)


def _reasons(scores: TrustScores, subjects: Sequence[Subject]) -> tuple[tuple[str, str], ...]:
    """(agent, what was skipped and why), conditions of the same reason together."""
    groups: dict[tuple[str, str], list[str]] = {}
    labels = {(s.name, s.task): s.label for s in subjects}
    for skip in scores.skipped:
        who = labels.get((skip.agent, skip.task), skip.agent)
        groups.setdefault((who, skip.why), []).append(condition_title(skip.condition))
    return tuple((who, f"{listed(names)}: {why}") for (who, why), names in groups.items())


def _untried(tasks: Mapping[tuple[str, str], str]) -> list[tuple[str, str]]:
    """Tasks that an agent was not run on at all, clean neither."""
    return [(agent, f"all of {task_title(task)}: {why}") for (agent, task), why in tasks.items()]


def _undefined(scores: TrustScores, subjects: Sequence[Subject]) -> tuple[str, ...]:
    """Sentences about subjects whose clean score leaves retention undefined."""
    labels = {(s.name, s.task): s.label for s in subjects}
    return tuple(
        f"{labels[c.agent, c.task]}: {reason}"
        for c in scores.clean
        for reason in [r.reason for r in (c.retention_sr, c.retention_spl) if r.value is None][:1]
    )
