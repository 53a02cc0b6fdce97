"""Names and sentences of a trust report."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from navproof.core.errors import NavproofError
from navproof.corruptions.condition import Condition, parse_condition
from navproof.language.missions.wordings import ORIGINAL
from navproof.metrics.retention.retention import OVERALL, Prs, Retained, TrustScores
from navproof.reports.tables import show

__all__ = [
    "FAMILIES",
    "condition_lines",
    "condition_title",
    "family_of",
    "headline",
    "known",
    "listed",
    "sentence",
]

FAMILIES = {
    "rgb": "RGB",
    "depth": "depth",
    "instruction": "instruction",
    "mixed": "mixed",
    "body": "body",
    "own": "own",
}
"""Families in the order of a report, as they are written in it."""


def known(condition: str) -> Condition | None:
    """The condition, or None where the catalogue does not know it."""
    try:
        return parse_condition(condition)
    except NavproofError:
        return None


def family_of(condition: str) -> str:
    """Its family, "own" where the catalogue does not know it."""
    found = known(condition)
    if found is not None and found.style != ORIGINAL:
        return "mixed" if found.parts else "instruction"
    return found.family if found else "own"


def condition_lines(condition: str) -> tuple[str, ...]:
    """The name as people write it, a line per part: ("low light noise", "+ depth gaussian")."""
    if known(condition) is None:
        return (condition,)
    words = condition.replace("_", " ").replace("@", " at ").replace(":", " per ")
    first, *others = words.split("+")
    return (first, *(f"+ {other}" for other in others))


def condition_title(condition: str) -> str:
    return " ".join(condition_lines(condition))


def listed(words: Iterable[str]) -> str:
    """``a, b and c``."""
    *most, last = words
    return f"{', '.join(most)} and {last}" if most else last


def _share(retained: Retained) -> str:
    return f"{100 * (retained.value or 0.0):.0f} %"


def headline(scores: TrustScores) -> tuple[Prs, ...]:
    """The scores to quote: those at the protocol's intensities, or those at the highest intensity
    of a sweep where they are over more corruptions."""
    top = max((p.intensity or 0.0 for p in scores.prs_by_intensity), default=0.0)
    swept = tuple(p for p in scores.prs_by_intensity if p.intensity == top)
    return swept if _widest(swept) > _widest(scores.prs) else scores.prs


def _widest(found: Sequence[Prs]) -> int:
    return max((prs.k for prs in found if prs.family == OVERALL), default=0)


def sentence(scores: TrustScores, agent: str, task: str) -> str:
    """What an agent retains overall, under the worst corruption and in the worst family."""
    who = (agent, task)
    mine = [p for p in headline(scores) if (p.agent, p.task) == who] or _strongest(scores, who)
    overall = next((p for p in mine if p.family == OVERALL), None)
    if overall is None:
        return "was run under no corruption that can be compared with a clean episode"
    if overall.sr.value is None:
        return f"retains nothing that could be measured: {overall.sr.reason}"
    parts = [f"retains {_share(overall.sr)} of its clean success over {_count(overall)}"]
    parts[0] += f" (PRS-SR {show(overall.sr.value, 2)}{_limits(overall.sr)})"
    worst = _worst(scores, agent, task, overall)
    if worst is not None:
        parts.append(f"the worst is {condition_title(worst[0])} with {_share(worst[1])}")
    families = [p for p in mine if p.family != OVERALL and p.sr.value is not None]
    if len(families) > 1:
        hardest = min(families, key=lambda p: p.sr.value or 0.0)
        name = FAMILIES.get(hardest.family, hardest.family)
        parts.append(f"the {name} family hurts most with {_share(hardest.sr)} retained")
    return listed(parts) if len(parts) < 3 else f"{parts[0]}; {parts[1]}, and {parts[2]}"


def _strongest(scores: TrustScores, who: tuple[str, str]) -> list[Prs]:
    """What an agent retains at the highest intensity that it was run under."""
    mine = [p for p in scores.prs_by_intensity if (p.agent, p.task) == who]
    top = max((p.intensity or 0.0 for p in mine), default=0.0)
    return [p for p in mine if p.intensity == top]


def _count(prs: Prs) -> str:
    what = f"{prs.k} corruption{'s' if prs.k != 1 else ''}"
    return what if prs.intensity is None else f"{what} at intensity {prs.intensity:g}"


def _limits(retained: Retained) -> str:
    if retained.low is None or retained.high is None:
        return ""
    return f", 95 % interval {show(retained.low, 2)} to {show(retained.high, 2)}"


def _worst(scores: TrustScores, agent: str, task: str, overall: Prs) -> tuple[str, Retained] | None:
    among: Sequence[tuple[str, Retained]] = [
        (c.condition, c.retention_sr)
        for c in scores.conditions
        if (c.agent, c.task) == (agent, task)
        and c.condition in overall.conditions
        and c.retention_sr.value is not None
    ]
    return min(among, key=lambda pair: pair[1].value or 0.0) if len(among) > 1 else None
