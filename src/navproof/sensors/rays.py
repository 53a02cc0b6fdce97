"""Rays from one point, answered out of rendered views: what lidars and panoramas are made of.

Rays in any direction are sorted onto the faces of a cube around the sensor that keeps level with
the robot; only faces that are hit are rendered, and only as many rows of them as are needed (one,
for a level 2-D lidar). On a plane 1/z is affine in the image, so a ray between pixels is answered
by the plane through the nearest pixel: exact on planes, and within half a pixel of an edge off by
at most half a pixel's worth of slope. Whatever the simulator renders is hit, people too.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from navproof.core.jit import jit
from navproof.core.types import Camera, Mount, Pose
from navproof.sensors.protocol import View
from navproof.sim.camera import focal_px, world_to_camera

__all__ = ["Face", "aim", "axes", "colours_along", "mount_of", "ranges_along"]

F64 = NDArray[np.float64]
_FACES = ((0.0, 0.0), (90.0, 0.0), (180.0, 0.0), (-90.0, 0.0), (0.0, 90.0), (0.0, -90.0))
"""(yaw, pitch) in degrees: ahead, left, behind, right, up, down."""
_NEAR_M = 0.02


@dataclass(frozen=True, eq=False)
class Face:
    """One view of the cube, and where the rays ``index`` meet it: column, row, and the distance
    along the ray per metre of depth."""

    camera: Camera
    index: NDArray[np.int64]
    u: F64
    v: F64
    stretch: F64


def mount_of(camera: Camera) -> Mount:
    return Mount(camera.height_m, camera.forward_m, camera.left_m, camera.pitch_deg, camera.yaw_deg)


def axes(mount: Mount) -> F64:
    """3×3: rows are the sensor's forward, left and up in the robot's frame."""
    yaw, pitch = math.radians(mount.yaw_deg), math.radians(mount.pitch_deg)
    cy, sy, cp, sp = math.cos(yaw), math.sin(yaw), math.cos(pitch), math.sin(pitch)
    return np.array([[cp * cy, cp * sy, sp], [-sy, cy, 0.0], [-sp * cy, -sp * sy, cp]])


def aim(directions: F64, mount: Mount, face_px: int) -> tuple[Face, ...]:
    """The faces for rays (n, 3) in the sensor's frame; ``face_px`` pixels make 90°."""
    rays = np.asarray(directions, dtype=np.float64).reshape(-1, 3) @ axes(mount)
    rays /= np.linalg.norm(rays, axis=1, keepdims=True)
    rays[np.abs(rays) < 1e-12] = 0.0  # level stays level
    quarter = np.round(np.degrees(np.arctan2(rays[:, 1], rays[:, 0])) / 90.0).astype(int) % 4
    steep = np.abs(rays[:, 2]) > np.maximum(np.abs(rays[:, 0]), np.abs(rays[:, 1]))
    chosen = np.where(steep, np.where(rays[:, 2] > 0, 4, 5), quarter)
    found = []
    for number, (yaw_deg, pitch_deg) in enumerate(_FACES):
        index = np.flatnonzero(chosen == number)
        if len(index):
            found.append(_face(rays[index], index, mount, face_px, yaw_deg, pitch_deg))
    return tuple(found)


def _face(
    rays: F64, index: NDArray[np.int64], mount: Mount, face_px: int, yaw: float, pitch: float
) -> Face:
    width = face_px + 2  # a pixel more on each side, so that no ray is at a border
    camera = Camera(
        width=width,
        height=width,
        hfov_deg=2.0 * math.degrees(math.atan(width / face_px)),
        height_m=mount.height_m,
        forward_m=mount.forward_m,
        left_m=mount.left_m,
        pitch_deg=pitch,
        yaw_deg=yaw,
        near_m=_NEAR_M,
    )
    rotation, _ = world_to_camera(camera, Pose(0.0, 0.0))
    local = rays @ rotation.T
    focal = focal_px(camera)
    across, down = local[:, 0] / local[:, 2], local[:, 1] / local[:, 2]
    down[np.abs(down) < 1e-12] = 0.0
    rows = math.ceil(focal * float(np.abs(down).max()))
    height = 2 * rows + 3 if rows else 1  # odd: the middle row looks level
    return Face(
        replace(camera, height=height),
        index,
        across * focal + width / 2,
        down * focal + height / 2,
        1.0 / local[:, 2],
    )


@jit
def _slope(here: float, before: float, after: float) -> float:
    """Change of 1/z per pixel, from the side where it changes least (0: that side is a hole)."""
    back, ahead = here - before, after - here
    if before <= 0.0:
        return ahead if after > 0.0 else 0.0
    if after <= 0.0:
        return back
    return back if abs(back) < abs(ahead) else ahead


@jit
def _inverse(depth: NDArray[np.float32], r: int, c: int) -> float:
    if r < 0 or c < 0 or r >= depth.shape[0] or c >= depth.shape[1] or depth[r, c] <= 0.0:
        return 0.0
    return 1.0 / float(depth[r, c])


@jit
def _ranges(
    depth: NDArray[np.float32], u: F64, v: F64, stretch: F64, index: NDArray[np.int64], out: F64
) -> None:
    for n in range(len(index)):
        c = min(max(math.floor(u[n]), 0), depth.shape[1] - 1)
        r = min(max(math.floor(v[n]), 0), depth.shape[0] - 1)
        here = _inverse(depth, r, c)
        if here <= 0.0:
            out[index[n]] = 0.0
            continue
        du, dv = u[n] - c - 0.5, v[n] - r - 0.5
        w = here
        if du != 0.0:
            w += du * _slope(here, _inverse(depth, r, c - 1), _inverse(depth, r, c + 1))
        if dv != 0.0:
            w += dv * _slope(here, _inverse(depth, r - 1, c), _inverse(depth, r + 1, c))
        out[index[n]] = stretch[n] / (w if w > 0.0 else here)


@jit
def _colours(
    image: NDArray[np.uint8], u: F64, v: F64, index: NDArray[np.int64], out: NDArray[np.uint8]
) -> None:
    """Bilinear, in the sRGB bytes."""
    rows, cols = image.shape[0], image.shape[1]
    for n in range(len(index)):
        x = min(max(u[n] - 0.5, 0.0), cols - 1.0)
        y = min(max(v[n] - 0.5, 0.0), rows - 1.0)
        c, r = int(x), int(y)
        fx, fy = x - c, y - r
        c1, r1 = min(c + 1, cols - 1), min(r + 1, rows - 1)
        for k in range(3):
            top = image[r, c, k] * (1.0 - fx) + image[r, c1, k] * fx
            low = image[r1, c, k] * (1.0 - fx) + image[r1, c1, k] * fx
            out[index[n], k] = np.uint8(top * (1.0 - fy) + low * fy + 0.5)


def ranges_along(view: View, faces: Sequence[Face]) -> F64:
    """(n,) metres along each ray to what it hits; 0 where that is nothing."""
    out = np.zeros(sum(len(face.index) for face in faces))
    for face in faces:
        depth = view.frame(face.camera).depth
        _ranges(depth, face.u, face.v, face.stretch, face.index, out)
    return out


def colours_along(view: View, faces: Sequence[Face]) -> NDArray[np.uint8]:
    """(n, 3) uint8: what is seen along each ray."""
    out = np.zeros((sum(len(face.index) for face in faces), 3), dtype=np.uint8)
    for face in faces:
        _colours(view.frame(face.camera).rgb, face.u, face.v, face.index, out)
    return out
