"""One worker seen from the pool: its process, its pipes, and what it is doing now."""

from __future__ import annotations

import contextlib
import json
import os
import queue
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, cast

from navproof.core.blame import blame_dump
from navproof.core.errors import RunError
from navproof.core.registry import MAIN_PART, keep_files
from navproof.play.channel import Channel, ClosedError
from navproof.play.jobs import PoolJob
from navproof.play.messages import Setup, Stop
from navproof.play.record import Recorder

__all__ = [
    "Inbox",
    "ReceivedMessage",
    "WorkerExit",
    "WorkerProcess",
    "mark_as_worker",
    "refuse_in_worker",
]

_TAIL_BYTES = 64 * 1024
_PAGE = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096
_ONE_THREAD = (
    "OMP_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "MKL_NUM_THREADS",
    "NUMBA_NUM_THREADS",
    "OPENCV_FOR_THREADS_NUM",
)
_LAUNCH = (
    "import json, sys; sys.path[:] = json.loads(sys.argv[1]); "
    "from navproof.play.serve import main; main()"
)


_is_worker = False


def mark_as_worker() -> None:
    """Say that this process is a worker."""
    global _is_worker
    _is_worker = True
    keep_files()


def refuse_in_worker() -> None:
    """Raise in a worker: a script that starts a run when a worker imports it would start workers
    without end."""
    if _is_worker:
        raise RunError(f"it starts a run when it is imported; put that part under {MAIN_PART}")


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
    """``job``, ``recorder`` and ``deadlines`` belong to the pool."""

    def __init__(self, slot: int, inbox: Inbox, setup: Setup) -> None:
        self.slot = slot
        self.job: PoolJob | None = None
        self.recorder: Recorder | None = None
        self.ready = False
        self.phase = "starting"
        self.phase_began = self.job_began = time.monotonic()
        self.heard = self.handled = 0  # letters put into the inbox, and taken out of it
        self._inbox = inbox
        self._tail = bytearray()
        self._process = subprocess.Popen(
            [sys.executable, "-c", _LAUNCH, json.dumps(_search_path())],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=_environment(os.environ),
            start_new_session=True,
        )
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
        try:
            pages = Path(f"/proc/{self.pid}/statm").read_text().split()[1]
        except (OSError, IndexError):
            return 0.0
        return int(pages) * _PAGE / 2**20

    # --------------------------------------------------------------------------------- the end
    def stop(self) -> None:
        """Ask it to end, then make sure."""
        self.send(Stop())
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(1.0)
        self.kill()

    def kill(self) -> None:
        """End it and everything that it started, now."""
        with contextlib.suppress(OSError):
            if hasattr(os, "killpg"):
                os.killpg(self.pid, signal.SIGKILL)
            else:
                self._process.kill()
        self._process.wait()
        for thread in self._threads:
            thread.join(1.0)
        for stream in (self._process.stdin, self._process.stdout, self._process.stderr):
            with contextlib.suppress(OSError):
                if stream:
                    stream.close()

    def dump_stacks(self) -> None:
        """Have a hanging worker print where it hangs, even inside C code."""
        if hasattr(signal, "SIGUSR1"):
            with contextlib.suppress(OSError):
                os.kill(self.pid, signal.SIGUSR1)
            time.sleep(0.05)

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

    def forget_words(self) -> None:
        self._tail.clear()

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


def _search_path() -> list[str]:
    """The parent's, with the working folder spelled out."""
    return [str(Path.cwd()) if entry == "" else entry for entry in sys.path]


def _environment(parent: Mapping[str, str]) -> dict[str, str]:
    """One thread per worker unless the user says otherwise; a fixed hash seed, so that an agent
    that iterates over a set does so in the same order everywhere."""
    environment = dict.fromkeys(_ONE_THREAD, "1") | dict(parent)
    environment["PYTHONHASHSEED"] = "0"
    return environment
