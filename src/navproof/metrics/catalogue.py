"""The metrics that navproof brings, and the row that they make of a trace."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from types import MappingProxyType
from typing import Any

from navproof.core.errors import printable
from navproof.core.problem import problem_digest
from navproof.log.trace import NOT_PLAYED, Trace
from navproof.metrics.protocol import Metric
from navproof.metrics.registry import METRICS

__all__ = [
    "built_in",
    "metric",
    "played",
    "problem_digest",
    "result_row",
    "result_rows",
    "score",
]


@cache
def built_in() -> Mapping[str, Metric]:
    """What every episode is scored by, by name, in the order in which tables show it."""
    return MappingProxyType({name: METRICS[name] for name in METRICS.built_in()})


def metric(name: str, metrics: Mapping[str, Metric] | None = None) -> Metric:
    """A metric by its name or its label in any case (``spl``, ``SR``), of ``metrics`` or else the
    registry; an ``UnknownNameError`` with a suggestion where there is none."""
    metrics_by_name = {**built_in(), **(metrics or {})}
    by_label = {m.label.lower(): m for m in metrics_by_name.values()}
    return (
        metrics_by_name.get(name)
        or by_label.get(name.lower())
        or metrics_by_name.get(name.lower())
        or METRICS[name]
    )


def score(trace: Trace, metrics: Mapping[str, Metric] | None = None) -> dict[str, float | None]:
    """Every metric of one trace, in the order of ``metrics``, which are the built-in ones unless
    given."""
    metrics = built_in() if metrics is None else metrics
    return {name: m.function(trace) for name, m in metrics.items()}


def result_row(trace: Trace, metrics: Mapping[str, Metric] | None = None) -> dict[str, Any]:
    """The row of ``results.parquet`` for a trace.

    ``spec_hash`` stands for the task's protocol settings, ``privileged`` names the ground-truth
    sensors that the agent was given. ``time_…`` columns are not deterministic. There are columns
    for those of ``metrics`` (by default the built-in ones) that apply to the trace. An episode
    that the machine kept from being played is not scored: its columns are None. ``attempts`` is
    there where it was played more than once.
    """
    metrics = built_in() if metrics is None else metrics
    row: dict[str, Any] = {
        "agent": trace.key.agent,
        "task": trace.episode.task,
        "scene": trace.episode.scene,
        "episode_id": trace.key.episode_id,
        "problem": problem_digest(trace.episode),
        "condition": trace.key.condition,
        "seed": trace.key.seed,
        "spec_hash": str(trace.facts.get("spec_hash", "")),
        "privileged": str(trace.facts.get("privileged", "")),
        "status": trace.status,
        "reason": printable(trace.reason),
    }
    own = {name: m for name, m in metrics.items() if m.applies(trace)}
    row |= dict.fromkeys(own) if trace.status == NOT_PLAYED else score(trace, own)
    if "attempts" in trace.facts:
        row["attempts"] = trace.facts["attempts"]
    for name, seconds in trace.timing.items():
        row[f"time_{name}"] = float(sum(seconds))
    return row


def played(rows: Iterable[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """The rows of episodes that were played. Of others the machine is the cause: they say nothing
    of an agent."""
    return [row for row in rows if row["status"] != NOT_PLAYED]


def result_rows(
    traces: Iterable[Trace], metrics: Mapping[str, Metric] | None = None
) -> list[dict[str, Any]]:
    """One row per trace, in the order given."""
    return [result_row(trace, metrics) for trace in traces]
