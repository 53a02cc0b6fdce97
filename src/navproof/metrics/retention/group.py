"""One agent on one task: retention under every condition, PRS, the worst case and the curves."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from navproof.metrics.retention.curves import threshold
from navproof.metrics.retention.pairs import (
    FAMILIES,
    EpisodePairs,
    Pair,
    Row,
    TestedCondition,
    episode_of,
)
from navproof.metrics.retention.ratio import Ratios, ratios, weights
from navproof.metrics.retention.types import (
    OVERALL,
    ConditionScore,
    Curve,
    CurvePoint,
    Measure,
    Prs,
    Retained,
    Threshold,
    Worst,
)
from navproof.metrics.stats.clusters import cluster_interval
from navproof.metrics.stats.stats import Interval

__all__ = ["COLUMNS", "Group"]

COLUMNS: dict[Measure, str] = {"sr": "success", "spl": "spl"}
_MEASURES: tuple[Measure, ...] = ("sr", "spl")


class Group:
    """One agent on one task; ``of[m]`` has the ratios of every condition, in order."""

    def __init__(self, twin: EpisodePairs, resamples: int, seed: int) -> None:
        self.twin = twin
        self.seed, self.resamples = seed, resamples
        self.tested = list(twin.pairs)
        resampled = weights(len(twin.episodes), resamples, seed)
        counts = twin.counts()
        self.of = {m: ratios(*twin.sums(COLUMNS[m]), counts, resampled) for m in _MEASURES}
        self.conditions = [self._score(k) for k in range(len(self.tested))]
        self.clean = self._clean()

    def paired(self) -> list[tuple[TestedCondition, tuple[Pair, ...]]]:
        return [(c, pairs) for c, pairs in self.twin.pairs.items() if pairs]

    def _interval(self, rows: Sequence[Row], measure: Measure) -> Interval:
        groups: dict[object, list[float]] = {}
        for row in rows:
            groups.setdefault(episode_of(row), []).append(row[COLUMNS[measure]])
        return cluster_interval(list(groups.values()), resamples=self.resamples, seed=self.seed)

    def _clean(self) -> ConditionScore:
        rows = self.twin.clean
        intervals = {m: self._interval(rows, m) for m in _MEASURES}
        means = {m: i.mean if i.n else None for m, i in intervals.items()}
        whole = {
            m: Retained(1.0, 1.0, 1.0)
            if means[m]
            else Retained(None, reason=_undefined(m, len(rows)) if rows else "no clean episode")
            for m in _MEASURES
        }
        return ConditionScore(
            agent=self.twin.agent,
            task=self.twin.task,
            condition="clean",
            family="clean",
            intensity=0.0,
            protocol=False,
            n=len(rows),
            episodes=len({episode_of(r) for r in rows}),
            unpaired=0,
            not_ok=sum(r["status"] != "ok" for r in rows),
            sr=intervals["sr"],
            spl=intervals["spl"],
            clean_sr=means["sr"],
            clean_spl=means["spl"],
            retention_sr=whole["sr"],
            retention_spl=whole["spl"],
        )

    def _score(self, k: int) -> ConditionScore:
        condition = self.tested[k]
        pairs = self.twin.pairs[condition]
        rows = [row for row, _ in pairs]
        n = len(pairs)
        clean = {m: math.fsum(c[COLUMNS[m]] for _, c in pairs) / n if n else None for m in COLUMNS}
        return ConditionScore(
            agent=self.twin.agent,
            task=self.twin.task,
            condition=condition.name,
            family=condition.family,
            intensity=condition.intensity,
            protocol=condition.protocol,
            n=n,
            episodes=int((self.of["sr"].seeds[k] > 0).sum()),
            unpaired=self.twin.unpaired[condition],
            not_ok=sum(row["status"] != "ok" for row in rows),
            sr=self._interval(rows, "sr"),
            spl=self._interval(rows, "spl"),
            clean_sr=clean["sr"],
            clean_spl=clean["spl"],
            retention_sr=self._retained([k], "sr"),
            retention_spl=self._retained([k], "spl"),
        )

    def _retained(self, columns: list[int], measure: Measure) -> Retained:
        shares: Ratios = self.of[measure]
        empty = "no episode was run both clean and under it"
        zero = [k for k in columns if not shares.clean[k].sum()]
        n = int(max((shares.seeds[k].sum() for k in zero), default=0))
        reason = _undefined(measure, n)
        if len(zero) < len(columns):
            reason += f" of {', '.join(self.tested[k].name for k in zero)}"
        return shares.retained(columns, empty, reason)

    # ------------------------------------------------------------------------------------- PRS
    def _prs(self, family: str, intensity: float | None, columns: list[int]) -> Prs:
        return Prs(
            agent=self.twin.agent,
            task=self.twin.task,
            family=family,
            intensity=intensity,
            conditions=tuple(self.tested[k].name for k in columns),
            sr=self._retained(columns, "sr"),
            spl=self._retained(columns, "spl"),
        )

    def _by_family(self, columns: list[int], intensity: float | None) -> list[Prs]:
        rows = []
        for family in FAMILIES:
            members = [k for k in columns if self.tested[k].family == family]
            if members:
                rows.append(self._prs(family, intensity, members))
        return [*rows, self._prs(OVERALL, intensity, columns)] if rows else []

    def prs(self) -> list[Prs]:
        """At the protocol's intensities; conditions of which nothing is paired do not count."""
        return self._by_family(self._counted(), None)

    def prs_by_intensity(self) -> list[Prs]:
        """At every single intensity, over what was run at others than the protocol's."""
        swept = {c.curve for c, _ in self.paired() if not c.protocol and ":" not in c.curve}
        members = {
            k: c.intensity
            for k, c in enumerate(self.tested)
            if c.curve in swept and c.intensity and self.conditions[k].n
        }
        return [
            prs
            for intensity in sorted(set(members.values()))
            for prs in self._by_family([k for k, i in members.items() if i == intensity], intensity)
        ]

    def _counted(self) -> list[int]:
        return [k for k, c in enumerate(self.conditions) if c.protocol and c.n]

    def worst(self) -> list[Worst]:
        """Per measure, where anything is defined; the first of equals."""
        rows = []
        for measure in _MEASURES:
            values = [
                (retained.value, k)
                for k in self._counted()
                if (retained := self.conditions[k].retention(measure)).value is not None
            ]
            if values:
                lowest = self.conditions[min(values)[1]]
                name, retained = lowest.condition, lowest.retention(measure)
                rows.append(Worst(lowest.agent, lowest.task, measure, name, retained))
        return rows

    # ----------------------------------------------------------------------------------- curves
    def curves(self) -> list[Curve]:
        lines: dict[str, list[int]] = {}
        for k, condition in enumerate(self.tested):
            if condition.curve and condition.intensity and self.conditions[k].n:
                lines.setdefault(condition.curve, []).append(k)
        return [self._curve(name, columns) for name, columns in lines.items() if len(columns) > 1]

    def _curve(self, name: str, columns: list[int]) -> Curve:
        columns = sorted(columns, key=lambda k: self.tested[k].intensity or 0.0)
        scores = [self.clean, *(self.conditions[k] for k in columns)]
        points = tuple(
            CurvePoint(
                s.intensity or 0.0, s.condition, s.n, s.sr, s.spl, s.retention_sr, s.retention_spl
            )
            for s in scores
        )
        intensities = np.array([p.intensity for p in points])
        mass = np.array([float(p.n) for p in points])

        def half(measure: Measure) -> Threshold:
            shares: Ratios = self.of[measure]
            values = np.concatenate([[1.0], shares.values[columns]])
            one = np.ones((len(shares.drawn), 1))
            resamples = np.concatenate([one, shares.drawn[:, columns]], axis=1)
            numbers = [score.retention(measure) for score in scores[1:]]
            limits = [
                [1.0, *(k.low or 0.0 for k in numbers)],
                [1.0, *(k.high or 0.0 for k in numbers)],
            ]
            few = any(k.method == "score" for k in numbers)
            return threshold(
                intensities, values, mass, resamples, np.array(limits) if few else None
            )

        family = self.tested[columns[0]].family
        agent, task = self.twin.agent, self.twin.task
        return Curve(agent, task, name, family, points, half("sr"), half("spl"))


def _undefined(measure: Measure, n: int) -> str:
    over = "one paired episode" if n == 1 else f"{n} paired episodes × seeds"
    return f"the clean {measure.upper()} is 0 over the {over}"
