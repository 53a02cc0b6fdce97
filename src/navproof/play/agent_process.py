"""An agent in a process of its own on this machine.

The judge never imports the agent's code. Observations lie in memory that the process may read and
only the judge writes.
"""

from __future__ import annotations

import contextlib
import json
import mmap
import os
import select
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, BinaryIO, NoReturn, cast

import numpy as np

from navproof.agents.address import TOKEN_VARIABLE
from navproof.agents.calls import Fault
from navproof.agents.declaration import Declaration
from navproof.agents.limits import Limits
from navproof.agents.stream import LONGEST_ANSWER, ClosedError, Stream
from navproof.agents.wire import Array
from navproof.core.blame import blame_dump
from navproof.core.confine import WITHHELD_VARIABLE
from navproof.core.errors import AgentError, SpecError
from navproof.core.launch import agent_command, environment
from navproof.core.registry import registered_here
from navproof.core.tree import end_tree, memory_mb, was_ended_by_others
from navproof.core.types import Decision, Observation
from navproof.play.connection import AgentConnection, LostError

__all__ = ["AgentProcess"]

_CAPACITY = 1 << 28  # bytes of address space; only what is written takes memory
_INLINE = 4096  # smaller arrays travel in the message
_ALIGNED = 64
_TREE_S = 1.0  # between two looks at all that the agent has started
_IMPORT_MB = 2048.0  # at least so much may be used while the agent's code is imported
_TAIL_BYTES = 64 * 1024
_FULL_BYTES = 1 << 20
_LISTEN_S, _READ_S = 0.5, 0.001


