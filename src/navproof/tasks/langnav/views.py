"""Viewpoints of an object for LangNav: Algorithm 1 of the paper (section A.2).

The object's border with free space is traced by sweeping 360° round its middle; round each point
of the border, equidistant samples are laid out to 1.5 m, and a sample is a viewpoint when the
robot fits there and, turned to the object, has it in its own camera's view with nothing in front
(the paper compares depths at the object's pixels; here the pixels that show it are counted).

Beyond the paper: the border is found by steps and then by bisection, because other furniture may
stand round the object; and a viewpoint is at most 1.4 m from the object's box, so that a robot
which stops a decimetre short of it is still within the 1.5 m of success.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace

from navproof.core.types import Camera, Point
from navproof.sim.protocol import Simulator
from navproof.tasks.objectnav.viewpoints import box_distance_m, sees_level
from navproof.world.scene import Box, SceneObject

__all__ = ["REACH_M", "border_points", "object_views", "ring_points", "small_view"]

REACH_M = 1.4
RADIUS_M = 1.5  # radius_vp: how far samples lie from a point of the border
SPACING_M = 0.3  # dist_vp: between samples
BORDER_GAP_M = 0.5  # dist_bound: between points of the border
_SWEEP_DEG = 10
_STEP_M = 0.1
_BISECTIONS = 5
_VIEW_PX = 128


def small_view(camera: Camera) -> Camera:
    """The robot's camera with fewer pixels: what it does not show, nobody would find."""
    return replace(camera, width=_VIEW_PX, height=_VIEW_PX)


def object_views(
    sim: Simulator, thing: SceneObject, camera: Camera, anchor: Point
) -> tuple[Point, ...]:
    """All viewpoints of one object, rounded to a tenth of a millimetre. ``camera`` is a small
    square view, level; ``anchor`` is a point of the main navigable area, to which all belong."""
    views: list[Point] = []
    traced: list[Point] = []
    for border in border_points(sim, thing.box, anchor[2]):
        for point in ring_points(border):
            if (
                all(math.dist(point, before) > RADIUS_M for before in traced)
                and box_distance_m(thing.box, point[0], point[1]) <= REACH_M
                and sim.is_navigable(point)
                and math.isfinite(sim.geodesic(point, (anchor,)))
                and sees_level(sim, point, thing, camera)
            ):
                views.append(point)
        traced.append(border)
    return tuple(views)


def border_points(sim: Simulator, box: Box, elevation: float) -> list[Point]:
    """Where free space begins round a box, at least ``BORDER_GAP_M`` apart, counter-clockwise.
    A box that hangs over free floor is its own border."""
    cx, cy = box.centre[0], box.centre[1]
    if sim.is_navigable((cx, cy, elevation)):
        return [_point(cx, cy, elevation)]
    reach = math.hypot(box.size[0], box.size[1]) / 2 + RADIUS_M
    points: list[Point] = []
    for degrees in range(0, 360, _SWEEP_DEG):
        c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
        radius = _transition(sim, cx, cy, c, s, elevation, reach)
        if radius is None:
            continue
        point = _point(cx + radius * c, cy + radius * s, elevation)
        if all(math.dist(point, other) >= BORDER_GAP_M for other in points[-1:] + points[:1]):
            points.append(point)
    return points


def ring_points(centre: Point) -> Iterator[Point]:
    """The centre and rings round it, points and rings about ``SPACING_M`` apart."""
    x, y, z = centre
    yield centre
    for ring in range(1, round(RADIUS_M / SPACING_M) + 1):
        count = round(math.tau * ring)
        for k in range(count):
            angle = math.tau * k / count
            radius = ring * SPACING_M
            yield _point(x + radius * math.cos(angle), y + radius * math.sin(angle), z)


def _transition(
    sim: Simulator, x: float, y: float, c: float, s: float, z: float, reach: float
) -> float | None:
    """The first distance along a ray at which the robot fits; None within ``reach``."""
    for step in range(1, math.ceil(reach / _STEP_M) + 1):
        high = step * _STEP_M
        if not sim.is_navigable((x + high * c, y + high * s, z)):
            continue
        low = high - _STEP_M
        for _ in range(_BISECTIONS):
            middle = (low + high) / 2
            if sim.is_navigable((x + middle * c, y + middle * s, z)):
                high = middle
            else:
                low = middle
        return high
    return None


def _point(x: float, y: float, z: float) -> Point:
    return (round(x, 4) + 0.0, round(y, 4) + 0.0, round(z, 4) + 0.0)
