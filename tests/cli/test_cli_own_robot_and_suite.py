"""A robot and a suite of one's own, from a folder outside the package, through the command line."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from cli_run_samples import refusal

from navproof.log import RunFolder
from navproof.testing import tiny_scene
from navproof.world.io import save_scene

ROOT = Path(__file__).parents[2]
SUITE = """
from navproof.core.types import Robot
from navproof.tasks.generate import generate_episodes
from navproof.tasks.suites import Suite, SuitePart

PARTS = (SuitePart(("pointnav-v1", "objectnav-v1"), ("a.scene", "b.scene"), 1),)
SUITE = Suite("own", "two flats", PARTS, conditions=("wheel_slip",))
ROBOT = Robot("small", 0.15, 0.4, camera_m=0.3)
WIDE = Robot("wide", 1.9, 0.4)

def one():
    return generate_episodes("pointnav", "a.scene", 1)

def none():
    return None
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two scenes, and a file with suites and robots."""
    folder = tmp_path_factory.mktemp("own")
    for name in ("a", "b"):
        save_scene(tiny_scene(), folder / f"{name}.scene")
    (folder / "mine.py").write_text(SUITE)
    (folder / "bot.toml").write_text('name = "bot"\nradius_m = 0.2\nheight_m = 0.5\n')
    return folder


def navproof(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", "from navproof.cli.main import main; main()", *words],
        capture_output=True,
        text=True,
        timeout=240,
        cwd=folder,
        env={**os.environ, "COLUMNS": "100"},
        check=False,
    )


def test_a_suite_and_two_robots_run_to_a_report(folder: Path) -> None:
    done = navproof(
        folder, "run", "-a", "oracle", "-s", "mine.py:SUITE", "--robot", "mine.py:ROBOT,bot.toml",
        "--camera", "32x32", "-j", "2", "-o", "run", "--report",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    traces = list(RunFolder(folder / "run").traces())
    assert {t.key.condition for t in traces} == {"clean", "wheel_slip"}
    assert {t.spec.robot.name for t in traces} == {"small", "bot"}
    assert {t.episode.task for t in traces} == {"pointnav-v1", "objectnav-v1"}
    assert all(t.key.episode_id.endswith(f"-{t.spec.robot.name}") for t in traces)
    assert all(t.events[-1].data.get("success") for t in traces if t.key.condition == "clean")
    assert (folder / "run" / "report.html").stat().st_size > 10_000
    kinds = {p["kind"] for p in RunFolder(folder / "run").info.spec["plugins"]}
    assert {"robot", "suite"} <= kinds


def test_make_gives_the_same_file_by_any_number_of_processes(folder: Path) -> None:
    made = []
    for workers in ("1", "2"):
        name = f"made{workers}.jsonl.gz"
        scenes = ("--scene", "b.scene", "--scene", "a.scene", "--task", "pointnav")
        words = ("episodes", "make", *scenes, "--count", "2", "--workers", workers, "-o", name)
        done = navproof(folder, *words)
        assert done.returncode == 0, done.stderr
        made.append((folder / name).read_bytes())
    assert made[0] == made[1]
    shown = json.loads(navproof(folder, "episodes", "show", "made1.jsonl.gz", "--json").stdout)
    assert [row["scene"] for row in shown] == ["b.scene"] * 2 + ["a.scene"] * 2


@pytest.mark.parametrize(
    ("more", "says"),
    [
        (("--robot", "bott"), "there is no robot 'bott'"),
        (("--robot", "gone.toml"), "robot file gone.toml cannot be read"),
        (("--robot", "mine.py:SUITE"), "is a Suite, not a Robot"),
        (("--robot", "mine.py:ROBO"), "has no 'ROBO'; did you mean 'ROBOT'?"),
        (("--robot", "mine.py"), "names a file: write mine.py:NAME"),
        (("--robot", "mine.py:WIDE"), "no episode leaves room for mine.py:WIDE (3.80 m wide"),
        (("--suite", "mine.py:none"), "its function returns a NoneType, no episode"),
        (("--suite", "mine.py:SUIT"), "has no 'SUIT'; did you mean 'SUITE'?"),
        (("--suite", "mine.py:ROBOT"), "is a Robot, not a Suite"),
    ],
)
def test_wrong_ones_are_one_line_and_leave_nothing(
    folder: Path, monkeypatch: pytest.MonkeyPatch, more: tuple[str, str], says: str
) -> None:
    monkeypatch.chdir(folder)
    suite = () if "--suite" in more else ("--suite", "mine.py:one")
    assert says in refusal("run", "-a", "forward", *suite, *more, "-o", "wrong", "-j", "1")
    assert not Path("wrong").exists()


def test_the_examples_are_what_they_say(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    from navproof.sim.robots import load_robot
    from navproof.tasks.suites import find_suite

    monkeypatch.chdir(tmp_path)
    assert load_robot(f"{ROOT}/examples/my_robot.py:ROBOT").name == "mybot"
    suite = find_suite(f"{ROOT}/examples/my_suite.py:SUITE")
    assert suite is not None
    assert suite.size == 4
    assert find_suite(f"{ROOT}/examples/my_suite.py:short") is not None
