"""The embedded simulator: everything on the CPU, from pip alone, the same bits everywhere."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from navproof.core.errors import SimulationError
from navproof.core.types import (
    Camera,
    Command,
    Frame,
    Motion,
    Move,
    Point,
    Pose,
    Robot,
    Velocity,
    Walk,
    Waypoints,
)
from navproof.sim.crowd.crowd import Crowd, CrowdState
from navproof.sim.geodesic.geodesic import Geodesics
from navproof.sim.geodesic.navgrid import NavGrid
from navproof.sim.geodesic.sight import LineOfSight
from navproof.sim.motion.gait import STANDING, Sway, Walking, mounted, sway_of, walked_on
from navproof.sim.motion.motion import (
    AT_REST,
    BodyState,
    carry_on,
    move,
    pushed,
    takes_s,
    wrap_angle,
)
from navproof.sim.protocol import GoalSet, Snapshot, TopDown, Wheels
from navproof.sim.registry import register_simulator
from navproof.world.drawing.plan import draw_plan
from navproof.world.people.people import PERSON, PersonState
from navproof.world.scene import Scene

if TYPE_CHECKING:
    from navproof.sim.render.render import Renderer
    from navproof.world.people.bodies import LightField

__all__ = ["EmbeddedSimulator"]


@dataclass(frozen=True, slots=True)
class _State:
    """All that changes while a robot moves. Picklable and exact."""

    scene_id: str
    robot: Robot
    pose: Pose
    time_s: float
    body: BodyState
    walking: Walking
    walks: tuple[Walk, ...]
    reacting: bool
    crowd: CrowdState
    command: Command | None = None


class _SceneTables:
    """What is derived from a scene, made when first needed."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self._geodesics: dict[tuple[float, float, int], Geodesics] = {}

    @cached_property
    def renderer(self) -> Renderer:
        from navproof.sim.render.render import Renderer

        return Renderer(self.scene)

    @cached_property
    def light(self) -> LightField:
        from navproof.world.people.bodies import LightField

        return LightField(self.scene)

    @cached_property
    def sight(self) -> LineOfSight:
        return LineOfSight(self.scene)

    def geodesics(self, robot: Robot, storey: int) -> Geodesics:
        key = (robot.radius_m, robot.height_m, storey)
        if key not in self._geodesics:
            self._geodesics[key] = Geodesics(NavGrid.build(self.scene, robot, storey))
        return self._geodesics[key]


