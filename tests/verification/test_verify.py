"""Runs that were edited are refuted, in the right place; what cannot be told is not verified."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import runner_fakes as fakes
from navproof.api.verify import Verification, verify
from navproof.cli.verify import EXIT_CODES
from navproof.core.errors import RunError, SpecError
from navproof.core.types import Event, Pose
from navproof.log.folder import RunFolder, RunInfo
from navproof.log.results import encode_results
from navproof.log.storage import decode_trace, encode_trace
from navproof.log.trace import Status, Trace, TraceKey
from navproof.runner.identity import hash_of
from navproof.runner.run import run
from navproof.runner.spec import RunSpec

WALKER = "runner_fakes:Walker"
FIRST = TraceKey(WALKER, "tiny-000")
UNDER = TraceKey(WALKER, "tiny-001", "wheel_slip")


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two agents in two episodes, clean and with slipping wheels; one of them fails at step 2."""
    agents = (WALKER, "runner_fakes:Raises")
    spec = RunSpec(agents, "tiny", simulator=fakes.SIMULATOR, conditions=("wheel_slip",))
    path = tmp_path_factory.mktemp("played") / "run"
    run(spec, path, episodes=fakes.tiny_episodes(2))
    return path


@pytest.fixture
def folder(played: Path, tmp_path: Path) -> RunFolder:
    """A copy of it, to be spoiled."""
    return RunFolder(shutil.copytree(played, tmp_path / "run"))


def verified(folder: RunFolder, **options: Any) -> Verification:
    return verify(RunFolder(folder.path), workers=1, progress=False, **options)


def edit(
    folder: RunFolder, change: Callable[[Trace], Trace], key: TraceKey = FIRST, *, told: bool = True
) -> None:
    """Write a trace anew, and its digest as well, as somebody would who does not want it noticed
    (``told``)."""
    path = folder.trace_path(key)
    data = encode_trace(change(decode_trace(path.read_bytes(), "")))
    path.write_bytes(data)
    if told:
        note(folder, path, data)


def note(folder: RunFolder, path: Path, data: bytes) -> None:
    file, digest = path.relative_to(folder.path).as_posix(), hashlib.sha256(data).hexdigest()
    with folder.manifest.path.open("a") as manifest:
        manifest.write(json.dumps({"file": file, "sha256": digest}) + "\n")


def only(found: Verification, key: TraceKey = FIRST) -> str:
    """What is said of the one trace that is not verified."""
    (row,) = (row for row in found.rows if row["verdict"] != "verified")
    assert (row["agent"], row["episode_id"], row["condition"]) == (
        key.agent,
        key.episode_id,
        key.condition,
    )
    return str(row["why"])


# -------------------------------------------------------------------------------------- verified
def test_a_run_is_verified_without_its_agents(folder: RunFolder) -> None:
    """And without their names meaning anything here."""
    found = verified(folder)
    assert found.verdict == "verified"
    assert found
    assert [row["verdict"] for row in found.rows] == ["verified"] * 8
    assert "'tiny' is no suite known here" in found.found.notes[0]
    assert "4 episodes did not end by themselves" in found.found.notes[1]
    text = found.table()
    assert "verified: these actions give these scores (8 of 8 traces)" in text
    assert "not that these agents chose them" in text
    assert found.document()["digest"] == folder.manifest.digest()
    gone = {WALKER: "gone.py:Nobody", "runner_fakes:Raises": "nothing:AtAll"}
    rename(folder, gone)
    assert verified(folder).verdict == "verified"


def rename(folder: RunFolder, names: dict[str, str]) -> None:
    """The same run by agents of other names."""
    info, traces = folder.info, list(folder.traces())
    rows = [{**row, "agent": names[row["agent"]]} for row in folder.results()]
    plugins = [one for one in info.spec["plugins"] if one["kind"] != "agent"]
    spec = {**info.spec, "agents": list(names.values()), "plugins": plugins}
    folder.clear()
    changed = replace(info, spec=spec, spec_hash=hash_of(spec), agents=tuple(names.values()))
    folder.create(changed)
    for trace in traces:
        folder.write(replace(trace, key=replace(trace.key, agent=names[trace.key.agent])))
    folder.write_results(rows)