class AgentProcess(AgentConnection):
    """One process, and the connection to it. ``withheld`` are files and folders that it may not
    read."""

    side = "process"
    _why_misnumbered = " (did the agent fork, and let the copy return?)"

    def __init__(
        self,
        name: str,
        limits: Limits,
        watch: Callable[[], None] | None,
        withheld: Sequence[Path],
    ) -> None:
        super().__init__(name, limits, watch)
        ours, theirs = socket.socketpair()
        memory = _unnamed_memory()
        reading = _for_reading(memory)
        self._map = mmap.mmap(memory, _CAPACITY)
        self._bytes = np.frombuffer(self._map, dtype=np.uint8)
        self._used = 0  # of the memory, by the observation that is being told
        os.close(memory)
        self._tail = bytearray()
        self._oom_kills = _oom_kills()
        surroundings = environment(os.environ)
        surroundings.pop(TOKEN_VARIABLE, None)
        try:
            self._process = subprocess.Popen(
                agent_command(
                    f"from navproof.core.confine import shut_in; holds = shut_in({os.getpid()})",
                    "from navproof.agents.host import main; "
                    f"main({theirs.fileno()}, {reading}, holds)",
                ),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                env={
                    **surroundings,
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
        self._stream = Stream(ours, self._look, LONGEST_ANSWER)
        self._has_said_what_holds = self._has_greeted = False
        self._allowed_mb = self._most_mb = 0.0
        self._next_tree = time.monotonic() + _TREE_S

    @property
    def pid(self) -> int:
        return self._process.pid

    # ----------------------------------------------------------------------------- asking
    def hello(self) -> Declaration:
        declared = super().hello()
        self._refuse_small_limit()
        return declared

    def decide(self, obs: Observation, when: str, number: int) -> Decision:
        self._used = 0
        return super().decide(obs, when, number)

    def snapshot(self) -> int:
        """What copies take is not counted as the agent's own memory."""
        before = memory_mb(self.pid)
        number = super().snapshot()
        self._allowed_mb += max(0.0, memory_mb(self.pid) - before)
        return number

    def _send(self, message: Mapping[str, Any], until: float) -> None:
        self._stream.send(message, until)
        self._measure()  # of what came before, while the agent is at it

    def _receive(self, until: float) -> dict[str, Any]:
        if not self._has_said_what_holds:
            first = self._stream.receive(until)
            self.holds = tuple(map(str, first.get("holds", ())))
            self._has_said_what_holds = True
        return self._stream.receive(until)

    def _share(self, array: Array) -> int | None:
        end = self._used + array.nbytes
        if array.nbytes < _INLINE or end > _CAPACITY:
            return None
        offset = self._used
        self._bytes[offset:end] = array.reshape(-1).view(np.uint8)
        self._used = -(-end // _ALIGNED) * _ALIGNED
        return offset

    def _greeting(self) -> dict[str, Any]:
        registered = [[r.defined_in, r.kind, r.name, r.source] for r in registered_here()]
        return {**super()._greeting(), "agent": self.name, "registered": registered}

    def _not_loaded(self, fault: Fault) -> NoReturn:
        words = self.printed().strip().splitlines()
        if isinstance(fault, LostError) and not fault.outside and words:
            self.end()
            raise AgentError(f"agent '{self.name}' could not be loaded: {words[-1]}") from None
        super()._not_loaded(fault)

    def _when_disk_is_full(self, text: str) -> None:
        if _a_disk_is_full():
            raise LostError(f"{text} (a disk is full)", outside=True, evident=True)

    # -------------------------------------------------------------------------------- watching
    def _refuse_small_limit(self) -> None:
        self._has_greeted = True
        size, limit = memory_mb(self.pid), self.limits.memory_mb
        if size > limit:
            self.end()
            raise SpecError(
                f"a memory limit of {limit:g} MB is less than the {size:.0f} MB that the process of"
                f" agent '{self.name}' needs before the agent is made"
            )

    def _look(self) -> None:
        self._measure()
        if self._watch is not None:
            self._watch()

    def _measure(self) -> None:
        """``Fault`` where the agent has taken too much memory."""
        limit = self.limits.memory_mb
        if not self._has_greeted:  # refuse_small_limit says more
            limit = max(limit, _IMPORT_MB)
        now = time.monotonic()
        allowed = limit + self._allowed_mb
        with_children = now >= self._next_tree
        if with_children:
            self._next_tree = now + _TREE_S
        used = memory_mb(self.pid, allowed, alone=not with_children)
        self._most_mb = max(self._most_mb, used)
        if used > allowed:
            raise Fault("memory_limit", f"used more than {limit:g} MB of memory")

    def _when_late(self) -> None:
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

    def _lost(self, when: str, closed: ClosedError) -> Fault:
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
        within = self._most_mb <= self.limits.memory_mb + self._allowed_mb
        hint = " (the system ran out of memory)" if killed else ""
        return LostError(
            f"{when}: the agent's process was ended by {name}{where}{hint}",
            outside=was_ended_by_others(code),
            evident=killed and within,
        )

    # --------------------------------------------------------------------------------- printed
    def printed(self) -> str:
        self._listen_out()
        return bytes(self._tail).decode(errors="replace")

    def _listen_out(self) -> None:
        """What the agent printed before its last answer is in the pipe: wait until it is read."""
        until = time.monotonic() + _LISTEN_S
        with contextlib.suppress(OSError, ValueError):
            pipe = cast("BinaryIO", self._process.stdout).fileno()
            poll = select.poll()
            poll.register(pipe, select.POLLIN)
            while poll.poll(0) and self._listener.is_alive() and time.monotonic() < until:
                time.sleep(_READ_S)
            time.sleep(_READ_S)  # from being read to being kept

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
    chosen = [Path(os.environ[name]) for name in ("TMPDIR", "TEMP", "TMP") if os.environ.get(name)]
    # What is full, gettempdir() passes over.
    for place in (Path.cwd(), *chosen, Path(tempfile.gettempdir()), Path.home()):
        with contextlib.suppress(OSError):
            if shutil.disk_usage(place).free < _FULL_BYTES:
                return True
    return False
