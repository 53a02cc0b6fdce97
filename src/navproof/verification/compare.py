"""Where a trace differs from what its actions lead to."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, zip_longest
from typing import Any

from navproof.core.errors import SpecError
from navproof.core.types import Event
from navproof.log.actions import rounded_words
from navproof.log.moments import unfolded
from navproof.log.trace import Trace
from navproof.sensors import choose, kind_of

__all__ = ["Difference", "difference"]

_NOT_COMPARED = ("attempts", "navproof", "sensors", "privileged")
"""Facts of the trace that no simulation gives."""
_SLIGHT = 1e-6


@dataclass(frozen=True, slots=True)
class Difference:
    """``what`` says where and how, in one line. ``slight``: nothing but numbers, by so little that
    another library could be its cause."""

    what: str
    slight: bool = False


def difference(trace: Trace, again: Trace, *, over: bool) -> Difference | None:
    """The first thing in which a trace differs from its simulation ``again``; None where there is
    nothing. ``over``: the simulated episode came to its end. Seconds, beliefs and the reason of an
    agent's failure are not compared: they do not follow from actions."""
    slight = _is_slight(trace, again)
    delayed = _in_delays(trace, again)
    for step in range(len(again.actions) + 1):
        told = delayed[1] if delayed and delayed[0] == step - 1 else _at(step, trace, again)
        if told:
            return Difference(told, slight)
    count, simulated = len(trace.actions), len(again.actions)
    if count != simulated:
        return Difference(
            f"the episode is over after {simulated} actions, and the trace has {count}"
        )
    if over != (trace.status == "ok"):
        what = "is over" if over else "is not over"
        return Difference(
            f"it ends as '{trace.status}' after {count} actions, when the episode {what}"
        )
    if trace.channels.keys() != again.channels.keys():
        return Difference(
            f"it measures {_names(trace.channels)}; simulated, {_names(again.channels)}"
        )
    told = _first_of(trace.events, again.events) or _facts(trace, again)
    return Difference(told) if told else None


def _at(step: int, trace: Trace, again: Trace) -> str:
    """What differs at a step: before the first action (0), or after the action before it."""
    for name, there, here in _measured(step, trace, again):
        if there != here and not (_is_nan(there) and _is_nan(here)):
            return f"step {step}: {name} is {_shown(there)} in the trace, {_shown(here)} simulated"
    if step and trace.actions[step - 1] != again.actions[step - 1]:
        there, here = (rounded_words(t.actions[step - 1]) for t in (trace, again))
        return f"step {step}: the action is '{there}' in the trace, '{here}' simulated"
    mine, theirs = (_events(t.events, step) for t in (trace, again))
    return _first_of(mine, theirs, f"step {step}: ")


def _first_of(mine: Sequence[Event], theirs: Sequence[Event], where: str = "") -> str:
    for there, here in zip_longest(mine, theirs):
        if there != here:
            return f"{where}the trace tells {_event(there)}, the simulation tells {_event(here)}"
    return ""


def _in_delays(trace: Trace, again: Trace) -> tuple[int, str] | None:
    """(index of the action, what) of the first difference in what went on before actions."""
    mine, theirs = trace.delays, again.delays
    ends, others = (tuple(accumulate(delays.slices)) for delays in (mine, theirs))
    found: list[tuple[int, int, str]] = []

    def look(name: str, there: Sequence[Any], here: Sequence[Any], by_slice: bool = True) -> None:
        pairs = enumerate(zip(there, here, strict=False))
        at = next((i for i, (a, b) in pairs if a != b), None)
        if at is not None:
            action = bisect_right(ends, at) if by_slice else at
            told = f"{_shown(there[at])} in the trace, {_shown(here[at])} simulated"
            found.append((action, at, f"{name} in the delay before the action is {told}"))

    look("the time", mine.took_s, theirs.took_s, by_slice=False)
    look("the number of slices so far", ends, others, by_slice=False)
    look("the pose", mine.poses, theirs.poses)
    look("the distance to the goal", mine.distances_m, theirs.distances_m)
    look("colliding", mine.collisions, theirs.collisions)
    for name in sorted(mine.channels.keys() & theirs.channels.keys()):
        look(f"'{name}'", mine.channels[name], theirs.channels[name])
    if not found:
        return None
    action, _, told = min(found)
    return action, f"step {action + 1}: {told}"


def _measured(step: int, trace: Trace, again: Trace) -> Iterator[tuple[str, Any, Any]]:
    yield "the pose", trace.poses[step], again.poses[step]
    yield "the distance to the goal", trace.distances_m[step], again.distances_m[step]
    if step:
        yield "colliding", trace.collisions[step - 1], again.collisions[step - 1]
    for name in trace.channels.keys() & again.channels.keys():
        yield f"'{name}'", trace.channels[name][step], again.channels[name][step]


def _events(events: Iterable[Event], step: int) -> list[Event]:
    """Those that the action before ``step`` brought; at 0 what was told before the first action
    comes with those of the action that follows, and is compared with them."""
    return [event for event in events if event.step == step - 1] if step else []


def _facts(trace: Trace, again: Trace) -> str:
    for name in sorted(trace.facts.keys() | again.facts.keys()):
        there, here = trace.facts.get(name), again.facts.get(name)
        if name not in _NOT_COMPARED and there != here:
            return f"'{name}' is {there!r} in the trace, {here!r} for these settings"
    names = [name for name in str(trace.facts.get("sensors") or "").split(",") if name]
    try:
        by_name = {sensor.name: sensor for sensor in choose(trace.spec, names)}
    except SpecError as error:
        return str(error)
    if unknown := [name for name in names if name not in by_name]:
        return f"its sensor '{unknown[0]}' is none of its task's"
    truth = ",".join(name for name in names if kind_of(by_name[name]).privileged)
    told = trace.facts.get("privileged", "")
    return "" if told == truth else f"ground truth is said to be {told!r}, and is {truth!r}"


def _is_slight(trace: Trace, again: Trace) -> bool:
    """Whether the two differ in numbers alone, and by little."""
    trace, again = unfolded(trace), unfolded(again)
    if len(trace.actions) != len(again.actions) or trace.collisions != again.collisions:
        return False
    if [(e.step, e.kind) for e in trace.events] != [(e.step, e.kind) for e in again.events]:
        return False
    pairs: list[tuple[float, float]] = [*zip(trace.distances_m, again.distances_m, strict=True)]
    for a, b in zip(trace.poses, again.poses, strict=True):
        pairs += [(a.x, b.x), (a.y, b.y), (a.z, b.z), (a.yaw, b.yaw)]
    for name in trace.channels.keys() & again.channels.keys():
        pairs += zip(trace.channels[name], again.channels[name], strict=True)
    return all(a == b or abs(a - b) <= _SLIGHT for a, b in pairs)


def _names(names: Mapping[str, object]) -> str:
    return ", ".join(sorted(names)) or "nothing"


def _event(event: Event | None) -> str:
    if event is None:
        return "nothing"
    data = ", ".join(f"{name}={value!r}" for name, value in sorted(event.data.items()))
    return f"'{event.kind}'{f' ({data[:80]})' if data else ''}"


def _shown(value: Any) -> str:
    if isinstance(value, float | int):
        return repr(value)
    parts: Sequence[float] = (value.x, value.y, value.z, value.yaw)
    return f"({', '.join(map(repr, parts))})"


def _is_nan(value: Any) -> bool:
    return isinstance(value, float) and math.isnan(value)
