"""A process of ours for work that may go wrong in any way: bounded in memory and time."""

from __future__ import annotations

import contextlib
import os
import subprocess
from collections.abc import Sequence

from navproof.core.confine import die_with_parent
from navproof.core.launch import environment, judge_command

__all__ = ["ChildError", "ask_child", "begin_child"]


class ChildError(Exception):
    """The process gave no answer: it took too long or too much memory, or was ended. The text says
    which, after "it"."""


def ask_child(statements: str, words: Sequence[str], *, memory: int, seconds: float) -> bytes:
    """What a process prints that executes ``statements``, ``words`` being the last of ``sys.argv``:
    at most ``memory`` bytes are mapped by it. ``ChildError`` where it comes to no end, or a bad
    one; what goes wrong in our own code there is a ``RuntimeError`` with its traceback."""
    begin = f"begin_child({memory}, {os.getpid()})"
    first = f"from navproof.core.input.child import begin_child; {begin}"
    process = subprocess.Popen(
        [*judge_command(f"{first}; {statements}"), *words],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(os.environ),
    )
    with process:
        try:
            printed, errors = process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            raise ChildError(f"takes longer than {seconds:.0f} s") from None
        finally:
            process.kill()
    if process.returncode < 0:
        raise ChildError(f"ended the process that reads it (signal {-process.returncode})")
    if b"MemoryError" in errors[-2000:]:
        raise ChildError(f"takes more than {memory >> 30} GB of memory")
    if process.returncode:
        raise RuntimeError(errors.decode(errors="replace")[-4000:])
    return printed


def begin_child(memory: int, parent: int) -> None:
    """In the process itself: no more memory than this, and it ends with its parent."""
    with contextlib.suppress(ImportError, OSError, ValueError):  # a system that cannot bound it
        import resource

        hard = resource.getrlimit(resource.RLIMIT_AS)[1]
        most = memory if hard == resource.RLIM_INFINITY else min(memory, hard)
        resource.setrlimit(resource.RLIMIT_AS, (most, hard))
    die_with_parent(parent)
