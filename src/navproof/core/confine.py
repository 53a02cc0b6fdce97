"""What keeps a process that runs somebody's code away from those that judge it (Linux).

A process of an agent gives up, for itself and all that it will ever start:

- looking into processes that are not its own, or sending them signals (Landlock, which also binds
  root), and privileges with which it could go around that;
- setting limits and priorities of others (``core.seccomp``);
- outliving the process that started it, and leaving its own children to somebody else;
- reading what is withheld from agents, where anything is: the salt of a run, the scenes and
  episodes that are made with it, the run's own folder.

A judging process makes itself unreadable for others of the same user. Where the system offers one
of these not, the rest is still done; ``confine`` says what holds. Elsewhere than on Linux nothing
of it is there.
"""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import signal
import struct
import sys
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from navproof.core.seccomp import refuse_calls

__all__ = [
    "WITHHELD_VARIABLE",
    "adopt_orphans",
    "confine",
    "die_with_parent",
    "hide",
    "is_hidden",
    "shut_in",
]

WITHHELD_VARIABLE = "NAVPROOF_WITHHELD"
"""In the environment of an agent's process when it starts: the paths that it may not read."""

_PR_SET_PDEATHSIG, _PR_GET_DUMPABLE, _PR_SET_DUMPABLE = 1, 3, 4
_PR_CAPBSET_DROP, _PR_SET_CHILD_SUBREAPER, _PR_SET_NO_NEW_PRIVS = 24, 36, 38
_LANDLOCK_CREATE, _LANDLOCK_ADD, _LANDLOCK_RESTRICT = 444, 445, 446  # on every architecture
_LANDLOCK_VERSION = 1
_PATH_BENEATH = 1
_READ_FILE, _MAKE_BLOCK_DEVICE = 1 << 2, 1 << 11
_SCOPE_SIGNALS = 1 << 1
_SIGNALS_SINCE = 6
_CAPABILITIES = (5, 16, 17, 19, 21, 38, 39, 40)
"""kill, sys_module, sys_rawio, sys_ptrace, sys_admin, perfmon, bpf, checkpoint_restore."""
_CAPABILITY_VERSION_3 = 0x20080522
_OOM_SCORE = "500"


@cache
def _libc() -> Any:
    return ctypes.CDLL(None, use_errno=True) if sys.platform == "linux" else None


def _prctl(option: int, value: int = 0) -> int:
    libc = _libc()
    return -1 if libc is None else int(libc.prctl(option, value, 0, 0, 0))


def hide(yes: bool = True) -> None:
    """Nobody of the same user may read this process's memory or descriptors any more."""
    _prctl(_PR_SET_DUMPABLE, int(not yes))


def is_hidden() -> bool:
    return _prctl(_PR_GET_DUMPABLE) == 0


def adopt_orphans(yes: bool = True) -> None:
    """What the children of this process leave behind becomes its own child, not that of init."""
    _prctl(_PR_SET_CHILD_SUBREAPER, int(yes))


def die_with_parent(parent: int) -> None:
    """End this process when the one that started it, ``parent``, is gone."""
    _prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if sys.platform == "linux" and os.getppid() != parent:
        os._exit(0)


def shut_in(parent: int) -> tuple[str, ...]:
    """What an agent's process does before it imports anything that could start a thread, which
    would stay outside. What holds from now on, as ``confine`` says it."""
    die_with_parent(parent)
    adopt_orphans()
    withheld = json.loads(os.environ.pop(WITHHELD_VARIABLE, "[]"))
    return confine([Path(path) for path in withheld])


def confine(withheld: Sequence[Path] = ()) -> tuple[str, ...]:
    """Shut this process in, with all that it will start. What was done: "processes" (it cannot
    look into others), "signals" (nor signal them), "privileges" (none to go around that), "calls"
    (nor set others' limits and priorities, or leave its orphans to others: ``core.seccomp``),
    "files" (it cannot read what is ``withheld``: files, and folders with all in them. Nor can it
    read what is put into a folder above one of these from now on, since rights are given to what
    is there)."""
    if _libc() is None:
        return ()
    with contextlib.suppress(OSError):  # of all processes this one goes first where memory is out
        Path("/proc/self/oom_score_adj").write_text(_OOM_SCORE)
    done = []
    if _prctl(_PR_SET_NO_NEW_PRIVS, 1) == 0 and _drop_capabilities():
        done.append("privileges")
    if refuse_calls(_libc()):
        done.append("calls")
    return (*done, *_landlock(withheld))


def _drop_capabilities() -> bool:
    libc = _libc()
    for capability in _CAPABILITIES:
        _prctl(_PR_CAPBSET_DROP, capability)  # refused where it is not there to be dropped
    header = ctypes.create_string_buffer(struct.pack("<Ii", _CAPABILITY_VERSION_3, 0))
    data = ctypes.create_string_buffer(24)
    if libc.capget(header, data) != 0:
        return False
    words = list(struct.unpack("<6I", data.raw[:24]))  # effective, permitted, inheritable; twice
    for capability in _CAPABILITIES:
        for part in range(3):
            words[3 * (capability // 32) + part] &= ~(1 << capability % 32)
    return bool(libc.capset(header, ctypes.create_string_buffer(struct.pack("<6I", *words))) == 0)


def _landlock(withheld: Sequence[Path]) -> tuple[str, ...]:
    """A domain that forbids nothing but making block devices, and reading what is withheld:
    processes in it cannot trace, or read the memory of, those outside."""
    libc = _libc()
    version = int(libc.syscall(_LANDLOCK_CREATE, None, 0, _LANDLOCK_VERSION))
    if version < 1:
        return ()
    with_signals = version >= _SIGNALS_SINCE
    handled = _MAKE_BLOCK_DEVICE | (_READ_FILE if withheld else 0)
    rules = struct.pack("<QQQ", handled, 0, _SCOPE_SIGNALS if with_signals else 0)
    rules = rules if with_signals else rules[:8]
    handle = int(libc.syscall(_LANDLOCK_CREATE, rules, ctypes.c_size_t(len(rules)), 0))
    if handle < 0:
        return ()
    try:
        for path in _beside(Path("/"), {path.resolve() for path in withheld}) if withheld else ():
            _allow_reading(handle, path)
        if libc.syscall(_LANDLOCK_RESTRICT, handle, 0) != 0:
            return ()
    finally:
        os.close(handle)
    done = ("processes", "signals") if with_signals else ("processes",)
    return (*done, "files") if withheld else done


def _beside(folder: Path, withheld: set[Path]) -> Iterator[Path]:
    """Everything below a folder but what is withheld, each folder as a whole where it can be."""
    try:
        entries = [Path(entry) for entry in os.scandir(folder) if not entry.is_symlink()]
    except OSError:
        return
    for entry in entries:
        if entry in withheld:
            continue
        if any(path.is_relative_to(entry) for path in withheld):
            yield from _beside(entry, withheld)
        else:
            yield entry


def _allow_reading(rules: int, path: Path) -> None:
    """Below a path, or of it where it is a file."""
    try:
        handle = os.open(path, os.O_PATH | os.O_NOFOLLOW | os.O_CLOEXEC)
    except OSError:
        return
    try:
        beneath = struct.pack("<Qi", _READ_FILE, handle)
        _libc().syscall(_LANDLOCK_ADD, rules, _PATH_BENEATH, beneath, 0)
    finally:
        os.close(handle)
