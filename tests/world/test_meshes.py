import json
import math
import os
from pathlib import Path

import numpy as np
import pytest

from navproof.core.errors import MissingExtraError, SceneError
from navproof.core.types import Camera, Pose, Robot
from navproof.sim.geodesic.navgrid import NavGrid
from navproof.sim.render.render import Renderer
from navproof.world.drawing.plan import draw_plan
from navproof.world.importers.meshes import load_mesh_scene

trimesh = pytest.importorskip("trimesh")


def shared_data() -> Path:
    chosen = os.environ.get("NAVPROOF_SHARED_DATA")
    return Path(chosen) if chosen else Path(__file__).resolve().parents[3] / "shared" / "data"


@pytest.fixture
def box_file(tmp_path):
    """A 4 × 4 × 3 m box with one colour per side, seen from within."""

    def write(suffix, up="z"):
        mesh = trimesh.creation.box((4.0, 4.0, 3.0))
        mesh.apply_translation([0.0, 0.0, 1.5])
        mesh.unmerge_vertices()
        side = mesh.face_normals.round().astype(int)
        colours = np.full((12, 4), (40, 40, 40, 255), dtype=np.uint8)
        colours[side[:, 0] == 1] = (200, 20, 20, 255)
        colours[side[:, 1] == 1] = (20, 200, 20, 255)
        colours[side[:, 2] == 1] = (20, 20, 200, 255)
        mesh.visual.vertex_colors = np.repeat(colours, 3, axis=0)
        if up == "y":
            v = mesh.vertices.copy()
            mesh.vertices = np.stack([v[:, 0], v[:, 2], -v[:, 1]], axis=1)
        path = tmp_path / f"box{suffix}"
        mesh.export(path)
        return path

    return write


@pytest.mark.parametrize(("suffix", "up"), [(".ply", "z"), (".obj", "z"), (".glb", "y")])
def test_vertex_colours_and_axes(box_file, suffix, up):
    scene = load_mesh_scene(box_file(suffix, up), up=up)
    renderer = Renderer(scene)
    camera = Camera(32, 32, height_m=1.5)
    ahead = renderer.render(camera, Pose(0.0, 0.0, 0.0, 0.0))
    assert np.allclose(ahead.depth[8:24, 8:24], 2.0, atol=1e-5)
    for yaw, pitch, channel in ((0.0, 0.0, 0), (math.pi / 2, 0.0, 1), (0.0, 90.0, 2)):
        frame = renderer.render(
            Camera(8, 8, 30.0, height_m=1.5, pitch_deg=pitch), Pose(0, 0, 0, yaw)
        )
        expected = np.full(3, 20.0)
        expected[channel] = 200.0
        assert np.abs(frame.rgb[4, 4].astype(float) - expected).max() <= 12


def test_one_room_covers_the_bounds(box_file):
    scene = load_mesh_scene(box_file(".ply"))
    assert scene.room_at(0.0, 0.0, 0.0) is not None
    assert len(scene.rooms) == 1
    assert scene.geometry.face_two_sided.all()


def test_a_textured_mesh_shows_its_texture(tmp_path):
    image = pytest.importorskip("PIL.Image")
    pixels = np.zeros((64, 64, 3), dtype=np.uint8)
    pixels[:32] = (220, 30, 30)
    pixels[32:] = (30, 30, 220)
    wall = trimesh.Trimesh(
        [[2, 1, 0], [2, -1, 0], [2, -1, 2], [2, 1, 2]], [[0, 1, 2], [0, 2, 3]], process=False
    )
    wall.visual = trimesh.visual.TextureVisuals(
        uv=[[0, 0], [1, 0], [1, 1], [0, 1]], image=image.fromarray(pixels)
    )
    path = tmp_path / "wall.glb"
    wall.export(path)
    frame = Renderer(load_mesh_scene(path)).render(Camera(32, 32, 45.0, height_m=1.0), Pose(0, 0))
    assert frame.rgb[4, 16, 0] > 150 > frame.rgb[4, 16, 2]  # the picture's top is up
    assert frame.rgb[28, 16, 2] > 150 > frame.rgb[28, 16, 0]


@pytest.mark.parametrize("suffix", [".ply", ".obj", ".glb", ".xyzzy"])
def test_unreadable_files_end_in_one_line(tmp_path, suffix):
    path = tmp_path / f"broken{suffix}"
    path.write_bytes(b"this is not a mesh\n" * 3)
    with pytest.raises(SceneError, match="broken") as caught:
        load_mesh_scene(path)
    assert "\n" not in str(caught.value)


def test_an_stl_that_says_more_triangles_than_it_has_is_refused(box_file):
    path = box_file(".stl")
    data = bytearray(path.read_bytes())
    data[83] ^= 0x40
    path.write_bytes(data)
    with pytest.raises(SceneError, match=r"is to have 1,073,741,\d+ triangles, and is as long as"):
        load_mesh_scene(path)


@pytest.mark.parametrize(("at", "told"), [(3e6, "from the origin"), (400.0, "spreads over")])
def test_vertices_that_are_far_away_are_told_at_once(tmp_path, at, told):
    mesh = trimesh.Trimesh([[0, 0, 0], [at, 0, 0], [0, at, 0]], [[0, 1, 2]], process=False)
    mesh.export(tmp_path / "far.ply")
    with pytest.raises(SceneError, match=told):
        load_mesh_scene(tmp_path / "far.ply")


