"""Names of agents with files and options."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from navproof.log.names import short_name


@pytest.mark.parametrize(
    ("name", "short"),
    [
        ("oracle", "oracle"),
        ("mlfm@layers=1@eae=0.2", "mlfm@layers=1@eae=0.2"),
        ("mine.py:Agent", "Agent"),
        ("a.b:Agent@eyes=clip:/x", "Agent@eyes=clip:/x"),
        ("/home/me@work/mine.py:Agent@n=1", "Agent@n=1"),
        ("C:\\me\\mine.py:Agent@n=1", "Agent@n=1"),
        ("mlfm@layers=", "mlfm@layers="),
        ("", ""),
    ],
)
def test_without_file_or_module(name: str, short: str) -> None:
    assert short_name(name) == short


@given(st.text(max_size=40))
def test_any_name_in_a_run_folder_can_be_shown(name: str) -> None:
    assert isinstance(short_name(name), str)
