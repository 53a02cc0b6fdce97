"""Calling an agent, whatever it does: its answer, or a fault that costs the episode."""

from __future__ import annotations

import errno
import random
import sys
from collections.abc import Callable
from typing import TypeVar

import numpy as np

from navproof.core.blame import blame
from navproof.core.errors import NavproofError, printable
from navproof.log.trace import Status

__all__ = ["Fault", "in_agent", "seed_globals"]

T = TypeVar("T")
_DISK_IS_FULL = (errno.ENOSPC, getattr(errno, "EDQUOT", errno.ENOSPC))


class Fault(Exception):
    """Ends an episode with a status and a reason in one line. ``full_disk``: what was raised says
    that there is no room left on a disk."""

    def __init__(self, status: Status, reason: str, *, full_disk: bool = False) -> None:
        reason = printable(reason)
        super().__init__(reason)
        self.status: Status = status
        self.reason = reason
        self.full_disk = full_disk


def in_agent(call: Callable[[], T], when: str) -> T:
    """Call the agent; anything that it raises costs the episode."""
    try:
        return call()
    except Fault:
        raise
    except MemoryError as error:
        raise Fault("memory_limit", f"{when}: {blame(error)}") from None
    except NavproofError as error:
        raise Fault("agent_error", f"{when}: {error}") from None
    except BaseException as error:  # SystemExit and KeyboardInterrupt are the agent's own here
        full = isinstance(error, OSError) and error.errno in _DISK_IS_FULL
        raise Fault("agent_error", f"{when}: {blame(error)}", full_disk=full) from None


def seed_globals(seed: int) -> None:
    """Even an agent that draws from global generators is the same whatever ran before it."""
    random.seed(seed)
    np.random.seed(seed)  # noqa: NPY002
    torch = sys.modules.get("torch")
    if torch is not None:
        torch.manual_seed(seed)
