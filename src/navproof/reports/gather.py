"""Run folders to the rows that a report is made of, scored again from the traces.

Of an agent that was run clean and under other conditions, the clean episodes are its ``rows``; its
``trials`` are the episodes of every condition, as results hold them (``trials.py``).
"""

from __future__ import annotations

import shlex
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import cv2
import numpy as np

from navproof.core.errors import NavproofError, RunError
from navproof.log import RunFolder, RunInfo, Trace, TraceKey
from navproof.log.clocks import clock_note, clock_of
from navproof.log.moments import unfolded
from navproof.log.trace import NOT_PLAYED
from navproof.log.usage import Usage, usage_of
from navproof.metrics import GoalResult, built_in, goal_results, result_row
from navproof.metrics.missions.completion import osr
from navproof.metrics.missions.table import MissionResult, mission_result
from navproof.metrics.named import BUILT_IN, MetricLike, MetricSet, metric_set
from navproof.reports.draw.areas import targets_of
from navproof.reports.draw.frames import spread
from navproof.reports.trials import Trial, entitled, trials_of
from navproof.tasks.specs import spec_hash

__all__ = ["OUTCOMES", "Entrant", "Gathered", "Row", "Way", "commands", "gather", "outcome_of"]

_POINTS, _SPOTS = 96, 12  # of a way and of its goals, at most
OUTCOMES: Mapping[str, str] = {
    "success": "success",
    "partly": "found some of its goals",
    "none": "found none of its goals",
    "passed": "was near enough, did not stop there",
    "astray": "stopped away from the goal",
    "fell": "fell over",
    "budget": "ran out of steps or time",
    "agent_error": "agent error",
    "agent_timeout": "agent too slow",
    "memory_limit": "agent out of memory",
    "agent_died": "agent's process died",
    "worker_died": "worker died",
    "env_error": "environment error",
    "infrastructure": "infrastructure",
}
"""How an episode ended, best first: name to what it means."""


@dataclass(frozen=True, slots=True)
class Entrant:
    """One agent (under one condition, from one folder); ``series`` is its colour and shape."""

    label: str
    series: int
    agent: str
    condition: str
    run: int
    privileged: str  # the ground truth it was given, "" for none


@dataclass(frozen=True, slots=True)
class Way:
    """What a small plan shows of an episode: where the robot began, and on which floor; its path,
    straightened; some of the places that count as the goal."""

    floor_m: float
    points: tuple[tuple[float, float], ...]
    goals: tuple[tuple[float, float], ...]


@dataclass(frozen=True, slots=True)
class Row:
    """One episode: ``result`` as ``metrics.result_row`` gives it, and what a report adds.

    ``problem`` is a digest of scene, start and goals: rows of the same id but another problem
    come from suites made by different versions and must not be paired. ``goals`` are those of a
    task that has several, one by one; ``mission`` what the tables of missions need.
    """

    entrant: int
    key: TraceKey
    result: Mapping[str, Any]
    outcome: str
    geodesic_m: float
    problem: str
    goals: tuple[GoalResult, ...] = ()
    mission: MissionResult | None = None
    way: Way | None = None

    @property
    def task(self) -> str:
        return str(self.result["task"])

    @property
    def scene(self) -> str:
        return str(self.result["scene"])


