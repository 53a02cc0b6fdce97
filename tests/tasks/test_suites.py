"""Suites: made once, the same everywhere, kept whole or not at all."""

from __future__ import annotations

import pytest

from navproof.core.errors import EpisodeError, UnknownNameError
from navproof.tasks import suites
from navproof.tasks.suites import SUITES, Suite, SuitePart, load_suite, suite_path
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
    monkeypatch.setattr(suites, "SUITES", {"tiny": suite})
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
    monkeypatch.setattr(suites, "SUITES", {"turns": Suite("turns", "for this test", parts)})
    a, b = scenes
    assert [e.scene for e in load_suite("turns")] == [a, b, a, b, a]
