"""``navproof diagnose``: what it tells of a run, and what it says to bad input."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from cli_run_samples import navproof, refusal, sample_run

_DIAGNOSE_TESTS = Path(__file__).parents[1] / "diagnosis"


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of an explorer that sees, and of one that does not."""
    path = tmp_path_factory.mktemp("diagnosed") / "run"
    script = "import sys; from pathlib import Path; from diagnosed_runs import BLIND, tiny_run; "
    script += "tiny_run(Path(sys.argv[1]), {'frontier': 60, BLIND: 40}, 1)"
    subprocess.run([sys.executable, "-c", script, str(path)], env=_env(), check=True, timeout=120)
    return path


def _env() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(_DIAGNOSE_TESTS), "COLUMNS": "100"}


def _diagnose(run: Path, *words: str) -> subprocess.CompletedProcess[str]:
    entry = "from navproof.cli.main import main; main()"
    command = [sys.executable, "-c", entry, "diagnose", str(run), "--trials", "3", *words]
    return subprocess.run(command, capture_output=True, text=True, env=_env(), timeout=300)


def test_it_tells_what_to_fix_first(run: Path) -> None:
    done = _diagnose(run)
    assert done.returncode == 0, done.stderr
    for text in (
        "diagnosed_runs:Blind: 1 of 1 episodes failed, 1 of them explained",
        "PE-1 missed detection",
        "flat-0: Perception at step",
        "repaired where it was corrected: perception 1 of 1",
        "(assumed: too few passed episodes)",
    ):
        assert text in done.stdout, done.stdout
    advice = [line for line in done.stdout.splitlines() if line.startswith("fix first: ")]
    assert [("perception" in line, "nothing" in line) for line in advice] == [
        (False, True),
        (True, False),
    ]
    assert "failure 1 of 1: perception at step" in done.stderr
    again = _diagnose(run, "--json")
    assert "failure" not in again.stderr  # it was explained already
    document = json.loads(again.stdout)
    assert [row["verdict"] for row in document["rows"]] == ["passed", "attributed"]
    part = json.loads(_diagnose(run, "--agent", "frontier", "--json").stdout)
    assert [row["key"]["agent"] for row in part["rows"]] == ["frontier"]


def test_bad_input_is_one_line(run: Path, tmp_path: Path) -> None:
    assert "does not exist" in refusal("diagnose", str(tmp_path / "none"))
    assert "not a run folder" in refusal("diagnose", str(tmp_path))
    assert "no agent 'mlfm'" in refusal("diagnose", str(run), "--agent", "mlfm")
    assert "no condition 'fog'" in refusal("diagnose", str(run), "--condition", "fog")
    assert "trials must be at least 1" in refusal("diagnose", str(run), "--trials", "0")
    assert "at least one worker" in refusal("diagnose", str(run), "--workers", "0")
    assert "give --judge too" in refusal("diagnose", str(run), "--judge-model", "m")
    assert "ftp" in refusal("diagnose", str(run), "--judge", "ftp://x")
    unknown = sample_run(tmp_path / "other", {"nobody": [False]})
    assert "nobody" in refusal("diagnose", str(unknown.path))


def test_help_says_what_it_does() -> None:
    done = navproof("diagnose", "--help")
    assert done.returncode == 0
    assert "which capability caused it" in " ".join(done.stdout.split())
