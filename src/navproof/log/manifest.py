"""What a run wrote: a line in ``manifest.jsonl`` for each file, added just before the file is.

A line is ``{"file": "traces/…", "sha256": "…"}``; of several for one file the last counts. Lines
are only ever added, so that a crash leaves at most half a line at the end, which counts for
nothing: the file that it was for is not there either, and the run goes on with it. A file with
another digest than its line's, or without a line, was not written by the run.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from navproof.core.errors import RunError
from navproof.core.files import write_atomically
from navproof.core.input.reading import DAMAGED, LimitError, lines_of, parse_json

__all__ = ["MANIFEST", "Manifest"]

MANIFEST = "manifest.jsonl"
_TRACES = "traces/"
_LIMITS = {"longest": 1 << 16, "most": 1 << 29, "lines": 4_000_000}
"""Of a line, of all, and how many: one for each of the most episodes that a run can have, twice."""


@dataclass(frozen=True, slots=True)
class _Entry:
    """Digests of a file's content, and of all traces where it was made from these."""

    sha256: str
    traces: str | None = None


class Manifest:
    """The manifest of a run folder."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / MANIFEST
        self._written: dict[str, str] = {}
        self._is_held = False
        self._read: tuple[tuple[int, int], tuple[dict[str, _Entry], dict[str, str]]] | None = None

    @property
    def exists(self) -> bool:
        return self.path.is_file()

    def add(self, file: str, data: bytes, *, from_traces: bool = False) -> None:
        """Note that ``file`` is about to hold ``data``, which was made from all traces that are
        there now if it is ``from_traces``."""
        digest = hashlib.sha256(data).hexdigest()
        line = _line(file, _Entry(digest, self.digest() if from_traces else None)).encode()
        self.path.parent.mkdir(parents=True, exist_ok=True)
        handle = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o644)
        with os.fdopen(handle, "r+b", buffering=0) as stream:
            if size := os.fstat(handle).st_size:
                stream.seek(size - 1)
                line = line if stream.read(1) == b"\n" else b"\n" + line
            if stream.write(line) != len(line):
                raise OSError(f"{self.path} could not be written whole")
            os.fsync(handle)
        if file.startswith(_TRACES):
            self._written[file] = digest

    def keep(self, file: str, data: bytes) -> None:
        """The same for a trace, noted here alone until ``settle`` writes all that was."""
        self._written[file] = hashlib.sha256(data).hexdigest()

    def hold(self) -> None:
        """From now on what the manifest says of traces stands, whatever is written into it by
        others while agents play."""
        lines = self._lines() if self.exists else {}
        held = {file: one.sha256 for file, one in lines.items() if file.startswith(_TRACES)}
        self._written = {**held, **self._written}
        self._is_held = True

    def forget(self, file: str) -> None:
        """What is held of a file counts no longer: it is to be written again."""
        self._written.pop(file, None)

    def settle(self) -> None:
        """Write what is held where the file says otherwise."""
        lines = self._lines() if self.exists else {}
        traces = {file: one.sha256 for file, one in lines.items() if file.startswith(_TRACES)}
        if traces == self._written:
            return
        others = {file: one for file, one in lines.items() if file not in traces}
        content = {file: _Entry(digest) for file, digest in self._written.items()} | others
        text = "".join(_line(file, one) for file, one in content.items())
        write_atomically(self.path, text.encode())

    def digests(self) -> Mapping[str, str]:
        """SHA-256 of each file, by its path in the run folder. What this object noted of traces
        stands against whatever was written into the manifest since."""
        lines = self._known()[1]
        if self._is_held:
            lines = {file: known for file, known in lines.items() if not file.startswith(_TRACES)}
        return {**lines, **self._written} if self._written else lines

    def digest_of(self, file: str) -> str | None:
        """The one of ``digests`` that is of this file."""
        known = self._known()[1]
        stored = None if self._is_held and file.startswith(_TRACES) else known.get(file)
        return self._written.get(file, stored)

    def _known(self) -> tuple[dict[str, _Entry], dict[str, str]]:
        """What the file says now, and the digests of files alone. It is read where it changed."""
        try:
            about = self.path.stat()
        except OSError:
            return {}, {}
        now = (about.st_size, about.st_mtime_ns)
        if self._read is None or self._read[0] != now:
            lines = self._lines()
            self._read = (now, (lines, {file: one.sha256 for file, one in lines.items()}))
        return self._read[1]

    def _lines(self) -> dict[str, _Entry]:
        found = {}
        try:
            for _, line in lines_of(self.path, **_LIMITS):
                try:
                    entry = parse_json(line)
                    made_of = entry.get("traces")
                    found[str(entry["file"])] = _Entry(
                        str(entry["sha256"]), None if made_of is None else str(made_of)
                    )
                except (ValueError, KeyError, TypeError, AttributeError):
                    continue  # cut short
        except LimitError as error:
            raise RunError(f"{self.path}: {error}, and no manifest has") from None
        except (OSError, *DAMAGED) as error:
            why = getattr(error, "strerror", None) or error
            raise RunError(f"{self.path}: cannot be read ({why})") from None
        return found

    def check(self, file: str, data: bytes) -> None:
        """``RunError`` where ``data`` is not what the run wrote into ``file``."""
        known = self.digest_of(file)
        if known == hashlib.sha256(data).hexdigest():
            return
        what = "was changed after" if known else "was not written by"
        raise RunError(
            f"{self.path.parent / file} {what} the run: its digest is not that in {MANIFEST}"
        )

    def check_traces_of(self, file: str) -> None:
        """``RunError`` where ``file`` was made from other traces than those that are there now.
        (Lines of before do not say from which.)"""
        entry = self._known()[0].get(file)
        if entry is not None and entry.traces not in (None, self.digest()):
            raise RunError(
                f"{self.path.parent / file} was made before traces of the run changed: the digest "
                f"of its traces in {MANIFEST} is another"
            )

    def digest(self) -> str:
        """One digest of all traces, for citing a run: of their names and digests in order."""
        digest = hashlib.sha256()
        for file, known in sorted(self.digests().items()):
            if file.startswith(_TRACES):
                digest.update(f"{file}\0{known}\n".encode())
        return digest.hexdigest()


def _line(file: str, entry: _Entry) -> str:
    made_of = {} if entry.traces is None else {"traces": entry.traces}
    content = {"file": file, "sha256": entry.sha256, **made_of}
    return json.dumps(content, ensure_ascii=False) + "\n"
