"""``navproof score``: from traces alone."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from cli_run_samples import navproof, refusal, sample_run

from navproof.log import RunFolder

AGENTS = {"seer": [True] * 4, "poor": [True, False, False, False]}


@pytest.fixture
def folder(tmp_path: Path) -> RunFolder:
    return sample_run(tmp_path / "run", AGENTS)


def test_results_are_made_again_from_the_traces(folder: RunFolder) -> None:
    before = folder.results()
    (folder.path / "results.parquet").unlink()
    done = navproof("score", str(folder.path))
    assert done.returncode == 0, done.stderr
    assert folder.results() == before
    for text in ("seer*", "poor", "pointnav-v1", "0.25", "seer is given ground truth: expert"):
        assert text in done.stdout
    assert "Traceback" not in done.stderr


def test_json_has_every_metric_with_its_interval(folder: RunFolder) -> None:
    done = navproof("score", str(folder.path), "--json")
    document = json.loads(done.stdout)
    assert (document["episodes"], document["planned"]) == (8, 8)
    seer, poor = document["scores"]
    assert (seer["agent"], seer["task"], seer["n"]) == ("seer", "pointnav-v1", 4)
    assert seer["metrics"]["success"]["mean"] == 1.0
    assert seer["metrics"]["success"]["method"] == "wilson"
    spl = poor["metrics"]["spl"]
    assert spl["mean"] == 0.25
    assert spl["low"] < 0.25 < spl["high"]
    assert {"ndtw", "cls", "sdtw", "collisions", "steps"} <= set(seer["metrics"])


def test_an_unfinished_run_is_scored_as_far_as_it_came(folder: RunFolder) -> None:
    folder.trace_path(folder.keys()[-1]).unlink()
    done = navproof("score", str(folder.path))
    assert "7 of 8 episodes" in done.stdout
    assert len(folder.results()) == 7


def test_neither_simulator_nor_agent_is_imported(folder: RunFolder) -> None:
    code = (
        "import sys; from navproof.cli.main import app\n"
        f"app(['score', {str(folder.path)!r}, '--json'], standalone_mode=False)\n"
        "rooms = {m.split('.')[1] for m in sys.modules if m.startswith('navproof.')}\n"
        "print(sorted(rooms), file=sys.stderr)\n"
        "assert not rooms & {'sim', 'world', 'env', 'agents', 'tasks', 'runner', 'sensors'}\n"
        "assert 'numba' not in sys.modules\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_bad_input_gets_one_line(folder: RunFolder, tmp_path: Path) -> None:
    assert "does not exist" in refusal("score", str(tmp_path / "no"))
    assert "is not a run folder" in refusal("score", str(tmp_path))
    path = folder.trace_path(folder.keys()[0])
    path.write_bytes(path.read_bytes()[:-20])
    assert f"{path}: the trace is cut short" in refusal("score", str(folder.path))


def test_a_run_without_traces_is_said_so(tmp_path: Path) -> None:
    folder = sample_run(tmp_path / "run", {"a": [True]})
    folder.trace_path(folder.keys()[0]).unlink()
    assert "has no traces yet" in refusal("score", str(folder.path))
