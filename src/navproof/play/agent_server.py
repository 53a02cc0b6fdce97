"""An agent that a server plays, over WebSocket, with the protocol of an agent's process.

The server belongs to somebody else: it is neither started nor ended, its code cannot be seen, its
memory not limited. What it says of itself when it is greeted must stay the same while a run lasts.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any, NoReturn

from navproof.agents.address import parse_address, token_for
from navproof.agents.calls import Fault
from navproof.agents.correction import Correction
from navproof.agents.declaration import Declaration
from navproof.agents.limits import Limits
from navproof.agents.load import checked_names
from navproof.agents.protocol import FEELINGS
from navproof.agents.stream import ClosedError
from navproof.agents.websocket import LONGEST, CloseError, OpeningError, WebSocketStream
from navproof.agents.wire import WireError, pack, unpack
from navproof.core.codec import CodecError, from_plain
from navproof.core.errors import AgentError
from navproof.play.connection import AgentConnection, LostError
from navproof.tasks import TASKS

__all__ = ["AgentServer", "ServerConnection", "changed"]

_HELLO_S = 60.0
_PAUSE_S = (0.1, 2.0)  # between two attempts to connect: at first, and at most
_ITS_OWN = {1002, 1003, 1007, 1008, 1009, 1010, 1011}
"""Codes with which a server says that it cannot deal with what it was sent, or failed inside."""
_TOO_LARGE = 1009
_START = "start it there, as in: python navproof_client.py serve my_agent.py:MyAgent --port {port}"
_ANOTHER = "a server of the robot-policy convention needs a map (@map=FILE)"
_MOST_FACTS, _LONGEST_FACT = 16, 300


class ServerConnection(AgentConnection):
    """A connection over WebSocket. Where ``is_known``, the agent has answered before: what keeps it
    from answering now is taken for somebody else's doing, and waited out for ``patience_s``."""

    side = "server"
    authorization = "Bearer"
    """How the token is shown."""
    offers: frozenset[str] = frozenset()
    """What it does beyond playing: "snapshot", "correct"."""
    _hello_s = _HELLO_S
    _first = "greeting"
    _start = ""
    """How such a server is started."""

    def __init__(
        self,
        name: str,
        limits: Limits,
        watch: Callable[[], None] | None,
        *,
        is_known: bool = False,
        patience_s: float = 0.0,
    ) -> None:
        super().__init__(name, limits, watch)
        self.address = parse_address(name)
        self._stream = self._opened(is_known, patience_s)
        self._sent = 0  # bytes of the last message

    @property
    def is_stale(self) -> bool:
        return self._stream.is_closed

    def end(self) -> None:
        if not self.is_over:
            self.is_over = True
            self._stream.close()

    def _opened(self, is_known: bool, patience_s: float) -> WebSocketStream:
        try:
            token = token_for(self.address)
        except AgentError as error:
            if is_known:
                raise LostError(str(error), outside=True, evident=True) from None
            raise
        authorization = None if token is None else f"{self.authorization} {token}"
        until = time.monotonic() + patience_s
        pause_s, most_s = _PAUSE_S
        while True:
            try:
                return WebSocketStream.open(self.address, authorization, self._watch)
            except OpeningError as error:
                left_s = until - time.monotonic()
                if is_known and not (error.is_away and left_s > 0):
                    raise LostError(f"its server: {error}", outside=True, evident=True) from None
                if not is_known:
                    raise AgentError(f"agent '{self.name}': {self._advised(error)}") from None
            if self._watch is not None:
                self._watch()
            time.sleep(min(pause_s, left_s))
            pause_s = min(2 * pause_s, most_s)

    def _advised(self, error: OpeningError) -> str:
        """What is wrong, and what to do."""
        if error.is_refusal:
            return f"{error}; its token belongs into NAVPROOF_TOKEN or a file (@token_file=FILE)"
        if error.is_away and self._start:
            return f"{error}; {self._start.format(port=self.address.port)}"
        return str(error)

    def correct(self, correction: Correction) -> None:
        if "correct" not in self.offers:
            raise Fault("agent_error", "its server offers no corrections")
        super().correct(correction)

    def snapshot(self) -> int:
        if "snapshot" not in self.offers:
            raise Fault("agent_error", "its server keeps no states")
        return super().snapshot()

    def _send_bytes(self, data: bytes, until: float) -> None:
        self._sent = len(data)
        if self._sent > LONGEST:
            size = f"{self._sent / 2**20:.0f} MB"
            raise Fault("agent_error", f"what it is to be shown is too large for a message: {size}")
        self._stream.send(data, until)

    def _receive_bytes(self, until: float) -> bytes | str:
        return self._stream.receive(until)

    def _lost(self, when: str, closed: ClosedError) -> Fault:
        self.end()
        code = closed.code if isinstance(closed, CloseError) else None
        if code is None:
            return LostError(f"{when}: the connection to its server was lost", outside=True)
        told = f"code {code}"
        if code == _TOO_LARGE:
            told += f": a message of {self._sent / 2**20:.1f} MB is too large for it"
        elif reason := getattr(closed, "reason", ""):
            told += f": {reason}"
        outside = code not in _ITS_OWN or "keepalive" in told
        return LostError(f"{when}: its server closed the connection ({told})", outside=outside)


class AgentServer(ServerConnection):
    """A server that speaks the protocol of ``agents.wire``. It can be put back to a state only
    where it offers that."""

    _start = _START

    def make(self) -> Mapping[str, Any]:
        made = super().make()
        return made if "correct" in self.offers else {**made, "correctable": False}

    def _not_loaded(self, fault: Fault) -> NoReturn:
        if "it has number None" in fault.reason:
            fault = Fault(fault.status, f"{fault.reason}; {_ANOTHER}")
        super()._not_loaded(fault)

    def _send(self, message: Mapping[str, Any], until: float) -> None:
        self._send_bytes(pack(message), until)

    def _receive(self, until: float) -> dict[str, Any]:
        data = self._receive_bytes(until)
        if isinstance(data, str):
            raise WireError("it is text, not msgpack")
        return unpack(data)

    def _greeting(self) -> dict[str, Any]:
        return {**super()._greeting(), "options": dict(self.address.options)}

    def _declaration(self, told: Mapping[str, Any]) -> Declaration:
        offers: tuple[str, ...] = from_plain(tuple[str, ...], told.get("offers", []), "offers")
        self.offers = frozenset(offers)
        declared = Declaration.of_plain(told.get("declares"))
        checked_names(self.name, "sensors", declared.sensors)
        checked_names(self.name, "feels", declared.feels, FEELINGS)
        checked_names(self.name, "tasks", declared.tasks, tuple(TASKS))
        served: Mapping[str, str] = from_plain(
            Mapping[str, str], told.get("identity", {}), "identity"
        )
        if len(served) > _MOST_FACTS or any(len(v) > _LONGEST_FACT for v in served.values()):
            raise CodecError("identity: it is too long")
        return declared.served_as(served)


def changed(known: Declaration, declared: Declaration) -> str:
    """In which way a server's agent is not what it was when the run began."""
    then, now = dict(known.served or {}), dict(declared.served or {})
    for key in sorted({*then, *now}):
        if then.get(key) != now.get(key):
            was, is_now = then.get(key, "none"), now.get(key, "none")
            return f"its server plays another agent than when the run began: {key} {was}, {is_now}"
    return "its server declares other things than when the run began"
