"""Success by linguistic feature: the table of LangNavBench (Tables 3 and 4), with intervals.

A goal whose words hold several features counts in the column of each. Intervals resample episodes
(``metrics.stats.clusters``), because the goals of an episode depend on each other.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from navproof.metrics.goals.failures import FAILURES
from navproof.metrics.goals.goals import GoalResult
from navproof.metrics.stats.clusters import cluster_interval, clustered_difference
from navproof.metrics.stats.stats import Interval, PairedResult

__all__ = [
    "NO_TAG",
    "TAGS",
    "GoalRow",
    "cuts_of",
    "goal_table",
    "paired_goals",
    "tags_of",
]

NO_TAG = "no"
"""The column of goals that are a bare category."""
TAGS = (
    *(NO_TAG, "colour", "size", "texture", "number", "material", "state", "modifier", "support"),
    *("negation", "anchor", "spatial", "coreference"),
)
"""Columns in the order of the paper's Table 3, then those of the extended language."""
_ORDINALS = ("1st", "2nd", "3rd")

Goals = Sequence[GoalResult]
Keep = Callable[[GoalResult], bool]
Value = Callable[[GoalResult], float | None]


@dataclass(frozen=True, slots=True)
class GoalRow:
    """One agent. SR and SPL are means over goals; ``cuts`` holds SR and ``spl_cuts`` SPL within
    groups of goals, by the name of the cut ("tag", "attributes", "order") and of the group.
    ``failures`` counts the goals of each class that occurred; their shares of all failed goals are
    the paper's Table 4."""

    agent: str
    episodes: int
    goals: int
    sr: Interval
    spl: Interval
    sr_released: Interval
    spl_released: Interval
    cuts: Mapping[str, Mapping[str, Interval]]
    spl_cuts: Mapping[str, Mapping[str, Interval]]
    failures: Mapping[str, int]

    @property
    def failed(self) -> int:
        return sum(self.failures.values())


def tags_of(goal: GoalResult) -> tuple[str, ...]:
    """The columns of a goal: its linguistic features, or ``NO_TAG``."""
    return tuple(goal.tags) or (NO_TAG,)


def cuts_of(goals: Iterable[GoalResult]) -> dict[str, dict[str, Keep]]:
    """How to group these goals: cut → name of the group → which goals are in it.

    Paper's tags are always there (an empty column is an answer), others where they occur.
    """
    results = list(goals)
    names = {tag for goal in results for tag in tags_of(goal)}
    extra = sorted(names - set(TAGS))
    tags = [t for t in (*TAGS, *extra) if t in names or t in TAGS[:9]]
    counts = sorted({goal.attributes for goal in results})
    order = sorted({goal.index for goal in results})
    return {
        "tag": {tag: _has(tag) for tag in tags},
        "attributes": {str(n): _counts(n) for n in counts},
        "order": {_ordinal(i): _stands(i) for i in order},
    }


def goal_table(results: Mapping[str, Sequence[Goals]], *, seed: int = 0) -> list[GoalRow]:
    """One row per agent, in the order given; ``results`` holds each agent's episodes as
    ``goal_results`` gives them. Episodes without goals (other tasks) are left out."""
    everything = [g for episodes in results.values() for episode in episodes for g in episode]
    cuts = cuts_of(everything)
    return [
        _row(agent, [episode for episode in episodes if episode], cuts, seed)
        for agent, episodes in results.items()
    ]


def paired_goals(a: Sequence[Goals], b: Sequence[Goals], keep: Keep) -> PairedResult:
    """Difference a − b in SR over the goals that ``keep`` takes, of the same episodes in order."""
    return clustered_difference(*([_values(e, _won, keep) for e in side] for side in (a, b)))


def _row(
    agent: str, episodes: Sequence[Goals], cuts: Mapping[str, Mapping[str, Keep]], seed: int
) -> GoalRow:
    goals = [goal for episode in episodes for goal in episode]
    counts = Counter(goal.failure for goal in goals if not goal.success)
    order = [*FAILURES, *sorted(set(counts) - set(FAILURES))]
    return GoalRow(
        agent=agent,
        episodes=len(episodes),
        goals=len(goals),
        sr=_interval(episodes, _won, seed),
        spl=_interval(episodes, _directly, seed),
        sr_released=_interval(episodes, _won_released, seed),
        spl_released=_interval(episodes, _directly_released, seed),
        cuts=_cut(episodes, cuts, _won, seed),
        spl_cuts=_cut(episodes, cuts, _directly, seed),
        failures={name: counts[name] for name in order if counts[name]},
    )


def _cut(
    episodes: Sequence[Goals], cuts: Mapping[str, Mapping[str, Keep]], value: Value, seed: int
) -> dict[str, dict[str, Interval]]:
    return {
        cut: {name: _interval(episodes, value, seed, keep) for name, keep in groups.items()}
        for cut, groups in cuts.items()
    }


def _interval(
    episodes: Sequence[Goals], value: Value, seed: int, keep: Keep | None = None
) -> Interval:
    return cluster_interval([_values(e, value, keep) for e in episodes], seed=seed)


def _values(episode: Goals, value: Value, keep: Keep | None = None) -> list[float]:
    """The values of those goals that ``keep`` takes and that have one."""
    numbers = (value(goal) for goal in episode if keep is None or keep(goal))
    return [v for v in numbers if v is not None]


def _won(goal: GoalResult) -> float:
    return float(goal.success)


def _won_released(goal: GoalResult) -> float:
    return float(goal.success_released)


def _directly(goal: GoalResult) -> float:
    return goal.spl


def _directly_released(goal: GoalResult) -> float | None:
    return goal.spl_released


def _has(tag: str) -> Keep:
    return lambda goal: tag in tags_of(goal)


def _counts(number: int) -> Keep:
    return lambda goal: goal.attributes == number


def _stands(index: int) -> Keep:
    return lambda goal: goal.index == index


def _ordinal(index: int) -> str:
    return _ORDINALS[index] if index < len(_ORDINALS) else f"{index + 1}th"
