"""The conformance checks of metrics: pure functions of traces, whatever became of the episode."""

from __future__ import annotations

import copy
import hashlib
import json
import math
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from numbers import Real

import numpy as np

from navproof.check.elsewhere import same_elsewhere
from navproof.check.playing import played_by, small
from navproof.check.result import Check, NotChecked, Wrong, checked, other_global_seed
from navproof.check.tiny import tiny_episode, tiny_simulator
from navproof.core.errors import NavproofError
from navproof.core.plain import as_plain
from navproof.log.trace import Trace
from navproof.metrics import METRICS
from navproof.metrics.named import refuse_taken_name
from navproof.metrics.protocol import Metric
from navproof.tasks import TASKS, spec_for

__all__ = ["check_metric", "sample_traces"]

_SLOW_S = 0.5


def check_metric(name: str, *, elsewhere: bool | None = None) -> tuple[Check, ...]:
    """All checks of a metric by its name or reference. ``elsewhere``: whether to ask other
    processes, too (by default for those from outside)."""
    try:
        metric = METRICS.get(name)
    except NavproofError as error:
        return (Check("loads", False, str(error), "a metric is a function trace -> float | None"),)
    unit = f", {metric.unit}" if metric.unit else ""
    about = f"{metric.label}{unit}; {metric.better} is better"
    player = _Player(metric)
    tests: tuple[tuple[str, str, Callable[[], str]], ...] = (
        (
            "a number or None",
            "return a finite number, or None where the metric is undefined for a trace",
            player.numbers,
        ),
        (
            "in range",
            "declare bounded=True only for what lies in [0, 1], binary=True for 0 or 1",
            player.bounds,
        ),
        (
            "same trace, same number",
            "let it depend on the trace alone: no random numbers, clock or files",
            player.deterministic,
        ),
        ("leaves the trace alone", "copy what you change: dict(trace.facts)", player.untouched),
        (
            "seconds do not count",
            "trace.timing differs from run to run: it must enter no score",
            player.timeless,
        ),
        (
            "says what it is",
            "say what it is and where it is from: definition=…, source=…, or a docstring",
            player.described,
        ),
        ("defined somewhere", "", player.defined),
        ("cost", "work on arrays: np.array([(p.x, p.y) for p in trace.poses])", player.cost),
    )
    outside = METRICS.origin(name) is not None
    checks = [Check("loads", True, about)]
    if outside:
        checks.append(_has_free_name(metric, name))
    for title, mend, test in tests:
        checks.append(checked(title, mend, test))
        if title == "a number or None" and not checks[-1].ok:
            break  # all others would say the same
    if (outside if elsewhere is None else elsewhere) and all(c.ok is not False for c in checks):
        checks.append(same_elsewhere(_digest, name))
    return tuple(checks)


def _has_free_name(metric: Metric, name: str) -> Check:
    def test() -> str:
        refuse_taken_name(metric, name)
        return f"'{metric.name}' is no built-in metric's"

    mend = 'call the function otherwise, or give it a name and label: @nv.register_metric("NAME")'
    return checked("name is free", mend, test)


@cache
def sample_traces() -> tuple[Trace, ...]:
    """Short traces of every built-in task in the two-room flat: well played, badly played, out of
    budget, broken off at once and after some steps, and with a goal that cannot be reached."""
    found: list[Trace] = []
    for task in TASKS.built_in():
        sim = tiny_simulator(task)
        spec, episode = small(spec_for(task)), tiny_episode(task, sim, budget_steps=200)
        found.append(played_by("oracle", sim, spec, episode))
        found.append(played_by("random", sim, spec, replace(episode, budget_steps=24)))
    good, bad = found[-2], found[-1]
    for whole in (good, bad):
        for steps in (0, 5):
            found.append(_broken_off(whole, steps))
    lost = tuple(math.inf for _ in bad.distances_m)
    found.append(replace(bad, distances_m=lost))
    found.append(replace(bad, episode=replace(bad.episode, reference_path=())))
    return tuple(found)


