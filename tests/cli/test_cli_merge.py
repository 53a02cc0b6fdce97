"""``navproof merge``, and what the other commands say of one shard."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from cli_run_samples import navproof, refusal, sample_run
from trust_run_samples import called

from navproof.log import RunFolder
from navproof.log.shard import Shard
from navproof.metrics import result_rows

AGENTS = {"seer": [True] * 5, "poor": [True, False, False, False, True]}


@pytest.fixture
def whole(tmp_path: Path) -> RunFolder:
    return sample_run(tmp_path / "one", AGENTS)


@pytest.fixture
def shard(whole: RunFolder, tmp_path: Path) -> Callable[[int, int], RunFolder]:
    """One part of the sample run, as if it had been played alone."""

    def made(index: int, count: int) -> RunFolder:
        part = RunFolder(tmp_path / f"part-{index}")
        part.create(replace(whole.info, shard=Shard(index, count)))
        for key in part.info.assigned():
            part.write(whole.trace(key))
        part.write_results(result_rows(part.traces()))
        return part

    return made


def test_shards_become_one_run(
    whole: RunFolder, shard: Callable[[int, int], RunFolder], tmp_path: Path
) -> None:
    parts = [str(shard(index, 3).path) for index in (2, 3, 1)]
    done = navproof("merge", *parts, "-o", str(tmp_path / "all"))
    assert done.returncode == 0, done.stderr
    assert "10 episodes from 3 folders" in done.stdout
    assert whole.manifest.digest() in done.stdout
    merged = RunFolder(tmp_path / "all")
    for name in ("run.json", "results.parquet"):
        assert (merged.path / name).read_bytes() == (whole.path / name).read_bytes()
    told = json.loads(called("merge", *parts, "-o", str(tmp_path / "b"), "--json").stdout)
    assert (told["episodes"], told["digest"]) == (10, whole.manifest.digest())


def test_merging_refuses_in_one_line(
    shard: Callable[[int, int], RunFolder], tmp_path: Path
) -> None:
    part, out = str(shard(1, 3).path), str(tmp_path / "all")
    assert "7 of 10 episodes are missing: shard 2/3 is not among" in refusal(
        "merge", part, "-o", out
    )
    assert "part-1 is read" in refusal("merge", part, "-o", part)
    assert "is not a run folder" in refusal("merge", part, str(tmp_path), "-o", out)
    assert "Missing" in refusal("merge", "-o", out)
    assert not Path(out).exists()


def test_a_gate_passes_no_shard_unless_asked(shard: Callable[[int, int], RunFolder]) -> None:
    part = str(shard(1, 3).path)
    words = ("gate", part, "--agent", "seer", "--min", "sr.clean=0.5")
    assert "is shard 1/3 of a run, which is judged as a whole" in refusal(*words)
    done = called(*words, "--allow-shard")
    assert done.returncode == 0
    assert "shard 1/3 of a run: 3 of its 10 episodes" in " ".join(done.stdout.split())
    assert json.loads(called(*words, "--allow-shard", "--json").stdout)["shard"] == "1/3"
    key = RunFolder(part).keys()[0]
    RunFolder(part).trace_path(key).unlink()
    assert "is not finished: traces of 2 of 3" in refusal(*words, "--allow-shard")


def test_scores_verdicts_and_reports_say_which_part_it_is(
    shard: Callable[[int, int], RunFolder], tmp_path: Path
) -> None:
    part = str(shard(2, 3).path)
    scores = called("score", part)
    assert "shard 2/3 of a run: 3 of its 10 episodes" in " ".join(scores.stdout.split())
    assert "the run is not finished" not in scores.stdout
    told = json.loads(called("score", part, "--json").stdout)
    assert (told["shard"], told["planned"], told["episodes"]) == ("2/3", 3, 3)
    verdict = json.loads(called("verify", part, "--json").stdout)
    assert verdict["shard"] == "2/3"
    assert any("shard 2/3 of a run" in gap for gap in verdict["gaps"])
    allowed = json.loads(called("verify", part, "--json", "--allow-shard").stdout)
    assert not any("shard" in gap for gap in allowed["gaps"])
    assert any("shard 2/3 of a run" in note for note in allowed["notes"])
    sides = f"{part}:seer", f"{part}:poor"
    compared = json.loads(called("compare", *sides, "--json").stdout)
    assert sum("shard 2/3 of a run" in note for note in compared["notes"]) == 1
    page = tmp_path / "page.html"
    assert called("report", part, "-o", str(page)).returncode == 0
    assert "is shard 2/3 of a run: 3 of 10 episodes" in page.read_text()
    assert "--shard 2/3" in page.read_text()


def test_a_whole_run_says_nothing_of_shards(whole: RunFolder, tmp_path: Path) -> None:
    assert "shard" not in called("score", str(whole.path)).stdout
    assert json.loads(called("score", str(whole.path), "--json").stdout)["shard"] is None
    copy = Path(shutil.copytree(whole.path, tmp_path / "copy"))
    done = called("merge", str(copy), "-o", str(tmp_path / "again"))
    assert "10 episodes from 1 folder)" in " ".join(done.stdout.split())


@pytest.mark.parametrize("text", ["0/2", "3/2", "2", "a/b"])
def test_shards_that_there_are_not_are_refused_at_once(text: str, tmp_path: Path) -> None:
    told = refusal("run", "-a", "oracle", "--shard", text, "-o", str(tmp_path / "r"))
    assert "shard" in told
    assert not (tmp_path / "r").exists()
