import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from render_helpers import moving_mesh, quad, ray_cast, triangle_scene

from navproof.core.errors import SceneError, SpecError
from navproof.core.types import CEILING, FIRST_OBJECT_ID, FLOOR, WALL, Camera, Pose
from navproof.sim.camera import focal_px, project
from navproof.sim.render.render import Renderer
from navproof.testing import tiny_scene
from navproof.world.scene import LIGHT_UNIT, Material

TABLE, CHAIR = FIRST_OBJECT_ID, FIRST_OBJECT_ID + 1


@pytest.fixture(scope="module")
def flat():
    return Renderer(tiny_scene())


def wall_at(distance, half=50.0):
    d = distance
    return quad([[d, half, -half], [d, -half, -half], [d, -half, half], [d, half, half]])


# ------------------------------------------------------------------------------- closed forms
@pytest.mark.parametrize("distance", [0.06, 0.5, 1.0, 3.7, 25.0])
def test_a_wall_at_distance_d_has_depth_d_everywhere(distance):
    frame = Renderer(triangle_scene(*wall_at(distance), WALL)).render(Camera(97, 61), Pose(0, 0))
    assert np.allclose(frame.depth, np.float32(distance), rtol=3e-7)
    assert (frame.instances == WALL).all()


def test_floor_depth_is_height_over_slope():
    floor = quad([[-60, -60, 0], [60, -60, 0], [60, 60, 0], [-60, 60, 0]])
    camera = Camera(64, 64, height_m=1.3)
    frame = Renderer(triangle_scene(*floor, FLOOR, two_sided=False)).render(camera, Pose(0, 0))
    slope = (np.arange(64) + 0.5 - 32.0) / focal_px(camera)
    expected = 1.3 / slope[33:]
    assert np.allclose(frame.depth[33:], expected[:, None], rtol=1e-6)
    assert not frame.depth[:32].any()


def test_a_slanted_plane_is_exact():
    # Plane x + 0.5·y + 0.3·z = 4 seen from (0, 0, 1.25) along +x.
    normal = np.array([1.0, 0.5, 0.3])
    y, z = np.meshgrid([-90.0, 90.0], [-90.0, 90.0])
    x = (4.0 - 0.5 * y - 0.3 * z) / 1.0
    corners = np.stack([x, y, z], axis=-1).reshape(4, 3)[[0, 1, 3, 2]]
    camera = Camera(80, 60, 70.0)
    frame = Renderer(triangle_scene(*quad(corners))).render(camera, Pose(0, 0))
    f = focal_px(camera)
    ry = -(np.arange(80) + 0.5 - 40) / f
    rz = -(np.arange(60) + 0.5 - 30) / f
    along = normal[0] + normal[1] * ry[None, :] + normal[2] * rz[:, None]
    expected = (4.0 - 0.3 * 1.25) / along
    assert np.allclose(frame.depth, expected, rtol=2e-6)


def test_a_sphere_has_the_depth_of_a_sphere():
    trimesh = pytest.importorskip("trimesh")
    ball = trimesh.creation.icosphere(subdivisions=5, radius=1.0)
    vertices = ball.vertices + np.array([4.0, 0.0, 1.25])
    camera = Camera(128, 128, 50.0)
    frame = Renderer(triangle_scene(vertices, ball.faces, 12, two_sided=False)).render(
        camera, Pose(0, 0)
    )
    c = (np.arange(128) + 0.5 - 64) / focal_px(camera)
    rays = np.stack(np.broadcast_arrays(1.0, c[None, :], c[:, None]), axis=-1)
    a, b = (rays**2).sum(-1), rays[..., 0] * 4.0
    disc = b * b - a * 15.0
    inside = disc > 0.05
    expected = (b - np.sqrt(np.maximum(disc, 0.0))) / a
    assert np.abs(frame.depth - expected)[inside].max() < 2e-3  # the mesh lies inside the sphere
    assert not frame.depth[disc < -0.05].any()


