"""Where a process of ours looks for modules: never first where an agent's files may lie.

The folder in which somebody stands, and that of the script that was started, are on the search path
of a script's process. A ``json.py`` there must not run in a process that judges. So these two are
set aside: judging processes look there only once somebody's plug-in has been asked for, which may
need it, and then last; the process of an agent takes them back when it is shut in.
"""

from __future__ import annotations

import os
import sys
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import CodeType

__all__ = [
    "KEPT_VARIABLE",
    "VARIABLE",
    "Entries",
    "aside",
    "bring_in",
    "clean",
    "put_aside",
    "put_back",
    "read_sources_only",
    "whole",
]

VARIABLE = "PYTHONPATH"
KEPT_VARIABLE = "NAVPROOF_PYTHONPATH"
"""In the environment of a process of ours while Python starts: what ``PYTHONPATH`` was."""
Entries = tuple[str, ...]
_MARK = "navproof_reads_sources"
_whole: Entries = ()
_aside: Entries = ()


def clean() -> Entries:
    """The search path of this process: Python's own modules first, and without what is set
    aside."""
    away = set(aside())
    own = os.path.dirname(os.__file__)  # noqa: PTH120 (entries are text)
    kept = [entry for entry in _entries() if entry not in away]
    return tuple(sorted(kept, key=lambda entry: not _is_standard(entry, own)))


def aside() -> Entries:
    """What this process sets aside, or has set aside: entries of its search path."""
    if _aside:
        return _aside
    ours = _folder_of_navproof()
    places = {Path.cwd().resolve(), *_script_folder()} - {ours}
    return tuple(entry for entry in _entries() if entry and Path(entry).resolve() in places)


def put_aside(entries: Entries, whole: Entries = ()) -> None:
    """From now on ``bring_in`` appends these entries, and ``put_back`` makes the search path
    ``whole``. What this process starts finds ``PYTHONPATH`` as it was."""
    global _aside, _whole
    _aside, _whole = entries, whole
    kept = os.environ.pop(KEPT_VARIABLE, None)
    if kept is not None:
        os.environ[VARIABLE] = kept


def bring_in() -> None:
    """Something of a user's is about to be imported: it may need what was set aside."""
    sys.path += [entry for entry in _aside if entry not in sys.path]


def put_back() -> None:
    """Have the search path of the process that started this one, in its order."""
    if _whole:
        sys.path[:] = _whole


def whole() -> Entries:
    """The search path of this process, in its order."""
    return _whole or tuple(_entries())


def read_sources_only() -> None:
    """From now on navproof's own modules are compiled from their sources here, and no byte code of
    theirs is read: whoever plays could have written it. (A run checks the sources at its end.)"""
    if hasattr(SourceFileLoader, _MARK):
        return
    usual = SourceFileLoader.get_code

    def get_code(self: SourceFileLoader, name: str) -> CodeType | None:
        if name.partition(".")[0] != "navproof":
            return usual(self, name)
        return self.source_to_code(self.get_data(self.path), self.path)

    SourceFileLoader.get_code = get_code  # type: ignore[method-assign, assignment]
    setattr(SourceFileLoader, _MARK, True)


def _entries() -> list[str]:
    return [str(Path.cwd()) if entry == "" else entry for entry in sys.path]


def _script_folder() -> set[Path]:
    file = getattr(sys.modules.get("__main__"), "__file__", None)
    return {Path(file).resolve().parent} if isinstance(file, str) else set()


def _folder_of_navproof() -> Path:
    return Path(__file__).resolve().parents[2]


def _is_standard(entry: str, own: str) -> bool:
    inside = entry == own or entry.startswith(own + os.sep)
    shared = "site-packages" in entry or "dist-packages" in entry
    archive = entry.endswith(".zip") and os.path.dirname(entry) == os.path.dirname(own)  # noqa: PTH120
    return (inside or archive) and not shared
