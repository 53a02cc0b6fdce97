"""A package whose plug-ins cannot be imported hides no list and stops no run that does not name
them."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

KINDS = ("agents", "corruptions", "suites", "metrics", "tasks", "sensors", "robots", "simulators")


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """One in which such a package is installed."""
    site = tmp_path_factory.mktemp("site")
    about = site / "broken-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: broken\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text(
        "".join(f"[navproof.{kind}]\nfrom-outside = broken_plugin:thing\n" for kind in KINDS)
    )
    paths = [str(site), *filter(None, [os.environ.get("PYTHONPATH")])]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}


def navproof(environment: dict[str, str], cwd: Path, *arguments: str) -> tuple[int, str, str]:
    command = [sys.executable, "-c", "from navproof.cli.main import main; main()", *arguments]
    done = subprocess.run(
        command, capture_output=True, text=True, cwd=cwd, env=environment, check=False
    )
    return done.returncode, done.stdout, done.stderr


@pytest.mark.parametrize(
    ("arguments", "listed"),
    [
        (("agent", "list", "--json"), "frontier"),
        (("corruptions", "list", "--json"), "spatter"),
        (("suite", "list", "--json"), "langnav-val"),
        (("metrics", "list", "--json"), "spl"),
    ],
)
def test_lists_leave_it_out_in_a_line(
    environment: dict[str, str], tmp_path: Path, arguments: tuple[str, ...], listed: str
) -> None:
    code, out, error = navproof(environment, tmp_path, *arguments)
    assert code == 0, error
    assert listed in out
    (line,) = error.strip().splitlines()
    assert line.startswith("left out: ")
    assert "'from-outside' (broken_plugin:thing) failed on import" in line


def test_naming_it_is_refused_in_a_line(environment: dict[str, str], tmp_path: Path) -> None:
    code, _, error = navproof(environment, tmp_path, "run", "-a", "from-outside", "-o", "run")
    assert code == 2
    (line,) = error.strip().splitlines()
    assert "agent 'from-outside' (broken_plugin:thing) failed on import" in line
