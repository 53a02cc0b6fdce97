"""How long commands are stopped: a polite kill ends them as Ctrl-C does."""

from __future__ import annotations

import contextlib
import signal
from collections.abc import Iterator

__all__ = ["terminable"]


@contextlib.contextmanager
def terminable() -> Iterator[None]:
    """SIGTERM raises ``KeyboardInterrupt`` within."""

    def interrupt(signum: int, frame: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
