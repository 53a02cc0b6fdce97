"""How exact geodesic distances are round a corner, against the closed form, and what they cost.

    python benchmarks/bench_geodesic.py [--pairs 400] [--quick] [--json]

Pairs of points in the tiny scene whose shortest path bends round the doorway's corner: marching
alone (read bilinearly), and marching pulled taut (what the simulator uses). Then the time of one
field in a home.
"""

from __future__ import annotations

import argparse
import json
import math
import time

import numpy as np

from navproof.core.seeding import rng
from navproof.core.types import Robot
from navproof.sim.geodesic.geodesic import Geodesics
from navproof.sim.geodesic.march import march
from navproof.sim.geodesic.navgrid import NavGrid, clearance_at
from navproof.sim.geodesic.taut import seed_cells
from navproof.testing import tiny_scene
from navproof.world.library import load_scene

ROBOT = Robot("disc", 0.2, 1.0)
CORNER_Y = 1.5


def exact(a: tuple[float, float], b: tuple[float, float]) -> float:
    """Over the top of a disc of the robot's radius around the corner (0, CORNER_Y)."""
    r, total, used, turn = ROBOT.radius_m, 0.0, 0.0, 0.0
    for x, y in (a, b):
        d = math.hypot(x, y - CORNER_Y)
        total += math.sqrt(d * d - r * r)
        used += math.acos(r / d)
        turn += abs(math.atan2(x, y - CORNER_Y))
    return total + r * (turn - used)


def marched(grid: NavGrid, a: tuple[float, float], b: tuple[float, float]) -> float:
    goal = np.array([b])
    seeds, values, _ = seed_cells(
        grid.navigable, grid.clearance, grid.origin, grid.cell, grid.radius, goal
    )
    field = march(grid.navigable, seeds, values, grid.cell)
    return float(clearance_at(field, grid.origin, grid.cell, *a))  # bilinear, on any field


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pairs", type=int, default=400)
    parser.add_argument("--quick", action="store_true", help="40 pairs and 5 fields")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    pairs, fields_timed = (40, 5) if options.quick else (options.pairs, 20)
    grid = NavGrid.build(tiny_scene(), ROBOT)
    taut = Geodesics(grid)
    draw = rng(0, "tiny", "bench.geodesic")
    errors: dict[str, list[tuple[float, float]]] = {"marching alone": [], "pulled taut": []}
    while len(errors["pulled taut"]) < pairs:
        a = (float(draw.uniform(-3.5, -0.1)), float(draw.uniform(0.3, 1.6)))
        b = (float(draw.uniform(0.1, 3.0)), float(draw.uniform(0.3, 1.6)))
        fits = grid.is_navigable(*a) and grid.is_navigable(*b)
        if not fits or grid.is_free(*a, *b):
            continue
        plain = marched(grid, a, b)
        if not math.isfinite(plain):
            continue
        truth = exact(a, b)
        for name, value in (
            ("marching alone", plain),
            ("pulled taut", taut.distance(*a, ((*b, 0.0),))),
        ):
            errors[name].append((value - truth, (value - truth) / truth))
    home = NavGrid.build(load_scene("home/val/3"), ROBOT)
    cells = np.argwhere(home.component == 1)
    goals = [
        ((*home.centre(*(int(v) for v in cells[int(draw.integers(len(cells)))])), 0.0),)
        for _ in range(fields_timed)
    ]
    fields = Geodesics(home)
    begin = time.process_time()
    for goal in goals:
        fields.field(goal)
    result = {
        name: {
            "mean_cm": 100 * float(np.mean([e for e, _ in found])),
            "mean_percent": 100 * float(np.mean([p for _, p in found])),
            "worst_percent": 100 * max(p for _, p in found),
        }
        for name, found in errors.items()
    } | {"field_ms": 1000 * (time.process_time() - begin) / len(goals)}
    if options.json:
        print(json.dumps(result, indent=2))
        return
    print(f"{pairs} pairs round a corner, {grid.cell} m cells")
    for name in errors:
        row = result[name]
        print(
            f"  {name:15} {row['mean_cm']:+5.1f} cm, {row['mean_percent']:+5.2f} % on average, "
            f"{row['worst_percent']:+5.2f} % at worst"
        )
    print(f"  one field in home/val/3: {result['field_ms']:.1f} ms")


if __name__ == "__main__":
    main()
