"""Every benchmark runs from beginning to end, on little."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
BENCHMARKS = [*sorted((ROOT / "benchmarks").glob("bench_*.py")), ROOT / "benchmarks" / "torture.py"]
NEEDS = {"bench_physics": "mujoco"}
"""Modules of extras without which a benchmark says nothing; peers that are missing it tells."""
LIMIT_S = 300  # the first run of all compiles kernels and generates worlds


def test_there_are_benchmarks() -> None:
    assert len(BENCHMARKS) > 10


@pytest.mark.parametrize("path", BENCHMARKS, ids=lambda path: path.stem)
def test_quick_run_ends_well_and_tells_something(path: Path, tmp_path: Path) -> None:
    needed = NEEDS.get(path.stem)
    if needed and importlib.util.find_spec(needed) is None:
        pytest.skip(f"{path.name} needs {needed}")
    if path.stem == "torture" and sys.platform != "linux":
        pytest.skip("torture.py finds the processes of a run in /proc")
    done = subprocess.run(
        [sys.executable, path, "--quick"],
        cwd=tmp_path,
        env={**os.environ, "OPENBLAS_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        timeout=LIMIT_S,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    assert len(done.stdout.split()) > 5
    assert list(tmp_path.iterdir()) == []  # nothing is left behind
