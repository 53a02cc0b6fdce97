"""Run folders: names that come back, planned order, results, and what clearing leaves alone."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from navproof.core.errors import RunError
from navproof.core.types import Episode, Goal, Pose, Robot, TaskSpec
from navproof.log import RunFolder, RunInfo, Skipped, Trace, TraceKey
from navproof.log.results import ID_COLUMNS

SPEC = TaskSpec("pointnav-v1", Robot("r", 0.2, 1.0), (), 0.2, 500)


def trace(key: TraceKey) -> Trace:
    start = Pose(0.0, 0.0)
    goal = Goal("point", ((1.0, 0.0, 0.0),))
    episode = Episode(key.episode_id, "pointnav-v1", "s", start, (goal,), 1.0, (), 500, 0)
    return Trace(key, episode, SPEC, "ok", "", (start,) * 2, ("stop",), (False,), (1.0, 1.0), ())


def info(agents: tuple[str, ...] = ("a",), episodes: tuple[str, ...] = ("e",)) -> RunInfo:
    return RunInfo({"agents": list(agents)}, "abc", agents, episodes)


names = st.text(st.characters(exclude_categories=("Cs",)), min_size=1, max_size=300)


@given(agent=names, episode=names, condition=names, seed=st.integers(-(10**6), 10**6))
def test_every_key_has_a_file_name_of_its_own(
    tmp_path_factory: pytest.TempPathFactory, agent: str, episode: str, condition: str, seed: int
) -> None:
    folder = RunFolder(tmp_path_factory.mktemp("run"))
    key = TraceKey(agent, episode, condition, seed)
    path = folder.trace_path(key)
    assert path.parent.parent == folder.path / "traces"
    assert len(path.name.encode()) <= 255
    assert not path.name.startswith(".")
    folder.write(trace(key))
    assert folder.keys() == [key]
    assert folder.trace(key).key == key


def test_keys_and_traces_come_in_planned_order(tmp_path: Path) -> None:
    folder = RunFolder(tmp_path)
    folder.create(info(("z", "a"), ("e10", "e9", "e1")))
    planned = folder.info.planned()
    assert [(k.agent, k.episode_id) for k in planned][:4] == [
        ("z", "e10"),
        ("z", "e9"),
        ("z", "e1"),
        ("a", "e10"),
    ]
    for key in sorted(planned):
        folder.write(trace(key))
    assert folder.keys() == planned
    assert [t.key for t in folder.traces()] == planned


def test_run_json_says_what_was_run_and_nothing_about_the_machine(tmp_path: Path) -> None:
    folder = RunFolder(tmp_path / "new")
    assert not folder.exists
    folder.create(info())
    assert folder.info == info()
    assert set(json.loads((folder.path / "run.json").read_text())) == {
        "spec",
        "spec_hash",
        "agents",
        "episodes",
        "conditions",
        "seeds",
        "versions",
        "tasks",
        "skipped",
        "run_version",
    }


def test_a_run_of_the_version_before_is_one_that_skipped_nothing(tmp_path: Path) -> None:
    folder = RunFolder(tmp_path)
    folder.create(info(("a", "b"), ("e", "f")))
    plain = json.loads((tmp_path / "run.json").read_text())
    del plain["tasks"], plain["skipped"]
    (tmp_path / "run.json").write_text(json.dumps(plain | {"run_version": 1}))
    assert folder.info.skipped == ()
    assert len(folder.info.planned()) == 4


def test_what_was_skipped_is_kept_and_not_planned(tmp_path: Path) -> None:
    folder = RunFolder(tmp_path)
    skips = (Skipped("b", "vln-v1", "spatter", "no rgb reaches it"),)
    folder.create(
        replace(
            info(("a", "b"), ("e", "f")),
            conditions=("clean", "spatter"),
            tasks=("vln-v1", "pointnav-v1"),
            skipped=skips,
        )
    )
    assert folder.info.skipped == skips
    spoiled = [k for k in folder.info.planned() if k.condition == "spatter"]
    assert [(k.agent, k.episode_id) for k in spoiled] == [("a", "e"), ("a", "f"), ("b", "f")]
    plain = json.loads((tmp_path / "run.json").read_text())
    (tmp_path / "run.json").write_text(json.dumps(plain | {"tasks": ["vln-v1"]}))
    with pytest.raises(RunError, match="1 tasks for 2 episodes"):
        _ = folder.info


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (None, "is not a run folder (no run.json)"),
        ("{", "not a valid run description"),
        ('{"run_version": ' + "1" * 5000 + "}", "not a valid run description"),
        ("[" * 100_000, "not a valid run description"),
        ("[]", "run version None"),
        ('{"run_version": 7}', "run version 7, but this navproof reads 3"),
        ('{"run_version": 1, "spec": {}}', "spec_hash is missing"),
    ],
)
def test_a_folder_that_is_no_run_gets_one_line(
    tmp_path: Path, content: str | None, says: str
) -> None:
    if content is not None:
        (tmp_path / "run.json").write_text(content)
    with pytest.raises(RunError) as caught:
        _ = RunFolder(tmp_path).info
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_folder_that_does_not_exist_is_said_so(tmp_path: Path) -> None:
    with pytest.raises(RunError, match="nowhere does not exist"):
        _ = RunFolder(tmp_path / "nowhere").info


def test_an_absent_trace_is_named(tmp_path: Path) -> None:
    with pytest.raises(RunError, match="no trace of agent 'a', episode 'e', condition 'clean'"):
        RunFolder(tmp_path).trace(TraceKey("a", "e"))


def test_results_round_trip_and_timing_is_marked(tmp_path: Path) -> None:
    folder = RunFolder(tmp_path)
    who = dict.fromkeys(ID_COLUMNS, "")
    rows = [
        {**who, "agent": "a", "seed": 1, "time_act_s": 0.5, "success": 1.0, "ndtw": None},
        {**who, "agent": "b", "seed": 2, "time_act_s": 0.7, "success": 0.0, "ndtw": 0.5},
    ]
    folder.write_results(rows)
    found = folder.results()
    assert [{k: row[k] for k in rows[0]} for row in found] == rows
    schema = pq.read_schema(tmp_path / "results.parquet")
    assert schema.names[-1] == "time_act_s"
    assert schema.field("time_act_s").metadata == {b"deterministic": b"no"}
    assert schema.field("success").metadata is None


def test_the_same_rows_give_the_same_bytes(tmp_path: Path) -> None:
    rows = [{"agent": "a", "seed": i, "success": i % 2 * 1.0} for i in range(50)]
    for name in ("x", "y"):
        RunFolder(tmp_path / name).write_results(rows)
    first, second = ((tmp_path / n / "results.parquet").read_bytes() for n in "xy")
    assert first == second


def test_damaged_results_say_how_to_make_them_again(tmp_path: Path) -> None:
    folder = RunFolder(tmp_path)
    with pytest.raises(RunError, match="does not exist; 'navproof score"):
        folder.results()
    pq.write_table(pa.table({"agent": ["a"]}), tmp_path / "results.parquet")
    with pytest.raises(RunError, match="not a readable Parquet file; 'navproof score"):
        folder.results()
    (tmp_path / "results.parquet").write_bytes(b"PAR1 and then nothing")
    with pytest.raises(RunError, match="not a readable Parquet file; 'navproof score"):
        folder.results()


def test_clearing_removes_the_run_and_nothing_else(tmp_path: Path) -> None:
    folder = RunFolder(tmp_path)
    folder.create(info())
    folder.write(trace(TraceKey("a", "e")))
    folder.write_log(TraceKey("a", "e"), "words")
    folder.write_results([])
    (tmp_path / "traces" / "a" / ".e.json.gz.123.part").write_text("half")
    (tmp_path / "notes.txt").write_text("mine")
    folder.clear_leftovers()
    assert not list(tmp_path.rglob("*.part"))
    assert folder.keys() == [TraceKey("a", "e")]
    folder.clear()
    assert [p.name for p in tmp_path.iterdir()] == ["notes.txt"]
