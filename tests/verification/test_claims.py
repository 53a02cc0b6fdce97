"""Runs whose every digest is right, and that are not what they say: each is refuted, or not
verified."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from navproof.api.verify import Verification, verify
from navproof.core.types import Episode
from navproof.log.folder import RunFolder, Skipped
from navproof.log.storage import encode_trace
from navproof.log.trace import Trace
from navproof.runner.identity import episodes_digest, hash_of
from navproof.runner.run import run
from navproof.runner.spec import RunSpec

TASKS = ["objectnav-v1", "pointnav-v1", "vln-v1"]


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A random agent in three of the episodes of ``mini``, clean and with slipping wheels."""
    path = tmp_path_factory.mktemp("claims") / "run"
    run(RunSpec(("random",), "mini", conditions=("wheel_slip",), episode_limit=3), path)
    return path


@pytest.fixture
def folder(played: Path, tmp_path: Path) -> RunFolder:
    return RunFolder(shutil.copytree(played, tmp_path / "run"))


def verified(folder: RunFolder) -> Verification:
    return verify(RunFolder(folder.path), workers=1, progress=False)


def describe(folder: RunFolder, **changes: Any) -> None:
    """Describe the run otherwise, with the hash that belongs to that."""
    spec = {**folder.info.spec, **changes}
    folder.create(replace(folder.info, spec=spec, spec_hash=hash_of(spec)))


def rewrite(folder: RunFolder, change: Callable[[Trace], Trace]) -> None:
    """Change every trace, with all digests; the table is left away."""
    episodes: dict[str, Episode] = {}
    lines = []
    for key in [*folder.keys()]:
        trace = change(folder.trace(key))
        episodes.setdefault(key.episode_id, trace.episode)
        path, data = folder.trace_path(key), encode_trace(trace)
        path.write_bytes(data)
        digest = hashlib.sha256(data).hexdigest()
        lines.append({"file": path.relative_to(folder.path).as_posix(), "sha256": digest})
    folder.manifest.path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    (folder.path / "results.parquet").unlink(missing_ok=True)
    describe(folder, episodes=episodes_digest(episodes[e] for e in folder.info.episodes))


def easier(trace: Trace) -> Trace:
    """The goal is where the robot stands."""
    start = trace.episode.start
    goal = replace(trace.episode.goals[0], positions=((start.x, start.y, start.z),))
    return replace(trace, episode=replace(trace.episode, goals=(goal,)))


def test_an_honest_run_is_verified_and_says_how_much_of_its_suite_it_holds(
    folder: RunFolder,
) -> None:
    found = verified(folder)
    assert (found.verdict, found.found.faults, found.found.gaps) == ("verified", (), ())
    assert found.found.notes[0] == "it holds 3 of 36 episodes of suite 'mini'"
    (folder.path / "results.parquet").unlink()
    assert "there is no results.parquet" in verified(folder).found.gaps[0]


def test_rows_are_compared_though_traces_were_written_since(folder: RunFolder) -> None:
    """A table that is out of date is no way around that."""
    rows = folder.results()
    first = next(folder.traces())
    folder.write(replace(first, timing={}))
    assert verified(folder).verdict == "verified"
    folder.write_results([row | {"success": 1.0, "spl": 1.0} for row in rows])
    folder.write(first)
    assert verified(folder).verdict == "refuted"


def test_what_was_not_simulated_is_not_verified(folder: RunFolder) -> None:
    zeros = lambda trace: replace(trace, distances_m=(0.0,) * len(trace.distances_m))  # noqa: E731
    rewrite(folder, zeros)
    describe(folder, scenes={**folder.info.spec["scenes"], "": "x"})
    found = verified(folder)
    assert found.verdict == "refuted"
    assert {row["verdict"] for row in found.rows} == {"refuted"}
    assert "run.json does not describe the scenes of its episodes" in found.found.faults


@pytest.mark.parametrize("label", [{}, {"robots": ["stretch"]}, {"robots": ["carter"]}])
def test_easier_episodes_are_none_of_the_suite(folder: RunFolder, label: dict[str, Any]) -> None:
    rewrite(folder, easier)
    describe(folder, **label)
    found = verified(folder)
    told = " ".join((*found.found.faults, *found.found.gaps))
    assert found.verdict != "verified"
    assert "are not those that" in told or "no robot 'stretch'" in told