@dataclass(frozen=True, slots=True)
class Gathered:
    """All rows of all runs. Entrants are in order of success rate and SPL, best first.

    ``trials`` is empty where nothing but clean episodes was planned.
    """

    runs: tuple[RunFolder, ...]
    infos: tuple[RunInfo, ...]
    entrants: tuple[Entrant, ...]
    rows: tuple[Row, ...]
    specs: Mapping[str, tuple[str, ...]]  # task to the hashes of its settings
    warnings: tuple[str, ...]
    trials: tuple[Trial, ...] = ()
    metrics: MetricSet = BUILT_IN
    usage: Mapping[int, Usage] = field(default_factory=dict)
    """What entrants asked of language models in their rows, by series."""

    @property
    def tasks(self) -> tuple[str, ...]:
        return tuple(sorted({r.task for r in self.rows}))

    @property
    def scenes(self) -> tuple[str, ...]:
        return tuple(sorted({r.scene for r in self.rows}))

    def doing(self, task: str) -> tuple[Entrant, ...]:
        """The entrants that have done a task, in their order."""
        there = {r.entrant for r in self.rows if r.task == task}
        return tuple(e for e in self.entrants if e.series in there)

    def comparable(self) -> list[tuple[Entrant, ...]]:
        """The entrants, in groups that have tasks in common, directly or through others."""
        groups: list[set[int]] = []
        for task in self.tasks:
            group = {e.series for e in self.doing(task)}
            for other in [g for g in groups if g & group]:
                groups.remove(other)
                group |= other
            groups.append(group)
        groups.sort(key=min)
        return [tuple(e for e in self.entrants if e.series in group) for group in groups]

    def in_sequence(self, task: str) -> bool:
        """Has this task several goals, which are scored one by one?"""
        return any(r.goals for r in self.rows if r.task == task)

    def of(self, entrant: Entrant, task: str | None = None, scene: str | None = None) -> list[Row]:
        """The rows of an entrant, of one task or scene if said."""
        return [
            r
            for r in self.rows
            if r.entrant == entrant.series and task in (None, r.task) and scene in (None, r.scene)
        ]


def outcome_of(trace: Trace, success: bool) -> str:
    """The name in ``OUTCOMES`` of how an episode ended."""
    if trace.status != "ok":
        return trace.status
    if success:
        return "success"
    if goals := goal_results(trace):
        return "partly" if any(g.success for g in goals) else "none"
    if any(event.kind == "fall" for event in trace.events):
        return "fell"
    passed = osr(trace)  # of a mission: ``distances_m`` are those to the sub-task in force
    if min(unfolded(trace).distances_m) <= trace.spec.success_m if passed is None else passed:
        return "passed"
    stopped = bool(trace.actions) and trace.actions[-1] in ("stop", "found")
    return "astray" if stopped else "budget"


def gather(runs: Sequence[RunFolder], metrics: MetricLike | Iterable[MetricLike] = ()) -> Gathered:
    """Score every trace of every run, by ``metrics`` and those that the runs remember too; raises
    ``RunError`` where there is nothing to report."""
    if not runs:
        raise RunError("no run folder was given")
    infos = tuple(run.info for run in runs)
    for run in runs:
        run.check_traces()
    chosen = metric_set(metrics, runs)
    found: dict[tuple[int, str, str], list[Row]] = defaultdict(list)
    specs: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    privileged: dict[tuple[int, str, str], str] = {}
    used: dict[tuple[int, str, str], Usage] = defaultdict(Usage)
    present = [run.keys() for run in runs]
    not_played: Counter[int] = Counter()
    for index, (run, keys) in enumerate(zip(runs, present, strict=True)):
        for key in entitled(keys):
            trace = run.trace(key)
            if trace.status == NOT_PLAYED:
                not_played[index] += 1
                continue
            place = (index, key.agent, key.condition)
            found[place].append(_row(key, trace, chosen))
            specs[trace.episode.task][trace.spec.robot.name].add(spec_hash(trace.spec))
            privileged[place] = str(trace.facts.get("privileged") or "")
            used[place] += usage_of([trace])
    if not found:
        raise RunError(f"{runs[0].path} holds no finished episode yet; let the run get further")
    order = sorted(found, key=lambda place: (*_merit(found[place]), place))
    labels = _labels(order, runs)
    entrants = tuple(
        Entrant(label, i, place[1], place[2], place[0], privileged[place])
        for i, (label, place) in enumerate(zip(labels, order, strict=True))
    )
    rows = tuple(replace(r, entrant=i) for i, place in enumerate(order) for r in found[place])
    shown = {
        task: tuple(sorted(set().union(*hashes.values()))) for task, hashes in sorted(specs.items())
    }
    trials: list[Trial] = []
    for index, (run, keys) in enumerate(zip(runs, present, strict=True)):
        places = {e.agent: e.series for e in entrants if (e.run, e.condition) == (index, "clean")}
        known = {r.key: r.result for r in rows if entrants[r.entrant].run == index}
        trials += trials_of(run, keys, places, known)
    warnings = (
        *_tier_warnings(infos),
        *_clock_warnings(infos),
        *_spec_warnings(specs),
        *_unfinished(runs, infos, present),
        *(
            f"{runs[index].path.name}: {count} of its episodes were not played (infrastructure) "
            "and are left out."
            for index, count in sorted(not_played.items())
        ),
        *_problem_warnings(rows),
        *_episode_warnings(entrants, rows),
        *map(_sentence, (*chosen.notes, *chosen.complaints())),
    )
    usage = {i: used[place] for i, place in enumerate(order) if used[place].calls}
    return Gathered(
        tuple(runs), infos, entrants, rows, shown, warnings, tuple(trials), chosen, usage
    )


