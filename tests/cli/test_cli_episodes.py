"""``navproof episodes`` through its real entry point."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
from pathlib import Path

import pytest

from navproof.testing import tiny_scene
from navproof.world.io import save_scene


def navproof(*arguments: object, cwd: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", "from navproof.cli.main import main; main()"]
    return subprocess.run(
        [*command, "episodes", *(str(a) for a in arguments)],
        capture_output=True,
        text=True,
        cwd=cwd,
        check=False,
        timeout=120,
    )


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("episodes")
    save_scene(tiny_scene(), folder / "tiny.scene")
    made = navproof(
        "make", "--aligned", "--scene", "tiny.scene", "--count", 2, "--seed", 1,
        "-o", "pairs.jsonl.gz", cwd=folder,
    )  # fmt: skip
    assert made.returncode == 0, made.stderr
    assert "4 vln and objectnav episodes" in made.stdout
    return folder


def test_make_is_repeatable(folder):
    for task in ("pointnav", "vln-v1"):
        for name in ("a.jsonl", "b.jsonl"):
            done = navproof("make", "--task", task, "--scene", "tiny.scene", "--count", 1,
                            "-o", name, cwd=folder)  # fmt: skip
            assert done.returncode == 0, done.stderr
        assert (folder / "a.jsonl").read_bytes() == (folder / "b.jsonl").read_bytes()


def test_show_lists_and_shows_one(folder):
    listed = navproof("show", "pairs.jsonl.gz", "--json", cwd=folder)
    rows = json.loads(listed.stdout)
    assert [r["goal"] for r in rows][:2] == [r["goal"] for r in rows][2:]
    assert "4 episodes" in navproof("show", "pairs.jsonl.gz", cwd=folder).stdout
    one = navproof("show", "pairs.jsonl.gz", rows[0]["episode"], "-o", "map.png", cwd=folder)
    assert one.returncode == 0, one.stderr
    for part in ("vln-v1 in tiny.scene", "start (", "budget 500", "stop", "S", "G"):
        assert part in one.stdout
    assert (folder / "map.png").read_bytes().startswith(b"\x89PNG")
    full = json.loads(
        navproof("show", "pairs.jsonl.gz", rows[0]["episode"], "--json", cwd=folder).stdout
    )
    assert full["episode_id"] == rows[0]["episode"]


def test_validate_passes_the_good_and_names_the_bad(folder):
    good = navproof("validate", "pairs.jsonl.gz", cwd=folder)
    assert (good.returncode, good.stdout.strip()) == (0, "4 of 4 episodes are sound")
    lines = gzip.decompress((folder / "pairs.jsonl.gz").read_bytes()).decode().splitlines()
    spoilt = json.loads(lines[1])
    spoilt["geodesic_m"] = 99.0
    (folder / "bad.jsonl").write_text("\n".join([lines[0], json.dumps(spoilt)]))
    bad = navproof("validate", "bad.jsonl", cwd=folder)
    assert bad.returncode == 1
    assert "bad.jsonl, line 2" in bad.stdout
    assert "'geodesic_m'" in bad.stdout
    found = json.loads(navproof("validate", "bad.jsonl", "--json", cwd=folder).stdout)
    assert [(f["line"], f["field"]) for f in found["faults"]] == [(2, "geodesic_m")]


def test_stats_count_and_draw(folder):
    several = navproof("stats", "pairs.jsonl.gz", "-o", "stats", cwd=folder)
    assert several.returncode == 0, several.stderr
    assert "distinct object categories" in several.stdout
    assert "4 episodes" not in several.stdout
    assert (folder / "stats" / "index.html").is_file()
    assert (folder / "stats" / "pairs-words.svg").is_file()
    told = json.loads(navproof("stats", "pairs.jsonl.gz", "--json", cwd=folder).stdout)
    assert [(s["name"], s["table"]["episodes"]) for s in told] == [("pairs.jsonl.gz", 4)]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("stats", "langnav-vall"), "did you mean 'langnav-val'"),
        (("stats", "none.jsonl"), "none.jsonl: cannot be read"),
        (("stats", "pairs.jsonl.gz", "-o", "tiny.scene"), "tiny.scene: cannot be written"),
        (
            ("make", "--task", "langnav", "--scene", "tiny.scene", "-o", "x.jsonl"),
            "gave only 0 of 5 langnav-v1 episodes",
        ),
        (
            ("make", "--task", "vln", "--extended", "--scene", "tiny.scene", "-o", "x.jsonl"),
            "vln-v1 has no extended language",
        ),
        (("show", "minni"), "did you mean 'mini'"),
        (("show", "none.jsonl"), "none.jsonl: cannot be read"),
        (("validate", "broken.jsonl"), "broken.jsonl, line 1: not valid JSON"),
        (("show", "pairs.jsonl.gz", "nobody"), "no episode 'nobody'"),
        (("show", "pairs.jsonl.gz", "-o", "map.txt"), "map.txt: cannot be written"),
        (("make", "--task", "vlm", "--scene", "tiny.scene", "-o", "x.jsonl"), "'vln'"),
        (("make", "-o", "x.jsonl"), "no scene given"),
        (("make", "--scenes", "home/val", "-o", "x.jsonl"), "first-last"),
        (("make", "--scene", "hut/val/1", "-o", "x.jsonl"), "hut"),
        (("make", "--scene", "tiny.scene", "-o", "x.txt"), "must end in .jsonl"),
    ],
)
def test_bad_input_is_one_line_and_exit_code_2(folder, arguments, said):
    (folder / "broken.jsonl").write_text("{nonsense")
    done = navproof(*arguments, cwd=folder)
    assert done.returncode == 2
    lines = done.stderr.strip().splitlines()
    assert len(lines) == 1, done.stderr
    assert lines[0].startswith("navproof: ")
    assert said in lines[0]