def test_easier_episodes_under_one_condition_alone(folder: RunFolder) -> None:
    honest = folder.info.spec["episodes"]
    rewrite(folder, lambda t: t if t.key.condition == "wheel_slip" else easier(t))
    describe(folder, episodes=honest, suite="my_own.jsonl")
    assert "3 episodes are not those that the run describes" in verified(folder).found.faults[0]


def test_a_robot_or_an_easier_goal_that_the_run_does_not_describe(folder: RunFolder) -> None:
    def another(trace: Trace) -> Trace:
        episode = replace(trace.episode, robot="h1")
        return replace(trace, episode=episode, spec=replace(trace.spec, success_m=100.0))

    rewrite(folder, another)
    describe(folder, suite="my_own.jsonl")
    (told, *_) = verified(folder).found.faults
    assert "was played by other settings of" in told


def test_another_version_is_at_most_not_verifiable(folder: RunFolder) -> None:
    describe(folder, navproof="0.1.9")
    found = verified(folder)
    assert "traces were written by navproof 0.2.0, and the run says 0.1.9" in found.found.faults
    rewrite(folder, lambda t: replace(t, facts={**t.facts, "navproof": "0.1.9"}))
    found = verified(folder)
    assert (found.verdict, found.found.faults) == ("unverifiable", ())
    assert any("written by navproof 0.1.9, and this is 0.2.0" in gap for gap in found.found.gaps)


def test_a_public_run_is_not_salted_by_saying_so(folder: RunFolder) -> None:
    describe(folder, salt="0123456789ab")
    found = verified(folder)
    assert found.verdict == "refuted"
    assert "is not made with that salt" in found.found.faults[0]
    assert "--salt FILE" in found.found.gaps[0]
    assert not any("salted" in note for note in found.found.notes)


def test_episodes_that_are_left_away(folder: RunFolder) -> None:
    info = folder.info
    last = info.episodes[-1]
    for key in [*folder.keys()]:
        if key.episode_id != last:
            folder.trace_path(key).unlink()
    tasks = {info.tasks[-1]: info.spec["tasks"][info.tasks[-1]]}
    folder.create(replace(info, episodes=(last,), tasks=info.tasks[-1:]))
    told = "run.json was edited: it plans other episode_count than it describes"
    assert told in verified(folder).found.faults
    scene = next(t.episode.scene for t in RunFolder(folder.path).traces())
    describe(folder, episode_count=1, tasks=tasks, scenes={scene: info.spec["scenes"][scene]})
    rewrite(folder, lambda trace: trace)
    told = "its episodes are not those that a run of 1 episodes takes of suite 'mini'"
    assert told in verified(folder).found.faults


def test_tasks_and_conditions_that_are_left_away(folder: RunFolder) -> None:
    info = folder.info
    skips = tuple(
        Skipped("random", task, condition, "it has no such sensor")
        for task in TASKS[1:]
        for condition in info.conditions
    )
    for key in [*folder.keys()]:
        if TASKS[0].removesuffix("-v1") not in key.episode_id:
            folder.trace_path(key).unlink()
    folder.create(replace(info, skipped=skips))
    assert (
        "run.json leaves out other episodes than those its agents cannot do"
        in verified(folder).found.faults
    )
    folder.create(replace(info, conditions=("clean",)))
    told = "run.json was edited: it plans other conditions than it describes"
    assert told in verified(folder).found.faults


def test_no_code_that_comes_with_a_run_is_run(folder: RunFolder, tmp_path: Path) -> None:
    ran = tmp_path / "ran"
    evil = folder.path / "evil.py"
    evil.write_text(f"open({str(ran)!r}, 'w')\nclass Sim: pass\n")
    name = f"{evil}:Sim"
    plugin = {"kind": "simulator", "name": name, "source": "evil.py:Sim", "digest": "0" * 12}
    for plugins in ([], [plugin]):
        describe(folder, simulator=name, plugins=plugins)
        found = verified(folder)
        assert found.verdict != "verified"
        assert any("no code from there is run" in gap for gap in found.found.gaps)
    assert not ran.exists()
