"""Suites: made once, the same everywhere, kept whole or not at all."""

from __future__ import annotations

from dataclasses import replace

import pytest

from navproof.core.errors import EpisodeError, NavproofError, SpecError, UnknownNameError
from navproof.runner import RunSpec
from navproof.tasks.suites import (
    SUITES,
    Suite,
    SuitePart,
    load_suite,
    register_suite,
    suite_path,
)
from navproof.testing import tiny_scene
from navproof.world.io import save_scene
from navproof.world.library import parse_ref


@pytest.fixture
def tiny(tmp_path, monkeypatch):
    """A suite over the two-room flat, with a cache of its own."""
    monkeypatch.setenv("NAVPROOF_CACHE", str(tmp_path / "cache"))
    scene = tmp_path / "tiny.scene"
    save_scene(tiny_scene(), scene)
    suite = Suite(
        "tiny",
        "for this test",
        (
            SuitePart(("pointnav-v1",), (str(scene),), 2),
            SuitePart(("vln-v1", "objectnav-v1"), (str(scene),), 1, aligned=True),
        ),
    )
    monkeypatch.setitem(SUITES._things, "tiny", suite)
    return suite


def test_a_suite_is_made_once_and_kept(tiny):
    seen = []
    first = load_suite("tiny", lambda done, total, scene: seen.append((done, total)))
    assert seen == [(0, 1), (1, 1)]
    tasks = [e.task for e in first]
    assert tasks == ["pointnav-v1", "pointnav-v1", "vln-v1", "objectnav-v1"]
    path = suite_path(tiny)
    written = path.read_bytes()
    assert load_suite("tiny", lambda *_: pytest.fail("made again")) == first
    path.unlink()
    assert load_suite("tiny") == first
    assert path.read_bytes() == written


def test_a_damaged_cache_is_made_again(tiny):
    first = load_suite("tiny")
    path = suite_path(tiny)
    path.write_bytes(path.read_bytes()[:100])
    assert load_suite("tiny") == first


def test_a_file_is_a_suite_too(tiny, tmp_path):
    first = load_suite("tiny")
    copy = tmp_path / "copy.jsonl.gz"
    copy.write_bytes(suite_path(tiny).read_bytes())
    assert load_suite(str(copy)) == first
    with pytest.raises(EpisodeError, match="cannot be read"):
        load_suite(str(tmp_path / "none.jsonl"))
    with pytest.raises(UnknownNameError, match=r"did you mean 'tiny'\? \(or give a \.jsonl"):
        load_suite("tinny")


def test_the_name_on_disk_changes_with_what_shapes_a_suite(tiny):
    other = Suite("tiny", tiny.description, tiny.parts, seed=2)
    assert suite_path(other) != suite_path(tiny)


def test_the_shipped_suites():
    assert list(SUITES)[:3] == ["mini", "val", "test"]
    for name in ("mini", "val", "test"):
        suite = SUITES[name]
        splits = {parse_ref(ref).split for ref in suite.scenes}
        assert splits == {"test" if name == "test" else "val"}
        tasks = {t for part in suite.parts for t in part.tasks}
        assert tasks == {"pointnav-v1", "objectnav-v1", "vln-v1"}
        per_task = {t: sum(len(p.scenes) * p.per_scene for p in suite.parts if t in p.tasks)
                    for t in tasks}  # fmt: skip
        assert set(per_task.values()) == ({12} if name == "mini" else {4 * len(suite.scenes)})
        kinds = {parse_ref(ref).kind for ref in suite.scenes}
        assert "home" in kinds
        assert len(kinds) > 1
        aligned = [p for p in suite.parts if p.aligned]
        assert [p.tasks for p in aligned] == [("vln-v1", "objectnav-v1")]
    assert len(SUITES["val"].scenes) >= 20
    assert len(SUITES["test"].scenes) >= 20


def test_the_langnav_suites_have_the_papers_sizes():
    sizes = {
        name: (len(suite.scenes), sum(len(p.scenes) * p.per_scene for p in suite.parts))
        for name, suite in SUITES.items()
        if name.startswith("langnav")
    }
    assert sizes == {
        "langnav-mini": (3, 12),
        "langnav-val": (20, 832),
        "langnav-test": (15, 750),
        "langnav-ext-val": (20, 200),
        "langnav-ext-test": (15, 200),
    }
    for name in sizes:
        suite = SUITES[name]
        assert {t for part in suite.parts for t in part.tasks} == {"langnav-v1"}
        assert {part.extended for part in suite.parts} == {"ext" in name}
        split = "test" if name.endswith("test") else "val"
        assert {parse_ref(ref).split for ref in suite.scenes} == {split}
    assert set(SUITES["langnav-val"].scenes).isdisjoint(SUITES["langnav-test"].scenes)


def test_a_suite_of_one_task_takes_its_scenes_in_turn(tmp_path, monkeypatch):
    monkeypatch.setenv("NAVPROOF_CACHE", str(tmp_path / "cache"))
    scenes = []
    for name in ("a.scene", "b.scene"):
        save_scene(tiny_scene(), tmp_path / name)
        scenes.append(str(tmp_path / name))
    task = ("pointnav-v1",)
    parts = (SuitePart(task, (scenes[0],), 3), SuitePart(task, (scenes[1],), 2))
    monkeypatch.setitem(SUITES._things, "turns", Suite("turns", "for this test", parts))
    a, b = scenes
    assert [e.scene for e in load_suite("turns")] == [a, b, a, b, a]


