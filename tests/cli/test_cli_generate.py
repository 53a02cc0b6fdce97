"""``navproof episodes generate``: what it writes and says, and what it refuses."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

from mission_samples import WHOLE
from navproof.cli.episodes import app
from navproof.core.errors import SpecError
from navproof.tasks.mission import dataset
from navproof.tasks.mission.dataset import SuiteResult


def test_it_counts_what_it_made_and_says_what_is_missing(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    asked: list[str] = []

    def make(name: str, folder: Path, workers: int, note: object) -> SuiteResult:
        asked.append(f"{name} by {workers}")
        (folder / f"{name}.demonstrations.jsonl.gz").write_bytes(b"")
        failed = {"home/test/9": "no room"} if name == "missions" else {}
        return SuiteResult(name, 2, (replace(WHOLE, tags={"social": True}),), (), failed)

    monkeypatch.setattr(dataset, "make_missions", make)
    made = CliRunner().invoke(
        app, ["generate", "missions", "--all", "-o", str(tmp_path), "--workers", "2"]
    )
    assert made.exit_code == 1
    assert asked == ["missions by 2", "missions-train by 2"]
    assert "missions: 1 of 2 missions" in made.stdout
    assert (tmp_path / "stats" / "index.html").is_file()
    assert not list(tmp_path.glob("*.demonstrations.jsonl.gz"))


def test_what_is_no_suite_of_missions_is_refused(tmp_path: Path) -> None:
    made = CliRunner().invoke(app, ["generate", "val", "-o", str(tmp_path)])
    assert made.exit_code != 0
    assert isinstance(made.exception, SpecError)
    assert "'val' is no suite of missions" in str(made.exception)
