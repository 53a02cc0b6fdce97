"""A small packed suite: an episode of each task, and a mission by another robot, in the two-room
flat with textures and lamps.

``python -m tests.packed_samples`` (from the project's root) wrote ``tests/data/packed``, with
navproof 0.2.0: the suite, and a run of it. They are never written again: that later versions play
and verify them is what they are there to show.
"""

from __future__ import annotations

import hashlib
from dataclasses import replace
from pathlib import Path

import pytest

import navproof
from navproof.check.tiny import tiny_episode, tiny_simulator
from navproof.core.cache import cache_dir
from navproof.core.types import Camera, Episode, Pose
from navproof.sim.embedded import EmbeddedSimulator
from navproof.sim.robots import ROBOTS
from navproof.tasks import TASKS, with_camera
from navproof.tasks.episodes import write_episodes
from navproof.tasks.settings import STANDARD, Settings
from navproof.tasks.suites import load, load_suite
from navproof.tasks.suites.pack import write_pack
from navproof.testing import tiny_scene
from navproof.world import library
from navproof.world.io import save_scene
from navproof.world.light.bake import bake
from navproof.world.scene import Scene
from navproof.world.textures.library import texture_library

KEPT = Path(__file__).parent / "data" / "packed"
SUITE, RUN = KEPT / "tiny.suite", KEPT / "run"
CONDITIONS = ("wheel_slip@0.6:frame",)
AGENTS = ("oracle", "random")
_LOOKS = ("plaster", "parquet", "wood", "fabric", "cardboard")
_STEPS = 100


def flat() -> Scene:
    """The two-room flat, with textures of the library and baked light."""
    scene, library = bake(tiny_scene()), texture_library()
    materials = tuple(
        replace(material, texture=look)
        for material, look in zip(scene.geometry.materials, _LOOKS, strict=True)
    )
    textures = {look: library[look] for look in _LOOKS}
    return replace(scene, geometry=replace(scene.geometry, materials=materials, textures=textures))


def episodes(scene: str) -> list[Episode]:
    """One of each built-in task in the flat, which is called ``scene``, and a mission of H1."""
    made = [
        replace(tiny_episode(task, tiny_simulator(task), _STEPS), scene=scene)
        for task in TASKS.built_in()
    ]
    mission = next(episode for episode in made if episode.subtasks)
    return [*made, replace(mission, episode_id=f"{mission.episode_id}-h1", robot="h1")]


def episode_file(folder: Path) -> Path:
    """A file of the episodes, in a folder that then has the scene's, too."""
    save_scene(flat(), folder / "flat.scene")
    write_episodes(folder / "flat.jsonl", episodes(str(folder / "flat.scene")))
    return folder / "flat.jsonl"


def pack_flat(folder: Path, name: str = "tiny.suite") -> Path:
    """Pack the episodes into a file of the folder, which then has the scene's, too."""
    write_pack(
        folder / name,
        "tiny",
        load_suite(str(episode_file(folder))),
        generator=load.GENERATOR_VERSION,
        description="an episode of each task in the two-room flat",
        conditions=CONDITIONS,
    )
    return folder / name


def look(scene: Scene, settings: Settings = STANDARD) -> str:
    """A digest of what a camera sees in the flat, and of how far it is across it."""
    sim = EmbeddedSimulator()
    sim.load(scene, settings.spec("pointnav-v1").robot)
    sim.place(Pose(-3.0, 1.0, 0.0, 0.4))
    frame = sim.render(Camera(96, 72))
    seen = hashlib.sha256(frame.rgb.tobytes() + frame.depth.tobytes() + frame.instances.tobytes())
    seen.update(repr(sim.geodesic((-3.0, 1.0, 0.0), ((3.0, 3.0, 0.0),))).encode())
    return seen.hexdigest()[:16]


def own_cache(monkeypatch: pytest.MonkeyPatch, folder: Path) -> Path:
    """An empty cache in a folder, with compiled kernels as they are."""
    kernels = cache_dir("jit")
    (folder / "cache").mkdir()
    (folder / "cache" / "jit").symlink_to(kernels)
    monkeypatch.setenv("NAVPROOF_CACHE", str(folder / "cache"))
    library._memory.clear()
    return folder / "cache"


def later_version(monkeypatch: pytest.MonkeyPatch) -> None:
    """From now on this process is a later navproof: it makes other worlds and episodes (none at
    all, to be sure), its tasks and robots are others, and its textures are not there."""

    def not_made(*_: object, **__: object) -> Scene:
        raise AssertionError("a scene was made")

    kinds = {name: TASKS[name] for name in TASKS.built_in()}
    monkeypatch.setattr(navproof, "__version__", "9.0.0")
    monkeypatch.setattr(load, "__version__", "9.0.0")
    monkeypatch.setattr(load, "GENERATOR_VERSION", 99)
    monkeypatch.setattr(library, "WORLD_VERSION", "99")
    monkeypatch.setattr("navproof.world.generate.generate", not_made)
    monkeypatch.setattr("navproof.world.textures.library.texture_library", dict)
    for name in ROBOTS.built_in():
        robot = ROBOTS[name]
        other = replace(robot, max_speed_m_s=2 * robot.max_speed_m_s, camera_m=0.3, turn_deg=7.0)
        monkeypatch.setitem(ROBOTS._things, name, other)
    for name, kind in kinds.items():
        spec = kind.spec
        changed = replace(
            with_camera(spec, 16, 16),
            robot=replace(spec.robot, radius_m=0.4, forward_m=0.7, turn_deg=45.0),
            success_m=spec.success_m + 5.0,
            budget_steps=3,
            sensors=spec.sensors[:3],
        )
        monkeypatch.setitem(TASKS._things, name, replace(kind, spec=changed))


def main() -> None:
    """Write what is kept, once."""
    import tempfile

    if KEPT.exists():
        raise SystemExit(f"{KEPT} is there: it is never written again")
    KEPT.mkdir(parents=True)
    with tempfile.TemporaryDirectory() as folder:
        SUITE.write_bytes(pack_flat(Path(folder)).read_bytes())
    navproof.run(AGENTS, SUITE, out=RUN, workers=1)
    print(look(flat()))


if __name__ == "__main__":
    main()