def _sentence(note: str) -> str:
    return f"{note[:1].upper()}{note[1:]}."


def _row(key: TraceKey, trace: Trace, chosen: MetricSet) -> Row:
    result = result_row(trace, chosen.metrics)
    outcome = outcome_of(trace, bool(result["success"]))
    shortest, problem = trace.episode.geodesic_m, result["problem"]
    scores = {name: result.get(name) for name in built_in()}
    mission = mission_result(trace, scores)
    goals = goal_results(trace)
    return Row(0, key, result, outcome, shortest, problem, goals, mission, _way(trace))


def _way(trace: Trace) -> Way:
    points = np.array([(p.x, p.y) for p in unfolded(trace).poses], dtype=np.float32)
    for apart_m in (0.05, 0.1, 0.2, 0.4):
        straight = cv2.approxPolyDP(points.reshape(-1, 1, 2), apart_m, False).reshape(-1, 2)
        if len(straight) <= _POINTS:
            break
    kept = spread(len(straight) - 1, _POINTS)
    spots = [(x, y) for goal in targets_of(trace.episode) for x, y, _ in goal.positions]
    shown = [spots[i] for i in spread(len(spots) - 1, _SPOTS)] if spots else []
    path = tuple((float(straight[i][0]), float(straight[i][1])) for i in kept)
    return Way(trace.episode.start.z, path, tuple(shown))


def _merit(rows: Sequence[Row]) -> tuple[float, float]:
    """What entrants are ordered by: success rate, then SPL, of goals where there are several."""
    won = sum(r.result["goal_sr" if r.goals else "success"] for r in rows) / len(rows)
    direct = sum(r.result["goal_spl" if r.goals else "spl"] for r in rows) / len(rows)
    return -round(won, 9), -round(direct, 6)


def _labels(order: Sequence[tuple[int, str, str]], runs: Sequence[RunFolder]) -> list[str]:
    """Agent names; with the condition and the folder added where the name alone is not enough."""
    clean = all(condition == "clean" for _, _, condition in order)
    plain = [agent if clean else f"{agent} · {condition}" for _, agent, condition in order]
    named = _told_apart(plain, [runs[run].path.name for run, _, _ in order])
    if len(set(named)) == len(named):
        return named
    return _told_apart(plain, [str(runs[run].path) for run, _, _ in order])


def _told_apart(names: Sequence[str], places: Sequence[str]) -> list[str]:
    """The names, those that occur more than once with their place behind."""
    counts = Counter(names)
    return [n if counts[n] == 1 else f"{n} ({p})" for n, p in zip(names, places, strict=True)]


def _spec_warnings(specs: Mapping[str, Mapping[str, set[str]]]) -> list[str]:
    """One protocol for each task and robot."""
    found = []
    for task, robots in sorted(specs.items()):
        for robot, hashes in sorted(robots.items()):
            if len(hashes) > 1:
                where = f"{task} on {robot}" if len(robots) > 1 else task
                found.append(
                    f"{where} was run under {len(hashes)} different protocols (spec hashes "
                    f"{', '.join(sorted(hashes))}). These results cannot be compared with one "
                    "another."
                )
    return found


def _tier_warnings(infos: Sequence[RunInfo]) -> list[str]:
    """Kinematic and physical results are never mixed."""
    found = sorted({str(info.spec.get("simulator", "embedded")) for info in infos})
    if len(found) < 2:
        return []
    return [f"These runs are of different simulators ({', '.join(found)}): do not compare them."]


def _clock_warnings(infos: Sequence[RunInfo]) -> list[str]:
    """A world that went on while agents made up their minds gives other results."""
    found = sorted({clock_of(info) for info in infos})
    if len(found) > 1:
        return [
            f"These runs had different clocks ({', '.join(found)}): while agents made up their "
            "minds, the world waited in some and went on in others. Their results do not compare."
        ]
    return list(map(_sentence, clock_note(infos[0])))


