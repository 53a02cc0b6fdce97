"""Messages between two processes: pickles with their length before them, over plain pipes."""

from __future__ import annotations

import pickle
import struct
from typing import Any, BinaryIO

__all__ = ["Channel", "ClosedError"]

_LENGTH = struct.Struct("<Q")


class ClosedError(Exception):
    """The other side is gone."""


class Channel:
    """Blocking, one reader and one writer at a time."""

    def __init__(self, incoming: BinaryIO, outgoing: BinaryIO) -> None:
        self._in, self._out = incoming, outgoing

    def send(self, message: Any) -> None:
        data = pickle.dumps(message, protocol=pickle.HIGHEST_PROTOCOL)
        try:
            self._out.write(_LENGTH.pack(len(data)) + data)
            self._out.flush()
        except (OSError, ValueError):
            raise ClosedError from None

    def receive(self) -> Any:
        (length,) = _LENGTH.unpack(self._exactly(_LENGTH.size))
        return pickle.loads(self._exactly(length))

    def _exactly(self, count: int) -> bytes:
        try:
            data = self._in.read(count)
        except (OSError, ValueError):
            raise ClosedError from None
        if len(data) < count:
            raise ClosedError
        return data
