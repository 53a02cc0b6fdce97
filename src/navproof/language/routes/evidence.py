"""What the checker knows of a walk, worked out from the path, the scene and rendered images alone.

Nothing here is shared with the code that writes instructions: the path is resampled every 5 cm,
directions are taken over one-sided chords, rooms by point-in-polygon, and what is visible is
counted in images of the VLN camera's own size.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from navproof.core.types import FIRST_OBJECT_ID, Camera, Point, Pose, Scalar
from navproof.sim.protocol import Simulator
from navproof.world.scene import SceneObject

__all__ = ["BARELY", "CLEARLY", "Walk", "degrees_between", "number"]

_STEP_M = 0.05
_PIXELS = 224
CLEARLY = 0.004
"""Share of a view that a named thing fills at least."""
BARELY = 0.001
"""Share from which another thing of the same description would confuse."""


def degrees_between(after: float, before: float) -> float:
    """after − before in degrees, in [−180, 180], left positive."""
    return math.degrees(math.remainder(after - before, math.tau))


def number(facts: Mapping[str, Scalar], key: str) -> float:
    """A fact as a number; NaN, which fails every comparison, where it is none."""
    value = facts.get(key)
    return float(value) if isinstance(value, int | float) else math.nan


class Walk:
    """One path in one scene. The simulator's robot is put at the path's first point."""

    def __init__(self, sim: Simulator, path: Sequence[Point], camera_m: float) -> None:
        dense: list[tuple[float, float]] = []
        for a, b in itertools.pairwise(path):
            pieces = max(1, math.ceil(math.dist(a, b) / _STEP_M))
            dense += [
                (a[0] + (b[0] - a[0]) * k / pieces, a[1] + (b[1] - a[1]) * k / pieces)
                for k in range(pieces)
            ]
        dense.append((path[-1][0], path[-1][1]))
        self.xy: NDArray[np.float64] = np.array(dense, dtype=np.float64)
        steps = np.hypot(*np.diff(self.xy, axis=0).T)
        self.s: NDArray[np.float64] = np.concatenate([[0.0], np.cumsum(steps)])
        self.length = float(self.s[-1])
        self.sim = sim
        self.scene = sim.scene
        self._z = path[0][2]
        self._camera_m = camera_m
        self._home = Pose(path[0][0], path[0][1], path[0][2], 0.0)
        self._seen: dict[tuple[float, float], dict[int, float]] = {}

    def point(self, s: float) -> tuple[float, float]:
        x = float(np.interp(s, self.s, self.xy[:, 0]))
        y = float(np.interp(s, self.s, self.xy[:, 1]))
        return x, y

    def direction(self, s0: float, s1: float) -> float:
        """Of the chord between two places; the last chord of the path at its very end."""
        s0, s1 = max(0.0, s0), min(self.length, s1)
        if s1 - s0 < 0.1:
            s0, s1 = max(0.0, s0 - 0.3), min(self.length, s1 + 0.3)
        (x0, y0), (x1, y1) = self.point(s0), self.point(s1)
        return math.atan2(y1 - y0, x1 - x0)

    def heading(self, s: float) -> float:
        return self.direction(s - 0.3, s + 0.3)

    def change(self, s: float) -> float:
        """Degrees of turning around ``s``: from the metre before to the metre after."""
        before = self.direction(s - 1.2, s - 0.2)
        return degrees_between(self.direction(s + 0.2, s + 1.2), before)

    def bearing(self, s: float, x: float, y: float) -> float:
        """Degrees to the left at which a point is seen by somebody walking at ``s``."""
        px, py = self.point(s)
        return degrees_between(math.atan2(y - py, x - px), self.heading(s))

    def room(self, s: float) -> int | None:
        room = self.scene.room_at(*self.point(s), self._z)
        return None if room is None else room.id

    def rooms(self) -> list[tuple[int, float, float]]:
        """(room, first s, last s) in order of the walk; doorways in between belong to none."""
        found: list[tuple[int, float, float]] = []
        for s in self.s.tolist():
            room = self.room(s)
            if room is None:
                continue
            if found and found[-1][0] == room:
                found[-1] = (room, found[-1][1], s)
            else:
                found.append((room, s, s))
        return found

    def gap(self, thing: SceneObject, s: float) -> float:
        """Horizontal metres between the walker and the object's box."""
        return float(self._gaps(thing, np.array([self.point(s)]))[0])

    def nearest(self, thing: SceneObject, s0: float, s1: float) -> tuple[float, float]:
        """(s, metres) where the walk comes nearest to the object between two places."""
        inside = (self.s >= s0 - 1e-9) & (self.s <= s1 + 1e-9)
        gaps = np.where(inside, self._gaps(thing, self.xy), np.inf)
        best = int(np.argmin(gaps))
        return float(self.s[best]), float(gaps[best])

    def visible(self, s: float, turned_deg: float) -> dict[int, float]:
        """Object id to share of the VLN camera's view, turned left from the heading."""
        key = (round(s, 3), turned_deg)
        if key not in self._seen:
            x, y = self.point(s)
            camera = Camera(
                width=_PIXELS,
                height=_PIXELS,
                hfov_deg=90.0,
                height_m=self._camera_m,
                forward_m=x - self._home.x,
                left_m=y - self._home.y,
                yaw_deg=math.degrees(self.heading(s)) + turned_deg,
            )
            self.sim.place(self._home)
            counts = np.bincount(np.maximum(self.sim.render(camera).instances, 0).ravel())
            self._seen[key] = {
                int(i): float(counts[i]) / _PIXELS**2
                for i in np.flatnonzero(counts)
                if i >= FIRST_OBJECT_ID
            }
        return self._seen[key]

    def noticed(self, s: float, turns: Sequence[float]) -> set[int]:
        """Objects that a look in each of these directions shows."""
        return {i for t in turns for i, share in self.visible(s, t).items() if share >= BARELY}

    def _gaps(self, thing: SceneObject, xy: NDArray[np.float64]) -> NDArray[np.float64]:
        box = thing.box
        turn = np.exp(-1j * box.yaw)
        local = ((xy[:, 0] - box.centre[0]) + 1j * (xy[:, 1] - box.centre[1])) * turn
        u = np.maximum(np.abs(local.real) - box.size[0] / 2, 0.0)
        v = np.maximum(np.abs(local.imag) - box.size[1] / 2, 0.0)
        gaps: NDArray[np.float64] = np.hypot(u, v)
        return gaps
