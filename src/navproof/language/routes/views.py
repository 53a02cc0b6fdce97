"""What a walker sees along a route: pixels of each object in rendered views, kept per place."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from navproof.core.types import FIRST_OBJECT_ID, Camera, Pose
from navproof.language.routes.route import Route, wrap
from navproof.sim.protocol import Simulator

__all__ = ["NAMED_SHARE", "NOTICED_SHARE", "Views"]

VIEW_PX = 112
NAMED_SHARE = 0.008
"""Share of a 90° × 90° view that a thing must fill to be named."""
NOTICED_SHARE = 0.0003
"""Share from which a thing counts as visible at all, and could be confused with another."""


class Views:
    """Renders from points of a route at camera height. The robot stays at the route's start; the
    camera is moved instead, so that no place needs to be exactly navigable."""

    def __init__(self, sim: Simulator, route: Route, camera_m: float) -> None:
        x, y, z = route.points[0]
        self._sim = sim
        self._route = route
        self._pose = Pose(x, y, z, 0.0)
        self._camera_m = camera_m
        self._kept: dict[tuple[float, int], Mapping[int, float]] = {}

    def front(self, s: float) -> Mapping[int, float]:
        """Object id to the share that it fills of the view along the heading at ``s``."""
        return self._view(s, 0)

    def wide(self, s: float) -> Mapping[int, float]:
        """The same over three views: ahead, to the left and to the right (270°)."""
        return self._merged(s, (0, 90, -90))

    def around(self, s: float) -> Mapping[int, float]:
        """The same over all four directions."""
        return self._merged(s, (0, 90, -90, 180))

    def _merged(self, s: float, yaws: tuple[int, ...]) -> Mapping[int, float]:
        merged: dict[int, float] = {}
        for yaw in yaws:
            for thing, share in self._view(s, yaw).items():
                merged[thing] = merged.get(thing, 0.0) + share
        return merged

    def _view(self, s: float, yaw_deg: int) -> Mapping[int, float]:
        key = (round(s, 3), yaw_deg)
        if key not in self._kept:
            x, y, _ = self._route.at(s)
            yaw = wrap(self._route.heading(s) + math.radians(yaw_deg))
            camera = Camera(
                width=VIEW_PX,
                height=VIEW_PX,
                hfov_deg=90.0,
                height_m=self._camera_m,
                forward_m=round(x - self._pose.x, 4),
                left_m=round(y - self._pose.y, 4),
                yaw_deg=round(math.degrees(yaw), 3),
            )
            self._sim.place(self._pose)
            ids, counts = np.unique(self._sim.render(camera).instances, return_counts=True)
            self._kept[key] = {
                int(i): int(n) / VIEW_PX**2
                for i, n in zip(ids, counts, strict=True)
                if i >= FIRST_OBJECT_ID
            }
        return self._kept[key]
