"""Digests of generated scenes, rendered frames, distances and a walk: the same on every machine.

    python benchmarks/fingerprint.py [--json]

Run it on two machines and compare the lines. It needs NumPy, SciPy, Numba and OpenCV only.
"""

from __future__ import annotations

import argparse
import dataclasses
import hashlib
import json
import platform

import numpy as np

from navproof.core.seeding import rng
from navproof.core.types import Camera, Move, Pose, Robot
from navproof.sim.embedded import EmbeddedSimulator
from navproof.world.generate import generate
from navproof.world.scene import Scene


def digest(*parts: object) -> str:
    h = hashlib.blake2b(digest_size=8)
    for part in parts:
        h.update(part.tobytes() if isinstance(part, np.ndarray) else repr(part).encode())
    return h.hexdigest()


def of_scene(scene: Scene) -> dict[str, str]:
    g = scene.geometry
    arrays = [v for f in dataclasses.fields(g) if isinstance(v := getattr(g, f.name), np.ndarray)]
    textures = [g.textures[name] for name in sorted(g.textures)]
    light = [g.light, g.lightmap]
    return {
        "objects": digest(scene.rooms, scene.doors, scene.objects),
        "geometry": digest(*(a for a in arrays if not any(a is b for b in light))),
        "textures": digest(*textures),
        "light": digest(*light),
    }


def of_walk(scene: Scene) -> dict[str, str]:
    sim = EmbeddedSimulator()
    sim.load(scene, Robot("disc", 0.18, 0.88, turn_deg=30.0))
    generator = rng(0, scene.id, "fingerprint")
    goals = tuple(sim.random_point(generator) for _ in range(3))
    sim.place(Pose(*sim.random_point(generator), float(generator.uniform(-3.0, 3.0))))
    camera = Camera(width=160, height=120, hfov_deg=79.0, height_m=0.88, pitch_deg=-5.0)
    frames, poses, metres = [], [], []
    for step in range(60):
        draw = generator.random()
        sim.apply(Move.FORWARD if draw < 0.6 else Move.LEFT if draw < 0.8 else Move.RIGHT)
        poses.append(sim.pose)
        metres.append(sim.geodesic(sim.pose.point, goals))
        if step % 6 == 0:
            frames.append(sim.render(camera))
    return {
        "walk": digest(poses),
        "distances": digest(metres),
        "rgb": digest(*(f.rgb for f in frames)),
        "depth": digest(*(f.depth for f in frames)),
        "instances": digest(*(f.instances for f in frames)),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    lines = {}
    for kind in ("home", "office", "cafe", "shop", "clinic"):
        scene = generate(kind, 7, scene_id=f"{kind}-7")
        lines[kind] = of_scene(scene) | of_walk(scene)
    if options.json:
        print(json.dumps(lines, indent=2))
        return
    print(f"{platform.machine()}, Python {platform.python_version()}, NumPy {np.__version__}")
    for kind, digests in lines.items():
        print(kind, *(f"{name}={value}" for name, value in digests.items()))


if __name__ == "__main__":
    main()
