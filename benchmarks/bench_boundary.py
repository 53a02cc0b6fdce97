"""What it costs that an agent has a process of its own: a step of 256 × 256 RGB-D, there and here.

    python benchmarks/bench_boundary.py [--quick] [--json]

The same agent, which looks at nothing, is asked in this process and in its own, in turn, with the
same observations; nothing is simulated meanwhile. What is told is the median of a step in each, and
of what lies between them: packing, copying into shared memory and out of it, two switches of
process, checking. A run is played both ways, too, in turn, by a pool of one worker: there the
agent's process has fallen asleep while the simulator worked, and the caches hold something else.
The goal is 0.3 ms, and counts in the run.
"""

from __future__ import annotations

import argparse
import json
import statistics
import tempfile
import time
from pathlib import Path

import numpy as np

from navproof.agents.protocol import Agent
from navproof.agents.validate import as_decision
from navproof.check.tiny import tiny_episode, tiny_simulator
from navproof.core.types import Move, Observation, TaskBrief
from navproof.log.trace import TraceKey
from navproof.play.env import Env
from navproof.play.hosted import HostedAgent
from navproof.play.session import Session
from navproof.runner.run import run
from navproof.runner.spec import RunSpec
from navproof.tasks import make_task, spec_for, with_camera

GOAL_MS = 0.3
SIZE = 256
TASK = "objectnav-v1"


class Idle:
    """Turns, without looking."""

    sensors = ("rgb", "depth", "pose")

    def reset(self, brief: TaskBrief) -> None: ...

    def act(self, obs: Observation) -> Move:
        return Move.LEFT


def observations(count: int) -> tuple[TaskBrief, list[Observation]]:
    """What an agent is given in the two-room flat while it turns."""
    spec = with_camera(spec_for(TASK), SIZE, SIZE)
    sim = tiny_simulator(TASK)
    env = Env(sim, make_task(TASK, spec), Idle.sensors)
    session = Session(env, TraceKey("idle", "flat"), timed=False)
    session.begin(tiny_episode(TASK, sim, count))
    found = []
    while not session.done:
        found.append(session.observation)
        session.step(as_decision(Move.LEFT, session.brief))
    return session.brief, found


def here(agent: Agent, brief: TaskBrief, obs: Observation) -> float:
    """Milliseconds of a step in this process; the agent gets arrays of its own there, too."""
    began = time.perf_counter()
    own = Observation(obs.step, {name: a.copy() for name, a in obs.readings.items()})
    as_decision(agent.act(own), brief)
    return 1e3 * (time.perf_counter() - began)


def there(agent: HostedAgent, obs: Observation) -> float:
    """Milliseconds of a step in the agent's process."""
    began = time.perf_counter()
    agent.act(obs)
    return 1e3 * (time.perf_counter() - began)


def steps(passes: int) -> dict[str, float]:
    brief, shown = observations(40)
    inside, hosted = Idle(), HostedAgent(f"{__file__}:Idle")
    hosted.reset(brief)
    times: dict[str, list[float]] = {"here": [], "there": []}
    for _ in range(passes):
        times["here"] += [here(inside, brief, obs) for obs in shown]
        times["there"] += [there(hosted, obs) for obs in shown]
    hosted.close()
    found = {name: statistics.median(values) for name, values in times.items()}
    found["between"] = found["there"] - found["here"]
    found["worst_in_100"] = float(np.percentile(times["there"], 99))
    return found


def runs(episodes: int, times: int) -> dict[str, float]:
    """Milliseconds of a step in a run of ``mini`` by one worker, each way: the median of what the
    agent takes and of what the simulator takes, added."""
    steps: dict[str, list[tuple[float, float]]] = {"run_here": [], "run_there": []}
    for _ in range(times):
        for name, in_process in (("run_here", True), ("run_there", False)):
            spec = RunSpec(
                (f"{__file__}:Idle",),
                "mini",
                camera=(SIZE, SIZE),
                episode_limit=episodes,
                in_process=in_process,
            )
            with tempfile.TemporaryDirectory() as folder:
                for trace in run(spec, Path(folder) / "run").traces():
                    timing = trace.timing
                    steps[name] += zip(timing["act_s"], timing["env_s"], strict=False)
    found = {}
    for name, pairs in steps.items():
        acting, simulating = zip(*pairs, strict=True)
        found[f"{name}_act_ms"] = 1e3 * statistics.median(acting)
        found[f"{name}_env_ms"] = 1e3 * statistics.median(simulating)
        found[f"{name}_ms"] = found[f"{name}_act_ms"] + found[f"{name}_env_ms"]
    found["run_between"] = found["run_there_ms"] - found["run_here_ms"]
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help="seconds, for tests")
    parser.add_argument("--json", action="store_true", help="figures as JSON")
    options = parser.parse_args()
    figures = steps(5 if options.quick else 50)
    figures |= runs(1, 1) if options.quick else runs(3, 3)
    if options.json:
        print(json.dumps(figures, indent=2))
        return
    print(f"a step of {SIZE} × {SIZE} RGB-D, median of many, ms")
    print(f"  in this process          {figures['here']:.3f}")
    print(f"  in a process of its own  {figures['there']:.3f}")
    print(f"  the boundary             {figures['between']:.3f}")
    print(f"  slowest of a hundred     {figures['worst_in_100']:.3f}")
    print("a step of a run, median, ms: agent + simulator")
    for name, words in (("run_here", "--in-process"), ("run_there", "usual")):
        parts = f"{figures[f'{name}_act_ms']:.3f} + {figures[f'{name}_env_ms']:.3f}"
        print(f"  {words:24} {parts} = {figures[f'{name}_ms']:.3f}")
    verdict = "reached" if figures["run_between"] <= GOAL_MS else "MISSED"
    print(f"  the boundary             {figures['run_between']:.3f}  (goal {GOAL_MS}: {verdict})")


if __name__ == "__main__":
    main()
