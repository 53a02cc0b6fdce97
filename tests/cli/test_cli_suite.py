"""``navproof suite`` through its real entry point."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

import packed_samples as samples
from navproof.cli.main import main
from navproof.tasks.suites.pack import open_pack


@dataclass(frozen=True)
class Done:
    """What a command left behind."""

    returncode: int
    stdout: str
    stderr: str


@pytest.fixture
def navproof(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., Done]:
    """The command's entry point, called in this process and in the folder."""
    monkeypatch.chdir(folder)

    def call(*arguments: object) -> Done:
        monkeypatch.setattr(sys, "argv", ["navproof", *map(str, arguments)])
        capsys.readouterr()
        with pytest.raises(SystemExit) as ended:
            main()
        printed = capsys.readouterr()
        return Done(ended.value.code, printed.out, printed.err)  # type: ignore[arg-type]

    return call


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with episodes, a suite of one's own, a packed suite, a salt."""
    folder = tmp_path_factory.mktemp("suites")
    samples.episode_file(folder)
    (folder / "own.py").write_text(
        "from navproof import Suite, SuitePart\n"
        "PARTS = (SuitePart(('pointnav-v1',), ('flat.scene',), 2),)\n"
        "OWN = Suite('own', 'two of one scene', PARTS, conditions=('spatter',))\n"
    )
    shutil.copy(samples.SUITE, folder / "kept.suite")
    (folder / "my.salt").write_bytes(bytes(range(40)))
    (folder / "bad.salt").write_bytes(bytes(40))
    (folder / "cut.suite").write_bytes(samples.SUITE.read_bytes()[:50_000])
    return folder


def test_suites_are_listed(navproof: Callable[..., Done], folder: Path) -> None:
    rows = json.loads(navproof("suite", "list", "--json").stdout)
    sizes = {r["suite"]: r["episodes"] for r in rows}
    assert sizes["mini"] == 36
    assert sizes["langnav-val"] == 832
    assert {"val", "test", "langnav-mini", "langnav-test"} <= set(sizes)


def test_a_suite_is_packed_shown_and_made(navproof: Callable[..., Done], folder: Path) -> None:
    done = navproof("suite", "pack", "own.py:OWN", "-o", "own.suite", "-j", 1)
    assert done.returncode == 0, done.stderr
    first, last = done.stdout.strip().splitlines()
    assert first.startswith("own: 2 episodes in 1 scene(s) → own.suite (0.")
    assert last == f"sha256 {open_pack(folder / 'own.suite').digest}"
    about = json.loads(navproof("suite", "show", "own.suite", "--json").stdout)
    assert (about["suite"], about["what"], about["episodes"]) == ("own", "two of one scene", 2)
    assert about["digest"] == last.partition(" ")[2]
    assert about["conditions"] == ["clean", "spatter"]
    assert list(about["settings"]) == ["pointnav-v1"]
    told = navproof("suite", "show", "own.suite").stdout
    assert "made by" in told
    assert "flat.scene#" in told
    made = navproof("suite", "make", "own.suite")
    assert made.stdout == "own.suite: 2 episodes in 1 scene(s) are here\n"

    few = navproof(
        "suite",
        "pack",
        "own.py:OWN",
        "-o",
        "few.suite",
        "--limit",
        1,
        "--json",
    )
    assert json.loads(few.stdout)["episodes"] == 1
    about = json.loads(navproof("suite", "show", "few.suite", "--json").stdout)
    assert about["what"] == "1 of 2 episodes of: two of one scene"


def test_a_salted_suite_is_packed_with_a_warning(
    navproof: Callable[..., Done], folder: Path
) -> None:
    options = ("--salt", "my.salt", "-o", "salted.suite")
    done = navproof("suite", "pack", "own.py:OWN", *options)
    assert done.returncode == 0, done.stderr
    assert "whoever has this file can read what the salt withholds" in done.stdout
    about = json.loads(navproof("suite", "show", "salted.suite", "--json").stdout)
    public = json.loads(navproof("suite", "show", "own.suite", "--json").stdout)
    assert about["made_by"]["salt"] != ""
    assert public["made_by"]["salt"] == ""
    assert about["digest"] != public["digest"]


