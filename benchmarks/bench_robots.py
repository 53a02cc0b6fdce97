"""The three robots of the kinematic tier: what a command costs, what topples them, how they track.

    python benchmarks/bench_robots.py [--quick] [--json]

Cost is processor time of one ``apply`` without rendering, the best of several passes in
``navproof.testing.tiny_scene``. Falls are looked for there, too: the greatest speed from which a
robot survives a sudden stop, and at which it survives the sharpest turn. Paths are shortest ones
between random places of a few scenes, given as waypoints at 10 Hz; they touch the corners that
they lead round.
"""

from __future__ import annotations

import argparse
import json
import math
import time
from typing import Any

import numpy as np

from navproof.core.seeding import rng
from navproof.core.types import Command, Move, Pose, Robot, Velocity, Waypoints
from navproof.sim.embedded import EmbeddedSimulator
from navproof.sim.robots import load_robot, robot_names
from navproof.testing import tiny_scene
from navproof.world.library import load_scene

SCENES = ("home/val/0", "home/val/1", "office/val/0", "shop/val/0")
COMMANDS: dict[str, Command] = {
    "discrete": Move.LEFT,
    "velocity": Velocity(0.3, 0.6),
    "waypoints": Waypoints(((1.0, 0.5), (2.0, 0.0))),
}


def standing(robot: Robot, x: float = -3.5, y: float = 1.0) -> EmbeddedSimulator:
    sim = EmbeddedSimulator()
    sim.load(tiny_scene(), robot)
    sim.place(Pose(x, y))
    return sim


def cost_us(robot: Robot, command: Command, count: int, passes: int) -> float:
    sim, best = standing(robot, -2.0, 1.2), math.inf
    sim.apply(command)
    for _ in range(passes):
        sim.place(Pose(-2.0, 1.2))
        began = time.process_time()
        for _ in range(count):
            sim.apply(command)
        best = min(best, (time.process_time() - began) / count)
    return 1e6 * best


def survives(robot: Robot, speed: float, then: Velocity) -> bool:
    """Whether a robot at a steady speed is still up three seconds after another command."""
    sim = standing(robot)
    while sim.going.v_m_s < speed - 1e-6:
        sim.apply(Velocity(speed, 0.0))
    for _ in range(10):
        sim.apply(Velocity(speed, 0.0))
    return not any(sim.apply(then).fell for _ in range(30))


def greatest(robot: Robot, turn: bool) -> float | None:
    """The greatest speed in steps of 0.05 m/s that is survived; None where all are."""
    for speed in np.arange(0.05, robot.max_speed_m_s + 0.01, 0.05):
        then = Velocity(float(speed), robot.max_turn_rad_s) if turn else Velocity(0.0, 0.0)
        if not survives(robot, float(speed), then):
            return round(float(speed) - 0.05, 2)
    return None


def tracked(robot: Robot, scenes: tuple[str, ...], paths: int) -> dict[str, float]:
    reached = fell = 0
    ways, lengths, seconds = 0.0, 0.0, 0.0
    sim, draws = EmbeddedSimulator(), rng(3, "bench", "robots")
    for ref in scenes:
        sim.load(load_scene(ref), robot)
        for _ in range(paths):
            start, goal = sim.random_point(draws), sim.random_point(draws)
            sim.place(Pose(*start))
            ahead = [p[:2] for p in sim.shortest_path(start, (goal,))[1:]]
            for _ in range(3000):
                at = (sim.pose.x, sim.pose.y)
                while len(ahead) > 1 and math.dist(ahead[0], at) < 0.2:
                    ahead.pop(0)
                if math.dist(goal[:2], at) < 0.05:
                    reached += 1
                    break
                motion = sim.apply(_seen_from(sim.pose, ahead))
                ways += motion.moved_m
                if motion.fell:
                    fell += 1
                    break
            lengths += sim.geodesic(start, (goal,))
            seconds += sim.time_s
    return {
        "paths": len(scenes) * paths,
        "reached": reached,
        "fell": fell,
        "way_over_shortest": ways / lengths,
        "mean_speed_m_s": ways / seconds,
    }


def _seen_from(pose: Pose, points: list[tuple[float, float]]) -> Waypoints:
    c, s = math.cos(pose.yaw), math.sin(pose.yaw)
    return Waypoints(
        tuple(
            (c * (x - pose.x) + s * (y - pose.y), c * (y - pose.y) - s * (x - pose.x))
            for x, y in points
        )
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    count, passes, paths = (300, 2, 3) if args.quick else (2000, 5, 20)
    found: dict[str, dict[str, Any]] = {}
    for name in robot_names():
        robot = load_robot(name)
        found[name] = {
            "cost_us": {k: cost_us(robot, c, count, passes) for k, c in COMMANDS.items()},
            "survives_stop_from_m_s": greatest(robot, turn=False),
            "survives_turn_at_m_s": greatest(robot, turn=True),
            "tracking": tracked(robot, SCENES[:1] if args.quick else SCENES, paths),
        }
    if args.json:
        print(json.dumps(found, indent=2))
        return
    for name, of in found.items():
        costs = ", ".join(f"{k} {us:.0f} µs" for k, us in of["cost_us"].items())
        print(f"{name}: a command costs {costs}")
        stop, turn = of["survives_stop_from_m_s"], of["survives_turn_at_m_s"]
        print(f"  survives a sudden stop from {'any speed' if stop is None else f'{stop} m/s'},")
        print(f"  the sharpest turn at {'any speed' if turn is None else f'{turn} m/s'}")
        t = of["tracking"]
        print(
            f"  tracking: {t['reached']} of {t['paths']} paths reached, {t['fell']} falls, "
            f"way {t['way_over_shortest']:.3f} of the shortest, {t['mean_speed_m_s']:.2f} m/s"
        )


if __name__ == "__main__":
    main()
