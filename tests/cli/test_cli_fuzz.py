"""``navproof fuzz``: a campaign, gone on with, and its failures run again as a suite."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest
from typer.testing import CliRunner

from navproof.cli.main import app
from navproof.errors import NavproofError

AGENT = '''
import numpy as np
from navproof.types import Move

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


def test_failures_are_found_kept_and_run_again(agent: str, tmp_path: Path) -> None:
    out = tmp_path / "hunt"
    asked = ("fuzz", "-a", agent, "-o", str(out), "-s", "home/val/0", "--initial", "2", "--json")
    first = json.loads(_navproof(*asked, "-n", "3", "--tester", "behavexplor"))
    found = json.loads(_navproof(*asked, "-n", "5", "--tester", "behavexplor"))
    assert (first["cases"], found["cases"]) == (3, 5)
    assert found["failures"] >= found["distinct"] >= 1
    assert sum(row["failures"] for row in found["by_cause"]) == found["failures"]
    commands = (out / "failures" / "commands.txt").read_text().splitlines()
    assert len(commands) == len(found["suites"])
    played = shlex.split(commands[0])
    assert played[:2] == ["navproof", "run"]
    again = json.loads(_navproof(*played[1:], "--workers", "1", "--json"))
    condition = played[played.index("--condition") + 1] if "--condition" in played else "clean"
    scores = [row for row in again["scores"] if row["condition"] == condition]
    assert [row["metrics"]["success"]["mean"] for row in scores] == [0.0]


def test_bad_input_is_one_line(agent: str, tmp_path: Path) -> None:
    out = ("-o", str(tmp_path / "x"))
    assert "no tester 'cantset'" in _refused("fuzz", "-a", agent, *out, "--tester", "cantset")
    assert "no axis 'gaol'" in _refused("fuzz", "-a", agent, *out, "--axes", "gaol")
    assert "no task 'objnav'" in _refused("fuzz", "-a", agent, *out, "--task", "objnav")
    assert "pointnav-v1 cannot be" in _refused("fuzz", "-a", agent, *out, "--task", "pointnav")
    assert "at least 1" in _refused("fuzz", "-a", agent, *out, "--budget", "0")
    assert "frontire" in _refused("fuzz", "-a", "frontire", *out)
    assert "axis 'lighting'" in _refused("fuzz", "-a", agent, *out, "--axes", "goal,lighting")
    assert "home/vla/0" in _refused("fuzz", "-a", agent, *out, "--scene", "home/vla/0")
    assert not (tmp_path / "x").exists()
