"""The metrics by which a run is scored: the built-in ones, and those that somebody named for it.

A run remembers what was named for it (``RunInfo.metrics``), so that it is scored and reported by
the same metrics later, as long as their files are there. None of this is part of a run's identity:
scores can be computed from the traces again at any time.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from numbers import Real
from pathlib import Path
from typing import TypeAlias

import numpy as np

from navproof.core.errors import NavproofError, SpecError, one_line
from navproof.core.names import split_list
from navproof.core.registry import reference_to
from navproof.log.folder import NamedMetric, RunFolder
from navproof.log.trace import Trace
from navproof.metrics.catalogue import built_in
from navproof.metrics.protocol import Metric
from navproof.metrics.registry import METRICS, as_metric

__all__ = ["BUILT_IN", "MetricLike", "MetricSet", "metric_set", "refuse_taken_name"]

MetricLike: TypeAlias = str | Callable[[Trace], float | None]
"""A metric's name (several with commas), or the function itself."""


@dataclass(frozen=True)
class MetricSet:
    """``metrics`` by column: the built-in ones in the order of tables, then the others. ``named``
    are the columns that somebody asked for (a built-in one may be among them), ``recorded`` what a
    run remembers of the others. ``notes`` say which metrics of a run cannot be had, and why."""

    metrics: Mapping[str, Metric]
    named: tuple[str, ...] = ()
    recorded: tuple[NamedMetric, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def others(self) -> tuple[str, ...]:
        """The columns of those that are not built in."""
        return tuple(name for name in self.metrics if name not in built_in())

    def complaints(self) -> list[str]:
        """A line for each metric that gave no number where it should have."""
        calls = (metric.function for metric in self.metrics.values())
        return [
            call.complaint for call in calls if isinstance(call, _GuardedMetric) and call.complaint
        ]


BUILT_IN = MetricSet(built_in())
"""When nobody asks for more."""


def metric_set(
    names: MetricLike | Iterable[MetricLike] = (),
    folders: Sequence[RunFolder] = (),
    *,
    forget: bool = False,
) -> MetricSet:
    """The metrics called ``names`` (a built-in name or label, one that a run remembers,
    ``file.py:function``, an entry point, a function) and, unless told to ``forget`` them, all that
    the runs in ``folders`` remember.

    Errors in ``names`` are a ``NavproofError`` in one line; what a run remembers and is no longer
    there becomes one of the ``notes``.
    """
    there = [] if forget else [folder for folder in folders if folder.exists]
    stored = [(folder, one) for folder in there for one in folder.info.metrics]
    columns = _built_in_columns()
    others: dict[str, tuple[Metric, NamedMetric]] = {}
    references: list[str] = []
    notes: list[str] = []
    place = folders[0].path if folders else Path()

    def take(metric: Metric, what: NamedMetric) -> str:
        refuse_taken_name(metric, what.ref)
        same = others.get(metric.name)
        if same is not None and same[1].digest != what.digest:
            raise SpecError(
                f"metrics '{same[1].ref}' and '{what.ref}' are both called '{metric.name}'; "
                "give one another name"
            )
        if same is None:
            call = _GuardedMetric(metric, what.ref)
            others[metric.name] = replace(metric, function=call, applies=call.applies), what
        return metric.name

    for name in dict.fromkeys(_one_by_one(names)):
        if not isinstance(name, str):
            references.append(take(*_of_function(name, place)))
            continue
        column = columns.get(name) or columns.get(name.lower())
        if column is None:
            previous = next((pair for pair in stored if pair[1].name == name), None)
            if previous is not None:
                column = take(*_found(*previous))
            else:
                metric = METRICS[name]
                column = take(metric, _record(metric, name, place))
        references.append(column)
    for folder, one in stored:
        if one.name in references:  # what is asked for now takes its place
            continue
        try:
            take(*_found(folder, one))
        except NavproofError as error:
            notes.append(f"{folder.path} has a metric '{one.name}' that is left out: {error}")
    metrics = {**built_in(), **{name: metric for name, (metric, _) in others.items()}}
    descriptions = tuple(what for _, what in others.values())
    missing = tuple(one for _, one in stored if one.name not in others)
    return MetricSet(metrics, tuple(references), descriptions + missing, tuple(notes))


def refuse_taken_name(metric: Metric, ref: str) -> None:
    """``SpecError`` where a metric from outside, named as ``ref``, is called like a built-in one:
    a table could not tell which is meant."""
    columns = _built_in_columns()
    clash = columns.get(metric.name.lower()) or columns.get(metric.label.lower())
    if clash is not None:
        raise SpecError(
            f"metric '{ref}' would be called like the built-in metric '{clash}' "
            f"({built_in()[clash].label}); give yours another name"
        )


def _built_in_columns() -> dict[str, str]:
    """The columns of built-in metrics, by their names and by their labels in small letters."""
    columns = {name: name for name in built_in()}
    return columns | {metric.label.lower(): name for name, metric in built_in().items()}


def _one_by_one(names: MetricLike | Iterable[MetricLike]) -> list[MetricLike]:
    if isinstance(names, str) or callable(names):
        several = [names]
    elif isinstance(names, Iterable):
        several = list(names)
    else:
        raise SpecError(f"metrics: {names!r} is neither a name nor a function")
    parts: list[MetricLike] = []
    for one in several:
        parts += split_list(one) if isinstance(one, str) else [one]
    return parts


def _of_function(function: Callable[..., float | None], folder: Path) -> tuple[Metric, NamedMetric]:
    """A function as a metric. What no file holds (a notebook) is remembered by its name alone."""
    try:
        ref = reference_to(function, "metric")
    except NavproofError:
        metric = as_metric(function, getattr(function, "__name__", "metric"))
        return metric, NamedMetric(metric.name, metric.name)
    metric = as_metric(function, ref)
    return metric, _record(metric, ref, folder)


def _record(metric: Metric, ref: str, folder: Path) -> NamedMetric:
    """What a run in ``folder`` remembers of a metric."""
    origin = METRICS.origin(ref)
    where, _, _ = ref.rpartition(":")
    file = ""
    if where.endswith(".py"):
        try:
            file = Path(os.path.relpath(Path(where).resolve(), folder.resolve())).as_posix()
        except ValueError:  # on another drive
            file = ""
    return NamedMetric(metric.name, ref, file, origin.digest if origin else "")


def _found(folder: RunFolder, one: NamedMetric) -> tuple[Metric, NamedMetric]:
    """What a run remembers, loaded from where it is now."""
    where, _, attribute = one.ref.rpartition(":")
    ref = one.ref
    if where.endswith(".py"):
        places = [folder.path / one.file] if one.file else []
        path = next((p for p in (*places, Path(where)) if p.is_file()), None)
        if path is None:
            raise SpecError(f"its file {where} is no longer there")
        if path.resolve().is_relative_to(folder.path.resolve()):
            raise SpecError(
                f"its file {where} lies in the run's own folder, and no code that comes with a run "
                f"is run; name it (--metric {path}:{attribute}) if you trust it"
            )
        ref = f"{path}:{attribute}"
    metric = METRICS[ref]
    if metric.name != one.name:
        raise SpecError(f"{one.ref} is called '{metric.name}' now")
    return metric, replace(_record(metric, ref, folder.path), ref=one.ref)


class _GuardedMetric:
    """A user's metric: when it fails, only its own numbers are lost."""

    def __init__(self, metric: Metric, ref: str) -> None:
        self._metric, self._ref = metric, ref
        self._calls = self._faults = 0
        self._first = ""

    @property
    def complaint(self) -> str:
        """What went wrong, in one line; "" for nothing."""
        if not self._faults:
            return ""
        episodes = f"{self._faults} of {self._calls} episodes"
        return f"metric '{self._ref}' gave no number for {episodes}; first {self._first}"

    def applies(self, trace: Trace) -> bool:
        try:
            return bool(self._metric.applies(trace))
        except KeyboardInterrupt:
            raise
        except BaseException:  # ``function`` is called then, and its fault is told
            return True

    def __call__(self, trace: Trace) -> float | None:
        self._calls += 1
        try:
            value = self._metric.function(trace)
            fault = self._fault_in(value)
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # also ``sys.exit`` in somebody's file
            value, fault = None, one_line(error)
        if not fault:
            return None if value is None else float(value)
        self._faults += 1
        key = trace.key
        under = "" if key.condition == "clean" else f" under {key.condition}"
        self._first = self._first or f"{key.agent} in {key.episode_id}{under}: {fault}"
        return None

    def _fault_in(self, value: object) -> str:
        """Why ``value`` is not a value of this metric; "" where it is."""
        if value is None:
            return ""
        if not isinstance(value, Real | np.bool_):
            return f"it returned a {type(value).__name__}, not a number or None"
        number = float(value)
        if not math.isfinite(number):
            return f"it returned {number}"
        if self._metric.binary and number not in (0.0, 1.0):
            return f"it is declared binary and returned {number:g}"
        if self._metric.bounded and not 0.0 <= number <= 1.0:
            return f"it is declared to be from 0 to 1 and returned {number:g}"
        return ""
