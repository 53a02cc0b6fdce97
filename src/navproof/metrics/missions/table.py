"""Missions in the layouts of OmniNavBench: Table IV (agent × robot), V (agent × style), VII (what
robots do in pauses) and Figure 4 (ways to fail; homes against commercial spaces), with intervals;
and how often each kind of sub-task was done.

    from navproof.metrics.missions.table import LAYOUTS, mission_results, mission_table

    for row in mission_table(mission_results(folder.traces()), LAYOUTS["robot"]):
        print(row.group, {METRICS[name].label: i.mean for name, i in row.scores.items()})

Every interval says over how many episodes (or pause windows) it is; a metric that no episode of a
group defines has n = 0. Intervals resample episodes; the pauses and the sub-tasks of an episode
belong together (``metrics.stats.clusters``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import get_args

from navproof.core.errors import NavproofError, SpecError
from navproof.core.types import SubTaskKind
from navproof.corruptions.condition import parse_condition
from navproof.log.trace import Trace
from navproof.metrics.catalogue import score
from navproof.metrics.missions.completion import progress
from navproof.metrics.missions.failures import MODES, mission_end
from navproof.metrics.missions.pauses import BEHAVIOURS, PauseWindow, pause_windows
from navproof.metrics.missions.record import done_at
from navproof.metrics.registry import METRICS
from navproof.metrics.stats.clusters import cluster_interval
from navproof.metrics.stats.stats import Interval, mean_interval

__all__ = [
    "COLUMNS",
    "GROUPS",
    "KINDS",
    "LAYOUTS",
    "RELEASED",
    "MissionResult",
    "MissionRow",
    "SubTaskResult",
    "mission_result",
    "mission_results",
    "mission_table",
    "style_of",
]

COLUMNS = (
    *("success", "full_sr", "csr", "sgc", "oracle_success", "spl"),
    *("hfs", "hfr", "sii", "eqa_acc"),
)
"""Metrics in the order of Tables IV and V, full-SR beside SR."""
RELEASED = (
    *("sr_released", "csr_released", "osr_released", "spl_released"),
    *("hfs_released", "hfr_released", "sii_released", "eqa_acc_released"),
)
"""The same as the released code computes them."""
LAYOUTS: Mapping[str, tuple[str, ...]] = {
    "robot": ("agent", "robot"),
    "style": ("agent", "robot", "style"),
    "pauses": ("agent", "robot"),
    "failures": ("agent", "robot"),
    "scenes": ("agent", "robot", "scenes"),
}
"""What each table of the paper groups by: IV, V, VII, and both parts of Figure 4."""
GROUPS = ("agent", "robot", "style", "scenes", "condition")
"""What missions can be grouped by."""
KINDS: tuple[str, ...] = get_args(SubTaskKind)
"""Of sub-tasks, in the order of tables."""


@dataclass(frozen=True, slots=True)
class SubTaskResult:
    """One sub-task: was it done, in its turn, and how far did it come (``mission.progress``)?"""

    kind: str
    done: bool
    progress: float


@dataclass(frozen=True, slots=True)
class MissionResult:
    """One episode. ``group`` says by ``GROUPS`` what it belongs to, ``values`` holds every metric,
    ``end`` is "success" or one of ``mission_failures.MODES``."""

    group: Mapping[str, str]
    values: Mapping[str, float | None]
    end: str
    pauses: tuple[PauseWindow, ...]
    subtasks: tuple[SubTaskResult, ...] = ()


@dataclass(frozen=True, slots=True)
class MissionRow:
    """One line of a table. ``scores`` and ``released`` are means over the episodes that define the
    metric, ``failures`` shares of the ``episodes`` (all of ``MODES``; with SR they sum to 1),
    ``pauses`` shares of the ``windows`` (all of ``BEHAVIOURS``, in order); ``done`` and
    ``progress`` are means over the sub-tasks of each of ``KINDS``."""

    group: Mapping[str, str]
    episodes: int
    scores: Mapping[str, Interval]
    released: Mapping[str, Interval]
    failures: Mapping[str, Interval]
    windows: int
    pauses: Mapping[str, Interval]
    done: Mapping[str, Interval]
    progress: Mapping[str, Interval]

    @property
    def failure_rate(self) -> float:
        """1 − SR, as the bars of Figure 4."""
        return 1.0 - self.scores["success"].mean


def mission_result(
    trace: Trace, values: Mapping[str, float | None] | None = None
) -> MissionResult | None:
    """What the tables need of one trace; None for other tasks. ``values`` are its metrics, where
    they are at hand."""
    end = mission_end(trace)
    if end is None:
        return None
    group = {
        "agent": trace.key.agent,
        "robot": _robot(trace),
        "style": style_of(trace),
        "scenes": "home" if trace.episode.scene.split("/")[0] == "home" else "commercial",
        "condition": _corrupted(trace.key.condition),
    }
    completed = done_at(trace)
    came = zip(trace.episode.subtasks, progress(trace), strict=True)
    subtasks = tuple(
        SubTaskResult(task.kind, index in completed, share)
        for index, (task, share) in enumerate(came)
    )
    values = score(trace) if values is None else values
    return MissionResult(group, values, end, pause_windows(trace), subtasks)


def _robot(trace: Trace) -> str:
    """What its robot is called: one from a file what it calls itself."""
    name = trace.episode.robot
    is_file = ":" in name or name.endswith(".toml")
    return trace.spec.robot.name if is_file or not name else name


def mission_results(traces: Iterable[Trace]) -> list[MissionResult]:
    """Every mission among the traces, in their order."""
    return [result for trace in traces if (result := mission_result(trace)) is not None]


def style_of(trace: Trace) -> str:
    """The style of the words that the agent was given: the episode's tag ``style``, or the one of
    its ``wordings`` that it heard; "original" otherwise."""
    tag = trace.episode.tags.get("style")
    if isinstance(tag, str):
        return tag
    text = trace.episode.instruction.text if trace.episode.instruction else ""
    texts = [event.data.get("text") for event in trace.events if event.kind == "heard"]
    text = str(texts[0]) if texts else text
    same = (style for style, words in trace.episode.wordings.items() if words == text)
    return next(same, "original")


def mission_table(
    results: Iterable[MissionResult],
    by: Sequence[str] = LAYOUTS["robot"],
    *,
    confidence: float = 0.95,
    seed: int = 0,
) -> list[MissionRow]:
    """One row for each combination of the ``by`` names (of ``GROUPS``) that occurs, in order of
    appearance."""
    for name in by:
        if name not in GROUPS:
            raise SpecError(f"missions are grouped by {', '.join(GROUPS)}, not by '{name}'")
    groups: dict[tuple[str, ...], list[MissionResult]] = {}
    for result in results:
        groups.setdefault(tuple(result.group[name] for name in by), []).append(result)
    return [
        _row(dict(zip(by, names, strict=True)), members, confidence, seed)
        for names, members in groups.items()
    ]


def _row(
    group: Mapping[str, str], members: Sequence[MissionResult], confidence: float, seed: int
) -> MissionRow:
    def means(names: Sequence[str]) -> dict[str, Interval]:
        return {name: _mean(members, name, confidence, seed) for name in names}

    def ends(mode: str) -> Interval:
        values = [float(member.end == mode) for member in members]
        return mean_interval(values, confidence=confidence, seed=seed)

    def waits(behaviour: str) -> Interval:
        values = [[float(w.behaviour == behaviour) for w in member.pauses] for member in members]
        return cluster_interval(values, confidence=confidence, seed=seed)

    def parts(kind: str, value: Callable[[SubTaskResult], float]) -> Interval:
        values = [[value(s) for s in member.subtasks if s.kind == kind] for member in members]
        return cluster_interval(values, confidence=confidence, seed=seed)

    return MissionRow(
        group=group,
        episodes=len(members),
        scores=means(COLUMNS),
        released=means(RELEASED),
        failures={mode: ends(mode) for mode in MODES},
        windows=sum(len(member.pauses) for member in members),
        pauses={behaviour: waits(behaviour) for behaviour in BEHAVIOURS},
        done={kind: parts(kind, lambda s: float(s.done)) for kind in KINDS},
        progress={kind: parts(kind, lambda s: s.progress) for kind in KINDS},
    )


def _mean(members: Sequence[MissionResult], name: str, confidence: float, seed: int) -> Interval:
    values = [value for member in members if (value := member.values[name]) is not None]
    return mean_interval(values, confidence=confidence, seed=seed, bounded=METRICS[name].bounded)


def _corrupted(condition: str) -> str:
    """The condition without its style; as it is where its corruptions are not at hand."""
    try:
        return parse_condition(condition).corrupted.name
    except NavproofError:
        return condition
