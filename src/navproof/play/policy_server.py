"""An agent that a server of the robot-policy convention plays.

The server says something of itself when it is connected to; then each question is a map of
observations, each answer one of actions, and a text frame tells of an error. Which keys are given
what, and what answers mean, is in the map of the address (``agents.policy``).
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from navproof.agents.address import parse_address
from navproof.agents.calls import Fault
from navproof.agents.declaration import Declaration
from navproof.agents.limits import Limits
from navproof.agents.policy.chunks import Chunks, shown
from navproof.agents.policy.packing import pack_policy, unpack_policy
from navproof.agents.policy.policy_map import load_policy_map
from navproof.agents.wire import WireError
from navproof.core.errors import AgentError, SpecError
from navproof.core.types import Decision, Observation, TaskBrief
from navproof.play.agent_server import ServerConnection, changed
from navproof.play.connection import LostError

__all__ = ["PolicyServer"]

_METADATA_S = 20.0
_MOST_FACTS, _LONGEST_FACT = 8, 80


class PolicyServer(ServerConnection):
    """The map is read when the connection is made: an ``AgentError`` where it cannot be used."""

    authorization = "Api-Key"
    _hello_s = _METADATA_S

    def __init__(
        self,
        name: str,
        limits: Limits,
        watch: Callable[[], None] | None,
        *,
        is_known: bool = False,
        patience_s: float = 0.0,
    ) -> None:
        address = parse_address(name)
        assert address.map is not None
        for option in address.options:
            raise AgentError(f"agent '{name}': a policy server takes no option '{option}'")
        try:
            self._policy = load_policy_map(address.map)
        except SpecError as error:
            raise AgentError(f"agent '{name}': {error}") from None
        super().__init__(name, limits, watch, is_known=is_known, patience_s=patience_s)
        self._chunks = Chunks(self._policy)
        self._brief: TaskBrief | None = None
        self._declared: Declaration | None = None
        self._is_used = False

    # --------------------------------------------------------------------------- questions
    def hello(self) -> Declaration:
        try:
            metadata = self._in_time(self._receive_bytes, self._first, self._hello_s)
            if isinstance(metadata, str):
                raise Fault("agent_error", f"it says: {_last_line(metadata)}")
            facts = _facts(unpack_policy(metadata))
        except WireError as error:
            self._not_loaded(Fault("agent_error", f"what it says of itself is nothing: {error}"))
        except Fault as fault:
            if fault.status == "agent_timeout":
                why = "a server that says nothing of itself is no policy server: leave out @map"
                fault = Fault(fault.status, f"{fault.reason} ({why}?)")
            self._not_loaded(fault)
        digest = hashlib.sha256(metadata).hexdigest()[:12]
        self._declared = self._policy.declaration.served_as({"metadata": digest, **facts})
        return self._declared

    def make(self) -> Mapping[str, Any]:
        return {}

    def reset(self, brief: TaskBrief, *, beliefs: bool) -> None:
        if self._is_used and self._policy.reconnect:
            self._reconnect()
        self._chunks, self._brief = Chunks(self._policy), brief
        self._is_used = True

    def decide(self, obs: Observation, when: str, number: int) -> Decision:
        assert self._brief is not None
        try:
            if self._chunks.is_needed:
                message = shown(self._policy, self._brief, obs, first=self._chunks.is_first)
                self._chunks.take(self._answer(message, when), obs)
            return Decision(self._chunks.next(obs))
        except AgentError as error:
            raise Fault("agent_error", f"{when}: {error}") from None

    # -------------------------------------------------------------------------------- inside
    def _reconnect(self) -> None:
        self._stream.close()
        try:
            self._stream = self._opened(True, 0.0)
        except LostError:
            self.is_over = True
            raise
        known = self._declared
        try:
            declared = self.hello()
        except AgentError as error:
            raise LostError(str(error), outside=True, evident=True) from None
        if known is not None and declared != known:
            self.end()
            raise LostError(changed(known, declared), outside=True, evident=True)

    def _answer(self, message: Mapping[str, Any], when: str) -> dict[Any, Any]:
        def talk(until: float) -> dict[str, Any]:
            self._send(message, until)
            return self._receive(until)

        try:
            return self._in_time(talk, when, self.limits.step_s)
        except _ToldError as error:
            raise Fault("agent_error", f"{when}: its server says: {error}") from None

    def _send(self, message: Mapping[str, Any], until: float) -> None:
        self._send_bytes(pack_policy(message), until)

    def _receive(self, until: float) -> dict[str, Any]:
        data = self._receive_bytes(until)
        if isinstance(data, str):
            raise _ToldError(_last_line(data))
        return unpack_policy(data)


class _ToldError(Exception):
    """The server told of an error of its own."""


def _last_line(text: str) -> str:
    """Of a traceback, what was raised."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[-1][:300] if lines else "nothing"


def _facts(metadata: Mapping[Any, Any]) -> dict[str, str]:
    """The short and plain part of what a server says of itself."""
    facts = {}
    for key, value in metadata.items():
        name = key.decode(errors="replace") if isinstance(key, bytes) else str(key)
        plain = value.item() if isinstance(value, np.generic) else value
        if isinstance(plain, str | int | float | bool) and name != "metadata":
            facts[name[:_LONGEST_FACT]] = str(plain)[:_LONGEST_FACT]
    return dict(sorted(facts.items())[:_MOST_FACTS])