def test_known_pixels_of_the_flat(flat):
    pose = Pose(-2.0, 2.0, 0.0, math.pi / 2)
    camera = Camera(128, 128, height_m=1.0)
    frame = flat.render(camera, pose)
    front = project(camera, pose, np.array([[-2.0, 3.1, 0.5]]))[0]  # on the table's near side
    u, v = int(front[0]), int(front[1])
    assert frame.instances[v, u] == TABLE
    assert frame.depth[v, u] == pytest.approx(1.1, rel=1e-6)
    assert frame.instances[0, 64] == CEILING
    assert frame.instances[127, 64] == FLOOR
    assert frame.instances[64, 64] == WALL
    assert frame.rgb[v, u, 0] > 150 > 100 > frame.rgb[v, u, 1]  # it is red


def test_faces_are_seen_from_their_front_unless_two_sided():
    vertices, faces = wall_at(2.0)
    camera, pose = Camera(8, 8), Pose(0, 0)
    away = faces[:, ::-1]
    front = Renderer(triangle_scene(vertices, faces, 5, two_sided=False))
    back = Renderer(triangle_scene(vertices, away, 5, two_sided=False))
    both = Renderer(triangle_scene(vertices, away, 5, two_sided=True))
    assert (front.render(camera, pose).instances == 5).all()
    assert not back.render(camera, pose).instances.any()
    assert (both.render(camera, pose).instances == 5).all()


# ----------------------------------------------------------------------- an independent witness
@pytest.mark.parametrize("seed", range(6))
def test_depth_and_instances_agree_with_a_ray_caster(flat, seed):
    rng = np.random.default_rng(seed)
    camera = Camera(
        int(rng.integers(20, 60)), int(rng.integers(20, 60)), float(rng.uniform(40, 120)),
        height_m=float(rng.uniform(0.2, 2.0)), pitch_deg=float(rng.uniform(-50, 50)),
        yaw_deg=float(rng.uniform(-40, 40)),
    )  # fmt: skip
    pose = Pose(*rng.uniform([-3.8, 0.2], [3.8, 2.8]), 0.0, float(rng.uniform(-3, 3)))
    frame = flat.render(camera, pose)
    depth, ids, clear = ray_cast(flat.scene, camera, pose)
    assert clear.mean() > 0.95
    assert (frame.instances == ids)[clear].all()
    assert np.allclose(frame.depth[clear], depth[clear], rtol=2e-6)


def random_soup(seed, count=60):
    """Triangles all around and through the camera, near plane included."""
    rng = np.random.default_rng(seed)
    vertices = rng.normal(size=(3 * count, 3)) * rng.choice([0.05, 0.5, 3.0], (3 * count, 1))
    vertices += np.repeat(rng.normal(size=(count, 3)), 3, axis=0)
    return vertices, np.arange(3 * count).reshape(-1, 3)


@pytest.mark.parametrize("seed", range(8))
def test_triangles_through_the_near_plane_agree_with_a_ray_caster(seed):
    vertices, faces = random_soup(seed)
    scene = triangle_scene(vertices, faces, np.arange(len(faces)) + 10)
    camera = Camera(41, 37, 95.0, height_m=0.0)
    frame = Renderer(scene).render(camera, Pose(0.0, 0.0, 0.0, 0.4))
    depth, ids, clear = ray_cast(scene, camera, Pose(0.0, 0.0, 0.0, 0.4))
    assert clear.mean() > 0.9
    assert (frame.instances == ids)[clear].all()
    assert np.allclose(frame.depth[clear], depth[clear], rtol=1e-5)
    assert (frame.depth[frame.depth > 0] >= camera.near_m * 0.999).all()


