"""The conformance checks of simulators: the protocol, against the closed forms of the two-room flat
of ``navproof.testing``."""

from __future__ import annotations

import hashlib
import math
import pickle
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from navproof.check.elsewhere import same_elsewhere
from navproof.check.result import Check, Wrong, checked, other_global_seed
from navproof.core.errors import MissingExtraError, NavproofError, SimulationError
from navproof.core.seeding import rng
from navproof.core.types import (
    FIRST_OBJECT_ID,
    WALL,
    Camera,
    Command,
    Motion,
    Move,
    Pose,
    Velocity,
    Walk,
)
from navproof.sim.motion.state import wrap_angle
from navproof.sim.protocol import GoesOn, Simulator
from navproof.sim.registry import (
    SIMULATOR_METHODS,
    SIMULATOR_PROPERTIES,
    SIMULATORS,
    missing_in,
)
from navproof.sim.robots import load_robot
from navproof.testing import tiny_scene
from navproof.world.people.people import APPEARANCES

__all__ = ["check_simulator"]

_ROBOT = "carter"
_START = Pose(-3.0, 1.0, 0.0, 0.0)
_WEST, _EAST = (-3.0, 1.0, 0.0), (3.0, 1.0, 0.0)
_DRIVE: tuple[Command, ...] = (
    *(Move.FORWARD, Move.FORWARD, Move.LEFT, Move.FORWARD, Move.RIGHT),
    *(Velocity(0.4, 0.3), Velocity(0.2, -0.5), Move.FORWARD, Move.LEFT),
)
_CAMERA = Camera(64, 48, 90.0, 1.25)
_SHARE = 0.03
"""How far lengths of paths may be from their closed forms."""
_LOOSE = 0.6
"""How far a step or turn may be from what was asked: a floor may be slippery."""
_GRAIN_S = 0.011
"""How far time that passes by itself may be from what was asked: a simulator may count ticks."""


def check_simulator(name: str, *, elsewhere: bool | None = None) -> tuple[Check, ...]:
    """All checks of a simulator by its name or reference. ``elsewhere``: whether to ask another
    process, too (by default for those from outside)."""
    try:
        player = _Player(SIMULATORS.get(name))
    except MissingExtraError as error:
        return (Check("loads", None, str(error)),)
    except NavproofError as error:
        mend = "a simulator is a class (or function) without arguments that fulfils nv.Simulator"
        return (Check("loads", False, str(error), mend),)
    except (Exception, SystemExit) as error:
        mend = "it is made without arguments"
        return (checked("loads", mend, _raising(error)),)
    tests: tuple[tuple[str, str, Callable[[], str]], ...] = (
        ("has every method", "see navproof.Simulator for what is missing", player.complete),
        (
            "loads and places",
            "load(scene, robot), then place(pose): pose is then that",
            player.begin,
        ),
        (
            "refuses what does not fit",
            "place raises SimulationError for a pose inside a wall or a thing",
            player.refuses,
        ),
        ("distances", "geodesic is the shortest way of the robot's middle, in m", player.distances),
        (
            "paths",
            "shortest_path leads from start to goal, both included, as long as geodesic says",
            player.paths,
        ),
        ("points", "random_point draws from the generator alone", player.random_points),
        ("sight", "line_of_sight is blocked by walls and things", player.sight),
        (
            "depth",
            "depth is along the optical axis, in m, float32; instances as in navproof.core.types",
            player.depth,
        ),
        ("map", "top_down gives an RGB picture and where it lies", player.map),
        (
            "moves",
            "FORWARD goes forward_m along the heading, LEFT turns counter-clockwise by turn_deg; "
            "Motion.pose is the pose from then on",
            player.moves,
        ),
        ("velocities", "Velocity(v, w) drives for dt_s", player.velocities),
        (
            "collisions",
            "a robot at a wall has collided, and stays where it fits",
            player.collisions,
        ),
        ("clock", "time_s is 0 after place, and grows with every command", player.clock),
        (
            "goes on by itself",
            "go_on(dt_s) lets dt_s pass, to about 10 ms: a robot keeps to its velocity, and stands "
            "before its first command and after a discrete move",
            player.goes_on,
        ),
        ("people", "people() are the walks given to load, at their places now", player.people),
        (
            "same commands, same drive",
            "let what happens depend on commands and places alone; place must forget all before",
            player.deterministic,
        ),
        (
            "goes on after a restore",
            "snapshot() must hold everything that decides what comes next, to the bit, and must "
            "be picklable",
            player.restores,
        ),
    )
    checks = [Check("loads", True, type(player.sim).__name__)]
    for title, mend, test in tests:
        checks.append(checked(title, mend, test))
        if title in ("has every method", "loads and places") and not checks[-1].ok:
            return tuple(checks)
    outside = SIMULATORS.origin(name) is not None
    if (outside if elsewhere is None else elsewhere) and all(c.ok is not False for c in checks):
        checks.append(same_elsewhere(_digest, name))
    return tuple(checks)


