"""``navproof fuzz``: a campaign, gone on with, and its failures run again as a suite."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from navproof.cli.main import app
from navproof.core.errors import NavproofError

AGENT = '''
import numpy as np
from navproof.core.types import Move

class Wanderer:
    """Walks about at random for a while and stops."""
    sensors = ("pose",)
    feels = frozenset()

    def reset(self, brief):
        self.draw = np.random.default_rng(brief.seed)
        self.left = int(self.draw.integers(8, 16))

    def act(self, obs):
        self.left -= 1
        moves = (Move.FORWARD, Move.FORWARD, Move.LEFT, Move.RIGHT)
        return moves[int(self.draw.integers(4))] if self.left > 0 else Move.STOP
'''


IDLE = """
from navproof.core.types import Move

class Idle:
    sensors = ("pose", "depth")

    def reset(self, brief):
        pass

    def act(self, obs):
        return Move.STOP
"""


@pytest.fixture
def agent(tmp_path: Path) -> str:
    (tmp_path / "mine.py").write_text(AGENT)
    return f"{tmp_path / 'mine.py'}:Wanderer"


def _navproof(*arguments: str) -> str:
    done = CliRunner().invoke(app, list(arguments), catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.stdout


def _refused(*arguments: str) -> str:
    done = CliRunner().invoke(app, list(arguments))
    assert isinstance(done.exception, NavproofError), done.output
    assert "\n" not in str(done.exception)
    return str(done.exception)


def _commands(folder: Path) -> list[str]:
    lines = (folder / "failures" / "commands.txt").read_text().splitlines()
    return [line for line in lines if line.startswith("navproof ")]


def test_failures_are_found_kept_and_run_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "mine.py").write_text(AGENT)
    monkeypatch.chdir(tmp_path)
    agent, out = "mine.py:Wanderer", Path("hunt")
    asked = ("fuzz", "-a", agent, "-o", str(out), "-s", "home/val/0", "--initial", "2", "--json")
    first = json.loads(_navproof(*asked, "-n", "3", "--tester", "behavexplor"))
    found = json.loads(_navproof(*asked, "-n", "5", "--tester", "behavexplor"))
    assert (first["cases"], found["cases"]) == (3, 5)
    assert found["failures"] >= found["distinct"] >= 1
    assert sum(row["failures"] for row in found["by_cause"]) == found["failures"]
    commands = _commands(out)
    assert len(commands) == len(found["suites"])
    played = shlex.split(commands[0])
    assert played[:2] == ["navproof", "run"]
    moved = tmp_path / "elsewhere" / "kept"
    moved.parent.mkdir()
    out.rename(moved)
    monkeypatch.chdir(moved / "failures")
    again = json.loads(_navproof(*played[1:], "--workers", "1", "--json"))
    condition = played[played.index("--condition") + 1] if "--condition" in played else "clean"
    scores = [row for row in again["scores"] if row["condition"] == condition]
    assert [row["metrics"]["success"]["mean"] for row in scores] == [0.0]


def test_the_commands_run_as_a_script_from_anywhere(agent: str, tmp_path: Path) -> None:
    out = tmp_path / "a hunt"
    asked = ("fuzz", "-a", agent, "-o", str(out), "-s", "home/val/0", "-n", "2", "--no-minimise")
    _navproof(*asked, "--axes", "goal", "--tester", "random")
    shim = tmp_path / "bin" / "navproof"
    shim.parent.mkdir()
    entry = "from navproof.cli.main import main; main()"
    shim.write_text(f'#!/bin/sh\nexec "{sys.executable}" -c "{entry}" "$@"\n')
    shim.chmod(0o755)
    env = {**os.environ, "PATH": f"{shim.parent}:{os.environ['PATH']}"}
    script = ["sh", str(out / "failures" / "commands.txt")]
    done = subprocess.run(script, cwd="/", env=env, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert _commands(out)[0].endswith(" --fresh")  # what an earlier time has left is no answer
    assert (out / "failures" / "clean-run" / "run.json").is_file()


def test_people_are_told_what_was_found_and_what_to_do_next(agent: str, tmp_path: Path) -> None:
    out = tmp_path / "hunt"
    asked = ("fuzz", "-a", agent, "-o", str(out), "-s", "home/val/0", "--axes", "goal")
    told = _navproof(*asked, "-n", "2", "--tester", "random")
    assert "Wanderer: 2 of 2 cases failed" in told
    assert "failures found by random" in told
    assert "┃" not in told  # tables are drawn as those of the other commands
    assert f"sh {out}/failures/commands.txt" in told
    assert f"navproof report {out} shows it" in told


def test_a_larger_budget_goes_on_with_what_is_there(agent: str, tmp_path: Path) -> None:
    out = tmp_path / "hunt"
    asked = ("fuzz", "-a", agent, "-o", str(out), "-s", "home/val/0", "--no-minimise", "--json")
    more = ("--axes", "goal", "--tester", "random")
    assert json.loads(_navproof(*asked, *more, "-n", "2"))["cases"] == 2  # 2 of them initial ones
    assert json.loads(_navproof(*asked, *more, "-n", "4"))["cases"] == 4
    held = 'holds another campaign (axes ["goal"], not ["goal", "start"])'
    assert held in _refused(*asked, *more, "-n", "4", "--axes", "goal,start")
    assert "--initial must be from 1 to the budget of 1" in _refused(*asked, *more, "-n", "1")
    assert "navproof report" in _refused("diagnose", str(out))


def test_a_smaller_budget_takes_nothing_away(agent: str, tmp_path: Path) -> None:
    out = tmp_path / "hunt"
    asked = ("fuzz", "-a", agent, "-o", str(out), "-s", "home/val/0", "--no-minimise", "--json")
    more = ("--axes", "goal,start", "--tester", "random", "--initial", "2")
    found = json.loads(_navproof(*asked, *more, "-n", "4"))
    before = sorted(p.read_bytes() for p in (out / "failures").glob("*"))
    assert json.loads(_navproof(*asked, *more, "-n", "3")) == found
    assert sorted(p.read_bytes() for p in (out / "failures").glob("*")) == before
    assert (found["cases"], found["kept"]) == (4, found["distinct"])


def test_what_is_said_is_what_is_kept(tmp_path: Path) -> None:
    """Made smaller, failures that need no condition are alike."""
    (tmp_path / "idle.py").write_text(IDLE)
    out = tmp_path / "hunt"
    asked = ("fuzz", "-a", f"{tmp_path / 'idle.py'}:Idle", "-o", str(out), "-s", "home/val/0")
    asked = (*asked, "-n", "6", "--initial", "2", "--axes", "goal,condition")
    found = json.loads(_navproof(*asked, "--json"))
    suite = [line for path in found["suites"] for line in Path(path).read_text().splitlines()]
    assert found["distinct"] > found["kept"] == len(suite)
    told = _navproof(*asked)
    assert f"; {found['kept']} kept, the rest became like" in told
    assert told.count("  objectnav_home-val-0_") == found["kept"]
    _navproof("report", str(out))
    page = (out / "report.html").read_text()
    kinds = f"of {found['distinct']} kinds ({found['kept']} once made smaller)"
    assert kinds in page
    rows = page[page.index('class="found"') :]
    assert rows[: rows.index("</table>")].count('<th scope="row">') == found["kept"]


def test_an_agent_without_beliefs_is_not_said_to_be_corrected(agent: str, tmp_path: Path) -> None:
    out = tmp_path / "hunt"
    asked = ("fuzz", "-a", agent, "-o", str(out), "-s", "home/val/0", "--no-minimise", "-n", "2")
    told = _navproof(*asked, "--axes", "goal")
    said = (
        "the agent tells no beliefs, so no capability could be corrected and cantest searched by "
        "failure alone; navproof diagnose on a run of the failures asks from outside"
    )
    assert told.count(said) == 1
    assert "no beliefs told" in told
    assert "from outside" not in told.replace(said, "")
    assert json.loads(_navproof(*asked, "--axes", "goal", "--json"))["no_beliefs"] is True
    other = ("--axes", "goal", "--tester", "random", "--fresh")
    assert "tells no beliefs" not in _navproof(*asked, *other)  # nobody asked
    assert "could be corrected; navproof diagnose" in _navproof(*asked, *other, "--diagnose")


def test_scenes_are_named_one_by_one_or_as_a_range(agent: str, tmp_path: Path) -> None:
    out = tmp_path / "hunt"
    scenes = "office/val/0,home/val/0-2,home/val/1"
    asked = ("fuzz", "-a", agent, "-o", str(out), "-s", scenes, "-n", "1", "--tester", "random")
    _navproof(*asked, "--axes", "goal", "--no-minimise")
    held = json.loads((out / "campaign.json").read_text())["about"]["scenes"]
    assert held == ["office/val/0", "home/val/0", "home/val/1", "home/val/2"]


def test_bad_input_is_one_line(agent: str, tmp_path: Path) -> None:
    out = ("-o", str(tmp_path / "x"))
    assert "no tester 'cantset'" in _refused("fuzz", "-a", agent, *out, "--tester", "cantset")
    assert "no axis 'gaol'" in _refused("fuzz", "-a", agent, *out, "--axes", "gaol")
    assert "no task 'objnav'" in _refused("fuzz", "-a", agent, *out, "--task", "objnav")
    assert "pointnav-v1 cannot be" in _refused("fuzz", "-a", agent, *out, "--task", "pointnav")
    assert "at least 1" in _refused("fuzz", "-a", agent, *out, "--budget", "0")
    none = _refused("fuzz", "-a", agent, *out, "--initial", "0")
    assert none == "--initial must be from 1 to the budget of 200; this begins with 0"
    for wrong, why in (
        ("home/val/3-0", "the last scene comes before the first"),
        ("home/val/0-99999", "more than 10000 scenes"),
        ("home/val/0-x", "expected kind/split/first-last, like home/val/0-9"),
    ):
        assert f"--scene {wrong}: {why}" in _refused("fuzz", "-a", agent, *out, "--scene", wrong)
    assert "frontire" in _refused("fuzz", "-a", "frontire", *out)
    assert "axis 'lighting'" in _refused("fuzz", "-a", agent, *out, "--axes", "goal,lighting")
    assert "home/vla/0" in _refused("fuzz", "-a", agent, *out, "--scene", "home/vla/0")
    assert not (tmp_path / "x").exists()
