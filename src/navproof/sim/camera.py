"""The pinhole camera: where it is, what it projects to, and depth back to points.

Camera frame: x right, y down, z along the optical axis. A point (x, y, z) lands at
``u = f·x/z + width/2`` and ``v = f·y/z + height/2`` with ``f = (width/2) / tan(hfov/2)``; pixels
are square and pixel (column i, row j) has its centre at (i + ½, j + ½). The camera sits
``height_m`` above the robot's foot, offset by ``forward_m`` and ``left_m`` in the robot's frame.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from navproof.core.errors import SpecError
from navproof.core.types import Camera, Point, Pose

__all__ = [
    "camera_position",
    "check_camera",
    "focal_px",
    "intrinsics",
    "project",
    "unproject",
    "world_to_camera",
]


def check_camera(camera: Camera) -> None:
    """Raise ``SpecError`` for a camera that cannot take a picture."""
    if camera.width < 1 or camera.height < 1:
        raise SpecError(
            f"camera is {camera.width}×{camera.height} pixels; both sides must be at least 1"
        )
    if not 1.0 < camera.hfov_deg < 179.0:
        raise SpecError(f"camera hfov_deg is {camera.hfov_deg}; it must lie between 1 and 179")
    if not (camera.near_m > 0.0 and math.isfinite(camera.near_m)):
        raise SpecError(f"camera near_m is {camera.near_m}; it must be greater than 0")
    mount = (camera.height_m, camera.forward_m, camera.left_m, camera.pitch_deg, camera.yaw_deg)
    if not all(math.isfinite(value) for value in mount):
        raise SpecError("camera mount (height, forward, left, pitch, yaw) must be finite numbers")


def focal_px(camera: Camera) -> float:
    """Focal length in pixels, the same along both axes."""
    return camera.width / 2.0 / math.tan(math.radians(camera.hfov_deg) / 2.0)


def intrinsics(camera: Camera) -> NDArray[np.float64]:
    """The 3×3 matrix K with (u·z, v·z, z) = K · (x, y, z)."""
    f = focal_px(camera)
    return np.array([[f, 0.0, camera.width / 2.0], [0.0, f, camera.height / 2.0], [0.0, 0.0, 1.0]])


def camera_position(camera: Camera, pose: Pose) -> Point:
    """The optical centre in the world."""
    c, s = math.cos(pose.yaw), math.sin(pose.yaw)
    return (
        pose.x + c * camera.forward_m - s * camera.left_m,
        pose.y + s * camera.forward_m + c * camera.left_m,
        pose.z + camera.height_m,
    )


def world_to_camera(camera: Camera, pose: Pose) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """(R, t): R's rows are the camera's right, down and forward in the world, t its centre.

    A world point p has camera coordinates R · (p − t).
    """
    yaw = pose.yaw + math.radians(camera.yaw_deg)
    pitch = math.radians(camera.pitch_deg)
    cy, sy, cp, sp = math.cos(yaw), math.sin(yaw), math.cos(pitch), math.sin(pitch)
    rotation = np.array([[sy, -cy, 0.0], [sp * cy, sp * sy, -cp], [cp * cy, cp * sy, sp]])
    return rotation, np.array(camera_position(camera, pose))


def project(camera: Camera, pose: Pose, points: NDArray[np.floating]) -> NDArray[np.float64]:
    """World points (n, 3) to (n, 3) rows of (u, v, z). u, v mean nothing where z ≤ 0."""
    rotation, centre = world_to_camera(camera, pose)
    local = (np.asarray(points, dtype=np.float64).reshape(-1, 3) - centre) @ rotation.T
    z = local[:, 2]
    scale = focal_px(camera) / np.where(z == 0.0, np.inf, z)
    u = local[:, 0] * scale + camera.width / 2.0
    v = local[:, 1] * scale + camera.height / 2.0
    return np.stack([u, v, z], axis=1)


def unproject(camera: Camera, pose: Pose, depth: NDArray[np.floating]) -> NDArray[np.float64]:
    """A depth image (h, w) to world points (h, w, 3); NaN where depth is 0 (nothing seen)."""
    if depth.shape != (camera.height, camera.width):
        raise SpecError(
            f"depth image is {depth.shape}, the camera takes {(camera.height, camera.width)}"
        )
    rotation, centre = world_to_camera(camera, pose)
    f = focal_px(camera)
    x = (np.arange(camera.width) + 0.5 - camera.width / 2.0) / f
    y = (np.arange(camera.height) + 0.5 - camera.height / 2.0) / f
    z = np.where(depth > 0.0, depth.astype(np.float64), np.nan)
    rays = np.empty((camera.height, camera.width, 3))
    rays[..., 0], rays[..., 1], rays[..., 2] = x[None, :], y[:, None], 1.0
    points: NDArray[np.float64] = (rays * z[..., None]) @ rotation + centre
    return points
