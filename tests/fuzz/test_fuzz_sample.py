"""A sample of what ``make test-fuzz`` does: every kind of damaged input works or is one line."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

HARNESS = Path(__file__).parent / "fuzz_run.py"


def test_damaged_input_works_or_is_one_line(tmp_path: Path) -> None:
    options = ("--count", "200", "--seed", "7", "--workers", "1", "--sample")
    clean = {k: v for k, v in os.environ.items() if k != "PYTHONSAFEPATH"}  # its folder is needed
    command = [sys.executable, str(HARNESS), *options]
    done = subprocess.run(command, cwd=tmp_path, env=clean, capture_output=True, text=True)
    told = done.stdout + done.stderr
    assert done.returncode == 0, told
    assert " mutants, 0 findings" in told
    assert "refused" in told
    assert "works" in told
