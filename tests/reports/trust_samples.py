"""Runs under corruptions written by hand, over the tiny scene: who fails where is a table."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from sample_run import make_trace

from navproof.core.types import Event
from navproof.log import RunFolder, RunInfo, Skipped, Trace, TraceKey
from navproof.log.storage import encode_trace
from navproof.metrics import result_row
from navproof.tasks.specs import spec_hash

__all__ = ["COUNT", "EVIL", "spoiled_trace", "trust_run"]

COUNT = 10
EVIL = "<script>alert(1)</script>"
WORDS = {
    "friendly": "Hi! Please leave the living room, pass the red table on your left, and then stop"
    " by the green box, thank you.",
    "mask_100": "[MASK] the living [MASK], pass the [MASK] [MASK] on your left.",
}


@cache
def _whole(task: str, index: int) -> Trace:
    return make_trace("direct", task, index)


@cache
def _scored(task: str, index: int, condition: str, fails: bool) -> dict[str, Any]:
    return result_row(spoiled_trace("", task, index, condition, fails=fails))


def spoiled_trace(
    agent: str, task: str, index: int, condition: str, seed: int = 0, fails: bool = False
) -> Trace:
    """``direct``'s way; where it fails, half of it and back again until the steps are used up."""
    trace = _whole(task, index)
    if fails:
        half = len(trace.poses) // 2
        back = range(half, -1, -1)
        places = [*range(half + 1), *back]
        poses = tuple(trace.poses[i] for i in places)
        actions = ("forward",) * half + ("left",) + ("forward",) * (len(poses) - half - 2)
        distances = tuple(trace.distances_m[i] for i in places)
        trace = replace(
            trace,
            poses=poses,
            actions=actions,
            collisions=tuple(i > half for i in range(len(actions))),
            distances_m=distances,
            events=(Event(len(actions) - 1, "timeout", {"distance_m": distances[-1]}),),
        )
    told = ()
    if condition in WORDS:
        told = (Event(0, "heard", {"text": WORDS[condition]}),)
    if condition == "white_box":
        told = (Event(0, "prompt", {"text": "Keep close to the walls."}),)
    seconds = 0.0 if condition == "clean" else 0.002
    steps = len(trace.actions)
    return replace(
        trace,
        key=TraceKey(agent, trace.key.episode_id, condition, seed),
        events=(*told, *trace.events),
        facts={"sensors": "rgb,depth"},
        timing={
            "reset_s": (0.5,),
            "act_s": (0.01,) * steps,
            "env_s": (0.004 + seconds,) * steps,
            "corrupt_s": (seconds,) * steps,
        },
    )


def _write(run: RunFolder, trace: Trace) -> str:
    """As the folder does, without waiting for the disk: the line for the manifest."""
    path, data = run.trace_path(trace.key), encode_trace(trace)
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(data)
    digest = hashlib.sha256(data).hexdigest()
    return json.dumps({"file": path.relative_to(run.path).as_posix(), "sha256": digest}) + "\n"


def trust_run(
    folder: Path,
    losses: Mapping[str, Mapping[str, int]],
    *,
    tasks: Sequence[str] = ("vln-v1",),
    count: int = COUNT,
    skipped: Sequence[Skipped] = (),
    seeds: Sequence[int] = (0,),
    results: bool = True,
) -> Path:
    """``losses``: agent to condition to how many of the first episodes fail. Conditions that an
    agent has no number for were skipped."""
    run = RunFolder(folder)
    ids = tuple(_whole(task, i).key.episode_id for task in tasks for i in range(count))
    conditions = tuple(dict.fromkeys(c for lost in losses.values() for c in lost))
    run.create(
        RunInfo(
            spec={"suite": "trust", "agents": list(losses), "tasks": list(tasks)},
            spec_hash=spec_hash(_whole(tasks[0], 0).spec),
            agents=tuple(losses),
            episodes=ids,
            conditions=conditions,
            seeds=tuple(seeds),
            versions={"navproof": "0.1.0"},
            tasks=tuple(task for task in tasks for _ in range(count)),
            skipped=tuple(skipped),
        )
    )
    rows, lines = [], []
    for agent, lost in losses.items():
        for condition, many in lost.items():
            for seed in seeds:
                for task in tasks:
                    for i in range(count):
                        trace = spoiled_trace(agent, task, i, condition, seed, i < many)
                        lines.append(_write(run, trace))
                        row = _scored(task, i, "clean" if condition == "clean" else "any", i < many)
                        names = {"agent": agent, "condition": condition, "seed": seed}
                        rows.append(row | names)
    run.manifest.path.write_text("".join(lines))
    if results:
        run.write_results(rows)
    return folder