def _raising(error: BaseException) -> Callable[[], str]:
    def test() -> str:
        raise error

    return test


class _Player:
    """One simulator with a robot in the flat."""

    def __init__(self, make: Callable[[], Simulator]) -> None:
        self.make = make
        self.robot = load_robot(_ROBOT)
        self.scene = tiny_scene()
        self.sim = make()

    def complete(self) -> str:
        if missing := missing_in(self.sim):
            raise Wrong(f"it has no {', '.join(missing)}")
        return f"{len(SIMULATOR_METHODS)} methods, and {', '.join(SIMULATOR_PROPERTIES)}"

    def begin(self) -> str:
        self.sim.load(self.scene, self.robot)
        self.sim.place(_START)
        if not _near(self.sim.pose, _START):
            raise Wrong(f"placed at {_START}, it stands at {self.sim.pose}")
        if self.sim.scene.id != self.scene.id or self.sim.robot != self.robot:
            raise Wrong("scene and robot are not those that were loaded")
        return f"{self.robot.name} in the two-room flat"

    def refuses(self) -> str:
        for pose in (Pose(0.0, 0.5), Pose(2.0, 3.5), Pose(-3.95, 1.0), Pose(50.0, 50.0)):
            if self.sim.is_navigable(pose.point):
                raise Wrong(f"({pose.x:g}, {pose.y:g}) is called navigable")
            try:
                self.sim.place(pose)
            except SimulationError:
                continue
            except (Exception, SystemExit) as error:
                raise Wrong(f"place raised a {type(error).__name__}") from error
            raise Wrong(f"it was placed at ({pose.x:g}, {pose.y:g})")
        if not self.sim.is_navigable(_WEST) or not self.sim.is_navigable(_EAST):
            raise Wrong("the middle of a room is not called navigable")
        return "walls, things, and places outside"

    def distances(self) -> str:
        straight = self.sim.geodesic(_WEST, ((-1.0, 1.0, 0.0),))
        _assert_close(straight, 2.0, "2 m straight ahead")
        nearer = self.sim.geodesic(_WEST, (_EAST, (-1.0, 1.0, 0.0)))
        _assert_close(nearer, 2.0, "of two goals the nearer, 2 m away,")
        # Past the jamb (0, 1.5) at the distance of the robot's radius.
        around = 2.0 * math.hypot(3.0, 0.5 + self.robot.radius_m)
        _assert_close(self.sim.geodesic(_WEST, (_EAST,)), around, "through the door")
        if not math.isinf(self.sim.geodesic(_WEST, ((50.0, 50.0, 0.0),))):
            raise Wrong("there is a way to a place outside")
        if self.sim.geodesic(_WEST, (_WEST,)) > 0.05:
            raise Wrong("it is some way to where it stands")
        return f"2.00 m straight, {around:.2f} m through the door, inf to outside"

    def paths(self) -> str:
        path = self.sim.shortest_path(_WEST, (_EAST,))
        if not path or math.dist(path[0], _WEST) > 0.05 or math.dist(path[-1], _EAST) > 0.05:
            raise Wrong(f"it leads from {path[:1]} to {path[-1:]}")
        length = sum(math.dist(a, b) for a, b in pairwise(path))
        _assert_close(length, self.sim.geodesic(_WEST, (_EAST,)), "the path")
        if self.sim.shortest_path(_WEST, ((50.0, 50.0, 0.0),)):
            raise Wrong("there is a path to a place outside")
        return f"{length:.2f} m in {len(path)} points"

    def random_points(self) -> str:
        first = [self.sim.random_point(rng(0, "check", "points", k)) for k in range(20)]
        with other_global_seed():
            again = [self.sim.random_point(rng(0, "check", "points", k)) for k in range(20)]
        if first != again:
            raise Wrong("the same generator gave other points")
        if not all(self.sim.is_navigable(point) for point in first):
            raise Wrong("it gave a point where the robot does not fit")
        if len({x < 0.0 for x, _, _ in first}) < 2:
            raise Wrong("twenty points are all in one room of two equal ones")
        return "20 points in both rooms"

    def sight(self) -> str:
        if not self.sim.line_of_sight((-2.0, 2.0, 1.2), (2.0, 2.0, 1.2)):
            raise Wrong("there is nothing in the doorway, but the view is blocked")
        if self.sim.line_of_sight((-2.0, 1.0, 1.2), (2.0, 1.0, 1.2)):
            raise Wrong("it sees through the wall")
        return "through the door, not through the wall"

    def depth(self) -> str:
        self.sim.place(Pose(-1.5, 0.75, 0.0, 0.0))  # the wall x = 0 is 1.5 m ahead
        frame = self.sim.render(_CAMERA)
        shape = (_CAMERA.height, _CAMERA.width)
        forms = {"rgb": ((*shape, 3), "uint8"), "depth": (shape, "float32")}
        for field, (wanted, dtype) in {**forms, "instances": (shape, "int32")}.items():
            found = getattr(frame, field)
            if found.shape != wanted or found.dtype != np.dtype(dtype):
                raise Wrong(f"{field} is {found.dtype} {found.shape}, not {dtype} {wanted}")
        row, col = shape[0] // 2, shape[1] // 2
        near = frame.depth[row - 2 : row + 2, col - 14 : col + 14]
        if np.abs(near - 1.5).max() > 0.05:
            raise Wrong(f"the wall 1.5 m ahead is at {near.min():.2f} to {near.max():.2f} m")
        if frame.instances[row, col] != WALL:
            raise Wrong(f"the wall ahead is instance {frame.instances[row, col]}, not {WALL}")
        if frame.rgb.max() == 0:
            raise Wrong("the picture is black")
        plain = self.sim.render(_CAMERA, colour=False)
        if not np.array_equal(plain.depth, frame.depth):
            raise Wrong("without colours the depth is another")
        self.sim.place(Pose(-2.0, 1.5, 0.0, math.pi / 2))  # the table's front is at y = 3.1
        table = self.sim.render(Camera(64, 48, 60.0, 0.4))
        middle = float(table.depth[24, 32]), int(table.instances[24, 32])
        if abs(middle[0] - 1.6) > 0.05 or middle[1] != FIRST_OBJECT_ID:
            raise Wrong(f"the table 1.6 m ahead is instance {middle[1]} at {middle[0]:.2f} m")
        return "a wall at 1.50 m, a table at 1.60 m"

    def map(self) -> str:
        seen = self.sim.top_down(0.05)
        column, row = seen.pixel(-2.0, 2.0)
        height, width = seen.image.shape[:2]
        if seen.image.ndim != 3 or seen.image.dtype != np.uint8:
            raise Wrong(f"it is {seen.image.dtype} {seen.image.shape}")
        if not (0 <= column < width and 0 <= row < height):
            raise Wrong("the middle of a room lies outside")
        return f"{width} × {height} pixels of {seen.m_per_px:g} m"

    def moves(self) -> str:
        robot = self.robot
        ahead = self.drive((Move.FORWARD,))[0]
        gone = ahead.pose.x - _START.x
        if not _about(gone, robot.forward_m) or abs(ahead.pose.y - _START.y) > 0.5 * gone:
            raise Wrong(f"forward leads from {_START} to {ahead.pose}")
        if not _about(ahead.moved_m, robot.forward_m) or ahead.collided:
            raise Wrong(f"forward says {ahead}")
        for move, sign in ((Move.LEFT, 1.0), (Move.RIGHT, -1.0)):
            turned = self.drive((move,))[0].pose
            if not _about(sign * turned.yaw, math.radians(robot.turn_deg)):
                raise Wrong(f"{move} turns by {math.degrees(turned.yaw):.1f}°")
            if not _near(self.sim.pose, turned, 1e-9):
                raise Wrong("Motion.pose is not the simulator's pose")
        return f"forward {gone:.3f} m of {robot.forward_m:g}, and both turns"

    def velocities(self) -> str:
        motions = self.drive((Velocity(0.4, 0.0),) * 20)
        gone = motions[-1].pose.x - _START.x
        if not 0.3 < gone < 0.9:
            raise Wrong(f"20 ticks of 0.1 s at 0.4 m/s lead {gone:.2f} m ahead")
        turned = sum(
            wrap_angle(b.pose.yaw - a.pose.yaw)
            for a, b in pairwise(self.drive((Velocity(0.0, 0.5),) * 20))
        )
        if not 0.3 < turned < 1.1:
            raise Wrong(f"20 ticks of 0.1 s at 0.5 rad/s turn by {turned:.2f} rad")
        return f"{gone:.2f} m in 2 s at 0.4 m/s"

    def collisions(self) -> str:
        self.sim.place(Pose(-1.0, 0.75, 0.0, 0.0))
        met = [self.sim.apply(Move.FORWARD).collided for _ in range(8)]
        pose = self.sim.pose
        if not any(met):
            raise Wrong(
                f"driven against the wall x = 0, it is at x = {pose.x:.2f}, without collision"
            )
        if pose.x > -self.robot.radius_m + 0.1 or not self.sim.is_navigable(pose.point):
            raise Wrong(f"driven against the wall x = 0, it is at x = {pose.x:.2f}")
        return f"it comes to rest {-pose.x:.2f} m before the wall"

    def clock(self) -> str:
        self.sim.place(_START)
        times = [self.sim.time_s]
        for command in _DRIVE:
            self.sim.apply(command)
            times.append(self.sim.time_s)
        if times[0] != 0.0:
            raise Wrong(f"after place it is {times[0]} s")
        if any(b <= a for a, b in pairwise(times)):
            raise Wrong("a command takes no time")
        return f"{len(_DRIVE)} commands in {times[-1]:.2f} s"

    def goes_on(self) -> str:
        if not isinstance(self.sim, GoesOn):
            return "it cannot: in its runs the world waits for agents"
        for told in (None, Move.FORWARD):
            self.sim.place(_START)
            if told is not None:
                self.sim.apply(told)
            began, began_s = self.sim.pose, self.sim.time_s
            self.sim.go_on(0.3)
            if not _near(self.sim.pose, began):
                raise Wrong(f"it moves by itself, {'after ' + told if told else 'told nothing'}")
            if abs(self.sim.time_s - began_s - 0.3) > _GRAIN_S:
                raise Wrong(f"0.3 s are {self.sim.time_s - began_s:.3f} s")
        self.drive((Velocity(0.4, 0.0),) * 10)
        began = self.sim.pose
        gone = self.sim.go_on(0.5).pose.x - began.x
        if not 0.1 < gone < 0.3:
            raise Wrong(f"at 0.4 m/s it went on for {gone:.2f} m in 0.5 s")
        return f"{gone:.2f} m in 0.5 s at 0.4 m/s; it stands when it should"

    def people(self) -> str:
        walk = Walk("p1", next(iter(APPEARANCES)), ((2.0, 1.0, 0.0), (2.0, 2.0, 0.0)))
        try:
            self.sim.load(self.scene, self.robot, (walk,))
            self.sim.place(_START)
            found = self.sim.people()
        finally:
            self.sim.load(self.scene, self.robot)
        if len(found) != 1:
            raise Wrong(f"of one person it has {len(found)}")
        if self.sim.people():
            raise Wrong("people stay when a scene is loaded without")
        return "one person, where she is"

    def deterministic(self) -> str:
        first = self.told(self.sim)
        with other_global_seed():
            again = self.told(self.sim)
            other = self.make()
            other.load(self.scene, self.robot)
            new = self.told(other)
        _assert_same(first, again, "a second time, the drive differs")
        _assert_same(first, new, "in a second simulator, the drive differs")
        return f"{len(first)} commands three times alike"

    def restores(self) -> str:
        half = 4
        whole = self.told(self.sim)
        self.drive(_DRIVE[:half])
        state = self.sim.snapshot()
        kept = pickle.dumps(state)
        self.go_on(_DRIVE)
        for restored in (state, state, pickle.loads(kept)):
            self.sim.restore(restored)
            rest = self.go_on(_DRIVE[half:])
            _assert_same(whole[half:], rest, "after going back, the drive differs")
        return "three times the same end, once by way of pickle"

    # ------------------------------------------------------------------------------- inside
    def drive(self, commands: Sequence[Command]) -> list[Motion]:
        """What commands do, from the start."""
        self.sim.place(_START)
        return [self.sim.apply(command) for command in commands]

    def told(self, sim: Simulator) -> list[Any]:
        sim.place(_START)
        return self.go_on(_DRIVE, sim)

    def go_on(self, commands: Sequence[Command], sim: Simulator | None = None) -> list[Any]:
        """Everything that commands lead to, pictures included."""
        here = self.sim if sim is None else sim
        found: list[Any] = []
        for command in commands:
            motion = here.apply(command)
            seen = here.render(_CAMERA)
            picture = hashlib.sha256(seen.rgb.tobytes() + seen.depth.tobytes()).hexdigest()
            found.append((motion, here.time_s, picture))
        return found


def _about(found: float, wanted: float) -> bool:
    return (1.0 - _LOOSE) * wanted < found < (1.0 + _LOOSE) * wanted


def _near(one: Pose, other: Pose, most: float = 1e-3) -> bool:
    turned = abs(wrap_angle(one.yaw - other.yaw))
    return math.dist(one.point, other.point) <= most and turned <= most


def _assert_close(found: float, wanted: float, what: str) -> None:
    if not abs(found - wanted) <= _SHARE * wanted:
        raise Wrong(f"{what} is {found:.2f} m, not {wanted:.2f}")


def _assert_same(first: Sequence[Any], again: Sequence[Any], what: str) -> None:
    for number, (one, other) in enumerate(zip(first, again, strict=True)):
        if one != other:
            raise Wrong(f"{what} at command {number}: {one[0].pose} and {other[0].pose}")


def _digest(name: str) -> str:
    player = _Player(SIMULATORS.get(name))
    player.begin()
    return hashlib.sha256(repr(player.told(player.sim)).encode()).hexdigest()
