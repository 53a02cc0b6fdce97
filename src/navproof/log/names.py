"""Names of agents as runs hold them: ``oracle``, ``mlfm@layers=1``, ``file.py:Class@speed=2``."""

from __future__ import annotations

import re

__all__ = ["short_name", "split_agent"]

_OPTIONS = re.compile(r"@(?=[A-Za-z_]\w*=)")


def split_agent(name: str) -> tuple[str, str]:
    """The agent and its options, ``("mlfm", "layers=1@eae=0.2")``.

    Options begin at the first ``@`` with ``word=`` after it, so that files and values may hold
    other signs.
    """
    found = _OPTIONS.search(name)
    return (name[: found.start()], name[found.end() :]) if found else (name, "")


def short_name(name: str) -> str:
    """Without file or module, with the options: ``Class@speed=2``."""
    agent, options = split_agent(name)
    short = agent.rpartition(":")[2]
    return f"{short}@{options}" if options else short
