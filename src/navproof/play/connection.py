"""The judge's side of a connection to an agent, whatever lies between: what is asked, how answers
are checked, and how everything that goes wrong becomes a ``Fault``.

``AgentProcess`` asks a process on this machine, ``AgentServer`` a server, ``PolicyServer`` one that
speaks another protocol.
"""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from typing import Any, NoReturn, TypeVar

from navproof.agents.calls import Fault
from navproof.agents.correction import Correction
from navproof.agents.declaration import Declaration
from navproof.agents.limits import Limits
from navproof.agents.stream import ClosedError, LateError
from navproof.agents.wire import (
    PROTOCOL_VERSION,
    Array,
    WireError,
    brief_to,
    correction_to,
    decision_from,
    observation_to,
)
from navproof.core.codec import CodecError
from navproof.core.errors import AgentError
from navproof.core.types import Decision, Observation, TaskBrief
from navproof.log.trace import Status

__all__ = ["AgentConnection", "LostError", "StateLostError"]

T = TypeVar("T")
_GRACE_S = 0.25  # so that a call that returns just in time is not ended on its way
_HELLO_S = 300.0
_STATUSES: Mapping[object, Status] = {"memory_limit": "memory_limit"}
"""What an agent's side may call a fault of its own; anything else is an ``agent_error``."""


class LostError(Fault):
    """The agent is gone. ``outside``: somebody else may have ended it; ``evident``: that it was so
    is seen from outside it, too."""

    def __init__(self, reason: str, *, outside: bool, evident: bool = False) -> None:
        super().__init__("agent_died", reason)
        self.outside, self.evident = outside, evident


class StateLostError(Exception):
    """A state of the agent is not there (any more): it is another agent now, or one that cannot be
    copied."""


