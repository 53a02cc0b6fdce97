"""Every example, copied to a folder outside the package, through the command line to a report."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[2] / "examples"
SCENE = "home/train/0"
EPISODES = "episodes.jsonl"


def navproof(*words: str, folder: Path) -> str:
    """What the command prints; it must succeed."""
    done = subprocess.run(
        [sys.executable, "-c", "from navproof.cli.main import main; main()", *words],
        capture_output=True,
        text=True,
        timeout=300,
        cwd=folder,
        env={**os.environ, "COLUMNS": "120"},
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the examples, and an episode of PointNav."""
    folder = tmp_path_factory.mktemp("mine")
    for file in EXAMPLES.iterdir():
        if file.is_file():
            shutil.copy(file, folder)
    made = ("episodes", "make", "--task", "pointnav", "--scene", SCENE, "--count", "1")
    navproof(*made, "-o", EPISODES, folder=folder)
    shorten(folder / EPISODES)
    return folder


def shorten(episodes: Path) -> None:
    """Give the episodes of a file 40 steps: enough for a report."""
    found = [json.loads(line) for line in episodes.read_text().splitlines()]
    lines = [json.dumps({**episode, "budget_steps": 40}) for episode in found]
    episodes.write_text("\n".join(lines))


def run(folder: Path, out: str, *words: str) -> dict[str, object]:
    """The description of a run that ends with a report."""
    usual = ["--camera", "64x48", "--workers", "1", "--out", out, "--report", *words]
    if "--suite" not in words:
        usual += ["--suite", EPISODES]
    if "--agent" not in words:
        usual += ["--agent", "oracle"]
    navproof("run", *usual, folder=folder)
    assert (folder / out / "report.html").stat().st_size > 10_000
    held: dict[str, object] = json.loads((folder / out / "run.json").read_text())["spec"]
    return held


def plugins(spec: dict[str, object]) -> set[tuple[str, str]]:
    listed = spec["plugins"]
    assert isinstance(listed, list)
    return {(one["kind"], one["name"]) for one in listed}


@pytest.mark.parametrize(
    ("kind", "name", "words"),
    [
        ("agent", "my_agent.py:MyAgent", ("--agent", "my_agent.py:MyAgent")),
        ("corruption", "my_corruption.py:scratches", ("-c", "my_corruption.py:scratches@0.5")),
        ("robot", "my_robot.py:ROBOT", ("--robot", "my_robot.py:ROBOT")),
        ("sensor kind", "my_sensor.py:SonarRing", ("--sensors", "my_sensors.toml")),
        ("simulator", "my_simulator.py:Slippery", ("--simulator", "my_simulator.py:Slippery")),
    ],
)
def test_one_at_a_time(folder: Path, kind: str, name: str, words: tuple[str, ...]) -> None:
    spec = run(folder, kind.replace(" ", "-"), *words)
    assert (kind, name) in plugins(spec)


def test_suite(folder: Path) -> None:
    spec = run(folder, "suite", "--suite", "my_suite.py:SUITE", "--limit", "1")
    assert ("suite", "my_suite.py:SUITE") in plugins(spec)
    assert spec["conditions"] == ["clean", "low_light_noise", "depth_gaussian@0.5"]


def test_all_together(folder: Path) -> None:
    """A task of one's own, played by an agent, on a robot, with sensors, in a simulator, under a
    condition and scored by a metric of one's own."""
    make = ("episodes", "make", "--task", "my_task.py:PATROL", "--scene", SCENE, "--count", "1")
    navproof(*make, "-o", "patrol.jsonl", folder=folder)
    shorten(folder / "patrol.jsonl")
    condition = "my_corruption.py:fog@0.5+my_corruption.py:mumble"
    spec = run(
        folder,
        "all",
        *("--suite", "patrol.jsonl", "--agent", "my_agent.py:MyAgent,oracle"),
        *("--robot", "my_robot.toml", "--sensors", "my_sensors.toml"),
        *("--simulator", "my_simulator.py:Slippery", "-c", condition),
        *("--metric", "my_metric.py:jerk"),
    )
    assert plugins(spec) == {
        ("agent", "my_agent.py:MyAgent"),
        ("corruption", "my_corruption.py:fog"),
        ("corruption", "my_corruption.py:mumble"),
        ("robot", "my_robot.toml"),
        ("sensor kind", "my_sensor.py:SonarRing"),
        ("simulator", "my_simulator.py:Slippery"),
        ("task", "my_task.py:PATROL"),
    }
    assert "verified: these actions" in navproof("verify", "all", folder=folder)
    assert "feature in the words" not in navproof("score", "all", folder=folder)
    page = (folder / "all" / "report.html").read_text()
    for word in ("jerk", "MyAgent", "my_corruption.py:fog@0.5", "PATROL"):
        assert word in page, word
