"""What did it run into? Collisions."""

from __future__ import annotations

from navproof.log.trace import Trace
from navproof.metrics.protocol import Metric

__all__ = ["METRICS", "collision_rate", "collisions"]


def collisions(trace: Trace) -> float:
    """Actions that ended against something."""
    return float(sum(trace.collisions))


def collision_rate(trace: Trace) -> float | None:
    """Share of the actions that ended against something; None without any action."""
    return sum(trace.collisions) / len(trace.collisions) if trace.collisions else None


METRICS = (
    Metric(
        "collisions",
        "collisions",
        "",
        "lower",
        "Actions that were cut short or deflected by an obstacle.",
        "Habitat Challenge 2020, collisions measure; counted per action",
        collisions,
    ),
    Metric(
        "collision_rate",
        "collision rate",
        "",
        "lower",
        "Share of the actions that were cut short or deflected by an obstacle.",
        "Habitat Challenge 2020, collisions measure; per action taken",
        collision_rate,
        bounded=True,
    ),
)
