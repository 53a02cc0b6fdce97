"""Every metric by name, and the row that they make of a trace."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from typing import Any

from navproof.core.errors import UnknownNameError
from navproof.core.registry import suggest
from navproof.core.types import Episode
from navproof.log.trace import Trace
from navproof.metrics.goals import goals
from navproof.metrics.missions import completion, failures, following, pauses, people
from navproof.metrics.navigation import efficiency, path, safety, success
from navproof.metrics.protocol import Metric

__all__ = [
    "METRICS",
    "MISSION_METRICS",
    "metric",
    "problem_digest",
    "result_row",
    "result_rows",
    "score",
]

MISSION_METRICS: Mapping[str, Metric] = {
    m.name: m
    for family in (
        completion.METRICS,
        following.METRICS,
        people.METRICS,
        failures.METRICS,
        pauses.METRICS,
    )
    for m in family
}
"""Those that only missions have: the rows of other tasks do without."""
METRICS: Mapping[str, Metric] = {
    m.name: m
    for family in (
        success.METRICS,
        goals.METRICS,
        efficiency.METRICS,
        path.METRICS,
        safety.METRICS,
        MISSION_METRICS.values(),
    )
    for m in family
}
"""In the order in which tables show them."""


def metric(name: str) -> Metric:
    """A metric by its name or its label in any case (``spl``, ``SR``), or a suggestion."""
    by_label = {m.label.lower(): m for m in METRICS.values()}
    found = METRICS.get(name) or by_label.get(name.lower()) or METRICS.get(name.lower())
    if found is None:
        raise UnknownNameError(f"there is no metric '{name}'{suggest(name, list(METRICS))}")
    return found


def score(trace: Trace) -> dict[str, float | None]:
    """Every metric of one trace, in the order of ``METRICS``."""
    return {name: m.function(trace) for name, m in METRICS.items()}


def problem_digest(episode: Episode) -> str:
    """Tells whether two episodes of the same id are the same problem: scene, start and goals."""
    what = repr((episode.scene, episode.start, episode.goals))
    return hashlib.blake2b(what.encode(), digest_size=8).hexdigest()


def result_row(trace: Trace) -> dict[str, Any]:
    """The row of ``results.parquet`` for a trace.

    ``spec_hash`` stands for the task's protocol settings, ``privileged`` names the ground-truth
    sensors that the agent was given. ``time_…`` columns are not deterministic. Only missions have
    columns for ``MISSION_METRICS``.
    """
    values = score(trace)
    if not completion.is_mission(trace):
        values = {name: value for name, value in values.items() if name not in MISSION_METRICS}
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
        "reason": trace.reason,
        **values,
    }
    for name, seconds in trace.timing.items():
        row[f"time_{name}"] = float(sum(seconds))
    return row


def result_rows(traces: Iterable[Trace]) -> list[dict[str, Any]]:
    """One row per trace, in the order given."""
    return [result_row(trace) for trace in traces]
