"""An agent in a process of its own, as the judge deals with it.

The judge never imports the agent's code, and believes nothing that it says: what comes back is
checked, has the number of the question, and comes in time, or else costs the episode (``Fault``).
Observations lie in memory that the process may read and only the judge writes.
"""

from __future__ import annotations

import contextlib
import json
import mmap
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import weakref
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, BinaryIO, cast

import numpy as np

from navproof.agents.calls import Fault
from navproof.agents.correction import Correction
from navproof.agents.declaration import Declaration
from navproof.agents.limits import Limits
from navproof.agents.stream import ClosedError, LateError, Stream
from navproof.agents.validate import as_decision
from navproof.agents.wire import (
    PROTOCOL_VERSION,
    Array,
    WireError,
    brief_to,
    correction_to,
    decision_from,
    observation_to,
)
from navproof.core.blame import blame_dump
from navproof.core.codec import CodecError
from navproof.core.confine import WITHHELD_VARIABLE
from navproof.core.errors import AgentError, SpecError
from navproof.core.registry import registered_here
from navproof.core.tree import end_tree, memory_mb, was_ended_by_others
from navproof.core.types import Decision, Observation, TaskBrief
from navproof.play.jobs import MOST_ATTEMPTS
from navproof.play.launch import AGENT_MARK, command, environment

__all__ = ["HostedAgent", "LostError", "StateLostError"]

_CAPACITY = 1 << 28  # bytes of address space; only what is written takes memory
_INLINE = 4096  # smaller arrays travel in the message
_ALIGNED = 64
_GRACE_S = 0.25  # so that a call that returns just in time is not ended on its way
_HELLO_S = 300.0
_TREE_S = 1.0  # between two looks at all that the agent has started
_IMPORT_MB = 2048.0  # at least so much may be used while the agent's code is imported
_TAIL_BYTES = 64 * 1024
_FULL_BYTES = 1 << 20


class LostError(Fault):
    """The process of the agent is gone. ``outside``: it may have been ended by somebody else;
    ``evident``: that it was is seen from outside it, too."""

    def __init__(self, reason: str, *, outside: bool, evident: bool = False) -> None:
        super().__init__("agent_died", reason)
        self.outside, self.evident = outside, evident


class StateLostError(Exception):
    """A state of the agent is not there (any more): its process is another, or the agent cannot be
    copied."""


class Handle:
    """A state that the agent's process keeps as long as this object is there."""

    __slots__ = ("__weakref__", "brief", "number", "process")

    def __init__(self, number: int, process: object, brief: TaskBrief | None) -> None:
        self.number, self.process, self.brief = number, process, brief


