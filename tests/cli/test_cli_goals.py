"""``score`` and ``compare`` of goals in words."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from cli_run_samples import navproof, refusal, sample_run

from langnav_samples import langnav_run

AGENTS = {
    "mlfm": ["www", "wwd", "wmw", "www", "wwe", "www"],
    "mlfm@layers=1": ["ddw", "ddt", "dmw", "dtw", "ddw", "dww"],
}


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = langnav_run(tmp_path_factory.mktemp("goals") / "run", AGENTS)
    assert navproof("score", str(path), "--json").returncode == 0
    return str(path)


def test_score_shows_goals_by_feature_and_by_failure(run: str) -> None:
    done = navproof("score", run)
    assert done.returncode == 0, done.stderr
    for text in ("goal SR", "goal SPL", "mlfm@layers=1", "colour", "support", "wrong", "100.0"):
        assert text in done.stdout
    assert "nDTW" not in done.stdout  # defined in no episode
    assert max(map(len, done.stdout.splitlines())) <= 100


def test_score_groups_as_asked(run: str) -> None:
    done = navproof("score", run, "--by", "order", "--spl")
    assert "1st" in done.stdout
    assert "SPL by order of goals" in done.stdout
    assert "colour" not in done.stdout
    assert "tag" in refusal("score", run, "--by", "colour")


def test_json_has_every_group(run: str) -> None:
    document = json.loads(navproof("score", run, "--json").stdout)
    first, second = document["goals"]
    assert (second["agent"], second["goals"], second["episodes"]) == ("mlfm@layers=1", 18, 6)
    assert first["sr"]["mean"] == pytest.approx(15 / 18)
    assert first["by"]["tag"]["colour"] == first["by"]["order"]["1st"]
    assert first["by"]["tag"]["texture"]["mean"] is None
    assert first["spl_by"]["order"]["1st"]["mean"] == pytest.approx(1.0)
    assert first["failures"] == {"wrong detection": 1, "wrong goal on map": 1, "all explored": 1}
    assert document["scores"][0]["metrics"]["goal_sr"]["mean"] == pytest.approx(15 / 18)


def test_other_tasks_have_no_goals_in_sequence(tmp_path: Path) -> None:
    folder = sample_run(tmp_path / "run", {"a": [True, False]})
    document = json.loads(navproof("score", str(folder.path), "--json").stdout)
    assert document["goals"] == []
    assert "goal SR" not in navproof("score", str(folder.path)).stdout
    assert "--by tag is for tasks with" in refusal("score", str(folder.path), "--by", "tag")
    place = f"{folder.path}:a"
    assert "several goals" in refusal("compare", place, place, "--by", "tag")


def test_compare_by_feature_pairs_goals_and_flips_episodes(run: str) -> None:
    words = ("compare", f"{run}:mlfm", f"{run}:mlfm@layers=1", "--by", "tag")
    found = json.loads(navproof(*words, "--json").stdout)["comparisons"]
    lines = {line["metric"]: line for line in found}
    colour = lines["tag:colour"]
    assert (colour["a"], colour["b"], colour["n"]) == (1.0, 0.0, 6)
    assert colour["p_value"] == pytest.approx(2 / 2**6)
    assert (colour["wins"], colour["losses"], colour["better"]) == (6, 0, "A")
    assert lines["tag:no"]["b"] == pytest.approx(1 / 6)
    assert "tag:texture" not in lines
    assert lines["goal_sr"]["difference"] == pytest.approx((15 - 6) / 18)
    table = navproof(*words).stdout
    assert "colour" in table
    assert "SR of goals by tag" in table


def test_names_with_options_are_found_again(run: str) -> None:
    found = navproof("compare", f"{run}:mlfm@layers=1", f"{run}:mlfm", "-m", "goal_sr", "--json")
    (line,) = json.loads(found.stdout)["comparisons"]
    assert line["a"] == pytest.approx(6 / 18)
    assert "mlfm@layers=1" in refusal("compare", f"{run}:mlfm@layer=1", f"{run}:mlfm")
