"""What a home costs: generated, baked and saved, once the kernels are compiled.

python benchmarks/bench_world.py [--homes 6] [--quick] [--json]
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from pathlib import Path

from navproof.world.generate import generate
from navproof.world.io import save_scene
from navproof.world.light.bake import bake


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--homes", type=int, default=6)
    parser.add_argument("--quick", action="store_true", help="one home")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    bake(generate("home", 0, baked=False))  # compiles, or loads what is compiled
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(7, 8 if options.quick else 7 + options.homes):
            start = time.perf_counter()
            scene = generate("home", seed, baked=False)
            made = time.perf_counter()
            scene = bake(scene)
            lit = time.perf_counter()
            save_scene(scene, Path(folder) / "home.scene")
            saved = time.perf_counter()
            rows.append(
                {
                    "seed": seed,
                    "rooms": len(scene.rooms),
                    "triangles": len(scene.geometry.faces),
                    "generate_s": made - start,
                    "bake_s": lit - made,
                    "save_s": saved - lit,
                    "total_s": saved - start,
                }
            )
    if options.json:
        print(json.dumps(rows, indent=2))
        return
    for row in rows:
        print(*(f"{k}={v:.2f}" if isinstance(v, float) else f"{k}={v}" for k, v in row.items()))


if __name__ == "__main__":
    main()
