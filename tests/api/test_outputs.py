"""What a command writes: told before the work, and never over what it reads or what is precious."""

from __future__ import annotations

import gzip
import os
from pathlib import Path

import pytest

from navproof.api.outputs import (
    EPISODES,
    PAGE,
    PICTURE,
    PICTURES,
    REPLAY,
    SCENE,
    OutputKind,
    check_output,
    check_output_folder,
)
from navproof.core.errors import SpecError
from navproof.testing import tiny_scene
from navproof.world.io import save_scene

PNG = b"\x89PNG\r\n\x1a\n"
EPISODE = b'{"episode_id":"a","task":"vln-v1","scene":"s"}\n'


def refused(words: str, path: Path, kind: OutputKind | None, *inputs: Path) -> None:
    with pytest.raises(SpecError) as caught:
        check_output(path, kind, inputs)
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


def test_what_cannot_be_written_is_said_before_the_work(tmp_path: Path) -> None:
    check_output(tmp_path / "new.JPG", PICTURES)
    check_output(tmp_path / "new.bin", PAGE)
    refused("must be a .png or .jpg file", tmp_path / "new.gif", PICTURES)
    refused("must be a .png or .jpg file, not the folder", tmp_path, PICTURES)
    refused("there is no folder", tmp_path / "no" / "new.png", PICTURE)
    check_output(tmp_path / "no" / "new.png", PICTURE, makes_folder=True)
    refused("is a folder", tmp_path, PAGE)


@pytest.mark.parametrize(
    ("name", "kind", "content"),
    [
        ("a.png", PICTURE, PNG),
        ("a.jpg", PICTURE, b"\xff\xd8\xff\xe0"),
        ("a.gif", REPLAY, b"GIF89a"),
        ("a.mp4", REPLAY, b"\0\0\0\x20ftypisom"),
        ("a.html", PAGE, b"<!DOCTYPE html>"),
    ],
)
def test_what_is_made_again_replaces_its_kind_and_no_other(
    tmp_path: Path, name: str, kind: OutputKind, content: bytes
) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    check_output(path, kind)
    path.write_bytes(b"")
    check_output(path, kind)
    path.write_bytes(b"something that somebody wrote")
    refused("is there and is no", path, kind)


def test_what_is_read_is_never_written(tmp_path: Path) -> None:
    photo = tmp_path / "photo.png"
    photo.write_bytes(PNG)
    refused("is what is read", photo, PICTURE, photo)
    link, twin = tmp_path / "link.png", tmp_path / "twin.png"
    link.symlink_to(photo)
    os.link(photo, twin)
    for other in (link, twin, tmp_path / "." / "photo.png"):
        refused("is what is read", other, PICTURE, Path("home/val/0"), photo)
    check_output(photo, PICTURE, [None, "home/val/0", "no\0name"])


def test_scenes_are_replaced_by_scenes_and_episodes_by_episodes(tmp_path: Path) -> None:
    path = tmp_path / "a.scene"
    save_scene(tiny_scene(), path)
    check_output(path, SCENE)
    for kind in (PICTURE, REPLAY, PAGE, EPISODES, None):
        refused("is there and is", path, kind)
    refused("is what is read", path, SCENE, path)
    for line in (EPISODE, gzip.compress(EPISODE)):
        path.write_bytes(line)
        check_output(path, EPISODES)
        for kind in (PICTURE, REPLAY, PAGE, SCENE, None):
            refused("is there and is", path, kind)
    for other in (b'{"file": "a", "sha256": "b"}\n', b"[]\n", b"{", b"\xff", b"\x1f\x8b"):
        path.write_bytes(other)
        refused("is there and is no episode file", path, EPISODES)


def test_a_folder_to_write_into_is_none_that_is_read_from(tmp_path: Path) -> None:
    check_output_folder(tmp_path / "new", [tmp_path / "a.scene", "home/val/0", None])
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "a.scene").write_bytes(b"")
    check_output_folder(tmp_path / "out", [tmp_path / "b.scene"])
    with pytest.raises(SpecError, match=r"holds .*a\.scene, which is read"):
        check_output_folder(tmp_path / "out", [tmp_path / "out" / "a.scene"])
    with pytest.raises(SpecError, match="it is a file; name a folder"):
        check_output_folder(tmp_path / "out" / "a.scene")
