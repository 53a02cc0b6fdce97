"""``scripts/results_missions.py``: tables from traces, prose kept."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from mission_run_samples import mission_run

Main = Callable[[Sequence[str]], None]


@pytest.fixture
def main(script: Callable[[str], Main]) -> Main:
    return script("results_missions")


def test_tables_commands_and_prose(
    main: Main, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run, out = mission_run(tmp_path / "run"), tmp_path / "page.md"
    main([str(run), "-o", str(out)])
    page = out.read_text()
    assert "| good | Carter | 5 | **80.0**<br>" in page
    assert "| good | Aliengo | concise | 4 | **100.0**<br>" in page
    for heading in ("In pauses", "How missions failed", "Homes", "By kind of sub-task"):
        assert f"## {heading}" in page
    assert f"python scripts/results_missions.py {run} -o {out}" in page
    assert "good − poor" in page
    empty = "<!-- prose: summary -->\n"
    out.write_text(page.replace(empty, f"{empty}Nobody is perfect.\n"))
    main([str(run), "-o", str(out)])
    assert out.read_text() == page.replace(empty, f"{empty}Nobody is perfect.\n")
    capsys.readouterr()


def test_runs_without_missions_are_refused(main: Main, run_path: Path, tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match="has no mission"):
        main([str(run_path), "-o", str(tmp_path / "x.md")])
