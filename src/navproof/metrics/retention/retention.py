"""What an agent retains of its clean performance when what it sees and reads is corrupted.

With m_{a,k} the score of agent a under condition k and m_{a,0} its clean score, m in {SR, SPL},
the retention is m_{a,k} / m_{a,0}, and the performance retention score its mean

    PRS_m(a) = (1/K) Σ_k m_{a,k} / m_{a,0}                        (NavTrust, section 4.1)

over the K conditions of a family, or all of them, at the protocol's intensities; other intensities
make curves. Both scores are over the episodes × seeds that were run clean *and* under k. Where the
clean score is 0 there is nothing to retain: the value is None and says why. A corruption is easy
where r = (mean SR under it) / (mean clean SR) over agents is ≥ 0.9, hard below 0.7, else medium
(NavTrust, table 14). Episodes whose status is not "ok" are failures, as everywhere.

>>> scores = trust_scores(RunFolder("runs/demo").results())  # doctest: +SKIP
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from navproof.log.results import TIMING_PREFIX
from navproof.metrics.retention.group import Group
from navproof.metrics.retention.pairs import FAMILIES, EpisodePairs, Pair, Row, tested, twins
from navproof.metrics.retention.types import (
    OVERALL,
    ConditionScore,
    Curve,
    CurvePoint,
    Difficulty,
    Grade,
    Measure,
    Overhead,
    Prs,
    Retained,
    Threshold,
    TrustScores,
    Worst,
)

if TYPE_CHECKING:
    from navproof.log.folder import Skipped

__all__ = [
    "EASY",
    "FAMILIES",
    "MEDIUM",
    "OVERALL",
    "ConditionScore",
    "Curve",
    "CurvePoint",
    "Difficulty",
    "Grade",
    "Measure",
    "Overhead",
    "Prs",
    "Retained",
    "Threshold",
    "TrustScores",
    "Worst",
    "trust_scores",
]

EASY, MEDIUM = 0.9, 0.7
"""Retention from which a corruption is easy, and medium."""


def trust_scores(
    rows: Sequence[Row],
    skipped: Sequence[Skipped] = (),
    *,
    resamples: int = 2000,
    seed: int = 0,
) -> TrustScores:
    """Every score of trust from the rows of a run (``metrics.result_row``).

    A row of an agent, task, episode, condition and seed must be unique (a ``SpecError`` else):
    score every run by itself, or give its agents names of their own.
    """
    groups = [Group(twin, resamples, seed) for twin in twins(rows)]
    conditions = tuple(score for group in groups for score in group.conditions)
    return TrustScores(
        clean=tuple(group.clean for group in groups),
        conditions=conditions,
        prs=tuple(score for group in groups for score in group.prs()),
        prs_by_intensity=tuple(score for group in groups for score in group.prs_by_intensity()),
        difficulty=_difficulties(conditions),
        worst=tuple(score for group in groups for score in group.worst()),
        curves=tuple(curve for group in groups for curve in group.curves()),
        overhead=tuple(_overhead(g.twin, c.name, p) for g in groups for c, p in g.paired()),
        skipped=tuple(skipped),
        resamples=resamples,
        seed=seed,
    )


def _difficulties(conditions: Sequence[ConditionScore]) -> tuple[Difficulty, ...]:
    groups: dict[str, list[ConditionScore]] = {}
    for score in conditions:
        if score.protocol and score.n:
            groups.setdefault(score.condition, []).append(score)
    difficulties = []
    for name in sorted(groups, key=_place):
        members = groups[name]
        above = math.fsum(score.sr.mean for score in members)
        below = math.fsum(score.clean_sr or 0.0 for score in members)
        r = above / below if below else None
        reason = "" if below else "the clean SR of every agent is 0"
        grade = None if r is None else _grade(r)
        difficulties.append(Difficulty(name, members[0].family, len(members), r, grade, reason))
    return tuple(difficulties)


def _place(name: str) -> tuple[object, ...]:
    condition = tested(name)
    return condition.place if condition else ()


def _grade(retention: float) -> Grade:
    return "easy" if retention >= EASY else "medium" if retention >= MEDIUM else "hard"


def _overhead(twin: EpisodePairs, condition: str, pairs: Sequence[Pair]) -> Overhead:
    steps = sum(row["steps"] for row, _ in pairs)
    clean_steps = sum(clean["steps"] for _, clean in pairs)
    corrupted, clean = [row for row, _ in pairs], [row for _, row in pairs]

    def per(rows: Sequence[Row], columns: Sequence[str], count: float) -> float | None:
        values = [row.get(f"{TIMING_PREFIX}{name}") for row in rows for name in columns]
        numbers = [value for value in values if value is not None]
        return math.fsum(numbers) / count if count and len(numbers) == len(values) else None

    env, env_clean = per(corrupted, ["env_s"], steps), per(clean, ["env_s"], clean_steps)
    whole = ("reset_s", "act_s", "env_s")
    return Overhead(
        agent=twin.agent,
        task=twin.task,
        condition=condition,
        steps=int(steps),
        corrupt_s=per(corrupted, ["corrupt_s"], steps),
        env_extra_s=None if env is None or env_clean is None else env - env_clean,
        episode_s=per(corrupted, whole, len(pairs)),
        clean_episode_s=per(clean, whole, len(pairs)),
    )
