"""Where an error came from, in the words of a user: their file and line, not ours."""

from __future__ import annotations

import re
import sys
import traceback
from pathlib import Path

import navproof
from navproof.core.errors import one_line

__all__ = ["blame", "blame_dump"]

_PACKAGE = Path(navproof.__file__).parent
_LONGEST = 300


def blame(error: BaseException) -> str:
    """``ValueError: what (file.py:12)``: the last line outside navproof and installed packages,
    or the last line of all."""
    frames = [(f.filename, f.lineno or 0) for f in traceback.extract_tb(error.__traceback__)]
    what = one_line(error)
    if len(what) > _LONGEST:
        what = f"{what[: _LONGEST - 1]}…"
    return what + _place(frames[::-1])


def blame_dump(printed: bytes) -> str:
    """ " (file.py:12)" out of what ``faulthandler`` printed when the process crashed, or ""."""
    _, marker, dump = printed.rpartition(b"(most recent call first):")
    lines = re.findall(rb'File "([^"]+)", line (\d+)', dump) if marker else []
    return _place([(name.decode(errors="replace"), int(line)) for name, line in lines])


def _place(frames: list[tuple[str, int]]) -> str:
    """The innermost of the frames (innermost first) that is the user's own."""
    if not frames:
        return ""
    name, line = next((f for f in frames if not _foreign(f[0])), frames[0])
    return f" ({Path(name).name}:{line})"


def _foreign(filename: str) -> bool:
    path = Path(filename)
    if filename.startswith("<") or path.is_relative_to(_PACKAGE):
        return True
    standard = Path(sys.base_prefix) / "lib"
    return "site-packages" in path.parts or path.is_relative_to(standard)
