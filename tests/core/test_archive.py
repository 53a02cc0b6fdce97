"""Zip files from others are read within bounds, and ours are the same bytes every time."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import pytest

from navproof.core.input.archive import (
    UNREADABLE,
    add_bytes,
    add_file,
    opened,
    parts_of,
    read_at_most,
)

MEGABYTE = 1 << 20


def archive(*members: tuple[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> io.BytesIO:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", method) as written:
        for name, content in members:
            written.writestr(name, content)
    return data


def refused(data: io.BytesIO, most_bytes: int = 1 << 40) -> str:
    with pytest.raises(UNREADABLE) as told, opened(data, most_bytes):
        pass
    return str(told.value)


def test_what_is_written_is_the_same_and_can_be_read(tmp_path: Path) -> None:
    (tmp_path / "data").write_bytes(bytes(range(256)) * 9000)
    for name in ("a.zip", "b.zip"):
        with zipfile.ZipFile(tmp_path / name, "w") as written:
            add_bytes(written, "text", b"some words " * 100)
            add_file(written, "data", tmp_path / "data")
    assert (tmp_path / "a.zip").read_bytes() == (tmp_path / "b.zip").read_bytes()
    with opened(tmp_path / "a.zip", 10 * MEGABYTE) as found:
        assert found.namelist() == ["text", "data"]
        assert read_at_most(found, "text", 2000) == b"some words " * 100
        assert b"".join(parts_of(found, "data")) == (tmp_path / "data").read_bytes()
        assert found.getinfo("data").compress_type == zipfile.ZIP_STORED
        with pytest.raises(zipfile.BadZipFile, match="data would unpack to 2 MB"):
            read_at_most(found, "data", MEGABYTE)


def test_what_would_unpack_to_too_much_is_refused_before_it_is_read() -> None:
    assert refused(archive(("zeros", bytes(2 * MEGABYTE))), MEGABYTE) == "it would unpack to 2 MB"
    bomb = archive(*((f"zeros {i}", bytes(50 * MEGABYTE)) for i in range(2)))
    assert len(bomb.getvalue()) < MEGABYTE
    assert refused(bomb) == "it would unpack to 105 MB"


def test_a_member_that_is_larger_than_it_says_is_refused() -> None:
    data = bytearray(archive(("zeros", bytes(MEGABYTE))).getvalue())
    for at in (data.find(b"PK\x03\x04") + 22, data.find(b"PK\x01\x02") + 24):
        data[at : at + 4] = (100).to_bytes(4, "little")
    with opened(io.BytesIO(bytes(data)), 1000) as found, pytest.raises(UNREADABLE):
        read_at_most(found, "zeros", 1000)


def test_odd_archives_are_refused() -> None:
    with pytest.warns(UserWarning, match="Duplicate name"):
        twice = archive(("a", b"1"), ("a", b"2"))
    assert refused(twice) == "two of its members have one name"
    other = archive(("a", b"1"), method=zipfile.ZIP_BZIP2)
    assert refused(other) == "a is encrypted or oddly compressed"
    data = bytearray(archive(("a", b"1")).getvalue())
    data[data.find(b"PK\x01\x02") + 8] |= 1
    assert refused(io.BytesIO(bytes(data))) == "a is encrypted or oddly compressed"
    assert refused(io.BytesIO(b"PK but no more")) == "File is not a zip file"
