"""The physics tier's ``Simulator``: MuJoCo moves the robot in the world that the embedded one has.

Rendering, geodesics, sight and the navigation grid are the embedded simulator's. What differs is
``apply``: a robot here has weight, takes time to speed up and to brake, and is pushed back by what
it runs into. So its shortest paths keep off corners where there is room.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from navproof.core.errors import SimulationError
from navproof.core.types import (
    Command,
    Motion,
    Point,
    Pose,
    Robot,
    Velocity,
    Walk,
    Waypoints,
)
from navproof.sim.embedded import EmbeddedSimulator
from navproof.sim.motion.state import BodyState
from navproof.sim.physics.body import body_for
from navproof.sim.physics.clearway import clear_way
from navproof.sim.physics.drive import drive
from navproof.sim.physics.obstacles import Piece, obstacles
from navproof.sim.physics.rig import TICK_S, Rig
from navproof.sim.protocol import GoalSet, Snapshot, Wheels
from navproof.world.people.people import PERSON
from navproof.world.scene import Scene

__all__ = ["PhysicsSimulator"]


@dataclass(frozen=True, slots=True)
class _State:
    """All that changes while a robot moves: the embedded simulator's part, and MuJoCo's as the
    bytes of its state vector."""

    world: Snapshot
    physics: bytes
    fell: bool


class PhysicsSimulator(EmbeddedSimulator):
    """See ``navproof.sim.protocol.Simulator`` for the contract of every method.

    Poses are given on the embedded simulator's grid of 1e-6; the body's own state is not rounded.
    """

    def __init__(self) -> None:
        super().__init__()
        self._fell = False
        self._rig: Rig | None = None
        self._rigs: dict[tuple[Robot, float, int], Rig] = {}
        self._pieces: dict[tuple[float, int], tuple[Piece, ...]] = {}

    def load(
        self, scene: Scene, robot: Robot, people: Sequence[Walk] = (), *, reacting: bool = False
    ) -> None:
        body_for(robot)  # raises where there is none, before anything is computed
        if self._loaded is None or self._loaded.scene is not scene:
            self._rigs.clear()
            self._pieces.clear()
        super().load(scene, robot, people, reacting=reacting)
        self._rig = None

    def place(self, pose: Pose) -> None:
        super().place(pose)
        self._take_rig().place(self.pose.x, self.pose.y, self.pose.yaw)
        self._fell = False

    def apply(self, command: Command, dt_s: float = 0.1, wheels: Wheels | None = None) -> Motion:
        motion = self._driven(command, dt_s, wheels)
        self._command = command
        return motion

    def go_on(self, dt_s: float, wheels: Wheels | None = None) -> Motion:
        """``dt_s`` to the nearest tick of the low-level control, at least one."""
        command = self._command
        if isinstance(command, Velocity | Waypoints):
            return self._driven(command, dt_s, wheels, self._body.path)
        return self._driven(Velocity(0.0, 0.0), dt_s, None)

    def _driven(
        self,
        command: Command,
        dt_s: float,
        wheels: Wheels | None,
        along: tuple[tuple[float, float], ...] = (),
    ) -> Motion:
        here = self.pose
        if self._rig is None:
            raise SimulationError("the robot stands nowhere: call place(pose) first")
        if self._fell:
            return Motion(here, False, 0.0, True)
        began_s = self._time_s
        people = self._people_from(began_s)
        done = drive(self._rig, self.robot, command, dt_s, wheels, people, along)
        self._body = BodyState(path=done.path)
        self._time_s = round(began_s + done.time_s, 9)
        self._fell = done.fell
        x, y, yaw = (round(v, 6) + 0.0 for v in self._rig.plan)
        self._pose = Pose(x, y, here.z, yaw)
        return Motion(self._pose, done.collided, done.moved_m, done.fell)

    def shortest_path(self, start: Point, goals: GoalSet) -> tuple[Point, ...]:
        """The shortest one, its bends moved off the walls that it touches (``clearway``): a path
        that wheels can follow. ``geodesic`` is the length of the shortest one itself."""
        path = [(x, y) for x, y, _ in super().shortest_path(start, goals)]
        clear = clear_way(path, self._geodesics(start[2]).grid)
        return tuple((round(x, 4) + 0.0, round(y, 4) + 0.0, start[2]) for x, y in clear)

    def _people_from(self, began_s: float) -> Callable[[float], None]:
        """What puts people where they are, so many seconds into a command that began then; those
        who react take their next step."""
        crowd, z, rig = self._crowd, self.pose.z, self._take_rig()
        grid = self.grid
        room = self._geodesics(z, PERSON).grid if crowd.reacting else None

        def put(into_s: float) -> None:
            now_s = began_s + into_s
            for number, person in enumerate(crowd.people(now_s, z)):
                rig.put_person(number, person.pose.x, person.pose.y)
            if crowd.reacting:
                x, y, yaw = rig.plan
                here = Pose(x, y, z, yaw)
                crowd.meet(here, Motion(here, False, 0.0), now_s, now_s + TICK_S, grid, room=room)

        return put

    def snapshot(self) -> Snapshot:
        world = super().snapshot()
        assert self._rig is not None
        return _State(world, self._rig.state().tobytes(), self._fell)

    def restore(self, snapshot: Snapshot) -> None:
        if not isinstance(snapshot, _State):
            raise SimulationError("that is no snapshot of the physics tier")
        super().restore(snapshot.world)
        self._take_rig().set_state(np.frombuffer(snapshot.physics))
        self._fell = snapshot.fell

    def _take_rig(self) -> Rig:
        """The rig of this robot and these people on the storey where it stands."""
        grid, people = self.grid, len(self._crowd.walks)
        key = (self.robot, grid.elevation, people)
        if key not in self._rigs:
            pieces = self._pieces_at(grid.elevation)
            self._rigs[key] = Rig(body_for(self.robot), pieces, grid, people)
        self._rig = self._rigs[key]
        return self._rig

    def _pieces_at(self, elevation_m: float) -> tuple[Piece, ...]:
        storeys = self.scene.storeys
        storey = next(s.index for s in storeys if s.elevation_m == elevation_m)
        key = (self.robot.height_m, storey)
        if key not in self._pieces:
            self._pieces[key] = obstacles(self.scene, self.robot.height_m, storey)
        return self._pieces[key]
