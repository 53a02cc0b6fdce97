"""The memory oracle: what the agent itself perceived, against what it remembers.

    ε_m = 1 − s,   s = |matched| / |expected ∪ claimed| · (1 − ½ share of pairs in wrong order)

after CanTest's equation 4, given what memory was handed: expected is what was perceived *rightly*
in the steps before, where and when last; a claim that repeats a wrong report is perception's error,
so only claims that no report led to count against memory. Claims about other things than those that
matter now are left out. A ``MemoryLikeness`` (a language model, as in the paper) may say s instead,
where counting finds something amiss and there is something to compare.
"""

from __future__ import annotations

import math
from collections.abc import Container, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations

from navproof.core.types import Detection, Point, Remembered
from navproof.diagnosis.oracles.memory_words import in_words
from navproof.diagnosis.oracles.naming import ThingNames
from navproof.diagnosis.oracles.perception import PerceivedFrame
from navproof.diagnosis.oracles.protocol import MemoryLikeness, SemanticDistance
from navproof.diagnosis.oracles.relevant import RelevantThings
from navproof.diagnosis.oracles.semantics import WORDING

__all__ = ["MemoryComparison", "RememberedThing", "ReportHistory", "compare_memory"]

SAME_PLACE_M = 1.0
_MERGED_M = 0.5
_SPOTS = 8


@dataclass(frozen=True, slots=True)
class RememberedThing:
    """A thing that was reported. It holds the label, the places (the last one first, in the agent's
    frame), the step of the last report and the sum of the scores. ``thing`` is the id of what it
    truly was, None where the report was true of nothing."""

    label: str
    thing: int | None
    spots: tuple[Point, ...]
    step: int
    weight: float

    @property
    def remembered(self) -> Remembered:
        return Remembered(self.label, self.spots[0], self.step)

    def is_near(self, place: Point) -> bool:
        return any(math.dist(spot[:2], place[:2]) <= SAME_PLACE_M for spot in self.spots)


@dataclass
class ReportHistory:
    """Every report so far, grouped by label and thing."""

    held: dict[tuple[str, int | None], tuple[RememberedThing, ...]] = field(default_factory=dict)

    def copy(self) -> ReportHistory:
        return ReportHistory(dict(self.held))

    def add(self, reports: Sequence[Detection], sight: PerceivedFrame | None, step: int) -> None:
        """Add the reports of a step. Without a ``sight`` it is not known what they are true of."""
        for r, report in enumerate(reports):
            if report.position is None:
                continue
            true_of = () if sight is None else sight.true_of[r]
            self._add(report, true_of[0] if true_of else None, step)

    def rightly(self, things: Container[int] | None = None) -> tuple[RememberedThing, ...]:
        """The reports that were true (of the given things), oldest first."""
        right = [
            held
            for (_, thing), many in self.held.items()
            if thing is not None and (things is None or thing in things)
            for held in many
        ]
        return tuple(sorted(right, key=lambda held: (held.step, held.label, held.spots[0])))

    def of_label(self, label: str) -> tuple[RememberedThing, ...]:
        """Everything reported under a label, right or wrong."""
        return tuple(h for key, many in self.held.items() if key[0] == label for h in many)

    def _add(self, report: Detection, thing: int | None, step: int) -> None:
        assert report.position is not None
        key, place = (report.label, thing), report.position
        many = self.held.get(key, ())
        for index, known in enumerate(many):
            if thing is not None or known.is_near(place):
                apart = [s for s in known.spots if math.dist(s[:2], place[:2]) > _MERGED_M]
                spots = (place, *apart)[:_SPOTS]
                weight = known.weight + report.score
                merged = replace(known, spots=spots, step=step, weight=weight)
                self.held[key] = (*many[:index], merged, *many[index + 1 :])
                return
        new = RememberedThing(report.label, thing, (place,), step, report.score)
        self.held[key] = (*many, new)


