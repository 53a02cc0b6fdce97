"""Reading to a limit: what is sound comes whole, bombs and lies about sizes end at the limit."""

from __future__ import annotations

import gzip
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from navproof.core.input.archive import opened
from navproof.core.input.reading import (
    DAMAGED,
    LimitError,
    lines_of,
    parse_json,
    read_file,
    read_toml,
    short,
    unpacked,
)

MB = 1 << 20


def test_a_file_is_read_whole_or_not_at_all(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"x" * 100)
    assert read_file(path, 100) == b"x" * 100
    with pytest.raises(LimitError, match="larger than"):
        read_file(path, 99)
    with pytest.raises(FileNotFoundError):
        read_file(tmp_path / "b", 100)


def test_what_is_no_plain_file_is_refused_at_once(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)  # nobody ever writes to it
    reads = (
        lambda path: read_file(path, MB),
        lambda path: list(lines_of(path, longest=9, most=99, lines=9)),
        lambda path: opened(path, MB).__enter__(),
    )
    for read in reads:
        for path in (pipe, Path("/dev/zero")):
            with pytest.raises(OSError, match="it is no plain file"):
                read(path)
        with pytest.raises(IsADirectoryError):
            read(tmp_path)


def test_gzip_is_unpacked_to_the_limit() -> None:
    assert unpacked(gzip.compress(b"abc"), 3) == b"abc"
    parts = gzip.compress(b"abc") + gzip.compress(b"") + gzip.compress(b"def")
    assert unpacked(parts, 6) == b"abcdef"
    for data in (gzip.compress(bytes(50 * MB)), gzip.compress(b"abc") + gzip.compress(bytes(MB))):
        with pytest.raises(LimitError, match="unpacks to more than 1 kB"):
            unpacked(data, 1 << 10)


@pytest.mark.parametrize(
    "data",
    [b"", b"\x1f\x8b", b"plain text", gzip.compress(b"abc")[:-5], gzip.compress(b"abc") + b"more"],
)
def test_damaged_gzip_is_told_as_such(data: bytes) -> None:
    with pytest.raises(DAMAGED):
        unpacked(data, 1000)


def test_a_flipped_byte_in_gzip_is_noticed() -> None:
    data = bytearray(gzip.compress(bytes(range(256)) * 4))
    data[-6] ^= 1  # in the checksum
    with pytest.raises(DAMAGED):
        unpacked(bytes(data), 10_000)


def lines(
    path: Path, longest: int = 10, most: int = 100, count: int = 5
) -> list[tuple[int, bytes]]:
    return list(lines_of(path, longest=longest, most=most, lines=count))


@pytest.mark.parametrize("packed", [False, True])
def test_lines_have_numbers_and_limits(tmp_path: Path, packed: bool) -> None:
    path = tmp_path / "a"

    def write(text: bytes) -> None:
        path.write_bytes(gzip.compress(text) if packed else text)

    write(b"one\r\n\n  \nfour")
    assert lines(path) == [(1, b"one"), (4, b"four")]
    write(b"x" * 10 + b"\n" + b"y" * 11)
    with pytest.raises(LimitError, match="line 2 is longer than"):
        lines(path)
    write(b"\n" * 6)
    with pytest.raises(LimitError, match="more than 5 lines"):
        lines(path)
    write(b"123456789\n" * 11)
    with pytest.raises(LimitError, match="unpacks to more" if packed else "is larger"):
        lines(path, count=100)


def test_lines_of_a_bomb_are_never_there_as_a_whole(tmp_path: Path) -> None:
    path = tmp_path / "bomb.gz"
    path.write_bytes(gzip.compress(bytes(16 * MB)) * 200)  # 3 GB without a line end
    with pytest.raises(LimitError, match="line 1 is longer than 1 MB"):
        lines(path, longest=MB, most=1 << 40)


def test_json_has_limits() -> None:
    assert parse_json(b'\xef\xbb\xbf{"a": [1, 2.5, "\xc3\xb6", null]}') == {
        "a": [1, 2.5, "ö", None]
    }
    assert parse_json('"\\ud83d\\ude00"') == "\N{GRINNING FACE}"
    with pytest.raises(LimitError, match="more than 10 values"):
        parse_json("[" + "[]," * 10 + "0]", 10)
    for text, told in (
        (b"\xff", "utf-8"),
        ("NaN", "NaN is not a number"),
        ("[-Infinity]", "-Infinity is not a number"),
        ('"\\ud800"', "half a character"),
        ("[" * 100_000, "too deep"),
        ("9" * 5000, "digits"),
        ("{", "Expecting"),
    ):
        with pytest.raises(ValueError, match=told):
            parse_json(text)


def test_toml_has_limits(tmp_path: Path) -> None:
    path = tmp_path / "a.toml"

    def wrong() -> Iterator[tuple[bytes, str]]:
        yield b"a = ", "Invalid value"
        yield b"a = '\xff'", "UTF-8"
        yield b"a = " + b"[" * 20_000, "too deep"
        yield b"# " + b"x" * (2 * MB), "larger than 1 MB"

    path.write_bytes(b"a = 1\n[b]\nc = 'd'\n")
    assert read_toml(path) == {"a": 1, "b": {"c": "d"}}
    for content, told in wrong():
        path.write_bytes(content)
        with pytest.raises(ValueError, match=told):
            read_toml(path)


def test_values_are_told_in_a_line() -> None:
    assert short("a\nb  c") == "a b c"
    assert short({"a": 1}) == "{'a': 1}"
    assert short("x" * 99, 10) == "x" * 9 + "…"
