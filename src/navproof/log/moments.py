"""The moments of a trace: those after actions, and those in between, while agents took their time.

What a trace tells of its steps it tells of the moments after them. Where the world went on while
the agent made up its mind, there are more (``Trace.delays``), and whatever is measured over time
(who was too near, who was followed, how far the robot went) is measured at all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import wraps
from itertools import accumulate
from typing import Concatenate, ParamSpec, TypeVar

from navproof.core.types import Event, Pose
from navproof.log.trace import Delays, Trace

__all__ = [
    "PASSED",
    "at_every_moment",
    "moment_of",
    "poses_between",
    "step_collisions",
    "unfolded",
]

PASSED = "passed"
"""What stands for an action in an unfolded trace where none was taken: time passed."""
P = ParamSpec("P")
R = TypeVar("R")
T = TypeVar("T")
_latest: tuple[Trace, Trace] | None = None


def unfolded(trace: Trace) -> Trace:
    """The trace with the moments of its delays among the others, as if each slice of a delay had
    been an action (``PASSED``); poses, distances, collisions, channels and the steps of events
    are those of this longer row. Beliefs, seconds and the delays themselves are left out. A trace
    in which the world waited is its own."""
    global _latest
    if not any(trace.delays.slices):
        return trace
    if _latest is None or _latest[0] is not trace:
        _latest = trace, _unfolded(trace)
    return _latest[1]


def at_every_moment(
    function: Callable[Concatenate[Trace, P], R],
) -> Callable[Concatenate[Trace, P], R]:
    """A function of a trace that goes by its moments, given them all."""

    @wraps(function)
    def over_all(trace: Trace, /, *args: P.args, **kwargs: P.kwargs) -> R:
        return function(unfolded(trace), *args, **kwargs)

    return over_all


def moment_of(trace: Trace, index: int) -> int:
    """The place of a pose of the trace among those of the unfolded one."""
    return index + sum(trace.delays.slices[:index])


def poses_between(trace: Trace, begin: int, end: int) -> Sequence[Pose]:
    """The poses from the one of index ``begin`` to that of index ``end``, with those of delays."""
    return unfolded(trace).poses[moment_of(trace, begin) : moment_of(trace, end) + 1]


def step_collisions(trace: Trace) -> tuple[bool, ...]:
    """Of each action, whether the robot ran into something in it or in the time before it."""
    if not any(trace.delays.slices):
        return trace.collisions
    told, ends = trace.delays.collisions, accumulate(trace.delays.slices)
    before = (told[end - n : end] for n, end in zip(trace.delays.slices, ends, strict=True))
    return tuple(any(a) or b for a, b in zip(before, trace.collisions, strict=True))


def _unfolded(trace: Trace) -> Trace:
    delays = trace.delays
    firsts = list(accumulate((count + 1 for count in delays.slices), initial=0))
    words = (
        word
        for action, count in zip(trace.actions, delays.slices, strict=True)
        for word in (*((PASSED,) * count), action)
    )

    def moved(event: Event) -> Event:
        if event.step >= len(delays.slices):  # told before an action that never came
            return replace(event, step=firsts[-1])
        within = delays.slices[event.step] if event.in_delay is None else event.in_delay
        return replace(event, step=firsts[event.step] + within, in_delay=None)

    return replace(
        trace,
        poses=(trace.poses[0], *_merged(delays, delays.poses, trace.poses[1:])),
        actions=tuple(words),
        collisions=tuple(_merged(delays, delays.collisions, trace.collisions)),
        distances_m=(
            trace.distances_m[0],
            *_merged(delays, delays.distances_m, trace.distances_m[1:]),
        ),
        events=tuple(map(moved, trace.events)),
        channels={
            name: (values[0], *_merged(delays, delays.channels[name], values[1:]))
            for name, values in trace.channels.items()
        },
        beliefs=(),
        timing={},
        delays=Delays(),
    )


def _merged(delays: Delays, between: Sequence[T], after: Sequence[T]) -> Iterator[T]:
    """What was at the end of the slices before each action, and after it."""
    slices = iter(between)
    for count, value in zip(delays.slices, after, strict=True):
        for _ in range(count):
            yield next(slices)
        yield value