def test_a_sample_is_of_so_many(folder: RunFolder) -> None:
    found = verified(folder, sample=3)
    assert len(found.rows) == 3
    assert "3 of 3 traces looked at, of 8" in found.table()
    with pytest.raises(SpecError, match="at least one trace, got 0"):
        verified(folder, sample=0)


def test_other_workers_find_the_same(folder: RunFolder) -> None:
    edit(folder, lambda trace: replace(trace, actions=("stop",), **cut(trace, 1)))
    one = verified(folder).document()
    two = verify(folder.path, workers=2, progress=False).document()
    assert one == two
    assert one["verdict"] == "refuted"


def cut(trace: Trace, count: int) -> dict[str, Any]:
    """The parts of a trace that belong to its first actions."""
    return {
        "poses": trace.poses[: count + 1],
        "collisions": trace.collisions[:count],
        "distances_m": trace.distances_m[: count + 1],
        "events": tuple(e for e in trace.events if e.step < count),
        "timing": {},
    }


# --------------------------------------------------------------------------------------- refuted
def moved(trace: Trace, by_m: float = 1e-12) -> Trace:
    pose = trace.poses[3]
    other = Pose(pose.x + by_m, pose.y, pose.z, pose.yaw)
    return replace(trace, poses=(*trace.poses[:3], other, *trace.poses[4:]))


def succeeds(trace: Trace) -> Trace:
    ending = trace.events[-1]
    assert ending.kind == "stop"
    last = Event(ending.step, "stop", {"distance_m": 0.0, "success": True})
    return replace(
        trace, events=(*trace.events[:-1], last), distances_m=(*trace.distances_m[:-1], 0.0)
    )


def with_spec(trace: Trace) -> Trace:
    return replace(trace, spec=replace(trace.spec, success_m=100.0))


EDITS: dict[str, tuple[Callable[[Trace], Trace], str]] = {
    "a pose by a hair": (moved, "step 3: the pose is ("),
    "the success": (succeeds, ": the distance to the goal is 0.0 in the trace, "),
    "an action": (lambda t: replace(t, actions=("left", *t.actions[1:])), "step 1: the pose is ("),
    "no action": (lambda t: replace(t, actions=("dance", *t.actions[1:])), "'dance' is not an act"),
    "another interface's": (
        lambda t: replace(t, actions=("velocity 1.0 0.0", *t.actions[1:])),
        "the agent returned Velocity",
    ),
    "no ending": (
        lambda t: replace(t, actions=t.actions[:-1], **cut(t, len(t.actions) - 1)),
        "when the episode is not over",
    ),
    "more after its ending": (
        lambda t: replace(
            t,
            actions=(*t.actions, "left"),
            poses=(*t.poses, t.poses[-1]),
            collisions=(*t.collisions, False),
            distances_m=(*t.distances_m, 0.0),
            timing={},
        ),
        "the episode is over after",
    ),
    "the settings": (with_spec, "the simulation tells 'stop' ("),
    "an event": (
        lambda t: replace(t, events=(Event(1, "found"), *t.events)),
        "step 2: the trace tells 'found', the simulation tells nothing",
    ),
    "a late event": (
        lambda t: replace(t, events=(*t.events, Event(len(t.actions), "found"))),
        "the trace tells 'found', the simulation tells nothing",
    ),
    "a collision": (
        lambda t: replace(t, collisions=(True, *t.collisions[1:])),
        "step 1: colliding is True in the trace, False simulated",
    ),
    "a channel": (
        lambda t: replace(t, channels={"speed": (0.0,) * len(t.poses)}),
        "it measures speed; simulated, nothing",
    ),
    "ground truth": (
        lambda t: replace(t, facts={**t.facts, "sensors": "pose,semantic"}),
        "ground truth is said to be '', and is 'semantic'",
    ),
    "the status": (lambda t: replace(t, status="agent_error"), "when the episode is over"),
    "the start": (
        lambda t: replace(t, episode=replace(t.episode, start=Pose(3.0, 2.0, 0.0, 0.0))),
        "step 0: the pose is (",
    ),
}


