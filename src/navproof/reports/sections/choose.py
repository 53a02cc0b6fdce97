"""Which episodes to show in full: a mix of telling ones, the same for the same results.

Slots are filled in turn with the episode that divides the agents most, the one that went worst,
and the one that went best (with one agent, the most typical stands in for the dividing one); the
tasks take turns too, and scenes that were not shown yet come first.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

__all__ = ["Candidate", "Chosen", "choose"]


@dataclass(frozen=True, slots=True)
class Candidate:
    """One episode with one value in [0, 1] per agent (higher is better, 0 for a lost episode)."""

    task: str
    scene: str
    episode_id: str
    values: tuple[float, ...]
    geodesic_m: float


@dataclass(frozen=True, slots=True)
class Chosen:
    task: str
    scene: str
    episode_id: str
    why: str


_WHY = {
    "divides": "agents differ most",
    "typical": "typical",
    "worst": "went worst",
    "best": "went best",
}


def _merit(kind: str, c: Candidate, typical: float) -> float:
    """How well an episode fills a slot of this kind; higher is better."""
    mean = sum(c.values) / len(c.values)
    if kind == "divides":
        return max(c.values) - min(c.values)
    if kind == "typical":
        return -abs(mean - typical)
    return mean if kind == "best" else -mean


def choose(candidates: Sequence[Candidate], count: int) -> list[Chosen]:
    """At most ``count`` different episodes, in the order in which slots were filled.

    Ties go to the longer episode (more to see), then to the smaller id.
    """
    left = [c for c in candidates if c.values]
    several = any(len(c.values) > 1 for c in left)
    kinds = ("divides", "worst", "best") if several else ("typical", "worst", "best")
    tasks = sorted({c.task for c in left})
    means = sorted(sum(c.values) / len(c.values) for c in left)
    typical = means[len(means) // 2] if means else 0.0
    shown: set[str] = set()
    chosen: list[Chosen] = []
    while left and len(chosen) < count:
        turn = len(chosen)
        kind = kinds[turn % len(kinds)]
        task = tasks[turn % len(tasks)]
        pool = [c for c in left if c.task == task] or left
        best = min(
            pool,
            key=lambda c: (
                -round(_merit(kind, c, typical), 6),
                c.scene in shown,
                -c.geodesic_m,
                c.task,
                c.episode_id,
            ),
        )
        left.remove(best)
        shown.add(best.scene)
        chosen.append(Chosen(best.task, best.scene, best.episode_id, _WHY[kind]))
    return chosen
