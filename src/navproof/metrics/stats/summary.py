"""From rows to a table: means with intervals per agent and task, and paired comparisons."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from navproof.metrics.catalogue import built_in, played
from navproof.metrics.protocol import Metric
from navproof.metrics.stats.stats import Interval, PairedResult, mean_interval, paired_difference

__all__ = ["Summary", "pair_rows", "paired", "summarise"]

Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Summary:
    """One group of rows. ``failed`` counts the rows of every status but ``ok``."""

    group: Mapping[str, Any]
    n: int
    failed: Mapping[str, int]
    intervals: Mapping[str, Interval]


def summarise(
    rows: Sequence[Row],
    by: Sequence[str] = ("agent", "task"),
    metrics: Sequence[str] | None = None,
    *,
    definitions: Mapping[str, Metric] | None = None,
    confidence: float = 0.95,
    seed: int = 0,
) -> list[Summary]:
    """One ``Summary`` per distinct value of the ``by`` columns, in order of appearance. Episodes
    that the machine kept from being played are left out.

    Rows where a metric is undefined (None) are left out of its mean; a metric that is undefined
    in the whole group has an interval with n = 0. ``metrics`` are those that the rows have columns
    for, unless given; ``definitions`` says what a metric is (by default of the built-in ones).
    """
    definitions = built_in() if definitions is None else definitions
    if metrics is None:
        metrics = [name for name in definitions if any(name in row for row in rows)]
    groups: dict[tuple[Any, ...], list[Row]] = {}
    for row in played(rows):
        groups.setdefault(tuple(row[name] for name in by), []).append(row)
    return [
        _summary(
            dict(zip(by, values, strict=True)), members, metrics, definitions, confidence, seed
        )
        for values, members in groups.items()
    ]


def _summary(
    group: dict[str, Any],
    rows: list[Row],
    metrics: Sequence[str],
    definitions: Mapping[str, Metric],
    confidence: float,
    seed: int,
) -> Summary:
    failed: dict[str, int] = {}
    for row in rows:
        if row["status"] != "ok":
            failed[row["status"]] = failed.get(row["status"], 0) + 1
    intervals = {}
    for name in metrics:
        values = [row[name] for row in rows if row.get(name) is not None]
        intervals[name] = mean_interval(
            values, confidence=confidence, seed=seed, bounded=definitions[name].bounded
        )
    return Summary(group, len(rows), failed, intervals)


def pair_rows(a: Sequence[Row], b: Sequence[Row]) -> list[tuple[Row, Row]]:
    """Rows of the same problem, condition and seed, in the order of ``a``. An episode id that
    stands for another scene, start or goal on the other side pairs with nothing."""
    others = {_identity(row): row for row in b}
    return [(row, others[_identity(row)]) for row in a if _identity(row) in others]


def paired(
    pairs: Sequence[tuple[Row, Row]],
    metric: str,
    *,
    definitions: Mapping[str, Metric] | None = None,
    seed: int = 0,
) -> PairedResult:
    """a − b of one metric over the pairs in which both sides define it."""
    values = [
        (x[metric], y[metric])
        for x, y in pairs
        if x.get(metric) is not None and y.get(metric) is not None
    ]
    first, second = [x for x, _ in values], [y for _, y in values]
    return paired_difference(
        first, second, binary=(definitions or built_in())[metric].binary, seed=seed
    )


def _identity(row: Row) -> tuple[Any, ...]:
    names = ("task", "scene", "episode_id", "problem", "condition", "seed")
    return tuple(row.get(name) for name in names)
