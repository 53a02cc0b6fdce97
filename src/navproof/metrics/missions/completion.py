"""How much of a mission was done? SR, full-SR, CSR, SGC and OSR of OmniNavBench.

With S the success at the final goal (``success``: the agent stops within δ_g = 2.0 m of it), K
the number of sub-tasks and K_c those completed by the rules of Table II in their order,

    full-SR = S · [K_c = K]        CSR = K_c / K        SGC = (1/K) Σ_j P_j      (Table III, A-3)

with the progress P of a sub-task

    P = min(1, r / d_min)      for points, objects, landmarks and the way back
    P = [entered]              for rooms
    P = HFR                    for following

r the distance within which the sub-task counts as done, d_min the least distance to its goal in
the whole episode; on the way back, after the robot has been more than 2.0 m away. SR, OSR and SPL
of a mission are the columns ``success``, ``oracle_success`` and ``spl`` that every task has.

The released code differs, and gives the variants ``…_released``: distances to the final goal are
straight ones; success does not ask whether the robot ever left a goal at which it started, oracle
success does of any such goal; the shortest path is the straight line from the start to the final
goal; CSR is 1 where every sub-task was completed, else 0.
"""

from __future__ import annotations

import math
from itertools import pairwise

from navproof.log.moments import at_every_moment
from navproof.log.trace import Trace
from navproof.metrics.missions.following import follow_ratios
from navproof.metrics.missions.goal import (
    arrived,
    arrived_at,
    final_distances_m,
    flat_distances_m,
    goal_distances_m,
    leaves_at,
    within,
)
from navproof.metrics.missions.record import done_at, is_mission, nothing_recorded, stopped
from navproof.metrics.navigation.lengths import path_ratio, walked_m
from navproof.metrics.registry import register_metric

__all__ = [
    "csr",
    "csr_released",
    "final_distances_m",
    "full_sr",
    "is_mission",
    "osr",
    "osr_released",
    "progress",
    "sgc",
    "spl_released",
    "sr",
    "sr_released",
]

_PAPER = "Sun et al. 2026, OmniNavBench, Table III and appendix A-3, arXiv:2605.09441"
_CODE = "released code of OmniNavBench, bench/evaluator/offline_test.py"


def sr(trace: Trace) -> float | None:
    """1 if the agent stopped at the final goal of the mission, else 0; None for other tasks."""
    return float(arrived(trace)) if is_mission(trace) else None


@at_every_moment
def osr(trace: Trace) -> float | None:
    """1 if the robot ever was at the final goal of the mission, else 0; None for other tasks."""
    if not is_mission(trace):
        return None
    return float(trace.status == "ok" and arrived_at(trace) is not None)


@register_metric(
    "full_sr",
    label="full-SR",
    definition=(
        "1 if every sub-task of a mission was completed in order and the agent stopped within the "
        "success distance of the final goal, else 0."
    ),
    source=f"{_PAPER}; section IV",
    family="completion",
    bounded=True,
    binary=True,
    applies=is_mission,
)
def full_sr(trace: Trace) -> float | None:
    """1 if every sub-task was completed in order and the agent stopped at the final goal."""
    if not is_mission(trace):
        return None
    return float(arrived(trace) and csr(trace) == 1.0)


@register_metric(
    "csr",
    label="CSR",
    definition="Share of the sub-tasks of a mission that were completed in their order.",
    source=_PAPER,
    family="completion",
    bounded=True,
    applies=is_mission,
)
def csr(trace: Trace) -> float | None:
    """Share of the sub-tasks that were completed in their order."""
    if not is_mission(trace):
        return None
    tasks = range(len(trace.episode.subtasks))
    return len(done_at(trace).keys() & set(tasks)) / len(tasks)


