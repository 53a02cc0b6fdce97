"""First-run compilation of everything that a run uses: the simulator's kernels and the agents'.

An agent's first step must not spend its time limit in a compiler.
"""

from __future__ import annotations

import contextlib
import hashlib
import math
import platform
from pathlib import Path

import numba
import numpy as np

import navproof
from navproof.agents.load import AGENTS, example_of, load_agent, needs_endpoint
from navproof.core.cache import cache_dir
from navproof.core.types import Camera, Move, Pose, Robot, Velocity, Walk, Waypoints
from navproof.play.env import Env

__all__ = ["is_warm", "warm_up"]

_STEPS = 3


def is_warm() -> bool:
    """Whether the kernels have been compiled and cached on this machine, for these sources."""
    return _marker().exists()


def warm_up() -> None:
    """Run every kernel once in the tiny scene; Numba keeps the machine code on disk."""
    _exercise_simulator()
    _exercise_sensors()
    _exercise_corruptions()
    for name in (n for n in AGENTS.built_in() if not needs_endpoint(n)):
        with contextlib.suppress(Exception):  # a rehearsal: the run itself reports what is wrong
            _rehearse(example_of(name))
    _marker().touch()


def _exercise_simulator() -> None:
    from navproof.sim.embedded import EmbeddedSimulator
    from navproof.sim.robots import load_robot
    from navproof.testing import tiny_scene
    from navproof.world.light.bake import bake

    sim = EmbeddedSimulator()
    walk = Walk("warm-up", "red_jacket", ((-1.0, 3.0, 0.0), (-1.0, 1.0, 0.0)))
    sim.load(bake(tiny_scene()), Robot("warm-up", 0.2, 1.0), (walk,))
    sim.place(Pose(-2.0, 2.0, 0.0, math.pi / 4))
    sim.apply(Move.FORWARD)
    sim.render(Camera(32, 32))
    sim.load(sim.scene, load_robot("h1"))
    sim.place(Pose(-2.0, 2.0))
    for command in (Move.LEFT, Velocity(0.1, 0.0), Waypoints(((0.3, 0.0),))):
        sim.apply(command)
    sim.shortest_path((-3.0, 1.0, 0.0), ((3.0, 1.0, 0.0),))
    sim.line_of_sight((-2.0, 2.0, 1.0), (2.0, 2.0, 1.0))


def _exercise_sensors() -> None:
    """Those with kernels of their own."""
    from navproof.sensors import SENSORS, View
    from navproof.sim.embedded import EmbeddedSimulator
    from navproof.testing import tiny_scene

    sim = EmbeddedSimulator()
    sim.load(tiny_scene(), Robot("warm-up", 0.2, 1.0))
    sim.place(Pose(-2.0, 2.0, 0.0, math.pi / 4))
    view = View(sim, (), sim.pose)
    for kind in map(SENSORS.get, SENSORS.built_in()):
        if kind.rehearsal is not None:
            kind.build(kind.rehearsal).read(view)


def _exercise_corruptions() -> None:
    """Those of images, at full intensity (mud comes late); the rest compile nothing."""
    from navproof.corruptions.condition import Applied
    from navproof.corruptions.protocol import Moment
    from navproof.corruptions.registry import CORRUPTIONS

    image = np.full((24, 32, 3), 128, dtype=np.uint8)
    depth = np.full((24, 32), 2.0, dtype=np.float32)
    moment = Moment(0, "warm-up", "camera", 0)
    for corruption in map(CORRUPTIONS.get, CORRUPTIONS.built_in()):
        if corruption.target in ("rgb", "depth"):
            part = Applied(corruption, 1.0, corruption.lasting)
            with contextlib.suppress(Exception):  # the run itself reports what is wrong
                part.corrupt(image if corruption.target == "rgb" else depth, moment)


def _rehearse(name: str) -> None:
    """A few steps of an agent in the tiny scene, with a very small camera: in the first of its
    tasks that are told in words, where it has one, so that it has something to look for."""
    from navproof.sim.embedded import EmbeddedSimulator
    from navproof.tasks import TASKS, make_task, with_camera
    from navproof.testing import tiny_scene

    factory = load_agent(name)
    kinds = [TASKS.get(task) for task in factory.tasks or TASKS]
    kind = min(kinds, key=lambda kind: ("beside", "only", "none").index(kind.words))
    spec = with_camera(kind.spec, 32, 32)
    sim = EmbeddedSimulator()
    sim.load(tiny_scene(), spec.robot)
    if kind.tiny is None:
        return
    episode = kind.tiny(sim, _STEPS + 1)
    env = Env(sim, make_task(spec.task, spec), factory.sensors)
    brief, observation = env.reset(episode)
    agent = factory()
    agent.reset(brief)
    for _ in range(_STEPS):
        agent.act(observation)
        observation = env.step(Move.LEFT).observation


def _marker() -> Path:
    """A file that stands for: these kernels' sources, this Numba, interpreter and processor."""
    digest = hashlib.blake2b(digest_size=12)
    digest.update(f"{numba.__version__} {platform.python_version()} {platform.machine()}".encode())
    root = Path(navproof.__file__).resolve().parent
    digest.update(str(root).encode())
    for room in ("world", "sim", "sensors", "corruptions", "perception", "agents"):
        for source in sorted((root / room).rglob("*.py")):
            about = source.stat()
            digest.update(f"{source.name} {about.st_mtime_ns} {about.st_size}".encode())
    return cache_dir("jit") / digest.hexdigest()
