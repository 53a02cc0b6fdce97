"""How fast the agents that see are, all in, on one core: steps per second, and where the time is.

    python benchmarks/bench_search.py [--agents mlfm,onemap] [--episodes 3] [--quick] [--json]

Each agent plays LangNav episodes of the suite ``langnav-val`` (three goals, 256×256 RGB-D), as the
runner would. Times are processor time. *eyes* is spent inside the encoder and the detector, *mind*
in the rest of the agent (mapping, asking, planning), *env* in the environment (moving, rendering,
judging).
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from bench_render import pin_to_one_core
from navproof.agents.load import load_agent
from navproof.agents.sets import expand_agents
from navproof.agents.validate import as_decision
from navproof.core.types import Episode
from navproof.perception.detector import DefaultDetector
from navproof.perception.encoder import DefaultEncoder
from navproof.play.env import Env
from navproof.sim.embedded import EmbeddedSimulator
from navproof.tasks import make_task
from navproof.tasks.suites import load_suite


class Clock:
    """Processor time spent inside functions."""

    def __init__(self) -> None:
        self.spent = 0.0

    def around(self, call: Callable[..., Any]) -> Callable[..., Any]:
        def timed(*arguments: Any) -> Any:
            start = time.process_time()
            try:
                return call(*arguments)
            finally:
                self.spent += time.process_time() - start

        return timed


def bench(name: str, episodes: list[Episode], eyes: Clock, most: float) -> dict[str, Any]:
    """Of each episode, ``most`` steps are played."""
    factory = load_agent(name)
    agent = factory()
    sim = EmbeddedSimulator()
    steps, acting, stepping, longest = 0, [], 0.0, 0.0
    before = eyes.spent
    for episode in episodes:
        env = Env(sim, make_task(episode.task), factory.sensors)
        brief, observation = env.reset(episode)
        agent.reset(brief)
        began, end = time.process_time(), steps + most
        while not env.done and steps < end:
            start = time.process_time()
            decision = as_decision(agent.act(observation), brief)
            acted = time.process_time()
            observation = env.step(decision.action).observation
            env.distance_to_goal()
            stepping += time.process_time() - acted
            acting.append(acted - start)
            steps += 1
        longest = max(longest, time.process_time() - began)
    seeing = eyes.spent - before
    return {
        "agent": name,
        "steps": steps,
        "steps_per_s": steps / (sum(acting) + stepping),
        "eyes_ms": 1e3 * seeing / steps,
        "mind_ms": 1e3 * (sum(acting) - seeing) / steps,
        "env_ms": 1e3 * stepping / steps,
        "act_ms_99": 1e3 * float(np.quantile(acting, 0.99)),
        "longest_episode_s": longest,
    }


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--agents", default="mlfm,onemap-v2,mopa,vlmaps")
    parser.add_argument("--episodes", type=int, default=3)
    parser.add_argument("--quick", action="store_true", help="30 steps of langnav-mini")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    pin_to_one_core()
    eyes = Clock()
    DefaultEncoder.encode = eyes.around(DefaultEncoder.encode)  # type: ignore[method-assign]
    DefaultDetector.detect = eyes.around(DefaultDetector.detect)  # type: ignore[method-assign]
    if options.quick:
        episodes, most = list(load_suite("langnav-mini"))[:1], 30.0
    else:
        episodes, most = list(load_suite("langnav-val"))[: options.episodes], float("inf")
    names = expand_agents(options.agents.split(","))
    rows = [bench(name, episodes, eyes, most) for name in names]
    if options.json:
        print(json.dumps(rows, indent=1))
        return
    print(
        "| agent | steps | steps/s | eyes ms | mind ms | env ms | act 99 % ms | longest episode s |"
    )
    print("|---|---|---|---|---|---|---|---|")
    for row in rows:
        print(
            f"| {row['agent']} | {row['steps']} | {row['steps_per_s']:.1f} | {row['eyes_ms']:.1f} "
            f"| {row['mind_ms']:.1f} | {row['env_ms']:.1f} | {row['act_ms_99']:.1f} "
            f"| {row['longest_episode_s']:.1f} |"
        )


if __name__ == "__main__":
    main()
