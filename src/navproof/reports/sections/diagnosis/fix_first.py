"""What to fix first: the capability whose repair would recover most success.

    recovered(C) = (failures that correcting C turned into successes) / (episodes)

with Wilson's interval, over the episodes of an agent that a diagnosis speaks of. A failure counts
for the one capability that is its source, so the shares of an agent add up to at most its failures.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from navproof.diagnosis.capabilities import PIPELINE, Capability, ErrorType
from navproof.diagnosis.summary import SummaryRow
from navproof.metrics.stats.stats import wilson
from navproof.reports.draw.charts import Whisker, whiskers

__all__ = ["Advice", "Recovered", "advise", "chart"]


@dataclass(frozen=True, slots=True)
class Recovered:
    """What repairing a capability would recover: failures, and their share of all episodes."""

    capability: Capability
    failures: int
    share: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Advice:
    """Of one agent. ``first`` is None where no failure could be attributed; ``says`` goes on after
    "fix first:", either way."""

    label: str
    series: int
    episodes: int
    failures: int
    unattributed: int
    recovered: tuple[Recovered, ...]
    first: Recovered | None
    says: str


def advise(label: str, series: int, rows: Sequence[SummaryRow]) -> Advice:
    """Advice out of the rows of one agent, passed episodes among them."""
    found = [row for row in rows if row.verdict == "attributed"]
    failures = sum(row.verdict != "passed" for row in rows)
    counts = Counter(row.capability for row in found)
    recovered = tuple(_recovered(c, counts[c], len(rows)) for c in PIPELINE)
    best = max(recovered, key=lambda r: (r.failures, -r.capability.rank))
    first = best if best.failures else None
    kinds = Counter(row.kind for row in found if first and row.capability == first.capability)
    closed = sum(row.verdict == "from_outside" for row in rows)
    silent = sum(row.verdict in ("not_reproduced", "not_run") for row in rows)
    says = _says(first, failures, closed, silent, len(rows), kinds)
    without = sum(row.verdict in ("unattributed", "joint") for row in rows)
    return Advice(label, series, len(rows), failures, without, recovered, first, says)


def chart(advice: Sequence[Advice]) -> str:
    """The recovered shares by capability, with their intervals, of every agent of which there is
    something to say; "" where there is none."""
    told = [a for a in advice if a.first is not None]
    if not told:
        return ""
    groups = [
        (
            a.label,
            [Whisker(r.capability, r.capability.rank, r.share, r.low, r.high) for r in a.recovered],
        )
        for a in told
    ]
    highest = max(r.high for a in told for r in a.recovered)
    return whiskers(groups, "share of episodes recovered", (0.0, max(0.1, highest)))


def _recovered(capability: Capability, failures: int, episodes: int) -> Recovered:
    low, high = wilson(failures, episodes)
    return Recovered(capability, failures, failures / episodes, low, high)


def _says(
    first: Recovered | None,
    failures: int,
    closed: int,
    silent: int,
    episodes: int,
    kinds: Counter[ErrorType | None],
) -> str:
    if not failures:
        return f"nothing; all {episodes} episodes passed"
    if closed == failures:
        return "unknown; it tells nothing of what led to its actions"
    if silent == failures:
        return f"unknown; none of its {failures} failures could be played again as it was"
    if first is None:
        return f"unknown; none of its {failures} failures is saved by correcting one capability"
    kind = next((k for k, _ in kinds.most_common(1) if k is not None), None)
    share = "mostly " if len(kinds) > 1 else ""
    mostly = f", {share}{kind.said} ({kind})" if kind is not None else ""
    return (
        f"{first.capability}; repaired, it would recover {100 * first.share:.0f} % of episodes "
        f"({100 * first.low:.0f}–{100 * first.high:.0f} %): {first.failures} of "
        f"{failures} failures{mostly}"
    )
