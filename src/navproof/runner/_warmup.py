"""First-run compilation of everything that a run uses: the simulator's kernels and the agents'.

An agent's first step must not spend its time limit in a compiler.
"""

from __future__ import annotations

import contextlib
import hashlib
import platform
from pathlib import Path

import numba

import navproof
from navproof._cache import cache_dir
from navproof.agents.load import AGENTS, load_agent
from navproof.env import Env
from navproof.sim import warmup
from navproof.types import Episode, Goal, Move, Pose

__all__ = ["is_warm", "warm_up"]

_STEPS = 3


def is_warm() -> bool:
    """Whether the kernels of the simulator and of the built-in agents are in the disk cache."""
    return warmup.is_warm() and _marker().exists()


def warm_up() -> None:
    """Compile what is not compiled; seconds when little is missing, about a minute at first."""
    if not warmup.is_warm():
        warmup.warm_up()
    for name in AGENTS:
        with contextlib.suppress(Exception):  # a rehearsal: the run itself reports what is wrong
            _rehearse(name)
    _marker().touch()


def _rehearse(name: str) -> None:
    """A few steps of an agent in the tiny scene, with a very small camera."""
    from navproof.sim.embedded import EmbeddedSimulator
    from navproof.tasks import make_task, spec_for, with_camera
    from navproof.testing import tiny_scene

    spec = with_camera(spec_for("objectnav-v1"), 32, 32)
    episode = Episode(
        episode_id="rehearsal",
        task=spec.task,
        scene="tiny",
        start=Pose(-3.0, 1.0),
        goals=(Goal("object", ((2.0, 2.5, 0.0),), "chair", (11,)),),
        geodesic_m=5.5,
        reference_path=(),
        budget_steps=_STEPS + 1,
        seed=0,
    )
    factory = load_agent(name)
    sim = EmbeddedSimulator()
    sim.load(tiny_scene(), spec.robot)
    env = Env(sim, make_task(spec.task, spec), factory.sensors)
    brief, observation = env.reset(episode)
    agent = factory()
    agent.reset(brief)
    for _ in range(_STEPS):
        agent.act(observation)
        observation = env.step(Move.LEFT).observation


def _marker() -> Path:
    """A file that stands for: these agents and sensors, this Numba, interpreter and processor."""
    digest = hashlib.blake2b(digest_size=12)
    digest.update(f"{numba.__version__} {platform.python_version()} {platform.machine()}".encode())
    root = Path(navproof.__file__).resolve().parent
    digest.update(str(root).encode())
    for room in ("agents", "sensors"):
        for source in sorted((root / room).rglob("*.py")):
            about = source.stat()
            digest.update(f"{source.name} {about.st_mtime_ns} {about.st_size}".encode())
    return cache_dir("jit") / f"agents-{digest.hexdigest()}"