class HostedAgent:
    """Keeps the contract of ``SnapshotAgent`` and ``CorrectableAgent`` on behalf of the process,
    which is started when it is first needed and anew after it was ended. ``beliefs``: whether the
    agent's are to be told. ``watch`` is called now and then while the agent is waited for.
    ``withheld`` are files and folders that the process may not read.

    What the agent does wrong is raised as a ``Fault``; after that it has to be reset.
    """

    def __init__(
        self,
        name: str,
        limits: Limits | None = None,
        watch: Callable[[], None] | None = None,
        withheld: Sequence[Path] = (),
    ) -> None:
        self.name, self.limits, self._withheld = name, limits or Limits(), tuple(withheld)
        self.beliefs = True
        self._watch = watch
        self._process: _Process | None = None
        self._made: Mapping[str, Any] | None = None
        self._brief: TaskBrief | None = None
        self._declaration: Declaration | None = None

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

    @property
    def holds(self) -> tuple[str, ...]:
        """What keeps the process away from others, as ``core.confine`` says it."""
        return self._running().holds or ()

    @property
    def sensors(self) -> tuple[str, ...] | None:
        return self.declaration.sensors

    def make(self) -> None:
        """Have the agent made, unless it is there."""
        process = self._running()
        if self._made is None:
            try:
                self._made = process.ask("make", "constructor", self.limits.setup_s)
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
        return self._process.pid if self._process else None

    def printed(self) -> str:
        """The end of what was printed since the last ``reset``, or before the process was ended."""
        return self._process.printed() if self._process else self._last_printed

    _last_printed = ""

    # --------------------------------------------------------------------------- in an episode
    def reset(self, brief: TaskBrief) -> None:
        """Tell of a new episode."""
        self._running().forget_printed()
        self.make()
        self._brief = brief
        told = {"brief": brief_to(brief), "beliefs": self.beliefs}
        self._asks("reset", "reset", self.limits.setup_s, **told)

    def act(self, obs: Observation) -> Decision:
        """What the agent decides, checked."""
        return self.decide(obs, f"step {obs.step}", obs.step)

    def decide(self, obs: Observation, when: str, number: int) -> Decision:
        """As ``act``; ``when`` is how a fault tells of the moment."""
        assert self._brief is not None
        process = self._running()
        told = observation_to(obs, process.share)
        process.shared = 0
        answer = self._asks("act", when, self.limits.step_s, number=number, **told)
        try:
            return as_decision(decision_from(answer), self._brief)
        except (WireError, AgentError) as error:
            raise self._garbled(when, error) from None

    def correct(self, correction: Correction) -> None:
        """See ``CorrectableAgent``."""
        self._asks("correct", "correction", self.limits.step_s, **correction_to(correction))

    # ------------------------------------------------------------------------------ going back
    def snapshot(self) -> Handle:
        """The agent as it is now; ``StateLostError`` where it cannot be copied."""
        process = self._running()
        try:
            number = process.copied(self.limits.setup_s)
        except Fault as fault:
            self._close_if_over()
            raise StateLostError(fault.reason) from None
        handle = Handle(number, process, self._brief)
        weakref.finalize(handle, process.dropped.append, number)
        return handle

    def restore(self, snapshot: object) -> None:
        """Be at a state again, as often as wanted; ``StateLostError`` where it is gone."""
        assert isinstance(snapshot, Handle)
        if snapshot.process is not self._process:
            raise StateLostError("the process that kept the state is gone")
        self._asks("restore", "copy", self.limits.setup_s, handle=snapshot.number)
        self._brief = snapshot.brief

    # ---------------------------------------------------------------------------------- inside
    def forget(self) -> None:
        """Have the agent made anew next time, in the same process where that is sound."""
        self._made = None

    def close(self) -> None:
        """End the process and all that it started."""
        if self._process is not None:
            self._process.end()
            self._last_printed = self._process.printed()
        self._process = self._made = None

    def _running(self) -> _Process:
        """The process, started and greeted; ``LostError`` where somebody else ended it meanwhile,
        ``AgentError`` where it cannot load the agent."""
        if self._process is None:
            self._process = _Process(self.name, self.limits, self._watch, self._withheld)
            weakref.finalize(self, self._process.end)
            try:
                told = self._process.ask("hello", "import", _HELLO_S, **self._process.greeting())
            except Fault as fault:
                words = self._process.printed().strip().splitlines()
                self.close()
                if isinstance(fault, LostError) and fault.outside:
                    raise
                what = words[-1] if words and fault.status == "agent_died" else fault.reason
                raise AgentError(f"agent '{self.name}' could not be loaded: {what}") from None
            if "refusal" in told:
                self.close()
                raise AgentError(str(told["refusal"]))
            try:
                if told.get("protocol") != PROTOCOL_VERSION:
                    raise CodecError(f"protocol {told.get('protocol')!r}")
                self._declaration = Declaration.of_plain(told.get("declares"))
            except CodecError as error:
                self.close()
                raise AgentError(f"agent '{self.name}' declares nothing sound: {error}") from None
            self._process.refuse_small_limit()
        return self._process

    def _asks(self, ask: str, when: str, limit_s: float, **told: Any) -> dict[str, Any]:
        process = self._running()
        if self._made is None:
            raise LostError(f"{when}: the agent's process was ended", outside=False)
        try:
            return process.ask(ask, when, limit_s, **told)
        except Fault:
            self._close_if_over()
            raise

    def _close_if_over(self) -> None:
        if self._process is not None and self._process.is_over:
            self.close()

    def _garbled(self, when: str, error: Exception) -> Fault:
        self.close()
        return Fault("agent_error", f"{when}: {error}")