@pytest.mark.parametrize("what", EDITS)
def test_an_edited_trace_is_refuted_in_its_place(folder: RunFolder, what: str) -> None:
    change, told = EDITS[what]
    edit(folder, change)
    found = verified(folder)
    assert found.verdict == "refuted"
    assert told in only(found)
    assert "REFUTED (7 of 8 traces)" in found.table()


def test_slipping_wheels_are_simulated_too(folder: RunFolder) -> None:
    edit(folder, moved, UNDER)
    assert "step 3: the pose is (" in only(verified(folder), UNDER)
    edit(folder, lambda trace: moved(trace, -1e-12), UNDER)


def test_an_episode_that_its_agent_ended_is_simulated_as_far_as_it_went(folder: RunFolder) -> None:
    key = TraceKey("runner_fakes:Raises", "tiny-001")
    edit(folder, lambda t: replace(t, distances_m=(*t.distances_m[:-1], 0.0)), key)
    assert only(verified(folder), key).startswith("step 2: the distance to the goal is 0.0 in")


def test_an_edit_that_was_not_noted_is_told_with_what_differs(folder: RunFolder) -> None:
    edit(folder, moved, told=False)
    assert only(verified(folder)).startswith("the file was changed after the run; step 3: the pose")


def test_a_trace_under_anothers_key_is_refuted(folder: RunFolder) -> None:
    source, target = folder.trace_path(TraceKey(WALKER, "tiny-001")), folder.trace_path(FIRST)
    shutil.copy(source, target)
    note(folder, target, target.read_bytes())
    assert only(verified(folder)) == "it holds the trace of another episode: tiny-001"


def test_garbage_is_refuted(folder: RunFolder) -> None:
    folder.trace_path(FIRST).write_bytes(b"\x1f\x8bgarbage")
    assert "the trace is cut short or damaged" in only(verified(folder))


def test_a_trace_that_was_not_planned_is_refuted(folder: RunFolder) -> None:
    trace = folder.trace(FIRST)
    other = replace(trace.episode, episode_id="tiny-777")
    folder.write(replace(trace, key=replace(FIRST, episode_id="tiny-777"), episode=other))
    found = verified(folder)
    assert found.verdict == "refuted"
    assert found.found.faults == (f"a trace was not planned: {WALKER}, tiny-777, clean, seed 0",)


def test_results_that_the_traces_do_not_give_are_refuted(folder: RunFolder) -> None:
    rows = [{**row, "success": 1.0} if i == 0 else row for i, row in enumerate(folder.results())]
    path = folder.path / "results.parquet"
    path.write_bytes(encode_results(rows))
    assert "its digest is not that in manifest.jsonl" in verified(folder).found.faults[0]
    note(folder, path, path.read_bytes())
    told = only(verified(folder))
    assert told == "results.parquet has success = 1.0, and the trace gives 0.0"


def test_an_edited_description_is_refuted(folder: RunFolder) -> None:
    spec = {**folder.info.spec, "camera": [512, 512]}
    folder.create(replace(folder.info, spec=spec))
    assert "run.json was edited" in verified(folder).found.faults[0]


def test_traces_of_other_settings_than_the_run_describes_are_refuted(
    folder: RunFolder, tmp_path: Path
) -> None:
    """Even where all was simulated by these settings, and every digest is right."""
    easy = tmp_path / "easy"
    spec = RunSpec((WALKER,), "tiny", simulator=fakes.SIMULATOR, camera=(32, 32))
    other = run(spec, easy, episodes=fakes.tiny_episodes(2))
    edit(folder, lambda _: other.trace(FIRST))
    found = verified(folder)
    assert found.found.faults == (
        "tiny-000 was played by other settings of pointnav-v1 than the task has with what the run "
        "describes",
    )


