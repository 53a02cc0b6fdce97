"""System calls by which an agent's process could end or slow others, refused (Linux).

Landlock keeps signals and memory apart, and knows nothing of limits, priorities and the adoption of
orphans: with ``prlimit`` on its parent a process ends it without a signal. What is refused here
fails with EPERM, for the process and all that it will start. Threads may still be bound to cores,
and a process may still change its own limits and end its own children.

Kernels whose Landlock knows nothing of signals are many. So signals to the processes above are
refused here, too, by their numbers, those of their groups and of the threads that they have when
the filter is put in force; threads that they start later cannot be known.

The filter is a program of the kernel's (``seccomp``), a list of comparisons that looks at numbers,
never at memory.
"""

from __future__ import annotations

import ctypes
import errno
import os
import signal
import struct
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

__all__ = ["refuse_calls"]

_PR_SET_PDEATHSIG, _PR_SET_SECCOMP, _PR_SET_CHILD_SUBREAPER = 1, 22, 36
_MODE_FILTER = 2
_ALLOW, _REFUSE = 0x7FFF0000, 0x00050000 | errno.EPERM
_LOAD, _EQUAL, _AT_LEAST, _RETURN = 0x20, 0x15, 0x35, 0x06  # of 32-bit words
_NUMBER, _ARCHITECTURE, _ARGUMENTS = 0, 4, 16  # offsets in what a filter sees
_X32 = 0x40000000
_FATAL = tuple(
    int(getattr(signal, name, 0)) for name in ("SIGKILL", "SIGTERM", "SIGHUP", "SIGINT", "SIGQUIT")
)
"""Signals that somebody sends: who sends them to itself would blame others."""


@dataclass(frozen=True, slots=True)
class _Machine:
    """One kind of processor: its name for filters, and the numbers of its calls."""

    audit: int
    numbers: dict[str, int]
    most: int | None = None
    """Numbers from here on are those of another convention."""


_NAMES = (
    *("prlimit64", "setpriority", "ioprio_set", "sched_setaffinity"),
    *("sched_setscheduler", "sched_setparam", "sched_setattr", "prctl"),
    *("kill", "tkill", "tgkill", "rt_sigqueueinfo", "rt_tgsigqueueinfo"),
    *("ptrace", "process_vm_readv", "process_vm_writev", "kcmp", "pidfd_getfd"),
    "pidfd_send_signal",
)
_SAME = (438, 424)  # on both
_X86 = (302, 141, 251, 203, 144, 142, 314, 157, 62, 200, 234, 129, 297, 101, 310, 311, 312, *_SAME)
_ARM = (261, 140, 30, 122, 119, 118, 274, 167, 129, 130, 131, 138, 240, 117, 270, 271, 272, *_SAME)
_MACHINES = {
    "x86_64": _Machine(0xC000003E, dict(zip(_NAMES, _X86, strict=True)), _X32),
    "aarch64": _Machine(0xC00000B7, dict(zip(_NAMES, _ARM, strict=True))),
}

_MOST_THREADS = 128
"""A jump in the program goes 255 words at most."""

Condition = tuple[int, tuple[int, ...], bool]
"""An argument, values, and whether it must be one of them (else: none of them)."""


def refuse_calls(libc: Any) -> bool:
    """Put the filter in force; whether it is. ``libc`` is the C library. The process must have
    given up new privileges."""
    if sys.platform != "linux":
        return False
    machine = _MACHINES.get(os.uname().machine)
    if machine is None or ctypes.sizeof(ctypes.c_void_p) != 8:
        return False
    above = _ancestors()
    words = _program(machine, os.getpid(), above, _threads(above))
    program = b"".join(struct.pack("<HBBI", *word) for word in words)
    held = ctypes.create_string_buffer(program, len(program))
    about = ctypes.create_string_buffer(
        struct.pack("<HxxxxxxQ", len(words), ctypes.addressof(held))
    )
    return bool(libc.prctl(_PR_SET_SECCOMP, _MODE_FILTER, about, 0, 0) == 0)


