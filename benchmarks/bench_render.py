"""How fast pictures are rendered, on one core, beside OpenGL and Embree.

    python benchmarks/bench_render.py [--quick] [--json]

The scene is the val home with the median number of triangles among the first nine. The process is
pinned to one core where the system allows it, so every renderer gets one; frames/s are frames per
second of processor time (equal to wall-clock time on an idle machine), the best of several passes
over the same random navigable poses.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from navproof.core.seeding import rng
from navproof.core.types import Camera, Pose, Robot
from navproof.sim.embedded import EmbeddedSimulator
from navproof.sim.render.render import Renderer
from navproof.world.library import load_scene
from navproof.world.scene import Geometry, Scene

SIZES = ((128, 128), (256, 256), (512, 512), (640, 480), (1024, 1024))


def pin_to_one_core() -> bool:
    """True where the process could be pinned."""
    try:
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    except (AttributeError, OSError):
        return False
    return True


def median_home(homes: int) -> tuple[Scene, list[int]]:
    """The home with the median number of triangles, and all the numbers."""
    scenes = [load_scene(f"home/val/{i}") for i in range(homes)]
    ranked = sorted(scenes, key=lambda s: len(s.geometry.faces))
    return ranked[(homes - 1) // 2], [len(s.geometry.faces) for s in scenes]


def random_poses(scene: Scene, count: int) -> list[Pose]:
    sim = EmbeddedSimulator()
    sim.load(scene, Robot("bench", 0.2, 1.4))
    stream = rng(0, scene.id, "bench.render")
    poses = []
    for _ in range(count):
        x, y, z = sim.random_point(stream)
        poses.append(Pose(x, y, z, float(stream.uniform(-np.pi, np.pi))))
    return poses


def frames_per_second(draw: Callable[[Pose], Any], poses: list[Pose], passes: int) -> float:
    """Best of ``passes`` over all poses, per second of processor time, after one to warm up."""
    draw(poses[0])
    best = float("inf")
    for _ in range(passes):
        start = time.process_time()
        for pose in poses:
            draw(pose)
        best = min(best, time.process_time() - start)
    return len(poses) / best


def tessellate(scene: Scene) -> Scene:
    """Every triangle in four: the same picture from four times the triangles."""
    g = scene.geometry
    a, b, c = (g.faces[:, k] for k in range(3))

    def split(values: Any, dtype: Any) -> Any:
        p, q, r = (values[k].astype(np.float64) for k in (a, b, c))
        middle = (p + q) / 2, (q + r) / 2, (r + p) / 2
        return np.concatenate([p, q, r, *middle]).astype(dtype)

    n = len(g.faces)
    i = np.arange(n)
    pa, pb, pc, ab, bc, ca = (i + k * n for k in range(6))
    quarters = ((pa, ab, ca), (ab, pb, bc), (ca, bc, pc), (ab, bc, ca))
    kept = ["face_instance", "face_material", "face_room", "face_lightmapped", "face_two_sided"]
    per_face = {name: np.tile(getattr(g, name), 4) for name in kept}
    finer = Geometry(
        vertices=split(g.vertices, np.float32),
        normals=split(g.normals, np.float32),
        uvs=split(g.uvs, np.float32),
        light=split(g.light, np.uint8),
        light_uvs=split(g.light_uvs, np.float32),
        faces=np.concatenate([np.stack(q, axis=1) for q in quarters]).astype(np.int32),
        lightmap=g.lightmap,
        materials=g.materials,
        textures=g.textures,
        **per_face,
    )
    return replace(scene, geometry=finer)


def peers(scene: Scene, camera: Camera, poses: list[Pose], passes: int) -> dict[str, Any]:
    """Frames/s of OpenGL and Embree, and how far their depth is from ours."""
    import _peers

    ours = Renderer(scene)
    out: dict[str, Any] = {}
    for key, kind in (("opengl", _peers.OpenGL), ("embree", _peers.Embree)):
        try:
            peer = kind(scene, camera)
            depths = [(peer.render(p)[-2], ours.render(camera, p).depth) for p in poses[:8]]
        except Exception as error:  # a missing driver or package is a result, not a failure
            out[key] = {"available": False, "reason": " ".join(str(error).split())}
            continue
        apart = np.concatenate([np.abs(a - b).ravel() for a, b in depths])
        out[key] = {
            "available": True,
            "name": peer.name,
            "frames_per_s": frames_per_second(peer.render, poses, passes),
            "depth_difference_median_m": float(np.median(apart)),
        }
    return out


def measure(quick: bool) -> dict[str, Any]:
    pinned = pin_to_one_core()
    scene, counts = median_home(1 if quick else 9)
    poses = random_poses(scene, 12 if quick else 100)
    passes = 2 if quick else 7
    square = Camera(256, 256)
    start = time.perf_counter()
    renderer = Renderer(scene)
    prepare = time.perf_counter() - start

    def speed(camera: Camera, using: Renderer, over: list[Pose]) -> float:
        return frames_per_second(lambda pose: using.render(camera, pose), over, passes)

    few = poses[: max(8, len(poses) // 4)]
    by_size = {f"{w}x{h}": speed(Camera(w, h), renderer, few) for w, h in SIZES}
    by_triangles = {}
    finer = scene
    for _ in range(2 if quick else 3):
        by_triangles[len(finer.geometry.faces)] = speed(square, Renderer(finer), few)
        finer = tessellate(finer)
    ours = speed(square, renderer, poses)
    result = {
        "scene": scene.id,
        "triangles": len(scene.geometry.faces),
        "triangles_of_homes": counts,
        "median_triangles": statistics.median(counts),
        "poses": len(poses),
        "pinned_to_one_core": pinned,
        "prepare_s": prepare,
        "frames_per_s_256": ours,
        "frames_per_s_256_without_culling": speed(square, Renderer(scene, culling=False), few),
        "frames_per_s_by_size": by_size,
        "frames_per_s_by_triangles": by_triangles,
        "peers_256": peers(scene, square, few, max(2, passes // 2)),
    }
    for peer in result["peers_256"].values():
        if peer["available"]:
            peer["ours_is_faster_by"] = ours / peer["frames_per_s"]
    return result


def show(r: dict[str, Any]) -> None:
    print(f"scene {r['scene']}: {r['triangles']} triangles (homes: {r['triangles_of_homes']})")
    where = "one pinned core" if r["pinned_to_one_core"] else "one thread, not pinned"
    print(f"RGB + depth + instances, {r['poses']} navigable poses, {where}, processor time\n")
    print(f"256×256      {r['frames_per_s_256']:8.0f} frames/s")
    print(f"  no culling {r['frames_per_s_256_without_culling']:8.0f} frames/s")
    print("\nby size")
    for size, value in r["frames_per_s_by_size"].items():
        w, h = (int(n) for n in size.split("x"))
        print(f"  {size:>9}  {value:8.0f} frames/s  {value * w * h / 1e6:6.1f} Mpixel/s")
    print("\nby triangles (each triangle split in four, same pictures, 256×256)")
    for count, value in r["frames_per_s_by_triangles"].items():
        print(f"  {count:>9}  {value:8.0f} frames/s")
    print("\npeers, same scene, poses, size and core")
    for key, peer in r["peers_256"].items():
        if not peer["available"]:
            print(f"  {key}: not available ({peer['reason']})")
            continue
        what = "RGB + depth + instances" if key == "opengl" else "depth + instances, no colour"
        print(
            f"  {peer['name']}: {peer['frames_per_s']:.0f} frames/s ({what}); navproof is "
            f"{peer['ours_is_faster_by']:.1f}× as fast; depth differs by a median of "
            f"{peer['depth_difference_median_m']:.1e} m"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="fewer homes, poses and passes")
    parser.add_argument("--json", action="store_true", help="print the numbers as JSON")
    arguments = parser.parse_args()
    result = measure(arguments.quick)
    if arguments.json:
        print(json.dumps(result, indent=2))
    else:
        show(result)


if __name__ == "__main__":
    main()
