"""How the scores of a trust report were measured, in words."""

from __future__ import annotations

from collections.abc import Sequence

from navproof.metrics.retention.retention import TrustScores
from navproof.reports.gather import Gathered
from navproof.reports.sections.trust.words import (
    FAMILIES,
    condition_lines,
    family_of,
    known,
    listed,
)

__all__ = ["methods", "protocol"]


def protocol(scores: TrustScores) -> list[tuple[str, str]]:
    """(family, its conditions with their intensities)."""
    groups: dict[str, list[str]] = {}
    names = [*(c.condition for c in scores.conditions), *(s.condition for s in scores.skipped)]
    for name in dict.fromkeys(names):
        groups.setdefault(family_of(name), []).append(_with_intensity(name))
    return [(FAMILIES[f], ", ".join(groups[f])) for f in FAMILIES if f in groups]


def _with_intensity(name: str) -> str:
    condition = known(name)
    if condition is None:
        return name
    return " + ".join(
        f"{condition_lines(p.corruption.name)[0]} ({p.intensity:g}"
        + (", per episode" if p.lasting else ", per frame") * (p.lasting != p.corruption.lasting)
        + ")"
        for p in condition.parts
    )


def methods(g: Gathered, scores: TrustScores) -> list[str]:
    """Sentences: what was run, what is compared, and how certain it is."""
    seeds = sorted({t.key.seed for t in g.trials})
    episodes = {(t.result["task"], t.key.episode_id) for t in g.trials}
    conditions = {c.condition for c in scores.conditions}
    counted = {c.condition for c in scores.conditions if c.protocol}
    unpaired = sum(c.unpaired for c in scores.conditions)
    out = [
        f"{len(episodes)} episodes were run clean and under {_plural(len(conditions), 'condition')}"
        f" with {_seeds(seeds)}; {'all' if counted == conditions else len(counted)} of the "
        "conditions are at the protocol’s own intensity.",
        "A corrupted episode keeps scene, start, goal and seed of its clean twin, and randomness "
        "depends on seed, episode, sensor and step alone: every agent meets the same disturbance.",
        "Retention of SR (or SPL) is the mean under a condition over the mean of the clean twins; "
        "an episode without a twin is left out"
        + (f" ({unpaired} were)." if unpaired else " (none was)."),
        "PRS is the mean retention over the K conditions of a family, or over all, at the "
        "protocol’s intensity (NavTrust, section 4.1). It is undefined where the clean score is 0.",
        f"Intervals (95 %) resample whole episodes {scores.resamples} times (seed {scores.seed}), "
        "an episode always together with its clean twin and all its seeds; where fewer than five "
        "episodes differ, they are built from Wilson’s score intervals.",
        "A corruption is easy where agents together retain at least 0.9 of their SR, medium from "
        "0.7, else hard (NavTrust, table 14).",
    ]
    if scores.curves:
        out.append(
            "The threshold of a curve is where its falling fit comes down to half of the clean "
            "score."
        )
    return out


def _plural(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def _seeds(seeds: Sequence[int]) -> str:
    shown = listed(map(str, seeds))
    return f"seed {shown}" if len(seeds) == 1 else f"{len(seeds)} seeds ({shown})"
