"""Requirements of a run: the least that a score must reach, written ``key=value``.

========================  =========================================================
``sr.clean``              success rate (``spl.…`` likewise) under a condition
``retention_sr.spatter``  share of the clean SR (or ``retention_spl``) that is left
``prs_sr.rgb``            PRS-SR (or ``prs_spl``) of a family; ``prs_sr``: of all
``worst_sr``              the lowest retention (or ``worst_spl``) of any condition
========================  =========================================================
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from navproof.core.errors import SpecError
from navproof.core.registry import suggest
from navproof.metrics.retention.pairs import tested
from navproof.metrics.retention.types import OVERALL, Measure, Retained, TrustScores

__all__ = ["Check", "Requirement", "check", "keys_of", "parse_requirement"]

_RETENTIONS = tuple(
    f"{name}_{of}" for name in ("retention", "prs", "worst") for of in ("sr", "spl")
)
_SLACK = 1e-9  # a mean of ratios that is equal but for rounding is enough


@dataclass(frozen=True, slots=True)
class Requirement:
    """``key`` must be at least ``minimum``; conditions in ``key`` are in their shortest form."""

    key: str
    minimum: float


@dataclass(frozen=True, slots=True)
class Check:
    """A requirement of one agent on one task; ``why`` tells why there is no value."""

    agent: str
    task: str
    key: str
    minimum: float
    value: float | None
    low: float | None
    high: float | None
    passed: bool
    why: str = ""


def parse_requirement(text: str) -> Requirement:
    """``prs_sr.rgb=0.85``; a ``SpecError`` where it is not of that form."""
    key, equals, number = (part.strip() for part in text.rpartition("="))
    try:
        minimum = float(number)
    except ValueError:
        minimum = math.nan
    if not equals or not key or not math.isfinite(minimum):
        raise SpecError(f"'{text}' is not a requirement; write one as prs_sr.rgb=0.85")
    kind, dot, what = key.partition(".")
    _check_range(kind, key, minimum)
    if kind in ("prs_sr", "prs_spl"):
        return Requirement(f"{kind}.{what or OVERALL}", minimum)
    if dot and kind in ("sr", "spl", "retention_sr", "retention_spl"):
        condition = tested(what)
        key = f"{kind}.{condition.name if condition else 'clean'}"
    return Requirement(key, minimum)


def _check_range(kind: str, key: str, minimum: float) -> None:
    """A minimum that no score can miss or none can reach is another scale than was meant."""
    if kind in ("sr", "spl") and not 0.0 <= minimum <= 1.0:
        hint = f"; for {minimum:g} % write {key}={minimum / 100:g}" if 1.0 < minimum <= 100 else ""
        raise SpecError(f"'{key}={minimum:g}': {kind.upper()} is a share from 0 to 1{hint}")
    if kind in _RETENTIONS and minimum < 0.0:
        loss = f"; to lose at most {-minimum:g} write {key}={1 + minimum:g}"
        hint = loss if minimum >= -1.0 else ""
        raise SpecError(f"'{key}={minimum:g}': what is retained is never below 0{hint}")


def keys_of(scores: TrustScores) -> list[str]:
    """Every key that the scores know, of any agent; skipped conditions included."""
    return list(dict.fromkeys(key for _, key in _values(scores)))


def check(
    requirements: Sequence[Requirement],
    scores: TrustScores,
    on: Literal["value", "low"] = "value",
) -> list[Check]:
    """Every requirement of every agent on every task. ``on``: the value itself must reach the
    minimum, or the lower limit of its interval. An undefined value fails.

    A key that no agent has is a ``SpecError`` with a suggestion.
    """
    values = _values(scores)
    keys = keys_of(scores)
    checks = []
    for requirement in requirements:
        if requirement.key not in keys:
            hint = suggest(requirement.key, keys)
            raise SpecError(f"the run has no score '{requirement.key}'{hint}")
        for clean in scores.clean:
            retained = values.get(((clean.agent, clean.task), requirement.key))
            if retained is None:
                retained = Retained(None, reason="this agent was not run under it on this task")
            checks.append(_check(clean.agent, clean.task, requirement, retained, on))
    return checks


def _check(
    agent: str, task: str, requirement: Requirement, retained: Retained, on: Literal["value", "low"]
) -> Check:
    counted = retained.value if on == "value" else retained.low
    return Check(
        agent=agent,
        task=task,
        key=requirement.key,
        minimum=requirement.minimum,
        value=retained.value,
        low=retained.low,
        high=retained.high,
        passed=counted is not None and counted >= requirement.minimum - _SLACK,
        why=retained.reason,
    )


def _values(scores: TrustScores) -> dict[tuple[tuple[str, str], str], Retained]:
    """By (agent, task) and key."""
    values: dict[tuple[tuple[str, str], str], Retained] = {}
    measures: tuple[Measure, ...] = ("sr", "spl")
    for measure in measures:
        for score in (*scores.clean, *scores.conditions):
            here = (score.agent, score.task)
            interval = score.sr if measure == "sr" else score.spl
            value = Retained(interval.mean, interval.low, interval.high)
            if not interval.n:
                value = Retained(None, reason=f"no episode was run {_under(score.condition)}")
            values[here, f"{measure}.{score.condition}"] = value
            if score.condition != "clean":
                values[here, f"retention_{measure}.{score.condition}"] = score.retention(measure)
        for prs in scores.prs:
            retained = prs.sr if measure == "sr" else prs.spl
            values[(prs.agent, prs.task), f"prs_{measure}.{prs.family}"] = retained
            if prs.family == OVERALL:  # where it is undefined, so is the lowest of its ratios
                values[(prs.agent, prs.task), f"worst_{measure}"] = retained
        for left_out in scores.skipped:
            not_run = Retained(None, reason=f"not run: {left_out.why}")
            keys = [f"{measure}.{left_out.condition}"]
            condition = tested(left_out.condition)
            if condition is not None:  # of clean nothing is retained
                keys += [f"retention_{measure}.{left_out.condition}"]
                keys += [f"prs_{measure}.{condition.family}"]
            for key in keys:
                values.setdefault(((left_out.agent, left_out.task), key), not_run)
    for worst in scores.worst:
        values[(worst.agent, worst.task), f"worst_{worst.measure}"] = worst.retention
    return values


def _under(condition: str) -> str:
    return "clean" if condition == "clean" else f"both clean and under {condition}"
