"""Which settings of a feature map find things: by category, and on what they stand.

    python benchmarks/bench_map_quality.py [--quick]

Homes and an office of the train split, seen from random places. The encoder is a stand-in that
knows every category but sees as encoders see: a patch mixes what its pixels show, and its
neighbours' (a blur of 1.3 patches), everything is a little alike, and there is noise. Asked for
every category in view and for every "this on that", does the best spot of the map lie on such a
thing (0.25 m)? Small: below 0.45 m. "target only" asks for this, wherever. Two points of
"things" or six of "on" are chance.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Iterable
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from navproof.core.seeding import rng
from navproof.core.types import Camera, Pose, Robot
from navproof.perception.feature_map import FeatureMap, MapSettings
from navproof.perception.query import TextQuery, top_candidates
from navproof.sim.embedded import EmbeddedSimulator
from navproof.world.library import load_scene
from navproof.world.scene import SceneObject

CAMERA = Camera(256, 256, 90.0, height_m=1.5)
SIZE_F, PATCHES, BLUR, ALIKE, NOISE = 96, 32, 1.3, 0.5, 0.06
SCALE, BIAS = 14.0, -7.0
RANGE_M, NEAR_M, SMALL_M, IN_VIEW_PX = 5.0, 0.25, 0.45, 60
F32 = NDArray[np.float32]


@dataclass(frozen=True)
class Look:
    pose: Pose
    depth: F32
    features: F32


@dataclass(frozen=True)
class Place:
    objects: dict[int, SceneObject]
    looks: list[Look]
    in_view: list[SceneObject]


def code(category: str) -> F32:
    own = rng(0, category, "bench.code").normal(size=SIZE_F)
    shared = rng(0, "anything", "bench.code").normal(size=SIZE_F)
    vector = own / np.linalg.norm(own) + ALIKE * shared / np.linalg.norm(shared)
    return np.asarray(vector / np.linalg.norm(vector), dtype=np.float32)


def encode(instances: NDArray[np.int32], codes: dict[int, F32], noise: F32) -> F32:
    """(32, 32, f): codes mixed by what each patch shows, blurred, noisy."""
    mixed = np.zeros((PATCHES, PATCHES, SIZE_F), dtype=np.float32)
    for number in np.unique(instances):
        share = cv2.resize(
            (instances == number).astype(np.float32), (PATCHES, PATCHES), None, 0, 0, cv2.INTER_AREA
        )
        mixed += cv2.GaussianBlur(share, (0, 0), BLUR)[..., None] * codes[int(number)]
    mixed += noise
    return np.asarray(mixed / np.linalg.norm(mixed, axis=-1, keepdims=True), dtype=np.float32)


def visit(scene_id: str, count: int) -> Place:
    scene = load_scene(scene_id)
    objects = {o.id: o for o in scene.objects}
    codes = {i: code(f"structure {i}") for i in range(10)}
    codes |= {i: code(o.category) for i, o in objects.items()}
    sim = EmbeddedSimulator()
    sim.load(scene, Robot("bench", 0.18, 1.5))
    draw = rng(0, scene_id, "bench.looks")
    looks, most = [], dict.fromkeys(objects, 0)
    for _ in range(count):
        x, y, z = sim.random_point(draw)
        pose = Pose(x, y, z, float(draw.uniform(-np.pi, np.pi)))
        sim.place(pose)
        frame = sim.render(CAMERA)
        noise = NOISE * draw.normal(size=(PATCHES, PATCHES, SIZE_F))
        features = encode(frame.instances, codes, noise.astype(np.float32))
        looks.append(Look(pose, frame.depth.copy(), features))
        near = frame.instances[(frame.depth > 0) & (frame.depth < 0.9 * RANGE_M)]
        for number, pixels in zip(*np.unique(near, return_counts=True), strict=True):
            if number in most:
                most[number] = max(most[number], pixels)
    return Place(objects, looks, [objects[i] for i, n in most.items() if n >= IN_VIEW_PX])


def hits(spots: list, things: Iterable[SceneObject]) -> bool:  # type: ignore[type-arg]
    """Whether the best spot lies on or right by one of the things."""
    for thing in things if spots else ():
        (cx, cy, _), (sx, sy, _), yaw = thing.box.centre, thing.box.size, thing.box.yaw
        dx, dy = spots[0].x - cx, spots[0].y - cy
        a = max(0.0, abs(dx * math.cos(yaw) + dy * math.sin(yaw)) - sx / 2)
        b = max(0.0, abs(dy * math.cos(yaw) - dx * math.sin(yaw)) - sy / 2)
        if math.hypot(a, b) <= NEAR_M:
            return True
    return False


def score(places: list[Place], settings: MapSettings) -> str:
    """One line of percentages."""
    marks: dict[str, list[bool]] = {k: [] for k in ("things", "small", "target", "below", "same")}
    for place in places:
        world = FeatureMap(SIZE_F, settings)
        for look in place.looks:
            world.fuse(look.features, look.depth, CAMERA, look.pose, RANGE_M)
        every = place.objects.values()
        for category in sorted({o.category for o in place.in_view}):
            query = TextQuery(world, code(category)[None])
            spots = top_candidates(query.likelihood(SCALE, BIAS), world.grid, 0.02, 0.4, 1)
            alike = [o for o in every if o.category == category]
            marks["things"].append(hits(spots, alike))
            if max(alike[0].box.size) < SMALL_M:
                marks["small"].append(marks["things"][-1])
        standing = [o for o in place.in_view if o.support in place.objects]
        standing = [o for o in standing if o.position_kind == "on"]
        pairs = {(o.category, place.objects[o.support or 0].category) for o in standing}
        for this, that in sorted(pairs):
            query = TextQuery(world, np.stack([code(this), code(that)]))
            held = [o for o in every if o.category == this and o.support in place.objects]
            held = [o for o in held if place.objects[o.support or 0].category == that]
            for name, likely in (
                ("target", query.likelihood(SCALE, BIAS)),
                ("below", query.supported(SCALE, BIAS)),
                ("same", query.supported(SCALE, BIAS, same_layer=True)),
            ):
                marks[name].append(hits(top_candidates(likely, world.grid, 0.005, 0.4, 1), held))
    counts = f"{len(marks['things']):5d}{len(marks['target']):5d}"
    return "".join(f"{100 * np.mean(m):8.1f}" for m in marks.values()) + counts


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help="one home, few looks, few settings")
    options = parser.parse_args()
    scenes = [f"home/train/{i}" for i in range(1 if options.quick else 4)]
    scenes += [] if options.quick else ["office/train/0"]
    places = [visit(s, 40 if options.quick else 90) for s in scenes]
    base = MapSettings()
    rows = {"3 layers, 6 cm, confidence": base, "mean": replace(base, fusion="mean")}
    if not options.quick:
        rows |= {f"{n} layers": replace(base, layers=n) for n in (1, 2, 4, 5)}
        rows |= {f"top {m} m": replace(base, top_m=m) for m in (1.5, 1.8)}
        rows |= {f"range_m {m}": replace(base, range_m=m) for m in (1.0, 1.5, 3.0, 1e6)}
        rows |= {
            "a pixel has its patch's": replace(base, smooth=False),
            "10 cm": replace(base, cell_m=0.10),
            "every pixel": replace(base, samples=256),
            "every third pixel": replace(base, samples=86),
            "no floor": replace(base, floor_weight=0.0),
            "floor as all else": replace(base, floor_weight=1.0),
        }
    names = ("things", "small", "target", "below", "same")
    print(" " * 28 + "".join(f"{n:>8}" for n in names) + "   of   of   (%)")
    for name, settings in rows.items():
        print(f"{name:<28}{score(places, settings)}", flush=True)


if __name__ == "__main__":
    main()
