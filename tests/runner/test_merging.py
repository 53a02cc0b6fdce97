"""Shards on several machines are one run: the same identity, traces and results."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest

import navproof as nv
import runner_fakes as fakes
from navproof.core.errors import RunError, SpecError
from navproof.core.lock import locked
from navproof.log import RunFolder, Trace
from navproof.log.shard import Shard
from navproof.runner import RunSpec
from navproof.runner import merging as module
from navproof.runner.merging import merge_runs
from navproof.runner.run import run

COUNT = 3
EPISODES = fakes.tiny_episodes(3)


def spec(**changes: Any) -> RunSpec:
    names = ("runner_fakes:Walker", "runner_fakes:SaysWhy")
    usual = RunSpec(names, "tiny", simulator=fakes.SIMULATOR, seeds=(0, 1))
    return replace(usual, **changes)


def part(out: Path, index: int, **changes: Any) -> RunFolder:
    return run(spec(**changes), out, episodes=EPISODES, shard=Shard(index, COUNT))


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> RunFolder:
    return run(spec(), tmp_path_factory.mktemp("one") / "run", workers=2, episodes=EPISODES)


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    base = tmp_path_factory.mktemp("shards")
    return [part(base / f"shard-{i}", i).path for i in range(1, COUNT + 1)]


@pytest.fixture
def shards(played: list[Path], tmp_path: Path) -> list[Path]:
    """Copies, to be damaged."""
    return [Path(shutil.copytree(path, tmp_path / path.name)) for path in played]


def files(folder: RunFolder, *names: str) -> dict[str, bytes]:
    """What is in a run folder, by its path there."""
    paths = [path for path in folder.path.rglob("*") if path.is_file()]
    found = {path.relative_to(folder.path).as_posix(): path.read_bytes() for path in paths}
    return {name: data for name, data in found.items() if not names or name.startswith(names)}


def contents(folder: RunFolder) -> list[Trace]:
    return [replace(trace, timing={}) for trace in folder.traces()]


def test_the_run_of_all_shards_is_that_of_one_machine(
    whole: RunFolder, shards: list[Path], tmp_path: Path
) -> None:
    merged = merge_runs(shards, tmp_path / "merged")
    assert (merged.path / "run.json").read_bytes() == (whole.path / "run.json").read_bytes()
    assert merged.info == whole.info
    assert contents(merged) == contents(whole)
    assert merged.keys() == merged.info.planned()
    assert files(merged, "logs") == files(whole, "logs") != {}

    # To the byte, given the seconds that these machines took: as one that wrote these traces.
    one = RunFolder(shutil.copytree(whole.path, tmp_path / "one"))
    for trace in merged.traces():
        one.write(trace)
    nv.score(one)
    assert files(one, "traces", "results") == files(merged, "traces", "results")
    assert one.manifest.digest() == merged.manifest.digest()
    merged.check_results()


def test_the_order_of_the_folders_does_not_matter(shards: list[Path], tmp_path: Path) -> None:
    found = [
        files(merge_runs(order, tmp_path / f"merged-{number}"))
        for number, order in enumerate(permutations(shards))
    ]
    assert all(one == found[0] for one in found[1:])


def test_a_merged_run_is_complete_and_resumes_to_nothing(
    shards: list[Path], tmp_path: Path
) -> None:
    merged = merge_runs(shards, tmp_path / "merged")
    before = files(merged)
    run(spec(), merged.path, episodes=EPISODES)
    assert files(merged, "traces", "run.json") == {
        name: data for name, data in before.items() if name.startswith(("traces", "run.json"))
    }
    again = nv.merge([merged], tmp_path / "again", progress=False)
    assert files(again.folder, "traces", "results", "run.json") == {
        name: before[name] for name in before if name.startswith(("traces", "results", "run.json"))
    }


def test_a_shard_plays_its_part_and_resumes_it(shards: list[Path]) -> None:
    folder = RunFolder(shards[1])
    assert folder.keys() == folder.info.assigned(Shard(2, COUNT))
    assert len(folder.results()) == 4
    folder.trace_path(folder.keys()[0]).unlink()
    left = folder.keys()
    kept = {key: folder.trace_path(key).read_bytes() for key in left}
    part(folder.path, 2)
    assert folder.keys() == folder.info.assigned()
    assert len(kept) == 3
    assert all(folder.trace_path(key).read_bytes() == data for key, data in kept.items())


def test_a_folder_has_one_shard(shards: list[Path]) -> None:
    with pytest.raises(RunError, match="holds shard 2/3 of this run, and this is shard 1/3"):
        part(shards[1], 1)
    with pytest.raises(RunError, match="and this is the whole: choose another -o"):
        run(spec(), shards[1], episodes=EPISODES)


def test_there_are_no_more_shards_than_episodes(tmp_path: Path) -> None:
    with pytest.raises(SpecError, match=r"--shard 1/13: the run has 12 episodes"):
        run(spec(), tmp_path / "r", episodes=EPISODES, shard=Shard(1, 13))
    assert not (tmp_path / "r").exists()


def drop(count: int) -> Callable[[list[Path]], list[Path]]:
    """So many traces of the second shard are not there."""

    def dropped(shards: list[Path]) -> list[Path]:
        folder = RunFolder(shards[1])
        for key in folder.keys()[:count]:
            folder.trace_path(key).unlink()
        return shards

    return dropped


def changed(shards: list[Path]) -> list[Path]:
    """A trace that the run did not write, though it could have."""
    folder = RunFolder(shards[1])
    key = folder.keys()[0]
    trace = folder.trace(key)
    manifest = folder.manifest.path.read_bytes()
    folder.write(replace(trace, actions=("stop", *trace.actions[1:]), timing={}))
    folder.manifest.path.write_bytes(manifest)
    return shards


def twice(shards: list[Path]) -> list[Path]:
    """Another folder has the same episode, played at another time."""
    copy = RunFolder(shutil.copytree(shards[1], shards[1].with_name("copy")))
    trace = copy.trace(copy.keys()[0])
    copy.write(replace(trace, timing={"act": tuple(0.5 for _ in trace.actions)}))
    return [*shards, copy.path]


def edited(shards: list[Path]) -> list[Path]:
    """One whose plan is another, with the hash of the others."""
    file = shards[1] / "run.json"
    plain = json.loads(file.read_text())
    plain["seeds"] = [0, 7]
    file.write_text(json.dumps(plain))
    return shards


def other_hash(shards: list[Path]) -> list[Path]:
    file = shards[1] / "run.json"
    plain = json.loads(file.read_text())
    plain["spec"]["seeds"], plain["spec_hash"] = [0, 7], "f" * 12
    file.write_text(json.dumps(plain))
    return shards


@pytest.mark.parametrize(
    ("damage", "says"),
    [
        (lambda shards: shards[:2], "4 of 12 episodes are missing: shard 3/3 is not among"),
        (drop(2), r"2 of 12 .*shard-2 \(shard 2/3\) lacks 2 of its 4, which the same"),
        (changed, "was changed after the run: its digest is not that in manifest"),
        (twice, "are two different traces of one episode"),
        (edited, "plan different episodes of the same run"),
        (other_hash, r"are not of the same run \(seeds: \[0, 1\] in .*shard-1, \[0, 7\] in"),
        (lambda shards: [*shards, shards[0]], "shard-1 is given twice"),
        (lambda shards: [*shards, shards[0].parent / "none"], "none does not exist"),
    ],
)
def test_what_cannot_be_merged_is_told_and_nothing_is_left(
    damage: Callable[[list[Path]], list[Path]], says: str, shards: list[Path], tmp_path: Path
) -> None:
    given = damage(shards)
    before = sorted(tmp_path.iterdir())
    with pytest.raises((RunError, SpecError), match=says) as refused:
        merge_runs(given, tmp_path / "merged")
    assert "\n" not in str(refused.value)
    assert sorted(tmp_path.iterdir()) == before


def test_the_same_trace_in_two_folders_is_one(shards: list[Path], tmp_path: Path) -> None:
    copy = Path(shutil.copytree(shards[1], tmp_path / "copy"))
    first = merge_runs(shards, tmp_path / "first")
    second = merge_runs([copy, *shards], tmp_path / "second")
    assert files(first) == files(second)


def test_what_was_played_stands_against_what_could_not_be(
    shards: list[Path], tmp_path: Path
) -> None:
    copy = RunFolder(shutil.copytree(shards[1], tmp_path / "copy"))
    trace = copy.trace(copy.keys()[0])
    copy.write(replace(trace, status="infrastructure", reason="the disk was full"))
    merged = merge_runs([copy.path, *shards], tmp_path / "merged")
    assert merged.trace(trace.key).status == trace.status == "ok"


def test_versions_that_differ_are_all_told(shards: list[Path], tmp_path: Path) -> None:
    file = shards[2] / "run.json"
    plain = json.loads(file.read_text())
    was = plain["versions"]["numpy"]
    plain["versions"] |= {"numpy": "0.1", "confinement": "files, signals"}
    file.write_text(json.dumps(plain))
    told: list[str] = []

    class Listener:
        def announce(self, text: str) -> None:
            told.append(text)

        def copied(self, done: int, total: int) -> None:
            assert 0 < done <= total == 12

    merged = merge_runs(shards, tmp_path / "merged", Listener())
    assert merged.info.versions["numpy"] == f"0.1, {was}"
    assert "files" not in merged.info.versions["confinement"]
    assert len(told) == 1
    assert f"numpy 0.1 and {was}" in told[0]


@pytest.mark.parametrize("out", ["shard-1", "shard-1/inside", "file", "full"])
def test_nothing_is_written_over(out: str, shards: list[Path], tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "notes.txt").write_text("mine")
    before = files(RunFolder(tmp_path))
    with pytest.raises((RunError, SpecError), match="choose another -o"):
        merge_runs(shards, tmp_path / out)
    assert files(RunFolder(tmp_path)) == before


def test_a_folder_in_use_is_not_read(shards: list[Path], tmp_path: Path) -> None:
    with locked(shards[0]), pytest.raises(RunError, match="is in use"):
        merge_runs(shards, tmp_path / "merged")


def test_a_merge_that_was_killed_is_begun_again(
    shards: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Until the run is whole, nothing is called by its name."""
    left = tmp_path / ".merged.merging"
    whole = merge_runs(shards, tmp_path / "merged").path
    shutil.copytree(whole, left)
    shutil.rmtree(whole)
    for path in list(left.rglob("*.json.gz"))[::2]:
        path.unlink()
    (left / "manifest.jsonl").write_bytes(b'{"file": "traces')
    (left / "results.parquet").unlink()

    def killed(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(module, "result_row", killed)
        with pytest.raises(KeyboardInterrupt):
            merge_runs(shards, tmp_path / "merged")
    assert not (tmp_path / "merged").exists()
    merged = merge_runs(shards, tmp_path / "merged")
    assert merged.keys() == merged.info.planned()
    merged.check_traces()
    assert not left.exists()
