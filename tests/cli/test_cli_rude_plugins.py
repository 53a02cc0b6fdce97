"""Plug-ins that end the program, print, or break their form: each is one line, never silence."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from navproof.api.result import Result
from navproof.core.errors import SpecError
from navproof.corruptions.condition import parse_condition
from navproof.corruptions.protocol import Moment

RUDE = """
import sys

print("HELLO FROM THE IMPORT")

def fog(image, intensity, rng):
    return image

def exits(image, intensity, rng):
    sys.exit(0)

def shrinks(image, intensity, rng):
    return image[1:]

def floats(image, intensity, rng):
    return image.astype(float)

def dies(image, intensity, rng):
    import os
    os._exit(7)

def mutes(text, intensity, rng):
    return None

def suite():
    sys.exit(0)

class Agent:
    def reset(self, brief): ...
    def act(self, obs):
        sys.exit(0)
"""


ENDS = """
import os
os._exit(7)

def fog(image, intensity, rng):
    return image
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "rude.py").write_text(RUDE)
    (tmp_path / "pack").mkdir()
    for path in (tmp_path / "ends.py", tmp_path / "pack" / "ends.py"):
        path.write_text(ENDS)
    return tmp_path


def navproof(folder: Path, *arguments: str) -> tuple[int, str, str]:
    command = [sys.executable, "-c", "from navproof.cli.main import main; main()", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, cwd=folder, check=False)
    return done.returncode, done.stdout, done.stderr


def test_ending_the_program_is_never_a_success(folder: Path) -> None:
    code, _, error = navproof(
        folder, *("run", "-a", "random", "--suite", "rude.py:suite", "-o", "run")
    )
    assert code == 2
    assert "rude.py:suite" in error.splitlines()[-1]
    code, out, _ = navproof(folder, "check", "corruption", "rude.py:exits", "--json")
    assert code == 1
    assert "SystemExit" in out
    code, out, _ = navproof(folder, "check", "agent", "rude.py:Agent", "--task", "pointnav")
    assert code == 1


@pytest.mark.skipif(not Path("/bin/sh").exists(), reason="a shell tells of the end")
@pytest.mark.parametrize(
    ("words", "named"),
    [
        (("run", "-a", "random", "-c", "ends.py:fog@0.5", "-o", "run"), "ends.py, while it was im"),
        (("run", "-a", "random", "-c", "pack.ends:fog@0.5", "-o", "run"), "pack.ends, while it"),
        (("check", "corruption", "ends.py:fog"), "corruption ends.py:fog"),
        (("check", "corruption", "rude.py:dies"), "corruption rude.py:dies"),
    ],
)
def test_what_ends_the_program_at_once_is_named(
    folder: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], named: str
) -> None:
    monkeypatch.setenv("PYTHONPATH", str(folder))
    code, _, error = navproof(folder, *words)
    assert code == 7
    (line,) = [line for line in error.splitlines() if line.startswith("navproof: ")]
    assert line.startswith(f"navproof: {named}")
    assert line.endswith("ended the program at once (os._exit, or a crash)")


def test_what_a_plugin_prints_does_not_spoil_json(folder: Path) -> None:
    code, out, error = navproof(folder, "check", "corruption", "rude.py:fog", "--json")
    assert code in (0, 1)
    assert isinstance(json.loads(out), dict)
    assert "HELLO FROM THE IMPORT" in error


def test_names_are_no_pictures(capsys: pytest.CaptureFixture[str]) -> None:
    """rich would show ``:fog:`` as a picture of fog."""
    from navproof.cli.terminal.output import print_table

    print_table("conditions", [{"condition": "my.py:fog:frame"}])
    assert "my.py:fog:frame" in capsys.readouterr().out

    class Names(Result):
        rows = [{"name": "my.py:fog:frame"}]  # type: ignore[assignment]  # noqa: RUF012

        def show(self, console: object) -> None:
            console.print("my.py:fog:frame")  # type: ignore[attr-defined]

    assert "my.py:fog:frame" in Names().table()


@pytest.mark.parametrize(
    ("name", "target", "x"),
    [
        ("shrinks", "rgb", np.zeros((4, 6, 3), np.uint8)),
        ("floats", "rgb", np.zeros((4, 6, 3), np.uint8)),
        ("mutes", "words", "Go to the sofa."),
    ],
)
def test_a_corruption_keeps_the_form(folder: Path, name: str, target: str, x: object) -> None:
    condition = parse_condition(f"{folder / 'rude.py'}:{name}")
    with pytest.raises(SpecError, match=rf"{name}' made .* of .*: it must keep shape and type"):
        condition.corrupt(target, x, Moment(0, "e", "camera", 0))  # type: ignore[arg-type]
