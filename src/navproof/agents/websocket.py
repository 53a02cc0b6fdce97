"""Messages over WebSocket, from the judge's side: no thread, and every wait has an end.

What is on the wire is the business of the ``websockets`` package (its part without input and
output); sockets, deadlines and looking after the run while it waits are here. One thread more, as
in that package's own client, costs a third of a millisecond a question.
"""

from __future__ import annotations

import contextlib
import select
import socket
import ssl
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NoReturn

from navproof.agents.address import Address
from navproof.agents.stream import ClosedError, LateError
from navproof.agents.wire import WireError
from navproof.core.errors import MissingExtraError, one_line

if TYPE_CHECKING:
    from websockets.client import ClientProtocol

__all__ = ["CloseError", "OpeningError", "WebSocketStream"]

LONGEST = 64 * 2**20
"""Bytes of a message; a longer one is refused when its length is told."""
_TICK_S = 0.1
_CHUNK = 1 << 18
_MOST_CHUNKS = 16  # taken in at a time without having been asked for
_OPENING_S = 10.0
_AWAY = (500, 502, 503, 504)
"""What an HTTP server before it answers while the server is not there."""


class OpeningError(Exception):
    """No connection; the text says why. ``is_away``: nothing is there, or not yet."""

    def __init__(self, reason: str, *, is_away: bool = False, is_refusal: bool = False) -> None:
        super().__init__(reason)
        self.is_away, self.is_refusal = is_away, is_refusal


class CloseError(ClosedError):
    """The other side is gone; with the code and reason that it gave, if it said good-bye."""

    def __init__(self, code: int | None = None, reason: str = "") -> None:
        super().__init__(reason)
        self.code, self.reason = code, " ".join(reason.split())[:200]


class WebSocketStream:
    """One open connection. ``watch`` is called about ten times a second while it waits, and may
    raise what ends the wait."""

    def __init__(
        self, end: socket.socket, protocol: ClientProtocol, watch: Callable[[], None] | None
    ) -> None:
        from websockets.frames import Opcode

        self._socket, self._protocol, self._watch = end, protocol, watch
        self._data = (Opcode.TEXT, Opcode.BINARY, Opcode.CONT)
        self._text = Opcode.TEXT
        end.setblocking(False)
        self._parts: list[bytes] = []
        self._is_text = False
        self._messages: list[bytes | str] = []
        self._unsent: list[memoryview] = []
        self._collect()  # what came together with the answer to the opening

    @classmethod
    def open(
        cls,
        address: Address,
        authorization: str | None,
        watch: Callable[[], None] | None = None,
    ) -> WebSocketStream:
        """Connect; an ``OpeningError`` where that is not possible. ``authorization`` goes into the
        header of that name. Neither a proxy nor a redirection is followed."""
        try:
            from websockets.client import ClientProtocol
            from websockets.uri import parse_uri
        except ImportError:
            raise MissingExtraError("websockets", "remote", "an agent behind an address") from None
        end = _connected(address)
        try:
            protocol = ClientProtocol(parse_uri(address.url), max_size=LONGEST)
            request = protocol.connect()
            if authorization is not None:
                request.headers["Authorization"] = authorization
            protocol.send_request(request)
            _shake_hands(end, protocol)
            return cls(end, protocol, watch)
        except BaseException:
            end.close()
            raise

    # ------------------------------------------------------------------------------ messages
    def send(self, data: bytes, until: float) -> None:
        """``until`` is a time of ``time.monotonic``."""
        self._take_in()
        if not self._is_open:
            self._raise_end()
        self._protocol.send_binary(data)
        self._flush(until)

    def receive(self, until: float) -> bytes | str:
        """The next message: text, or bytes. A ``WireError`` where it is too long, or is none."""
        while not self._messages:
            if not self._is_open:
                self._raise_end()
            self._feed(self._read(until))
            self._flush(until)
        return self._messages.pop(0)

    @property
    def is_closed(self) -> bool:
        """Whether the other side has gone since."""
        self._take_in()
        return not self._is_open

    def close(self) -> None:
        """Say good-bye, without waiting for an answer."""
        if self._is_open:
            self._protocol.send_close(1000)
            self._push()
        self._socket.close()

    # -------------------------------------------------------------------------------- inside
    @property
    def _is_open(self) -> bool:
        return self._protocol.state.name == "OPEN"

    def _take_in(self) -> None:
        """What has come meanwhile (a ping, a good-bye), without waiting."""
        for _ in range(_MOST_CHUNKS):
            if not self._is_open:
                break
            try:
                data = self._socket.recv(_CHUNK)
            except (BlockingIOError, ssl.SSLWantReadError, ssl.SSLWantWriteError):
                break
            except OSError:
                data = b""
            self._feed(data)
        self._push()

    def _feed(self, data: bytes) -> None:
        """Nothing stands for the end of the connection."""
        if data:
            self._protocol.receive_data(data)
        else:
            self._protocol.receive_eof()
        self._collect()

    def _collect(self) -> None:
        """Put messages together out of what has been received."""
        for event in self._protocol.events_received():
            opcode = getattr(event, "opcode", None)
            if opcode not in self._data:
                continue
            frame: Any = event
            if not self._parts:
                self._is_text = opcode is self._text
            self._parts.append(bytes(frame.data))
            if frame.fin:
                whole = self._parts[0] if len(self._parts) == 1 else b"".join(self._parts)
                self._parts = []
                self._messages.append(whole.decode(errors="replace") if self._is_text else whole)

    def _raise_end(self) -> NoReturn:
        wrong = self._protocol.parser_exc
        if wrong is not None and not isinstance(wrong, EOFError):
            kind = type(wrong).__name__
            if kind == "PayloadTooBig":
                raise WireError(f"it would be longer than {LONGEST / 2**20:.0f} MB")
            raise WireError(f"it is not WebSocket ({kind})")
        close = self._protocol.close_rcvd
        if close is None:
            raise CloseError
        raise CloseError(int(close.code), close.reason)

    def _read(self, until: float) -> bytes:
        while True:
            try:
                return self._socket.recv(_CHUNK)
            except (BlockingIOError, ssl.SSLWantReadError):
                self._wait(select.POLLIN, until)
            except ssl.SSLWantWriteError:
                self._wait(select.POLLOUT, until)
            except OSError:
                return b""

    def _flush(self, until: float) -> None:
        """Send all that is to be sent."""
        while (event := self._push()) is not None:
            self._wait(event, until)
        if not self._is_open:
            return
        if self._is_broken:  # why, may lie in what it sent before
            self._take_in()
            if self._is_open:
                self._feed(b"")

    _is_broken = False

    def _push(self) -> int | None:
        """Send what can be sent now; what to wait for, where something is left."""
        self._unsent += [memoryview(data) for data in self._protocol.data_to_send() if data]
        while self._unsent:
            try:
                count = self._socket.send(self._unsent[0])
            except (BlockingIOError, ssl.SSLWantWriteError):
                return select.POLLOUT
            except ssl.SSLWantReadError:
                return select.POLLIN
            except OSError:
                self._unsent.clear()
                self._is_broken = True
                return None
            self._unsent[0] = self._unsent[0][count:]
            if not self._unsent[0]:
                del self._unsent[0]
        return None

    def _wait(self, event: int, until: float) -> None:
        poll = select.poll()
        poll.register(self._socket, event)
        left = until - time.monotonic()
        if left <= 0:
            raise LateError
        if not poll.poll(1e3 * min(_TICK_S, left)) and self._watch is not None:
            self._watch()


