"""What a metric is: a pure function of a trace, with its definition and its source."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, get_args

from navproof.log.trace import Trace

__all__ = ["FAMILIES", "Better", "Family", "Metric", "every_trace"]

Better = Literal["higher", "lower"]
Family = Literal[
    "success", "goals", "efficiency", "path", "safety",
    "completion", "following", "people", "failures", "pauses", "other",
]  # fmt: skip
"""What a metric tells of. Tables go by it; within a family, by file and by place in the file."""
FAMILIES: tuple[Family, ...] = get_args(Family)


def every_trace(_: Trace) -> bool:
    """The metric has a column in the results of every task."""
    return True


@dataclass(frozen=True, slots=True)
class Metric:
    """One number of one episode.

    ``function`` returns None where the metric is undefined for the trace (no reference path, say);
    such episodes are left out of its mean. ``bounded`` metrics lie in [0, 1] in every episode, and
    ``binary`` ones are 0 or 1. ``applies`` tells whether the metric is one of the trace's task at
    all: the results of other tasks have no column for it.
    """

    name: str
    label: str
    unit: str
    better: Better
    definition: str
    source: str
    function: Callable[[Trace], float | None]
    bounded: bool = False
    binary: bool = False
    family: Family = "other"
    applies: Callable[[Trace], bool] = every_trace

    def __call__(self, trace: Trace) -> float | None:
        return self.function(trace)
