"""Episodes under every condition, from ``results.parquet`` rather than from thousands of traces."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from navproof.core.errors import RunError
from navproof.log import RunFolder, TraceKey
from navproof.log.trace import NOT_PLAYED
from navproof.metrics import result_row

__all__ = ["CLEAN", "Trial", "entitled", "trials_of"]

CLEAN = "clean"
_COMPARED = ("problem", "status", "success", "spl")  # a results file that differs here is stale


@dataclass(frozen=True, slots=True)
class Trial:
    """One episode under one condition; ``result`` as ``metrics.result_row`` gives it."""

    entrant: int
    key: TraceKey
    result: Mapping[str, Any]


def entitled(keys: Sequence[TraceKey]) -> list[TraceKey]:
    """The keys that stand for their agent: its clean episodes, or all where it has none."""
    clean = {key.agent for key in keys if key.condition == CLEAN}
    return [key for key in keys if key.condition == CLEAN or key.agent not in clean]


def trials_of(
    run: RunFolder,
    keys: Sequence[TraceKey],
    places: Mapping[str, int],
    scored: Mapping[TraceKey, Mapping[str, Any]],
) -> list[Trial]:
    """The episodes of every condition, of the agents in ``places`` (name to entrant); none where
    the run has clean episodes only.

    ``scored`` are rows already made from traces. The others come from ``results.parquet`` where the
    manifest says that the run made it, from exactly the traces that are there, and it does not
    contradict ``scored``. What it lacks, or all of it, is scored from the traces otherwise.
    """
    if all(name == CLEAN for name in (*run.info.conditions, *(key.condition for key in keys))):
        return []
    wanted = [key for key in keys if key.agent in places]
    kept = _kept(run)
    if any(_stale(kept[key], row) for key, row in scored.items() if key in kept):
        kept = {}
    kept |= scored
    rows = ((key, kept.get(key) or result_row(run.trace(key))) for key in wanted)
    return [Trial(places[key.agent], key, row) for key, row in rows if row["status"] != NOT_PLAYED]


def _kept(run: RunFolder) -> dict[TraceKey, Mapping[str, Any]]:
    """The rows of the table, where it can be believed."""
    if not run.has_manifest:  # so anybody could have edited it
        return {}
    try:
        rows = run.results()
    except RunError:
        return {}
    return {TraceKey(r["agent"], r["episode_id"], r["condition"], r["seed"]): r for r in rows}


def _stale(kept: Mapping[str, Any], scored: Mapping[str, Any]) -> bool:
    return any(kept.get(name) != scored.get(name) for name in _COMPARED)
