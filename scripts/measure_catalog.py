"""Measure the categories: the table in ``world/catalog/sizes.py`` comes from here.

    python scripts/measure_catalog.py [--builds 200] [--write]

Builds every category many times with nothing asked for and takes the smallest and largest extent
along each axis, with a margin of 2 %. Without ``--write`` it only says where the table and the
builds disagree, and exits 1 if a build falls outside the table.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

from navproof.core.seeding import rng
from navproof.world import catalog
from navproof.world.catalog import CATEGORIES, build
from navproof.world.catalog.sizes import SIZES

TABLE = Path(catalog.__file__).with_name("sizes.py")
MARGIN = 0.02


def measure(name: str, builds: int) -> tuple[tuple[float, ...], tuple[float, ...]]:
    sizes = np.array([build(name, rng(seed, name, "measure")).size for seed in range(builds)])
    low, high = sizes.min(axis=0) * (1 - MARGIN), sizes.max(axis=0) * (1 + MARGIN)
    return tuple(round(float(v), 3) for v in low), tuple(round(float(v), 3) for v in high)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--builds", type=int, default=200)
    parser.add_argument("--write", action="store_true", help="rewrite the table")
    options = parser.parse_args()
    found = {name: measure(name, options.builds) for name in sorted(CATEGORIES)}
    outside = [
        name
        for name, (low, high) in found.items()
        if any(a < b * (1 - MARGIN) for a, b in zip(low, SIZES[name][0], strict=True))
        or any(a > b * (1 + MARGIN) for a, b in zip(high, SIZES[name][1], strict=True))
    ]
    if options.write:
        head = TABLE.read_text().split("SIZES: ")[0]
        rows = "".join(f'    "{name}": {extent},\n' for name, extent in found.items())
        kind = "dict[str, tuple[tuple[float, float, float], tuple[float, float, float]]]"
        TABLE.write_text(f"{head}SIZES: {kind} = {{\n{rows}}}\n")
        print(f"{len(found)} categories written to {TABLE}")
        return
    print(f"{len(found)} categories; outside the table: {', '.join(outside) or 'none'}")
    raise SystemExit(bool(outside))


if __name__ == "__main__":
    main()
