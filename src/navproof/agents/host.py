"""The process of one agent: it imports the agent's code, answers the judge, and knows no judge.

What this process can do to others is limited before anything of the agent's is imported
(``core.confine.shut_in``). Its answers are believed by nobody: they are checked where they arrive.
"""

from __future__ import annotations

import contextlib
import faulthandler
import mmap
import os
import signal
import socket
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from navproof.agents.calls import Fault, in_agent, seed_globals
from navproof.agents.correction import CorrectableAgent
from navproof.agents.load import AgentFactory, load_agent
from navproof.agents.protocol import Agent, SnapshotAgent
from navproof.agents.snapshot import AgentState, GlobalRandom, keep_agent, put_back_agent
from navproof.agents.stream import LONGEST_ANSWER, ClosedError, Stream
from navproof.agents.validate import as_decision
from navproof.agents.wire import (
    PROTOCOL_VERSION,
    WireError,
    brief_from,
    correction_from,
    decision_to,
    observation_from,
    pack,
)
from navproof.core.errors import AgentError, NavproofError, one_line
from navproof.core.registry import Registered, adopt
from navproof.core.role import mark_as_worker
from navproof.core.search_path import put_back
from navproof.core.types import TaskBrief

__all__ = ["main"]

_ROOM = 256  # bytes of a message beside its answer
Answer = Callable[[Mapping[str, Any]], Mapping[str, Any]]


def main(connection: int, memory: int, holds: tuple[str, ...]) -> None:
    """Serve the judge at the other end of the descriptor ``connection`` until it is gone.
    ``holds`` is what ``core.confine.shut_in`` has done."""
    stream = Stream(socket.socket(fileno=_private(connection)))
    shared = mmap.mmap(memory, 0, access=mmap.ACCESS_READ)
    os.close(memory)
    faulthandler.enable()
    if hasattr(faulthandler, "register"):  # the judge asks a hanging agent where it is
        faulthandler.register(signal.SIGUSR1, all_threads=True, chain=False)
    mark_as_worker()
    with contextlib.suppress(AttributeError, OSError, ValueError):  # it may be killed at any time
        sys.stdout.reconfigure(line_buffering=True)  # type: ignore[union-attr]
    stream.send({"holds": list(holds)})  # before any code of the agent's could say so
    put_back()
    host = _Host(shared)
    me = os.getpid()
    with contextlib.suppress(ClosedError):
        while True:
            question = stream.receive()
            if question.get("ask") == "stop":
                break
            message = host.answered(question)
            if os.getpid() != me:  # a copy of this process that the agent made, and let return
                os._exit(0)
            if "fault" in message:  # what it printed is looked at when this has come
                with contextlib.suppress(Exception):
                    sys.stdout.flush()
            stream.send(message)
    with contextlib.suppress(Exception):
        sys.stdout.flush()
    os._exit(0)  # threads that the agent left behind must not keep the process


def _private(connection: int) -> int:
    """Not to be inherited by what the agent starts."""
    os.set_inheritable(connection, False)
    return connection


