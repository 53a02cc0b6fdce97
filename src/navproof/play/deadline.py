"""Ending a call that takes too long, in this process. A worker's calls are ended from outside."""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Iterator
from types import FrameType

from navproof.core.errors import AgentError

__all__ = ["deadline"]


@contextlib.contextmanager
def deadline(seconds: float, what: str, kind: type[Exception] = AgentError) -> Iterator[None]:
    """Raise an exception of that kind when the block takes longer. Only where the platform has
    interval timers, in the main thread, and not inside C code that never returns."""
    main = threading.current_thread() is threading.main_thread()
    if not hasattr(signal, "setitimer") or not main:
        yield
        return

    def ring(number: int, frame: FrameType | None) -> None:
        raise kind(f"{what} took longer than {seconds:g} s")

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        signal.signal(signal.SIGALRM, before)
