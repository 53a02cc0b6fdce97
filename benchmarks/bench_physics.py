"""The physics tier: how fast it is on one core, and how far from the kinematic tier.

    python benchmarks/bench_physics.py [--quick] [--json]

Speed is simulated seconds per second of processor time (equal to wall-clock time on an idle
machine), without rendering, the best of several passes over the same 10 Hz commands in the home of
``bench_render.py``. Differences are those of Carter in free space and at a wall of
``navproof.testing.tiny_scene``. The oracle plays the PointNav episodes of the suite ``mini``, with
Carter as its body, in both tiers.
"""

from __future__ import annotations

import argparse
import json
import math
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from bench_render import median_home, pin_to_one_core
from navproof.agents.baselines.oracle import Oracle
from navproof.core.errors import NavproofError
from navproof.core.types import Command, Motion, Move, Pose, Velocity, Walk
from navproof.play.env import Env
from navproof.sim.embedded import EmbeddedSimulator
from navproof.sim.geodesic.navgrid import NavGrid
from navproof.sim.physics import simulator
from navproof.sim.physics.body import body_for
from navproof.sim.physics.obstacles import obstacles
from navproof.sim.physics.rig import Rig
from navproof.sim.robots import load_robot
from navproof.tasks import make_task, spec_for
from navproof.tasks.suites import load_suite
from navproof.testing import tiny_scene
from navproof.world.people.people import APPEARANCES
from navproof.world.scene import Scene

CARTER = load_robot("carter")
TIERS: dict[str, Callable[[], EmbeddedSimulator]] = {
    "kinematic": EmbeddedSimulator,
    "physics": simulator,
}
STANDS = Velocity(0.0, 0.0)


