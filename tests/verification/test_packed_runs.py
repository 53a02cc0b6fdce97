"""Runs of packed suites play and are verified elsewhere, under later versions, and against the
pack."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import navproof as nv
import packed_samples as samples
from navproof.api.suite import pack_suite
from navproof.api.verify import verify
from navproof.core.errors import NavproofError, RunError, SpecError
from navproof.log.folder import RunFolder
from navproof.log.storage import decode_trace, encode_trace
from navproof.log.trace import Trace
from navproof.play.worker import Worker
from navproof.runner.identity import episodes_digest, hash_of
from navproof.runner.plan import plan, task_specs
from navproof.runner.spec import RunSpec
from navproof.sim.embedded import EmbeddedSimulator
from navproof.tasks.episodes import write_episodes
from navproof.tasks.specs import spec_hash
from navproof.tasks.suites import load_suite
from navproof.tasks.suites.pack import open_pack
from navproof.verification.again import session_of, simulated_again
from navproof.verification.compare import difference
from navproof.verification.packed import PackedRun

POINTNAV = "tiny-pointnav-v1"


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    samples.own_cache(monkeypatch, tmp_path)


@pytest.fixture
def kept(tmp_path: Path) -> RunFolder:
    """A copy of the run that is kept, to be spoiled."""
    return RunFolder(shutil.copytree(samples.RUN, tmp_path / "run"))


def verified(folder: RunFolder, **options: Any) -> nv.Verification:
    return verify(RunFolder(folder.path), workers=1, progress=False, **options)


# ----------------------------------------------------------------------------- later versions
def test_a_later_version_plays_the_kept_suite_to_the_same_traces(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """All of it in this process, in which everything is a later version's."""
    samples.later_version(monkeypatch)
    pack = open_pack(samples.SUITE)
    pack.unpack()
    spec = RunSpec(samples.AGENTS, str(samples.SUITE))
    jobs = plan(
        spec, pack.episodes, task_specs(spec, pack.episodes, pack.settings), (), pack.settings
    )
    there = {trace.key: trace for trace in RunFolder(samples.RUN).traces()}
    assert len(jobs) == len(there) == 24
    worker = Worker(in_process=True)
    for job in jobs:
        trace = worker.play(job)
        known = there[job.key]
        assert difference(known, decode_trace(encode_trace(trace), ""), over=True) is None
        assert trace.actions == known.actions
        assert trace.spec == known.spec


def test_a_later_version_verifies_the_kept_run(monkeypatch: pytest.MonkeyPatch) -> None:
    samples.later_version(monkeypatch)
    open_pack(samples.SUITE).unpack()
    sim = EmbeddedSimulator()
    for trace in RunFolder(samples.RUN).traces():
        session = session_of(trace, sim, words_as_heard=False)
        again = decode_trace(encode_trace(simulated_again(session, trace)), "")
        assert difference(trace, again, over=session.done) is None


