"""How processes of ours are started: with the search path of this one, one thread each, and a hash
seed that is always the same."""

from __future__ import annotations

import secrets
import sys
from collections.abc import Mapping

from navproof.core.search_path import KEPT_VARIABLE, VARIABLE, aside, clean, whole

__all__ = ["RUN_MARK", "agent_command", "environment", "judge_command"]

RUN_MARK = "NAVPROOF_RUN"
"""In the environment of all that a run starts; so what is left of it can be told from the rest."""
_ASIDE = (
    "from navproof.core.search_path import put_aside; "
    "put_aside(*(tuple(filter(None, one.split(chr(10)))) for one in sys.argv[1:3]))"
)
_FROM_SOURCES = (
    "from importlib.machinery import SourceFileLoader as L; L.navproof_reads_sources = L.get_code; "
    "L.get_code = lambda self, name: "
    "self.source_to_code(self.get_data(self.path), self.path) "
    "if name.partition('.')[0] == 'navproof' else self.navproof_reads_sources(name)"
)
"""As ``core.search_path.read_sources_only``, before anything of navproof's is imported."""
_ONE_THREAD = (
    "OMP_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "MKL_NUM_THREADS",
    "NUMBA_NUM_THREADS",
    "OPENCV_FOR_THREADS_NUM",
)


def judge_command(statements: str) -> list[str]:
    """Python, to execute these statements in a process that judges. What lies where an agent's
    files may lie is not found there (``core.search_path``), and navproof's own modules are read
    from their sources alone: byte code could be written by whoever plays."""
    return _command(f"{_FROM_SOURCES}; {_ASIDE}; {statements}")


def agent_command(first: str, statements: str) -> list[str]:
    """Python, to execute ``first`` and then these statements, in the process of an agent. Neither
    looks where an agent's files may lie; what is imported after ``put_back`` does."""
    return _command(f"{first}; {_ASIDE}; {statements}")


def _command(statements: str) -> list[str]:
    """``-P`` and no PYTHONPATH (``environment``): when Python starts, nothing can be shadowed."""
    lists = (clean(), aside(), whole())
    code = f"import sys; sys.path[:] = {list(clean())!r}; {statements}"
    given = ["\n".join(entries) for entries in lists[1:]]
    return [sys.executable, "-P", "-c", code, *given]


def environment(parent: Mapping[str, str]) -> dict[str, str]:
    """One thread per process unless the user says otherwise; a fixed hash seed, so that an agent
    that iterates over a set does so in the same order everywhere. The search path travels with the
    command."""
    found = dict.fromkeys(_ONE_THREAD, "1") | dict(parent)
    found["PYTHONHASHSEED"] = "0"
    if VARIABLE in found:
        found[KEPT_VARIABLE] = found.pop(VARIABLE)
    found.setdefault(RUN_MARK, secrets.token_hex(8))
    return found