@register_simulator("embedded")
class EmbeddedSimulator:
    """See ``navproof.sim.protocol.Simulator`` for the contract of every method."""

    def __init__(self) -> None:
        self._loaded: _SceneTables | None = None
        self._robot: Robot | None = None
        self._pose: Pose | None = None
        self._time_s = 0.0
        self._body = AT_REST
        self._walking = STANDING
        self._crowd = Crowd()
        self._command: Command | None = None

    @property
    def scene(self) -> Scene:
        return self._here.scene

    @property
    def robot(self) -> Robot:
        if self._robot is None:
            raise SimulationError("no scene is loaded: call load(scene, robot) first")
        return self._robot

    @property
    def pose(self) -> Pose:
        if self._pose is None:
            raise SimulationError("the robot stands nowhere: call place(pose) first")
        return self._pose

    @property
    def time_s(self) -> float:
        """Seconds since the robot was placed."""
        return self._time_s

    @property
    def going(self) -> BodyState:
        """The robot's speeds, and how it keeps its balance."""
        return self._body

    @property
    def sway(self) -> Sway:
        """How far its gait carries the robot's body from its pose, now."""
        return sway_of(self.robot, self._walking)

    @property
    def grid(self) -> NavGrid:
        """The navigation grid of the storey where the robot is (the lowest before it is placed)."""
        return self._geodesics(self._pose.z if self._pose else None).grid

    def load(
        self, scene: Scene, robot: Robot, people: Sequence[Walk] = (), *, reacting: bool = False
    ) -> None:
        crowd = Crowd(people, reacting=reacting)
        if self._loaded is None or self._loaded.scene is not scene:
            self._loaded = _SceneTables(scene)
        self._robot = robot
        self._pose = None
        self._time_s = 0.0
        self._body = AT_REST
        self._walking = STANDING
        self._crowd = crowd
        self._command = None

    def people(self) -> tuple[PersonState, ...]:
        if not self._crowd.walks:
            return ()
        return self._crowd.people(self._time_s, self._pose.z if self._pose else self._low_m)

    def place(self, pose: Pose) -> None:
        grid = self._geodesics(pose.z).grid
        if not grid.is_navigable(pose.x, pose.y):
            raise SimulationError(
                f"{self.robot.name} does not fit at ({pose.x:.2f}, {pose.y:.2f}) in scene "
                f"{self.scene.id}: {grid.room_for(pose.x, pose.y):.2f} m to the nearest obstacle"
            )
        x, y, z = (round(float(v), 6) + 0.0 for v in pose.point)
        self._pose = Pose(x, y, z, round(wrap_angle(pose.yaw), 6) + 0.0)
        self._time_s = 0.0
        self._body = AT_REST
        self._walking = STANDING
        self._crowd.begin()
        self._command = None

    def apply(self, command: Command, dt_s: float = 0.1, wheels: Wheels | None = None) -> Motion:
        took_s = takes_s(self.robot, command, dt_s, self._body)
        done = move(self.grid, self.robot, self.pose, command, dt_s, wheels, self._body)
        self._command = command
        return self._among_people(*done, took_s, at_rest=isinstance(command, Move))

    def go_on(self, dt_s: float, wheels: Wheels | None = None) -> Motion:
        command = self._command
        done = carry_on(self.grid, self.robot, self.pose, command, dt_s, wheels, self._body)
        at_rest = not isinstance(command, Velocity | Waypoints)
        return self._among_people(*done, dt_s, at_rest=at_rest)

    def _among_people(
        self, free: Motion, body: BodyState, took_s: float, *, at_rest: bool
    ) -> Motion:
        """What becomes of a motion that lasts ``took_s`` from now on, which nothing but people
        disturbs, and that leaves the robot in the state ``body``."""
        begin, began_s = self.pose, self._time_s
        self._time_s = round(began_s + took_s, 9)
        motion = self._meet_people(begin, free, began_s)
        if motion is not free:
            motion, body = pushed(self.robot, body, begin, motion, took_s)
        self._arrive(motion.pose, took_s, at_rest=at_rest)
        self._body = body
        return motion

    def follow(
        self, command: Command, pose: Pose, dt_s: float = 0.1, time_s: float | None = None
    ) -> None:
        """Be where a recorded command led, at the time that belongs to it: what is rendered then
        is what was rendered after the command itself. ``time_s``: when that was, where it is
        recorded; another simulator may have taken another time for the command."""
        begin, began_s = self.pose, self._time_s
        if time_s is None:
            time_s = round(began_s + takes_s(self.robot, command, dt_s), 9)
        took_s = time_s - began_s
        self._time_s = time_s
        if self._crowd.reacting:
            self._meet_people(begin, Motion(pose, False, 0.0), began_s)
        self._arrive(pose, took_s, at_rest=isinstance(command, Move))

    def _arrive(self, pose: Pose, took_s: float, *, at_rest: bool) -> None:
        self._walking = walked_on(self.robot, self._walking, self.pose, pose, took_s, at_rest)
        self._pose = pose

    def _meet_people(self, begin: Pose, motion: Motion, began_s: float) -> Motion:
        """What people make of a motion from ``begin`` that lasted from ``began_s`` until now."""
        if not self._crowd.walks:
            return motion
        return self._crowd.meet(
            begin,
            motion,
            began_s,
            self._time_s,
            self.grid,
            sliding=self.robot.sliding,
            room=self._geodesics(begin.z, PERSON).grid if self._crowd.reacting else None,
        )

    def render(self, camera: Camera, *, colour: bool = True) -> Frame:
        here, pose = self._here, self.pose
        bodies = self._crowd.meshes(self._time_s, pose.z, here.light) if self._crowd.walks else ()
        eye = mounted(camera, self.sway)
        return here.renderer.render(eye, pose, extra=bodies, colour=colour)

    def is_navigable(self, point: Point) -> bool:
        return self._geodesics(point[2]).grid.is_navigable(point[0], point[1])

    def geodesic(self, start: Point, goals: GoalSet) -> float:
        return self._geodesics(start[2]).distance(start[0], start[1], goals)

    def shortest_path(self, start: Point, goals: GoalSet) -> tuple[Point, ...]:
        path = self._geodesics(start[2]).path(start[0], start[1], goals)
        return tuple((round(x, 4) + 0.0, round(y, 4) + 0.0, start[2]) for x, y in path)

    def random_point(self, rng: np.random.Generator) -> Point:
        grid = self.grid
        cells = np.argwhere(grid.component == 1)
        if len(cells) == 0:
            raise SimulationError(f"{self.robot.name} fits nowhere in scene {self.scene.id}")
        row, col = cells[int(rng.integers(len(cells)))]
        cx, cy = grid.centre(int(row), int(col))
        dx, dy = rng.uniform(-0.5, 0.5, size=2) * grid.cell
        x, y = round(cx + dx, 4), round(cy + dy, 4)
        if not grid.is_navigable(x, y):
            x, y = round(cx, 4), round(cy, 4)
        return (x, y, grid.elevation)

    def line_of_sight(self, eye: Point, target: Point) -> bool:
        return self._here.sight.is_clear(eye, target)

    def top_down(self, m_per_px: float = 0.05) -> TopDown:
        image, origin_x, origin_y = draw_plan(self.scene, m_per_px, labels=False)
        return TopDown(image, origin_x, origin_y, m_per_px)

    def snapshot(self) -> Snapshot:
        crowd = self._crowd
        return _State(
            self.scene.id,
            self.robot,
            self.pose,
            self._time_s,
            self._body,
            self._walking,
            crowd.walks,
            crowd.reacting,
            crowd.state,
            self._command,
        )

    def restore(self, snapshot: Snapshot) -> None:
        if not isinstance(snapshot, _State):
            raise SimulationError("that is no snapshot of the embedded simulator")
        if snapshot.scene_id != self.scene.id:
            raise SimulationError(
                f"the snapshot is of scene {snapshot.scene_id}, loaded is {self.scene.id}"
            )
        self._robot = snapshot.robot
        self._pose = snapshot.pose
        self._time_s = snapshot.time_s
        self._body = snapshot.body
        self._walking = snapshot.walking
        self._crowd = Crowd(snapshot.walks, reacting=snapshot.reacting)
        self._crowd.state = snapshot.crowd
        self._command = snapshot.command

    @property
    def _low_m(self) -> float:
        return self.scene.storeys[0].elevation_m

    @property
    def _here(self) -> _SceneTables:
        if self._loaded is None:
            raise SimulationError("no scene is loaded: call load(scene, robot) first")
        return self._loaded

    def _geodesics(self, z: float | None, body: Robot | None = None) -> Geodesics:
        """Of ``body`` (the robot's unless given) on the storey at height ``z``."""
        storeys = self._here.scene.storeys
        if z is None:
            index = 0
        else:
            index = min(range(len(storeys)), key=lambda i: abs(storeys[i].elevation_m - z))
            if not math.isfinite(z):
                raise SimulationError(f"a point at height {z} is on no storey")
        return self._here.geodesics(body or self.robot, index)
