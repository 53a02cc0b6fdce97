"""A worker process: takes one job at a time, runs it, reports every step.

The pipes that it was started with become private at once; whatever an agent (or a C library)
prints goes to the error stream, which the pool keeps apart. A worker lives in its own session, so
that Ctrl-C reaches the pool only, and dies with its parent.
"""

from __future__ import annotations

import contextlib
import faulthandler
import os
import signal
import sys
import time
from collections.abc import Callable
from typing import Any

from navproof.core.errors import NavproofError
from navproof.core.registry import adopt, check_unchanged
from navproof.play.channel import Channel, ClosedError
from navproof.play.messages import (
    Began,
    Done,
    Entered,
    LoadAgents,
    Loaded,
    Ready,
    Setup,
    Stepped,
    Stop,
    Warmed,
    WarmUp,
    Work,
)
from navproof.play.process import mark_as_worker

__all__ = ["EMBEDDED", "main"]

EMBEDDED = "embedded"


def main() -> None:
    """Serve until told to stop, or until the parent is gone."""
    _die_with_parent()
    mark_as_worker()
    channel = _private_channel()
    faulthandler.enable()
    if hasattr(faulthandler, "register"):  # the pool asks a hanging worker where it is
        faulthandler.register(signal.SIGUSR1, all_threads=True, chain=False)
    try:
        _serve(channel)
    except ClosedError:
        pass
    except NavproofError as error:  # the pool tells the last line
        print(error, file=sys.stderr)
    finally:
        with contextlib.suppress(Exception):
            sys.stdout.flush()
        os._exit(0)  # threads that an agent left behind must not keep the process


def _serve(channel: Channel) -> None:
    from navproof.play.warmup import is_warm, warm_up
    from navproof.play.worker import Worker

    setup = channel.receive()
    assert isinstance(setup, Setup)
    adopt(setup.registered)
    check_unchanged(setup.plugins)
    worker = Worker(_simulator(setup.simulator), setup.limits, setup.beliefs, setup.rewriter)
    channel.send(Ready(setup.simulator != EMBEDDED or is_warm()))
    while True:
        match channel.receive():
            case LoadAgents(names):
                refusal = worker.refusal(names)
                channel.send(Loaded(refusal, {} if refusal else worker.abilities(names)))
            case WarmUp():
                began = time.perf_counter()
                warm_up()
                channel.send(Warmed(time.perf_counter() - began))
            case Work(job):
                channel.send(Done(job.run(worker, _Heartbeat(channel))))
            case Stop():
                return


class _Heartbeat:
    """Tells the pool how far an episode has come."""

    def __init__(self, channel: Channel) -> None:
        self._channel = channel

    def phase(self, phase: str) -> None:
        self._channel.send(Entered(phase))

    def begin(self, pose: Any, distance_m: float, facts: Any, events: Any, measured: Any) -> None:
        self._channel.send(Began(pose, distance_m, facts, events, measured))

    def step(self, record: Any) -> None:
        self._channel.send(Stepped(record))


def _simulator(name: str) -> Callable[[], Any]:
    """What makes the simulator; a ``NavproofError`` where there is none of that name."""
    from navproof.sim.registry import SIMULATORS, simulator_name

    return lambda: SIMULATORS.get(simulator_name(name))()


def _private_channel() -> Channel:
    """Move the pipes away from descriptors 0 and 1, which then belong to the agent."""
    incoming = os.fdopen(os.dup(0), "rb")
    outgoing = os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    return Channel(incoming, outgoing)


def _die_with_parent() -> None:
    """Ask Linux to end this process with its parent; elsewhere the closed pipe does, at the next
    message."""
    parent = os.getppid()
    if sys.platform == "linux":
        import ctypes

        with contextlib.suppress(OSError, AttributeError):
            ctypes.CDLL(None, use_errno=True).prctl(1, signal.SIGKILL)
        if os.getppid() != parent:
            os._exit(0)


if __name__ == "__main__":
    main()