# --------------------------------------------------------------------------- near plane, cracks
@pytest.mark.parametrize("gap", [0.011, 0.03, 0.05, 0.2])
@pytest.mark.parametrize("pitch", [-60.0, 0.0, 45.0])
def test_no_holes_close_to_a_wall(flat, gap, pitch):
    camera = Camera(64, 64, pitch_deg=pitch, near_m=0.002)
    for yaw in np.linspace(-math.pi, math.pi, 9):
        frame = flat.render(camera, Pose(-4.0 + gap, 0.0 + gap, 0.0, float(yaw)))
        assert (frame.instances > 0).all()
        assert (frame.depth > 0.00199).all()


def test_inside_a_box_of_single_sided_faces_one_looks_out(flat):
    frame = flat.render(Camera(32, 32, height_m=0.4), Pose(-2.0, 3.4, 0.0, -math.pi / 2))
    assert TABLE not in frame.instances
    assert (frame.instances > 0).all()


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_a_tessellated_plane_is_watertight(seed):
    """Irregular triangles over the whole view: every pixel is hit, at the plane's depth."""
    from scipy.spatial import Delaunay

    rng = np.random.default_rng(seed)
    points = np.concatenate([rng.uniform(-1, 1, (300, 2)), [[-1, -1], [1, -1], [1, 1], [-1, 1]]])
    faces = Delaunay(points).simplices
    axes = np.linalg.qr(rng.normal(size=(3, 3)))[0]
    tilt = axes[:, 2] * np.sign(axes[0, 2] or 1.0)
    tilt = tilt * 0.3 + np.array([1.0, 0.0, 0.0])
    tilt /= np.linalg.norm(tilt)
    side = np.cross(tilt, [0.0, 0.0, 1.0])
    side /= np.linalg.norm(side)
    up = np.cross(side, tilt)
    vertices = tilt * 2.0 + 12.0 * (points[:, :1] * side + points[:, 1:] * up)
    scene = triangle_scene(vertices, faces, np.arange(len(faces)) + 10)
    camera = Camera(61, 53, 80.0, height_m=0.0)
    frame = Renderer(scene).render(camera, Pose(0, 0))
    assert (frame.instances > 0).all()
    f = focal_px(camera)
    ry = -(np.arange(61) + 0.5 - 30.5) / f
    rz = -(np.arange(53) + 0.5 - 26.5) / f
    expected = 2.0 / (tilt[0] + tilt[1] * ry[None, :] + tilt[2] * rz[:, None])
    assert np.allclose(frame.depth, expected, rtol=1e-5)


def test_no_pixel_is_claimed_twice_on_shared_edges():
    """Neighbouring halves of a quad whose edges run exactly through pixel centres."""
    camera, pose = Camera(16, 16, height_m=0.0), Pose(0, 0)
    corner = [(8.0 - c) / 8.0 for c in (2.5, 13.5)]
    y0, y1 = corner
    vertices = [[1, y0, y0], [1, y1, y0], [1, y1, y1], [1, y0, y1]]
    first = Renderer(triangle_scene(vertices, [[0, 1, 2]], 10)).render(camera, pose).instances
    second = Renderer(triangle_scene(vertices, [[0, 2, 3]], 11)).render(camera, pose).instances
    whole = Renderer(triangle_scene(vertices, [[0, 1, 2], [0, 2, 3]], [10, 11])).render(
        camera, pose
    )
    assert not ((first > 0) & (second > 0)).any()
    assert ((first > 0) | (second > 0)).sum() == 11 * 11  # [2.5, 13.5): one side in, one out
    assert np.array_equal(np.maximum(first, second), whole.instances)


# ------------------------------------------------------------------------------------- shading
def painted(texture, side, tint=(1.0, 1.0, 1.0), tint2=(1.0, 1.0, 1.0), emission=0.0, light=64):
    """A wall 1 m ahead that spans the view of a 90° camera, uvs 0…1 with v downwards."""
    vertices, faces = wall_at(1.0, half=1.0)
    return triangle_scene(
        vertices, faces, uvs=[[0, 1], [1, 1], [1, 0], [0, 0]],
        light=np.full((4, 3), light, np.uint8),
        materials=(Material("t", tint, tint2, emission),), textures={"t": texture},
    )  # fmt: skip


