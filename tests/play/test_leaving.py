"""What is the user's own and ends the program (``sys.exit``) costs its episode, and is named."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import pytest

from navproof.agents.limits import Limits
from navproof.core.types import SensorSpec
from navproof.log.trace import Trace, TraceKey
from navproof.play import pool
from navproof.play.jobs import Job
from navproof.play.worker import Worker
from navproof.sim.registry import SIMULATORS, make_simulator
from navproof.tasks import TASKS, spec_for
from runner_fakes import SIMULATOR, tiny_episodes

PLUGINS = """
import sys
from dataclasses import replace
from navproof import ReadingSpec
from navproof.tasks import TASKS
from navproof.tasks.pointnav.rules import PointNav
from runner_fakes import TinySimulator

def leave(*_, **__):
    sys.exit(0)

def fog(image, intensity, rng):
    sys.exit(0)

class Apply(TinySimulator):
    apply = leave

class Render(TinySimulator):
    render = leave

class Geodesic(TinySimulator):
    geodesic = leave

KIND = TASKS.get("pointnav-v1")

def task(**methods):
    return replace(KIND, rules=type("Rules", (PointNav,), methods), make=None)

MAKES = task(__init__=leave)
STARTS, STEPS, ENDS = task(start=leave), task(after_step=leave), task(done=leave)
GOALS, SAYS = task(goals=leave), task(instruction=leave)

class Sonar:
    reading = ReadingSpec((), "float64", 0.0, 255.0)
    def __init__(self, spec): ...
    def read(self, view):
        sys.exit(0)
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "leaving.py"
    path.write_text(PLUGINS)
    return path


def played(
    task: str = "pointnav-v1",
    condition: str = "clean",
    simulator: str = SIMULATOR,
    sensor: str = "",
) -> Trace:
    """An episode in the flat, as a worker plays it."""
    episode = replace(tiny_episodes(1, budget=4)[0], task=task)
    spec = spec_for(task)
    if sensor:
        spec = replace(spec, sensors=(*spec.sensors, SensorSpec("lidar", sensor)))
    agent = "runner_fakes:WantsLidar" if sensor else "runner_fakes:Seer"
    worker = Worker(lambda: make_simulator(simulator), in_process=True)
    return worker.play(Job(TraceKey(agent, episode.episode_id, condition), episode, spec))


def assert_named(trace: Trace) -> None:
    assert trace.status == "env_error"
    assert "SystemExit" in trace.reason
    assert "(leaving.py:" in trace.reason


def test_nothing_leaves() -> None:
    assert played().status == "ok"


def test_a_corruption(file: Path) -> None:
    assert_named(played(condition=f"{file}:fog@0.5"))


@pytest.mark.parametrize("name", ["Apply", "Render", "Geodesic"])
def test_a_simulator(file: Path, name: str) -> None:
    assert SIMULATORS.origin(f"{file}:{name}") is not None
    assert_named(played(simulator=f"{file}:{name}"))


def test_a_sensor(file: Path) -> None:
    assert_named(played(sensor=f"{file}:Sonar"))


@pytest.mark.parametrize("name", ["MAKES", "STARTS", "STEPS", "ENDS", "GOALS", "SAYS"])
def test_a_task(file: Path, name: str) -> None:
    assert TASKS.get(f"{file}:{name}").rules
    assert_named(played(task=f"{file}:{name}"))


def test_it_is_no_matter_of_the_machine(file: Path) -> None:
    """The worker that played it is still there."""
    assert "leaving" not in sys.modules
    worker = Worker(lambda: make_simulator(SIMULATOR), in_process=True)
    for condition, status in ((f"{file}:fog@0.5", "env_error"), ("clean", "ok")):
        (episode,) = tiny_episodes(1, budget=4)
        key = TraceKey("runner_fakes:Seer", episode.episode_id, condition)
        assert worker.play(Job(key, episode, spec_for("pointnav-v1"))).status == status


def test_one_that_never_returns_is_ended_by_the_pool(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "hanging.py").write_text(
        "import time\ndef fog(image, intensity, rng):\n    time.sleep(3600)\n"
    )
    monkeypatch.setattr(pool, "_SILENCE_S", 3.0)
    (episode,) = tiny_episodes(1, budget=4)
    key = TraceKey("runner_fakes:Seer", episode.episode_id, f"{tmp_path}/hanging.py:fog@0.5")
    with pool.Pool(1, Limits(), simulator=SIMULATOR) as workers:
        (outcome,) = workers.run([Job(key, episode, spec_for("pointnav-v1"))])
    assert outcome.result.status == "env_error"
    assert "took longer than 3 s (hanging.py:3)" in outcome.result.reason
