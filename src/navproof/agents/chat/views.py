"""What is seen from one spot: pictures with depth, taken while the robot turns on it, or by a
panorama sensor at once."""

from __future__ import annotations

import base64
import hashlib
import math
from dataclasses import dataclass, replace
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from navproof.core.errors import AgentError
from navproof.core.types import Camera, Observation, Point, Pose, SensorSpec, TaskBrief
from navproof.sim.camera import focal_px, project, world_to_camera

__all__ = ["Picture", "Spot", "View", "ViewSource", "mosaic"]

_WINDOW = 0.03  # of the picture's height, around a point that the model names
_SKIN_M = 0.3  # what lies farther behind or before it is something else
_SPOTS = 24
_QUALITY = 85
_GAP_PX = 8


@dataclass(frozen=True, slots=True, eq=False)
class Spot:
    """A place in the episode frame that a point of a picture shows: the middle of the surface there
    and (n, 2) points of it on the floor plan."""

    position: Point
    outline: NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class View:
    """A picture and its depth, never changed. ``pose`` is where the robot took itself to be."""

    pose: Pose
    camera: Camera
    rgb: NDArray[np.uint8]
    depth_camera: Camera
    depth: NDArray[np.float32]

    def __deepcopy__(self, memo: object) -> View:
        return self

    @property
    def yaw(self) -> float:
        """Where it looks in the episode frame."""
        return self.pose.yaw + math.radians(self.camera.yaw_deg)

    def spot(self, x: float, y: float) -> Spot | None:
        """What is at a point, given as shares of width and height; None where depth does not
        reach."""
        height, width = self.depth.shape
        u, v = min(max(x, 0.0), 1.0) * width, min(max(y, 0.0), 1.0) * height
        n = max(1, round(_WINDOW * height))
        top, left = max(0, round(v) - n), max(0, round(u) - n)
        window = self.depth[top : round(v) + n + 1, left : round(u) + n + 1]
        rows, cols = np.nonzero(window > 0.0)
        if not rows.size:
            return None
        z = window[rows, cols].astype(np.float64)
        middle = float(np.median(z))
        fits = np.abs(z - middle) < _SKIN_M
        rows, cols, z = rows[fits] + top, cols[fits] + left, z[fits]
        camera = self.depth_camera
        rotation, centre = world_to_camera(camera, self.pose)
        f = focal_px(camera)
        local = np.stack(
            [
                (cols + 0.5 - camera.width / 2) * z / f,
                (rows + 0.5 - camera.height / 2) * z / f,
                z,
            ],
            axis=1,
        )
        points = local @ rotation + centre
        px, py, pz = (round(float(value), 3) for value in np.median(points, axis=0))
        outline = points[:: max(1, len(points) // _SPOTS), :2]
        return Spot((px, py, pz), np.ascontiguousarray(outline))

    def pixels(self, points: NDArray[np.float64]) -> NDArray[np.float64]:
        """(n, 3) points to (n, 3): shares of width and height, and the distance along the axis."""
        size = np.array([self.camera.width, self.camera.height, 1.0])
        shares: NDArray[np.float64] = project(self.camera, self.pose, points) / size
        return shares

    def picture(self, longest_px: int) -> NDArray[np.uint8]:
        """Its colours, in an array of one's own, at most so wide and high."""
        height, width = self.rgb.shape[:2]
        scale = min(1.0, longest_px / max(height, width))
        if scale == 1.0:
            return self.rgb.copy()
        size = (max(1, round(width * scale)), max(1, round(height * scale)))
        small = cv2.resize(self.rgb, size, interpolation=cv2.INTER_AREA)
        return np.asarray(small, dtype=np.uint8)


@dataclass(frozen=True, slots=True, eq=False)
class Picture:
    """A picture as it is sent, with words that stand before it."""

    title: str
    rgb: NDArray[np.uint8]

    @property
    def digest(self) -> str:
        """Of its pixels: another version of OpenCV may pack the same ones otherwise."""
        found = hashlib.sha256(repr(self.rgb.shape).encode())
        found.update(np.ascontiguousarray(self.rgb).tobytes())
        return found.hexdigest()[:16]

    def part(self) -> dict[str, Any]:
        """As a part of a message."""
        done, data = cv2.imencode(
            ".jpg", cv2.cvtColor(self.rgb, cv2.COLOR_RGB2BGR), [cv2.IMWRITE_JPEG_QUALITY, _QUALITY]
        )
        if not done:
            raise AgentError("a picture could not be packed")
        packed = base64.b64encode(data.tobytes()).decode()
        return {"type": "image_url", "image_url": {"url": f"data:image/jpeg;base64,{packed}"}}


def mosaic(pictures: list[NDArray[np.uint8]], columns: int = 3) -> NDArray[np.uint8]:
    """Pictures of one size in one, row by row."""
    height, width = pictures[0].shape[:2]
    columns = min(columns, len(pictures))
    rows = math.ceil(len(pictures) / columns)
    size = (rows * (height + _GAP_PX) - _GAP_PX, columns * (width + _GAP_PX) - _GAP_PX, 3)
    whole = np.zeros(size, dtype=np.uint8)
    for index, picture in enumerate(pictures):
        top = index // columns * (height + _GAP_PX)
        left = index % columns * (width + _GAP_PX)
        whole[top : top + height, left : left + width] = picture
    return whole


class ViewSource:
    """Takes views out of observations: ``ahead`` by the robot's camera, ``around`` by a panorama
    sensor where there is one."""

    def __init__(self, name: str, brief: TaskBrief, panorama: str) -> None:
        self._name = name
        self._rgb, self._depth = (_sensor(name, brief, kind) for kind in ("rgb", "depth"))
        self._around = panorama
        self._faces: tuple[Camera, ...] = ()
        if panorama:
            self._faces = _faces(name, brief, panorama)
            self._depth_faces = _faces(name, brief, f"{panorama}_depth")
            if len(self._faces) != len(self._depth_faces):
                raise AgentError(f"{name}: {panorama} and {panorama}_depth must have as many views")

    @property
    def has_panorama(self) -> bool:
        return bool(self._around)

    @property
    def hfov_rad(self) -> float:
        """Of the robot's camera."""
        assert self._rgb.camera is not None
        return math.radians(self._rgb.camera.hfov_deg)

    def ahead(self, obs: Observation, pose: Pose) -> View:
        assert self._rgb.camera is not None
        assert self._depth.camera is not None
        if obs.rgb is None or obs.depth is None:
            raise AgentError(f"{self._name} needs the sensors 'rgb' and 'depth'")
        return View(pose, self._rgb.camera, obs.rgb, self._depth.camera, obs.depth)

    def around(self, obs: Observation, pose: Pose) -> tuple[View, ...]:
        """All around, what is ahead first, then to the left; nothing without such a sensor."""
        if not self._around:
            return ()
        rgb: Any = obs.readings[self._around]
        depth: Any = obs.readings[f"{self._around}_depth"]
        return tuple(
            View(pose, camera, rgb[i], depth_camera, depth[i])
            for i, (camera, depth_camera) in enumerate(
                zip(self._faces, self._depth_faces, strict=True)
            )
        )


def _sensor(name: str, brief: TaskBrief, kind: str) -> SensorSpec:
    for spec in brief.sensors:
        if spec.name == kind and spec.camera is not None:
            return spec
    raise AgentError(f"{name} needs the sensor '{kind}' with its camera")


def _faces(name: str, brief: TaskBrief, sensor: str) -> tuple[Camera, ...]:
    """The cameras of a panorama sensor."""
    spec = next((s for s in brief.sensors if s.name == sensor), None)
    if spec is None or spec.kind != "panorama" or spec.camera is None or spec.views < 1:
        raise AgentError(
            f"{name} needs '{sensor}' as a panorama sensor of several views (views = 6), and its"
            " depth beside it"
        )
    step, first = 360.0 / spec.views, spec.camera
    return tuple(replace(first, yaw_deg=first.yaw_deg + i * step) for i in range(spec.views))
