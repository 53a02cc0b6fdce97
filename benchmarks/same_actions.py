"""Whether two runs of the same episodes, say on two machines, took the same actions throughout.

    python benchmarks/same_actions.py runs/here runs/there

Prints how many of the episodes that both hold agree in every action, and where the others part.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from navproof.log import RunFolder


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("runs", nargs=2, type=Path, metavar="RUN")
    first, second = (RunFolder(path) for path in parser.parse_args().runs)
    common = sorted(set(first.keys()) & set(second.keys()))
    same = 0
    for key in common:
        one, other = first.trace(key).actions, second.trace(key).actions
        if one == other:
            same += 1
            continue
        pairs = enumerate(zip(one, other, strict=False))
        parts = next((i for i, (a, b) in pairs if a != b), min(len(one), len(other)))
        print(f"{key.agent} {key.episode_id} {key.condition}: other actions from step {parts} on")
    print(f"{same} of {len(common)} episodes have the same actions in every step")


if __name__ == "__main__":
    main()
