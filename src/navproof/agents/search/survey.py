"""What a robot with eyes has seen so far: where it can go, what was there, what was detected."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from navproof.agents.correction import Correction
from navproof.agents.mapping.navigate import XY, Navigator
from navproof.agents.mapping.occupancy import LIMIT, OccupancyMap
from navproof.agents.search.eyes import Eyes
from navproof.agents.search.memory import Memory
from navproof.agents.search.sides import ViewDirections
from navproof.agents.search.sightings import Sighting, Sightings, SightingStore, place
from navproof.agents.search.stand import EyeLevel
from navproof.core.errors import AgentError
from navproof.core.types import Beliefs, Camera, Detection, Observation, Pose, SensorSpec, TaskBrief

__all__ = ["Survey"]

FLOOR_M = 0.08  # what is lower is driven over
CLOSE_M = 2.5


class Survey:
    """Fuses every observation. ``view_m`` is how far a place may be to count as seen: objects
    beyond are hardly recognised, so what lies there is still to be explored. ``close`` knows only
    what was seen from within ``CLOSE_M``, where small things are recognised too."""

    def __init__(
        self, name: str, brief: TaskBrief, eyes: Eyes, memory: Memory | None, view_m: float
    ) -> None:
        self.brief = brief
        self.eyes = eyes
        self.memory = memory
        self.sightings: SightingStore = Sightings()
        self.perceived: tuple[Detection, ...] = ()
        self.fresh: tuple[Sighting, ...] = ()  # of this step
        self.path: tuple[XY, ...] = ()
        self.pose = Pose(0.0, 0.0)
        self.step = 0
        self._name = name
        self._view_m = view_m
        self._depth = _depth_sensor(name, brief)
        self.camera: Camera = self._depth.camera  # type: ignore[assignment]
        self.nav, self.close = (
            Navigator(brief.robot, OccupancyMap(FLOOR_M, brief.robot.height_m), agile=True)
            for _ in range(2)
        )
        self.eye_level = EyeLevel(self.camera.height_m)
        self.sides = ViewDirections()
        self._left: Pose | None = None  # where the last step forward began
        self._correction = Correction()  # of the next observation

    def correct(self, correction: Correction) -> None:
        """Let this count when the next observation is taken in."""
        self._correction = correction

    def look(self, obs: Observation, queries: tuple[str, ...], least: float = 0.0) -> None:
        """Take in one observation; the detector is asked for ``queries``. Of all but the first,
        detections count from a score of ``least`` on."""
        correction = self._correction
        self.grope(obs)
        pose, depth, rgb = self._readings(obs)
        if correction.remembered is not None:
            self.sightings.hold(correction.remembered)
            if self.memory is not None:
                self.memory.hold(self.sightings.all(), pose)
        with self.eyes.corrected(correction.sight):
            self.eyes.open(obs, self.brief)
            if self.memory is not None:
                self.memory.see(rgb, depth, self.camera, pose)
            detections = self.eyes.detect(rgb, queries) if queries else None
        self.perceived, self.fresh = (), ()
        if detections is not None:
            if len(queries) > 1:
                detections = detections.where(
                    (detections.queries == 0) | (detections.scores >= least)
                )
            perceived, sightings = place(detections, queries, depth, self.camera, pose, obs.step)
            self.perceived, self.fresh = tuple(perceived), tuple(sightings)
            for sighting in sightings:
                self.sightings.add(sighting)
            self.sightings.viewed(depth, self.camera, pose)

    def grope(self, obs: Observation) -> None:
        """Take in only where one can go."""
        self._correction = Correction()
        pose, depth, _ = self._readings(obs)
        self.pose, self.step = pose, obs.step
        reach_m, body_m = self._depth.max_range_m, self.brief.robot.radius_m - 0.03
        near = np.where(depth <= self._view_m, depth, np.float32(0.0))
        close = np.where(depth <= CLOSE_M, depth, np.float32(0.0))
        for nav, image in ((self.nav, near), (self.close, close)):
            nav.map.fuse(image, self.camera, pose, reach_m)
            nav.map.stamp(pose.x, pose.y, body_m, -LIMIT)
        self.eye_level.fuse(near, self.camera, pose, reach_m)
        self.sides.add(near, self.camera, pose)
        self._feel(obs, pose)

    def moved(self, forward: bool) -> None:
        """Note whether the move just chosen goes forward, to notice bumps."""
        self._left = self.pose if forward else None

    def forgive(self) -> bool:
        """Forget what was bumped into but never seen; whether there was any."""
        far, near = self.nav.forgive(), self.close.forgive()
        return far or near

    def beliefs(self) -> Beliefs:
        return Beliefs(self.perceived, self.sightings.remembered(), self.path)

    def _feel(self, obs: Observation, pose: Pose) -> None:
        """An obstacle that was bumped into but not seen."""
        if self._left is not None and obs.collided:
            went = math.dist(self._left.point, pose.point)
            if went < 0.3 * self.brief.robot.forward_m:
                self.nav.bump(pose)
                self.close.bump(pose)

    def _readings(self, obs: Observation) -> tuple[Pose, NDArray[np.float32], NDArray[np.uint8]]:
        if obs.pose is None or obs.depth is None or obs.rgb is None:
            kind = "pose" if obs.pose is None else "depth" if obs.depth is None else "rgb"
            raise AgentError(f"{self._name} needs the sensor '{kind}'")
        return Pose(*(float(v) for v in obs.pose)), obs.depth, obs.rgb


def _depth_sensor(name: str, brief: TaskBrief) -> SensorSpec:
    for spec in brief.sensors:
        if spec.kind == "depth" and spec.camera is not None:
            return spec
    raise AgentError(f"{name} needs the sensor 'depth' with its camera")
