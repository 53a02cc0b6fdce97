"""Worlds that do not wait: a mission in the tiny flat, scripts, and agents that take their time."""

from __future__ import annotations

import hashlib
import threading
import time
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from mission_samples import LOOKS, POINT, SPEC, mission
from navproof.core.types import (
    Action,
    Clock,
    Decision,
    Episode,
    Move,
    Observation,
    Robot,
    TaskBrief,
    Velocity,
    Walk,
)
from navproof.log.trace import Trace, TraceKey
from navproof.play.env import Env
from navproof.play.play import play
from navproof.play.session import Session
from navproof.sim.embedded import EmbeddedSimulator
from navproof.tasks.mission.rules import Mission
from navproof.testing import tiny_scene
from navproof.world.io import save_scene

__all__ = [
    "KEY",
    "PASSER",
    "Script",
    "Sleeper",
    "Stubborn",
    "Thoughtful",
    "Twitchy",
    "peopled",
    "played",
    "session",
]

KEY = TraceKey("script", "m")
PASSER = Walk("p1", LOOKS[0], ((-1.0, 1.8, 0.0), (-3.4, 1.8, 0.0)), speed_m_s=0.8)
"""Passes the robot of ``mission_samples`` at its start, 0.8 m to its left."""


class Script:
    """Does what it is given, each action after so many seconds; then it stops."""

    def __init__(self, *lines: tuple[Action, float | None]) -> None:
        self.lines = lines
        self.seen: list[Observation] = []

    def reset(self, brief: TaskBrief) -> None:
        self.brief, self.left = brief, list(self.lines)
        self.seen = []

    def act(self, obs: Observation) -> Decision:
        self.seen.append(obs)
        action, took_s = self.left.pop(0) if self.left else (Move.STOP, None)
        return Decision(action, took_s=took_s)


def session(
    clock: Clock = "declared",
    sensors: Iterable[str] = ("pose",),
    robot: Robot = SPEC.robot,
    **options: object,
) -> Session:
    spec = replace(SPEC, clock=clock, robot=robot)
    sim = EmbeddedSimulator()
    sim.load(tiny_scene(), robot)
    env = Env(sim, Mission(spec), tuple(sensors))
    return Session(env, KEY, **{"timed": False, **options})  # type: ignore[arg-type]


def played(
    *lines: tuple[Action, float | None], episode: Episode | None = None, clock: Clock = "declared"
) -> Trace:
    return play(session(clock), Script(*lines), episode or mission(POINT))


def peopled(folder: Path, count: int = 2, budget: int = 25) -> tuple[Episode, ...]:
    """Missions among people that any worker can load: the flat is a file in ``folder``."""
    scene = folder / "flat.scene"
    save_scene(tiny_scene(), scene)
    return tuple(
        mission(POINT, episode_id=f"m-{i}", scene=str(scene), people=(PASSER,), budget_steps=budget)
        for i in range(count)
    )


class Thoughtful:
    """Decides by what it sees, people included, and says that this took it a while."""

    sensors = ("rgb", "pose")
    says = True

    def reset(self, brief: TaskBrief) -> None:
        pass

    def act(self, obs: Observation) -> Decision:
        assert obs.rgb is not None
        digest = hashlib.sha256(obs.rgb.tobytes() + f"{obs.time_s!r}".encode()).digest()
        action = Velocity(0.2 + digest[0] / 1000, (digest[1] - 128) / 100)
        took_s = (None, 0.0, 0.13, 0.4)[digest[2] % 4] if self.says else None
        return Decision(action, took_s=took_s)


class Stubborn(Thoughtful):
    """Cannot be copied, so that it has to be played again from the beginning."""

    def __init__(self) -> None:
        self._lock = threading.Lock()


class Sleeper(Thoughtful):
    """Really takes some time, and says nothing."""

    says = False

    def act(self, obs: Observation) -> Decision:
        time.sleep(0.02 * (1 + obs.step % 3))
        return super().act(obs)


class Twitchy(Thoughtful):
    """Says that a decision took a negative time."""

    def act(self, obs: Observation) -> Decision:
        return replace(super().act(obs), took_s=-0.5)
