"""An agent that does not share this process, as the judge deals with it.

The judge never imports the agent's code, and believes nothing that it says: what comes back is
checked, has the number of the question, and comes in time, or else costs the episode (``Fault``).
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

from navproof.agents.address import is_address, parse_address
from navproof.agents.calls import Fault
from navproof.agents.correction import Correction
from navproof.agents.declaration import Declaration
from navproof.agents.limits import Limits
from navproof.agents.validate import as_decision
from navproof.agents.wire import WireError
from navproof.core.errors import AgentError
from navproof.core.types import Decision, Observation, TaskBrief
from navproof.play.agent_process import AgentProcess
from navproof.play.agent_server import AgentServer, ServerConnection, changed
from navproof.play.connection import AgentConnection, LostError, StateLostError
from navproof.play.jobs import MOST_ATTEMPTS
from navproof.play.policy_server import PolicyServer

__all__ = ["HostedAgent", "LostError", "StateLostError"]

T = TypeVar("T")


class Handle:
    """A state that the agent's side keeps as long as this object is there."""

    __slots__ = ("__weakref__", "brief", "connection", "number")

    def __init__(self, number: int, connection: object, brief: TaskBrief | None) -> None:
        self.number, self.connection, self.brief = number, connection, brief


class HostedAgent:
    """Keeps the contract of ``SnapshotAgent`` and ``CorrectableAgent`` on behalf of the agent's
    process, which is started when it is first needed and anew after it was ended, or of a server,
    which is connected to in the same way. ``beliefs``: whether the agent's are to be told.
    ``watch`` is called now and then while the agent is waited for. ``withheld`` are files and
    folders that the process may not read. ``declared`` is what a server said of itself before, and
    must say again.

    What the agent does wrong is raised as a ``Fault``; after that it has to be reset.
    """

    def __init__(
        self,
        name: str,
        limits: Limits | None = None,
        watch: Callable[[], None] | None = None,
        withheld: Sequence[Path] = (),
        declared: Declaration | None = None,
    ) -> None:
        self.name, self.limits, self._withheld = name, limits or Limits(), tuple(withheld)
        self.beliefs = True
        self._watch = watch
        self._connection: AgentConnection | None = None
        self._made: Mapping[str, Any] | None = None
        self._brief: TaskBrief | None = None
        self._is_served = is_address(name)
        self._declaration = declared if self._is_served else None
        self._patience_s = self.limits.setup_s

    # ----------------------------------------------------------------------- before an episode
    @property
    def declaration(self) -> Declaration:
        """What the agent's class says of itself. An ``AgentError`` in one line where it cannot be
        loaded, or is kept from it again and again."""
        for attempt in range(1, MOST_ATTEMPTS + 1):
            if self._declaration is not None:
                break
            try:
                self._running()
            except LostError as lost:
                if attempt == MOST_ATTEMPTS:
                    what = f"agent '{self.name}' could not be loaded"
                    raise AgentError(f"{what} in {attempt} attempts: {lost.reason}") from None
        assert self._declaration is not None
        return self._declaration

    def greet(self) -> None:
        """Be connected now, to an agent that is what it was: an ``AgentError`` where that is not
        possible."""
        known, self._declaration = self._declaration, None
        try:
            self._running()
            if known is not None and self._declaration not in (None, known):
                assert self._declaration is not None
                reason = changed(known, self._declaration)
                self.close()
                raise AgentError(f"agent '{self.name}': {reason}")
        except LostError as lost:
            raise AgentError(f"agent '{self.name}': {lost.reason}") from None
        finally:
            self._declaration = known or self._declaration

    @property
    def holds(self) -> tuple[str, ...]:
        """What keeps the process away from others, as ``core.confine`` says it."""
        return self._running().holds

    @property
    def sensors(self) -> tuple[str, ...] | None:
        return self.declaration.sensors

    def make(self) -> None:
        """Have the agent made, unless it is there."""
        connection = self._running()
        if self._made is None:
            try:
                self._made = connection.make()
            except Fault:
                self._close_if_over()
                raise

    @property
    def is_correctable(self) -> bool:
        """Whether perception and memory can be corrected in this agent. It must have been made."""
        return bool(self._made and self._made.get("correctable"))

    @property
    def pid(self) -> int | None:
        """Of the process, where there is one."""
        return self._connection.pid if self._connection else None

    def printed(self) -> str:
        """The end of what was printed since the last ``reset``, or before the process was ended."""
        return self._connection.printed() if self._connection else self._last_printed

    _last_printed = ""

    # --------------------------------------------------------------------------- in an episode
    def reset(self, brief: TaskBrief) -> None:
        """Tell of a new episode."""
        if self._connection is not None and self._connection.is_stale:
            self.close()
        self._running().forget_printed()
        self.make()
        self._brief = brief
        self._asked("reset", lambda there: there.reset(brief, beliefs=self.beliefs))

    def act(self, obs: Observation) -> Decision:
        """What the agent decides, checked."""
        return self.decide(obs, f"step {obs.step}", obs.step)

    def decide(self, obs: Observation, when: str, number: int) -> Decision:
        """As ``act``; ``when`` is how a fault tells of the moment."""
        assert self._brief is not None
        try:
            decision = self._asked(when, lambda there: there.decide(obs, when, number))
        except WireError as error:
            raise self._garbled(when, error) from None
        try:
            return as_decision(decision, self._brief)
        except AgentError as error:
            raise self._garbled(when, error) from None

    def correct(self, correction: Correction) -> None:
        """See ``CorrectableAgent``."""
        self._asked("correction", lambda there: there.correct(correction))

    # ------------------------------------------------------------------------------ going back
    def snapshot(self) -> Handle:
        """The agent as it is now; ``StateLostError`` where it cannot be copied."""
        connection = self._running()
        try:
            number = connection.snapshot()
        except Fault as fault:
            self._close_if_over()
            raise StateLostError(fault.reason) from None
        handle = Handle(number, connection, self._brief)
        weakref.finalize(handle, connection.dropped.append, number)
        return handle

    def restore(self, snapshot: object) -> None:
        """Be at a state again, as often as wanted; ``StateLostError`` where it is gone."""
        assert isinstance(snapshot, Handle)
        if snapshot.connection is not self._connection:
            raise StateLostError("what kept the state is gone")
        self._asked("copy", lambda there: there.restore(snapshot.number))
        self._brief = snapshot.brief

    # ---------------------------------------------------------------------------------- inside
    def forget(self) -> None:
        """Have the agent made anew next time, in the same process where that is sound."""
        self._made = None

    def close(self) -> None:
        """End the process and all that it started."""
        if self._connection is not None:
            self._connection.end()
            self._last_printed = self._connection.printed()
        self._connection = self._made = None

    def _running(self) -> AgentConnection:
        """The connection, made and greeted; ``LostError`` where somebody else is the cause that it
        is not to be had, ``AgentError`` where the agent cannot be loaded."""
        if self._connection is None:
            connection = self._connected()
            weakref.finalize(self, connection.end)
            self._connection = connection
            try:
                self._declaration = self._greeted(connection)
            except BaseException:
                self.close()
                raise
        return self._connection

    def _greeted(self, connection: AgentConnection) -> Declaration:
        """What the agent says of itself. A server that answered before and does not now, or is
        another one, is not what the run is about: that is nobody's failure."""
        known = self._declaration if self._is_served else None
        try:
            declared = connection.hello()
        except AgentError as error:
            if known is None:
                raise
            raise LostError(str(error), outside=True, evident=True) from None
        if known is not None and declared != known:
            raise LostError(changed(known, declared), outside=True, evident=True)
        return declared

    def _connected(self) -> AgentConnection:
        """A new connection. A server that has answered before and is away is waited for, once: as
        long as an agent may take to be made."""
        if not self._is_served:
            return AgentProcess(self.name, self.limits, self._watch, self._withheld)
        is_known, patience_s = self._declaration is not None, self._patience_s
        self._patience_s = 0.0
        kind: type[ServerConnection] = AgentServer
        if parse_address(self.name).map is not None:
            kind = PolicyServer
        connection = kind(
            self.name, self.limits, self._watch, is_known=is_known, patience_s=patience_s
        )
        self._patience_s = self.limits.setup_s
        return connection

    def _asked(self, when: str, question: Callable[[AgentConnection], T]) -> T:
        connection = self._running()
        if self._made is None:
            raise LostError(f"{when}: the agent's process was ended", outside=False)
        try:
            return question(connection)
        except Fault:
            self._close_if_over()
            raise

    def _garbled(self, when: str, error: Exception) -> Fault:
        self.close()
        return Fault("agent_error", f"{when}: {error}")

    def _close_if_over(self) -> None:
        if self._connection is not None and self._connection.is_over:
            self.close()