class _Process:
    """One process, and the connection to it."""

    def __init__(
        self,
        name: str,
        limits: Limits,
        watch: Callable[[], None] | None,
        withheld: Sequence[Path],
    ) -> None:
        self.name, self._limits, self._further = name, limits, watch
        ours, theirs = socket.socketpair()
        memory = _unnamed_memory()
        reading = _for_reading(memory)
        self._map = mmap.mmap(memory, _CAPACITY)
        self._bytes = np.frombuffer(self._map, dtype=np.uint8)
        os.close(memory)
        self._tail = bytearray()
        self._oom_kills = _oom_kills()
        try:
            self._process = subprocess.Popen(
                command(
                    "from navproof.core.confine import shut_in; "
                    f"holds = shut_in({os.getpid()}); "
                    "from navproof.agents.host import main; "
                    f"main({theirs.fileno()}, {reading}, holds)"
                ),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                env={
                    **environment(os.environ),
                    AGENT_MARK: "1",
                    WITHHELD_VARIABLE: json.dumps([str(path) for path in withheld]),
                },
                pass_fds=(theirs.fileno(), reading),
                start_new_session=True,
            )
        finally:
            theirs.close()
            os.close(reading)
        self._listener = threading.Thread(target=self._overhear, daemon=True)
        self._listener.start()
        self._stream = Stream(ours, self._look)
        self._seq = 0
        self._has_greeted = False
        self._allowed_mb = 0.0
        self._next_tree = time.monotonic() + _TREE_S
        self.shared = 0
        self.holds: tuple[str, ...] | None = None
        self.dropped: list[int] = []
        self.is_over = False

    @property
    def pid(self) -> int:
        return self._process.pid

    def greeting(self) -> dict[str, Any]:
        registered = [[r.defined_in, r.kind, r.name, r.source] for r in registered_here()]
        return {"protocol": PROTOCOL_VERSION, "agent": self.name, "registered": registered}

    def share(self, array: Array) -> int | None:
        """Put an array where the process can read it."""
        end = self.shared + array.nbytes
        if array.nbytes < _INLINE or end > _CAPACITY:
            return None
        offset = self.shared
        self._bytes[offset:end] = array.reshape(-1).view(np.uint8)
        self.shared = -(-end // _ALIGNED) * _ALIGNED
        return offset

    # --------------------------------------------------------------------------------- asking
    def ask(self, ask: str, when: str, limit_s: float, **told: Any) -> dict[str, Any]:
        """The answer; a ``Fault`` where the agent gives none, or another than it should."""
        self._seq += 1
        message = {"ask": ask, "seq": self._seq, **told}
        if self.dropped:
            message["drop"] = [self.dropped.pop() for _ in range(len(self.dropped))]
        until = time.monotonic() + limit_s + _GRACE_S
        try:
            self._stream.send(message, until)
            self._measure()  # of what came before, while the agent is at it
            if self.holds is None:
                first = self._stream.receive(until)
                self.holds = tuple(map(str, first.get("holds", ())))
            reply = self._stream.receive(until)
            return self._read(reply, when)
        except LateError:
            self._ask_where()
            self.end()
            what = when if when != "import" else "its import"
            raise Fault("agent_timeout", f"{what} took longer than {limit_s:g} s") from None
        except ClosedError:
            raise self._lost(when) from None
        except WireError as error:
            self.end()
            reason = f"{when}: what its process sent is no answer: {error}"
            raise Fault("agent_error", reason) from None
        except Fault as fault:
            if fault.status == "memory_limit":
                self.end()
            raise

    def _read(self, reply: Mapping[str, Any], when: str) -> dict[str, Any]:
        if reply.get("seq") != self._seq:
            raise WireError(
                f"it has number {str(reply.get('seq'))[:20]}, not {self._seq}"
                " (did the agent fork, and let the copy return?)"
            )
        fault = reply.get("fault")
        if isinstance(fault, dict):
            text = " ".join(str(fault.get("text", "")).split())[:500]
            status = "memory_limit" if fault.get("status") == "memory_limit" else "agent_error"
            if fault.get("full_disk") is True and _a_disk_is_full():
                raise LostError(f"{text} (a disk is full)", outside=True, evident=True)
            raise Fault(status, text)  # type: ignore[arg-type]
        answer = reply.get("answer")
        if not isinstance(answer, dict):
            raise WireError("it holds neither an answer nor a fault")
        return answer

    def copied(self, limit_s: float) -> int:
        """Have a copy of the agent kept: its number. What copies take is not counted as the
        agent's own memory."""
        before = memory_mb(self.pid)
        number = self.ask("snapshot", "copy", limit_s).get("handle")
        if not isinstance(number, int):
            raise Fault("agent_error", "copy: its process gave no handle")
        self._allowed_mb += max(0.0, memory_mb(self.pid) - before)
        return number

    # -------------------------------------------------------------------------------- watching
    def refuse_small_limit(self) -> None:
        self._has_greeted = True
        size, limit = memory_mb(self.pid), self._limits.memory_mb
        if size > limit:
            self.end()
            raise SpecError(
                f"a memory limit of {limit:g} MB is less than the {size:.0f} MB that the process of"
                f" agent '{self.name}' needs before the agent is made"
            )

    def _look(self) -> None:
        self._measure()
        if self._further is not None:
            self._further()

    def _measure(self) -> None:
        """``Fault`` where the agent has taken too much memory."""
        limit = self._limits.memory_mb
        if not self._has_greeted:  # refuse_small_limit says more
            limit = max(limit, _IMPORT_MB)
        now = time.monotonic()
        allowed = limit + self._allowed_mb
        with_children = now >= self._next_tree
        if with_children:
            self._next_tree = now + _TREE_S
        used = memory_mb(self.pid, allowed, alone=not with_children)
        if used > allowed:
            raise Fault("memory_limit", f"used more than {limit:g} MB of memory")

    def _ask_where(self) -> None:
        """Have a process that hangs print where it does, even inside C code."""
        if hasattr(signal, "SIGUSR1"):
            with contextlib.suppress(OSError):
                os.kill(self.pid, signal.SIGUSR1)
            time.sleep(0.05)

    # --------------------------------------------------------------------------------- the end
    def end(self) -> None:
        """Kill it with all that it started."""
        if self.is_over:
            return
        self.is_over = True
        end_tree(self.pid)
        self._process.wait()
        self._listener.join(1.0)
        self._stream.close()
        with contextlib.suppress(OSError):
            cast("BinaryIO", self._process.stdout).close()

    def _lost(self, when: str) -> LostError:
        """What ended the process, told when it is found gone."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(1.0)
        code = self._process.poll()
        self.end()
        if code is None:
            return LostError(f"{when}: the agent's process closed its connection", outside=False)
        if code >= 0:
            return LostError(f"{when}: the agent's process exited with code {code}", outside=False)
        try:
            name = signal.Signals(-code).name
        except ValueError:
            name = f"signal {-code}"
        where = blame_dump(bytes(self._tail))
        killed = name == "SIGKILL" and _oom_kills() > self._oom_kills
        hint = " (the system ran out of memory)" if killed else ""
        return LostError(
            f"{when}: the agent's process was ended by {name}{where}{hint}",
            outside=was_ended_by_others(code),
            evident=killed,
        )

    # --------------------------------------------------------------------------------- printed
    def printed(self) -> str:
        return bytes(self._tail).decode(errors="replace")

    def forget_printed(self) -> None:
        self._tail.clear()

    def _overhear(self) -> None:
        stream = cast("BinaryIO", self._process.stdout)
        with contextlib.suppress(OSError, ValueError):
            while data := os.read(stream.fileno(), 1 << 16):
                self._tail += data
                del self._tail[:-_TAIL_BYTES]


def _unnamed_memory() -> int:
    """A descriptor of memory without a name: nothing is left of it, however its holders end."""
    if sys.platform == "linux":
        import fcntl

        handle = os.memfd_create("observations", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
        os.ftruncate(handle, _CAPACITY)
        fcntl.fcntl(handle, fcntl.F_ADD_SEALS, fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_GROW)
        return handle
    with tempfile.TemporaryFile() as file:
        file.truncate(_CAPACITY)
        return os.dup(file.fileno())


def _for_reading(memory: int) -> int:
    """The same memory, not to be written through this descriptor where the system has that."""
    with contextlib.suppress(OSError):
        return os.open(f"/proc/self/fd/{memory}", os.O_RDONLY | os.O_CLOEXEC)
    return os.dup(memory)


def _oom_kills() -> int:
    """How often the system's memory killer has struck, as far as it tells."""
    count = 0
    for source in ("/proc/vmstat", *_cgroup_events()):
        with contextlib.suppress(OSError, ValueError):
            for line in Path(source).read_text().splitlines():
                name, _, number = line.partition(" ")
                if name == "oom_kill":
                    count += int(number)
    return count


def _cgroup_events() -> list[str]:
    """The file in which the cgroup of this process counts what its memory killer does."""
    with contextlib.suppress(OSError):
        for line in Path("/proc/self/cgroup").read_text().splitlines():
            _, controllers, path = line.split(":", 2)
            if not controllers:
                return [f"/sys/fs/cgroup{path}/memory.events"]
            if "memory" in controllers.split(","):
                return [f"/sys/fs/cgroup/memory{path}/memory.oom_control"]
    return []


def _a_disk_is_full() -> bool:
    """Whether there is no room where a program would usually write."""
    for place in (Path.cwd(), Path(tempfile.gettempdir()), Path.home()):
        with contextlib.suppress(OSError):
            if shutil.disk_usage(place).free < _FULL_BYTES:
                return True
    return False
