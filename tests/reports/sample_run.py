"""Run folders written by hand, over the tiny scene: three agents, three tasks, known answers."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

from navproof.core.seeding import rng
from navproof.core.types import Episode, Event, Goal, Instruction, Point, Pose, TaskSpec
from navproof.log import RunFolder, RunInfo, Trace, TraceKey
from navproof.tasks.specs import spec_for, spec_hash

__all__ = ["AGENTS", "make_trace", "sample_run"]

AGENTS = ("direct", "wanderer", "broken")
TASKS = ("objectnav-v1", "pointnav-v1", "vln-v1")
_DOOR = (0.0, 2.0)


def _episode(task: str, index: int, scene: str) -> Episode:
    """From the west room to the east one. Odd episodes are longer."""
    start = (-3.0 + 0.1 * (index % 4), 1.0 + 0.2 * (index % 5))
    goal = (2.0 + 0.15 * (index % 6), 1.2 + 0.15 * (index % 4))
    path: tuple[Point, ...] = ((*start, 0.0), (*_DOOR, 0.0), (*goal, 0.0))
    length = math.dist(start, _DOOR) + math.dist(_DOOR, goal)
    yaw = math.atan2(_DOOR[1] - start[1], _DOOR[0] - start[0])
    if task.startswith("objectnav"):
        spots = tuple((1.3 + 0.2 * k, 2.9, 0.0) for k in range(8))
        goals = Goal("object", spots, "chair", (11,), "chair")
        words = "Find a chair."
        length = math.dist(start, _DOOR) + math.dist(_DOOR, spots[0][:2])
        path = (*path[:2], spots[0])
    elif task.startswith("vln"):
        goals = Goal("point", ((*goal, 0.0),))
        words = "Leave the living room, pass the red table on your left, and stop by the green box."
    else:
        goals = Goal("point", ((*goal, 0.0),))
        words = "Go to the point."
    return Episode(
        episode_id=f"{task.split('-')[0]}-{index:03d}",
        task=task,
        scene=scene,
        start=Pose(*start, 0.0, yaw),
        goals=(goals,),
        geodesic_m=round(length, 4),
        reference_path=path,
        budget_steps=60,
        seed=index,
        instruction=Instruction(words),
    )


def _walk(corners: list[tuple[float, float]], step: float = 0.25) -> list[Pose]:
    poses: list[Pose] = []
    for (x0, y0), (x1, y1) in pairwise(corners):
        count = max(1, round(math.dist((x0, y0), (x1, y1)) / step))
        yaw = math.atan2(y1 - y0, x1 - x0)
        for i in range(count):
            share = i / count
            poses.append(Pose(x0 + share * (x1 - x0), y0 + share * (y1 - y0), 0.0, yaw))
    poses.append(Pose(*corners[-1], 0.0, poses[-1].yaw))
    return [Pose(round(p.x, 6), round(p.y, 6), p.z, round(p.yaw, 6)) for p in poses]


def _distance(pose: Pose, episode: Episode) -> float:
    """Closed form: straight inside the east room, else through the middle of the doorway."""
    here = (pose.x, pose.y)
    targets = [p[:2] for p in episode.goals[0].positions]
    if pose.x >= 0:
        return min(math.dist(here, t) for t in targets)
    return math.dist(here, _DOOR) + min(math.dist(_DOOR, t) for t in targets)


def make_trace(
    agent: str, task: str, index: int, spec: TaskSpec | None = None, scene: str = "tiny"
) -> Trace:
    """``direct`` follows the reference path; ``wanderer`` strays and mostly runs out of steps;
    ``broken`` raises in every third episode and else stops in the doorway."""
    episode = _episode(task, index, scene)
    reference = [(x, y) for x, y, _ in episode.reference_path]
    noise = rng(7, episode.episode_id, agent)
    status, reason, last = "ok", "", "stop"
    if agent == "direct":
        poses = _walk(reference)
    elif agent == "wanderer":
        detours = [tuple(noise.uniform((-3.5, 0.4), (-0.6, 2.6))) for _ in range(2 + index % 3)]
        tail = reference[1:] if index % 2 == 0 else [_DOOR, (0.6, 2.0)]
        poses = _walk([reference[0], *((float(x), float(y)) for x, y in detours), *tail])
        last = "stop" if index % 2 == 0 else "forward"
    else:
        poses = _walk([reference[0], _DOOR])
        if index % 3 == 0:
            poses, status, last = poses[:5], "agent_error", "forward"
            reason = "act raised ValueError: cannot reshape array of size 0 into shape (3, 3)"
    actions = ["forward"] * (len(poses) - 1)
    if last == "stop":
        poses.append(poses[-1])
        actions.append("stop")
    distances = tuple(round(_distance(p, episode), 6) for p in poses)
    kind = "stop" if last == "stop" else "timeout"
    return Trace(
        key=TraceKey(agent, episode.episode_id),
        episode=episode,
        spec=spec or spec_for(task),
        status=status,  # type: ignore[arg-type]
        reason=reason,
        poses=tuple(poses),
        actions=tuple(actions),
        collisions=tuple(i % 9 == 8 for i in range(len(actions))),
        distances_m=distances,
        events=(Event(len(actions) - 1, kind, {"distance_m": distances[-1]}),),
        timing={"act_s": tuple(0.001 * (i + 1) for i in range(len(actions)))},
    )


def sample_run(
    folder: Path,
    agents: tuple[str, ...] = AGENTS,
    tasks: tuple[str, ...] = TASKS,
    count: int = 12,
    success_m: float | None = None,
    scene: str = "tiny",
) -> Path:
    """A finished run folder; ``success_m`` changes the protocol (and so its hash)."""
    run = RunFolder(folder)
    traces = []
    for agent in agents:
        for task in tasks:
            spec = spec_for(task)
            if success_m is not None:
                spec = replace(spec, success_m=success_m)
            traces += [make_trace(agent, task, i, spec, scene) for i in range(count)]
    ids = tuple(dict.fromkeys(t.key.episode_id for t in traces))
    run.create(
        RunInfo(
            spec={"suite": "sample", "agents": list(agents), "tasks": list(tasks)},
            spec_hash=spec_hash(traces[0].spec),
            agents=agents,
            episodes=ids,
            versions={"navproof": "0.1.0", "numpy": "2.0"},
        )
    )
    for trace in traces:
        run.write(trace)
    return folder
