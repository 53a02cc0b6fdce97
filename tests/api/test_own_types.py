"""The front door takes the types that it exports, and refuses others in one line."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import navproof as nv
from navproof.api.plain import robot_names, simulator_name
from navproof.core.errors import SpecError
from navproof.core.types import Episode
from runner_fakes import SIMULATOR, TinySimulator, Walker, tiny_episodes

TESTS = Path(__file__).parents[1]
SCRIPT = """
import navproof as nv
from runner_fakes import tiny_episodes, TinySimulator

BOT = nv.Robot("mybot", radius_m=0.15, height_m=0.9)
SUITE = nv.Suite("mine", episodes=lambda: tiny_episodes(2), conditions=("spatter@0.5",))

class Stands:
    sensors = ("rgb",)
    def reset(self, brief):
        assert brief.robot.name == "mybot", brief.robot
    def act(self, obs):
        return nv.Move.STOP

if __name__ == "__main__":
    run = nv.run(
        Stands, SUITE, robot=BOT, simulator=TinySimulator, workers=1, out="out", progress=False
    )
    print(run.info.conditions, [row["status"] for row in run], run.info.spec["suite"])
"""


def test_a_script_runs_a_suite_and_a_robot_of_its_own(tmp_path: Path) -> None:
    (tmp_path / "script.py").write_text(SCRIPT)
    path = os.pathsep.join([str(TESTS), *filter(None, sys.path)])
    done = subprocess.run(
        [sys.executable, "script.py"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == "('clean', 'spatter@0.5') ['ok', 'ok', 'ok', 'ok'] mine"


def test_a_suite_of_parts_is_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NAVPROOF_CACHE", str(tmp_path / "cache"))
    part = nv.SuitePart(("pointnav-v1",), ("home/train/0",), 2)
    run = nv.run(
        "random", nv.Suite("two", parts=(part,)), limit=1, workers=1, camera="32x32",
        out=tmp_path / "run", progress=False,
    )  # fmt: skip
    assert [row["scene"] for row in run] == ["home/train/0"]
    with pytest.raises(SpecError, match="'mini': there is another suite of that name"):
        nv.run("random", nv.Suite("mini", parts=(part,)))
    with pytest.raises(SpecError, match="it has no parts"):
        nv.run("random", nv.Suite("void"))


def test_a_robot_goes_by_the_name_under_which_others_find_it() -> None:
    from navproof.sim.robots import load_robot

    assert robot_names([load_robot("carter"), "h1"]) == ("carter", "h1")
    with pytest.raises(SpecError, match="in no variable at the top level of a file"):
        robot_names(nv.Robot("secret", radius_m=0.11, height_m=1.0))
    assert simulator_name(TinySimulator) == SIMULATOR


def test_an_environment_takes_a_suite_and_a_robot(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("gymnasium")
    suite = nv.Suite("theirs", episodes=lambda: tiny_episodes(2))
    assert len(nv.make_env("pointnav", suite).episodes) == 2  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    "call",
    [
        lambda: nv.run(Walker, None),
        lambda: nv.run(Walker, 3),
        lambda: nv.run(None),
        lambda: nv.run(Walker, conditions=3),
        lambda: nv.run(Walker, styles=3),
        lambda: nv.run(Walker, robot=3),
        lambda: nv.run(Walker, robot=[None]),
        lambda: nv.run(Walker, sensors=3),
        lambda: nv.run(Walker, sensors=[3]),
        lambda: nv.run(Walker, simulator=3),
        lambda: nv.run(Walker, limits=3),
        lambda: nv.run(Walker, salt=3),
        lambda: nv.run(Walker, out=3),
        lambda: nv.run(Walker, tiny_episodes(1), metrics=3, out="unused"),
        lambda: nv.compare(1, 2),
        lambda: nv.compare(("a",), "b"),
        lambda: nv.score(None),
        lambda: nv.report(None),
        lambda: nv.report([3]),
        lambda: nv.diagnose(3),
        lambda: nv.verify(None),
        lambda: nv.Run(3),
        lambda: nv.make_env(3),
        lambda: nv.make_env("pointnav", 3),
        lambda: nv.make_env("pointnav", episodes=3),
        lambda: nv.make_env("pointnav", robot=3),
        lambda: nv.make_env("pointnav", sensors=3),
        lambda: nv.make_env("pointnav", condition=3),
        lambda: nv.load_scene(3),
        lambda: nv.parse_condition(3),
    ],
)
def test_every_other_type_is_one_line(
    call: Callable[[], Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SpecError) as refusal:
        call()
    assert "\n" not in str(refusal.value)


def test_episodes_alone_are_still_a_suite() -> None:
    with pytest.raises(SpecError, match="suite: 3 is not an episode"):
        nv.run(Walker, [3])
    assert all(isinstance(episode, Episode) for episode in tiny_episodes(1))
