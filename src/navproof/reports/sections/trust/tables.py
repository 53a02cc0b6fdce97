"""The tables of a trust report: PRS per family, every condition, thresholds and costs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from navproof.metrics.retention.retention import OVERALL, ConditionScore, Prs, Retained, TrustScores
from navproof.reports.gather import Entrant
from navproof.reports.sections.trust.words import FAMILIES, condition_title, family_of, headline
from navproof.reports.tables import show

__all__ = [
    "Amount",
    "CostLine",
    "FamilyLine",
    "Numbers",
    "Subject",
    "costs",
    "families",
    "families_present",
    "halves",
    "numbers",
    "prs_of",
]


@dataclass(frozen=True, slots=True)
class Subject:
    """An agent on a task, which ``label`` names where there are several; ``series`` is its colour
    and shape."""

    entrant: Entrant
    series: int
    task: str
    label: str
    says: str

    @property
    def name(self) -> str:
        return self.entrant.label


@dataclass(frozen=True, slots=True)
class Amount:
    """A number with its interval for a table; ``why`` where it has none."""

    shown: str
    interval: str = ""
    why: str = ""


@dataclass(frozen=True, slots=True)
class FamilyLine:
    """One family: how many conditions, and PRS-SR and PRS-SPL of every subject."""

    name: str
    k: int
    cells: tuple[tuple[Amount, Amount], ...]


@dataclass(frozen=True, slots=True)
class Numbers:
    """One condition: SR, retention of SR and of SPL, and n of every subject; why not in words where
    it was not run."""

    condition: str
    grade: str
    cells: tuple[tuple[Amount, Amount, Amount, int] | str, ...]


@dataclass(frozen=True, slots=True)
class CostLine:
    """One condition: (seconds of an episode, milliseconds of a step in the corruption)."""

    condition: str
    cells: tuple[tuple[str, str], ...]


def _of(retained: Retained, decimals: int = 2) -> Amount:
    if retained.value is None:
        return Amount("undefined", why=retained.reason)
    if retained.low is None or retained.high is None:
        return Amount(show(retained.value, decimals))
    limits = f"{show(retained.low, decimals)}–{show(retained.high, decimals)}"
    return Amount(show(retained.value, decimals), limits)


def prs_of(scores: TrustScores, subject: Subject, family: str) -> Prs | None:
    for prs in headline(scores):
        if (prs.agent, prs.task, prs.family) == (subject.name, subject.task, family):
            return prs
    return None


def families_present(scores: TrustScores) -> list[str]:
    return [name for name in FAMILIES if any(p.family == name for p in headline(scores))]


def families(scores: TrustScores, subjects: Sequence[Subject]) -> tuple[FamilyLine, ...]:
    none = Amount("–", why="not run")
    lines = []
    for family in (*families_present(scores), OVERALL) if headline(scores) else ():
        found = [prs_of(scores, s, family) for s in subjects]
        cells = tuple((_of(p.sr), _of(p.spl)) if p else (none, none) for p in found)
        name = "all" if family == OVERALL else FAMILIES[family]
        lines.append(FamilyLine(name, max(p.k for p in found if p), cells))
    return tuple(lines)


def numbers(
    scores: TrustScores, subjects: Sequence[Subject]
) -> tuple[tuple[str, tuple[Numbers, ...]], ...]:
    """(family, its conditions) in turn."""
    grades = {d.condition: d.grade or "" for d in scores.difficulty}
    found = {(c.condition, c.agent, c.task): _row(c) for c in scores.conditions}
    skipped = {(s.condition, s.agent, s.task): f"skipped: {s.why}" for s in scores.skipped}
    groups: dict[str, list[Numbers]] = {}
    for name in dict.fromkeys(condition for condition, _, _ in (*found, *skipped)):
        places = [(name, s.name, s.task) for s in subjects]
        cells = tuple(found.get(p) or skipped.get(p) or "not run" for p in places)
        line = Numbers(condition_title(name), grades.get(name, ""), cells)
        groups.setdefault(family_of(name), []).append(line)
    return tuple((FAMILIES[f], tuple(groups[f])) for f in FAMILIES if f in groups)


def _row(score: ConditionScore) -> tuple[Amount, Amount, Amount, int]:
    rate = Amount(show(score.sr.mean, 2)) if score.sr.n else Amount("–", why="nothing is paired")
    return rate, _of(score.retention_sr), _of(score.retention_spl), score.n


def halves(
    scores: TrustScores, subjects: Sequence[Subject]
) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Per corruption that was swept, the intensity at which each subject loses half."""
    names = dict.fromkeys(c.corruption for c in scores.curves)
    table = {(c.corruption, c.agent, c.task): c.half_sr for c in scores.curves}
    lines = []
    for name in names:
        cells = []
        for s in subjects:
            half = table.get((name, s.name, s.task))
            if half is None:
                cells.append("–")
            elif half.value is None:
                cells.append(half.reason)
            else:
                low = "?" if half.low is None else show(half.low, 2)
                high = "beyond" if half.high is None else show(half.high, 2)
                cells.append(f"{show(half.value, 2)} ({low}–{high})")
        lines.append((condition_title(name), tuple(cells)))
    return tuple(lines)


def costs(scores: TrustScores, subjects: Sequence[Subject]) -> tuple[CostLine, ...]:
    """The clean condition first; nothing where traces hold no times."""
    found = {(o.condition, o.agent, o.task): o for o in scores.overhead}
    timed = [o for o in scores.overhead if o.episode_s is not None]
    if not timed:
        return ()
    clean = []
    for s in subjects:
        own = [o.clean_episode_s for o in timed if (o.agent, o.task) == (s.name, s.task)]
        clean.append((_seconds(own[0]) if own else "–", "–"))
    lines = [CostLine("clean", tuple(clean))]
    for name in dict.fromkeys(o.condition for o in scores.overhead):
        cells = []
        for s in subjects:
            cost = found.get((name, s.name, s.task))
            cells.append(
                (_seconds(cost.episode_s), _milliseconds(cost.corrupt_s)) if cost else ("–", "–")
            )
        lines.append(CostLine(condition_title(name), tuple(cells)))
    return tuple(lines)


def _seconds(value: float | None) -> str:
    return "–" if value is None else show(value, 2)


def _milliseconds(value: float | None) -> str:
    return "–" if value is None else show(1000 * value, 2)
