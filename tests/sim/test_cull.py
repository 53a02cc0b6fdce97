import dataclasses
import math

import numpy as np
import pytest
from render_helpers import moving_mesh, quad

from navproof.core.types import FIRST_OBJECT_ID, Camera, Pose
from navproof.sim.camera import focal_px, world_to_camera
from navproof.sim.render import cull
from navproof.sim.render.render import Renderer
from navproof.testing import tiny_scene
from navproof.world.scene import Scene


def rooms_seen(scene: Scene, camera: Camera, pose: Pose) -> dict[int, tuple[float, ...]]:
    """Room → the rectangle (u0, v0, u1, v1), in pixels, through which it may be seen."""
    rotation, centre = world_to_camera(camera, pose)
    f = focal_px(camera)
    middle = np.array([camera.width / 2, camera.height / 2] * 2)
    view = np.array([*rotation.ravel(), *centre, f, *middle[:2]])
    rects = np.empty((len(scene.rooms), 4))
    extent = camera.width / 2 / f, camera.height / 2 / f
    rooms, doors = cull.room_outlines(scene), cull.portals(scene)
    cull.see_rooms(view, camera.near_m, *extent, *rooms, *doors, rects)
    return {i: tuple(r * f + middle) for i, r in enumerate(rects) if r[0] <= r[2]}


def close_door(scene: Scene) -> Scene:
    door = dataclasses.replace(scene.doors[0], passable=False)
    return dataclasses.replace(scene, doors=(door,))


CAMERA = Camera(100, 100)


def test_the_next_room_is_seen_through_its_doorway_only():
    scene = tiny_scene()
    seen = rooms_seen(scene, CAMERA, Pose(-2.0, 2.0))  # doorway 2 m ahead, 1 m wide, 2 m high
    assert seen[0] == pytest.approx((0, 0, 100, 100))
    u0, v0, u1, v1 = seen[1]
    assert (u0, u1) == pytest.approx((37.5, 62.5), abs=1.0)
    assert (v0, v1) == pytest.approx((50 - 0.75 * 25, 50 + 1.25 * 25), abs=1.0)


def test_a_room_behind_the_camera_is_not_seen():
    assert set(rooms_seen(tiny_scene(), CAMERA, Pose(-2.0, 2.0, 0.0, math.pi))) == {0}
    assert set(rooms_seen(tiny_scene(), CAMERA, Pose(2.0, 2.0))) == {1}


def test_a_closed_door_hides_the_next_room():
    assert set(rooms_seen(close_door(tiny_scene()), CAMERA, Pose(-2.0, 2.0))) == {0}


def test_in_a_doorway_both_rooms_are_seen_in_full():
    for x in (-0.2, 0.0, 0.2):
        for yaw in (0.0, math.pi / 2, math.pi):
            seen = rooms_seen(tiny_scene(), CAMERA, Pose(x, 2.0, 0.0, yaw))
            assert seen == {k: pytest.approx((0, 0, 100, 100)) for k in (0, 1)}


def test_outside_every_room_everything_is_seen():
    for pose in (Pose(-9.0, 2.0), Pose(-2.0, 2.0, 8.0), Pose(-2.0, 2.0, -5.0)):
        assert set(rooms_seen(tiny_scene(), CAMERA, pose)) == {0, 1}


def test_culling_draws_less():
    triangles = {}
    for culling in (True, False):
        renderer = Renderer(tiny_scene(), culling=culling)
        renderer._tri_slot[:] = -2
        renderer.render(CAMERA, Pose(-3.5, 3.5, 0.0, math.pi))
        triangles[culling] = int((renderer._tri_slot > -2).sum())  # numbered in this frame
    assert triangles[True] <= triangles[False]
    view, _ = world_to_camera(CAMERA, Pose(-3.5, 3.5, 0.0, math.pi))
    packed = np.array([*view.ravel(), -3.5, 3.5, 1.25, 50.0, 50.0, 50.0])
    t = renderer._triangles
    scratch = renderer._chosen, renderer._nearest, renderer._crossing, renderer._bounds
    rects = np.array([[-1.0, -1.0, 1.0, 1.0], [1.0, 0.0, -1.0, 0.0]])
    clusters = [
        cull.select_clusters(
            packed, 0.05, 1.0, 1.0, rects, t.boxes, t.cluster_room, t.counts[2], culling, *scratch
        )
        for culling in (True, False)
    ]
    assert clusters[0] < clusters[1] // 2


def random_views(scene: Scene, rng: np.random.Generator, count: int):
    """Poses in rooms, in doorways and some outside, with cameras of many kinds."""
    for i in range(count):
        camera = Camera(
            int(rng.integers(8, 90)), int(rng.integers(8, 90)), float(rng.uniform(30, 130)),
            height_m=float(rng.uniform(0.15, 2.1)), pitch_deg=float(rng.uniform(-45, 45)),
            near_m=float(rng.choice([0.01, 0.05, 0.2])),
        )  # fmt: skip
        yaw = float(rng.uniform(-math.pi, math.pi))
        if i % 3 == 0 and scene.doors:
            door = scene.doors[int(rng.integers(len(scene.doors)))]
            x, y = np.array(door.centre[:2]) + rng.normal(0.0, 0.3, 2)
        else:
            room = scene.rooms[int(rng.integers(len(scene.rooms)))]
            polygon = np.array(room.polygon)
            x, y = rng.uniform(polygon.min(axis=0), polygon.max(axis=0))
        yield camera, Pose(float(x), float(y), 0.0, yaw)


def assert_same_pixels(scene: Scene, seed: int, count: int) -> None:
    culled, full = Renderer(scene), Renderer(scene, culling=False)
    for camera, pose in random_views(scene, np.random.default_rng(seed), count):
        a, b = culled.render(camera, pose), full.render(camera, pose)
        where = f"{scene.id} {camera} {pose}"
        assert np.array_equal(a.instances, b.instances), where
        assert np.array_equal(a.depth, b.depth), where
        assert np.array_equal(a.rgb, b.rgb), where


def test_culling_never_changes_a_pixel():
    assert_same_pixels(tiny_scene(), 1, 300)


@pytest.mark.parametrize("name", ["home/val/0", "home/val/3", "office/val/0"])
def test_culling_never_changes_a_pixel_in_generated_scenes(name):
    library = pytest.importorskip("navproof.world.library")
    assert_same_pixels(library.load_scene(name), 2, 120)


def test_extra_meshes_are_drawn_wherever_they_are():
    scene = tiny_scene()
    body, faces = quad([[2, 2.3, 0], [2, 1.7, 0], [2, 1.7, 1.8], [2, 2.3, 1.8]])
    person = moving_mesh(body, faces, 77)
    frame = Renderer(scene).render(CAMERA, Pose(-2.0, 2.0), extra=[person])
    assert (frame.instances == 77).sum() > 20
    shut = Renderer(close_door(scene)).render(CAMERA, Pose(-2.0, 2.0), extra=[person])
    assert (shut.instances == 77).any()  # nothing stands in the opening: only rooms are hidden
    assert FIRST_OBJECT_ID + 1 not in shut.instances
