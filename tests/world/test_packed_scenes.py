"""Scenes that are named by what is in them."""

from __future__ import annotations

import shutil
import zipfile
from pathlib import Path

import numpy as np
import pytest

import packed_samples as samples
from navproof.core.errors import SceneError
from navproof.world import library
from navproof.world.io import load_scene_file, save_scene
from navproof.world.library import is_stored, load_scene, salted_ref, scene_digest
from navproof.world.packed import (
    PackedRef,
    called_in_pack,
    content_digest,
    named_by_content,
    packed_file,
    parse_packed,
)

DIGEST = "0123456789abcdef" * 2


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    samples.own_cache(monkeypatch, tmp_path)


@pytest.fixture
def kept(tmp_path: Path) -> PackedRef:
    """The flat, kept on this machine as a scene of a packed suite."""
    save_scene(samples.flat(), tmp_path / "flat.scene", self_contained=True)
    ref = named_by_content("home/val/0", content_digest(tmp_path / "flat.scene"))
    shutil.copy(tmp_path / "flat.scene", ref.file)
    return ref


def test_references_are_parsed_and_printed_back() -> None:
    ref = parse_packed(f"home/val/3~1f0c2d3e4f5a#{DIGEST}")
    assert ref == PackedRef("home/val/3~1f0c2d3e4f5a", DIGEST)
    assert ref.id == f"home/val/3~1f0c2d3e4f5a#{DIGEST}"
    assert ref.salt == "1f0c2d3e4f5a"
    assert "withheld" in ref.file.parts
    assert "withheld" not in PackedRef("home/val/3", DIGEST).file.parts


@pytest.mark.parametrize(
    "ref", ["home/val/3", "a.scene", f"#{DIGEST}", f"home#{DIGEST[1:]}", f"a b#{DIGEST}", "a#b.glb"]
)
def test_other_references_are_none(ref: str) -> None:
    assert parse_packed(ref) is None


@pytest.mark.parametrize(
    ("ref", "called"),
    [
        ("home/val/3", "home/val/3"),
        (f"home/val/3#{DIGEST}", "home/val/3"),
        ("/somewhere/my house.glb", "my-house.glb"),
        ("rooms/a~b#c.scene", "a-b-c.scene"),
    ],
)
def test_what_a_scene_is_called_in_a_pack_tells_no_folder(ref: str, called: str) -> None:
    assert called_in_pack(ref) == called
    assert parse_packed(f"{called}#{DIGEST}") is not None


def test_a_packed_scene_is_what_its_name_says(kept: PackedRef) -> None:
    scene = load_scene(kept.id)
    assert scene.id == kept.id
    assert is_stored(kept.id)
    assert scene_digest(kept.id) == kept.digest[:12] == scene_digest(str(kept.file))
    assert salted_ref(kept.id, None) == kept.id  # type: ignore[arg-type]
    mine = samples.flat()
    for name, texture in mine.geometry.textures.items():
        assert np.array_equal(scene.geometry.textures[name], texture)
    assert scene.objects == mine.objects


def test_one_that_is_not_here_says_what_to_give() -> None:
    with pytest.raises(SceneError, match=r"is not on this machine: give .*suite make FILE\.suite"):
        load_scene(f"home/val/3#{DIGEST}")
    with pytest.raises(SceneError, match="is not on this machine"):
        scene_digest(f"home/val/3#{DIGEST}")


def test_one_that_was_changed_is_not_used(kept: PackedRef, tmp_path: Path) -> None:
    save_scene(samples.flat(), kept.file)  # the same, but for textures by name
    library._memory.clear()
    for use in (load_scene, scene_digest):
        with pytest.raises(SceneError, match="is not what it was on this machine"):
            use(kept.id)
    kept.file.write_bytes(b"PK")
    with pytest.raises(SceneError, match="is not a whole scene file"):
        packed_file(kept)


def test_a_self_contained_scene_needs_no_library(
    kept: PackedRef, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    look = samples.look(samples.flat())
    save_scene(samples.flat(), tmp_path / "by-name.scene")
    monkeypatch.setattr("navproof.world.textures.library.texture_library", dict)
    assert samples.look(load_scene(kept.id)) == look
    with pytest.raises(SceneError, match="this navproof has no texture 'plaster'"):
        load_scene_file(tmp_path / "by-name.scene")


def test_how_a_scene_is_compressed_does_not_count(kept: PackedRef, tmp_path: Path) -> None:
    other = tmp_path / "stored.scene"
    with zipfile.ZipFile(kept.file) as old, zipfile.ZipFile(other, "w") as new:
        for name in reversed(old.namelist()):
            new.writestr(name, old.read(name), zipfile.ZIP_STORED)
    assert other.read_bytes() != kept.file.read_bytes()
    assert content_digest(other).startswith(kept.digest)
