"""``navproof report`` through the real entry point, bad input included."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from navproof.cli.main import main
from navproof.testing import tiny_scene
from navproof.world.io import save_scene


def _sample(folder: Path) -> Path:
    """A small run over a scene file that ``load_scene`` finds."""
    source = Path(__file__).parents[1] / "reports" / "sample_run.py"
    spec = importlib.util.spec_from_file_location("sample_run_for_cli", source)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    save_scene(tiny_scene(), folder / "tiny.scene")
    return Path(
        module.sample_run(
            folder / "run", ("direct", "broken"), count=3, scene=str(folder / "tiny.scene")
        )
    )


@pytest.fixture(scope="module")
def run_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return _sample(tmp_path_factory.mktemp("cli-report"))


def navproof(monkeypatch: pytest.MonkeyPatch, *words: str) -> int:
    monkeypatch.setattr(sys, "argv", ["navproof", *words])
    with pytest.raises(SystemExit) as left:
        main()
    return int(left.value.code or 0)


def test_report_is_written_into_the_run_by_default(
    run_folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert navproof(monkeypatch, "report", str(run_folder), "--episodes", "2") == 0
    page = (run_folder / "report.html").read_text(encoding="utf-8")
    assert "report.html" in capsys.readouterr().out
    assert page.count("data:image/jpeg") == 2 * 2 * 5
    assert "No frames" not in page


def test_report_json_names_the_file(
    run_folder: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    out = tmp_path / "a.html"
    words = ("report", str(run_folder), "-o", str(out), "--episodes", "0", "--json")
    assert navproof(monkeypatch, *words) == 0
    told = json.loads(capsys.readouterr().out)
    assert told == {"report": str(out), "bytes": out.stat().st_size}
    assert navproof(monkeypatch, "report", str(run_folder), "-o", str(tmp_path)) == 0
    assert (tmp_path / "report.html").is_file()


@pytest.mark.parametrize("kind", ["nowhere", "not a run"])
def test_bad_runs_are_one_line(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "x" if kind == "nowhere" else tmp_path
    assert navproof(monkeypatch, "report", str(path)) == 2
    told = capsys.readouterr().err
    assert told.startswith("navproof: ")
    assert told.count("\n") == 1
    assert str(path) in told


def test_the_installed_command_reports_and_does_not_depend_on_the_process(run_folder: Path) -> None:
    """Two processes with different hash seeds write the same bytes."""
    command = [str(Path(sys.executable).parent / "navproof")]
    if not Path(command[0]).exists():
        command = [sys.executable, "-c", "from navproof.cli.main import main; main()"]
    pages = []
    for seed in ("1", "2"):
        out = run_folder / f"{seed}.html"
        words = [*command, "report", str(run_folder), "-o", str(out), "--episodes", "1"]
        done = subprocess.run(
            words,
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        pages.append(out.read_bytes())
    assert pages[0] == pages[1]
