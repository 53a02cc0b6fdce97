"""What a metric is: a pure function of a trace, with its definition and its source."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from navproof.log.trace import Trace

__all__ = ["Better", "Metric"]

Better = Literal["higher", "lower"]


@dataclass(frozen=True, slots=True)
class Metric:
    """One number of one episode.

    ``function`` returns None where the metric is undefined for the trace (no reference path, say);
    such episodes are left out of its mean. ``bounded`` metrics lie in [0, 1] in every episode, and
    ``binary`` ones are 0 or 1.
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

    def __call__(self, trace: Trace) -> float | None:
        return self.function(trace)
