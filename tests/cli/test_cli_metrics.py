"""Metrics of one's own through the command line, from a folder outside the package."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from cli_run_samples import navproof, refusal, sample_run

from navproof.log import RunFolder
from navproof.metrics import METRICS, built_in

AGENTS = {"seer": [True] * 4, "poor": [True, False, False, False]}
SOURCE = '''
import navproof as nv

def jerk(trace):
    """Metres walked with each action."""
    metres = sum(((a.x - b.x) ** 2) ** 0.5 for a, b in zip(trace.poses, trace.poses[1:]))
    return metres / len(trace.actions)

@nv.register_metric("hits", label="Hits", unit="bumps", better="lower", source="me")
def _(trace):
    """How often it ran into something."""
    return sum(trace.collisions)

def spl(trace):
    return 1.0

def broken(trace):
    return 1 / 0
'''


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> RunFolder:
    for name in ("_things", "_registered"):
        monkeypatch.setattr(METRICS, name, dict(getattr(METRICS, name)))
    monkeypatch.chdir(tmp_path)
    Path("my.py").write_text(SOURCE)
    return sample_run(Path("runs") / "one", AGENTS)


def test_a_run_is_scored_by_a_file_beside_it(folder: RunFolder) -> None:
    before = folder.results()
    done = navproof("score", "runs/one", "--metric", "my.py:jerk,my.py:_")
    assert done.returncode == 0, done.stderr
    assert "jerk" in done.stdout
    assert "Hits (bumps)" in done.stdout
    assert "0.500" in done.stdout
    rows = folder.results()
    assert [row["jerk"] for row in rows] == [0.5] * 5 + [0.0] * 3
    assert [row["hits"] for row in rows] == [0.0] * 5 + [1.0] * 3
    names = [name for name in rows[0] if name not in ("jerk", "hits")]
    assert [{k: row[k] for k in names} for row in rows] == before


def test_the_run_remembers_it_wherever_one_stands(
    folder: RunFolder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    spec_hash = folder.info.spec_hash
    navproof("score", "runs/one", "--metric", "my.py:jerk")
    assert folder.info.spec_hash == spec_hash
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    again = navproof("score", "../runs/one", "--json")
    assert again.returncode == 0, again.stderr
    document = json.loads(again.stdout)
    assert document["scores"][0]["metrics"]["jerk"]["mean"] == 0.5
    assert document["notes"] == []
    compared = navproof("compare", "../runs/one:seer", "../runs/one:poor", "-m", "jerk")
    assert compared.returncode == 0, compared.stderr
    assert "0.500" in compared.stdout
    assert "0.125" in compared.stdout
    (tmp_path / "my.py").unlink()
    without = navproof("score", "../runs/one")
    assert without.returncode == 0, without.stderr
    assert "a metric 'jerk' that is left out" in without.stdout
    assert "pointnav-v1" in without.stdout


def test_a_broken_metric_loses_its_numbers_alone(folder: RunFolder) -> None:
    done = navproof("score", "runs/one", "--metric", "my.py:broken")
    assert done.returncode == 0, done.stderr
    told = [line for line in done.stdout.splitlines() if "my.py:broken" in line]
    assert len(told) == 1
    assert "no number for 8 of 8 episodes; first seer in pointnav-v1-0: ZeroDivisionE" in told[0]
    assert all(row["broken"] is None and row["success"] is not None for row in folder.results())


def test_two_agents_are_compared_by_it(folder: RunFolder) -> None:
    sides = ("runs/one:seer", "runs/one:poor")
    done = navproof("compare", *sides, "--metric", "my.py:_", "-m", "SR", "--json")
    assert done.returncode == 0, done.stderr
    hits, won = json.loads(done.stdout)["comparisons"]
    assert (hits["metric"], hits["label"], hits["a"], hits["b"]) == ("hits", "Hits", 0.0, 0.75)
    assert (hits["wins"], hits["losses"]) == (3, 0)  # fewer is better
    assert won["metric"] == "success"
    assert "hits" not in folder.results()[0]


def test_a_built_in_metric_that_is_named_is_shown(folder: RunFolder) -> None:
    assert "DTW (m)" not in navproof("score", "runs/one").stdout
    assert "DTW (m)" in navproof("score", "runs/one", "--metric", "dtw_m").stdout
    assert folder.info.metrics == ()


def test_columns_that_a_task_does_not_define_are_left_out(folder: RunFolder) -> None:
    done = navproof("score", "runs/one")
    assert "nDTW" not in done.stdout
    assert "soft-SPL" in done.stdout
    assert all(row["ndtw"] is None for row in folder.results())


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("my.py:spl", "called like the built-in metric 'spl' (SPL); give yours another name"),
        ("my.py:jerc", "has no 'jerc'; did you mean 'jerk'?"),
        ("your.py:jerk", "there is no file your.py"),
        ("my.py", "names a file: write my.py:NAME"),
        ("ndwt", "there is no metric 'ndwt'; did you mean 'ndtw'?"),
    ],
)
def test_bad_names_get_one_line(folder: RunFolder, name: str, words: str) -> None:
    for command in (("score", "runs/one"), ("compare", "runs/one:seer", "runs/one:poor")):
        assert words in refusal(*command, "--metric", name)
    assert words in refusal("report", "runs/one", "--metric", name)
    assert words in refusal("metrics", "list", name)
    assert folder.info.metrics == ()


def test_what_there_is_can_be_listed(folder: RunFolder) -> None:
    listed = json.loads(navproof("metrics", "list", "--json").stdout)
    assert [one["name"] for one in listed] == list(built_in())
    assert all(one["definition"] and one["source"] for one in listed)
    assert "SPL ↑" in navproof("metrics", "list").stdout
    mine = navproof("metrics", "list", "my.py:_", "NE", "--sources")
    assert "Hits ↓" in mine.stdout
    assert "NE ↓" in mine.stdout
    assert "full-SR" not in mine.stdout