def test_a_later_version_runs_and_verifies_from_the_front_door(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    samples.later_version(monkeypatch)
    run = nv.run("random", samples.SUITE, workers=1, out=tmp_path / "new", progress=False)
    columns = ("agent", "episode_id", "condition", "status", "success", "spl", "steps", "problem")
    there = [row for row in RunFolder(samples.RUN).results() if row["agent"] == "random"]
    for known, row in zip(there, run.rows, strict=True):
        assert {name: row[name] for name in columns} == {name: known[name] for name in columns}
    assert run.info.spec["pack"] == RunFolder(samples.RUN).info.spec["pack"]
    assert run.info.spec["tasks"] == RunFolder(samples.RUN).info.spec["tasks"]
    assert run.info.spec["navproof"] == "9.0.0"
    found = verify(samples.RUN, suite=samples.SUITE, workers=1, progress=False)
    assert found.verdict == "verified", found.table()


# --------------------------------------------------------------------------------- elsewhere
def test_without_its_scenes_a_run_cannot_be_verified_and_says_what_to_give(kept: RunFolder) -> None:
    blind = verified(kept)
    assert blind.verdict == "unverifiable"
    assert "comes with a packed suite, and is not on this machine" in blind.rows[0]["why"]
    assert "give it (--suite FILE)" in blind.found.notes[0]
    assert verified(kept, suite=samples.SUITE).verdict == "verified"
    again = verified(kept, sample=1)  # its scenes are here now
    assert again.verdict == "verified"
    assert "were not compared with those of packed suite tiny" in again.found.notes[0]


def test_another_suite_is_none(kept: RunFolder, tmp_path: Path) -> None:
    pack_suite(samples.episode_file(tmp_path), tmp_path / "other.suite", limit=2, progress=False)
    other = open_pack(tmp_path / "other.suite")
    with pytest.raises(SpecError, match=rf"was played on packed suite tiny .*{other.digest}"):
        verified(kept, suite=other.path)
    info = kept.info
    spec = {name: value for name, value in info.spec.items() if name != "pack"}
    kept.create(replace(info, spec=spec, spec_hash=hash_of(spec)))
    with pytest.raises(SpecError, match="was not played on a packed suite: leave --suite away"):
        verified(kept, suite=samples.SUITE)


# ------------------------------------------------------------------------------------ refuted
def edit(folder: RunFolder, episode_id: str, change: Callable[[Trace], Trace]) -> Trace:
    """Write all traces of an episode anew, with their digests, as somebody would who does not want
    it noticed: they follow from their actions. The results are left to be made again. One of the
    traces is returned."""
    sim = EmbeddedSimulator()
    keys = folder.keys()
    for key in keys:
        if key.episode_id != episode_id:
            continue
        path = folder.trace_path(key)
        trace = change(decode_trace(path.read_bytes(), ""))
        again = simulated_again(session_of(trace, sim, words_as_heard=False), trace)
        facts = {**trace.facts, "spec_hash": again.facts["spec_hash"]}
        trace = replace(again, facts=facts, timing={})
        path.write_bytes(encode_trace(trace))
        file = path.relative_to(folder.path).as_posix()
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
        with folder.manifest.path.open("a") as manifest:
            manifest.write(json.dumps({"file": file, "sha256": digest}) + "\n")
    (folder.path / "results.parquet").unlink(missing_ok=True)
    return trace


def describe_as(folder: RunFolder, **changes: Any) -> None:
    """The same run, described otherwise, with the hash that belongs to that."""
    spec = {**folder.info.spec, **changes}
    folder.create(replace(folder.info, spec=spec, spec_hash=hash_of(spec)))


def nearer(trace: Trace) -> Trace:
    """The goal is beside the start."""
    goal = replace(trace.episode.goals[0], positions=((-2.5, 1.0, 0.0),))
    return replace(trace, episode=replace(trace.episode, goals=(goal,)))


def easier(trace: Trace) -> Trace:
    return replace(trace, spec=replace(trace.spec, success_m=100.0))


def test_other_episodes_are_refuted_by_the_pack_alone(kept: RunFolder) -> None:
    episodes = load_suite(str(samples.SUITE))
    trace = edit(kept, POINTNAV, nearer)
    others = [trace.episode if e.episode_id == POINTNAV else e for e in episodes]
    describe_as(kept, episodes=episodes_digest(others))
    assert not verified(kept).found.faults
    found = verified(kept, suite=samples.SUITE)
    assert found.verdict == "refuted"
    assert "1 episodes are not those that the run describes" in found.found.faults[0]


def test_other_settings_are_refuted_by_the_pack_alone(kept: RunFolder) -> None:
    open_pack(samples.SUITE).unpack()
    trace = edit(kept, POINTNAV, easier)
    describe_as(kept, tasks={**kept.info.spec["tasks"], "pointnav-v1": spec_hash(trace.spec)})
    told = f"{POINTNAV} was played by other settings of pointnav-v1 than the packed suite has"
    told += " with what the run describes"
    assert told in verified(kept, suite=samples.SUITE).found.faults
    describe_as(kept, camera=[64, 64], sensors=[])  # which is not what was changed
    assert "than the packed suite has" in verified(kept, suite=samples.SUITE).found.faults[0]


def test_changes_that_cannot_be_read_are_told(kept: RunFolder) -> None:
    describe_as(kept, camera="large")
    run = PackedRun(kept, kept.info, open_pack(samples.SUITE))
    ((told,), gaps) = run.other_settings([])
    assert told.startswith("run.json does not say readably what it changed in settings (camera")
    assert gaps == []


# ---------------------------------------------------------------------------- playing a pack
def test_a_pack_is_played_as_the_suite_that_it_was_made_of(tmp_path: Path) -> None:
    source = samples.episode_file(tmp_path)
    made = pack_suite(source, tmp_path / "flat.suite", workers=1, progress=False)
    assert (made.name, made.episodes, made.scenes) == ("flat", 6, 1)
    sensors = tmp_path / "more.toml"
    sensors.write_text('[[sensor]]\nname = "gps"\nkind = "gps"\n')
    settings: dict[str, Any] = {
        "camera": (48, 32),
        "sensors": sensors,
        "limit": 5,
        "workers": 1,
        "progress": False,
    }
    before = nv.run("random", source, out=tmp_path / "before", **settings)
    after = nv.run("random", made.path, out=tmp_path / "after", **settings)
    for one, other in zip(before.traces(), after.traces(), strict=True):
        assert other.episode.scene.startswith("flat.scene#")
        scene = one.episode.scene
        assert replace(other.episode, scene=scene) == one.episode
        assert (one.poses, one.events, one.spec) == (other.poses, other.events, other.spec)
    found = verify(after, suite=made.path, workers=1, progress=False)
    assert found.verdict == "verified", found.table()
    assert after.info.spec["pack"] == {"name": "flat", "digest": made.digest}

    other = pack_suite(source, tmp_path / "few.suite", limit=5, progress=False)
    with pytest.raises(
        RunError, match=r"differs \(packed suite: flat \(sha256 .*there, flat \(sha"
    ):
        nv.run("random", other.path, out=tmp_path / "after", **settings)
    shutil.move(made.path, tmp_path / "renamed.suite")  # what a file is called does not count
    nv.run("random", tmp_path / "renamed.suite", out=tmp_path / "after", **settings)


TASK = """
from dataclasses import replace
from navproof.tasks import TASKS
PATROL = replace(TASKS["pointnav-v1"], tiny=None)
"""


def test_what_a_pack_cannot_hold_must_be_what_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "own.py").write_text(TASK)
    scene = samples.episode_file(tmp_path).with_name("flat.scene")
    patrol = [replace(e, task="own.py:PATROL") for e in samples.episodes(str(scene))[3:4]]
    write_episodes("own.jsonl", patrol)
    pack_suite("own.jsonl", "own.suite", workers=1, progress=False)
    (need,) = open_pack("own.suite").manifest.needs
    assert (need.kind, need.name) == ("task", "own.py:PATROL")
    settings: dict[str, Any] = {"workers": 1, "progress": False, "limit": 1}
    assert len(nv.run("random", "own.suite", out="runs/a", **settings)) == 1
    (tmp_path / "own.py").write_text(TASK + "# edited")
    with pytest.raises(
        SpecError, match=r"packed with another task own\.py:PATROL than the one here"
    ):
        nv.run("random", "own.suite", out="runs/b", **settings)
    (tmp_path / "own.py").unlink()
    with pytest.raises(NavproofError, match=r"own\.suite, episodes\.jsonl, line 1: .* no file own"):
        nv.run("random", "own.suite", out="runs/b", **settings)


def test_gymnasium_plays_a_pack_by_its_own_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    size = samples.STANDARD.spec("pointnav-v1").sensors[0].camera
    assert size is not None
    samples.later_version(monkeypatch)
    env = nv.make_env("pointnav", str(samples.SUITE), sensors=["rgb", "pointgoal"])
    observation, info = env.reset(seed=0)
    assert info["episode_id"] == POINTNAV
    assert observation["rgb"].shape == (size.height, size.width, 3)
    assert env.unwrapped.episodes[0].scene.startswith("flat.scene#")  # type: ignore[attr-defined]
