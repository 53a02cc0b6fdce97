"""Zip files that somebody else may have made: read within bounds, and written the same every time.

What is wrong with one is raised as one of ``UNREADABLE``, for the caller to say what and where.
"""

from __future__ import annotations

import shutil
import struct
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import IO

from navproof.core.input.reading import most_unpacked, open_plain

__all__ = ["UNREADABLE", "add_bytes", "add_file", "opened", "parts_of", "read_at_most"]

UNREADABLE = (
    zipfile.BadZipFile,
    zlib.error,
    struct.error,
    EOFError,
    OverflowError,
    RuntimeError,  # a way of packing that is not known, too
    ValueError,  # offsets or names that are none
)
"""What reading a damaged or odd zip file raises; ``OSError`` is the disk's."""
_DATE = (1980, 1, 1, 0, 0, 0)
_LEVEL = 6
_CHUNK = 1 << 20
_ENCRYPTED = 1
_MOST_MEMBERS = 100_000


@contextmanager
def opened(file: Path | IO[bytes], most_bytes: int) -> Iterator[zipfile.ZipFile]:
    """An archive, checked: every name is there once, nothing is encrypted or compressed otherwise
    than by deflate, and all of it together does not unpack to more than ``most_bytes``, nor to more
    than such data could."""
    with (
        open_plain(file) if isinstance(file, Path) else nullcontext(file) as stream,
        zipfile.ZipFile(stream) as archive,
    ):
        entries = archive.infolist()
        names = {entry.filename for entry in entries}
        if len(names) < len(entries):
            raise zipfile.BadZipFile("two of its members have one name")
        if len(entries) > _MOST_MEMBERS:
            raise zipfile.BadZipFile(f"it has more than {_MOST_MEMBERS:,} members")
        for entry in entries:
            known = entry.compress_type in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
            if entry.flag_bits & _ENCRYPTED or not known:
                raise zipfile.BadZipFile(f"{entry.filename} is encrypted or oddly compressed")
        total = sum(entry.file_size for entry in entries)
        packed = sum(entry.compress_size for entry in entries)
        if total > most_bytes or total > most_unpacked(packed):
            raise zipfile.BadZipFile(f"it would unpack to {total / 1e6:,.0f} MB")
        yield archive


def parts_of(archive: zipfile.ZipFile, name: str) -> Iterator[bytes]:
    """A member, piece by piece: never more than the size that it gives for itself."""
    with archive.open(name) as member:
        while part := member.read(_CHUNK):
            yield part


def read_at_most(archive: zipfile.ZipFile, name: str, most_bytes: int) -> bytes:
    """A whole member."""
    if (size := archive.getinfo(name).file_size) > most_bytes:
        raise zipfile.BadZipFile(f"{name} would unpack to {size / 1e6:,.0f} MB")
    return b"".join(parts_of(archive, name))


def add_bytes(archive: zipfile.ZipFile, name: str, data: bytes, level: int = _LEVEL) -> None:
    """Compress a member into an archive; the same bytes whenever and wherever it is done."""
    archive.writestr(_entry(name, zipfile.ZIP_DEFLATED), data, compresslevel=level)


def add_file(archive: zipfile.ZipFile, name: str, file: Path) -> None:
    """Put a file into an archive as it is."""
    entry = _entry(name, zipfile.ZIP_STORED)
    entry.file_size = file.stat().st_size
    with file.open("rb") as source, archive.open(entry, "w") as target:
        shutil.copyfileobj(source, target, _CHUNK)


def _entry(name: str, method: int) -> zipfile.ZipInfo:
    entry = zipfile.ZipInfo(name, _DATE)
    entry.compress_type = method
    entry.create_system = 3
    entry.external_attr = 0o644 << 16
    return entry
