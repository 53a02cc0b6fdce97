"""``navproof export`` and ``nv.export`` through their front doors, bad input included."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from cli_run_samples import ended, vln_run

import navproof as nv


@pytest.fixture(scope="module")
def run_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return vln_run(tmp_path_factory.mktemp("cli-export"), 1)


def test_one_episode_is_one_file(
    run_folder: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    pytest.importorskip("av", reason="PyAV is not installed (the extra video)")
    pytest.importorskip("rerun", reason="rerun-sdk is not installed (the extra rerun)")
    for to, name in (("mp4", "new/e.mp4"), ("rerun", "new/e.rrd")):
        out = tmp_path / name
        words = ("export", str(run_folder), "vln", "-a", "direct", "--to", to, "-o", str(out))
        assert ended(monkeypatch, *words, "--json") == 0
        told = json.loads(capsys.readouterr().out)
        assert told == {"files": [{"path": str(out), "bytes": out.stat().st_size}]}
        assert ended(monkeypatch, *words) == 0  # it may be made again
        assert str(out) in capsys.readouterr().out
    assert (tmp_path / "new" / "e.mp4").read_bytes()[4:8] == b"ftyp"


def test_without_an_episode_all_are_written(run_folder: Path, tmp_path: Path) -> None:
    pytest.importorskip("av", reason="PyAV is not installed (the extra video)")
    files = nv.export(run_folder, to="mp4", out=tmp_path / "videos", agent="broken", fps=30)
    ids = {k.episode_id for k in nv.Run(run_folder).info.planned() if k.agent == "broken"}
    assert len(files) == len(ids) == len(list((tmp_path / "videos").iterdir()))
    assert {f.name for f in files} == {f"{i}__broken__clean.mp4" for i in ids}


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("vln", "--to", "mp5", "-o", "e.mp4"), "did you mean 'mp4'"),
        (("vln", "--to", "mp4", "-o", "e.rrd"), "--out must be a .mp4 file"),
        (("vlm", "--to", "mp4", "-o", "e.mp4"), "has no episode 'vlm'"),
        (("vln", "-a", "brokn", "--to", "mp4", "-o", "e.mp4"), "did you mean 'broken'"),
        (("vln", "--to", "mp4", "-o", "e.mp4", "--fps", "0"), "--fps"),
        (("vln", "--to", "mp4", "-o", "here.mp4"), "is there and is no video"),
        (("--to", "mp4", "-o", "here.mp4"), "it is a file; name a folder"),
        (("-c", "spatter@0.4", "--to", "mp4", "-o", "new"), "has no condition"),
    ],
)
def test_bad_wishes_are_one_line(
    words: tuple[str, ...],
    expected: str,
    run_folder: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    pytest.importorskip("av", reason="PyAV is not installed (the extra video)")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "here.mp4").write_text("my notes")
    assert ended(monkeypatch, "export", str(run_folder), *words) == 2
    told = capsys.readouterr().err
    assert expected in told
    assert told.count("\n") == 1
    assert [p.name for p in tmp_path.iterdir()] == ["here.mp4"]


def test_what_is_missing_is_told_before_the_run_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for to, module, extra in (("mp4", "av", "video"), ("rerun", "rerun", "rerun")):
        monkeypatch.setitem(sys.modules, module, None)
        out = str(tmp_path / "out")
        assert ended(monkeypatch, "export", str(tmp_path / "no"), "--to", to, "-o", out) == 2
        assert f"pip install 'navproof[{extra}]'" in capsys.readouterr().err
