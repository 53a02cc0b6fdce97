"""A process with all that it started: how much memory they hold, and how all of them end.

Read from ``/proc``, so on Linux only. Elsewhere a process counts alone, and its process group ends
with it.
"""

from __future__ import annotations

import contextlib
import os
import signal
import time
from collections.abc import Callable, Container
from pathlib import Path

__all__ = [
    "children_of",
    "end_marked",
    "end_shut_in",
    "end_tree",
    "memory_mb",
    "tree_of",
    "was_ended_by_others",
]

_PAGE = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096
_PROC = Path("/proc")
_ROUNDS = 50
_DYING_S, _LOOK_S = 5.0, 0.0005  # gigabytes take a while to be given back
_SENT_BY_OTHERS = ("SIGKILL", "SIGTERM", "SIGHUP", "SIGINT", "SIGQUIT")
"""Signals that somebody sends; others a process brings upon itself."""


def _parents() -> dict[int, int]:
    """The parent of every process; without those that are over and only wait to be asked for."""
    found = {}
    for name in os.listdir(_PROC) if _PROC.is_dir() else ():  # noqa: PTH208 (twice as fast)
        if name.isdigit():
            with contextlib.suppress(OSError, ValueError, IndexError):
                about = (_PROC / name / "stat").read_bytes()
                state, parent = about[about.rindex(b")") + 2 :].split(b" ", 2)[:2]
                if state != b"Z":
                    found[int(name)] = int(parent)
    return found


def children_of(pid: int) -> set[int]:
    """The processes that ``pid`` started or took over, and that are still running."""
    return {child for child, parent in _parents().items() if parent == pid}


def tree_of(pid: int) -> set[int]:
    """``pid`` and everything below it."""
    children: dict[int, list[int]] = {}
    for child, parent in _parents().items():
        children.setdefault(parent, []).append(child)
    found, waiting = {pid}, [pid]
    while waiting:
        for child in children.get(waiting.pop(), ()):
            if child not in found:
                found.add(child)
                waiting.append(child)
    return found


def memory_mb(pid: int, limit_mb: float | None = None, *, alone: bool = False) -> float:
    """Resident memory in MiB of a process with all that it started (0 where the system does not
    tell). Pages that several of them share are counted once where the plain sum is beyond
    ``limit_mb``, which takes longer. ``alone``: without what it started, which is quicker."""
    own = _resident_mb(pid)
    pids = {pid} if alone else tree_of(pid)
    if len(pids) == 1:
        return own
    total = own + sum(_resident_mb(child) for child in pids if child != pid)
    if limit_mb is None or total <= limit_mb:
        return total
    return sum(_proportional_mb(one) for one in pids)


def _resident_mb(pid: int) -> float:
    try:
        pages = (_PROC / str(pid) / "statm").read_bytes().split()[1]
    except (OSError, IndexError):
        return 0.0
    return int(pages) * _PAGE / 2**20


def _proportional_mb(pid: int) -> float:
    with contextlib.suppress(OSError, ValueError, IndexError):
        for line in (_PROC / str(pid) / "smaps_rollup").read_bytes().splitlines():
            if line.startswith(b"Pss:"):
                return int(line.split()[1]) / 1024
    return _resident_mb(pid)


def was_ended_by_others(code: int | None) -> bool:
    """Whether a process with this exit code (as ``subprocess`` has it) may have been ended by
    somebody else: by a signal that others send."""
    numbers = {getattr(signal, name, 0) for name in _SENT_BY_OTHERS}
    return code is not None and code < 0 and -code in numbers


def end_tree(pid: int) -> None:
    """Kill a process and everything below it, and wait until they are over, so that nothing of it
    writes any more. Nothing of it can start anew meanwhile: each is stopped before its children
    are looked for, until no new ones are found."""
    known: set[int] = set()
    for _ in range(_ROUNDS):
        found = tree_of(pid) - known
        if not found:
            break
        for one in found:
            _signal(one, signal.SIGSTOP)
        known |= found
    with contextlib.suppress(OSError):
        os.killpg(pid, signal.SIGKILL)  # where there is no /proc
    for one in known:
        _signal(one, signal.SIGKILL)
    until = time.monotonic() + _DYING_S
    while any(_is_running(one) for one in known) and time.monotonic() < until:
        time.sleep(_LOOK_S)


def _is_running(pid: int) -> bool:
    """Not so where it is over, and only waits to be asked for."""
    with contextlib.suppress(OSError, ValueError, IndexError):
        about = (_PROC / str(pid) / "stat").read_bytes()
        return about[about.rindex(b")") + 2 :].split(b" ", 1)[0] not in (b"Z", b"X")
    return False


def _signal(pid: int, number: int) -> None:
    if pid > 1:
        with contextlib.suppress(OSError):
            os.kill(pid, number)


def end_shut_in(keep: Container[int] = ()) -> None:
    """End the children of this process that agents left behind, and all below them: those in other
    sessions than its own that have given up new privileges (``core.confine``), which no process can
    take back, whatever else it does. ``keep`` are agents' processes that are still needed, and what
    was there before. Children that this process started itself are spared, unless it has given up
    new privileges, too, and they lead sessions of their own."""
    own_session, own_state = os.getsid(0), _no_new_privileges("self")
    _end_children(
        lambda child: (
            child not in keep
            and _session_of(child) != own_session
            and (own_state or _no_new_privileges(str(child)))
        )
    )


def end_marked(mark: str, keep: Container[int] = ()) -> None:
    """End the children of this process that have ``mark`` in the environment they were started
    with, and all below them: those that it took over from others. ``keep`` are its own."""
    _end_children(lambda child: child not in keep and _is_marked(child, mark))


def _end_children(is_one: Callable[[int], bool]) -> None:
    """End such children and all below them, until there are none: some come from those that end."""
    for _ in range(_ROUNDS):
        found = [child for child in children_of(os.getpid()) if is_one(child)]
        if not found:
            return
        for child in found:
            end_tree(child)
            with contextlib.suppress(OSError):
                os.waitpid(child, 0)


def _is_marked(pid: int, mark: str) -> bool:
    with contextlib.suppress(OSError):
        return mark.encode() in (_PROC / str(pid) / "environ").read_bytes()
    return False


def _session_of(pid: int) -> int:
    try:
        return os.getsid(pid)
    except OSError:
        return -1


def _no_new_privileges(process: str) -> bool:
    with contextlib.suppress(OSError):
        return b"\nNoNewPrivs:\t1\n" in (_PROC / process / "status").read_bytes()
    return False