def test_vertices_that_are_no_numbers_are_refused(tmp_path):
    (tmp_path / "a.obj").write_text("v 0 0 0\nv 1 0 nan\nv 0 1 0\nf 1 2 3\n")
    with pytest.raises(SceneError, match="not finite numbers"):
        load_mesh_scene(tmp_path / "a.obj")


def test_a_texture_that_is_too_large_is_refused_before_it_is_unpacked(tmp_path):
    image = pytest.importorskip("PIL.Image")
    image.new("1", (9000, 9000)).save(tmp_path / "large.png")
    (tmp_path / "a.mtl").write_text("newmtl m\nmap_Kd large.png\n")
    corners = "v 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nvt 1 0\nvt 0 1\n"
    text = f"mtllib a.mtl\n{corners}usemtl m\nf 1/1 2/2 3/3\n"
    (tmp_path / "a.obj").write_text(text)
    with pytest.raises(SceneError, match="9000 × 9000 pixels, and 67,108,864 are the most"):
        load_mesh_scene(tmp_path / "a.obj")


def test_missing_files_and_axes_end_in_one_line(tmp_path):
    with pytest.raises(SceneError, match="no such"):
        load_mesh_scene(tmp_path / "nothing.ply")
    with pytest.raises(SceneError, match="up is"):
        load_mesh_scene(tmp_path / "nothing.ply", up="x")  # type: ignore[arg-type]


def test_without_trimesh_the_extra_is_named(box_file, monkeypatch):
    path = box_file(".ply")
    monkeypatch.setitem(__import__("sys").modules, "trimesh", None)
    with pytest.raises(MissingExtraError, match=r"navproof\[meshes\]"):
        load_mesh_scene(path)


def test_depth_of_a_scanned_room_equals_habitats():
    folder = shared_data() / "van-gogh-room"
    if not folder.is_dir():
        pytest.skip("needs the shared van-gogh-room data")
    state = json.loads((folder / "van-gogh-room-state.json").read_text())
    (x, y, z), (_, qy, _, qw) = state["pos"], state["rot"]
    turn = 2.0 * math.atan2(qy, qw)  # about Habitat's y; its forward is −z
    ahead = (-math.sin(turn), math.cos(turn))  # (x, −z) of that forward
    yaw = math.atan2(ahead[1], ahead[0])
    pose = Pose(x + 0.25 * ahead[0], -z + 0.25 * ahead[1], y, yaw)
    scene = load_mesh_scene(folder / "van-gogh-room.mesh.ply")
    frame = Renderer(scene).render(Camera(640, 480, 90.0, height_m=1.5, near_m=0.01), pose)
    theirs = np.load(folder / "depth_sensor.npz")["depth"].reshape(480, 640)
    seen = (theirs > 0) & (frame.depth > 0)
    error = np.abs(theirs - frame.depth)[seen]
    print(
        f"median {np.median(error):.2e} m, mean {error.mean():.2e} m, "
        f"99th percentile {np.percentile(error, 99):.2e} m over {seen.mean():.1%} of the pixels"
    )
    assert np.array_equal(theirs > 0, frame.depth > 0)
    assert np.median(error) < 1e-4
    assert error.mean() < 1e-3
    assert np.percentile(error, 99) < 1e-3


def test_a_ply_with_uvs_and_no_picture_is_shaded_by_its_slope(tmp_path: Path) -> None:
    path = tmp_path / "steps.ply"
    path.write_text(
        "ply\nformat ascii 1.0\nelement vertex 6\n"
        "property float x\nproperty float y\nproperty float z\n"
        "property float u\nproperty float v\n"
        "element face 2\nproperty list uchar uint vertex_indices\nend_header\n"
        "0 0 0 0 0\n1 0 0 1 0\n0 1 0 0 1\n3 0 0 0 0\n3 1 0 1 0\n3 0 1 0 1\n"
        "3 0 1 2\n3 3 4 5\n"
    )
    light = load_mesh_scene(path).geometry.light
    assert len(np.unique(light)) == 2  # the floor and the wall are told apart
    assert light.min() > 0


def test_a_mesh_from_above_shows_what_stands_on_its_floor(tmp_path: Path) -> None:
    floor = trimesh.creation.box((4.0, 3.0, 0.02))
    block = trimesh.creation.box((1.0, 1.0, 1.0))
    block.apply_translation((1.0, 0.0, 0.5))
    path = tmp_path / "block.ply"
    trimesh.util.concatenate([floor, block]).export(path)
    image, x0, y0 = draw_plan(load_mesh_scene(path), 0.02, labels=False)
    on_block, on_floor, outside = (
        int(image[round((y0 - y) / 0.02), round((x - x0) / 0.02)].mean())
        for x, y in ((1.0, 0.0), (-1.0, 0.0), (-2.3, 0.0))
    )
    assert on_floor > on_block > outside


def test_navigable_area_of_a_scan_is_near_habitats() -> None:
    """Habitat's navmesh of that room has two islands: the floor (7.3050 m²) and the bed's top.
    Recast erodes by whole cells, so its floor is a little smaller than ours."""
    mesh = shared_data() / "van-gogh-room" / "van-gogh-room.mesh.ply"
    if not mesh.exists():
        pytest.skip("needs the shared van-gogh-room data")
    grid = NavGrid.build(load_mesh_scene(mesh), Robot("habitat", 0.1, 1.5))
    assert grid.area_m2() == pytest.approx(7.3050, rel=0.07)
