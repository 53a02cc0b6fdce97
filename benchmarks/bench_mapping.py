"""What mapping costs per step on one core: fusing features, and asking the map in words.

    python benchmarks/bench_mapping.py [--quick] [--json]

The scene is the one of ``bench_render.py`` (the median val home). The oracle walks paths through
it and every step's depth (256×256, 90°, camera at 1.5 m) is fused with 32×32 patches of 96 numbers
(a random vector per object, so that the map has things on it). Times are processor time: for every
step the best of several passes, then the median over steps. Ratios are to one layer of the same
cells, and stay put when the machine does not.

    fuse        project, accumulate, blend
    update      cosines of two texts for the cells that changed
    kernel      target on support across layers, over all that is known
    candidates  the ten best spots
    value       a frame's value painted on a value map (one layer, in place of fuse and update)
"""

from __future__ import annotations

import argparse
import json
import time
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bench_render import median_home, pin_to_one_core
from navproof.agents.load import load_agent
from navproof.agents.validate import as_decision
from navproof.core.types import Camera, Pose
from navproof.perception.feature_map import FeatureMap, MapSettings
from navproof.perception.query import TextQuery, top_candidates
from navproof.perception.value_map import ValueMap
from navproof.play.env import Env
from navproof.sim.embedded import EmbeddedSimulator
from navproof.tasks import make_task, spec_for
from navproof.tasks.generate import generate_episodes
from navproof.world.scene import Scene

CAMERA = Camera(256, 256, 90.0, height_m=1.5)
PATCHES, SIZE_F, RANGE_M = 32, 96, 5.0
SCALE, BIAS, MIN_SCORE = 20.0, -10.0, 0.3
F32 = NDArray[np.float32]
Step = tuple[Pose, F32, F32]


def walk(scene: Scene, episodes: int) -> list[Step]:
    """(pose, depth, features) of every step of the oracle."""
    spec = spec_for("pointnav-v1")
    factory = load_agent("oracle")
    sim = EmbeddedSimulator()
    sim.load(scene, spec.robot)
    env = Env(sim, make_task(spec.task, spec), factory.sensors)
    draw = np.random.Generator(np.random.Philox(key=1))
    codes = draw.normal(size=(max(o.id for o in scene.objects) + 1, SIZE_F)).astype(np.float32)
    codes /= np.linalg.norm(codes, axis=1, keepdims=True)
    middle = CAMERA.width // PATCHES // 2
    steps: list[Step] = []
    for episode in generate_episodes("pointnav", scene, episodes):
        agent = factory()
        brief, obs = env.reset(episode)
        agent.reset(brief)
        while not env.done:
            frame = sim.render(CAMERA)
            seen = frame.instances[middle :: 2 * middle, middle :: 2 * middle]
            noise = 0.03 * draw.normal(size=(PATCHES, PATCHES, SIZE_F))
            steps.append((sim.pose, frame.depth.copy(), (codes[seen] + noise).astype(np.float32)))
            obs = env.step(as_decision(agent.act(obs), brief).action).observation
    return steps


def bench(steps: list[Step], settings: MapSettings, passes: int) -> dict[str, Any]:
    """Milliseconds of each part, what the map holds and what that takes."""
    texts = np.stack([steps[0][2][16, 16], steps[-1][2][20, 16]])
    times = np.full((passes, len(steps), 4), np.inf)
    seen = np.zeros(len(steps))
    for turn in range(passes):
        world = FeatureMap(SIZE_F, settings)
        query = TextQuery(world, texts)
        for i, (pose, depth, features) in enumerate(steps):
            ticks = [time.process_time()]
            seen[i] = world.fuse(features, depth, CAMERA, pose, RANGE_M)
            ticks.append(time.process_time())
            query.update()
            ticks.append(time.process_time())
            likely = query.supported(SCALE, BIAS)
            ticks.append(time.process_time())
            top_candidates(likely, world.grid, MIN_SCORE)
            ticks.append(time.process_time())
            times[turn, i] = np.diff(ticks)
    fuse, update, kernel, candidates = 1e3 * np.median(times.min(axis=0), axis=0)
    return {
        "layers": settings.layers,
        "cell_cm": round(100 * settings.cell_m),
        "samples": settings.samples,
        "fuse_ms": round(float(fuse), 3),
        "update_ms": round(float(update), 3),
        "kernel_ms": round(float(kernel), 3),
        "candidates_ms": round(float(candidates), 3),
        "total_ms": round(float(fuse + update + kernel + candidates), 3),
        "cells_per_frame": int(np.median(seen)),
        "cells": len(world),
        "seen_mb": round(len(world) * (4 * SIZE_F + 28) / 1e6, 2),
        "slots_mb": round(world.slots.nbytes / 1e6, 2),
        "dense_mb": round(world.slots.nbytes * SIZE_F / 1e6, 1),
    }