class _Host:
    """The agent, and what is kept of its past."""

    def __init__(self, shared: mmap.mmap) -> None:
        self._shared = memoryview(shared)
        self._folder = Path.cwd()
        self._name = ""
        self._factory: AgentFactory
        self._agent: Agent
        self._brief: TaskBrief
        self._beliefs = False
        self._states: dict[int, tuple[AgentState, GlobalRandom, TaskBrief]] = {}
        self._last_handle = 0
        self._answers: Mapping[str, Answer] = {
            "hello": self._hello,
            "make": self._make,
            "reset": self._reset,
            "act": self._act,
            "correct": self._correct,
            "snapshot": self._snapshot,
            "restore": self._restore,
        }

    def answered(self, question: Mapping[str, Any]) -> dict[str, Any]:
        """The message that answers a question; whatever the agent raises is in it."""
        for handle in question.get("drop", ()):
            self._states.pop(handle, None)
        try:
            answer = self._answers[question["ask"]]
            return {"seq": question["seq"], "answer": answer(question)}
        except Fault as fault:
            told: dict[str, Any] = {"status": fault.status, "text": _plainly(fault.reason)}
            if fault.full_disk:
                told["full_disk"] = True
            return {"seq": question["seq"], "fault": told}
        except (WireError, KeyError) as error:
            told = {"status": "agent_error", "text": f"the judge was not understood: {error}"}
            return {"seq": question.get("seq", -1), "fault": told}

    # -------------------------------------------------------------------------------- answers
    def _hello(self, question: Mapping[str, Any]) -> dict[str, Any]:
        adopt(Registered(*one) for one in question["registered"])
        self._name = question["agent"]
        told: dict[str, Any] = {"protocol": PROTOCOL_VERSION}
        try:
            self._factory = load_agent(self._name)
        except NavproofError as error:
            return {**told, "refusal": _plainly(str(error))}
        except BaseException as error:  # SystemExit, say
            return {**told, "refusal": _plainly(f"agent '{self._name}': {one_line(error)}")}
        return {**told, "declares": self._factory.declaration.as_plain()}

    def _make(self, question: Mapping[str, Any]) -> dict[str, Any]:
        os.chdir(self._folder)  # the agent before this one may have gone elsewhere
        self._states.clear()
        try:
            self._agent = self._factory()
        except AgentError as error:
            cause = error.__cause__
            if cause is None:
                raise Fault("agent_error", str(error)) from None
            in_agent(_raiser(cause), "constructor")
        except BaseException as error:  # KeyboardInterrupt, say
            in_agent(_raiser(error), "constructor")
        return {
            "correctable": isinstance(self._agent, CorrectableAgent),
            "keeps": isinstance(self._agent, SnapshotAgent),
        }

    def _reset(self, question: Mapping[str, Any]) -> dict[str, Any]:
        os.chdir(self._folder)
        self._brief = brief_from(question["brief"])
        self._beliefs = question["beliefs"]
        seed_globals(self._brief.seed)
        in_agent(lambda: self._agent.reset(self._brief), "reset")
        return {}

    def _act(self, question: Mapping[str, Any]) -> dict[str, Any]:
        observation = observation_from(question, self._at)
        when = f"step {question['number']}"
        value = in_agent(lambda: self._agent.act(observation), when)
        decision = in_agent(lambda: as_decision(value, self._brief), when)
        told = in_agent(lambda: decision_to(decision, beliefs=self._beliefs), when)
        in_agent(lambda: _check_size(told), when)
        return told

    def _correct(self, question: Mapping[str, Any]) -> dict[str, Any]:
        correction = correction_from(question)
        if not isinstance(self._agent, CorrectableAgent):
            raise Fault("agent_error", "the agent cannot be corrected")
        agent = self._agent
        in_agent(lambda: agent.correct(correction), "correction")
        return {}

    def _snapshot(self, question: Mapping[str, Any]) -> dict[str, Any]:
        state = in_agent(lambda: keep_agent(self._agent, (self._brief,)), "copy")
        self._last_handle += 1
        self._states[self._last_handle] = (state, GlobalRandom.keep(), self._brief)
        return {"handle": self._last_handle}

    def _restore(self, question: Mapping[str, Any]) -> dict[str, Any]:
        state, generators, self._brief = self._states[question["handle"]]
        self._agent = in_agent(lambda: put_back_agent(self._agent, state, (self._brief,)), "copy")
        generators.put_back()
        return {}

    def _at(self, offset: int, count: int) -> memoryview:
        return self._shared[offset : offset + count]


def _check_size(told: Mapping[str, Any]) -> None:
    """``AgentError`` where the judge would not take it, and whatever packing it raises."""
    if (length := len(pack(told)) + _ROOM) > LONGEST_ANSWER:
        most = LONGEST_ANSWER >> 20
        raise AgentError(f"the decision takes {length / 2**20:.1f} MiB; at most {most} MiB travel")


def _raiser(error: BaseException) -> Callable[[], None]:
    def raise_it() -> None:
        raise error

    return raise_it


def _plainly(text: str) -> str:
    """Fit for a message: what UTF-8 cannot hold (half a surrogate pair) becomes "?"."""
    return text.encode(errors="replace").decode()
