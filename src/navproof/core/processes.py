"""The same call for many things, in several processes: for what a run needs before its episodes.

(Episodes themselves are played by ``play.pool``, which survives what its workers do.)
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from functools import partial
from multiprocessing import get_context
from types import ModuleType
from typing import TypeVar

from navproof.core.errors import RunError, SpecError
from navproof.core.registry import Registered, adopt, registered_here
from navproof.core.salt import Salt, known_salts, learn_salts
from navproof.core.search_path import Entries, aside, clean, put_aside, read_sources_only

__all__ = ["in_processes"]

T = TypeVar("T")
R = TypeVar("R")


def in_processes(
    call: Callable[[T], R], items: Sequence[T], workers: int = 1
) -> Iterator[tuple[int, Callable[[], R]]]:
    """``call(item)`` for every item in at most ``workers`` processes: (index, what gives the result
    or raises what was raised), in the order in which they come to an end.

    ``call`` is a function of a module; items and results travel by pickle. What this process
    registered, and the salts that it knows, are known in the others. With one worker everything
    happens here, one by one.
    """
    if workers < 1:
        raise SpecError(f"workers must be at least 1, not {workers}")
    if workers == 1 or len(items) < 2:
        yield from ((index, partial(call, item)) for index, item in enumerate(items))
        return
    count = min(workers, len(items))
    known = (registered_here(), known_salts(), aside())
    with _started_apart():
        pool = ProcessPoolExecutor(count, get_context("spawn"), _begin, known)
    try:
        with _started_apart():
            running = {pool.submit(call, item): index for index, item in enumerate(items)}
        for done in as_completed(running):
            yield running[done], partial(_result, done.result)
    finally:
        pool.shutdown(cancel_futures=True)


def _result(result: Callable[[], R]) -> R:
    try:
        return result()
    except BrokenProcessPool:
        raise RunError("a process ended before it was done (out of memory?)") from None


def _begin(registered: tuple[Registered, ...], salts: tuple[Salt, ...], away: Entries) -> None:
    put_aside(away)
    read_sources_only()
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    adopt(registered)
    learn_salts(salts)


@contextmanager
def _started_apart() -> Iterator[None]:
    """Processes that start meanwhile do not import the script that runs here: it might do all that
    it does again. What they are to call, they find in its own module. Nor do they find modules
    where an agent's files may lie (``core.search_path``)."""
    path, main = sys.path, sys.modules["__main__"]
    environment = {name: os.environ.get(name) for name in ("PYTHONPATH", "PYTHONSAFEPATH")}
    sys.path = list(clean())
    sys.modules["__main__"] = ModuleType("__main__")
    os.environ.pop("PYTHONPATH", None)
    os.environ["PYTHONSAFEPATH"] = "1"
    try:
        yield
    finally:
        sys.path, sys.modules["__main__"] = path, main
        for name, value in environment.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value
