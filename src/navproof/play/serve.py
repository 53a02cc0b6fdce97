"""A worker process: takes one job at a time, runs it, and says now and then that it is not stuck.

The pipes that it was started with become private at once; whatever a simulator (or an agent in
this process) prints goes to the error stream, which the pool keeps apart. A worker lives in its
own session, so that Ctrl-C reaches the pool only. When its pool is gone, it ends all that it
started, and itself.
"""

from __future__ import annotations

import contextlib
import faulthandler
import os
import signal
import sys
import threading
import time
from functools import partial

from navproof.core.blame import blame
from navproof.core.confine import adopt_orphans, hide
from navproof.core.errors import NavproofError
from navproof.core.registry import adopt, check_unchanged
from navproof.core.role import mark_as_worker
from navproof.core.salt import learn_salts
from navproof.core.search_path import bring_in
from navproof.core.tree import children_of, end_shut_in, end_tree
from navproof.play.channel import Channel, ClosedError
from navproof.play.messages import (
    Beat,
    Done,
    Entered,
    LoadAgents,
    Loaded,
    Loading,
    Ready,
    Require,
    Setup,
    Stop,
    Warmed,
    WarmUp,
    Work,
)

__all__ = ["EMBEDDED", "main"]

EMBEDDED = "embedded"
_BEAT_S = 1.0


def main(lifeline: int) -> None:
    """Serve until told to stop, or until the pool is gone: that is when ``lifeline``, the reading
    end of a pipe that it holds, comes to its end."""
    hide()
    adopt_orphans()
    threading.Thread(target=_end_with_pool, args=(lifeline,), daemon=True).start()
    mark_as_worker()
    channel = _private_channel()
    faulthandler.enable()
    if hasattr(faulthandler, "register"):  # the pool asks a hanging worker where it is
        faulthandler.register(signal.SIGUSR1, all_threads=True, chain=False)
    code = 0
    try:
        _serve(channel)
    except ClosedError:
        pass
    except NavproofError as error:  # the pool tells the last line
        print(error, file=sys.stderr)
        code = 1
    except BaseException as error:
        print(blame(error), file=sys.stderr)
        code = 1
    finally:
        with contextlib.suppress(Exception):
            sys.stdout.flush()
        _end_everything(code)


def _serve(channel: Channel) -> None:
    from navproof.play.warmup import is_warm, warm_up
    from navproof.play.worker import Worker
    from navproof.sim.registry import make_simulator

    setup = channel.receive()
    assert isinstance(setup, Setup)
    adopt(setup.registered)
    learn_salts(setup.salts)
    if setup.in_process:
        bring_in()
    check_unchanged(setup.plugins)
    signs = _SignsOfLife(channel, each=setup.in_process)
    worker = Worker(
        partial(make_simulator, setup.simulator),
        setup.limits,
        setup.beliefs,
        setup.rewriter,
        in_process=setup.in_process,
        beat=signs.beat,
        withheld=setup.withheld,
    )
    worker.expect(setup.declared)
    channel.send(Ready(setup.simulator != EMBEDDED or is_warm()))
    while True:
        match channel.receive():
            case LoadAgents(names):
                channel.send(Loading(f"make simulator {setup.simulator}"))
                refusal = worker.refusal(names, lambda what: channel.send(Loading(what)))
                told = {} if refusal else {name: worker.declaration(name) for name in names}
                channel.send(Loaded(refusal, told, () if refusal else worker.holds(names)))
            case Require(plugins, declared):
                check_unchanged(plugins)
                worker.expect(declared)
            case WarmUp():
                began = time.perf_counter()
                warm_up()
                channel.send(Warmed(time.perf_counter() - began))
            case Work(job):
                result = job.run(worker, signs)
                channel.send(Done(result, worker.printed))
                end_shut_in(worker.processes())  # left behind by agents, before the next one plays
            case Stop():
                worker.close()
                return


class _SignsOfLife:
    """Tells the pool that the job goes on; ``each``: of every step."""

    def __init__(self, channel: Channel, *, each: bool) -> None:
        self._channel, self._pause_s = channel, 0.0 if each else _BEAT_S
        self._next = 0.0

    def phase(self, phase: str) -> None:
        self._channel.send(Entered(phase))

    def beat(self) -> None:
        now = time.monotonic()
        if now >= self._next:
            self._next = now + self._pause_s
            self._channel.send(Beat())


def _private_channel() -> Channel:
    """Move the pipes away from descriptors 0 and 1, which then belong to whoever prints."""
    incoming = os.fdopen(os.dup(0), "rb")
    outgoing = os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    return Channel(incoming, outgoing)


def _end_with_pool(lifeline: int) -> None:
    with contextlib.suppress(OSError):
        while os.read(lifeline, 1):
            pass
    _end_everything()


def _end_everything(code: int = 0) -> None:
    """This process, and all that it started."""
    for child in children_of(os.getpid()):
        end_tree(child)
    os._exit(code)


if __name__ == "__main__":
    main(int(sys.argv[1]))