def wander(count: int) -> list[Command]:
    """Speeds that change every second."""
    draw = np.random.Generator(np.random.Philox(key=1))
    pairs = [(draw.uniform(0.0, 0.8), draw.uniform(-1.2, 1.2)) for _ in range(count // 10 + 1)]
    return [Velocity(float(v), float(w)) for v, w in pairs for _ in range(10)][:count]


def spent(work: Callable[[], Any]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def bench_speed(scene: Scene, count: int, passes: int) -> dict[str, Any]:
    """Real-time factors by tier and number of people, and what setting up costs."""
    commands, found = wander(count), {}
    looks = list(APPEARANCES)
    for people in (0, 2):
        for tier, make in TIERS.items():
            sim = make()
            sim.load(scene, CARTER)
            draw = np.random.Generator(np.random.Philox(key=2))
            places = [sim.random_point(draw) for _ in range(2 * people + 1)]
            walks = [
                Walk(f"p{i}", looks[i], tuple((x, y, 0.0) for x, y, _ in places[2 * i : 2 * i + 2]))
                for i in range(people)
            ]
            sim.load(scene, CARTER, walks)

            def drive(sim: EmbeddedSimulator = sim, start: Any = places[-1]) -> None:
                sim.place(Pose(*start))
                for command in commands:
                    sim.apply(command)

            drive()
            best = min(spent(drive) for _ in range(passes))
            found[f"{tier}, {people} people"] = round(0.1 * count / best, 1)
    pieces = obstacles(scene, CARTER.height_m)
    grid = NavGrid.build(scene, CARTER)
    return {
        "real_time": found,
        "pieces": len(pieces),
        "pieces_s": round(spent(lambda: obstacles(scene, CARTER.height_m)), 2),
        "compile_s": round(spent(lambda: Rig(body_for(CARTER), pieces, grid)), 2),
    }


def end(tier: str, start: Pose, commands: Sequence[Command]) -> tuple[Pose, list[Motion], float]:
    """Where commands lead in the tiny scene, how, and in which simulated time."""
    sim = TIERS[tier]()
    sim.load(tiny_scene(), CARTER)
    sim.place(start)
    motions = [sim.apply(command) for command in commands]
    return sim.pose, motions, sim.time_s


def bench_differences() -> list[dict[str, Any]]:
    """Each motion in both tiers: how far apart they end, and the seconds and metres of each."""
    quarter = math.pi / 2 / 1.6
    motions: dict[str, tuple[Pose, list[Command]]] = {
        "2 m at 0.8 m/s, then 1 s of braking": (
            Pose(-3.4, 2.0),
            [Velocity(0.8, 0.0)] * 25 + [STANDS] * 10,
        ),
        "90° at 0.98 rad/s, then 1 s of braking": (
            Pose(-2.0, 2.0),
            [Velocity(0.0, quarter)] * 16 + [STANDS] * 10,
        ),
        "arc of 0.5 m radius for 2 s, then braking": (
            Pose(-3.0, 1.0),
            [Velocity(0.4, 0.8)] * 20 + [STANDS] * 10,
        ),
        "8 × FORWARD": (Pose(-3.4, 2.0), [Move.FORWARD] * 8),
        "18 × LEFT (360°)": (Pose(-2.0, 2.0), [Move.LEFT] * 18),
        "3 × FORWARD into a wall, head on": (Pose(-0.8, 1.0), [Move.FORWARD] * 3),
        "3 × FORWARD into a wall, at 30° to it": (
            Pose(-0.5, 0.5, 0.0, math.radians(60.0)),
            [Move.FORWARD] * 3,
        ),
    }
    rows = []
    for name, (start, commands) in motions.items():
        (a, done_a, time_a), (b, done_b, time_b) = (end(t, start, commands) for t in TIERS)
        rows.append(
            {
                "motion": name,
                "apart_mm": round(1e3 * math.hypot(a.x - b.x, a.y - b.y), 1),
                "apart_deg": round(math.degrees(abs(math.remainder(a.yaw - b.yaw, math.tau))), 2),
                "time_s": [round(time_a, 2), round(time_b, 2)],
                "path_m": [round(sum(m.moved_m for m in d), 3) for d in (done_a, done_b)],
                "collisions": [sum(m.collided for m in d) for d in (done_a, done_b)],
            }
        )
    return rows


def bench_oracle(limit: int) -> list[dict[str, Any]]:
    """The oracle's PointNav in both tiers; episodes where Carter does not fit are left out."""
    episodes = [e for e in load_suite("mini") if e.task == "pointnav-v1"][:limit]
    task = make_task("pointnav-v1", replace(spec_for("pointnav-v1"), robot=CARTER))
    rows = []
    for tier, make in TIERS.items():
        sim = make()
        played = won = collisions = steps = 0
        path_m = time_s = cpu_s = 0.0
        for episode in episodes:
            env, agent = Env(sim, task, Oracle.sensors), Oracle()
            try:
                brief, seen = env.reset(episode)
            except NavproofError:
                continue
            agent.reset(brief)
            began = time.process_time()
            while not env.done:
                step = env.step(agent.act(seen).action)
                seen, steps = step.observation, steps + 1
                if step.motion is not None:
                    collisions += step.motion.collided
                    path_m += step.motion.moved_m
            cpu_s += time.process_time() - began
            played += 1
            won += env.distance_to_goal() <= task.spec.success_m
            time_s += sim.time_s
        rows.append(
            {
                "tier": tier,
                "success": f"{won}/{played} of {len(episodes)}",
                "steps": steps,
                "collisions": collisions,
                "path_m": round(path_m, 1),
                "simulated_s": round(time_s, 1),
                "processor_s": round(cpu_s, 1),
            }
        )
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help="fewer homes, commands and episodes")
    parser.add_argument("--json", action="store_true", help="print JSON")
    options = parser.parse_args()
    pinned = pin_to_one_core()
    scene, _ = median_home(1 if options.quick else 9)
    count, passes, episodes = (50, 1, 1) if options.quick else (600, 3, 100)
    result: dict[str, Any] = {
        "scene": scene.id,
        "triangles": len(scene.geometry.faces),
        "pinned": pinned,
        **bench_speed(scene, count, passes),
        "differences": bench_differences(),
        "oracle": bench_oracle(episodes),
    }
    if options.json:
        print(json.dumps(result, indent=2, ensure_ascii=False))
        return
    print(f"{scene.id}: {result['triangles']} triangles, {result['pieces']} convex pieces")
    print(f"pieces {result['pieces_s']} s, MuJoCo's compiler {result['compile_s']} s")
    for name, factor in result["real_time"].items():
        print(f"  {name:<22}{factor:8.1f} × real time")
    for row in result["differences"]:
        print(f"{row['motion']}: {row['apart_mm']} mm and {row['apart_deg']}° apart")
        print(
            f"  kinematic, physics: {row['time_s']} s, {row['path_m']} m, {row['collisions']} hits"
        )
    for row in result["oracle"]:
        print(", ".join(f"{k} {v}" for k, v in row.items()))


if __name__ == "__main__":
    main()