def test_other_episodes_than_the_run_describes_are_refuted(folder: RunFolder) -> None:
    spec = {**folder.info.spec, "episodes": "0123456789ab"}
    folder.create(replace(folder.info, spec=spec, spec_hash=hash_of(spec)))
    assert verified(folder).found.faults == ("its episodes are not those that the run describes",)


# ------------------------------------------------------------------------------ cannot be verified
def test_a_run_that_is_not_finished_is_not_verified(folder: RunFolder) -> None:
    folder.trace_path(FIRST).unlink()
    found = verified(folder)
    assert (found.verdict, found.found.gaps) == (
        "unverifiable",
        ("1 of 8 episodes have no trace",),
    )


def test_what_was_not_played_is_not_verified(folder: RunFolder) -> None:
    status: Status = "infrastructure"

    def lost(trace: Trace) -> Trace:
        return replace(trace, status=status, actions=(), **cut(trace, 0))

    edit(folder, lost)
    (folder.path / "results.parquet").unlink()
    found = verified(folder)
    assert found.verdict == "unverifiable"
    assert only(found) == "it was not played: the machine kept it from that"


def test_actions_of_six_digits_are_not_held_against_a_trace(folder: RunFolder) -> None:
    def old(trace: Trace) -> Trace:
        spec = replace(trace.spec, control="velocity")
        actions = ("velocity 0.333333 0.1",) * len(trace.actions)
        return replace(trace, spec=spec, actions=actions, trace_version=1)

    edit(folder, old)
    found = verified(folder)
    assert found.verdict == "unverifiable"
    assert only(found).endswith(
        "its actions were kept with six digits, which is too few to repeat them"
    )


def describe_as(folder: RunFolder, **changes: Any) -> None:
    """The same run, described otherwise, with the hash that belongs to that."""
    info: RunInfo = folder.info
    spec = {**info.spec, **changes}
    folder.create(replace(info, spec=spec, spec_hash=hash_of(spec)))


def test_another_world_is_not_held_against_a_run(folder: RunFolder) -> None:
    describe_as(folder, scenes={"tiny": "0123456789ab"})
    found = verified(folder)
    assert found.verdict == "unverifiable"
    assert len([row for row in found.rows if row["verdict"] == "unverifiable"]) == 8
    describe_as(folder, scenes={})
    assert verified(folder).verdict == "verified"


def test_another_version_is_not_held_against_a_run(folder: RunFolder) -> None:
    edit(folder, lambda t: moved(replace(t, facts={**t.facts, "navproof": "0.1.9"})))
    assert only(verified(folder)).endswith("written by navproof 0.1.9, and this is 0.2.0")


def test_a_hair_is_not_held_against_other_libraries(folder: RunFolder) -> None:
    folder.create(replace(folder.info, versions={**folder.info.versions, "numpy": "1.0"}))
    assert verified(folder).verdict == "verified"
    edit(folder, moved)
    found = verified(folder)
    assert found.verdict == "unverifiable"
    assert "other libraries may calculate otherwise (numpy 1.0 there, " in only(found)
    edit(folder, lambda trace: moved(trace, 0.01))
    assert verified(folder).verdict == "refuted"


def test_a_simulator_that_is_not_here(folder: RunFolder) -> None:
    describe_as(folder, simulator="gone.py:Simulator")
    found = verified(folder)
    assert found.verdict == "unverifiable"
    assert "does not describe the file of simulator gone.py:Simulator" in found.found.gaps[0]
    name = "gone.py:Simulator"
    plugin = {"kind": "simulator", "name": name, "source": name, "digest": "0123456789ab"}
    describe_as(folder, simulator=name, plugins=[plugin])
    assert "the file of simulator gone.py:Simulator is not found" in verified(folder).found.gaps[0]


def test_a_run_that_is_going_on_is_left_alone(folder: RunFolder) -> None:
    from navproof.core.lock import locked

    with locked(folder.path), pytest.raises(RunError, match="is in use by a run or a diagnosis"):
        verified(folder)


def test_verdicts_have_exit_codes_of_their_own() -> None:
    assert EXIT_CODES == {"verified": 0, "refuted": 1, "unverifiable": 3}