@register_metric(
    "sgc",
    label="SGC",
    definition=(
        "Mean progress of the sub-tasks of a mission: success distance / least distance to the "
        "goal (at most 1), room entered or not, share of the time followed."
    ),
    source=_PAPER,
    family="completion",
    bounded=True,
    applies=is_mission,
)
def sgc(trace: Trace) -> float | None:
    """Mean progress of the sub-tasks."""
    if not is_mission(trace):
        return None
    return math.fsum(progress(trace)) / len(trace.episode.subtasks)


@at_every_moment
def progress(trace: Trace) -> tuple[float, ...]:
    """P of every sub-task, in [0, 1]; all 0 where nothing was recorded."""
    tasks = trace.episode.subtasks
    if nothing_recorded(trace):
        return (0.0,) * len(tasks)
    ratios, done = follow_ratios(trace), done_at(trace)
    shares = []
    for index, task in enumerate(tasks):
        if task.kind == "follow_human":
            shares.append(ratios[index])
        elif task.kind == "goto_room":
            shares.append(float(index in done or _came_in(trace, index)))
        else:
            distances = goal_distances_m(trace, index)
            since = leaves_at(distances) if task.kind == "return_to" else 0
            nearest = min(distances[since:], default=math.inf)
            shares.append(1.0 if within(nearest, task.within_m) else task.within_m / nearest)
    return tuple(shares)


def _came_in(trace: Trace, index: int) -> bool:
    """Whether the robot came into the room from outside, in its turn or not."""
    inside = trace.channels.get(f"subtask.{index}.inside", ())
    return any(now > before for before, now in pairwise(inside))


# ------------------------------------------------------------------------- as the released code


@register_metric(
    "sr_released",
    label="SR (released)",
    definition=(
        "1 if the agent stopped within the success distance of the final goal in a straight line."
    ),
    source=_CODE,
    family="completion",
    bounded=True,
    binary=True,
    applies=is_mission,
)
def sr_released(trace: Trace) -> float | None:
    """1 if the agent stopped within the success distance, in a straight line, of the final goal."""
    if not is_mission(trace):
        return None
    distances = flat_distances_m(trace, trace.episode.subtasks[-1])
    near = within(distances[-1], trace.spec.success_m)
    return float(trace.status == "ok" and stopped(trace) and near)


@register_metric(
    "osr_released",
    label="OSR (released)",
    definition=(
        "1 if the robot ever was within the success distance of the final goal in a straight line, "
        "after having left it where it started there."
    ),
    source=_CODE,
    family="completion",
    bounded=True,
    binary=True,
    applies=is_mission,
)
@at_every_moment
def osr_released(trace: Trace) -> float | None:
    """1 if the robot ever was within the success distance, in a straight line, of the final goal;
    where it started there, after having left it."""
    if not is_mission(trace):
        return None
    last = trace.episode.subtasks[-1]
    distances = flat_distances_m(trace, last)
    limit = trace.spec.success_m
    at_home = last.kind == "return_to" or within(distances[0], limit)
    since = leaves_at(distances) if at_home else 0
    return float(trace.status == "ok" and any(within(d, limit) for d in distances[since:]))


@register_metric(
    "spl_released",
    label="SPL (released)",
    definition=(
        "SR (released) × straight line from start to final goal / max(path taken, that line)."
    ),
    source=_CODE,
    family="completion",
    bounded=True,
    applies=is_mission,
)
@at_every_moment
def spl_released(trace: Trace) -> float | None:
    """``sr_released`` weighted by the straight line from start to final goal over the path taken;
    0 where that line has no length."""
    won = sr_released(trace)
    if won is None:
        return None
    straight = flat_distances_m(trace, trace.episode.subtasks[-1])[0]
    return won * path_ratio(straight, walked_m(trace.poses)) if straight > 0 else 0.0


@register_metric(
    "csr_released",
    label="CSR (released)",
    definition="1 if every sub-task of a mission was completed in order, else 0.",
    source=_CODE,
    family="completion",
    bounded=True,
    binary=True,
    applies=is_mission,
)
def csr_released(trace: Trace) -> float | None:
    """1 if every sub-task was completed in order, else 0."""
    share = csr(trace)
    return None if share is None else float(share == 1.0)
