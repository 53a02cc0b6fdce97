"""The same thing in another process, as the workers of a run have it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from navproof.check.result import Check, Wrong, checked
from navproof.core.processes import in_processes

__all__ = ["same_elsewhere"]

_MEND = (
    "put it at the top level of a file or module; use no global state, and no order of a set or "
    "hash() of a text, which differ between processes"
)


def same_elsewhere(digest: Callable[[str], str], name: str) -> Check:
    """Whether ``digest(name)``, a function of a module, is the same in two other processes."""

    def test() -> str:
        there = [result() for _, result in in_processes(partial(_digest, digest), [name, name], 2)]
        here = digest(name)
        if any(one != here for one in there):
            raise Wrong("another process gives another result")
        return "two other processes give the same bytes"

    return checked("same in another process", _MEND, test)


def _digest(digest: Callable[[str], str], name: str) -> str:
    return digest(name)
