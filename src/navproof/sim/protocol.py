"""The ``Simulator`` contract. A simulator knows worlds, bodies and cameras, never a task."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from navproof.core.types import Camera, Command, Frame, Motion, Point, Pose, Robot, Walk
from navproof.world.people.people import PersonState
from navproof.world.scene import Scene

__all__ = ["GoalSet", "GoesOn", "Simulator", "Snapshot", "TopDown", "Wheels"]

GoalSet: TypeAlias = tuple[Point, ...]
Snapshot: TypeAlias = Any
"""Opaque, picklable, exact to the bit; valid for the simulator class that made it."""


@dataclass(frozen=True, slots=True, eq=False)
class TopDown:
    """A map seen from above. Row 0 is the largest y; pixel (r, c) covers
    x in origin_x + [c, c+1)·m_per_px and y in origin_y − [r, r+1)·m_per_px (top-left origin)."""

    image: NDArray[np.uint8]  # (h, w, 3)
    origin_x: float
    origin_y: float
    m_per_px: float

    def pixel(self, x: float, y: float) -> tuple[float, float]:
        """(column, row) of a world point, as floats."""
        return (x - self.origin_x) / self.m_per_px, (self.origin_y - y) / self.m_per_px


class Wheels(Protocol):
    """How a drive carries out one command: what is commanded, times ``forward`` along the heading
    and times ``turn`` about the axis, and ``veer_rad`` more heading (counter-clockwise) over the
    whole of it."""

    @property
    def forward(self) -> float: ...
    @property
    def turn(self) -> float: ...
    @property
    def veer_rad(self) -> float: ...


class Simulator(Protocol):
    """One robot in one scene. Distances in metres; points on the floor."""

    @property
    def scene(self) -> Scene: ...
    @property
    def robot(self) -> Robot: ...
    @property
    def pose(self) -> Pose: ...

    @property
    def time_s(self) -> float:
        """Seconds since the robot was placed: the sum of what its commands took."""

    def load(
        self, scene: Scene, robot: Robot, people: Sequence[Walk] = (), *, reacting: bool = False
    ) -> None:
        """Take a scene, a body and the people who walk about. Cheap when the scene is the one
        already loaded. ``reacting`` people mind the robot; others keep to their schedule."""

    def people(self) -> tuple[PersonState, ...]:
        """Everybody as they are now, in the order given; person i is instance
        ``FIRST_PERSON_ID`` + i in frames, and a disc that the robot cannot enter."""

    def place(self, pose: Pose) -> None:
        """Put the robot there (raises ``SimulationError`` where it does not fit)."""

    def apply(self, command: Command, dt_s: float = 0.1, wheels: Wheels | None = None) -> Motion:
        """Execute one command. Discrete moves take the robot's step sizes and ignore ``dt_s``:
        they last as long as the robot needs. ``wheels`` (None: perfect ones) is given only under
        a condition that disturbs the drive. A robot that fell lies there until it is placed."""

    def render(self, camera: Camera, *, colour: bool = True) -> Frame:
        """RGB, depth and instances from the robot's pose, and from where its gait has carried the
        camera. Without ``colour`` the RGB may be left black, to save its time."""

    def is_navigable(self, point: Point) -> bool: ...

    def geodesic(self, start: Point, goals: GoalSet) -> float:
        """Length of the shortest collision-free path to the nearest goal; inf if there is none.
        The field of a goal set is computed once and kept."""

    def shortest_path(self, start: Point, goals: GoalSet) -> tuple[Point, ...]:
        """From start to the nearest goal, both included; empty if there is none."""

    def random_point(self, rng: np.random.Generator) -> Point:
        """Uniform over the largest connected navigable area."""

    def line_of_sight(self, eye: Point, target: Point) -> bool:
        """No surface between the two points (both in the air, z included)."""

    def top_down(self, m_per_px: float = 0.05) -> TopDown: ...

    def snapshot(self) -> Snapshot: ...
    def restore(self, snapshot: Snapshot) -> None: ...


@runtime_checkable
class GoesOn(Protocol):
    """A simulator in which time can pass although nobody commands the robot. Runs in which the
    world does not wait for agents need it."""

    def go_on(self, dt_s: float, wheels: Wheels | None = None) -> Motion:
        """Let ``dt_s`` pass (the clock goes on by it, or by the nearest time that the simulator
        can tell apart). The robot keeps to the velocity that it was given last, or goes on along
        what is left of its waypoints, with the limits of its acceleration; after a discrete move,
        and before the first command, it stands. People walk on, and whom the robot meets it meets
        as in a command. ``wheels`` are those of the last command, their veer that of ``dt_s``."""


def points(sequence: Sequence[Point]) -> GoalSet:
    """A goal set rounded to a tenth of a millimetre, so that equal sets share one field."""
    return tuple((round(x, 4), round(y, 4), round(z, 4)) for x, y, z in sequence)