def srgb(linear):
    low = linear * 12.92
    return 255.0 * np.where(linear <= 0.0031308, low, 1.055 * np.power(linear, 1 / 2.4) - 0.055)


LOOK = Camera(64, 64, height_m=0.0)


def test_texels_land_where_their_uvs_say():
    texture = np.zeros((64, 64, 4), dtype=np.uint8)
    texture[..., 0] = np.arange(64)[None, :] * 2
    texture[..., 1] = np.arange(64)[:, None] * 2
    frame = Renderer(painted(texture, 64)).render(LOOK, Pose(0, 0))
    expected = srgb(texture[..., :3] / 255.0)  # one texel per pixel
    assert np.abs(frame.rgb.astype(float) - expected).max() <= 1.0


@pytest.mark.parametrize("alpha", [0, 128, 255])
def test_alpha_mixes_the_tints(alpha):
    texture = np.full((4, 4, 4), (255, 255, 255, alpha), dtype=np.uint8)
    texture[0, 0, 2] = 254  # not a constant texture
    a, b = np.array([0.5, 0.1, 0.3]), np.array([0.05, 0.4, 0.3])
    frame = Renderer(painted(texture, 4, tuple(a), tuple(b))).render(LOOK, Pose(0, 0))
    expected = srgb(a + (b - a) * alpha / 255.0)
    assert np.abs(frame.rgb[40, 40].astype(float) - expected).max() <= 1.0
    constant = np.full((4, 4, 4), (255, 255, 255, alpha), dtype=np.uint8)
    frame = Renderer(painted(constant, 4, tuple(a), tuple(b))).render(LOOK, Pose(0, 0))
    assert np.abs(frame.rgb[40, 40].astype(float) - expected).max() <= 1.0


def test_light_and_emission_scale_linear_colour():
    texture = np.full((4, 4, 4), (255, 255, 255, 0), dtype=np.uint8)
    for light, emission in ((64, 0.0), (32, 0.0), (0, 0.0), (32, 0.5)):
        scene = painted(texture, 4, (0.4, 0.2, 0.1), emission=emission, light=light)
        frame = Renderer(scene).render(LOOK, Pose(0, 0))
        expected = srgb(np.array([0.4, 0.2, 0.1]) * (light / LIGHT_UNIT + emission))
        assert np.abs(frame.rgb[20, 30].astype(float) - expected).max() <= 1.0


def test_vertex_light_is_interpolated_in_perspective():
    vertices = [[2.0, 2.0, -9.0], [6.0, -6.0, -9.0], [6.0, -6.0, 9.0], [2.0, 2.0, 9.0]]
    light = np.array([[0] * 3, [64] * 3, [64] * 3, [0] * 3], dtype=np.uint8)
    scene = triangle_scene(*quad(vertices), light=light)
    camera = Camera(64, 4, height_m=0.0)
    frame = Renderer(scene).render(camera, Pose(0, 0))
    x = frame.depth[0].astype(float)
    seen = x > 0
    expected = srgb(0.5 * (x[seen] - 2.0) / 4.0)
    assert seen.sum() > 50
    assert np.abs(frame.rgb[0, seen, 0] - expected).max() <= 1.5


def test_the_lightmap_is_sampled_bilinearly():
    vertices, faces = wall_at(1.0, half=1.0)
    lightmap = np.zeros((2, 2, 3), dtype=np.uint8)
    lightmap[0, 1] = lightmap[1, 1] = 64
    scene = triangle_scene(
        vertices, faces, light_uvs=np.array([[0.5, 1.5], [1.5, 1.5], [1.5, 0.5], [0.5, 0.5]], "f4"),
        face_lightmapped=np.ones(2, dtype=bool), lightmap=lightmap,
    )  # fmt: skip
    frame = Renderer(scene).render(LOOK, Pose(0, 0))
    ramp = np.floor((np.arange(64) + 0.5) / 64 * 16) / 16  # taps lie on sixteenths
    expected = srgb(0.5 * ramp)
    assert np.abs(frame.rgb[30, :, 1] - expected).max() <= 1.0


