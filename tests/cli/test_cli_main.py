"""The command itself: its version, its help, and completion in a shell."""

from __future__ import annotations

import pytest
from typer.testing import CliRunner

import navproof
from navproof.cli.main import app


def test_version() -> None:
    done = CliRunner().invoke(app, ["--version"])
    assert (done.exit_code, done.output) == (0, f"navproof {navproof.__version__}\n")


@pytest.mark.parametrize("words", [["-h"], ["run", "-h"], ["episodes", "make", "-h"]])
def test_short_help(words: list[str]) -> None:
    done = CliRunner().invoke(app, words)
    assert done.exit_code == 0
    assert "Usage" in done.output


def test_a_shell_is_told_the_commands() -> None:
    asked = {"_NAVPROOF_COMPLETE": "complete_bash", "COMP_WORDS": "navproof sc", "COMP_CWORD": "1"}
    done = CliRunner().invoke(app, [], env=asked, prog_name="navproof")
    assert {"scene", "score"} <= set(done.output.split())