def bench_value(steps: list[Step], passes: int) -> float:
    """Milliseconds of one frame of a value map with two channels."""
    times = np.full((passes, len(steps)), np.inf)
    for turn in range(passes):
        world = ValueMap(channels=2)
        for i, (pose, depth, _) in enumerate(steps):
            start = time.process_time()
            world.fuse([0.3, 0.4], depth, CAMERA, pose, RANGE_M)
            times[turn, i] = time.process_time() - start
    return round(float(1e3 * np.median(times.min(axis=0))), 3)


def bench_half(cells: int, passes: int) -> float:
    """Milliseconds that half precision would add per frame: its cells from float16 and back."""
    table = np.ones((20 * cells, SIZE_F), dtype=np.float16)
    which = np.arange(0, 20 * cells, 20)
    best = np.inf
    for _ in range(5 * passes):
        start = time.process_time()
        table[which] = table[which].astype(np.float32).astype(np.float16)
        best = min(best, time.process_time() - start)
    return round(1e3 * float(best), 3)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help="one short path and fewer passes")
    parser.add_argument("--json", action="store_true", help="print JSON")
    options = parser.parse_args()
    pinned = pin_to_one_core()
    scene, _ = median_home(1 if options.quick else 9)
    steps = walk(scene, 1)[:40] if options.quick else walk(scene, 6)
    passes = 2 if options.quick else 5
    bench(steps[:3], MapSettings(), 1)  # compiles
    rows = [
        bench(steps, MapSettings(layers=layers, cell_m=cell), passes)
        for cell in (0.06, 0.10)
        for layers in (1, 3, 5)
    ]
    every_pixel = bench(steps, MapSettings(samples=CAMERA.width), passes)
    value = bench_value(steps, passes)
    half = bench_half(rows[1]["cells_per_frame"], passes)
    if options.json:
        result = {
            "scene": scene.id,
            "steps": len(steps),
            "pinned": pinned,
            "rows": rows,
            "every_pixel": every_pixel,
            "value_ms": value,
            "half_ms": half,
        }
        print(json.dumps(result, indent=2, ensure_ascii=False))
        return
    print(f"{scene.id}: {len(steps)} steps, one core, milliseconds per step")
    print(
        "layers  cell   fuse  update  kernel  candidates  total  ratio"
        "   cells  per frame  vectors + slots (dense), MB"
    )
    for row in rows:
        base = next(r for r in rows if r["layers"] == 1 and r["cell_cm"] == row["cell_cm"])
        print(
            f"{row['layers']:>6}{row['cell_cm']:>4} cm{row['fuse_ms']:7.2f}{row['update_ms']:8.2f}"
            f"{row['kernel_ms']:8.2f}{row['candidates_ms']:12.2f}{row['total_ms']:7.2f}"
            f"{row['total_ms'] / base['total_ms']:7.2f}{row['cells']:8d}"
            f"{row['cells_per_frame']:11d}"
            f"{row['seen_mb']:11.1f} + {row['slots_mb']:.1f} ({row['dense_mb']:.0f})"
        )
    fuse = next(r["fuse_ms"] for r in rows if (r["layers"], r["cell_cm"]) == (3, 6))
    print(
        f"every pixel in place of every second: fuse {every_pixel['fuse_ms']:.2f} ms,"
        f" {every_pixel['fuse_ms'] / fuse:.1f} times"
    )
    print(f"value map: {value:.2f} ms")
    print(f"float16 vectors would add {half:.2f} ms to fuse, and halve the memory of vectors")


if __name__ == "__main__":
    main()
