"""What did it run into? Collisions."""

from __future__ import annotations

from navproof.log.trace import Trace
from navproof.metrics.registry import register_metric

__all__ = ["collision_rate", "collisions"]


@register_metric(
    "collisions",
    label="collisions",
    better="lower",
    definition="Actions that were cut short or deflected by an obstacle.",
    source="Habitat Challenge 2020, collisions measure; counted per action",
    family="safety",
)
def collisions(trace: Trace) -> float:
    """Actions that ended against something."""
    return float(sum(trace.collisions))


@register_metric(
    "collision_rate",
    label="collision rate",
    better="lower",
    definition="Share of the actions that were cut short or deflected by an obstacle.",
    source="Habitat Challenge 2020, collisions measure; per action taken",
    family="safety",
    bounded=True,
)
def collision_rate(trace: Trace) -> float | None:
    """Share of the actions that ended against something; None without any action."""
    return sum(trace.collisions) / len(trace.collisions) if trace.collisions else None
