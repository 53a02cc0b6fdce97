"""Agents that misbehave, episodes, and a simulator that always stands in the tiny scene."""

from __future__ import annotations

import ctypes
import hashlib
import math
import os
import random
import sys
import time

import numpy as np

from navproof.core.types import (
    Beliefs,
    Decision,
    Detection,
    Episode,
    Goal,
    Move,
    Observation,
    Pose,
    Robot,
    TaskBrief,
)
from navproof.play.jobs import Job
from navproof.sim.embedded import EmbeddedSimulator
from navproof.testing import tiny_scene

__all__ = ["Job"]

SIMULATOR = "runner_fakes:TinySimulator"


class TinySimulator(EmbeddedSimulator):
    """The two-room flat is loaded from the start: episodes name it ``tiny``."""

    def __init__(self) -> None:
        super().__init__()
        self.load(tiny_scene(), Robot("tiny", 0.18, 1.0))


def tiny_episodes(count: int = 4, budget: int = 30) -> tuple[Episode, ...]:
    """PointNav in the tiny scene, from the west room to the east one."""
    return tuple(
        Episode(
            episode_id=f"tiny-{index:03d}",
            task="pointnav-v1",
            scene="tiny",
            start=Pose(-3.0 + 0.1 * index, 1.0, 0.0, round(0.3 * index, 3)),
            goals=(Goal("point", ((3.0, 2.0, 0.0),)),),
            geodesic_m=round(math.hypot(3.0 - 0.1 * index, 1.0) + 3.0, 4),
            reference_path=((-3.0 + 0.1 * index, 1.0, 0.0), (0.0, 2.0, 0.0), (3.0, 2.0, 0.0)),
            budget_steps=budget,
            seed=index,
        )
        for index in range(count)
    )


class SaysWhy:
    """Prints, without an end to its line, what it then fails of."""

    sensors = ("pose", "pointgoal")

    def reset(self, brief: TaskBrief) -> None: ...

    def act(self, obs: Observation) -> Move:
        print("there are no weights", end="")
        raise ValueError


class Walker:
    """Turns and walks by its own generator; a picture of an honest agent."""

    sensors = ("pose", "pointgoal")

    def reset(self, brief: TaskBrief) -> None:
        self.rng = np.random.default_rng(brief.seed)
        self.left = int(self.rng.integers(3, 12))

    def act(self, obs: Observation) -> Move | Decision:
        self.left -= 1
        if self.left < 0:
            return Move.STOP
        return (Move.FORWARD, Move.FORWARD, Move.LEFT, Move.RIGHT)[int(self.rng.integers(4))]


def fingerprint(obs: Observation) -> str:
    """All that an observation holds, in a few letters."""
    found = hashlib.sha256(f"{obs.step} {obs.instruction} {obs.collided}".encode())
    for name, reading in obs.readings.items():
        found.update(name.encode() + reading.tobytes())
    return found.hexdigest()[:16]


class Seer(Walker):
    """Walks as ``Walker`` does, and says at every step what it was given."""

    sensors = ("rgb", "depth", "pose")
    feels = frozenset({"rgb", "depth", "words"})

    def act(self, obs: Observation) -> Decision:
        return Decision(super().act(obs), intent={"saw": fingerprint(obs)})  # type: ignore[arg-type]


class Follower(Walker):
    """Knows one task only."""

    tasks = ("vln-v1",)


class GlobalDice(Walker):
    """Draws from the global generators and iterates over sets of words."""

    def act(self, obs: Observation) -> Move | Decision:
        if obs.step > 8:
            return Move.STOP
        words = list({"forward", "left", "right"})
        return Move(words[(random.randrange(3) + int(np.random.randint(3))) % 3])  # noqa: NPY002


class Believer(Walker):
    def act(self, obs: Observation) -> Decision:
        seen = Detection("chair", 0.5, (0.0, 0.0, 2.0, 2.0))
        return Decision(super().act(obs), Beliefs(perceived=(seen,)))


class Raises(Walker):
    def act(self, obs: Observation) -> Move:
        if obs.step == 2:
            raise ValueError("no idea\nwhere I am")
        return Move.FORWARD


class RaisesInReset(Walker):
    def reset(self, brief: TaskBrief) -> None:
        raise KeyError("brief")


class RaisesInConstructor(Walker):
    def __init__(self) -> None:
        raise RuntimeError("weights are missing")


class Exits(Walker):
    def act(self, obs: Observation) -> Move:
        sys.exit(3)


class Interrupts(Walker):
    def act(self, obs: Observation) -> Move:
        raise KeyboardInterrupt


class HardExit(Walker):
    def act(self, obs: Observation) -> Move:
        if obs.step == 1:
            os._exit(7)
        return Move.LEFT


class Segfaults(Walker):
    def act(self, obs: Observation) -> Move:
        if obs.step == 1:
            ctypes.string_at(0)
        return Move.LEFT


class Sleeps(Walker):
    def act(self, obs: Observation) -> Move:
        if obs.step == 1:
            time.sleep(3600)
        return Move.LEFT


class Spins(Walker):
    """Hangs inside one C call that holds the interpreter's lock."""

    def act(self, obs: Observation) -> Move:
        if obs.step == 1:
            pow(3, 10**9 + 1)
        return Move.LEFT


class SlowButReturns(Walker):
    def act(self, obs: Observation) -> Move:
        if obs.step == 1:
            time.sleep(1.1)
        return Move.LEFT


class Dawdles(Walker):
    """Every step is within its limit, the episode is not."""

    def act(self, obs: Observation) -> Move:
        time.sleep(0.2)
        return Move.LEFT


class Eats(Walker):
    def act(self, obs: Observation) -> Move:
        self.kept = getattr(self, "kept", [])
        self.kept.append(np.ones(20_000_000))
        return Move.LEFT


class AsksForEverything(Walker):
    def act(self, obs: Observation) -> Move:
        self.kept = np.ones(10**15)
        return Move.LEFT


class ReturnsNan(Walker):
    def act(self, obs: Observation) -> Move:
        return float("nan")  # type: ignore[return-value]


class ReturnsNone(Walker):
    def act(self, obs: Observation) -> Move:
        return None  # type: ignore[return-value]


class ReturnsArray(Walker):
    def act(self, obs: Observation) -> Move:
        return np.zeros(3)  # type: ignore[return-value]


class Prints(Walker):
    """Writes a lot to both streams, through Python and below it."""

    def act(self, obs: Observation) -> Move | Decision:
        print("x" * 100_000)
        sys.stderr.write("y" * 100_000)
        os.write(1, b"\x00\xff" * 10_000)
        return super().act(obs)


class WantsLidar(Walker):
    sensors = ("lidar",)


class Wanders(Walker):
    """Leaves the working folder for good."""

    def reset(self, brief: TaskBrief) -> None:
        super().reset(brief)
        os.chdir("/")


class CannotBeShown(Walker):
    """Fails with an exception that fails when it is shown."""

    def act(self, obs: Observation) -> Move:
        class Rude(Exception):
            def __str__(self) -> str:
                raise RuntimeError

        raise Rude


class BreaksUnicode(Walker):
    def act(self, obs: Observation) -> Move:
        raise ValueError("half a pair: \ud800")
