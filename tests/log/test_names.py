"""Names of agents with files and options."""

from __future__ import annotations

import pytest

from navproof.log.names import short_name, split_agent


@pytest.mark.parametrize(
    ("name", "agent", "options", "short"),
    [
        ("oracle", "oracle", "", "oracle"),
        ("mlfm@layers=1@eae=0.2", "mlfm", "layers=1@eae=0.2", "mlfm@layers=1@eae=0.2"),
        ("mine.py:Agent", "mine.py:Agent", "", "Agent"),
        ("a.b:Agent@eyes=clip:/x", "a.b:Agent", "eyes=clip:/x", "Agent@eyes=clip:/x"),
        ("/home/me@work/mine.py:Agent@n=1", "/home/me@work/mine.py:Agent", "n=1", "Agent@n=1"),
    ],
)
def test_file_class_and_options(name: str, agent: str, options: str, short: str) -> None:
    assert split_agent(name) == (agent, options)
    assert short_name(name) == short