@dataclass(frozen=True, slots=True)
class MemoryComparison:
    """Memory as it should be and as it is, for the things that matter. ``matched`` holds for every
    expected thing the claim that repeats it, or None. ``invented`` holds the claims that no report
    led to, and ``misordered`` the share of pairs whose steps are told in the wrong order. ``error``
    is None where there is nothing to judge. ``unrated`` says that a ``MemoryLikeness`` was asked
    and gave no rating."""

    expected: tuple[RememberedThing, ...]
    claimed: tuple[Remembered, ...]
    matched: tuple[Remembered | None, ...]
    invented: tuple[Remembered, ...]
    misordered: float
    error: float | None
    unrated: bool = False


def compare_memory(
    past: ReportHistory,
    naming: ThingNames,
    relevant: RelevantThings,
    remembered: Sequence[Remembered],
    now: Sequence[Detection],
    step: int,
    distance: SemanticDistance,
    likeness: MemoryLikeness | None = None,
) -> MemoryComparison:
    """Compare what is claimed with what was perceived. ``past`` holds the reports of the steps
    before ``step``, and ``now`` those of that step."""
    expected = past.rightly(relevant.labels)
    ours, things = {held.label for held in expected}, relevant.things
    claimed = tuple(
        claim
        for claim in remembered
        if claim.label in ours or naming.is_true_of_any(claim.label, things)
    )
    matched = tuple(_match(held, claimed, distance) for held in expected)
    invented = tuple(c for c in claimed if not _was_told(c, past, now))
    if not expected and not invented:
        return MemoryComparison(expected, claimed, matched, invented, 0.0, None)
    held = sum(claim is not None for claim in matched)
    order = _misordered(expected, matched, step)
    agreed = held / (len(expected) + len(invented)) * (1.0 - 0.5 * order)
    unrated = False
    if likeness is not None and agreed < 1.0:
        agreed, unrated = _rated(expected, matched, invented, step, likeness, agreed)
    return MemoryComparison(expected, claimed, matched, invented, order, 1.0 - agreed, unrated)


def _rated(
    expected: Sequence[RememberedThing],
    matched: Sequence[Remembered | None],
    invented: Sequence[Remembered],
    step: int,
    likeness: MemoryLikeness,
    counted: float,
) -> tuple[float, bool]:
    """The judge's rating of the memory, or ``counted`` where it gives none, and whether it was
    asked without success. Claims that a wrong report led to are not shown to the judge."""
    seen = [(held.label, held.spots, held.step) for held in expected]
    told, history = in_words(seen, matched, invented, step)
    if not (told and history):
        return counted, False
    rated = likeness(told, history)
    return (counted, True) if rated is None else (rated, False)


def _match(
    held: RememberedThing, claimed: Sequence[Remembered], distance: SemanticDistance
) -> Remembered | None:
    near = [
        claim
        for claim in claimed
        if held.is_near(claim.position)
        and (claim.label == held.label or distance(claim.label, held.label) <= WORDING)
    ]
    here = held.spots[0][:2]
    return min(near, key=lambda claim: math.dist(claim.position[:2], here), default=None)


def _was_told(claim: Remembered, past: ReportHistory, now: Sequence[Detection]) -> bool:
    """Whether some report, right or wrong, led to a claim."""
    if any(held.is_near(claim.position) for held in past.of_label(claim.label)):
        return True
    return any(
        report.label == claim.label
        and report.position is not None
        and math.dist(report.position[:2], claim.position[:2]) <= SAME_PLACE_M
        for report in now
    )


def _misordered(
    expected: Sequence[RememberedThing], matched: Sequence[Remembered | None], step: int
) -> float:
    """The share of pairs in the wrong order among the things last seen before ``step``. Things seen
    at ``step`` are newer than all of these and do not count."""
    pairs = zip(expected, matched, strict=True)
    told = [(h.step, c.step) for h, c in pairs if c is not None and c.step < step]
    ordered = [(a, b) for a, b in combinations(told, 2) if a[0] != b[0]]
    if not ordered:
        return 0.0
    return sum((a[0] - b[0]) * (a[1] - b[1]) < 0 for a, b in ordered) / len(ordered)