def _connected(address: Address) -> socket.socket:
    """A socket, with TLS on it where that is asked for."""
    try:
        plain = socket.create_connection((address.host, address.port), _OPENING_S)
    except OSError as error:
        why = error.strerror or one_line(error)
        raise OpeningError(f"nothing answers at {address.place} ({why})", is_away=True) from None
    with contextlib.suppress(OSError):
        plain.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    if not address.is_secure:
        return plain
    try:
        context = ssl.create_default_context(cafile=address.ca)
        return context.wrap_socket(plain, server_hostname=address.host)
    except ssl.SSLCertVerificationError as error:
        plain.close()
        how = "name its authority with @ca=FILE" if address.ca is None else f"not by {address.ca}"
        why = error.verify_message or "it does not fit"
        raise OpeningError(f"its certificate is not to be trusted: {why} ({how})") from None
    except ssl.SSLError as error:
        plain.close()
        why = (error.reason or one_line(error)).replace("_", " ").lower()
        raise OpeningError(f"TLS with {address.place} fails: {why}") from None
    except OSError as error:
        plain.close()
        raise OpeningError(
            f"TLS with {address.place} fails: {error.strerror or one_line(error)}", is_away=True
        ) from None


def _shake_hands(end: socket.socket, protocol: ClientProtocol) -> None:
    """The opening of WebSocket, over a socket that still waits."""
    from websockets.exceptions import InvalidStatus

    until = time.monotonic() + _OPENING_S
    try:
        for data in protocol.data_to_send():
            end.sendall(data)
        while protocol.state.name == "CONNECTING" and protocol.handshake_exc is None:
            left = until - time.monotonic()
            if left <= 0:
                raise TimeoutError
            end.settimeout(left)
            data = end.recv(_CHUNK)
            if data:
                protocol.receive_data(data)
            else:
                protocol.receive_eof()
                break
    except TimeoutError:
        raise OpeningError("it does not answer as a WebSocket server does") from None
    except OSError as error:
        raise OpeningError(f"it hangs up ({error.strerror})", is_away=True) from None
    wrong = protocol.handshake_exc
    if isinstance(wrong, InvalidStatus):
        status = wrong.response.status_code
        body = (wrong.response.body or b"").decode(errors="replace")
        told = " ".join(body.split())[:120]
        what = f"it refuses the connection (HTTP {status}{f': {told}' if told else ''})"
        raise OpeningError(what, is_away=status in _AWAY, is_refusal=status in (401, 403))
    if wrong is not None or protocol.state.name != "OPEN":
        raise OpeningError("it does not speak WebSocket")