def test_what_is_not_packed_is_shown_without_being_made(
    navproof: Callable[..., Done], folder: Path
) -> None:
    about = json.loads(navproof("suite", "show", "langnav-test", "--json").stdout)
    assert (about["episodes"], about["tasks"]) == (750, {"langnav-v1": 750})
    assert len(about["scenes"]) == 15
    about = json.loads(navproof("suite", "show", "flat.jsonl", "--json").stdout)
    assert (about["kind"], about["episodes"], about["made"]) == ("episode file", 6, True)


def test_episodes_of_a_packed_suite_are_shown_and_checked(
    navproof: Callable[..., Done], folder: Path
) -> None:
    listed = navproof("episodes", "show", "kept.suite", "--json")
    assert json.loads(listed.stdout)[0]["episode"] == "tiny-langnav-v1"
    counted = json.loads(navproof("episodes", "stats", "kept.suite", "--json").stdout)
    assert counted[0]["table"]["episodes"] == 6
    source = navproof("episodes", "validate", "flat.jsonl", "--json")
    checked = navproof("episodes", "validate", "kept.suite", "--json")
    assert json.loads(checked.stdout) == json.loads(source.stdout)


def test_a_run_of_a_packed_suite_is_verified(navproof: Callable[..., Done], folder: Path) -> None:
    shutil.copytree(samples.RUN, folder / "run")
    done = navproof("verify", "run", "--suite", "kept.suite", "--sample", 2, "-j", 1)
    assert done.returncode == 0, done.stderr
    assert "its episodes are compared with those of packed suite tiny (sha256 " in done.stdout
    other = navproof("verify", "run", "--suite", "cut.suite")
    assert (other.returncode, other.stderr.count("\n")) == (2, 1)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("pack", "own.py:OWN"), "Missing option '--output'"),
        (("pack", "own.py:OWN", "-o", "own.zip"), "--output must be a .suite file, not 'own.zip'"),
        (("pack", "own.py:OWN", "-o", "none/a.suite"), "there is no folder none"),
        (("pack", "own.py:OW", "-o", "a.suite"), "has no 'OW'; did you mean 'OWN'"),
        (("pack", "none.jsonl", "-o", "a.suite"), "none.jsonl: cannot be read"),
        (("pack", "kept.suite", "-o", "a.suite"), "kept.suite is packed already"),
        (("pack", "linked.jsonl", "-o", "linked.suite"), "linked.suite is what is read"),
        (
            ("pack", "in-linked.jsonl", "-o", "scene.suite"),
            "scene.suite is there and is no packed suite",
        ),
        (("pack", "own.py:OWN", "-o", "a.suite", "--skip", 5), "5 episodes cannot be left out"),
        (("pack", "own.py:OWN", "-o", "a.suite", "--salt", "bad.salt"), "the salt bad.salt"),
        (
            ("pack", "flat.jsonl", "-o", "a.suite", "--salt", "my.salt"),
            "is an episode file: it can",
        ),
        (("show", "cut.suite"), "cut.suite is not a packed suite, or not a whole one"),
        (("show", "flat.jsonk"), "there is no suite 'flat.jsonk'"),
        (("make", "none.suite"), "none.suite cannot be read (No such file or directory)"),
        (("make", "kept.suite", "--salt", "my.salt"), "is a packed suite: it cannot be made anew"),
        (("make", "minni"), "did you mean 'mini'"),
    ],
)
def test_bad_input_is_one_line_and_exit_code_2(
    navproof: Callable[..., Done], folder: Path, arguments: tuple[object, ...], said: str
) -> None:
    if not (folder / "linked.suite").exists():
        shutil.copy(folder / "flat.jsonl", folder / "linked.jsonl")
        (folder / "linked.suite").symlink_to(folder / "linked.jsonl")
        (folder / "scene.suite").hardlink_to(folder / "flat.scene")
        shutil.copy(folder / "flat.jsonl", folder / "in-linked.jsonl")
    before = {path: path.read_bytes() for path in folder.iterdir() if path.is_file()}
    done = navproof("suite", *arguments)
    assert done.returncode == 2
    lines = done.stderr.strip().splitlines()
    assert len(lines) == 1, done.stderr
    assert lines[0].startswith("navproof: ")
    assert said in lines[0]
    assert {path: path.read_bytes() for path in folder.iterdir() if path.is_file()} == before
