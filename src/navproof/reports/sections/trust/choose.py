"""Which episodes a corruption damaged most: pairs of a clean episode and its corrupted twin."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from navproof.reports.gather import Gathered
from navproof.reports.sections.trust.words import family_of
from navproof.reports.trials import CLEAN, Trial

__all__ = ["Pair", "choose_pairs", "pairs_of"]


@dataclass(frozen=True, slots=True)
class Pair:
    """An episode, clean and corrupted, of the same agent and seed; ``damage`` is in [−1, 1]."""

    clean: Trial
    spoiled: Trial
    damage: float

    @property
    def condition(self) -> str:
        return self.spoiled.key.condition


def pairs_of(g: Gathered) -> list[Pair]:
    """Every corrupted episode with its clean twin: same problem, agent and seed."""
    twins = {_identity(t): t for t in g.trials if t.key.condition == CLEAN}
    return [
        Pair(twin, t, _worth(twin.result) - _worth(t.result))
        for t in g.trials
        if t.key.condition != CLEAN and (twin := twins.get(_identity(t))) is not None
    ]


def _identity(t: Trial) -> tuple[object, ...]:
    return t.entrant, t.result["task"], t.key.episode_id, t.result["problem"], t.key.seed


def _worth(result: Mapping[str, Any]) -> float:
    """Of an episode, in [0, 1]: soft-SPL, halved when it failed; the mean of success and SPL over
    several goals."""
    if result.get("goal_sr") is not None:
        return (float(result["goal_sr"]) + float(result.get("goal_spl") or 0.0)) / 2
    soft = float(result.get("soft_spl") or 0.0)
    return soft if result.get("success") else 0.5 * soft


def choose_pairs(pairs: Sequence[Pair], count: int) -> list[Pair]:
    """At most ``count`` damaged pairs, families in turn, the most damaged of each first.

    Within a family, agents and corruptions that were not shown yet come first, then other
    episodes; ties go to the smaller key.
    """
    left = [p for p in pairs if p.damage > 0.05]
    chosen: list[Pair] = []
    while left and len(chosen) < count:
        turns = [family_of(p.condition) for p in chosen]
        least = min(turns.count(family_of(p.condition)) for p in left)
        pool = [p for p in left if turns.count(family_of(p.condition)) == least]
        best = min(pool, key=lambda p: _order(p, chosen))
        left.remove(best)
        chosen.append(best)
    return chosen


def _order(pair: Pair, chosen: Sequence[Pair]) -> tuple[object, ...]:
    """Damage counts in tenths, so that variety decides between pairs about as bad."""
    agents = [p.spoiled.entrant for p in chosen]
    return (
        any(p.condition == pair.condition for p in chosen),
        -round(pair.damage, 1),
        agents.count(pair.spoiled.entrant),
        any(p.spoiled.key.episode_id == pair.spoiled.key.episode_id for p in chosen),
        -round(pair.damage, 6),
        pair.spoiled.entrant,
        pair.spoiled.key,
    )