def _unfinished(
    runs: Sequence[RunFolder],
    infos: Sequence[RunInfo],
    present: Sequence[Sequence[TraceKey]],
) -> list[str]:
    there = [set(keys) for keys in present]
    planned = [set(info.planned()) for info in infos]
    return [
        f"{run.path.name or run.path} is {_part(info)}: {len(keys & plan)} of {len(plan)} episodes."
        for run, info, keys, plan in zip(runs, infos, there, planned, strict=True)
        if plan - keys
    ]


def _part(info: RunInfo) -> str:
    return "not finished" if info.shard is None else f"shard {info.shard} of a run"


def _problem_warnings(rows: Sequence[Row]) -> list[str]:
    """The same id must mean the same problem."""
    problems: dict[tuple[str, str], set[str]] = defaultdict(set)
    for row in rows:
        problems[row.task, row.key.episode_id].add(row.problem)
    twofold = sorted(episode for (_, episode), found in problems.items() if len(found) > 1)
    if not twofold:
        return []
    return [
        f"{len(twofold)} episodes (such as {twofold[0]}) have another start or goal in another "
        "run: their suites were made by different versions. These results cannot be compared."
    ]


def _episode_warnings(entrants: Sequence[Entrant], rows: Sequence[Row]) -> list[str]:
    """Means over different episodes do not compare; say so. Tasks that an agent does not do at all
    are no episodes that it lacks."""
    sets: dict[int, set[tuple[str, str, int]]] = defaultdict(set)
    for row in rows:
        sets[row.entrant].add((row.task, row.key.episode_id, row.key.seed))
    everything = set().union(*sets.values())
    lacking: dict[str, int] = {}
    for entrant in entrants:
        mine = sets[entrant.series]
        tasks = {task for task, _, _ in mine} or {task for task, _, _ in everything}
        lacking[entrant.label] = sum(one[0] in tasks for one in everything - mine)
    missing = [f"{label} lacks {count}" for label, count in lacking.items() if count]
    if not missing:
        return []
    return [
        f"Not every agent has run all {len(everything)} episodes ({', '.join(missing)}), so the "
        "means are over different episodes. Paired differences use the episodes both have run."
    ]


def _usual_conditions(suite: str) -> tuple[str, ...]:
    """What a suite brings with it; clean alone where its file is not at hand."""
    from navproof.runner.conditions import expand_conditions, usual_conditions

    try:
        return expand_conditions(usual_conditions(suite))
    except NavproofError:
        return expand_conditions(())


def commands(g: Gathered) -> list[str]:
    """What to type to get these numbers again."""
    lines = []
    for run, info in zip(g.runs, g.infos, strict=True):
        words = [f"--agent {','.join(info.agents)}", f"--suite {info.spec.get('suite') or 'SUITE'}"]
        if info.spec.get("episode_count"):
            words.append(f"--limit {info.spec['episode_count']}")
        if info.spec.get("episode_skip"):
            words.append(f"--skip {info.spec['episode_skip']}")
        if info.spec.get("robots"):
            words.append(f"--robot {','.join(info.spec['robots'])}")
        if info.spec.get("people"):
            words.append(f"--people {info.spec['people']}")
        if clock_of(info) != "wait":
            words.append(f"--clock {clock_of(info)}")
        if str(info.spec.get("simulator", "embedded")) != "embedded":
            words.append(f"--simulator {info.spec['simulator']}")
        if info.spec.get("camera"):
            words.append("--camera {}x{}".format(*info.spec["camera"]))
        if info.conditions != _usual_conditions(str(info.spec.get("suite"))):
            words.append(f"--condition {shlex.quote(','.join(info.conditions))}")
        if info.seeds != (0,):
            words.append(f"--seed {info.seeds[0]} --seeds {len(info.seeds)}")
        if info.shard is not None:
            words.append(f"--shard {info.shard}")
        lines.append(f"navproof run {' '.join(words)} -o {run.path}")
    paths = " ".join(str(run.path) for run in g.runs)
    lines += [f"navproof score {run.path}" for run in g.runs]
    diagnosed = [run.path for run in g.runs if (run.path / "diagnosis.json").is_file()]
    lines += [f"navproof diagnose {path}" for path in diagnosed]
    return [*lines, f"navproof report {paths} -o report.html"]
