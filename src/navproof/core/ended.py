"""A line for the user where code of theirs ends the whole program at once (``os._exit``, a crash),
which leaves nobody in it to say so."""

from __future__ import annotations

import contextlib
import subprocess
from collections.abc import Iterator
from pathlib import Path

__all__ = ["told_if_ended"]

_SHELL = Path("/bin/sh")
_SCRIPT = 'read -r _ || printf "%s\\n" "$1" >&2'
_is_watched = False


@contextlib.contextmanager
def told_if_ended(what: str) -> Iterator[None]:
    """While this lasts, the end of this process is told on the error stream: "navproof: ``what``
    ended the program". A shell of milliseconds waits for it on a pipe; inside another such block,
    and where there is no shell, nothing is done."""
    global _is_watched
    watcher = None if _is_watched else _started(what)
    if watcher is None:
        yield
        return
    _is_watched = True
    try:
        yield
    finally:
        _is_watched = False
        with contextlib.suppress(OSError):
            watcher.communicate(b"\n")


def _started(what: str) -> subprocess.Popen[bytes] | None:
    line = f"navproof: {what} ended the program at once (os._exit, or a crash)"
    try:
        return subprocess.Popen(
            [_SHELL, "-c", _SCRIPT, "sh", line],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            start_new_session=True,
        )
    except OSError:
        return None