class AgentConnection(ABC):
    """One agent, asked one thing at a time. ``side`` is what it is called in messages. After
    ``end`` (``is_over``) nothing can be asked any more."""

    side: str
    _why_misnumbered = ""
    _hello_s = _HELLO_S
    _first = "import"
    """What is done when the agent is greeted, in messages."""

    def __init__(self, name: str, limits: Limits, watch: Callable[[], None] | None) -> None:
        self.name, self.limits, self._watch = name, limits, watch
        self._seq = 0
        self.dropped: list[int] = []
        """Handles of states that nobody needs any more: the next question tells."""
        self.holds: tuple[str, ...] = ()
        """What keeps the agent's process away from others, as ``core.confine`` says it."""
        self.is_over = False

    # ----------------------------------------------------------------- what lies between
    @abstractmethod
    def _send(self, message: Mapping[str, Any], until: float) -> None:
        """Raises ``LateError`` and ``ClosedError``."""

    @abstractmethod
    def _receive(self, until: float) -> dict[str, Any]:
        """As ``_send``; a ``WireError`` where there is no message in what came."""

    @abstractmethod
    def _lost(self, when: str, closed: ClosedError) -> Fault:
        """Why the other side is gone."""

    @abstractmethod
    def end(self) -> None:
        """Nothing will be asked any more."""

    @property
    def pid(self) -> int | None:
        """Of the agent's process, where it is one of ours."""
        return None

    @property
    def is_stale(self) -> bool:
        """Whether the other side has closed the connection since it was last asked."""
        return False

    def printed(self) -> str:
        """The end of what the agent printed."""
        return ""

    def forget_printed(self) -> None:
        """From now on ``printed`` is what comes after this."""
        return

    def _share(self, array: Array) -> int | None:
        """Put an array where the other side can read it: where, or None where it must travel."""
        return None

    def _when_late(self) -> None:
        """Called before the connection to an agent is ended that took too long."""
        return

    # --------------------------------------------------------------------------- questions
    def hello(self) -> Declaration:
        """What the agent says of itself. An ``AgentError`` in one line where it cannot be had, a
        ``LostError`` where somebody else may be the cause."""
        try:
            told = self.ask("hello", self._first, self._hello_s, **self._greeting())
        except Fault as fault:
            self._not_loaded(fault)
        if "refusal" in told:
            self.end()
            raise AgentError(" ".join(str(told["refusal"]).split()))
        try:
            if told.get("protocol") != PROTOCOL_VERSION:
                raise CodecError(f"protocol {told.get('protocol')!r}, not {PROTOCOL_VERSION}")
            return self._declaration(told)
        except CodecError as error:
            self.end()
            raise AgentError(f"agent '{self.name}' declares nothing sound: {error}") from None

    def make(self) -> Mapping[str, Any]:
        """Have the agent made: whether it is ``correctable``."""
        return self.ask("make", "constructor", self.limits.setup_s)

    def reset(self, brief: TaskBrief, *, beliefs: bool) -> None:
        told = {"brief": brief_to(brief), "beliefs": beliefs}
        self.ask("reset", "reset", self.limits.setup_s, **told)

    def decide(self, obs: Observation, when: str, number: int) -> Decision:
        """A decision, of which ``as_decision`` has still to say whether it is allowed; a
        ``WireError`` where the answer holds none."""
        told = observation_to(obs, self._share)
        return decision_from(self.ask("act", when, self.limits.step_s, number=number, **told))

    def correct(self, correction: Correction) -> None:
        self.ask("correct", "correction", self.limits.step_s, **correction_to(correction))

    def snapshot(self) -> int:
        """Have a copy of the agent kept: its number."""
        number = self.ask("snapshot", "copy", self.limits.setup_s).get("handle")
        if not isinstance(number, int):
            raise Fault("agent_error", f"copy: its {self.side} gave no handle")
        return number

    def restore(self, handle: int) -> None:
        self.ask("restore", "copy", self.limits.setup_s, handle=handle)

    # ------------------------------------------------------------------------------ asking
    def ask(self, ask: str, when: str, limit_s: float, **told: Any) -> dict[str, Any]:
        """The answer to one question; a ``Fault`` where the agent gives none, or another than it
        should."""
        self._seq += 1
        message: dict[str, Any] = {"ask": ask, "seq": self._seq, **told}
        if self.dropped:
            message["drop"] = [self.dropped.pop() for _ in range(len(self.dropped))]

        def talk(until: float) -> dict[str, Any]:
            self._send(message, until)
            return self._read(self._receive(until))

        return self._in_time(talk, when, limit_s)

    def _in_time(self, talk: Callable[[float], T], when: str, limit_s: float) -> T:
        """What ``talk`` gives, which is called with the time at which it must be over."""
        try:
            return talk(time.monotonic() + limit_s + _GRACE_S)
        except LateError:
            self._when_late()
            self.end()
            what = f"its {when}" if when == self._first else when
            raise Fault("agent_timeout", f"{what} took longer than {limit_s:g} s") from None
        except ClosedError as closed:
            raise self._lost(when, closed) from None
        except WireError as error:
            self.end()
            reason = f"{when}: what its {self.side} sent is no answer: {error}"
            raise Fault("agent_error", reason) from None
        except Fault as fault:
            if fault.status == "memory_limit":
                self.end()
            raise

    def _read(self, reply: Mapping[str, Any]) -> dict[str, Any]:
        if reply.get("seq") != self._seq:
            number = str(reply.get("seq"))[:20]
            raise WireError(f"it has number {number}, not {self._seq}{self._why_misnumbered}")
        fault = reply.get("fault")
        if isinstance(fault, dict):
            text = " ".join(str(fault.get("text", "")).split())[:500]
            if fault.get("full_disk") is True:
                self._when_disk_is_full(text)
            raise Fault(_STATUSES.get(fault.get("status"), "agent_error"), text)
        answer = reply.get("answer")
        if not isinstance(answer, dict):
            raise WireError("it holds neither an answer nor a fault")
        return answer

    def _when_disk_is_full(self, text: str) -> None:
        """Called where the agent says so; may raise what is known better."""
        return

    # -------------------------------------------------------------------------------- hello
    def _greeting(self) -> dict[str, Any]:
        """What goes with the first question."""
        return {"protocol": PROTOCOL_VERSION}

    def _declaration(self, told: Mapping[str, Any]) -> Declaration:
        """Out of the answer to ``hello``; a ``CodecError`` where there is none in it."""
        return Declaration.of_plain(told.get("declares"))

    def _not_loaded(self, fault: Fault) -> NoReturn:
        """Raise what is to be said of an agent that did not answer ``hello``."""
        self.end()
        if isinstance(fault, LostError) and fault.outside:
            raise fault
        raise AgentError(f"agent '{self.name}' could not be loaded: {fault.reason}") from None
