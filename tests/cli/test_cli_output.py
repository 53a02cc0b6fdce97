"""Tables for people."""

from __future__ import annotations

from pathlib import Path

import pytest

from navproof.cli.terminal.output import PICTURES, check_output, print_table
from navproof.core.errors import SpecError


def test_brackets_in_a_table_are_text(capsys: pytest.CaptureFixture[str]) -> None:
    print_table("runs[1]", [{"what": "pip install 'navproof[foundation]'", "n": None, "x": 0.5}])
    shown = capsys.readouterr().out
    for text in ("runs[1]", "'navproof[foundation]'", "–", "0.500"):
        assert text in shown


def test_what_cannot_be_written_is_said_before_the_work(tmp_path: Path) -> None:
    check_output(tmp_path / "new.JPG", PICTURES)
    check_output(tmp_path / "new.bin")
    for path, words in (
        (tmp_path / "new.gif", "must be a .png or .jpg file"),
        (tmp_path, "must be a .png or .jpg file"),
        (tmp_path / "no" / "new.png", "there is no folder"),
    ):
        with pytest.raises(SpecError, match=words):
            check_output(path, PICTURES)
    with pytest.raises(SpecError, match="is a folder"):
        check_output(tmp_path)
