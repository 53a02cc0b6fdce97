"""Panoramas: every pixel looks where it says, seams do not show, views are the camera's own."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from numpy.typing import NDArray

from navproof.check.tiny import tiny_simulator
from navproof.core.errors import SpecError
from navproof.core.types import Camera, Pose, SensorSpec
from navproof.sensors import View, build, coloured
from navproof.sensors.panorama import directions

AROUND = Camera(256, 128, hfov_deg=360.0, height_m=1.0)
SIM = cache(tiny_simulator)
CHAIR = (2.0, 3.5, 0.45)


def view(pose: Pose) -> View:
    sim = SIM("pointnav-v1")
    sim.place(pose)
    return View(sim, (), pose)


def read(spec: SensorSpec, pose: Pose) -> NDArray[np.generic]:
    return build(spec).read(view(pose))


def pixel_of(camera: Camera, azimuth: float, elevation: float) -> tuple[float, float]:
    step = math.radians(camera.hfov_deg) / camera.width
    return camera.width / 2 - azimuth / step, camera.height / 2 - elevation / step


def test_directions_are_those_of_the_equirectangular_projection() -> None:
    rays = directions(Camera(8, 4, 360.0))
    assert rays.shape == (4, 8, 3)
    assert np.linalg.norm(rays, axis=-1) == pytest.approx(np.ones((4, 8)))
    azimuth = np.degrees(np.arctan2(rays[..., 1], rays[..., 0]))
    assert azimuth[1] == pytest.approx([157.5, 112.5, 67.5, 22.5, -22.5, -67.5, -112.5, -157.5])
    assert np.degrees(np.arcsin(rays[:, 0, 2])) == pytest.approx([67.5, 22.5, -22.5, -67.5])


@pytest.mark.parametrize("yaw", [0.0, 1.0, 2.5, -1.7])
def test_the_blue_chair_is_seen_where_it_stands(yaw: float) -> None:
    pose = Pose(2.0, 1.8, 0.0, yaw)
    image = read(SensorSpec("p", "panorama", AROUND), pose).astype(int)
    blue = (image[..., 2] > 60) & (image[..., 2] > 2 * image[..., 0])
    rows, cols = np.nonzero(blue)
    assert len(rows) > 20
    dx, dy = CHAIR[0] - pose.x, CHAIR[1] - pose.y
    azimuth = math.remainder(math.atan2(dy, dx) - yaw, math.tau)
    u, _ = pixel_of(AROUND, azimuth, 0.0)
    off = np.remainder(cols + 0.5 - u + 128, 256) - 128  # it may lie across the image's ends
    assert float(off.mean()) == pytest.approx(0.0, abs=1.0)
    top = math.atan2(0.9 - 1.0, CHAIR[1] - 0.25 - 1.8)  # the front edge of its top
    bottom = math.atan2(-1.0, CHAIR[1] - 0.25 - 1.8)
    assert rows.max() + 0.5 == pytest.approx(pixel_of(AROUND, 0.0, bottom)[1], abs=1.5)
    assert rows.min() - 0.5 <= pixel_of(AROUND, 0.0, top)[1]


def test_depth_is_the_distance_along_each_ray() -> None:
    pose = Pose(-2.0, 1.2, 0.0, 0.6)
    depth = read(SensorSpec("p", "panorama", AROUND, of="depth", max_range_m=20.0), pose)
    c, s = math.cos(0.6), math.sin(0.6)
    rays = directions(AROUND).reshape(-1, 3) @ np.array([[c, s, 0], [-s, c, 0], [0, 0, 1]])
    found = np.array([-2.0, 1.2, 1.0]) + rays * depth.reshape(-1, 1)  # type: ignore[operator]
    walls = np.abs(found - [-4.0, 0.0, 0.0]), np.abs(found - [0.0, 4.0, 2.5])
    off = np.minimum(*walls).min(axis=1)
    assert np.quantile(off, 0.85) < 1e-4  # all but what is behind the door, and the table
    assert depth.shape == (128, 256)
    assert depth.dtype == np.float32


def test_straight_up_and_down_are_ceiling_and_floor() -> None:
    depth = read(SensorSpec("p", "panorama", AROUND, of="depth"), Pose(-2.0, 1.2))
    assert depth[0] == pytest.approx(np.full(256, 1.5), rel=1e-3)
    assert depth[-1] == pytest.approx(np.full(256, 1.0), rel=1e-3)


def test_seams_do_not_show() -> None:
    """Turning the robot by a whole number of columns turns the image by as many, though the faces
    of the cube then lie elsewhere."""
    columns = 20
    one = read(SensorSpec("p", "panorama", AROUND), Pose(-2.0, 1.2, 0.0, 0.0)).astype(int)
    angle = math.tau * columns / 256
    two = read(SensorSpec("p", "panorama", AROUND), Pose(-2.0, 1.2, 0.0, angle)).astype(int)
    apart = np.abs(np.roll(one, columns, axis=1) - two).max(axis=-1)
    assert np.quantile(apart, 0.95) <= 6  # the rest are edges of things
    wall = slice(40, 60)  # bare wall and doorway: across all four seams and the image's own ends
    beside = np.abs(np.diff(one[wall], axis=1, append=one[wall][:, :1])).max(axis=-1)
    assert np.median(beside) <= 2


def test_a_pitched_panorama_looks_up_in_front() -> None:
    level = SensorSpec("p", "panorama", AROUND, of="depth")
    tilted = replace(level, camera=replace(AROUND, pitch_deg=90.0))
    pose = Pose(-2.0, 1.2)
    up = read(tilted, pose)[64, 128]
    assert float(up) == pytest.approx(1.5, abs=1e-3)  # type: ignore[arg-type]


def test_views_are_the_camera_turned_by_equal_steps() -> None:
    camera = Camera(32, 24, hfov_deg=60.0, height_m=1.0, yaw_deg=10.0)
    pose = Pose(-2.0, 1.2, 0.0, 0.3)
    rgb = read(SensorSpec("p", "panorama", camera, views=6), pose)
    depth = read(SensorSpec("p", "panorama", camera, 0.5, 3.0, of="depth", views=6), pose)
    assert rgb.shape == (6, 24, 32, 3)
    assert depth.shape == (6, 24, 32)
    for i in range(6):
        turned = replace(camera, yaw_deg=10.0 + 60.0 * i)
        assert np.array_equal(rgb[i], read(SensorSpec("rgb", "rgb", turned), pose))
        wanted = read(SensorSpec("depth", "depth", turned, 0.5, 3.0), pose)
        assert np.array_equal(depth[i], wanted)


@pytest.mark.parametrize("views", [0, 4])
def test_colours_are_rendered_for_pictures_only(views: int) -> None:
    camera = Camera(32, 16, 360.0 if views == 0 else 90.0)
    colour = build(SensorSpec("p", "panorama", camera, views=views))
    depth = build(SensorSpec("p", "panorama", camera, views=views, of="depth"))
    assert coloured([colour]) == frozenset(colour.cameras)  # type: ignore[attr-defined]
    assert coloured([depth]) == frozenset()


@pytest.mark.parametrize(
    ("spec", "told"),
    [
        (SensorSpec("p", "panorama"), "has no camera"),
        (SensorSpec("p", "panorama", Camera(64, 64, 360.0)), "would be 360° high"),
        (SensorSpec("p", "panorama", Camera(64, 32, 400.0)), "up to 360"),
        (SensorSpec("p", "panorama", Camera(64, 64, 360.0), views=4), "hfov_deg is 360"),
        (SensorSpec("p", "panorama", Camera(64, 64), views=999), "999 views"),
        (SensorSpec("p", "panorama", Camera(64, 32, 360.0), 3.0, 1.0), "0 ≤ min < max"),
    ],
)
def test_a_panorama_that_makes_no_sense_is_refused(spec: SensorSpec, told: str) -> None:
    with pytest.raises(SpecError, match=told):
        build(spec)
