"""One short episode of each task in the two-room flat of ``navproof.testing``."""

from __future__ import annotations

from navproof.core.errors import SpecError
from navproof.core.types import Episode
from navproof.sim.embedded import EmbeddedSimulator
from navproof.sim.protocol import Simulator
from navproof.tasks import TASKS, spec_for
from navproof.testing import tiny_scene

__all__ = ["tiny_episode", "tiny_simulator"]


def tiny_simulator(task: str) -> EmbeddedSimulator:
    """The flat, loaded with the body of a task."""
    sim = EmbeddedSimulator()
    sim.load(tiny_scene(), spec_for(task).robot)
    return sim


def tiny_episode(task: str, sim: Simulator, budget_steps: int = 60) -> Episode:
    """The task's own tiny episode, in a simulator that holds the flat."""
    make = TASKS.get(task).tiny
    if make is None:
        raise SpecError(f"{task} has no tiny episode: give its TaskKind one (tiny=…)")
    return make(sim, budget_steps)
