"""What did it run into? Collisions. Where the world goes on while the agent makes up its mind, what
it runs into meanwhile belongs to the action that it takes then."""

from __future__ import annotations

from navproof.log.moments import step_collisions
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
    return float(sum(step_collisions(trace)))


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
    collided = step_collisions(trace)
    return sum(collided) / len(collided) if collided else None