def _broken_off(trace: Trace, steps: int) -> Trace:
    """The trace of an agent that raised after so many steps."""
    return replace(
        trace,
        status="agent_error",
        reason=f"step {steps}: RuntimeError: broken",
        poses=trace.poses[: steps + 1],
        actions=trace.actions[:steps],
        collisions=trace.collisions[:steps],
        distances_m=trace.distances_m[: steps + 1],
        events=tuple(event for event in trace.events if event.step < steps),
        beliefs=(),
        channels={name: values[: steps + 1] for name, values in trace.channels.items()},
    )


class _Player:
    """Calls one metric on every sample that it is for."""

    def __init__(self, metric: Metric) -> None:
        self.metric = metric

    def samples(self) -> list[Trace]:
        """Fresh copies: a metric that changes one must not be judged by what it left."""
        traces = map(copy.deepcopy, sample_traces())
        return [trace for trace in traces if self.metric.applies(trace)]

    def values(self) -> list[float | None]:
        return [self.metric(trace) for trace in self.samples()]

    def numbers(self) -> str:
        for trace in self.samples():
            value = self.metric(trace)
            if value is None:
                continue
            if not isinstance(value, Real | np.bool_):
                raise Wrong(f"{_about(trace)}: it returned a {type(value).__name__}")
            if not math.isfinite(float(value)):
                raise Wrong(f"{_about(trace)}: it returned {float(value)}")
        return f"of {len(self.samples())} traces"

    def bounds(self) -> str:
        for trace in self.samples():
            value = self.metric(trace)
            if value is None:
                continue
            if self.metric.binary and float(value) not in (0.0, 1.0):
                raise Wrong(f"{_about(trace)}: it is declared binary and returned {value:g}")
            if self.metric.bounded and not 0.0 <= value <= 1.0:
                raise Wrong(f"{_about(trace)}: it is declared bounded and returned {value:g}")
        if self.metric.bounded or self.metric.binary:
            return "from 0 to 1"
        known = [value for value in self.values() if value is not None]
        return f"from {min(known):g} to {max(known):g}, any number allowed" if known else "any"

    def deterministic(self) -> str:
        first = self.values()
        with other_global_seed():
            again = self.values()
        _assert_same(self.samples(), first, again, "a second time it is")
        return "twice alike"

    def untouched(self) -> str:
        for trace in self.samples():
            before = _written(trace)
            self.metric(trace)
            if _written(trace) != before:
                raise Wrong(f"{_about(trace)}: the trace was changed")
        return "traces are as they were"

    def timeless(self) -> str:
        samples = self.samples()
        timed = [replace(trace, timing={"act_s": (7.0,) * len(trace.actions)}) for trace in samples]
        found = [self.metric(trace) for trace in timed]
        _assert_same(samples, self.values(), found, "with other seconds it is")
        return "the same whatever the time"

    def described(self) -> str:
        if not self.metric.definition:
            raise NotChecked("it has neither definition nor docstring: reports cannot explain it")
        return self.metric.definition[:80]

    def defined(self) -> str:
        known = sum(value is not None for value in self.values())
        if not known:
            raise NotChecked("it is None for every sample trace")
        return f"for {known} of {len(self.samples())} sample traces"

    def cost(self) -> str:
        samples = self.samples() or list(sample_traces())
        began = time.perf_counter()
        for trace in samples:
            self.metric(trace)
        took = (time.perf_counter() - began) / len(samples)
        if took > _SLOW_S:
            raise Wrong(f"{took:.2f} s a trace; over {_SLOW_S:g} s")
        return f"{1e3 * took:.2f} ms a trace"


def _about(trace: Trace) -> str:
    status = "" if trace.status == "ok" else f", {trace.status} after {len(trace.actions)} steps"
    return f"{trace.key.agent} in {trace.episode.episode_id}{status}"


def _written(trace: Trace) -> str:
    return json.dumps(as_plain(trace), sort_keys=True)


def _assert_same(
    traces: Sequence[Trace],
    first: Sequence[float | None],
    again: Sequence[float | None],
    what: str,
) -> None:
    for trace, one, other in zip(traces, first, again, strict=True):
        if one != other:
            raise Wrong(f"{_about(trace)}: {what} {other}, not {one}")


def _digest(name: str) -> str:
    values = _Player(METRICS.get(name)).values()
    return hashlib.sha256(repr(values).encode()).hexdigest()
