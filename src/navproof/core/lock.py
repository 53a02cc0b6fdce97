"""One run at a time in a folder, be it of episodes, of a search for failures or of a diagnosis.

The lock is the operating system's (``flock``), so it ends with its holder, however that ends: a
lock file that a killed run left behind locks nothing.
"""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator
from pathlib import Path

from navproof.core.errors import RunError

__all__ = ["LOCK_NAME", "locked", "refuse_in_use"]

LOCK_NAME = ".lock"


@contextlib.contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Hold the folder's lock, making the folder if need be; a ``RunError`` if another has it."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        handle = _acquire(folder)
    except (FileExistsError, NotADirectoryError):
        raise RunError(f"{folder} is not a folder; choose another -o") from None
    except OSError as error:
        why = error.strerror or str(error)
        raise RunError(f"{folder} cannot be written ({why}); choose another -o") from None
    try:
        with contextlib.suppress(OSError):  # a full disk: the lock holds without a word in it
            os.truncate(handle, 0)
            os.write(handle, f"{os.getpid()}\n".encode())
        yield
    finally:
        with contextlib.suppress(OSError):
            (folder / LOCK_NAME).unlink()
        os.close(handle)
        with contextlib.suppress(OSError):
            folder.rmdir()  # only where nothing came of the run


def refuse_in_use(folder: Path) -> None:
    """``RunError`` where something is being run in the folder. Nothing is written for it."""
    try:
        handle = os.open(folder / LOCK_NAME, os.O_RDWR)
    except OSError:
        return
    try:
        if not _try_lock(handle):
            raise RunError(
                f"{folder} is in use by a run or a diagnosis (process {_holder(handle)}); wait "
                "until it has ended"
            )
    finally:
        os.close(handle)


def _holder(handle: int) -> str:
    return os.pread(handle, 32, 0).decode(errors="replace").strip() or "unknown"


def _acquire(folder: Path) -> int:
    path = folder / LOCK_NAME
    while True:
        handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
        if not _try_lock(handle):
            holder = _holder(handle)
            os.close(handle)
            raise RunError(
                f"{folder} is in use by another run (process {holder}); "
                "wait for it, or choose another -o"
            )
        with contextlib.suppress(FileNotFoundError):
            if os.path.samestat(os.fstat(handle), path.stat()):
                return handle
        os.close(handle)  # the last holder removed the file between our open and our lock


def _try_lock(handle: int) -> bool:
    if sys.platform == "win32":
        import msvcrt

        try:
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True
    import errno
    import fcntl

    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        # a file system without locks (some network ones) cannot tell; the run goes on
        return error.errno not in (errno.EWOULDBLOCK, errno.EACCES)
    return True
