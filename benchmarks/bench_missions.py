"""How much faster than real time a mission runs on one core: two people, 10 Hz, one RGB-D camera.

    python benchmarks/bench_missions.py [--quick] [--json]

The missions with two people of ``missions-mini`` are done once by the oracle (waypoints, 10 Hz);
then its actions are played again with each set of sensors. What is timed is the whole loop without
an agent: the simulator, the people, the sensors, the task's rules, what a trace records. The factor
is simulated seconds per processor second, the best of several passes over all of them. The
generalist is timed as it plays, with its own thinking. The process is pinned to one core where
the system allows it.
"""

from __future__ import annotations

import argparse
import cProfile
import json
import pstats
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import count

from bench_render import pin_to_one_core
from navproof.agents.load import load_agent
from navproof.agents.validate import as_decision
from navproof.core.types import Action, Camera, Episode, Mount, Scan, SensorSpec, TaskSpec
from navproof.play.env import Env
from navproof.sensors import with_sensors
from navproof.sim.embedded import EmbeddedSimulator
from navproof.tasks import make_task, spec_for
from navproof.tasks.suites import load_suite

SUITE = "missions-mini"
GOAL = 20.0
"""Times real time, with RGB-D and two people."""
RGBD = ("rgb", "depth", "pose")
MORE = (
    SensorSpec("flat", "lidar", mount=Mount(0.3), scan=Scan(360), max_range_m=30.0),
    SensorSpec("deep", "lidar", mount=Mount(0.6), scan=Scan(360, 16, 360.0, -15.0, 15.0)),
    SensorSpec("around", "panorama", Camera(512, 256, 360.0)),
    SensorSpec("ring", "panorama", Camera(224, 224, 60.0), views=12),
)
SETS: dict[str, tuple[str, ...]] = {
    "pose only": ("pose",),
    "depth 256 × 256": ("depth", "pose"),
    "RGB-D 256 × 256": RGBD,
    "RGB-D and lidar 2-D, 360 beams": (*RGBD, "flat"),
    "RGB-D and lidar 3-D, 16 × 360 beams": (*RGBD, "deep"),
    "RGB-D and panorama 512 × 256": (*RGBD, "around"),
    "RGB-D and panorama, 12 views of 224 × 224": (*RGBD, "ring"),
}
BASE = "RGB-D 256 × 256"


@dataclass(frozen=True)
class Ride:
    """A mission, the settings for its robot, and the actions that do it."""

    episode: Episode
    spec: TaskSpec
    actions: tuple[Action, ...]


@dataclass
class Spent:
    """Simulated and processor seconds, and control steps."""

    simulated_s: float = 0.0
    processor_s: float = 0.0
    steps: int = 0

    @property
    def factor(self) -> float:
        return self.simulated_s / self.processor_s


def play(
    sim: EmbeddedSimulator, episode: Episode, spec: TaskSpec, name: str, most: int | None
) -> tuple[Ride, Spent]:
    """An agent does a mission, or its first steps; its time counts, that of its reset does not."""
    factory = load_agent(name)
    env = Env(sim, make_task(spec.task, spec), factory.sensors)
    agent = factory()
    brief, observation = env.reset(episode)
    agent.reset(brief)
    actions: list[Action] = []
    began = time.process_time()
    for _ in count() if most is None else range(most):
        decision = as_decision(agent.act(observation), brief)
        actions.append(decision.action)
        step = env.step(decision.action)
        env.distance_to_goal()
        env.measure()
        observation = step.observation
        if step.done:
            break
    spent = Spent(sim.time_s, time.process_time() - began, len(actions))
    return Ride(episode, spec, tuple(actions)), spent


def again(sim: EmbeddedSimulator, ride: Ride, sensors: Sequence[str], spent: Spent) -> None:
    """The same actions without an agent."""
    env = Env(sim, make_task(ride.spec.task, ride.spec), sensors)
    env.reset(ride.episode)
    began = time.process_time()
    for action in ride.actions:
        env.step(action)
        env.distance_to_goal()
        env.measure()
    spent.processor_s += time.process_time() - began
    spent.simulated_s += sim.time_s
    spent.steps += len(ride.actions)


def best_of(
    sim: EmbeddedSimulator, rides: Sequence[Ride], sensors: Sequence[str], passes: int
) -> Spent:
    found = []
    for _ in range(passes):
        spent = Spent()
        for ride in rides:
            again(sim, ride, sensors, spent)
        found.append(spent)
    return max(found, key=lambda s: s.factor)


def total(parts: Sequence[Spent]) -> Spent:
    whole = Spent()
    for part in parts:
        whole.simulated_s += part.simulated_s
        whole.processor_s += part.processor_s
        whole.steps += part.steps
    return whole


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="the start of one mission, one pass")
    parser.add_argument("--profile", action="store_true", help="where the time of RGB-D goes")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    pinned = pin_to_one_core()
    chosen = [e for e in load_suite(SUITE) if len(e.people) == 2]
    if not chosen:
        raise SystemExit(f"{SUITE} has no mission with two people")
    chosen = chosen[:1] if options.quick else chosen
    most = 60 if options.quick else None
    sim, rides, thinking = EmbeddedSimulator(), [], []
    for episode in chosen:
        spec = with_sensors(spec_for("mission-v1", robot=episode.robot or None), MORE)
        ride, _ = play(sim, episode, spec, "oracle", most)
        rides.append(ride)
    for sensors in SETS.values():
        again(sim, rides[0], sensors, Spent())  # compiles, loads
    passes = 1 if options.quick else 3
    if options.profile:
        with cProfile.Profile() as profile:
            best_of(sim, rides, RGBD, 1)
        pstats.Stats(profile).sort_stats("tottime").print_stats(18)
        return
    found = {name: best_of(sim, rides, sensors, passes) for name, sensors in SETS.items()}
    alone = [replace(r, episode=replace(r.episode, people=())) for r in rides if not _follows(r)]
    if alone:
        found[f"{BASE}, nobody there"] = best_of(sim, alone, RGBD, passes)
    for ride in rides:
        thinking.append(play(sim, ride.episode, ride.spec, "generalist", most)[1])
    found[f"{BASE}, the generalist thinking"] = total(thinking)
    if options.json:
        told = {
            name: {"factor": s.factor, "ms": 1000 * s.processor_s / s.steps}
            for name, s in found.items()
        }
        print(json.dumps({"pinned": pinned, "missions": len(rides), "found": told}))
        return
    names = ", ".join(ride.episode.episode_id for ride in rides)
    print(f"{len(rides)} missions with two people ({names}), one core\n")
    print("| sensors | × real time | ms per step |\n|---|--:|--:|")
    for name, s in found.items():
        print(f"| {name} | {s.factor:.1f} | {1000 * s.processor_s / s.steps:.2f} |")
    verdict = "reached" if found[BASE].factor >= GOAL else "missed"
    print(f"\nGoal: {GOAL:g} × real time with {BASE} and two people: {verdict}.")


def _follows(ride: Ride) -> bool:
    return any(s.kind == "follow_human" for s in ride.episode.subtasks)


if __name__ == "__main__":
    main()
