"""Every simulator passes the checks that users' own must pass; broken ones fail the right one."""

from __future__ import annotations

import pytest
from checking import assert_all_hold, assert_fault, wrong

from navproof.check.simulators import check_simulator
from navproof.sim.registry import SIMULATORS

BROKEN = """
import itertools
import math
import random
from dataclasses import replace
import numpy as np
from navproof import Pose
from navproof.sim.embedded import EmbeddedSimulator as Base

class Fine(Base): ...

class Partial:
    scene = robot = pose = time_s = None
    def load(self, *a, **k): ...

class NeedsKey:
    def __init__(self, key): ...

class Elsewhere(Base):
    def place(self, pose): super().place(replace(pose, x=pose.x + 0.1))

class Anywhere(Base):
    def place(self, pose):
        if self.is_navigable(pose.point):
            super().place(pose)

class Straight(Base):
    def geodesic(self, start, goals): return min(math.dist(start, g) for g in goals)

class Jumps(Base):
    def shortest_path(self, start, goals): return (start, *super().shortest_path(start, goals)[2:])

class OwnPoints(Base):
    def random_point(self, rng): return super().random_point(np.random.default_rng())

class XRay(Base):
    def line_of_sight(self, eye, target): return True

class Millimetres(Base):
    def render(self, camera, *, colour=True):
        frame = super().render(camera, colour=colour)
        return replace(frame, depth=1000 * frame.depth)

class Euclidean(Base):
    def render(self, camera, *, colour=True):
        frame = super().render(camera, colour=colour)
        u = np.arange(camera.width) + 0.5 - camera.width / 2
        return replace(frame, depth=frame.depth * np.hypot(1, 2 * u / camera.width, dtype="f4"))

class Ids(Base):
    def render(self, camera, *, colour=True):
        frame = super().render(camera, colour=colour)
        return replace(frame, instances=frame.instances + np.int32(1))

class NoMap(Base):
    def top_down(self, m_per_px=0.05):
        return replace(super().top_down(m_per_px), origin_x=100.0)

class Mirrored(Base):
    def apply(self, command, dt_s=0.1, wheels=None):
        command = {"left": "right", "right": "left"}.get(command, command)
        return super().apply(type(command)(command) if command == str(command) else command, dt_s)

class Told(Base):
    def apply(self, *a):
        motion = super().apply(*a)
        return replace(motion, pose=replace(motion.pose, x=motion.pose.x + 0.01))

class Still(Base):
    def apply(self, command, dt_s=0.1, wheels=None):
        return super().apply(command, 1e-6, wheels)

class Ghost(Base):
    def apply(self, *a): return replace(super().apply(*a), collided=False)

class NoClock(Base):
    time_s = 0.0

class Hasty(Base):
    def go_on(self, dt_s, wheels=None): return super().go_on(2 * dt_s, wheels)

class Parks(Base):
    def go_on(self, dt_s, wheels=None):
        self._command = None
        return super().go_on(dt_s, wheels)

class Lonely(Base):
    def load(self, scene, robot, people=(), *, reacting=False): super().load(scene, robot)

class Dice(Base):
    def render(self, camera, *, colour=True):
        frame = super().render(camera, colour=colour)
        return replace(frame, depth=frame.depth + np.float32(random.random() * 1e-3))

class Wears(Base):
    worn = 0.0
    def render(self, camera, *, colour=True):
        self.worn += 1e-4
        frame = super().render(camera, colour=colour)
        return replace(frame, depth=frame.depth + np.float32(self.worn))

class Restless(Base):
    def place(self, pose):
        super().place(pose)
        self.numbers = iter(np.random.default_rng(0).random(100))
    def render(self, camera, *, colour=True):
        if not hasattr(self, "numbers"):
            self.place(self.pose)
        frame = super().render(camera, colour=False)
        extra = np.float32(1e-3 * next(self.numbers))
        return replace(frame, depth=frame.depth + extra, rgb=frame.rgb + np.uint8(1))

class Rough(Base):
    def snapshot(self):
        state = super().snapshot()
        return replace(state, pose=replace(state.pose, x=round(state.pose.x, 1)))

class Unpicklable(Base):
    def snapshot(self): return super().snapshot(), (lambda: 0)
    def restore(self, snapshot): super().restore(snapshot[0])
"""


@pytest.mark.parametrize("name", SIMULATORS.built_in())
def test_built_in(name: str) -> None:
    if name == "physics":
        pytest.importorskip("mujoco")
    assert_all_hold(check_simulator(name))


@pytest.mark.parametrize(
    ("name", "failing", "says"),
    [
        ("Fine", "", ""),
        ("Partial", "has every method", "it has no people, place, apply"),
        ("NeedsKey", "loads", "missing 1 required positional argument: 'key'"),
        ("Elsewhere", "loads and places", "it stands at"),
        ("Anywhere", "refuses what does not fit", "it was placed at (0, 0.5)"),
        ("Straight", "distances", "through the door is 6.00 m, not 6.2"),
        ("Jumps", "paths", "the path is 6.00 m"),
        ("OwnPoints", "points", "the same generator gave other points"),
        ("XRay", "sight", "sees through the wall"),
        ("Millimetres", "depth", "the wall 1.5 m ahead is at 1500.00"),
        ("Euclidean", "depth", "the wall 1.5 m ahead is at 1.5"),
        ("Ids", "depth", "is instance 2, not 1"),
        ("NoMap", "map", "lies outside"),
        ("Mirrored", "moves", "left turns by -20.0°"),
        ("Told", "moves", "is not the simulator's pose"),
        ("Still", "velocities", "lead 0.00 m ahead"),
        ("Ghost", "collisions", "without collision"),
        ("NoClock", "clock", "a command takes no time"),
        ("Hasty", "goes on by itself", "0.3 s are 0.600 s"),
        ("Parks", "goes on by itself", "at 0.4 m/s it went on for 0.0"),
        ("Lonely", "people", "of one person it has 0"),
        ("Dice", "same commands, same drive", "differs at command 0"),
        ("Wears", "same commands, same drive", "differs at command 0"),
        ("Restless", "goes on after a restore", "differs at command 0"),
        ("Rough", "goes on after a restore", "differs at command 0"),
        ("Unpicklable", "goes on after a restore", "pickle"),
        ("absent", "loads", "has no 'absent'"),
    ],
)
def test_each_fault_is_found(broken: str, name: str, failing: str, says: str) -> None:
    assert_fault(wrong(check_simulator(f"{broken}:{name}", elsewhere=False)), failing, says)
