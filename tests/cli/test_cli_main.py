"""The command itself: its version, its help, and completion in a shell."""

from __future__ import annotations

import os
import subprocess
import sys

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


_MAIN = "import sys; sys.argv[0] = 'navproof'; from navproof.cli.main import main; main()"


def command(words: str, **env: str) -> subprocess.CompletedProcess[str]:
    """The command as a shell runs it."""
    return subprocess.run(
        f'"{sys.executable}" -c "{_MAIN}" {words}',
        shell=True,
        executable="/bin/bash",
        capture_output=True,
        text=True,
        timeout=120,
        env={**os.environ, **env},
    )


def test_completion_ends_quietly() -> None:
    asked = {"_NAVPROOF_COMPLETE": "complete_bash", "COMP_WORDS": "navproof sc", "COMP_CWORD": "1"}
    done = command("", **asked)
    assert (done.returncode, done.stderr) == (0, "")
    assert {"scene", "score"} <= set(done.stdout.split())


def test_nobody_need_read_to_the_end() -> None:
    done = command("corruptions list --json | (read line; echo first: $line)")
    assert (done.stdout, done.stderr) == ("first: [\n", "")


def test_a_wrong_choice_is_told_in_plain_words() -> None:
    done = command("run --agent oracle --people nope -o nowhere")
    assert done.returncode == 2
    assert done.stderr.startswith("navproof: Invalid value for '--people': 'nope' is not one of")
