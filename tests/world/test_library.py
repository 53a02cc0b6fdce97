"""Scenes by id: parsing, disjoint splits, the cache on disk and in memory."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from navproof.core.cache import cache_dir
from navproof.core.errors import SceneError
from navproof.testing import tiny_scene
from navproof.world import io, library
from navproof.world.library import SPLITS, SceneRef, load_scene, parse_ref, scene_ids, scene_seed
from navproof.world.plans.plans import KINDS
from navproof.world.scene import Scene


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NAVPROOF_CACHE", str(tmp_path / "cache"))
    library._memory.clear()


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, int]]:
    """Generation replaced by a tiny scene; the arguments it was asked for."""
    asked: list[tuple[str, int]] = []

    def fake(kind: str, seed: int, *, scene_id: str | None = None) -> Scene:
        asked.append((kind, seed))
        return tiny_scene()

    monkeypatch.setattr("navproof.world.generate.generate", fake)
    return asked


def test_ids_are_parsed_and_printed_back() -> None:
    assert parse_ref("home/val/3") == SceneRef("home", "val", 3)
    assert parse_ref("home/val/3").id == "home/val/3"
    assert scene_ids("cafe", "test", 3) == ("cafe/test/0", "cafe/test/1", "cafe/test/2")


@pytest.mark.parametrize(
    ("ref", "says"),
    [
        ("home", "not a scene id"),
        ("home/val", "not a scene id"),
        ("hme/val/1", "did you mean 'home'"),
        ("home/vall/1", "did you mean 'val'"),
        ("home/val/-1", "not an index"),
        ("home/val/x", "not an index"),
        ("home/val/01", "not an index"),
        ("home/val/²", "not an index"),
        ("nowhere.scene", "no scene file"),
        ("nowhere.ply", "no mesh file"),
    ],
)
def test_bad_references_are_one_clear_line(ref: str, says: str) -> None:
    with pytest.raises(SceneError, match=says) as caught:
        load_scene(ref)
    assert "\n" not in str(caught.value)


def test_splits_have_disjoint_seeds() -> None:
    seeds = [
        scene_seed(SceneRef(kind, split, index))
        for kind in sorted(KINDS)
        for split in SPLITS
        for index in range(300)
    ]
    assert len(set(seeds)) == len(seeds)
    assert all(0 <= seed < 1 << 63 for seed in seeds)


def test_a_scene_is_generated_once_and_then_read(calls: list[tuple[str, int]]) -> None:
    first = load_scene("home/val/0")
    assert load_scene("home/val/0") is first
    library._memory.clear()
    again = load_scene("home/val/0")
    assert again is not first
    assert calls == [("home", scene_seed(SceneRef("home", "val", 0)))]
    assert [o.category for o in again.objects] == [o.category for o in first.objects]


def test_a_broken_cache_file_is_made_again(calls: list[tuple[str, int]]) -> None:
    load_scene("home/val/1")
    stored = next(Path(p) for p in cache_dir("scenes", library.WORLD_VERSION).iterdir())
    stored.write_bytes(stored.read_bytes()[:100])
    library._memory.clear()
    load_scene("home/val/1")
    assert len(calls) == 2
    assert not list(stored.parent.glob("*.part*"))


def test_memory_keeps_the_last_few(calls: list[tuple[str, int]]) -> None:
    for index in range(6):
        load_scene(f"home/train/{index}")
    assert list(library._memory) == [f"home/train/{i}" for i in (2, 3, 4, 5)]


def test_a_scene_file_is_read_and_read_again_when_it_changes(tmp_path: Path) -> None:
    path = tmp_path / "mine.scene"
    io.save_scene(tiny_scene(), path)
    first = load_scene(str(path))
    assert load_scene(str(path)) is first
    path.write_bytes(b"not a scene")
    with pytest.raises(SceneError):
        load_scene(str(path))


def test_a_digest_is_of_what_is_in_a_scene_and_not_of_how_it_is_packed(
    tmp_path: Path, calls: list[tuple[str, int]]
) -> None:
    digest = library.scene_digest("home/val/1")
    stored = next(cache_dir("scenes", library.WORLD_VERSION).glob("home-val-1.scene"))
    repacked = tmp_path / "same.scene"
    with zipfile.ZipFile(stored) as old, zipfile.ZipFile(repacked, "w") as new:
        for name in reversed(old.namelist()):
            new.writestr(name, old.read(name), zipfile.ZIP_STORED)
    assert library.scene_digest(str(repacked)) == digest
    with zipfile.ZipFile(repacked, "a") as more:
        more.writestr("arrays/more.npy", b"")
    assert library.scene_digest(str(repacked)) != digest
