"""How processes of ours are started: with the search path of this one, one thread each, and a hash
seed that is always the same."""

from __future__ import annotations

import json
import secrets
import sys
from collections.abc import Mapping
from pathlib import Path

__all__ = ["AGENT_MARK", "RUN_MARK", "command", "environment"]

RUN_MARK = "NAVPROOF_RUN"
"""In the environment of all that a run starts; so what is left of it can be told from the rest."""
AGENT_MARK = "NAVPROOF_AGENT"
"""In that of an agent's process, and of what it starts."""
_ONE_THREAD = (
    "OMP_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "MKL_NUM_THREADS",
    "NUMBA_NUM_THREADS",
    "OPENCV_FOR_THREADS_NUM",
)


def command(statements: str) -> list[str]:
    """Python, to execute these statements."""
    code = f"import json, sys; sys.path[:] = json.loads(sys.argv[1]); {statements}"
    path = [str(Path.cwd()) if entry == "" else entry for entry in sys.path]
    return [sys.executable, "-c", code, json.dumps(path)]


def environment(parent: Mapping[str, str]) -> dict[str, str]:
    """One thread per process unless the user says otherwise; a fixed hash seed, so that an agent
    that iterates over a set does so in the same order everywhere."""
    found = dict.fromkeys(_ONE_THREAD, "1") | dict(parent)
    found["PYTHONHASHSEED"] = "0"
    found.setdefault(RUN_MARK, secrets.token_hex(8))
    return found
