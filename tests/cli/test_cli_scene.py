"""``navproof scene`` through the real entry point."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import cv2
import pytest

from navproof.testing import tiny_scene
from navproof.world.io import load_scene_file, save_scene
from navproof.world.light.bake import bake


def navproof(*arguments: str, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", "from navproof.cli.main import main; main()", *arguments]
    return subprocess.run(
        command,
        capture_output=True,
        text=True,
        cwd=cwd,
        timeout=300,
        env=os.environ | {"COLUMNS": "120"},
    )


def refused(*arguments: str, cwd: Path, words: tuple[str, ...]) -> None:
    done = navproof(*arguments, cwd=cwd)
    assert done.returncode != 0
    assert "Traceback" not in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1, done.stderr
    for word in words:
        assert word in done.stderr, done.stderr


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("scenes")
    save_scene(bake(tiny_scene()), path / "tiny.scene")
    return path


@pytest.fixture(scope="module")
def made(folder: Path) -> dict[str, object]:
    done = navproof(
        "scene", "make", "--kind", "home", "--seed", "7", "--rooms", "4",
        "--exclude", "sofa, bed", "-o", "home7.scene", "--json", cwd=folder,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    facts = json.loads(done.stdout)
    assert isinstance(facts, dict)
    return facts


def test_make_writes_the_scene_it_describes(made: dict[str, object], folder: Path) -> None:
    scene = load_scene_file(folder / "home7.scene")
    assert scene.id == made["scene"] == "home7"
    assert (scene.kind, scene.seed) == ("home", 7)
    assert len(scene.rooms) == made["rooms"] == 4
    assert len(scene.objects) == made["objects"]
    assert len(scene.geometry.faces) == made["triangles"]
    assert scene.baked is not None
    assert not {o.category for o in scene.objects} & {"sofa", "bed"}


def test_show_draws_a_made_scene(made: dict[str, object], folder: Path) -> None:
    done = navproof("scene", "show", "home7.scene", "-o", "home7.png", cwd=folder)
    assert done.returncode == 0, done.stderr
    assert "home7.png" in done.stdout
    image = cv2.imread(str(folder / "home7.png"))
    assert image is not None
    assert image.shape[0] > 960
    assert image.shape[1] > 1280


def test_show_obeys_brightness_and_lamps(folder: Path) -> None:
    means = []
    for name, options in (("a", []), ("b", ["--brightness", "0.3"]), ("c", ["--lamps", "off"])):
        done = navproof("scene", "show", "tiny.scene", "-o", f"{name}.png", *options, cwd=folder)
        assert done.returncode == 0, done.stderr
        image = cv2.imread(str(folder / f"{name}.png"))
        assert image is not None
        means.append(float(image[60:500, -640:].mean()))
    assert means[1] < 0.8 * means[0]
    assert means[2] <= means[0]


def test_the_same_scene_gives_the_same_file(folder: Path) -> None:
    arguments = ("scene", "make", "--kind", "cafe", "--seed", "3", "-o")
    for name in ("x.scene", "y.scene"):
        done = navproof(*arguments, name, cwd=folder)
        assert done.returncode == 0, done.stderr
        assert "triangles" in done.stdout
    one = load_scene_file(folder / "x.scene")
    other = load_scene_file(folder / "y.scene")
    assert one.geometry.lightmap.tobytes() == other.geometry.lightmap.tobytes()
    assert one.objects == other.objects


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--kind", "hom", "-o", "x.scene"), ("hom", "did you mean 'home'")),
        (("--seed", "-3", "-o", "x.scene"), ("negative", "-3")),
        (("--exclude", "sofaa", "-o", "x.scene"), ("sofaa", "sofa")),
        (("-o", "no/such/folder/x.scene"), ("no folder", "no/such/folder")),
        (("-o", "."), ("folder",)),
        (("--rooms", "999", "-o", "x.scene"), ("999",)),
    ],
)
def test_make_refuses_in_one_line(
    folder: Path, arguments: tuple[str, ...], words: tuple[str, ...]
) -> None:
    refused("scene", "make", *arguments, cwd=folder, words=words)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("none.scene", "-o", "x.png"), ("none.scene",)),
        (("home/vall/3", "-o", "x.png"), ("vall", "val")),
        (("tiny.scene", "-o", "x.gif"), (".png", "x.gif")),
        (("tiny.scene", "-o", "no/where/x.png"), ("no/where",)),
        (("tiny.scene", "--lamps", "dim", "-o", "x.png"), ("on or off", "dim")),
        (("tiny.scene", "--brightness", "-1", "-o", "x.png"), ("-1",)),
    ],
)
def test_show_refuses_in_one_line(
    folder: Path, arguments: tuple[str, ...], words: tuple[str, ...]
) -> None:
    refused("scene", "show", *arguments, cwd=folder, words=words)


def test_a_broken_file_is_refused_in_one_line(folder: Path) -> None:
    (folder / "broken.scene").write_bytes((folder / "tiny.scene").read_bytes()[:500])
    refused("scene", "show", "broken.scene", "-o", "x.png", cwd=folder, words=("broken.scene",))
