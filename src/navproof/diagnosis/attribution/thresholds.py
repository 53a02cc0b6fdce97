"""When an error value counts: thresholds from passed episodes, and bouts of steps above them.

    θ_C = clip(Q_95(values of C in the agent's passed episodes), floor_C, 0.9)

A value that a run survives nineteen times out of twenty is no error to look into. The floors keep
a perfect agent's rounding from being one, the ceiling keeps a total miss (1) from ever being none.
Decision is either right or wrong, so no value tells the harmless from the harmful; how long it
lasts does: bouts up to the same quantile of the lengths in passed episodes are no error.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

import numpy as np

from navproof.diagnosis.capabilities import PIPELINE, Capability, ErrorType
from navproof.diagnosis.oracles.roaming import WINDOW_STEPS
from navproof.diagnosis.types import Bout, StepErrors, Thresholds

__all__ = [
    "CEILING",
    "FLOORS",
    "LEAST_EPISODES",
    "LEAST_OFF_PLAN",
    "MOST_OFF_PLAN",
    "assumed",
    "bouts",
    "calibrate",
]

FLOORS: Mapping[Capability, float] = MappingProxyType(
    {
        Capability.PERCEPTION: 0.3,
        Capability.MEMORY: 0.3,
        Capability.PLANNING: 0.3,
        Capability.DECISION: 0.5,
    }
)
CEILING = 0.9
LEAST_EPISODES = 5
LEAST_OFF_PLAN, MOST_OFF_PLAN = 2, 5
"""Steps: a wrong turn and its undoing are no error; what lasts longer than the most is one,
whatever passed episodes survive."""
_QUANTILE = 0.95


def assumed(quantile: float = _QUANTILE, episodes: int = 0, steps: int = 0) -> Thresholds:
    """The floors: thresholds of an agent with too few passed episodes."""
    return Thresholds(dict(FLOORS), False, quantile, episodes, steps)


def calibrate(passed: Iterable[Sequence[StepErrors]], quantile: float = _QUANTILE) -> Thresholds:
    """Thresholds out of the errors of an agent's passed episodes; the floors where they are fewer
    than ``LEAST_EPISODES``. A capability that was never judged in them keeps its floor."""
    if not 0.0 <= quantile <= 1.0:
        raise ValueError(f"a quantile is between 0 and 1, got {quantile}")
    episodes = [list(errors) for errors in passed]
    steps = sum(len(errors) for errors in episodes)
    if len(episodes) < LEAST_EPISODES:
        return assumed(quantile, len(episodes), steps)
    values: dict[Capability, float] = {}
    for capability in PIPELINE:
        numbers = [e.values[capability] for es in episodes for e in es if capability in e.values]
        least = FLOORS[capability]
        limit = float(np.quantile(numbers, quantile)) if numbers else least
        values[capability] = round(min(max(limit, least), CEILING), 6)
    unrated = sum(e.unrated for errors in episodes for e in errors)
    limits = Thresholds(values, True, quantile, len(episodes), steps, unrated=unrated)
    lasted = [_steps(b) for e in episodes for b in bouts(e, limits) if _is_decision(b)]
    usual = math.ceil(np.quantile(lasted, quantile)) if lasted else 0
    return replace(limits, off_plan_steps=min(max(usual, LEAST_OFF_PLAN), MOST_OFF_PLAN))


def bouts(errors: Sequence[StepErrors], thresholds: Thresholds, pause: int = 3) -> tuple[Bout, ...]:
    """The bouts of every capability, by first step and, within a step, upstream first. Steps above
    the threshold belong to one bout while no more than ``pause`` steps lie between them. A loop
    shows only when it has closed: bouts of planning within its window before that are of it."""
    spans: list[Bout] = []
    for capability in PIPELINE:
        limit = thresholds.values.get(capability, FLOORS[capability])
        run: list[StepErrors] = []
        for step in errors:
            if step.values.get(capability, 0.0) <= limit:
                continue
            if run and step.step - run[-1].step > pause + 1:
                spans.append(_bout(capability, run))
                run = []
            run.append(step)
        if run:
            spans.append(_bout(capability, run))
    spans = [b for b in spans if not _is_decision(b) or _steps(b) > thresholds.off_plan_steps]
    spans = _with_loops(spans)
    return tuple(sorted(spans, key=lambda bout: (bout.first, bout.capability.rank)))


def _is_decision(bout: Bout) -> bool:
    return bout.capability is Capability.DECISION


def _steps(bout: Bout) -> int:
    return bout.last - bout.first + 1


def _with_loops(spans: Sequence[Bout]) -> list[Bout]:
    """Bouts by time within each capability, those that a loop began with named so."""
    out: list[Bout] = []
    loop: Bout | None = None
    for bout in reversed(spans):
        if bout.kind is ErrorType.LOOP:
            loop = bout
        elif bout.kind is ErrorType.DETOUR and loop and loop.first - bout.last <= WINDOW_STEPS:
            bout = loop = replace(bout, kind=ErrorType.LOOP)
        out.append(bout)
    return out[::-1]


def _bout(capability: Capability, run: Sequence[StepErrors]) -> Bout:
    peak = max(step.values[capability] for step in run)
    kinds = Counter(step.types[capability] for step in run if capability in step.types)
    usual = next(kind for kind in ErrorType if kind.capability is capability)
    kind = kinds.most_common(1)[0][0] if kinds else usual
    return Bout(capability, run[0].step, run[-1].step, peak, kind)
