"""Reading files that others made: never more of them than is bearable, whatever they say of
themselves.

A gzip or zip of a few megabytes can unpack to gigabytes, and a megabyte of JSON brackets becomes
fifty of lists. What is too much raises ``LimitError``, what is not what it should be another
``ValueError``, both with a clause that says why; whoever reads says of which file.
"""

from __future__ import annotations

import errno
import gzip
import io
import json
import os
import stat
import tomllib
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

__all__ = [
    "DAMAGED",
    "LimitError",
    "lines_of",
    "most_unpacked",
    "open_plain",
    "parse_json",
    "read_file",
    "read_toml",
    "short",
    "unpacked",
]

DAMAGED = (EOFError, gzip.BadGzipFile, zlib.error)
"""What packed data that is damaged raises."""
_PLENTY = 64 << 20
_MOST_RATIO = 100
"""What is larger than ``_PLENTY`` is never so many times as large as its file: scenes are 4 to 10
times, traces 4 to 20."""
_GZIP = b"\x1f\x8b"
_MOST_VALUES = 4_000_000
_LARGEST_TOML = 1 << 20
_AT_ONCE = getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)


class LimitError(ValueError):
    """There is more than is read."""


def short(value: object, longest: int = 60) -> str:
    """A value out of a file as it can be told in a line."""
    text = " ".join((value if isinstance(value, str) else repr(value)).split())
    return text if len(text) <= longest else f"{text[: longest - 1]}…"


def _size(number: int) -> str:
    return f"{number >> 20} MB" if number >= 1 << 20 else f"{number >> 10} kB"


def open_plain(path: Path) -> io.BufferedReader:
    """A file, open for reading. What is none (a pipe that nobody may ever write to, a device
    without an end, a folder) is an ``OSError`` at once, as what cannot be read."""
    handle = os.open(path, os.O_RDONLY | _AT_ONCE)
    mode = os.fstat(handle).st_mode
    if stat.S_ISREG(mode):
        return os.fdopen(handle, "rb")
    os.close(handle)
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    raise OSError(errno.EINVAL, "it is no plain file", str(path))


def read_file(path: Path, most: int) -> bytes:
    """The bytes of a file, at most so many. ``OSError`` where it cannot be read."""
    with open_plain(path) as stream:
        if os.fstat(stream.fileno()).st_size <= most:
            data = stream.read(most + 1)
            if len(data) <= most:
                return data
    raise LimitError(f"it is larger than {_size(most)}")


def most_unpacked(packed: int) -> int:
    """What so many packed bytes can unpack to, where they are what they say and no bomb."""
    return max(_PLENTY, _MOST_RATIO * packed)


def unpacked(data: bytes, most: int) -> bytes:
    """What is in the bytes of a gzip file, at most so many, and never more times its size than such
    data could be. One of ``DAMAGED`` where they are."""
    most = min(most, most_unpacked(len(data)))
    unpacker = zlib.decompressobj(wbits=31)
    found = unpacker.decompress(data, most + 1)
    if unpacker.eof and unpacker.unused_data:  # several parts, one after another
        with gzip.GzipFile(fileobj=io.BytesIO(data)) as stream:
            found = stream.read(most + 1)
    if len(found) > most:
        raise LimitError(f"it unpacks to more than {_size(most)}")
    if not unpacker.eof:
        raise EOFError("it is cut short")
    return found


def lines_of(
    source: Path | bytes, *, longest: int, most: int, lines: int
) -> Iterator[tuple[int, bytes]]:
    """The lines of a file, or of its bytes, gzipped or not, with their numbers from 1, without
    their ends; empty ones are left out. At most ``most`` bytes and so many ``lines``, of at most
    ``longest`` bytes each. ``OSError`` where it cannot be read, one of ``DAMAGED`` where its
    packing is damaged."""
    with _stream(source) as raw:
        packed = raw.peek(2)[:2] == _GZIP
        stream: io.BufferedIOBase = gzip.GzipFile(fileobj=raw) if packed else raw
        read = number = 0
        while line := stream.readline(longest + 2):
            number += 1
            read += len(line)
            line = line.rstrip(b"\r\n")
            if len(line) > longest:
                raise LimitError(f"line {number} is longer than {_size(longest)}")
            if read > most:
                what = "it unpacks to more" if packed else "it is larger"
                raise LimitError(f"{what} than {_size(most)}")
            if number > lines:
                raise LimitError(f"it has more than {lines:,} lines")
            if line.strip():
                yield number, line


def _stream(source: Path | bytes) -> io.BufferedReader:
    if isinstance(source, bytes):
        return io.BufferedReader(io.BytesIO(source))
    return open_plain(source)


def parse_json(text: bytes | str, most_values: int = _MOST_VALUES) -> Any:
    """The value in a JSON text. Numbers that JSON does not have (NaN), text that is no Unicode, and
    more values than ``most_values`` or more of them within each other than can be read are
    ``ValueError``s."""
    if isinstance(text, bytes):
        text = text.decode("utf-8-sig")
    if text.count(",") + text.count("[") + text.count("{") > most_values:
        raise LimitError(f"it holds more than {most_values:,} values")
    try:
        value = _DECODER.decode(text)
    except RecursionError:
        raise ValueError("its values lie too deep within each other") from None
    if "\\ud" in text or "\\uD" in text:
        try:
            json.dumps(value, ensure_ascii=False).encode()
        except UnicodeEncodeError:
            raise ValueError("it holds half a character (a lone surrogate)") from None
    return value


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is not a number")


_DECODER = json.JSONDecoder(parse_constant=_no_constant)


def read_toml(path: Path) -> dict[str, Any]:
    """What a TOML file holds. ``OSError`` where it cannot be read."""
    text = read_file(path, _LARGEST_TOML)
    try:
        return tomllib.loads(text.decode())
    except UnicodeDecodeError:
        raise ValueError("it is not text in UTF-8") from None
    except RecursionError:
        raise ValueError("its values lie too deep within each other") from None
