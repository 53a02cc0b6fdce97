"""``navproof corruptions`` through the real entry point."""

from __future__ import annotations

import json
import os
import struct
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from zlib import crc32

import cv2
import numpy as np
import pytest

from navproof.cli.main import main
from navproof.corruptions.navtrust import MIXED
from navproof.corruptions.registry import CORRUPTIONS
from navproof.testing import tiny_scene
from navproof.world.io import save_scene
from navproof.world.light.bake import bake

Told = Callable[..., tuple[int, str, str]]
SAID = "Walk past the large brown sofa and turn left into the kitchen."


def navproof(*arguments: str, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", "from navproof.cli.main import main; main()"]
    return subprocess.run(
        [*command, "corruptions", *arguments],
        capture_output=True,
        text=True,
        cwd=cwd,
        timeout=300,
        env=os.environ | {"COLUMNS": "160"},
    )


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Told:
    """The command in this process: its exit code and what it prints."""

    def call(*arguments: str) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["navproof", "corruptions", *arguments])
        with pytest.raises(SystemExit) as left:
            main()
        printed = capsys.readouterr()
        return int(left.value.code or 0), printed.out, printed.err

    return call


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("gallery")
    save_scene(bake(tiny_scene()), path / "tiny.scene")
    stream = np.random.default_rng(0)
    cv2.imwrite(str(path / "mine.jpg"), stream.integers(0, 256, (90, 120, 3), dtype=np.uint8))
    cv2.imwrite(str(path / "mine.png"), stream.integers(0, 5000, (90, 120), dtype=np.uint16))
    (path / "not.jpg").write_text("no picture")
    size = (60_000).to_bytes(4, "big")
    head = b"IHDR" + size + size + b"\x10\0\0\0\0"
    png = b"\x89PNG\r\n\x1a\n" + struct.pack(">I", 13) + head + struct.pack(">I", crc32(head))
    (path / "huge.png").write_bytes(png)  # a few bytes that say they are 7 GB
    (path / "tiny.png").write_bytes((path / "tiny.scene").read_bytes())
    return path


def test_list_names_every_corruption(told: Told) -> None:
    done = navproof("list")
    assert done.returncode == 0, done.stderr
    assert all(name in done.stdout for name in CORRUPTIONS)
    rows = json.loads(told("list", "--json")[1])
    assert [row["name"] for row in rows] == list(CORRUPTIONS)
    for row in rows:
        entry = CORRUPTIONS[row["name"]]
        assert row["intensity"] == entry.default
        assert (row["family"], row["stands_for"], row["source"]) == (
            entry.family,
            entry.stands_for,
            entry.source,
        )
    depth = json.loads(told("list", "--family", "depth", "--json")[1])
    assert {row["family"] for row in depth} == {"depth"}
    assert len(depth) == 4


def test_list_tells_what_the_mixed_conditions_are_made_of(told: Told) -> None:
    rows = json.loads(told("list", "--family", "mixed", "--json")[1])
    assert [row["name"] for row in rows] == list(MIXED)
    first = [CORRUPTIONS[name] for name in MIXED[0].split("+")]
    assert rows[0]["family"] == "mixed"
    assert rows[0]["intensity"] == [corruption.default for corruption in first]
    assert all(corruption.stands_for in rows[0]["stands_for"] for corruption in first)
    code, printed, errors = told("list", "--family", "mixed")
    assert code == 0, errors
    assert "0.6 + 0.6" in printed
    assert all(part in printed for name in MIXED for part in name.split("+"))


def test_show_draws_the_chosen_ones(
    folder: Path, told: Told, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    common = ("--scene", "tiny.scene", "--image", "mine.jpg", "--depth", "mine.png")
    code, printed, errors = told("show", "-o", "all.png", *common)
    assert code == 0, errors
    assert "15 corruptions" in printed
    whole = cv2.imread(str(folder / "all.png"))
    chosen = ("--only", "spatter, depth_missing", "--json")
    assert json.loads(told("show", "-o", "two.png", *chosen, *common)[1]) == {
        "file": "two.png",
        "corruptions": ["spatter", "depth_missing"],
        "pictures": ["rendered: tiny", "mine.jpg"],
    }
    two = cv2.imread(str(folder / "two.png"))
    assert whole is not None
    assert two is not None
    assert two.shape[1] == whole.shape[1]
    assert two.shape[0] < whole.shape[0] / 3


def test_text_says_every_corruption_of_a_sentence(told: Told) -> None:
    names = [c.name for c in CORRUPTIONS.values() if c.family == "instruction"]
    code, printed, errors = told("text", SAID, "--json")
    assert code == 0, errors
    said = json.loads(printed)
    assert said["instruction"] == SAID
    assert sorted(said["heard"]) == sorted(names)
    assert all(words and words != SAID for words in said["heard"].values())
    assert said["heard"]["black_box"].endswith(SAID)
    assert SAID not in said["heard"]["white_box"]
    assert json.loads(told("text", SAID, "--seed", "0", "--json")[1]) == said
    assert json.loads(told("text", SAID, "--seed", "1", "--json")[1])["heard"] != said["heard"]
    same = json.loads(told("text", SAID, "--intensity", "0", "--json")[1])["heard"]
    assert same.pop("white_box") == ""
    assert set(same.values()) == {SAID}
    code, table, errors = told("text", SAID)
    assert code == 0, errors
    assert all(name in table for name in names)
    assert "[MASK]" in table


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("list", "--family", "rbg"), ("rbg", "did you mean 'rgb'")),
        (("show", "-o", "x.gif"), (".png or .jpg", "x.gif")),
        (("show", "-o", "no/folder/x.png"), ("no folder", "no/folder")),
        (("show", "-o", "x.png", "--only", "spater"), ("spater", "did you mean 'spatter'")),
        (("show", "-o", "x.png", "--only", "friendly"), ("no image corruption 'friendly'",)),
        (("show", "-o", "x.png", "--only", ","), ("--only ,", "names no corruption")),
        (("show", "-o", "x.png", "--image", "none.jpg"), ("none.jpg", "no such file")),
        (("show", "-o", "x.png", "--image", "not.jpg"), ("not.jpg", "cannot be read")),
        (("show", "-o", "x.png", "--image", "huge.png"), ("huge.png has 60000 × 60000 pixels",)),
        (("show", "-o", "x.png", "--image", "mine.jpg", "--depth", "huge.png"), ("are the most",)),
        (("show", "-o", "mine.jpg", "--image", "mine.jpg"), ("is what is read",)),
        (("show", "-o", "tiny.png"), ("tiny.png is there and is no picture",)),
        (("show", "-o", "x.png", "--depth", "mine.png"), ("--image",)),
        (
            ("show", "-o", "x.png", "--image", "mine.jpg", "--depth", "mine.jpg"),
            ("mine.jpg", "16-bit"),
        ),
        (("show", "-o", "x.png", "--scene", "none.scene"), ("none.scene",)),
        (("show", "-o", "x.png", "--scene", "tiny.scene", "--seed", "x"), ("seed",)),
        (("text", " "), ("empty",)),
        (("text", "Go.", "--intensity", "2"), ("[0, 1]", "2")),
        (("show",), ("output",)),
    ],
)
def test_bad_input_is_one_line(
    folder: Path,
    arguments: tuple[str, ...],
    words: tuple[str, ...],
    told: Told,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(folder)
    code, _, errors = told(*arguments)
    assert code == 2
    assert len(errors.strip().splitlines()) == 1, errors
    for word in words:
        assert word in errors