def two_scenes(folder):
    """Two scene files with other contents."""
    names = []
    for name in ("a.scene", "b.scene"):
        save_scene(tiny_scene(), folder / name)
        names.append(str(folder / name))
    return tuple(names)


def test_processes_make_the_same_bytes(tmp_path, monkeypatch):
    scenes = two_scenes(tmp_path)
    suite = Suite("many", parts=(SuitePart(("pointnav-v1", "vln-v1"), scenes, 1),))
    monkeypatch.setitem(SUITES._things, "many", suite)
    made = []
    for workers in (1, 2):
        monkeypatch.setenv("NAVPROOF_CACHE", str(tmp_path / f"cache{workers}"))
        told = []
        load_suite("many", lambda done, total, _, told=told: told.append((done, total)), workers)
        assert told == [(0, 2), (1, 2), (2, 2)]
        made.append(suite_path(suite).read_bytes())
    assert made[0] == made[1]
    suite_path(suite).unlink()
    with pytest.raises(SpecError, match="workers must be at least 1"):
        load_suite("many", workers=0)


def test_an_error_in_a_process_is_the_same_line(tmp_path, monkeypatch):
    monkeypatch.setenv("NAVPROOF_CACHE", str(tmp_path / "cache"))
    scenes = (two_scenes(tmp_path)[0], "home/vall/0")
    suite = Suite("broken", parts=(SuitePart(("pointnav-v1",), scenes, 1),))
    monkeypatch.setitem(SUITES._things, "broken", suite)
    said = []
    for workers in (1, 2):
        with pytest.raises(NavproofError) as told:
            load_suite("broken", workers=workers)
        said.append(str(told.value))
    assert said[0] == said[1]
    assert not suite_path(suite).exists()


def test_conditions_do_not_change_what_is_kept_and_an_edited_scene_does(tiny, tmp_path):
    path = suite_path(tiny)
    assert suite_path(replace(tiny, conditions=("spatter",))) == path
    scene = tmp_path / "tiny.scene"
    scene.write_bytes(scene.read_bytes() + b" ")
    assert suite_path(tiny) != path


MINE = """
from navproof.tasks.suites import Suite, SuitePart
from navproof.tasks.generate import generate_episodes

SUITE = Suite("mine", "two", (SuitePart(("pointnav-v1",), (SCENE,), 2),), conditions=("spatter",))

def fresh():
    "Made by a function."
    yield from generate_episodes("pointnav", SCENE, 1, seed=3)

def needs(count): ...
def empty(): return []
def words(): return ["an episode"]
def one(): return 3
def fails(): return 1 / 0
NOTHING = Suite("nothing")
NO_TUPLE = Suite("no-tuple", parts=(SuitePart(("pointnav-v1",), "home/val/0", 2),))
UNKNOWN = Suite("unknown", parts=(SuitePart(("pointnav",), (SCENE,), 2),))
NUMBER = 3
"""


@pytest.fixture
def mine(tiny, tmp_path):
    """A file of suites over the two-room flat."""
    path = tmp_path / "mine.py"
    path.write_text(f"SCENE = {str(tmp_path / 'tiny.scene')!r}\n{MINE}")
    return path


def test_a_suite_is_a_value_or_a_function_in_a_file(mine):
    episodes = load_suite(f"{mine}:SUITE")
    assert [e.task for e in episodes] == ["pointnav-v1", "pointnav-v1"]
    assert load_suite(f"{mine}:SUITE", lambda *_: pytest.fail("made again")) == episodes
    (made,) = load_suite(f"{mine}:fresh")
    assert made.task == "pointnav-v1"
    assert SUITES.get(f"{mine}:fresh").description == "Made by a function."
    assert RunSpec(("a",), f"{mine}:SUITE").conditions == ("clean", "spatter")
    assert RunSpec(("a",), f"{mine}:fresh").conditions == ("clean",)
    assert RunSpec(("a",), "a label").conditions == ("clean",)


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("needs", "takes count; a suite's function has no arguments"),
        ("empty", "its function returns no episodes"),
        ("words", "its function returns a str, no episode"),
        ("one", "its function returns a int, no episode"),
        ("fails", "its function failed: ZeroDivisionError"),
        ("NOTHING", "it has no parts, and no function"),
        ("NO_TUPLE", "part 0: scenes must be a tuple of names"),
        ("UNKNOWN", "there is no task 'pointnav'; did you mean 'pointnav-v1'"),
        ("NUMBER", "is an int, not a Suite or a function"),
        ("SUIT", "has no 'SUIT'; did you mean 'SUITE'"),
    ],
)
def test_suites_that_are_none_are_told_in_one_line(mine, name, says):
    with pytest.raises(NavproofError) as told:
        load_suite(f"{mine}:{name}")
    assert says in str(told.value)
    assert "\n" not in str(told.value)


def test_a_file_of_python_needs_a_name(mine):
    with pytest.raises(NavproofError, match=r"names a file: write .*mine\.py:NAME"):
        load_suite(str(mine))
    with pytest.raises(SpecError, match="navproof has its own suite 'mini'"):
        register_suite(Suite("mini", parts=SUITES["mini"].parts))