def test_far_textures_fade_to_their_mean_instead_of_shimmering():
    rng = np.random.default_rng(0)
    texture = np.zeros((64, 64, 4), dtype=np.uint8)
    texture[..., :3] = rng.choice([0, 200], (64, 64, 1))
    vertices, faces = wall_at(30.0, half=40.0)
    uvs = [[0, 400], [400, 400], [400, 0], [0, 0]]
    scene = triangle_scene(
        vertices, faces, uvs=uvs, materials=(Material("t"),), textures={"t": texture}
    )
    frame = Renderer(scene).render(Camera(64, 64, 60.0), Pose(0, 0))
    mean = srgb(texture[..., 0].mean() / 255.0)
    assert np.abs(frame.rgb.astype(float) - mean).max() < 30
    assert frame.rgb.std() < 6


# ------------------------------------------------------------------------------ moving meshes
def test_extra_meshes_appear_hide_and_are_gone_again(flat):
    camera, pose = Camera(48, 48), Pose(-3.5, 2.0)
    before = flat.render(camera, pose)
    body, faces = quad([[-2, 2.3, 0], [-2, 1.7, 0], [-2, 1.7, 1.8], [-2, 2.3, 1.8]])
    person = moving_mesh(body, faces, 99)
    there = flat.render(camera, pose, extra=[person])
    seen = there.instances == 99
    assert seen.sum() > 50
    assert np.allclose(there.depth[seen], 1.5)
    assert np.array_equal(there.rgb[~seen], before.rgb[~seen])
    behind_wall = moving_mesh(body + np.array([0.0, 9.0, 0.0]), faces, 99)
    hidden = flat.render(camera, pose, extra=[behind_wall])
    assert np.array_equal(hidden.rgb, before.rgb)
    after = flat.render(camera, pose)
    assert np.array_equal(after.rgb, before.rgb)
    assert np.array_equal(after.instances, before.instances)


def test_many_extra_meshes_of_growing_size_keep_their_own_looks(flat):
    camera, pose = Camera(64, 64), Pose(-3.9, 2.0)
    for count in (1, 2, 5, 40):
        meshes = []
        for i in range(count):
            y = 1.0 + 2.0 * (i + 0.5) / count
            w = 0.8 / count
            body, faces = quad([[-3, y + w, 1], [-3, y - w, 1], [-3, y - w, 1.5], [-3, y + w, 1.5]])
            grey = 0.1 + 0.4 * i / count
            meshes.append(
                moving_mesh(body, faces, 100 + i, materials=(Material("plain", (grey,) * 3),))
            )
        frame = flat.render(camera, pose, extra=meshes)
        for i in set(np.unique(frame.instances)) - set(range(100)):
            value = frame.rgb[frame.instances == i].astype(float)
            assert np.abs(value - srgb(0.1 + 0.4 * (i - 100) / count)).max() <= 1.0
        assert (frame.instances >= 100).any()


def test_a_scene_geometry_can_be_an_extra_mesh():
    room, wall = triangle_scene(*wall_at(5.0), 1), triangle_scene(*wall_at(3.0, 0.2), 7)
    frame = Renderer(room).render(Camera(32, 32, height_m=0.0), Pose(0, 0), extra=[wall.geometry])
    assert frame.instances[16, 16] == 7
    assert frame.instances[0, 0] == 1


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"faces": np.array([[0, 1, 4]], np.int32)}, "vertex"),
        ({"face_material": np.array([0, 3], np.int32)}, "material"),
        ({"uvs": np.zeros((3, 2), np.float32)}, "uvs"),
        ({"materials": (Material("missing"),)}, "missing"),
        ({"face_instance": np.zeros(5, np.int32)}, "face_instance"),
    ],
)
def test_broken_extra_meshes_are_refused_in_one_line(flat, change, words):
    fields = vars(moving_mesh(*wall_at(2.0), 9)) | change
    if "faces" in change:
        fields |= {k: fields[k][:1] for k in ("face_instance", "face_material", "face_two_sided")}
    mesh = moving_mesh(*wall_at(2.0), 9)
    vars(mesh).update(fields)
    with pytest.raises(SceneError, match=words) as caught:
        flat.render(Camera(8, 8), Pose(-2.0, 2.0), extra=[mesh])
    assert "\n" not in str(caught.value)
    assert flat.render(Camera(8, 8), Pose(-2.0, 2.0)).instances.all()


