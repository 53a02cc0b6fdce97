"""Writing a file so that a crash at any moment leaves the old one or the new one, never half."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

__all__ = ["TEMPORARY_SUFFIX", "write_atomically"]

TEMPORARY_SUFFIX = ".part"


def write_atomically(path: Path, data: bytes) -> None:
    """Write beside, flush, rename over. An ``OSError`` names the file that was to be."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.{os.getpid()}{TEMPORARY_SUFFIX}")
    try:
        with temporary.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    except BaseException as error:
        with contextlib.suppress(OSError):
            temporary.unlink()
        if isinstance(error, OSError) and error.errno:
            raise OSError(error.errno, error.strerror, str(path)) from None
        raise
    _sync_folder(path.parent)


def _sync_folder(folder: Path) -> None:
    """Make the rename itself durable, where the platform can."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
