"""What ``make`` installs is locked to the version, and ``make help`` knows every target."""

from __future__ import annotations

import re
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
TARGETS = {
    *("help", "demo", "test", "test-latest", "test-fuzz", "test-docs", "docs"),
    *("lint", "format", "bench", "lock", "clean"),
}


def direct_dependencies() -> set[str]:
    """Names of what navproof, its tools, its benchmarks and its documentation ask for."""
    extras = PROJECT["optional-dependencies"]
    asked = [*PROJECT["dependencies"], *extras["dev"], *extras["bench"], *extras["docs"]]
    names = [re.match(r"[\w.-]+", text) for text in asked]
    return {re.sub(r"[-_.]+", "-", name[0]).lower() for name in names if name}


def supported() -> list[str]:
    named = [re.fullmatch(r".*Python :: (3\.\d+)", line) for line in PROJECT["classifiers"]]
    return [found[1] for found in named if found]


def test_every_supported_python_has_its_locked_versions() -> None:
    files = {path.name for path in (ROOT / "constraints").iterdir()}
    assert files == {f"py{python.replace('.', '')}.txt" for python in supported()}
    assert {"py311.txt", "py312.txt", "py313.txt"} <= files


@pytest.mark.parametrize("python", supported())
def test_locked_versions_are_exact_and_name_what_installs_and_every_dependency(python: str) -> None:
    path = ROOT / "constraints" / f"py{python.replace('.', '')}.txt"
    text = path.read_text(encoding="utf-8")
    for other in ("http", "@ file", "--", "navproof=="):
        assert other not in text
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    strange = [line for line in lines if not re.fullmatch(r"[a-z0-9-]+==[\w.!+]+", line)]
    assert strange == []
    locked = {line.partition("==")[0] for line in lines}
    assert len(locked) == len(lines)
    assert {"pip", "hatchling", "editables"} | direct_dependencies() <= locked


@pytest.mark.skipif(shutil.which("make") is None, reason="make is not installed")
def test_help_lists_every_target() -> None:
    told = subprocess.run(
        ["make", "--no-print-directory", "help"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert {line.split()[0] for line in told.stdout.splitlines()} == TARGETS
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    phony = re.search(r"^\.PHONY: (.*)$", makefile, flags=re.MULTILINE)
    assert phony
    assert set(phony[1].split()) == TARGETS
