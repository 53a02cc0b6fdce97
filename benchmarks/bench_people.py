"""What people cost: a frame with two of them against the same frame without, and their walking.

    python benchmarks/bench_people.py [--quick] [--json]

Two people walk 2 to 3 m before the camera in a val home. Times are processor time on one core, the
best of several rounds; the two kinds of frame take turns, so that both meet the same machine.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import time
from collections.abc import Callable

from navproof.core.types import FIRST_PERSON_ID, Camera, Pose, Robot, Velocity, Walk
from navproof.sim.embedded import EmbeddedSimulator
from navproof.world.library import load_scene
from navproof.world.people.people import PERSON, is_walkable

ROBOT = Robot("bench", 0.2, 1.4)
CAMERA = Camera(256, 256, 90.0, height_m=1.2)
ROUNDS, FEW_ROUNDS = 300, 15


def best_ms(calls: list[Callable[[], object]], rounds: int) -> list[float]:
    """The fastest round of each call, in turns."""
    best = [math.inf] * len(calls)
    for _ in range(rounds):
        for k, call in enumerate(calls):
            began = time.process_time_ns()
            call()
            best[k] = min(best[k], (time.process_time_ns() - began) / 1e6)
    return best


def stage(sim: EmbeddedSimulator, scene_id: str) -> tuple[Pose, tuple[Walk, ...]]:
    """A place with 3 m of floor before it, and two walks across that."""
    scene = load_scene(scene_id)
    sim.load(scene, PERSON)
    grid = sim.grid
    for row, col in sorted(zip(*grid.navigable.nonzero(), strict=True)):
        x, y = grid.centre(int(row), int(col))
        for quarter in range(4):
            yaw = quarter * math.pi / 2
            c, s = round(math.cos(yaw)), round(math.sin(yaw))
            walks = tuple(
                Walk(
                    name, looks, tuple((x + c * ahead - s * left, y + s * ahead + c * left, 0.0)
                                       for ahead, left in ((near, -0.5), (near, 0.5)) * 3),
                )
                for name, looks, near in (("p1", "red_jacket", 2.0), ("p2", "orange_vest", 2.9))
            )  # fmt: skip
            if grid.is_free(x, y, x + 3 * c, y + 3 * s) and all(
                is_walkable(walk, grid) for walk in walks
            ):
                return Pose(x, y, 0.0, yaw), walks
    raise SystemExit(f"{scene_id} has no room for this")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="fewer rounds")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--scene", default="home/val/1")
    arguments = parser.parse_args()
    rounds = FEW_ROUNDS if arguments.quick else ROUNDS
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    scout = EmbeddedSimulator()
    place, walks = stage(scout, arguments.scene)
    sims = []
    for people, reacting in (((), False), (walks, False), (walks, True)):
        sim = EmbeddedSimulator()
        sim.load(scout.scene, ROBOT, people, reacting=reacting)
        sim.place(place)
        sims.append(sim)
    alone, among = sims[:2]

    def look(sim: EmbeddedSimulator, colour: bool) -> Callable[[], object]:
        def call() -> object:
            sim._time_s = (sim._time_s + 0.01) % 4.0  # another moment: bodies are posed anew
            return sim.render(CAMERA, colour=colour)

        return call

    looks = [look(sim, colour) for colour in (True, False) for sim in (alone, among)]
    frame = best_ms(looks, rounds)
    share = float((among.render(CAMERA).instances >= FIRST_PERSON_ID).mean())
    steps = [lambda sim=sim: sim.apply(Velocity(0.0, 0.1)) for sim in sims]  # type: ignore[misc]
    tick = best_ms(steps, rounds)
    found = {
        "rgbd_ms": frame[0],
        "rgbd_two_people_ms": frame[1],
        "depth_ms": frame[2],
        "depth_two_people_ms": frame[3],
        "share_of_pixels": share,
        "step_ms": tick[0],
        "step_two_people_ms": tick[1],
        "step_two_reacting_ms": tick[2],
    }
    if arguments.json:
        print(json.dumps(found))
        return
    for name, value in found.items():
        print(f"{name:24s} {value:.3f}")
    print(f"two people add {found['rgbd_two_people_ms'] - found['rgbd_ms']:.2f} ms to a frame")


if __name__ == "__main__":
    main()
