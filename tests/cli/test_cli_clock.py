"""``navproof run --clock``: said by every command that tells of results."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from cli_run_samples import refusal
from trust_run_samples import called

from clock_samples import peopled
from navproof.tasks.episodes import write_episodes

AGENT = "clock_samples:Thoughtful"
SAID = "clock declared: the world went on for as long as agents said that they took"


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("clock")
    suite = folder / "suite.jsonl"
    write_episodes(suite, peopled(folder, 1, 6))
    words = ("run", "--agent", AGENT, "--suite", str(suite), "--camera", "48x36", "-j", "1")
    done = called(*words, "--clock", "declared", "-o", str(folder / "run"))
    assert done.returncode == 0, done.stderr
    assert SAID in done.stdout + done.stderr
    return folder / "run"


def test_scores_gates_and_reports_say_so(run: Path) -> None:
    scores = called("score", str(run), "--json")
    assert json.loads(scores.stdout)["clock"] == "declared"
    gate = called("gate", str(run), "--min", "sr.clean=0.0")
    assert (gate.returncode, SAID in gate.stdout) == (0, True)
    told = called("gate", str(run), "--min", "sr.clean=0.0", "--json")
    assert json.loads(told.stdout)["clock"] == "declared"
    report = called("report", str(run), "--episodes", "1")
    assert report.returncode == 0, report.stderr
    page = (run / "report.html").read_text()
    assert "<dt>Clock</dt><dd>declared" in page
    assert "People walked on" in page
    assert "--clock declared" in page
    assert SAID.capitalize() in page


def test_a_replay_shows_delays(run: Path) -> None:
    out = run.parent / "strip.png"
    done = called("replay", str(run), "m-0", "-o", str(out))
    assert done.returncode == 0, done.stderr
    assert out.stat().st_size > 10_000


def test_a_clock_that_is_none_is_refused(tmp_path: Path) -> None:
    text = refusal("run", "--agent", AGENT, "--clock", "real", "-o", str(tmp_path / "run"))
    assert "'real' is not one of 'wait', 'declared', 'measured'" in text
