"""Messages over a socket between two processes: four bytes of length, then msgpack.

Neither side trusts the other to be quick, or to be there: every wait has an end.
"""

from __future__ import annotations

import select
import socket
import struct
import time
from collections.abc import Callable, Mapping
from typing import Any

from navproof.agents.wire import WireError, pack, unpack

__all__ = ["LONGEST_ANSWER", "ClosedError", "LateError", "Stream"]

_LENGTH = struct.Struct("<I")
_LONGEST = 64 * 2**20
LONGEST_ANSWER = 4 << 20
"""Bytes of what an agent says: three times what beliefs take that are as many as is allowed."""
_TICK_S = 0.1
_CHUNK = 1 << 18


class ClosedError(Exception):
    """The other side is gone."""


class LateError(Exception):
    """The other side took too long."""


class Stream:
    """One end of a connection. ``watch`` is called about ten times a second while it waits, and may
    raise what ends the wait. Messages that come are at most ``longest`` bytes."""

    def __init__(
        self,
        end: socket.socket,
        watch: Callable[[], None] | None = None,
        longest: int = _LONGEST,
    ) -> None:
        self._longest = longest
        self._socket = end
        end.setblocking(False)
        self._watch = watch
        self._poll = select.poll()
        self._poll.register(end, select.POLLIN)
        self._drain = select.poll()
        self._drain.register(end, select.POLLOUT)
        self._rest = bytearray()

    def send(self, message: Mapping[str, Any], until: float | None = None) -> None:
        """``until`` is a time of ``time.monotonic``; None waits for ever."""
        data = pack(message)
        view = memoryview(_LENGTH.pack(len(data)) + data)
        while view:
            try:
                view = view[self._socket.send(view) :]
            except BlockingIOError:
                self._wait(self._drain, until)
            except OSError:
                raise ClosedError from None

    def receive(self, until: float | None = None) -> dict[str, Any]:
        """The next message; a ``WireError`` where it is none."""
        (length,) = _LENGTH.unpack(self._exactly(_LENGTH.size, until))
        if length > self._longest:
            most = self._longest >> 20
            raise WireError(f"it would be {length / 2**20:.1f} MiB long, more than {most} MiB")
        return unpack(self._exactly(length, until))

    def close(self) -> None:
        self._socket.close()

    def _exactly(self, count: int, until: float | None) -> bytes:
        while len(self._rest) < count:
            try:
                data = self._socket.recv(_CHUNK)
            except BlockingIOError:
                self._wait(self._poll, until)
                continue
            except OSError:
                raise ClosedError from None
            if not data:
                raise ClosedError
            self._rest += data
        found = bytes(self._rest[:count])
        del self._rest[:count]
        return found

    def _wait(self, poll: select.poll, until: float | None) -> None:
        left = None if until is None else until - time.monotonic()
        if left is not None and left <= 0:
            raise LateError
        if self._watch is None:
            poll.poll(None if left is None else 1e3 * left)
            return
        tick = _TICK_S if left is None else min(_TICK_S, left)
        if not poll.poll(1e3 * tick):
            self._watch()
