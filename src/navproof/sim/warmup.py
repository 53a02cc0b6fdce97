"""First-run compilation, done once on purpose instead of in the middle of an episode."""

from __future__ import annotations

import hashlib
import platform
from pathlib import Path

import numba

from navproof._cache import cache_dir

__all__ = ["is_warm", "warm_up"]


def is_warm() -> bool:
    """Whether the kernels of this installation have been compiled and cached on this machine."""
    return _marker().exists()


def warm_up() -> None:
    """Run every kernel once on the tiny scene; Numba keeps the machine code on disk."""
    import math

    from navproof.sim.embedded import EmbeddedSimulator
    from navproof.testing import tiny_scene
    from navproof.types import Camera, Move, Pose, Robot
    from navproof.world.bake import bake

    sim = EmbeddedSimulator()
    sim.load(bake(tiny_scene()), Robot("warm-up", 0.2, 1.0))
    sim.place(Pose(-2.0, 2.0, 0.0, math.pi / 4))
    sim.apply(Move.FORWARD)
    sim.render(Camera(32, 32))
    sim.geodesic((-3.0, 1.0, 0.0), ((3.0, 1.0, 0.0),))
    sim.shortest_path((-3.0, 1.0, 0.0), ((3.0, 1.0, 0.0),))
    sim.line_of_sight((-2.0, 2.0, 1.0), (2.0, 2.0, 1.0))
    _marker().touch()


def _marker() -> Path:
    """A file that stands for: these sources, this Numba, this interpreter and processor."""
    digest = hashlib.blake2b(digest_size=12)
    digest.update(f"{numba.__version__} {platform.python_version()} {platform.machine()}".encode())
    root = Path(__file__).resolve().parents[1]
    for source in sorted(root.rglob("*.py")):
        stat = source.stat()
        digest.update(f"{source.relative_to(root)} {stat.st_mtime_ns} {stat.st_size}".encode())
    digest.update(str(root).encode())
    return cache_dir("jit") / digest.hexdigest()
