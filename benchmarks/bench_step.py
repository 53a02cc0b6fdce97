"""How fast an episode goes, on one core: environment steps with RGB-D, and where the time is.

    python benchmarks/bench_step.py [--quick] [--json]

The scene is the one of ``bench_render.py`` (the median val home). Steps/s are steps per second of
processor time (equal to wall-clock time on an idle machine), the best of several passes over the
same actions. A step is what the runner does: motion, rules, RGB-D at 256×256, pose and goal
reading, and the geodesic distance. The breakdown repeats each part alone on the same poses; what
is left is copying and bookkeeping. The frontier agent's own time is that of a run with it minus
that of the environment replaying its actions.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from bench_render import median_home, pin_to_one_core
from navproof.agents.load import load_agent
from navproof.agents.validate import as_decision
from navproof.core.types import Action, Episode, Move, Pose, TaskSpec
from navproof.play.env import Env
from navproof.sim.embedded import EmbeddedSimulator
from navproof.tasks import make_task, spec_for, with_camera
from navproof.tasks.generate import generate_episodes
from navproof.world.scene import Scene

SENSORS = ("rgb", "depth", "pose", "pointgoal")


def seconds(work: Callable[[], Any], passes: int) -> float:
    """Processor time of the best pass, after one to warm up."""
    work()
    best = float("inf")
    for _ in range(passes):
        start = time.process_time()
        work()
        best = min(best, time.process_time() - start)
    return best


def wander(count: int) -> list[Action]:
    """Mostly forward, with turns: the same for everyone."""
    draw = np.random.Generator(np.random.Philox(key=1))
    moves = (Move.FORWARD, Move.FORWARD, Move.FORWARD, Move.LEFT, Move.RIGHT)
    return [moves[int(draw.integers(len(moves)))] for _ in range(count)]


def replay(env: Env, episode: Episode, actions: list[Action]) -> None:
    env.reset(episode)
    for action in actions:
        env.step(action)
        env.distance_to_goal()


def bench_env(scene: Scene, episode: Episode, steps: int, passes: int) -> dict[str, Any]:
    """Steps/s with RGB-D at 256×256, and the milliseconds of each part."""
    spec = with_camera(spec_for("pointnav-v1"), 256, 256)
    sim = EmbeddedSimulator()
    sim.load(scene, spec.robot)
    env = Env(sim, make_task("pointnav-v1", spec), SENSORS)
    actions = wander(steps)
    whole = seconds(lambda: replay(env, episode, actions), passes) / steps
    env.reset(episode)
    places: list[tuple[Pose, Any]] = [(sim.pose, sim.snapshot())]
    for action in actions:
        env.step(action)
        places.append((sim.pose, sim.snapshot()))
    camera, goals = env.sensors[0].spec.camera, env.task.goals()
    assert camera is not None

    def place_all() -> None:
        for _, held in places:
            sim.restore(held)

    def render_all() -> None:
        for _, held in places:
            sim.restore(held)
            sim.render(camera)

    def move_all() -> None:
        sim.place(episode.start)
        for action in actions:
            assert isinstance(action, Move)
            sim.apply(action)

    def measure_all() -> None:
        for pose, _ in places:
            sim.geodesic(pose.point, goals)

    def judge_all() -> None:
        env.reset(episode)
        for index, action in enumerate(actions):
            env.task.after_step(sim, action, None, index)

    placing = seconds(place_all, passes)
    parts = {
        "render": (seconds(render_all, passes) - placing) / len(places),
        "motion": seconds(move_all, passes) / steps,
        "geodesic": seconds(measure_all, passes) / len(places),
        "task": seconds(judge_all, passes) / steps,
    }
    parts["rest"] = max(0.0, whole - sum(parts.values()))
    return {
        "steps_per_s": round(1.0 / whole, 1),
        "ms": {name: round(1e3 * part, 3) for name, part in parts.items()},
    }


def bench_frontier(scene: Scene, spec: TaskSpec, episode: Episode, passes: int) -> dict[str, Any]:
    """Steps/s of the frontier agent alone and with its environment."""
    factory = load_agent("frontier")
    sim = EmbeddedSimulator()
    sim.load(scene, spec.robot)
    env = Env(sim, make_task(spec.task, spec), factory.sensors)
    actions: list[Action] = []

    def play() -> None:
        agent = factory()
        brief, obs = env.reset(episode)
        agent.reset(brief)
        actions.clear()
        while not env.done:
            actions.append(as_decision(agent.act(obs), brief).action)
            obs = env.step(actions[-1]).observation
            env.distance_to_goal()

    whole = seconds(play, passes)
    alone = seconds(lambda: replay(env, episode, actions), passes)
    camera = spec.sensors[1].camera
    assert camera is not None
    return {
        "task": spec.task,
        "camera": f"{camera.width}×{camera.height}",
        "steps": len(actions),
        "agent_steps_per_s": round(len(actions) / max(1e-9, whole - alone), 1),
        "with_env_steps_per_s": round(len(actions) / whole, 1),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help="fewer homes, steps and passes")
    parser.add_argument("--json", action="store_true", help="print JSON")
    options = parser.parse_args()
    pinned = pin_to_one_core()
    scene, triangles = median_home(1 if options.quick else 9)
    steps, passes = (50, 1) if options.quick else (400, 5)
    point = generate_episodes("pointnav", scene, 1)[0]
    agents = []
    for task in ("pointnav-v1", "objectnav-v1"):
        episode = generate_episodes(task, scene, 1)[0]
        native = spec_for(task)
        for spec in (native, with_camera(native, 256, 256)):
            agents.append(bench_frontier(scene, spec, episode, max(1, passes // 2)))
    result = {
        "scene": scene.id,
        "triangles": len(scene.geometry.faces),
        "triangles_of_all": triangles,
        "pinned": pinned,
        "env_rgbd_256": bench_env(scene, point, steps, passes),
        "frontier": agents,
    }
    if options.json:
        print(json.dumps(result, indent=2, ensure_ascii=False))
        return
    env = result["env_rgbd_256"]
    assert isinstance(env, dict)
    print(f"{scene.id}: {len(scene.geometry.faces)} triangles, one core")
    print(f"environment, RGB-D at 256×256: {env['steps_per_s']:.0f} steps/s")
    for name, ms in env["ms"].items():
        print(f"  {name:<10}{ms:8.3f} ms")
    for row in agents:
        print(
            f"frontier, {row['task']}, {row['camera']}: {row['agent_steps_per_s']:.0f} steps/s"
            f" alone, {row['with_env_steps_per_s']:.0f} with its environment"
            f" ({row['steps']} steps)"
        )


if __name__ == "__main__":
    main()