def test_vertices_that_are_not_numbers_draw_nothing():
    body, faces = wall_at(1.0)
    body[0] = math.nan
    clean = Renderer(triangle_scene(*wall_at(2.0), 3))
    frame = clean.render(Camera(16, 16), Pose(0, 0), extra=[moving_mesh(body, faces, 9)])
    assert (frame.instances == 3).all()


# ---------------------------------------------------------------------------------- contracts
@pytest.mark.parametrize(("width", "height"), [(1, 1), (1, 7), (7, 1), (33, 120), (129, 5), (3, 2)])
@pytest.mark.parametrize("pitch", [-89.0, -20.0, 35.0, 90.0])
def test_odd_sizes_and_pitches(flat, width, height, pitch):
    frame = flat.render(Camera(width, height, 60.0, pitch_deg=pitch), Pose(-2.0, 1.0, 0.0, 0.3))
    assert frame.rgb.shape == (height, width, 3)
    assert frame.rgb.dtype == np.uint8
    assert frame.depth.shape == frame.instances.shape == (height, width)
    assert (frame.depth.dtype, frame.instances.dtype) == (np.float32, np.int32)
    assert (frame.instances > 0).all()
    assert np.isfinite(frame.depth).all()


def test_frames_are_not_shared_and_rendering_is_deterministic(flat):
    camera, pose = Camera(40, 30), Pose(-1.0, 1.0, 0.0, 0.5)
    first = flat.render(camera, pose)
    kept = first.rgb.copy(), first.depth.copy(), first.instances.copy()
    flat.render(camera, Pose(2.0, 2.0, 0.0, 2.0))
    flat.render(Camera(9, 9), pose)
    again = Renderer(tiny_scene()).render(camera, pose)
    for old, now, fresh in zip(
        kept,
        (first.rgb, first.depth, first.instances),
        (again.rgb, again.depth, again.instances),
        strict=True,
    ):
        assert np.array_equal(old, now)
        assert np.array_equal(old, fresh)
        assert not np.shares_memory(now, fresh)


def test_a_bad_camera_is_refused(flat):
    with pytest.raises(SpecError):
        flat.render(Camera(0, 4), Pose(0, 0))


def test_scenes_that_cannot_be_drawn_are_refused():
    vertices, faces = wall_at(1.0)
    with pytest.raises(SceneError, match="no triangles"):
        Renderer(triangle_scene(vertices, np.zeros((0, 3)), np.zeros(0)))
    with pytest.raises(SceneError, match="power-of-two"):
        Renderer(triangle_scene(vertices, faces, textures={"plain": np.zeros((6, 6, 4), np.uint8)}))
    with pytest.raises(SceneError, match="'bark'"):
        Renderer(triangle_scene(vertices, faces, materials=(Material("bark"),)))


def test_without_colour_depth_and_instances_are_the_same() -> None:
    renderer = Renderer(tiny_scene())
    camera = Camera(width=97, height=61, hfov_deg=100.0, pitch_deg=-10.0)
    for yaw in (0.0, 0.8, 2.5, -1.9):
        full = renderer.render(camera, Pose(-2.0, 1.5, 0.0, yaw))
        bare = renderer.render(camera, Pose(-2.0, 1.5, 0.0, yaw), colour=False)
        assert np.array_equal(full.depth, bare.depth)
        assert np.array_equal(full.instances, bare.instances)
        assert full.rgb.any()
        assert not bare.rgb.any()