def _rules(
    me: int, above: Sequence[int], threads: Sequence[int]
) -> list[tuple[str, tuple[Condition, ...]]]:
    """Calls that are refused where all their conditions hold. ``threads`` are those of the
    processes ``above``."""
    fatal: Condition = (1, _FATAL, True)
    own: Condition = (0, (me, 0, _word(-1), _word(-me)), True)
    other: Condition = (0, (0,), False)
    groups = {_word(-group) for group in (*above, *map(_group, above)) if group not in (0, me)}
    judges: Condition = (0, (*threads, *sorted(groups), _word(-1)), True)
    return [
        ("kill", (judges,)),
        ("rt_sigqueueinfo", (judges,)),
        ("tkill", (judges,)),
        ("tgkill", (judges,)),
        ("rt_tgsigqueueinfo", (judges,)),
        ("pidfd_send_signal", ()),
        ("prlimit64", (other,)),
        ("setpriority", (other,)),  # a group, or a user
        ("setpriority", ((1, (0,), False),)),
        ("ioprio_set", ((0, (1,), False),)),
        ("ioprio_set", ((1, (0,), False),)),
        ("sched_setscheduler", (other,)),
        ("sched_setparam", (other,)),
        ("sched_setattr", (other,)),
        *(
            ("sched_setaffinity", ((0, (pid,), True),)) for pid in above
        ),  # not all: threads are bound
        ("prctl", ((0, (_PR_SET_CHILD_SUBREAPER,), True), (1, (0,), True))),
        ("prctl", ((0, (_PR_SET_PDEATHSIG,), True), (1, (0,), True))),
        ("kill", (own, fatal)),
        ("rt_sigqueueinfo", (own, fatal)),
        ("tkill", (fatal,)),
        ("tgkill", ((0, (me,), True), (2, _FATAL, True))),
        ("rt_tgsigqueueinfo", ((0, (me,), True), (2, _FATAL, True))),
        *((name, ()) for name in ("ptrace", "process_vm_readv", "process_vm_writev")),
        *((name, ()) for name in ("kcmp", "pidfd_getfd")),
    ]


def _program(
    machine: _Machine, me: int, above: Sequence[int], threads: Sequence[int]
) -> list[tuple[int, int, int, int]]:
    """Words of the filter: (what, jump if so, jump if not, value)."""
    words = [(_LOAD, 0, 0, _ARCHITECTURE), (_EQUAL, 1, 0, machine.audit), (_RETURN, 0, 0, _REFUSE)]
    words.append((_LOAD, 0, 0, _NUMBER))
    if machine.most is not None:
        words += [(_AT_LEAST, 0, 1, machine.most), (_RETURN, 0, 0, _REFUSE)]
    for name, conditions in _rules(me, above, threads):
        body = _body(conditions)
        words += [(_EQUAL, 0, len(body), machine.numbers[name]), *body]
    return [*words, (_RETURN, 0, 0, _ALLOW)]


def _body(conditions: Iterable[Condition]) -> list[tuple[int, int, int, int]]:
    """What follows where the number of a call fits: refuse it, or have its number loaded again for
    what comes next."""
    end: list[tuple[int, int, int, int]] = [(_RETURN, 0, 0, _REFUSE), (_LOAD, 0, 0, _NUMBER)]
    for argument, values, among in reversed(list(conditions)):
        over = len(end) - 1  # to the word that loads the number
        tests: list[tuple[int, int, int, int]] = []
        for place, value in enumerate(values):
            left = len(values) - place - 1
            if among:
                tests.append((_EQUAL, left, over if left == 0 else 0, value))
            else:
                tests.append((_EQUAL, left + over, 0, value))
        end = [(_LOAD, 0, 0, _ARGUMENTS + 8 * argument), *tests, *end]
    return end


def _ancestors() -> list[int]:
    """The processes above this one."""
    found: list[int] = []
    pid = os.getppid()
    while pid > 0 and len(found) < 32:
        found.append(pid)
        try:
            with open(f"/proc/{pid}/stat", "rb") as file:  # noqa: PTH123 (nothing more is imported)
                pid = int(file.read().rpartition(b")")[2].split()[1])
        except (OSError, ValueError, IndexError):
            break
    return found


def _threads(above: Sequence[int]) -> list[int]:
    """Of these processes, each with its first; not more than a filter can compare with."""
    found = dict.fromkeys(above)
    for pid in above:
        try:
            found |= dict.fromkeys(map(int, sorted(os.listdir(f"/proc/{pid}/task"))))  # noqa: PTH208
        except (OSError, ValueError):
            continue
    return list(found)[:_MOST_THREADS]


def _group(pid: int) -> int:
    try:
        return os.getpgid(pid)
    except OSError:
        return 0


def _word(value: int) -> int:
    return value & 0xFFFFFFFF
