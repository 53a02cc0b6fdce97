"""What a reading of each kind of sensor costs, on one core, beside one RGB-D frame.

    python benchmarks/bench_sensors.py [--quick] [--json]

The scene is the val home with the median number of triangles among the first nine. The process is
pinned to one core where the system allows it; times are milliseconds of processor time per
reading, the best of several passes over the same random navigable poses. Accuracy is the error of
lidar ranges against rays cast through every triangle of the scene.
"""

from __future__ import annotations

import argparse
import json
import math
import time
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from bench_render import median_home, pin_to_one_core, random_poses
from navproof.core.types import Camera, Mount, Pose, Robot, Scan, SensorSpec
from navproof.sensors import View, build, coloured
from navproof.sensors.lidar import beams
from navproof.sensors.rays import axes
from navproof.sim.embedded import EmbeddedSimulator
from navproof.world.scene import Scene

FRAME = Camera(256, 256)
FLAT = SensorSpec("flat", "lidar", mount=Mount(0.3), scan=Scan(360), max_range_m=30.0)
DEEP = SensorSpec(
    "deep", "lidar", mount=Mount(1.0), scan=Scan(360, 16, 360.0, -15.0, 15.0), max_range_m=30.0
)
SENSORS: dict[str, tuple[SensorSpec, ...]] = {
    "RGB-D 256 × 256": (SensorSpec("rgb", "rgb", FRAME), SensorSpec("depth", "depth", FRAME)),
    "RGB-D 640 × 480": (
        SensorSpec("rgb", "rgb", Camera(640, 480)),
        SensorSpec("depth", "depth", Camera(640, 480)),
    ),
    "panorama 512 × 256": (SensorSpec("p", "panorama", Camera(512, 256, 360.0)),),
    "panorama 512 × 256, depth": (
        SensorSpec("p", "panorama", Camera(512, 256, 360.0), of="depth"),
    ),
    "panorama, 12 views of 224 × 224": (
        SensorSpec("p", "panorama", Camera(224, 224, 60.0), views=12),
    ),
    "lidar 2-D, 360 beams": (FLAT,),
    "lidar 3-D, 16 × 360 beams": (DEEP,),
    "imu": (SensorSpec("imu", "imu"),),
    "gps": (SensorSpec("gps", "gps"),),
    "compass": (SensorSpec("compass", "compass"),),
}
BASE = "RGB-D 256 × 256"


def read_all(sim: EmbeddedSimulator, specs: Sequence[SensorSpec], poses: list[Pose]) -> float:
    """Processor seconds for one reading of each sensor at every pose."""
    sensors = [build(spec) for spec in specs]
    colours = coloured(sensors)
    start = time.process_time()
    for pose in poses:
        sim.place(pose)
        view = View(sim, (), pose, colours)
        for sensor in sensors:
            sensor.read(view)
    return time.process_time() - start


def cast(scene: Scene, eye: NDArray[np.float64], rays: NDArray[np.float64]) -> NDArray[np.float64]:
    """Distance to the nearest visible side of any triangle (Möller–Trumbore, all of them)."""
    g = scene.geometry
    corners = g.vertices[g.faces].astype(np.float64)
    e1, e2, s = corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0], eye - corners[:, 0]
    q = np.cross(s, e1)
    out = np.zeros(len(rays))
    for i, ray in enumerate(rays):
        p = np.cross(ray, e2)
        det = (e1 * p).sum(axis=1)
        det[det == 0.0] = np.nan  # along the plane: no hit
        u, v = (s * p).sum(axis=1) / det, (q @ ray) / det
        t = (e2 * q).sum(axis=1) / det
        hit = (u >= 0) & (v >= 0) & (u + v <= 1) & (t > 1e-6) & (g.face_two_sided | (det > 0))
        out[i] = t[hit].min() if hit.any() else 0.0
    return out


def errors_mm(
    sim: EmbeddedSimulator, spec: SensorSpec, poses: list[Pose], every: int
) -> NDArray[np.float64]:
    """|range − ray| in millimetres, over every n-th beam, if it hits something within range."""
    assert spec.mount
    assert spec.scan
    found = []
    for pose in poses:
        sim.place(pose)
        ranges = build(spec).read(View(sim, (), pose, frozenset())).reshape(-1)[::every]
        c, s = math.cos(sim.pose.yaw), math.sin(sim.pose.yaw)
        turn = np.array([[c, s, 0.0], [-s, c, 0.0], [0.0, 0.0, 1.0]])
        rays = beams(spec.scan).reshape(-1, 3)[::every] @ axes(spec.mount) @ turn
        eye = np.array(sim.pose.point) + np.array((0.0, 0.0, spec.mount.height_m))
        true = cast(sim.scene, eye, rays)
        near = (true > 0) & (true <= spec.max_range_m)
        found.append(np.abs(ranges - true)[near] * 1000.0)
    return np.concatenate(found)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="fewer homes, poses, passes and beams")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    pinned = pin_to_one_core()
    scene, _ = median_home(1 if options.quick else 9)
    poses = random_poses(scene, 4 if options.quick else 40)
    sim = EmbeddedSimulator()
    sim.load(scene, Robot("bench", 0.2, 1.4))
    passes = 2 if options.quick else 5
    costs = {}
    for name, specs in SENSORS.items():
        read_all(sim, specs, poses[:1])
        costs[name] = 1000.0 * min(read_all(sim, specs, poses) for _ in range(passes)) / len(poses)
    checked, every = (poses[:1], 20) if options.quick else (poses[:4], 1)
    errors = {spec.name: errors_mm(sim, spec, checked, every) for spec in (FLAT, DEEP)}
    accuracy = {
        name: {
            "beams": len(found),
            "median_mm": float(np.median(found)),
            "p95_mm": float(np.quantile(found, 0.95)),
            "over_10_mm": float((found > 10.0).mean()),
        }
        for name, found in errors.items()
    }
    if options.json:
        print(json.dumps({"scene": scene.id, "ms": costs, "accuracy": accuracy, "pinned": pinned}))
        return
    print(f"{scene.id}, {len(scene.geometry.faces)} triangles, one core, {len(poses)} poses")
    print(f"\n| reading | ms | × {BASE} |\n|---|---|---|")
    for name, ms in costs.items():
        print(f"| {name} | {ms:.2f} | {ms / costs[BASE]:.2f} |")
    print("\n| lidar | beams | median error | 95 % | beyond 10 mm |\n|---|---|---|---|---|")
    for name, a in accuracy.items():
        print(
            f"| {name} | {a['beams']} | {a['median_mm']:.1g} mm | {a['p95_mm']:.2g} mm |"
            f" {100 * a['over_10_mm']:.2f} % |"
        )


if __name__ == "__main__":
    main()
