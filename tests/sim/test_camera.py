import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from navproof.core.errors import SpecError
from navproof.core.types import Camera, Pose
from navproof.sim.camera import (
    camera_position,
    check_camera,
    focal_px,
    intrinsics,
    project,
    unproject,
    world_to_camera,
)


def test_focal_length_follows_from_the_horizontal_field_of_view():
    assert focal_px(Camera(640, 480, hfov_deg=90.0)) == pytest.approx(320.0)
    assert focal_px(Camera(256, 99, hfov_deg=60.0)) == pytest.approx(128.0 * math.sqrt(3.0))


def test_a_point_straight_ahead_lands_in_the_middle():
    camera = Camera(640, 480, height_m=1.25)
    u, v, z = project(camera, Pose(1.0, 2.0, 0.5, math.pi / 2), np.array([[1.0, 5.0, 1.75]]))[0]
    assert (u, v, z) == pytest.approx((320.0, 240.0, 3.0))


def test_left_is_left_and_up_is_up():
    camera = Camera(200, 100, hfov_deg=90.0, height_m=1.0)
    points = np.array([[2.0, 1.0, 1.0], [2.0, -1.0, 1.0], [2.0, 0.0, 1.5], [2.0, 0.0, 0.5]])
    uv = project(camera, Pose(0.0, 0.0), points)[:, :2]
    assert np.allclose(uv, [[50.0, 50.0], [150.0, 50.0], [100.0, 25.0], [100.0, 75.0]])


def test_mount_offsets_turn_with_the_robot_and_pitch_looks_up():
    camera = Camera(height_m=1.0, forward_m=0.3, left_m=0.1, pitch_deg=30.0, yaw_deg=90.0)
    pose = Pose(5.0, 6.0, 2.0, math.pi / 2)
    assert camera_position(camera, pose) == pytest.approx((4.9, 6.3, 3.0))
    rotation, _ = world_to_camera(camera, pose)
    # Robot faces +y, the camera looks left of it (−x) and 30° up.
    assert rotation[2] == pytest.approx([-math.cos(math.pi / 6), 0.0, 0.5])


angles = st.floats(-180.0, 180.0)
metres = st.floats(-20.0, 20.0)


@given(angles, st.floats(-80.0, 80.0), angles, metres, metres, st.integers(1, 9), st.integers(1, 9))
def test_unproject_undoes_project(yaw, pitch, turn, x, y, width, height):
    camera = Camera(width, height, 73.0, pitch_deg=pitch, yaw_deg=turn, forward_m=0.2, left_m=-0.4)
    pose = Pose(x, y, 0.3, math.radians(yaw))
    depth = np.linspace(0.5, 9.0, width * height).reshape(height, width)
    points = unproject(camera, pose, depth)
    u, v = np.meshgrid(np.arange(width) + 0.5, np.arange(height) + 0.5)
    back = project(camera, pose, points.reshape(-1, 3)).reshape(height, width, 3)
    assert np.allclose(back, np.stack([u, v, depth], axis=-1), atol=1e-9)


@given(angles, st.floats(-80.0, 80.0))
def test_the_rotation_is_orthonormal_and_right_handed(yaw, pitch):
    rotation, _ = world_to_camera(Camera(pitch_deg=pitch), Pose(0.0, 0.0, 0.0, math.radians(yaw)))
    assert np.allclose(rotation @ rotation.T, np.eye(3), atol=1e-12)
    assert np.linalg.det(rotation) == pytest.approx(1.0)


def test_nothing_seen_unprojects_to_nan():
    camera = Camera(2, 1)
    points = unproject(camera, Pose(0.0, 0.0), np.array([[0.0, 1.0]]))
    assert np.isnan(points[0, 0]).all()
    assert np.isfinite(points[0, 1]).all()


def test_intrinsics_agree_with_project():
    camera = Camera(7, 5, 100.0, height_m=0.0)
    x, y, z = 3.0, -0.4, 0.7
    uvw = intrinsics(camera) @ np.array([-y, -z, x])
    assert np.allclose(uvw[:2] / uvw[2], project(camera, Pose(0, 0), np.array([[x, y, z]]))[0, :2])


@pytest.mark.parametrize(
    "camera",
    [
        Camera(0, 10),
        Camera(10, -1),
        Camera(hfov_deg=1.0),
        Camera(hfov_deg=179.0),
        Camera(hfov_deg=math.nan),
        Camera(near_m=0.0),
        Camera(near_m=math.nan),
        Camera(pitch_deg=math.inf),
    ],
)
def test_impossible_cameras_are_refused_in_one_line(camera):
    with pytest.raises(SpecError) as caught:
        check_camera(camera)
    assert "\n" not in str(caught.value)


def test_a_depth_image_of_the_wrong_size_is_refused():
    with pytest.raises(SpecError, match="depth image"):
        unproject(Camera(4, 4), Pose(0.0, 0.0), np.zeros((4, 5)))
