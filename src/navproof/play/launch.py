"""How processes of ours are started: with the search path of this one, one thread each, and a hash
seed that is always the same."""

from __future__ import annotations

import secrets
from collections.abc import Mapping

from navproof.core.child import command, one_thread

__all__ = ["AGENT_MARK", "RUN_MARK", "command", "environment"]

RUN_MARK = "NAVPROOF_RUN"
"""In the environment of all that a run starts; so what is left of it can be told from the rest."""
AGENT_MARK = "NAVPROOF_AGENT"
"""In that of an agent's process, and of what it starts."""


def environment(parent: Mapping[str, str]) -> dict[str, str]:
    """One thread per process unless the user says otherwise; a fixed hash seed, so that an agent
    that iterates over a set does so in the same order everywhere."""
    found = one_thread(parent)
    found["PYTHONHASHSEED"] = "0"
    found.setdefault(RUN_MARK, secrets.token_hex(8))
    return found
