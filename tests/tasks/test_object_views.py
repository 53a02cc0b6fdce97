"""Algorithm 1: the border of an object, samples round it, and what is really seen from them."""

from __future__ import annotations

import math
from itertools import pairwise

import pytest

from navproof.check.tiny import tiny_simulator
from navproof.sim.embedded import EmbeddedSimulator
from navproof.tasks.draft import camera_of
from navproof.tasks.langnav.views import (
    BORDER_GAP_M,
    RADIUS_M,
    REACH_M,
    SPACING_M,
    border_points,
    object_views,
    ring_points,
    small_view,
)
from navproof.tasks.objectnav.viewpoints import sees_level
from navproof.world.scene import Box

ANCHOR = (-3.0, 1.0, 0.0)
CAMERA = small_view(camera_of("langnav-v1"))


@pytest.fixture(scope="module")
def sim() -> EmbeddedSimulator:
    return tiny_simulator("langnav-v1")


def gap(box: Box, x: float, y: float) -> float:
    """Distance to an upright box (all of the flat's have yaw 0)."""
    assert box.yaw == 0.0
    dx = max(0.0, abs(x - box.centre[0]) - box.size[0] / 2)
    dy = max(0.0, abs(y - box.centre[1]) - box.size[1] / 2)
    return math.hypot(dx, dy)


def test_the_border_is_where_the_robot_first_fits(sim):
    """Round the crate it stands off by its radius, on the two sides that face the room."""
    crate = sim.scene.object(12).box
    border = border_points(sim, crate, 0.0)
    assert len(border) >= 2
    for x, y, _ in border:
        assert sim.is_navigable((x, y, 0.0))
        assert gap(crate, x, y) == pytest.approx(sim.robot.radius_m, abs=0.03)
    for one, other in pairwise(border):
        assert math.dist(one, other) >= BORDER_GAP_M


def test_what_hangs_over_free_floor_is_its_own_border(sim):
    lamp = Box((-2.0, 1.5, 2.2), (0.3, 0.3, 0.3))
    assert border_points(sim, lamp, 0.0) == [(-2.0, 1.5, 0.0)]


def test_samples_are_even():
    rings = list(ring_points((1.0, 2.0, 0.0)))
    radii = sorted({round(math.dist(p, (1.0, 2.0, 0.0)), 3) for p in rings})
    assert radii == pytest.approx([SPACING_M * k for k in range(6)], abs=1e-3)
    assert radii[-1] == pytest.approx(RADIUS_M)
    for point in rings[1:]:
        nearest = min(math.dist(point, other) for other in rings if other != point)
        assert nearest == pytest.approx(SPACING_M, abs=0.02)


@pytest.mark.parametrize("thing", [10, 11, 12])
def test_viewpoints_are_near_free_connected_and_see(sim, thing):
    it = sim.scene.object(thing)
    views = object_views(sim, it, CAMERA, ANCHOR)
    assert len(views) == len(set(views)) >= 8
    for x, y, z in views:
        assert gap(it.box, x, y) <= REACH_M + 1e-9
        assert sim.is_navigable((x, y, z))
        assert math.isfinite(sim.geodesic((x, y, z), (ANCHOR,)))
        eye = (x, y, CAMERA.height_m)
        top = it.box.centre[2] + it.box.size[2] / 2 + 0.002
        corners = [
            (it.box.centre[0] + sx * it.box.size[0] / 2, it.box.centre[1] + sy * it.box.size[1] / 2)
            for sx in (-1, 0, 1)
            for sy in (-1, 0, 1)
        ]
        assert any(sim.line_of_sight(eye, (cx, cy, top)) for cx, cy in corners)


def test_a_wall_hides_what_is_near(sim):
    """The table is 1.4 m from the wall: behind it, it is near but not seen."""
    table = sim.scene.object(10)
    behind = (0.25, 3.4, 0.0)
    assert sim.is_navigable(behind)
    assert not sees_level(sim, behind, table, CAMERA)
    assert sees_level(sim, (-2.0, 1.8, 0.0), table, CAMERA)
    assert all(x < 0.0 for x, _, _ in object_views(sim, table, CAMERA, ANCHOR))


def test_the_view_is_the_robots_own_and_level(sim):
    """The crate is half a metre high: seen from 1.3 m, but from 0.25 m it is below the picture
    (45° down from 1.5 m meets its far edge 0.75 m away, at a height of 0.75 m)."""
    crate = sim.scene.object(12)
    assert sees_level(sim, (1.95, 0.5, 0.0), crate, CAMERA)
    assert not sees_level(sim, (3.0, 0.5, 0.0), crate, CAMERA)
