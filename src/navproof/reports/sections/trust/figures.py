"""The radar and the sensitivity curves of a trust report, from its scores."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from navproof.metrics.retention.retention import Retained, TrustScores
from navproof.reports.sections.trust.charts import Response, Web, radar, sensitivity
from navproof.reports.sections.trust.tables import Subject, families_present, prs_of
from navproof.reports.sections.trust.words import FAMILIES, condition_title

__all__ = ["Panels", "family_radar", "panels"]


@dataclass(frozen=True, slots=True)
class Panels:
    """The sensitivity curves of a family: its mean first, where there is one."""

    family: str
    charts: tuple[str, ...]


def family_radar(scores: TrustScores, subjects: Sequence[Subject]) -> str:
    """Nothing where fewer than three families were run."""
    present = families_present(scores)
    if len(present) < 3:
        return ""
    webs = []
    for s in subjects:
        found = [prs_of(scores, s, family) for family in present]
        webs.append(
            Web(
                s.label,
                s.series,
                tuple(p.sr.value if p else None for p in found),
            )
        )
    return radar([FAMILIES[f] for f in present], webs)


def panels(scores: TrustScores, subjects: Sequence[Subject]) -> tuple[Panels, ...]:
    found = []
    for family, title in FAMILIES.items():
        curves = [c for c in scores.curves if c.family == family]
        names = list(dict.fromkeys(c.corruption for c in curves))
        charts = [
            sensitivity(condition_title(name), lines)
            for name in names
            if (lines := _lines(scores, subjects, name))
        ]
        means = _mean_lines(scores, subjects, family)
        if len(charts) > 1 and means:
            charts.insert(0, sensitivity(f"{title}, mean", means))
        if charts:
            found.append(Panels(title, tuple(charts)))
    return tuple(found)


def _point(x: float, r: Retained) -> tuple[float, float, float | None, float | None]:
    return x, r.value or 0.0, r.low, r.high


def _lines(scores: TrustScores, subjects: Sequence[Subject], name: str) -> list[Response]:
    lines = []
    for s in subjects:
        for curve in scores.curves:
            if (curve.agent, curve.task, curve.corruption) == (s.name, s.task, name):
                known = [p for p in curve.points if p.retention_sr.value is not None]
                points = tuple(_point(p.intensity, p.retention_sr) for p in known)
                if points:
                    series = s.series
                    lines.append(Response(s.label, series, points, curve.half_sr.value))
    return lines


def _mean_lines(scores: TrustScores, subjects: Sequence[Subject], family: str) -> list[Response]:
    lines = []
    for s in subjects:
        points = tuple(
            _point(p.intensity or 0.0, p.sr)
            for p in scores.prs_by_intensity
            if (p.agent, p.task, p.family) == (s.name, s.task, family) and p.sr.value is not None
        )
        if len(points) > 1:
            start = ((0.0, 1.0, 1.0, 1.0),)
            lines.append(Response(s.label, s.series, start + points))
    return lines
