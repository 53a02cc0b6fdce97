"""A model that has found its place, and the colours that a scene's things agree on."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import cached_property

from navproof.core.types import Point
from navproof.world.furnish.placement import Footprint, Spot
from navproof.world.model import ObjectModel

__all__ = ["FLAT_M", "Placed", "Style"]

FLAT_M = 0.05
"""Lower things (rugs) are walked over and stood on."""


@dataclass(eq=False)
class Placed:
    """A model in the world. ``rank``: 0 essential … 3 decoration, for what to give up first."""

    model: ObjectModel
    x: float
    y: float
    z: float
    yaw: float
    room: int
    kind: str
    rank: int
    support: Placed | None = None
    leader: Placed | None = None
    spot: Spot | None = None
    aisle: Footprint | None = None
    used: list[tuple[int, Footprint]] = field(default_factory=list)

    @property
    def category(self) -> str:
        return self.model.category

    @cached_property
    def bounds(self) -> tuple[Point, Point]:
        """Low and high corner of the mesh in the model's own frame."""
        v = self.model.mesh.vertices
        low, high = v.min(axis=0), v.max(axis=0)
        return (float(low[0]), float(low[1]), float(low[2])), (
            float(high[0]),
            float(high[1]),
            float(high[2]),
        )

    def world(self, x: float, y: float) -> tuple[float, float]:
        """A point of the model's frame in the world's."""
        c, s = math.cos(self.yaw), math.sin(self.yaw)
        return self.x + c * x - s * y, self.y + s * x + c * y

    @cached_property
    def footprint(self) -> Footprint:
        low, high = self.bounds
        x, y = self.world((low[0] + high[0]) / 2, (low[1] + high[1]) / 2)
        return Footprint(
            x,
            y,
            (high[0] - low[0]) / 2,
            (high[1] - low[1]) / 2,
            self.yaw,
            self.z + low[2],
            self.z + high[2],
        )


@dataclass(frozen=True)
class Style:
    """Colours that a scene's rooms draw from, so that things go together."""

    wood: str
    metal: str
    fabrics: tuple[str, ...]
    accents: tuple[str, ...]
