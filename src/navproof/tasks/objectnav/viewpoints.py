"""Viewpoints of objects, as in HM3D ObjectNav: navigable points near an object that really see it.

A viewpoint lies on a 0.15 m grid, at most 1 m from the object's box along the floor, is connected
to the main navigable area, and a camera at the robot's camera height, turned and tilted to the
object, shows enough of it (the pixels are counted in a rendered image).
"""

from __future__ import annotations

import math

from navproof.core.types import Camera, Point, Pose
from navproof.sim.protocol import Simulator
from navproof.world.scene import Box, SceneObject

__all__ = [
    "GRID_M",
    "REACH_M",
    "box_distance_m",
    "seen_pixels",
    "sees",
    "sees_level",
    "viewpoints_of",
]

GRID_M = 0.15
REACH_M = 1.0
_VIEW_PX = 64
_VIEW_HFOV_DEG = 60.0
_MIN_PIXELS = 8
_MIN_SHARE = 0.1
"""Of the pixels that the object's box would cover with nothing in front of it."""


def box_distance_m(box: Box, x: float, y: float) -> float:
    """Horizontal distance from a point to the box's footprint; 0 inside."""
    dx, dy = x - box.centre[0], y - box.centre[1]
    c, s = math.cos(box.yaw), math.sin(box.yaw)
    u, v = abs(c * dx + s * dy), abs(-s * dx + c * dy)
    return math.hypot(max(0.0, u - box.size[0] / 2), max(0.0, v - box.size[1] / 2))


def seen_pixels(sim: Simulator, at: Point, thing: SceneObject, camera_m: float) -> tuple[int, int]:
    """(pixels of the object, pixels its bare box would cover) in a 64×64 view aimed at it from
    ``camera_m`` above ``at``. Moves the robot to ``at``, which must be navigable."""
    yaw, pitch, _ = _aim(at, thing.box, camera_m)
    sim.place(Pose(at[0], at[1], at[2], yaw))
    camera = Camera(
        width=_VIEW_PX,
        height=_VIEW_PX,
        hfov_deg=_VIEW_HFOV_DEG,
        height_m=camera_m,
        pitch_deg=math.degrees(pitch),
    )
    return _count(sim, at, thing, camera, pitch)


def sees(sim: Simulator, at: Point, thing: SceneObject, camera_m: float) -> bool:
    """Whether the object is really seen from there."""
    return _enough(*seen_pixels(sim, at, thing, camera_m))


def sees_level(sim: Simulator, at: Point, thing: SceneObject, camera: Camera) -> bool:
    """Whether the object is really seen from there by the robot's own ``camera``, which is not
    tilted, with the robot turned to the object. Moves the robot to ``at``."""
    yaw, _, _ = _aim(at, thing.box, camera.height_m)
    sim.place(Pose(at[0], at[1], at[2], yaw))
    return _enough(*_count(sim, at, thing, camera, 0.0))


def viewpoints_of(
    sim: Simulator, thing: SceneObject, camera_m: float, anchor: Point
) -> tuple[Point, ...]:
    """All viewpoints of one object, in grid order. ``anchor`` is a point of the main area."""
    box = thing.box
    reach = math.hypot(box.size[0], box.size[1]) / 2 + REACH_M
    elevation = anchor[2]
    found: list[Point] = []
    cx, cy = box.centre[0], box.centre[1]
    for row in range(math.floor((cy - reach) / GRID_M), math.ceil((cy + reach) / GRID_M) + 1):
        for col in range(math.floor((cx - reach) / GRID_M), math.ceil((cx + reach) / GRID_M) + 1):
            point = (round(col * GRID_M, 4), round(row * GRID_M, 4), round(elevation, 4))
            # The cheap tests come first; rendering costs by far the most.
            if (
                box_distance_m(box, point[0], point[1]) <= REACH_M
                and sim.is_navigable(point)
                and math.isfinite(sim.geodesic(point, (anchor,)))
                and sees(sim, point, thing, camera_m)
            ):
                found.append(point)
    return tuple(found)


def _aim(at: Point, box: Box, camera_m: float) -> tuple[float, float, float]:
    """(yaw, pitch, distance) from the camera above ``at`` to the middle of the box."""
    dx, dy = box.centre[0] - at[0], box.centre[1] - at[1]
    dz = box.centre[2] - (at[2] + camera_m)
    flat = math.hypot(dx, dy)
    return math.atan2(dy, dx), math.atan2(dz, max(flat, 1e-6)), math.hypot(flat, dz)


def _enough(seen: int, whole: int) -> bool:
    return seen >= max(_MIN_PIXELS, _MIN_SHARE * whole)


def _count(
    sim: Simulator, at: Point, thing: SceneObject, camera: Camera, pitch: float
) -> tuple[int, int]:
    """(pixels of the object, pixels of its bare box), the robot already turned to it."""
    frame = sim.render(camera, colour=False)
    return int((frame.instances == thing.id).sum()), _box_pixels(at, thing.box, camera, pitch)


def _box_pixels(at: Point, box: Box, camera: Camera, pitch: float) -> int:
    """Pixels of the box's image rectangle, clipped to the square view, times ½ for its corners."""
    yaw, _, _ = _aim(at, box, camera.height_m)
    focal = camera.width / 2 / math.tan(math.radians(camera.hfov_deg) / 2)
    c, s = math.cos(box.yaw), math.sin(box.yaw)
    half = camera.width / 2
    us: list[float] = []
    vs: list[float] = []
    for sx in (-0.5, 0.5):
        for sy in (-0.5, 0.5):
            for sz in (-0.5, 0.5):
                lx, ly = sx * box.size[0], sy * box.size[1]
                dx = box.centre[0] + c * lx - s * ly - at[0]
                dy = box.centre[1] + s * lx + c * ly - at[1]
                dz = box.centre[2] + sz * box.size[2] - at[2] - camera.height_m
                forward = math.cos(yaw) * dx + math.sin(yaw) * dy
                left = -math.sin(yaw) * dx + math.cos(yaw) * dy
                depth = max(0.05, math.cos(pitch) * forward + math.sin(pitch) * dz)
                up = -math.sin(pitch) * forward + math.cos(pitch) * dz
                us.append(min(half, max(-half, -focal * left / depth)))
                vs.append(min(half, max(-half, -focal * up / depth)))
    return int((max(us) - min(us)) * (max(vs) - min(vs)) / 2)
