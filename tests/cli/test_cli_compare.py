"""``navproof compare``: paired episodes, within one run and between two."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from cli_run_samples import navproof, refusal, sample_run

import navproof as nv
from navproof.log import RunFolder, Trace, TraceKey

GOOD, POOR = [True] * 12, [True] * 2 + [False] * 10


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("compare") / "run"
    return str(sample_run(path, {"good": GOOD, "file.py:Poor": POOR}).path)


def compare(*words: str) -> dict[str, dict[str, object]]:
    done = navproof("compare", *words, "--json")
    assert done.returncode == 0, done.stderr
    return {line["metric"]: line for line in json.loads(done.stdout)["comparisons"]}


def test_two_agents_of_one_run(run: str) -> None:
    found = compare(f"{run}:good", f"{run}:file.py:Poor")
    success = found["success"]
    assert (success["a"], success["n"]) == (1.0, 12)
    assert success["difference"] == pytest.approx(10 / 12)
    assert (success["wins"], success["losses"], success["better"]) == (10, 0, "A")
    assert success["p_value"] == pytest.approx(2 / 2**10)
    assert success["test"] == "McNemar exact"
    assert success["low"] < success["difference"] < success["high"]
    error = found["navigation_error_m"]  # lower is better: less of it is a win
    assert error["difference"] == pytest.approx(-10 / 12)
    assert (error["wins"], error["losses"], error["better"]) == (10, 0, "A")


def test_only_the_traces_of_its_agents_are_read(run: str, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[TraceKey] = []
    whole = RunFolder.trace

    def noted(folder: RunFolder, key: TraceKey) -> Trace:
        read.append(key)
        return whole(folder, key)

    monkeypatch.setattr(RunFolder, "trace", noted)
    nv.compare((run, "good"), (run, "Poor"))
    assert len(read) == len(set(read)) == 24
    with pytest.raises(nv.NavproofError, match="has no agent 'gud'"):
        nv.compare((run, "gud"), (run, "Poor"))
    assert len(read) == 24


def test_a_class_alone_names_its_agent(run: str) -> None:
    assert compare(f"{run}:good", f"{run}:Poor") == compare(f"{run}:good", f"{run}:file.py:Poor")


def test_a_refusal_never_ends_in_an_abort(run: str) -> None:
    """Arrow's thread pool used to abort two of five processes that ended right after reading."""
    for _ in range(8):
        assert navproof("compare", f"{run}:nobody", f"{run}:good").returncode == 2


def test_the_table_names_everything(run: str) -> None:
    done = navproof("compare", f"{run}:good", f"{run}:file.py:Poor", "--metric", "SR", "-m", "spl")
    assert done.returncode == 0, done.stderr
    for text in ("SR", "SPL", "+0.833", "10 : 0", "McNemar exact: SR", "sign-flip"):
        assert text in done.stdout
    assert "NE" not in done.stdout


def test_two_runs_with_the_same_agents(run: str, tmp_path: Path) -> None:
    other = sample_run(tmp_path / "other", {"good": GOOD[:8], "file.py:Poor": GOOD[:8]})
    done = navproof("compare", run, str(other.path), "--json", "--metric", "success")
    document = json.loads(done.stdout)
    assert document["pairs"] == 16
    assert document["comparisons"][0]["losses"] == 6
    assert "left out: 8 of A, 0 of B" in document["notes"][0]


def test_by_task_keeps_tasks_apart(run: str) -> None:
    done = navproof("compare", f"{run}:good", f"{run}:good", "--by-task", "-m", "success")
    assert "pointnav-v1" in done.stdout
    assert "1.000" in done.stdout


def test_bad_input_gets_one_line(run: str, tmp_path: Path) -> None:
    def error(*words: str) -> str:
        return refusal("compare", *words)

    assert "nowhere does not exist" in error(f"{tmp_path}/nowhere", run)
    assert "has no agent 'god'; did you mean 'good'?" in error(f"{run}:god", f"{run}:good")
    assert "several agents (good, file.py:Poor); say which" in error(run, f"{run}:good")
    assert "no metric 'spll'; did you mean 'spl'?" in error(run, run, "--metric", "spll")
    other = sample_run(tmp_path / "vln", {"good": GOOD}, task="vln-v1")
    assert "no episode in common" in error(f"{run}:good", str(other.path))
