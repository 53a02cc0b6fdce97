"""Writes constraints/py311.txt and its like: the exact versions that ``make`` installs.

    python scripts/lock.py [3.11 3.12 ...]

For every supported Python that is on the PATH (python3.11, ...), a temporary virtual environment
resolves the newest releases that pyproject.toml allows for navproof, its development tools, the
peers of the benchmarks and the documentation, and what builds and installs them. PyTorch and what
only it needs is left out. Only releases with wheels are taken: nothing is built but navproof. The
file of a Python that is not at hand stays as it is, and the script says so.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parent.parent
PYTHONS = ("3.11", "3.12", "3.13")
EXTRAS = "dev,bench,docs"
INSTALLERS = ("pip", "hatchling", "editables")
"""What installs and builds: navproof's own build takes these, not others of the day."""
HEAD = """\
# What `make` installs with Python {python}. Written by `make lock`: do not edit.
"""


def find(python: str) -> Path | None:
    """The first ``python3.x`` of the PATH that really is that Python."""
    for folder in os.environ.get("PATH", "").split(os.pathsep):
        path = Path(folder) / f"python{python}"
        if not path.is_file():
            continue
        asked = [path, "-c", "import sys; print('%d.%d' % sys.version_info[:2])"]
        told = subprocess.run(asked, capture_output=True, text=True, check=False)
        if told.returncode == 0 and told.stdout.strip() == python:
            return path
    return None


def resolve(python: Path) -> list[str]:
    """Sorted ``name==version`` of everything that would be installed."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([python, "-m", "venv", folder], check=True)
        pip = [Path(folder) / "bin" / "python", "-m", "pip", "install", "--quiet"]
        pip.append("--disable-pip-version-check")
        subprocess.run([*pip, "--upgrade", "pip"], check=True)
        report = Path(folder) / "report.json"
        options = ["--dry-run", "--ignore-installed", "--only-binary=:all:", "--report", report]
        wanted = [*INSTALLERS, f"{ROOT}[{EXTRAS}]"]
        subprocess.run([*pip, *options, *wanted], check=True)
        found = json.loads(report.read_text(encoding="utf-8"))["install"]
    packages = {_normal(one["metadata"]["name"]): one["metadata"]["version"] for one in found}
    del packages["navproof"]
    return sorted(f"{name}=={version}" for name, version in packages.items())


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def main(words: list[str]) -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("pythons", nargs="*", metavar="PYTHON", help=f"of {', '.join(PYTHONS)}")
    asked = parser.parse_args(words).pythons or PYTHONS
    if strange := set(asked) - set(PYTHONS):
        sys.exit(f"lock: no supported Python: {', '.join(sorted(strange))}")
    missing = False
    for python in asked:
        path = ROOT / "constraints" / f"py{python.replace('.', '')}.txt"
        name = path.relative_to(ROOT)
        interpreter = find(python)
        if interpreter is None:
            print(f"Python {python} is not on the PATH: {name} stays as it is")
            missing = True
            continue
        before = path.read_text(encoding="utf-8").splitlines() if path.is_file() else []
        lines = resolve(interpreter)
        path.parent.mkdir(exist_ok=True)
        path.write_text("\n".join([HEAD.format(python=python) + lines[0], *lines[1:], ""]), "utf-8")
        new = sorted(set(lines) - set(before))
        print(f"{name}: {len(lines)} packages, {len(new)} new or other than before")
        for line in new if before else ():
            print(f"  {line}")
    if missing:
        print("Other files may be older than those that were written now.")


if __name__ == "__main__":
    main(sys.argv[1:])
