"""What every image corruption costs, on one core, beside two libraries with the same effects.

    python benchmarks/bench_corruptions.py [--peers DIR] [--quick] [--json | --markdown]

Every corruption is run at its usual intensity on a rendered frame of 256×256 and of 640×480: once
with all of it drawn anew, and once as in an episode, where what stays put (dirt on a lens) may be
kept from frame to frame. (A camera that is knocked, lowered or wrongly calibrated is left out: it
is another camera, chosen once an episode.) Motion blur, defocus, spatter, low light, its noise and
flare are also run as ``imagecorruptions`` (severity 3) and ``albumentations`` (the same parameters,
where it has them) do them, which draw everything anew. The contenders of one effect take turns, one
call each, on one pinned core with one thread; a number is the median of processor time. Ours gets
generators that are made beforehand, and checks its input as always.

The peers are optional. They need not be installed beside navproof: put them into a folder with

    pip install --no-deps --target DIR imagecorruptions albumentations albucore==0.0.24 \\
        scikit-image lazy_loader simsimd stringzilla PyYAML "setuptools<81"

and give it as --peers; navproof's own versions of NumPy, SciPy and OpenCV are used for all.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

import cv2

from _corruption_peers import ALB, IC, PEERS, library
from navproof.corruptions.gallery import IMAGE_CORRUPTIONS, photograph
from navproof.corruptions.protocol import Corruption, Moment
from navproof.corruptions.registry import CORRUPTIONS
from navproof.world.library import load_scene

SIZES = ((256, 256), (640, 480))
NAMES = tuple(n for n in IMAGE_CORRUPTIONS if CORRUPTIONS[n].target in ("rgb", "depth"))
GOAL_MS = {"low_light_noise": 3.0}
USUAL_GOAL_MS = 2.0
GOAL_RATIO = 10.0
LIKE_OURS = ("motion_blur", "defocus", "spatter")
"""Those that imagecorruptions has as the same model; its others are only near."""
Call = Callable[[int], Any]
"""Does the work once; the argument is the number of the round."""


def pin_to_one_core() -> bool:
    """True where the process could be pinned."""
    cv2.setNumThreads(1)
    try:
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    except (AttributeError, OSError):
        return False
    return True


def ours(corruption: Corruption, image: Any, rounds: int, lasting: bool) -> Call:
    moments = [Moment(0, "bench", corruption.target, step) for step in range(rounds + 1)]
    drawn = [
        (m.fresh(corruption.name), m.lasting(corruption.name) if lasting else None) for m in moments
    ]
    return lambda number: corruption.apply(image, corruption.default, *drawn[number])


def take_turns(calls: dict[str, Call], rounds: int) -> dict[str, float]:
    """Median milliseconds of processor time of each, after one round that does not count."""
    spent: dict[str, list[float]] = {name: [] for name in calls}
    for number in range(rounds + 1):
        for name, call in calls.items():
            start = time.process_time_ns()
            call(number)
            spent[name].append((time.process_time_ns() - start) / 1e6)
    return {name: statistics.median(times[1:]) for name, times in spent.items()}


def measure(rounds: int) -> dict[str, Any]:
    pinned = pin_to_one_core()
    libraries = {name: library(name) for name in (IC, ALB)}
    missing = {name: found for name, found in libraries.items() if isinstance(found, str)}
    scene = load_scene("home/val/2")
    rows = []
    for width, height in SIZES:
        picture = photograph(scene, width, height)
        for name in NAMES:
            corruption = CORRUPTIONS[name]
            image = picture.rgb if corruption.target == "rgb" else picture.depth
            beside = {
                peer.library: peer
                for peer in PEERS
                if peer.corruption == name and peer.library not in missing
            }
            calls = {
                "anew": ours(corruption, image, rounds, lasting=False),
                "episode": ours(corruption, image, rounds, lasting=True),
            }
            for key, peer in beside.items():
                work = peer.make(libraries[key])
                calls[key] = lambda _, work=work, image=image: work(image)
            times = take_turns(calls, rounds)
            row: dict[str, Any] = {"corruption": name, "size": f"{width}x{height}"}
            row |= {"ms": times.pop("anew"), "ms_in_an_episode": times.pop("episode")}
            row["peers"] = {
                key: {"effect": beside[key].effect, "ms": ms, "ratio": ms / row["ms"]}
                for key, ms in times.items()
            }
            rows.append(row)
    return {
        "pinned_to_one_core": pinned,
        "rounds": rounds,
        "missing": missing,
        "versions": {name: version(name) for name in libraries if name not in missing},
        "rows": rows,
    }


def goals(result: dict[str, Any]) -> list[str]:
    """One line for each goal that is missed."""
    missed = []
    for row in result["rows"]:
        if row["size"] != "256x256":
            continue
        goal = GOAL_MS.get(row["corruption"], USUAL_GOAL_MS)
        if row["ms"] > goal:
            missed.append(f"{row['corruption']}: {row['ms']:.2f} ms, above {goal:g} ms")
        peer = row["peers"].get(IC)
        if row["corruption"] in LIKE_OURS and peer and peer["ratio"] < GOAL_RATIO:
            missed.append(f"{row['corruption']}: only {peer['ratio']:.1f}× as fast as {IC}")
    return missed


def show(result: dict[str, Any]) -> None:
    where = "one pinned core" if result["pinned_to_one_core"] else "one thread, not pinned"
    print(
        f"median of {result['rounds']} calls, {where}, processor time; × is navproof's speed-up\n"
    )
    for name, reason in result["missing"].items():
        print(f"{name} is missing ({reason}): see --peers in --help\n")
    print(f"{'size':>8}  {'corruption':20}{'anew':>9}{'episode':>10}  peers (draw anew)")
    for row in result["rows"]:
        peers = [
            f"{key} {peer['effect']} {peer['ms']:.2f} ms ({peer['ratio']:.1f}×)"
            for key, peer in row["peers"].items()
        ]
        ms, kept = f"{row['ms']:.2f} ms", f"{row['ms_in_an_episode']:.2f} ms"
        print(f"{row['size']:>8}  {row['corruption']:20}{ms:>9}{kept:>10}  {'; '.join(peers)}")
    missed = goals(result)
    print("\ngoals at 256×256: " + ("; ".join(missed) if missed else "all met"))


def markdown(result: dict[str, Any]) -> None:
    """The table of docs/reference/corruptions.md, and what is missed."""
    libraries = list(result["versions"])
    sizes = [f"{width}x{height}" for width, height in SIZES]
    cells = {(row["corruption"], row["size"]): row for row in result["rows"]}
    heads = ["corruption"]
    for size in sizes:
        heads += [f"{size.replace('x', '×')} anew", "episode"]
        heads += [f"`{name}` {result['versions'][name]}" for name in libraries]
    print(f"| {' | '.join(heads)} |\n|{'---|' * len(heads)}")
    for name in NAMES:
        line = [f"`{name}`"]
        for size in sizes:
            row = cells[name, size]
            line += [_short(row["ms"]), _short(row["ms_in_an_episode"])]
            for key in libraries:
                peer = row["peers"].get(key)
                line.append(f"{_short(peer['ms'])} ({peer['ratio']:.1f}×)" if peer else "–")
        print(f"| {' | '.join(line)} |")
    print(f"\nMissed at 256×256: {'; '.join(goals(result)) or 'nothing'}.")


def _short(ms: float) -> str:
    return f"{ms:.2f}" if ms < 10.0 else f"{ms:.0f}"


def main(words: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument(
        "--peers", metavar="DIR", type=Path, help="a folder with the peers (pip --target)"
    )
    parser.add_argument("--quick", action="store_true", help="fewer rounds")
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="print the numbers as JSON")
    form.add_argument("--markdown", action="store_true", help="print the table of the docs")
    arguments = parser.parse_args(words)
    if arguments.peers is not None:
        if not arguments.peers.is_dir():
            sys.exit(f"bench_corruptions: --peers: there is no folder {arguments.peers}")
        sys.path.append(str(arguments.peers))
    result = measure(5 if arguments.quick else 101)
    if arguments.json:
        print(json.dumps(result, indent=2))
    elif arguments.markdown:
        markdown(result)
    else:
        show(result)


if __name__ == "__main__":
    main(sys.argv[1:])
