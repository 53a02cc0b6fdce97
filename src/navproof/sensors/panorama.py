"""Panoramas: all around, as one equirectangular image or as k pinhole views.

Equirectangular: column i looks at azimuth hfov/2 − (i + ½)·hfov/width (the middle straight ahead,
to the right from there), row j at elevation vfov/2 − (j + ½)·hfov/width with
vfov = hfov·height/width: pixels are square in angle. Resampled from the faces of a cube, with
every pixel's own direction. ``of="depth"`` gives the distance along each pixel's ray.

k views: view i is the camera turned by i·360°/k counter-clockwise; depth is along its own axis.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from navproof.core.errors import SpecError
from navproof.core.types import Camera, SensorSpec
from navproof.sensors.camera import clip_range
from navproof.sensors.protocol import Reading, ReadingSpec, View
from navproof.sensors.rays import Face, aim, colours_along, mount_of, ranges_along
from navproof.sensors.registry import register_sensor
from navproof.sim.camera import check_camera

__all__ = ["EquirectangularSensor", "ViewsSensor", "directions", "panorama"]

_MOST_VIEWS = 360
_MOST_VFOV_DEG = 180.0


def directions(camera: Camera) -> NDArray[np.float64]:
    """(h, w, 3) unit vectors of the pixels of an equirectangular image, in the sensor's frame."""
    step = math.radians(camera.hfov_deg) / camera.width
    azimuth = (camera.width / 2.0 - np.arange(camera.width) - 0.5) * step
    elevation = (camera.height / 2.0 - np.arange(camera.height) - 0.5) * step
    turn, rise = np.meshgrid(azimuth, elevation)
    flat = np.cos(rise)
    return np.stack([flat * np.cos(turn), flat * np.sin(turn), np.sin(rise)], axis=-1)


@dataclass(frozen=True)
class EquirectangularSensor:
    """(h, w, 3) uint8, or (h, w) float32 metres along the ray, 0 where out of range."""

    spec: SensorSpec
    camera: Camera
    faces: tuple[Face, ...]

    @property
    def cameras(self) -> tuple[Camera, ...]:
        """What is rendered for it."""
        return tuple(face.camera for face in self.faces)

    @property
    def reading(self) -> ReadingSpec:
        size = (self.camera.height, self.camera.width)
        if self.spec.of == "rgb":
            return ReadingSpec((*size, 3), "uint8", 0, 255)
        return ReadingSpec(size, "float32", 0.0, self.spec.max_range_m)

    def read(self, view: View) -> Reading:
        size = (self.camera.height, self.camera.width)
        if self.spec.of == "rgb":
            return colours_along(view, self.faces).reshape(*size, 3)
        ranges = ranges_along(view, self.faces).astype(np.float32).reshape(size)
        return clip_range(ranges, self.spec.min_range_m, self.spec.max_range_m)


@dataclass(frozen=True)
class ViewsSensor:
    """(k, h, w, 3) uint8, or (k, h, w) float32 metres along each view's optical axis."""

    spec: SensorSpec
    cameras: tuple[Camera, ...]

    @property
    def reading(self) -> ReadingSpec:
        size = (len(self.cameras), self.cameras[0].height, self.cameras[0].width)
        if self.spec.of == "rgb":
            return ReadingSpec((*size, 3), "uint8", 0, 255)
        return ReadingSpec(size, "float32", 0.0, self.spec.max_range_m)

    def read(self, view: View) -> Reading:
        frames = [view.frame(camera) for camera in self.cameras]
        if self.spec.of == "rgb":
            return np.stack([frame.rgb for frame in frames])
        low, high = self.spec.min_range_m, self.spec.max_range_m
        return np.stack([clip_range(frame.depth, low, high) for frame in frames])


@register_sensor(
    "panorama",
    sees="of",
    camera="around",
    fields=("mount", "size", "fov_deg", "range_m", "corrupt", "of", "views"),
    rehearsal=SensorSpec("around", "panorama", Camera(16, 8, 360.0)),
)
def panorama(spec: SensorSpec) -> EquirectangularSensor | ViewsSensor:
    camera, name = spec.camera, f"sensor '{spec.name}'"
    if camera is None:
        raise SpecError(f"{name} (panorama) has no camera; give it one")
    if not 0.0 <= spec.min_range_m < spec.max_range_m:
        raise SpecError(
            f"{name} has range {spec.min_range_m}–{spec.max_range_m} m; it must be 0 ≤ min < max"
        )
    if spec.views:
        if not 1 <= spec.views <= _MOST_VIEWS:
            raise SpecError(f"{name} has {spec.views} views; from 1 to {_MOST_VIEWS}, or 0")
        check_camera(camera)
        step = 360.0 / spec.views
        turned = (replace(camera, yaw_deg=camera.yaw_deg + i * step) for i in range(spec.views))
        return ViewsSensor(spec, tuple(turned))
    if camera.width < 1 or camera.height < 1 or not 0.0 < camera.hfov_deg <= 360.0:
        raise SpecError(
            f"{name} is {camera.width}×{camera.height} over {camera.hfov_deg}°; it needs sides of "
            "at least 1 and a field of view above 0, up to 360"
        )
    vfov = camera.hfov_deg * camera.height / camera.width
    if vfov > _MOST_VFOV_DEG + 1e-9:
        raise SpecError(
            f"{name} would be {vfov:g}° high ({camera.width}×{camera.height} over "
            f"{camera.hfov_deg:g}°); at most 180"
        )
    px = max(8, math.ceil(2.0 * camera.width / math.radians(camera.hfov_deg)))
    return EquirectangularSensor(spec, camera, aim(directions(camera), mount_of(camera), px))
