"""One worker seen from the pool: its process, its pipes, and what it is doing now."""

from __future__ import annotations

import contextlib
import os
import queue
import signal
import subprocess
import threading
import time
from dataclasses import dataclass
from typing import Any, BinaryIO, cast

from navproof.core.blame import blame_dump
from navproof.core.launch import RUN_MARK, environment, judge_command
from navproof.core.tree import end_tree, memory_mb, was_ended_by_others
from navproof.play.channel import Channel, ClosedError
from navproof.play.jobs import PoolJob
from navproof.play.messages import Setup, Stop

__all__ = [
    "Inbox",
    "ReceivedMessage",
    "WorkerExit",
    "WorkerProcess",
]

_TAIL_BYTES = 64 * 1024


class WorkerExit:
    """Follows the last message of a worker whose process has ended."""


@dataclass(frozen=True, slots=True)
class ReceivedMessage:
    """A message with its sender and the time at which it came (``time.monotonic``)."""

    sender: WorkerProcess
    message: Any
    at: float


Inbox = queue.SimpleQueue[ReceivedMessage]


class WorkerProcess:
    """``job``, ``ready`` and the phases belong to the pool."""

    def __init__(self, slot: int, inbox: Inbox, setup: Setup, mark: str) -> None:
        self.slot = slot
        self.job: PoolJob | None = None
        self.ready = False
        self.phase = "starting"
        self.phase_began = self.job_began = time.monotonic()
        self.heard = self.handled = 0  # letters put into the inbox, and taken out of it
        self._inbox = inbox
        self._tail = bytearray()
        ends_with_us, self._lifeline = os.pipe()
        try:
            self._process = subprocess.Popen(
                judge_command(f"from navproof.play.serve import main; main({ends_with_us})"),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env={**environment(os.environ), RUN_MARK: mark},
                pass_fds=(ends_with_us,),
                start_new_session=True,
            )
        finally:
            os.close(ends_with_us)
        process = self._process
        self._channel = Channel(cast("BinaryIO", process.stdout), cast("BinaryIO", process.stdin))
        self._threads = [
            threading.Thread(target=self._listen, daemon=True),
            threading.Thread(target=self._overhear, daemon=True),
        ]
        for thread in self._threads:
            thread.start()
        self.send(setup)

    @property
    def pid(self) -> int:
        return self._process.pid

    def send(self, message: object) -> None:
        """Nothing happens where the worker is gone: its ``WorkerExit`` is on its way."""
        with contextlib.suppress(ClosedError):
            self._channel.send(message)

    def enter(self, phase: str, at: float) -> None:
        self.phase, self.phase_began = phase, at

    def resident_mb(self) -> float:
        """Resident memory in MiB (0 where the system does not tell)."""
        return memory_mb(self.pid, alone=True)

    # --------------------------------------------------------------------------------- the end
    def stop(self) -> None:
        """Ask it to end, then make sure."""
        self.send(Stop())
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(1.0)
        self.kill()

    def kill(self) -> None:
        """End it and everything that it started, now."""
        end_tree(self.pid)
        self._process.wait()
        for thread in self._threads:
            thread.join(1.0)
        for stream in (self._process.stdin, self._process.stdout, self._process.stderr):
            with contextlib.suppress(OSError):
                if stream:
                    stream.close()
        if self._lifeline >= 0:
            os.close(self._lifeline)
            self._lifeline = -1

    def dump_stacks(self) -> None:
        """Have a hanging worker print where it hangs, even inside C code."""
        if hasattr(signal, "SIGUSR1"):
            with contextlib.suppress(OSError):
                os.kill(self.pid, signal.SIGUSR1)
            time.sleep(0.05)

    @property
    def was_killed(self) -> bool:
        """Whether somebody else may have ended the process. Call after ``obituary``."""
        return was_ended_by_others(self._process.poll())

    def obituary(self) -> str:
        """How the process ended, in words. Call after ``WorkerExit``."""
        try:
            code = self._process.wait(5.0)
        except subprocess.TimeoutExpired:
            return "closed its pipes"
        if code >= 0:
            return f"exited with code {code}"
        try:
            name = signal.Signals(-code).name
        except ValueError:
            name = f"signal {-code}"
        hint = "; the system may have run out of memory" if name == "SIGKILL" else ""
        return f"was ended by {name}{blame_dump(bytes(self._tail))}{hint}"

    def last_words(self) -> str:
        """The end of what was printed."""
        return bytes(self._tail).decode(errors="replace")

    # --------------------------------------------------------------------------------- threads
    def _listen(self) -> None:
        while True:
            try:
                message = self._channel.receive()
            except Exception:  # closed, or garbage: either way it is of no more use
                message = WorkerExit()
            self.heard += 1
            self._inbox.put(ReceivedMessage(self, message, time.monotonic()))
            if isinstance(message, WorkerExit):
                return

    def _overhear(self) -> None:
        stream = cast("BinaryIO", self._process.stderr)
        with contextlib.suppress(OSError, ValueError):
            while data := os.read(stream.fileno(), 1 << 16):
                self._tail += data
                del self._tail[:-_TAIL_BYTES]
