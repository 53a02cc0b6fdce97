"""The perception oracle: what is visible and matters, against what the agent reports.

    ε_p = 1/N Σ_n (d(label_n, expected_n) + 1 − IoU_n) / 2          CanTest, equation 3

N counts the things expected and the reports that are true of nothing in view: a missed thing counts
1, and so does an invented one. A report is *true* of a thing if its words could mean it
(``perception.truth.meaning``) and its box overlaps it; a report that is true of another thing is
not compared with this one. Where nothing is expected or invented, the error is not defined.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from navproof.core.types import Detection
from navproof.diagnosis.oracles.naming import ThingNames
from navproof.diagnosis.oracles.protocol import SemanticDistance
from navproof.diagnosis.oracles.relevant import RelevantThings
from navproof.diagnosis.oracles.views import FrameThings, iou

__all__ = ["BELIEVED", "OVERLAP", "PerceivedFrame", "compare_sight", "least_pixels"]

BELIEVED = 0.3
"""The score from which on a report counts as one."""
OVERLAP = 0.3
"""IoU from which on two boxes are about one thing."""
_TOUCHES = 0.1
_LEAST_PX = 24
_LEAST_SHARE = 0.002


def least_pixels(views: FrameThings) -> float:
    """The number of pixels below which a thing need not be reported."""
    return max(_LEAST_PX, _LEAST_SHARE * views.size)


@dataclass(frozen=True, slots=True)
class PerceivedFrame:
    """One frame as it is and as it was reported. ``expected`` are the ids of the visible things
    that matter, and ``matched`` holds the index of the report that names each of them rightly, or
    None. ``true_of`` holds for every report the things that it is true of, the one that it covers
    best first. ``confused`` are the expected things that a report with another, untrue name covers.
    ``made_up`` are the reports that are true of nothing, and ``posing`` those among them that name
    a thing that matters. ``error`` is None where there is nothing to judge."""

    expected: tuple[int, ...]
    matched: tuple[int | None, ...]
    true_of: tuple[tuple[int, ...], ...]
    confused: tuple[int, ...]
    made_up: tuple[int, ...]
    posing: tuple[int, ...]
    error: float | None

    @property
    def missed(self) -> tuple[int, ...]:
        """The expected things that no report names rightly."""
        pairs = zip(self.expected, self.matched, strict=True)
        return tuple(i for i, m in pairs if m is None or i not in self.true_of[m])


def compare_sight(
    views: FrameThings,
    naming: ThingNames,
    relevant: RelevantThings,
    reports: Sequence[Detection],
    distance: SemanticDistance,
) -> PerceivedFrame:
    """Match the reports with the things in the frame. ``reports`` whose score is too low are
    ignored."""
    shared = iou(_boxes(reports), views.boxes)
    true_of = tuple(
        _true_of(report, shared[r], views, naming) if report.score >= BELIEVED else ()
        for r, report in enumerate(reports)
    )
    least = least_pixels(views)
    rows = [i for i in views.large(least) if views.ids[i] in relevant.labels]
    expected = tuple(views.ids[i] for i in rows)
    believed = [r for r, report in enumerate(reports) if report.score >= BELIEVED]
    made_up = tuple(r for r in believed if not true_of[r])
    pairs = []  # (error, expected, report)
    for e, row in enumerate(rows):
        for r in believed:
            overlap = 1.0 if reports[r].box is None else float(shared[r, row])
            is_named = expected[e] in true_of[r]
            if is_named or (not true_of[r] and overlap >= OVERLAP):
                apart = distance(reports[r].label, relevant.labels[expected[e]])
                pairs.append(((apart + 1.0 - overlap) / 2.0, e, r))
    matched: list[int | None] = [None] * len(expected)
    errors = [1.0] * len(expected)
    taken: set[int] = set()
    for error, e, r in sorted(pairs):
        if matched[e] is None and r not in taken:
            matched[e], errors[e] = r, error
            taken.add(r)
    confused = tuple(
        i for i, m in zip(expected, matched, strict=True) if m is not None and i not in true_of[m]
    )
    posing = tuple(r for r in made_up if naming.is_true_of_any(reports[r].label, relevant.things))
    errors += [1.0] * len(made_up)
    mean = sum(errors) / len(errors) if errors else None
    return PerceivedFrame(expected, tuple(matched), true_of, confused, made_up, posing, mean)


def _boxes(reports: Sequence[Detection]) -> NDArray[np.float64]:
    nowhere = (0.0, 0.0, 0.0, 0.0)
    boxes = [report.box or nowhere for report in reports]
    return np.array(boxes, dtype=np.float64).reshape(-1, 4)


def _true_of(
    report: Detection, shared: NDArray[np.float64], views: FrameThings, naming: ThingNames
) -> tuple[int, ...]:
    if report.box is None:
        return tuple(i for i in views.ids if naming.is_true(report.label, i))
    rows = np.flatnonzero(shared >= _TOUCHES)
    best = sorted((-float(shared[row]), views.ids[int(row)]) for row in rows)
    return tuple(i for _, i in best if naming.is_true(report.label, i))
