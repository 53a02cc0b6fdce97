"""What a sensor is: a pure function of the world at one moment, and the form of its readings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from navproof.core.seeding import rng
from navproof.core.types import Camera, Frame, Pose, SensorSpec
from navproof.sim.protocol import GoalSet, Simulator

if TYPE_CHECKING:
    from navproof.tasks.protocol import SubTaskProgress

__all__ = ["Reading", "ReadingSpec", "Sensor", "Tick", "View"]

Reading = NDArray[np.generic]
Tick: TypeAlias = tuple[float, Pose]
"""Seconds on the simulator's clock, and where the robot stood then."""


@dataclass(frozen=True, slots=True)
class ReadingSpec:
    """Form of a reading. ``None`` in ``shape`` is a length that varies; bounds are inclusive, the
    same for all or one for each number of the last axis."""

    shape: tuple[int | None, ...]
    dtype: str
    low: float | tuple[float, ...]
    high: float | tuple[float, ...]

    def fits(self, shape: tuple[int, ...]) -> bool:
        """Whether an array of this shape may be a reading."""
        pairs = zip(self.shape, shape, strict=False)
        return len(shape) == len(self.shape) and all(a in (None, b) for a, b in pairs)


class View:
    """The world at one moment, as sensors may see it. Each camera is rendered at most once.

    ``start`` is the pose that defines the episode frame; ``goals`` are the positions of the goal
    in force, for sensors that tell something about it. Only the cameras in ``coloured`` (None:
    all) are rendered with their colours. ``past`` are the newest ticks, the last one now; before
    the first the robot stood still. Noise depends on ``seed``, ``episode``, sensor and ``step``
    alone. ``lead`` is how far a mission has come.
    """

    def __init__(
        self,
        sim: Simulator,
        goals: GoalSet,
        start: Pose,
        coloured: frozenset[Camera] | None = None,
        *,
        past: tuple[Tick, ...] = (),
        seed: int = 0,
        episode: str = "",
        step: int = 0,
        lead: SubTaskProgress | None = None,
    ) -> None:
        self.sim = sim
        self.goals = goals
        self.start = start
        self.coloured = coloured
        self.past = past or ((0.0, sim.pose),)
        self.seed, self.episode, self.step = seed, episode, step
        self.lead = lead
        self._frames: dict[Camera, Frame] = {}

    def frame(self, camera: Camera) -> Frame:
        """The rendered frame; shared between sensors, so readings must be copies of it."""
        frame = self._frames.get(camera)
        if frame is None:
            colour = self.coloured is None or camera in self.coloured
            frame = self._frames[camera] = self.sim.render(camera, colour=colour)
        return frame

    def fresh(self, sensor: str, stream: str) -> np.random.Generator:
        """The generator of a sensor's noise at this step."""
        return rng(self.seed, self.episode, f"sensor.{sensor}.{stream}", self.step)

    def lasting(self, sensor: str, stream: str) -> np.random.Generator:
        """The generator of what stays through the episode, or grows with it."""
        return rng(self.seed, self.episode, f"sensor.{sensor}.{stream}.lasting")


class Sensor(Protocol):
    """One kind of sensor with its settings. Stateless: rate and delay are the environment's."""

    @property
    def spec(self) -> SensorSpec: ...

    @property
    def reading(self) -> ReadingSpec: ...

    def read(self, view: View) -> Reading:
        """A fresh array that nobody else holds."""
