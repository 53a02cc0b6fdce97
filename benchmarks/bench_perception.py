"""How well and how fast the default eyes see, on scenes that training never saw.

    python benchmarks/bench_perception.py --scenes 30 --views 20
    python benchmarks/bench_perception.py --quick
    python benchmarks/bench_perception.py --scenes 10 --views 12 --people 0 \\
        --detector coco-onnx:yolox_nano.onnx

Prints markdown: pointing (text → right patch) and AP50 over categories, the right value of every
attribute family against chance, colours on categories that training never showed together, words
that it never used, and the same under degraded images; then milliseconds per frame on one core,
beside a matrix product of known size as a measure of the machine. With ``--detector``: only AP50 of
another detector beside the default one, on the categories that COCO has a class for.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from navproof.core.seeding import rng
from navproof.corruptions.protocol import Corruption
from navproof.corruptions.registry import CORRUPTIONS
from navproof.language.lexicon.terms import HELD_OUT, SYNONYMS, covers
from navproof.perception import load_detector, load_encoder
from navproof.perception.detector import DefaultDetector
from navproof.perception.foundation.coco_onnx import CATEGORIES_OF
from navproof.perception.protocol import ImageTextEncoder, OpenVocabularyDetector
from navproof.train.quality import FURNITURE, Score, measure_detector, measure_encoder
from navproof.train.render import (
    PEOPLE_SHARE,
    Dataset,
    load_dataset,
    render_dataset,
    scene_mix,
)

Image = NDArray[np.uint8]


def degradation(corruption: Corruption) -> Callable[[Image, int], Image]:
    """A corruption at its usual intensity, the same for the same frame."""

    def degrade(image: Image, row: int) -> Image:
        draw = rng(0, str(row), f"bench.{corruption.name}")
        return np.asarray(corruption.apply(image, corruption.default, draw), dtype=np.uint8)

    return degrade


DEGRADATIONS: dict[str, Callable[[Image, int], Image] | None] = {
    "clean": None,
    **{
        f"{name.replace('_', ' ')}, {known.default:g}": degradation(known)
        for name, known in CORRUPTIONS.items()
        if known.target == "rgb"
    },
}


def mean(scores: dict[str, Score], start: str, keep: Callable[[str], bool] | None = None) -> float:
    """The mean over the groups that begin so, each with the same weight."""
    rates = [
        s.rate
        for name, s in scores.items()
        if name.startswith(start) and (keep is None or keep(name.removeprefix(start)))
    ]
    return float(np.mean(rates)) if rates else float("nan")


def held_out_names() -> dict[str, str]:
    """A name that training never used, for categories that have one of their own."""
    return {
        category: name
        for category, names in SYNONYMS.items()
        for name in names
        if name in HELD_OUT and covers(name) == {category}
    }


def report(data: Dataset, encoder: ImageTextEncoder, detector: OpenVocabularyDetector) -> None:
    rows = [int(r) for r in data.frames]
    seen = measure_encoder(encoder, data, rows)
    boxes = measure_detector(detector, data, rows, attributes=False)
    few = rows[::3]
    chosen = measure_detector(DefaultDetector(limit=100), data, few)
    print(f"\n{len(rows)} frames of {len(data.scenes)} scenes\n")
    print("| measure | encoder: pointing | chance | detector: AP50 |")
    print("|---|---|---|---|")
    chance = float(np.mean([s.chance_rate for n, s in seen.items() if n.startswith("pointing/")]))
    print(
        f"| all categories | {mean(seen, 'pointing/'):.2f} | {chance:.2f} "
        f"| {mean(boxes, 'ap50/'):.2f} |"
    )
    print(
        f"| furniture | {mean(seen, 'pointing/', FURNITURE.__contains__):.2f} |  "
        f"| {mean(boxes, 'ap50/', FURNITURE.__contains__):.2f} |"
    )
    unseen = measure_encoder(encoder, data, rows, names=held_out_names())
    known = [name.removeprefix("pointing/") for name in unseen if "/" in name]
    print(
        f"| names never trained on ({len(known)} categories) | {mean(unseen, 'pointing/'):.2f} "
        f"(usual names: {mean(seen, 'pointing/', known.__contains__):.2f}) |  |  |"
    )
    print("\n| attribute | objects | encoder | detector | chance |\n|---|---|---|---|---|")
    families = ("colour", "material", "texture", "size", "state", "modifier", "number")
    for name in [*(f"attribute/{f}" for f in families), "unseen pairs", "which person"]:
        mine, other = seen.get(name, Score()), chosen.get(name, Score())
        print(
            f"| {name.removeprefix('attribute/')} | {mine.n} | {mine.rate:.2f} | {other.rate:.2f} "
            f"| {mine.chance_rate:.2f} |"
        )
    print("\n| image | pointing | colour | AP50 | AP50 furniture |\n|---|---|---|---|---|")
    for name, degrade in DEGRADATIONS.items():
        s = measure_encoder(encoder, data, few, degrade)
        b = measure_detector(detector, data, few, degrade, attributes=False)
        print(
            f"| {name} | {mean(s, 'pointing/'):.2f} | {s['attribute/colour'].rate:.2f} "
            f"| {mean(b, 'ap50/'):.2f} | {mean(b, 'ap50/', FURNITURE.__contains__):.2f} |"
        )
    print("\n| category | objects | AP50 | pointing |\n|---|---|---|---|")
    for name, score in sorted(boxes.items()):
        category = name.removeprefix("ap50/")
        point = seen.get(f"pointing/{category}", Score())
        print(f"| {category} | {score.chance:.0f} | {score.rate:.2f} | {point.rate:.2f} |")


def compare(data: Dataset, name: str) -> None:
    """A detector beside the default one."""
    rows = [int(r) for r in data.frames]
    known = {category for names in CATEGORIES_OF.values() for category in names}
    theirs, ours = (
        measure_detector(detector, data, rows, attributes=False)
        for detector in (load_detector(name), DefaultDetector(limit=100))
    )
    there = sorted(
        (-theirs[key].rate, key.removeprefix("ap50/"))
        for key in theirs
        if key.removeprefix("ap50/") in known and theirs[key].chance > 0
    )
    shown = {category for _, category in there}
    print(f"\n{len(rows)} frames of {len(data.scenes)} scenes, AP50\n")
    print(f"| category | objects | {name} | default |\n|---|---|---|---|")
    means = [mean(scores, "ap50/", shown.__contains__) for scores in (theirs, ours)]
    print(f"| mean of {len(there)} | | {means[0]:.2f} | {means[1]:.2f} |")
    for _, category in there:
        one, other = theirs[f"ap50/{category}"], ours[f"ap50/{category}"]
        print(f"| {category} | {one.chance:.0f} | {one.rate:.2f} | {other.rate:.2f} |")


def speed(data: Dataset) -> None:
    """Medians over frames that differ, after warming up."""
    encoder, detector = load_encoder(), load_detector()
    images = [np.asarray(data.rgb[int(r)]) for r in data.frames[:100]]
    matrix = np.ones((512, 512), dtype=np.float32)

    def clock(call: Callable[[Image], object]) -> tuple[float, float]:
        for image in images[:10]:
            call(image)
        took = []
        for image in images:
            start = time.perf_counter()
            call(image)
            took.append(1e3 * (time.perf_counter() - start))
        return float(np.median(took)), float(np.min(took))

    both = clock(lambda i: (encoder.encode_patches(i), detector.detect(i, ["red chair", "desk"])))
    rows = {
        "encoder": clock(encoder.encode_patches),
        "detector, two queries": clock(lambda i: detector.detect(i, ["red chair", "desk"])),
        "both": both,
        "(512×512 matrix product, for scale)": clock(lambda _: matrix @ matrix),
    }
    print("\n| 256×256 frame, one thread | median ms | best ms |\n|---|---|---|")
    for name, (middle, best) in rows.items():
        print(f"| {name} | {middle:.1f} | {best:.1f} |")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--scenes", type=int, default=30)
    parser.add_argument("--views", type=int, default=20)
    parser.add_argument("--people", type=float, default=PEOPLE_SHARE, help="share of the frames")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--data", type=Path, help="a rendered data set, instead of rendering one")
    parser.add_argument("--detector", help="another one (load_detector), beside the default")
    parser.add_argument("--quick", action="store_true", help="speed only, on one scene")
    options = parser.parse_args()
    if options.quick:
        options.scenes = options.workers = 1
    with tempfile.TemporaryDirectory() as folder:
        path = options.data or render_dataset(
            Path(folder) / "val",
            scenes=scene_mix("val", options.scenes),
            views=options.views,
            seed=5,
            people=options.people,
            workers=options.workers,
        )
        data = load_dataset(path)
        if options.detector:
            compare(data, options.detector)
            return
        speed(data)
        if not options.quick:
            report(data, load_encoder(), DefaultDetector(min_score=0.02, limit=300))


if __name__ == "__main__":
    main()
