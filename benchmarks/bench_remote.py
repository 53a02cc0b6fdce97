"""What it costs that an agent is on a server: 256 × 256 RGB-D over loopback, and on this machine.

    python benchmarks/bench_remote.py [--quick] [--json]

The same agent, which looks at nothing, is asked in its own process and on a server (the client of
one file, in a process of its own), in turn. What is told: a step in each, without a simulator; the
throughput of runs with the simulator, by one worker and by two, of which the server's is to be 85 %
of the process's at least; and how throughput grows with judges and with batches, where the model
takes 10 ms a call, whether for one observation or for many.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from navproof.agents.client import CLIENT_NAME, client_text
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

GOAL = 0.85
SIZE = 256
TASK = "objectnav-v1"
MODEL_S = 0.01
AGENTS = f"""
import time

class Idle:
    sensors = ("rgb", "depth", "pose")
    def reset(self, brief): pass
    def act(self, obs): return "left"

class Model(Idle):
    "Takes as long for many observations as for one."
    sensors = ("pose",)
    def act(self, obs): return self.act_batch([obs])[0]
    def act_batch(self, observations):
        time.sleep({MODEL_S})
        return ["left"] * len(observations)
"""


@contextmanager
def served(folder: Path, agent: str, *words: str) -> Iterator[tuple[str, int]]:
    """The address of an agent of ``AGENTS``, and its process."""
    command = [sys.executable, CLIENT_NAME, "serve", f"agents.py:{agent}", "--port", "0", *words]
    with subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            yield process.stdout.readline().rpartition(" ")[2].strip(), process.pid
        finally:
            process.kill()


def observations(count: int) -> tuple[TaskBrief, list[Observation]]:
    """What an agent is given in the two-room flat while it turns."""
    spec = with_camera(spec_for(TASK), SIZE, SIZE)
    sim = tiny_simulator(TASK)
    env = Env(sim, make_task(TASK, spec), ("rgb", "depth", "pose"))
    session = Session(env, TraceKey("idle", "flat"), timed=False)
    session.begin(tiny_episode(TASK, sim, count))
    found = []
    while not session.done:
        found.append(session.observation)
        session.step(as_decision(Move.LEFT, session.brief))
    return session.brief, found


def steps(folder: Path, passes: int) -> dict[str, float]:
    """Milliseconds of a step, the median of many, and of processors' time, of both sides (0 where
    the system does not tell)."""
    brief, shown = observations(40)
    with served(folder, "Idle") as (address, pid):
        agents = {"here": HostedAgent(f"{folder}/agents.py:Idle"), "there": HostedAgent(address)}
        times: dict[str, list[float]] = {name: [] for name in agents}
        spent = dict.fromkeys(agents, 0.0)
        for agent in agents.values():
            agent.reset(brief)
        for _ in range(passes):
            for name, agent in agents.items():
                before = _spent_s(agent.pid or pid)
                for obs in shown:
                    began = time.perf_counter()
                    agent.act(obs)
                    times[name].append(1e3 * (time.perf_counter() - began))
                spent[name] += _spent_s(agent.pid or pid) - before
        for agent in agents.values():
            agent.close()
    count = passes * len(shown)
    return {
        **{f"step_{name}_ms": statistics.median(found) for name, found in times.items()},
        **{f"spent_{name}_ms": 1e3 * found / count for name, found in spent.items()},
    }


def _spent_s(pid: int) -> float:
    """Processor time of this process and of another one."""
    other = 0.0
    with contextlib.suppress(OSError):
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        other = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return time.process_time() + other


def runs(folder: Path, episodes: int, rounds: int, most: int) -> dict[str, float]:
    """Steps per second of runs of ``mini``, by workers: what they are busy with while they play."""
    found: dict[str, list[float]] = {}
    with served(folder, "Idle") as (address, _):
        for _ in range(rounds):
            for workers in range(1, most + 1):
                for name, agent in (("here", f"{folder}/agents.py:Idle"), ("there", address)):
                    spec = RunSpec(
                        (agent,), "mini", camera=(SIZE, SIZE), episode_limit=episodes * workers
                    )
                    with tempfile.TemporaryDirectory() as out:
                        done = run(spec, Path(out) / "run", workers=workers)
                        traces = list(done.traces())
                    count = sum(len(trace.actions) for trace in traces)
                    busy_s = sum(sum(t.timing["act_s"]) + sum(t.timing["env_s"]) for t in traces)
                    found.setdefault(f"run_{name}_{workers}", []).append(workers * count / busy_s)
    return {name: statistics.median(rates) for name, rates in found.items()}


def growth(
    folder: Path, seconds: float, sizes: Sequence[int], judging: Sequence[int]
) -> dict[str, float]:
    """Answers per second of a model that takes 10 ms a call, by judges and size of batch."""
    brief, shown = observations(1)
    few = Observation(0, {"pose": shown[0].readings["pose"]})
    rates = {}
    for batch in sizes:
        words = ("--batch", str(batch)) if batch > 1 else ()
        for judges in judging:
            with served(folder, "Model", *words) as (address, _):
                rates[f"batch_{batch}_judges_{judges}"] = _rate(
                    address, brief, few, judges, seconds
                )
    return rates


def _rate(address: str, brief: TaskBrief, obs: Observation, judges: int, seconds: float) -> float:
    agents = [HostedAgent(address) for _ in range(judges)]
    for agent in agents:
        agent.reset(brief)
    counts = [0] * judges
    until = time.perf_counter() + seconds

    def judge(number: int) -> None:
        while time.perf_counter() < until:
            agents[number].act(obs)
            counts[number] += 1

    threads = [threading.Thread(target=judge, args=(number,)) for number in range(judges)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for agent in agents:
        agent.close()
    return sum(counts) / seconds


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help="seconds, for tests")
    parser.add_argument("--json", action="store_true", help="figures as JSON")
    options = parser.parse_args()
    quick = options.quick
    workers = 1 if quick else 2
    sizes, judging = ((1, 4), (1, 4)) if quick else ((1, 4, 8), (1, 2, 4, 8))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / CLIENT_NAME).write_text(client_text())
        (folder / "agents.py").write_text(AGENTS)
        figures = steps(folder, 2 if quick else 50)
        figures |= runs(folder, 1 if quick else 6, 1 if quick else 3, workers)
        figures |= growth(folder, 0.1 if quick else 2.0, sizes, judging)
    if options.json:
        print(json.dumps(figures, indent=2))
        return
    print(
        f"a step of {SIZE} × {SIZE} RGB-D without a simulator, ms: median (processors, both sides)"
    )
    for name, what in (("here", "in a process of its own"), ("there", "on a server, loopback  ")):
        told = f"{figures[f'step_{name}_ms']:.3f}  ({figures[f'spent_{name}_ms']:.3f})"
        print(f"  {what}  {told}")
    print("a run with the simulator, steps per second")
    for count in range(1, workers + 1):
        here, there = figures[f"run_here_{count}"], figures[f"run_there_{count}"]
        share = there / here
        verdict = "reached" if share >= GOAL else "MISSED"
        told = f"  {count} worker{'s' * (count > 1)}: process {here:.0f}, server {there:.0f}"
        print(f"{told}: {share:.0%}  (goal {GOAL:.0%}: {verdict})")
    print(f"answers per second of a model that takes {1e3 * MODEL_S:.0f} ms a call")
    print("  judges           " + "".join(f"{judges:>8}" for judges in judging))
    for batch in sizes:
        rates = [figures[f"batch_{batch}_judges_{judges}"] for judges in judging]
        name = "one at a time" if batch == 1 else f"batches of {batch}"
        print(f"  {name:<17}" + "".join(f"{rate:>8.0f}" for rate in rates))


if __name__ == "__main__":
    main()
