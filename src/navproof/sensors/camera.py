"""Imaging sensors: colour, depth and instances of one pinhole camera."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from navproof.core.errors import SpecError
from navproof.core.jit import jit
from navproof.core.types import Camera, SensorSpec
from navproof.sensors.protocol import ReadingSpec, View
from navproof.sensors.registry import register_sensor

__all__ = ["DepthSensor", "RgbSensor", "SemanticSensor", "clip_range", "depth", "rgb", "semantic"]


@jit
def _clip(depth_m: NDArray[np.float32], low: float, high: float) -> NDArray[np.float32]:
    clipped = np.empty_like(depth_m)
    for r in range(depth_m.shape[0]):
        for c in range(depth_m.shape[1]):
            z = depth_m[r, c]
            clipped[r, c] = z if low <= z <= high else np.float32(0.0)
    return clipped


def clip_range(depth_m: NDArray[np.float32], low: float, high: float) -> NDArray[np.float32]:
    """A copy with everything nearer than ``low`` or farther than ``high`` made a hole (0)."""
    return _clip(np.ascontiguousarray(depth_m, dtype=np.float32), float(low), float(high))


@dataclass(frozen=True)
class RgbSensor:
    """(h, w, 3) uint8, sRGB."""

    spec: SensorSpec
    camera: Camera

    @property
    def reading(self) -> ReadingSpec:
        return ReadingSpec((self.camera.height, self.camera.width, 3), "uint8", 0, 255)

    def read(self, view: View) -> NDArray[np.uint8]:
        return view.frame(self.camera).rgb.copy()


@dataclass(frozen=True)
class DepthSensor:
    """(h, w) float32, metres along the optical axis; 0 where nothing was hit or out of range."""

    spec: SensorSpec
    camera: Camera

    @property
    def reading(self) -> ReadingSpec:
        high = self.spec.max_range_m
        return ReadingSpec((self.camera.height, self.camera.width), "float32", 0.0, high)

    def read(self, view: View) -> NDArray[np.float32]:
        raw = view.frame(self.camera).depth
        return clip_range(raw, self.spec.min_range_m, self.spec.max_range_m)


@dataclass(frozen=True)
class SemanticSensor:
    """(h, w) int32 instance ids (``TaskBrief.labels`` names them). Ground truth."""

    spec: SensorSpec
    camera: Camera

    @property
    def reading(self) -> ReadingSpec:
        shape = (self.camera.height, self.camera.width)
        return ReadingSpec(shape, "int32", 0, np.iinfo(np.int32).max)

    def read(self, view: View) -> NDArray[np.int32]:
        return view.frame(self.camera).instances.copy()


def _camera(spec: SensorSpec) -> Camera:
    if spec.camera is None:
        raise SpecError(f"sensor '{spec.name}' ({spec.kind}) has no camera; give it one")
    return spec.camera


@register_sensor(
    "rgb", sees="rgb", camera="pinhole", fields=("mount", "size", "fov_deg", "corrupt")
)
def rgb(spec: SensorSpec) -> RgbSensor:
    return RgbSensor(spec, _camera(spec))


@register_sensor(
    "depth",
    sees="depth",
    camera="pinhole",
    fields=("mount", "size", "fov_deg", "range_m", "corrupt"),
)
def depth(spec: SensorSpec) -> DepthSensor:
    if not 0.0 <= spec.min_range_m < spec.max_range_m:
        raise SpecError(
            f"sensor '{spec.name}' has range {spec.min_range_m}–{spec.max_range_m} m;"
            " it must be 0 ≤ min < max"
        )
    return DepthSensor(spec, _camera(spec))


@register_sensor(
    "semantic",
    camera="pinhole",
    fields=("mount", "size", "fov_deg", "corrupt"),
    privileged=True,
    labels=True,
    not_given="add",
)
def semantic(spec: SensorSpec) -> SemanticSensor:
    return SemanticSensor(spec, _camera(spec))
