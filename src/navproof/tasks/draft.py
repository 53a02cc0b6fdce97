"""What every episode generator needs: a loaded scene, navigable points, paths, ids."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from navproof.core.seeding import derive, rng
from navproof.core.types import Camera, Point, Pose, Robot, TaskSpec
from navproof.sim.embedded import EmbeddedSimulator
from navproof.sim.geodesic.navgrid import NavGrid
from navproof.sim.protocol import Simulator
from navproof.tasks.kind import short_name
from navproof.tasks.langnav.views import object_views, small_view
from navproof.tasks.mission.people import Passage, draw_passages
from navproof.tasks.objectnav.viewpoints import viewpoints_of
from navproof.tasks.specs import spec_for
from navproof.world.people.people import PERSON
from navproof.world.scene import Scene

__all__ = [
    "Site",
    "camera_m",
    "camera_of",
    "episode_id",
    "episode_seed",
    "round_point",
    "round_pose",
]


@dataclass
class Site:
    """One scene under generation: the simulator, and viewpoints already found.

    ``body`` puts the robot of a task (its id or its settings) into the scene. ``ref`` is what
    episodes call the scene.
    """

    scene: Scene
    ref: str
    sim: Simulator = field(default_factory=EmbeddedSimulator)
    _views: dict[int, tuple[Point, ...]] = field(default_factory=dict)
    _langnav_views: dict[int, tuple[Point, ...]] = field(default_factory=dict)
    _anchors: dict[str, Point] = field(default_factory=dict)
    _passages: dict[tuple[str, int], tuple[Passage, ...]] = field(default_factory=dict)

    def body(self, task: str | TaskSpec) -> Simulator:
        spec = spec_for(task) if isinstance(task, str) else task
        self.sim.load(self.scene, spec.robot)
        return self.sim

    @cached_property
    def people_grid(self) -> NavGrid:
        """Where people can walk."""
        return NavGrid.build(self.scene, PERSON)

    def passages(self, robot: Robot, seed: int) -> tuple[Passage, ...]:
        """Ways on which people go to and fro where this robot can go, too; puts it there."""
        key = (robot.name, seed)
        if key not in self._passages:
            self.sim.load(self.scene, robot)
            draw = self.stream(seed, f"passages.{robot.name}")
            self._passages[key] = draw_passages(self.sim, self.people_grid, draw)
        return self._passages[key]

    def stream(self, seed: int, name: str, step: int = 0) -> np.random.Generator:
        return rng(seed, self.scene.id, f"episodes.{name}", step)

    def anchor(self, task: str) -> Point:
        """A point of the main navigable area, always the same one."""
        if task not in self._anchors:
            self._anchors[task] = round_point(
                self.body(task).random_point(self.stream(0, "anchor"))
            )
        return self._anchors[task]

    def viewpoints(self, object_id: int) -> tuple[Point, ...]:
        """Viewpoints of an object for the ObjectNav robot and camera."""
        if object_id not in self._views:
            task = "objectnav-v1"
            anchor = self.anchor(task)
            thing = self.scene.object(object_id)
            self._views[object_id] = viewpoints_of(self.body(task), thing, camera_m(task), anchor)
        return self._views[object_id]

    def langnav_viewpoints(self, object_id: int) -> tuple[Point, ...]:
        """Viewpoints of an object for the LangNav robot and camera."""
        if object_id not in self._langnav_views:
            task = "langnav-v1"
            anchor = self.anchor(task)
            thing = self.scene.object(object_id)
            view = small_view(camera_of(task))
            self._langnav_views[object_id] = object_views(self.body(task), thing, view, anchor)
        return self._langnav_views[object_id]


def camera_of(task: str) -> Camera:
    """The task's first camera."""
    return next(s.camera for s in spec_for(task).sensors if s.camera is not None)


def camera_m(task: str) -> float:
    """Height of the task's camera above the floor."""
    return camera_of(task).height_m


def round_point(point: Point) -> Point:
    return (round(float(point[0]), 4), round(float(point[1]), 4), round(float(point[2]), 4))


def round_pose(point: Point, yaw: float) -> Pose:
    """A pose with its heading brought into (−π, π]."""
    wrapped = math.atan2(math.sin(yaw), math.cos(yaw))
    x, y, z = round_point(point)
    return Pose(x, y, z, round(wrapped, 6))


def episode_id(task: str, scene: str, seed: int, index: int) -> str:
    """Unique within a suite, and safe as a file name: "vln_home-val-3_s1_004"."""
    slug = "".join(c if c.isalnum() or c in "-." else "-" for c in scene)
    return f"{short_name(task)}_{slug}_s{seed}_{index:03d}"


def episode_seed(seed: int, scene: str, task: str, index: int) -> int:
    """The seed that the agent gets in this episode; 31 bits."""
    return derive(seed, scene, task, index) & 0x7FFFFFFF
