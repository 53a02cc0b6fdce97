"""What a search tells of itself in a log."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from navproof.cli.terminal.fuzz_progress import FuzzProgress


@dataclass
class _Result:
    success: bool


def test_a_log_has_a_line_for_every_tenth(capsys: pytest.CaptureFixture[str]) -> None:
    with FuzzProgress() as progress:
        progress.begin(200, 0, 0)
        for done in range(12):
            progress.calibrating(done, 12)
        for number in range(200):
            progress.played(_Result(number % 4 > 0))
        progress.minimising(0, 0)
    lines = capsys.readouterr().err.splitlines()
    cases = [line for line in lines if line.startswith("cases: ")]
    assert cases[0] == "cases: 1 of 200; 1 failed"
    assert cases[-1] == "cases: 200 of 200; 50 failed"
    assert len(cases) == 11
    first = [line for line in lines if line.startswith("the first cases, to calibrate: ")]
    assert 5 <= len(first) <= 11
    assert len(lines) == len(cases) + len(first)  # nothing of failures where there are none


def test_going_on_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    with FuzzProgress() as progress:
        progress.begin(24, 22, 2)
        progress.minimising(0, 1)
        progress.minimising(1, 1)
    assert capsys.readouterr().err.splitlines() == [
        "22 of 24 cases are played already; going on",
        "cases: 22 of 24; 2 failed",
        "failures made smaller: 0 of 1",
        "failures made smaller: 1 of 1",
    ]
