"""``navproof check`` through its real entry point."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from cli_run_samples import navproof, refusal
from typer.testing import CliRunner

from navproof.cli.main import app

EXAMPLES = Path(__file__).parents[2] / "examples"
EXAMPLE = {
    "corruption": "my_corruption.py:scratches",
    "metric": "my_metric.py:changes_of_mind",
    "robot": "my_robot.toml",
    "sensor": "my_sensors.toml",
    "simulator": "my_simulator.py:Slippery",
    "suite": "my_suite.py:SUITE",
    "task": "my_task.py:PATROL",
}


# These register something, which would stay in this process.
REGISTERING = ("corruption", "metric", "sensor")


@pytest.mark.parametrize("kind", EXAMPLE)
def test_every_example_is_fit_to_use(kind: str) -> None:
    words = ("check", kind, str(EXAMPLES / EXAMPLE[kind]), "--json")
    if kind in REGISTERING:
        done = navproof(*words)
        code, out = done.returncode, done.stdout
    else:
        here = CliRunner().invoke(app, words)
        code, out = here.exit_code, here.stdout
    assert code == 0, out
    told = json.loads(out)
    assert told["ok"] is True
    assert all(check["ok"] for check in told["checks"])
    assert len(told["checks"]) >= 7


def test_a_fault_gives_exit_code_1_and_says_how_to_mend_it(tmp_path: Path) -> None:
    path = tmp_path / "bad.py"
    path.write_text("def fog(image, intensity, rng):\n    return image // 2\n")
    done = navproof("check", "corruption", f"{path}:fog")
    assert done.returncode == 1
    words = " ".join(done.stdout.split())
    assert "nothing at intensity 0 WRONG" in words
    assert "nothing at intensity 0: begin with: if intensity == 0.0" in words
    assert "checks failed." in words
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("corrupton", "spatter"), "no kind of thing 'corrupton'; did you mean 'corruption'?"),
        (("corruption", "splatter"), "no corruption 'splatter'; did you mean 'spatter'?"),
        (("agent", "orakle"), "no agent 'orakle'; did you mean 'oracle'?"),
        (("task", "vlnn"), "no task 'vlnn'; did you mean 'vln'?"),
        (("sensor", "lidarr"), "no sensor kind 'lidarr'; did you mean 'lidar'?"),
        (("metric", "spll"), "no metric 'spll'; did you mean 'spl'?"),
        (("robot", "carterr"), "no robot 'carterr'; did you mean 'carter'?"),
        (("simulator", "embeded"), "no simulator 'embeded'; did you mean 'embedded'?"),
        (("suite", "minni"), "no suite 'minni'; did you mean 'mini'?"),
        (("suite", "mine.jsonl"), "a file of episodes: navproof episodes validate mine.jsonl"),
        (("robot", "h1", "--task", "vln"), "--task is for agents"),
        (("robot", "h1", "--scene", "home/val/1"), "--scene is for tasks"),
    ],
)
def test_what_there_is_not_is_one_line(words: tuple[str, ...], says: str) -> None:
    assert says in refusal("check", *words)
