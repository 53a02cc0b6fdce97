"""Whether this process does work for another one: then it must start no work of its own."""

from __future__ import annotations

from navproof.core.errors import RunError
from navproof.core.registry import MAIN_PART, keep_files

__all__ = ["mark_as_worker", "refuse_in_worker"]

_is_worker = False


def mark_as_worker() -> None:
    """Say that this process works for another: a worker, or the process of an agent."""
    global _is_worker
    _is_worker = True
    keep_files()


def refuse_in_worker() -> None:
    """Raise in such a process: a script that starts a run when it is imported there would start
    processes without end."""
    if _is_worker:
        raise RunError(f"it starts a run when it is imported; put that part under {MAIN_PART}")
