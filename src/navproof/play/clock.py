"""How long the world goes on before an action: what the clock of a task makes of a decision.

Under "declared" it is what the agent said (``Decision.took_s``), under "measured" what its judge
waited for it, from the moment at which the observation was given out to that at which the decision
was there: with all that lies between the two processes. What is played again after a trace goes by
what is recorded there.
"""

from __future__ import annotations

import statistics
from collections.abc import Sequence

from navproof.core.types import Clock, Decision

__all__ = ["delay_s"]

_DIGITS = 6
"""Delays are whole microseconds, so that a trace keeps them without loss."""


def delay_s(
    clock: Clock,
    decision: Decision,
    waited_s: float,
    step: int,
    recorded: Sequence[float] | None = None,
) -> float:
    """The delay before the action of ``step``, seconds. ``recorded`` are the delays of a trace
    that is played again: they stand, and for steps beyond it their median does, since what an
    agent takes to decide another time is not what it took then."""
    if clock == "wait":
        return 0.0
    if recorded is not None:
        if step < len(recorded):
            return recorded[step]
        return round(statistics.median(recorded), _DIGITS) if recorded else 0.0
    took_s = waited_s if clock == "measured" else decision.took_s or 0.0
    return round(max(0.0, took_s), _DIGITS) + 0.0
