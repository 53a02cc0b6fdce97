"""What is retained, as values: see ``metrics.retention.retention``, which exports them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from navproof.metrics.stats.stats import Interval

if TYPE_CHECKING:
    from navproof.log.folder import Skipped

Measure = Literal["sr", "spl"]
Grade = Literal["easy", "medium", "hard"]
OVERALL = "all"
"""In place of a family's name: every family together."""


@dataclass(frozen=True, slots=True)
class Retained:
    """A share of the clean score with its 95 % interval.

    ``value`` (and with it ``low`` and ``high``) is None where the clean score is 0 or nothing was
    paired, and ``reason`` then says which. ``method`` is "bootstrap", or "score" where so few
    episodes differ that resampling them would claim too much; "none" where nothing was drawn: the
    value is None, or the clean score's own 1.
    ``dropped`` counts the resamples that held no clean success and were left out.
    """

    value: float | None
    low: float | None = None
    high: float | None = None
    reason: str = ""
    method: Literal["bootstrap", "score", "none"] = "none"
    dropped: int = 0


@dataclass(frozen=True, slots=True)
class ConditionScore:
    """An agent on a task under one condition, over the ``n`` rows (``episodes`` × seeds) that have
    a clean twin; ``unpaired`` rows have none and are left out.

    ``intensity`` is None for mixed conditions whose parts differ in it, and for those that the
    catalogue does not know (family "own"). ``protocol``: every part has its default intensity and
    mode, so that it counts towards PRS. ``clean_sr`` and ``clean_spl`` are over the same rows.
    ``not_ok`` counts the rows whose status is not "ok" (they are failures). Of the condition
    "clean" n counts every row, and the retention is 1 where it is defined.
    """

    agent: str
    task: str
    condition: str
    family: str
    intensity: float | None
    protocol: bool
    n: int
    episodes: int
    unpaired: int
    not_ok: int
    sr: Interval
    spl: Interval
    clean_sr: float | None
    clean_spl: float | None
    retention_sr: Retained
    retention_spl: Retained

    def retention(self, measure: Measure) -> Retained:
        return self.retention_sr if measure == "sr" else self.retention_spl


@dataclass(frozen=True, slots=True)
class Prs:
    """Performance retention score: the mean retention over the ``conditions`` (K of them).

    ``family`` may be ``OVERALL``. ``intensity`` is None for the protocol's own intensities, and a
    number where every one of ``conditions`` was run at that one (a row of a sweep).
    """

    agent: str
    task: str
    family: str
    intensity: float | None
    conditions: tuple[str, ...]
    sr: Retained
    spl: Retained

    @property
    def k(self) -> int:
        return len(self.conditions)


@dataclass(frozen=True, slots=True)
class Difficulty:
    """How hard a condition is over agents and tasks: r = mean SR under it / mean clean SR.

    ``agents`` counts the (agent, task) pairs behind it. ``grade`` is None, with ``reason``, where
    r is undefined.
    """

    condition: str
    family: str
    agents: int
    retention: float | None
    grade: Grade | None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Worst:
    """The protocol condition with the lowest retention of ``measure``."""

    agent: str
    task: str
    measure: Measure
    condition: str
    retention: Retained


@dataclass(frozen=True, slots=True)
class CurvePoint:
    """One intensity of a curve; intensity 0 is the clean condition."""

    intensity: float
    condition: str
    n: int
    sr: Interval
    spl: Interval
    retention_sr: Retained
    retention_spl: Retained


@dataclass(frozen=True, slots=True)
class Threshold:
    """The intensity at which half of the clean score is lost, with its 95 % interval.

    ``value`` None: see ``reason``. ``high`` None beside a ``low``: beyond what was run.
    """

    value: float | None
    low: float | None = None
    high: float | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Curve:
    """Sensitivity to one corruption (``name:frame`` where its mode is not the default one), or to
    several at a common intensity (``a+b``), by rising intensity; two or more besides 0."""

    agent: str
    task: str
    corruption: str
    family: str
    points: tuple[CurvePoint, ...]
    half_sr: Threshold
    half_spl: Threshold


@dataclass(frozen=True, slots=True)
class Overhead:
    """What a condition costs in time, over the rows that are paired with clean ones.

    ``corrupt_s`` is the time per step in the corruption itself (None where traces do not have
    it), ``env_extra_s`` the environment's time per step minus that of the clean twins.
    ``episode_s`` and ``clean_episode_s`` are whole episodes, agent included.
    """

    agent: str
    task: str
    condition: str
    steps: int
    corrupt_s: float | None
    env_extra_s: float | None
    episode_s: float | None
    clean_episode_s: float | None


@dataclass(frozen=True, slots=True)
class TrustScores:
    """Everything that a run says about trust. Tuples are in the order of the rows; conditions in
    that of the catalogue, families rgb, depth, instruction, mixed, body, own.

    ``clean`` has an entry for every agent × task, ``conditions`` one for every condition besides
    clean. ``prs`` has the protocol's intensities, per family and ``OVERALL`` (last);
    ``prs_by_intensity`` has the others, by rising intensity.
    """

    clean: tuple[ConditionScore, ...]
    conditions: tuple[ConditionScore, ...]
    prs: tuple[Prs, ...]
    prs_by_intensity: tuple[Prs, ...]
    difficulty: tuple[Difficulty, ...]
    worst: tuple[Worst, ...]
    curves: tuple[Curve, ...]
    overhead: tuple[Overhead, ...]
    skipped: tuple[Skipped, ...]
    resamples: int
    seed: int

    @property
    def corrupted(self) -> bool:
        """Was anything besides clean run (or skipped)?"""
        return bool(self.conditions or self.skipped)

    def of(self, agent: str, task: str) -> tuple[ConditionScore, ...]:
        """The conditions of one agent on one task, clean first."""
        scores = (*self.clean, *self.conditions)
        return tuple(c for c in scores if (c.agent, c.task) == (agent, task))
