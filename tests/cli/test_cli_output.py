"""Tables for people."""

from __future__ import annotations

import pytest

from navproof.cli._output import print_table


def test_brackets_in_a_table_are_text(capsys: pytest.CaptureFixture[str]) -> None:
    print_table("runs[1]", [{"what": "pip install 'navproof[foundation]'", "n": None, "x": 0.5}])
    shown = capsys.readouterr().out
    for text in ("runs[1]", "'navproof[foundation]'", "–", "0.500"):
        assert text in shown
