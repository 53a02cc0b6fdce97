from __future__ import annotations

import pytest

from navproof.core.errors import one_line


class Unshowable(Exception):
    def __str__(self) -> str:
        raise RuntimeError


@pytest.mark.parametrize(
    ("error", "line"),
    [
        (ValueError("no\n  such thing"), "ValueError: no such thing"),
        (KeyError(), "KeyError"),
        (Unshowable(), "Unshowable"),
    ],
)
def test_any_error_fits_on_one_line(error: Exception, line: str) -> None:
    assert one_line(error) == line
