"""Lidars against closed forms: a box room, a doorway, a table; and their noise."""

from __future__ import annotations

import math
from functools import cache

import numpy as np
import pytest
from numpy.typing import NDArray

from navproof.check.tiny import tiny_simulator
from navproof.core.errors import SpecError
from navproof.core.types import FIRST_OBJECT_ID, Mount, Noise, Pose, Scan, SensorSpec, Walk
from navproof.sensors import View, build
from navproof.sensors.lidar import azimuths_rad, beams, elevations_rad, points
from navproof.sensors.rays import axes
from navproof.world.people.people import APPEARANCES

HEIGHT = 2.5
SIM = cache(tiny_simulator)
DEEP = 30.0


def view(pose: Pose, **moment: int) -> View:
    sim = SIM("pointnav-v1")
    sim.place(pose)
    return View(sim, (), pose, frozenset(), episode="e", **moment)


def spec(scan: Scan, mount: Mount, noise: Noise | None = None, **ranges: float) -> SensorSpec:
    held = {"max_range_m": DEEP} | ranges
    return SensorSpec("scan", "lidar", mount=mount, scan=scan, noise=noise, **held)


def in_west_room(rays: NDArray[np.float64], eye: NDArray[np.float64]) -> NDArray[np.float64]:
    """Distance to the west room's box, for rays that do not leave by the door."""
    low, high = np.array([-4.0, 0.0, 0.0]), np.array([0.0, 4.0, HEIGHT])
    with np.errstate(divide="ignore", invalid="ignore"):
        reach = np.where(rays > 0, (high - eye) / rays, (low - eye) / rays)
    reach[~np.isfinite(reach)] = np.inf
    found: NDArray[np.float64] = reach.min(axis=1)
    return found


def turned(yaw: float) -> NDArray[np.float64]:
    c, s = math.cos(yaw), math.sin(yaw)
    return np.array([[c, s, 0.0], [-s, c, 0.0], [0.0, 0.0, 1.0]])


def through_door(eye: NDArray[np.float64], rays: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Rays that pass x = 0 inside the doorway, with 5 cm to spare for its edges."""
    with np.errstate(divide="ignore", invalid="ignore"):
        t = -eye[0] / rays[:, 0]
    y, z = eye[1] + t * rays[:, 1], eye[2] + t * rays[:, 2]
    found: NDArray[np.bool_] = (t > 0) & (y > 1.45) & (y < 2.55) & (z < 2.05)
    return found


def near_table(eye: NDArray[np.float64], rays: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Rays that meet the table's box, grown by 5 cm (slabs)."""
    low, high = np.array([-2.55, 3.05, -0.05]), np.array([-1.45, 3.75, 0.8])
    with np.errstate(divide="ignore", invalid="ignore"):
        a, b = (low - eye) / rays, (high - eye) / rays
    enter = np.nanmax(np.minimum(a, b), axis=1)
    leave = np.nanmin(np.maximum(a, b), axis=1)
    found: NDArray[np.bool_] = (enter < leave) & (leave > 0)
    return found


@pytest.mark.parametrize("yaw", [0.0, 0.4, -2.1])
def test_a_flat_lidar_measures_a_box_room_to_a_tenth_of_a_millimetre(yaw: float) -> None:
    mount = Mount(height_m=1.2, forward_m=0.1, left_m=-0.05, yaw_deg=15.0)
    scan = Scan(720)
    pose = Pose(-2.6, 1.3, 0.0, yaw)
    ranges = build(spec(scan, mount)).read(view(pose))
    rays = beams(scan).reshape(-1, 3) @ axes(mount) @ turned(yaw)
    eye = np.array([pose.x, pose.y, 0.0]) + (0.1, -0.05, 1.2) @ turned(yaw)
    inside = ~through_door(eye, rays)
    assert inside.sum() > 600
    error = np.abs(ranges - in_west_room(rays, eye))[inside]
    corner = error > 1e-4  # a beam within half a pixel of a corner of the room
    assert corner.sum() <= 4
    assert error.max() < 3e-3
    assert ranges.shape == (720,)
    assert ranges.dtype == np.float32


def test_a_lidar_of_many_rings_measures_walls_floor_and_ceiling() -> None:
    mount = Mount(height_m=1.0, pitch_deg=7.0, yaw_deg=-30.0)
    scan = Scan(180, 24, 360.0, -80.0, 80.0)
    pose = Pose(-2.0, 1.2, 0.0, 0.7)
    ranges = build(spec(scan, mount)).read(view(pose))
    assert ranges.shape == (24, 180)
    rays = beams(scan).reshape(-1, 3) @ axes(mount) @ turned(0.7)
    eye = np.array([-2.0, 1.2, 1.0])
    box = ~(through_door(eye, rays) | near_table(eye, rays))
    assert box.sum() > 3000
    error = np.abs(ranges.reshape(-1) - in_west_room(rays, eye))[box]
    assert np.quantile(error, 0.98) < 1e-4
    assert error.max() < 0.02


def test_beams_go_through_the_door_and_stop_at_the_far_wall() -> None:
    ahead = build(spec(Scan(5, hfov_deg=4.0), Mount(0.3))).read(view(Pose(-3.0, 2.0)))
    assert ahead == pytest.approx(7.0 / np.cos(np.radians([-2, -1, 0, 1, 2])), abs=1e-4)


def test_beams_turn_counter_clockwise_and_begin_behind() -> None:
    assert np.degrees(azimuths_rad(Scan(4))) == pytest.approx([-180, -90, 0, 90])
    assert np.degrees(azimuths_rad(Scan(3, hfov_deg=90.0))) == pytest.approx([-45, 0, 45])
    assert np.degrees(elevations_rad(Scan(4, 3, 360, -10, 10))) == pytest.approx([-10, 0, 10])
    behind, right, ahead, left = build(spec(Scan(4), Mount(1.5))).read(view(Pose(-3.0, 1.0)))
    assert (behind, right, ahead, left) == pytest.approx((1.0, 1.0, 3.0, 3.0), abs=1e-4)


def test_the_mount_is_where_the_beams_begin_and_look() -> None:
    mount = Mount(1.5, forward_m=0.2, left_m=0.1, yaw_deg=90.0)
    behind, right, ahead, left = build(spec(Scan(4), mount)).read(view(Pose(-3.0, 1.0)))
    assert (behind, right, ahead, left) == pytest.approx((1.1, 2.8, 2.9, 1.2), abs=1e-4)


def test_a_low_scan_meets_the_table_and_a_high_one_passes_over_it() -> None:
    pose = Pose(-2.0, 1.0, 0.0, math.pi / 2)
    one = Scan(1, hfov_deg=1.0)  # looks half a degree to the right
    slant = 1.0 / math.cos(math.radians(0.5))
    assert build(spec(one, Mount(0.5))).read(view(pose))[0] == pytest.approx(2.1 * slant, abs=1e-4)
    assert build(spec(one, Mount(1.0))).read(view(pose))[0] == pytest.approx(3.0 * slant, abs=1e-4)


def test_out_of_range_is_a_hole() -> None:
    lidar = build(spec(Scan(4), Mount(1.5), min_range_m=1.5, max_range_m=2.9))
    assert lidar.read(view(Pose(-3.0, 1.0))).tolist() == [0.0, 0.0, 0.0, 0.0]
    lidar = build(spec(Scan(4), Mount(1.5), min_range_m=1.5, max_range_m=3.1))
    assert (lidar.read(view(Pose(-3.0, 1.0))) > 0).tolist() == [False, False, True, True]


def test_points_lie_on_what_was_hit() -> None:
    lidar = spec(Scan(90, 8, 360, -20, 5), Mount(0.9, 0.1, 0.05, 3.0, 10.0))
    pose = Pose(-2.0, 1.2)
    found = points(lidar, build(lidar).read(view(pose))) + np.array(pose.point)
    low, high = np.array([-4.0, 0.0, 0.0]), np.array([4.0, 4.0, HEIGHT])
    assert len(found) == 720
    assert np.all(found > low - 5e-3)
    assert np.all(found < high + 5e-3)
    on_box = (np.abs(found - low) < 1e-3) | (np.abs(found - high) < 1e-3)
    on_box[:, 0] |= np.abs(found[:, 0]) < 1e-3  # the wall between the rooms
    assert on_box.any(axis=1).mean() > 0.9


def test_range_noise_has_the_sigma_that_it_says_and_depends_on_the_moment_alone() -> None:
    scan, mount, pose = Scan(2000), Mount(1.5), Pose(-3.0, 1.0)
    clean = build(spec(scan, mount)).read(view(pose))
    same = build(spec(scan, mount, Noise())).read(view(pose, seed=3, step=4))
    assert np.array_equal(clean, same)
    noisy = build(spec(scan, mount, Noise(range_sigma_m=0.02, range_sigma_ratio=0.01)))
    read = noisy.read(view(pose, seed=3, step=4))
    scaled = (read - clean) / np.hypot(0.02, 0.01 * clean)
    assert scaled.std() == pytest.approx(1.0, abs=0.06)
    assert scaled.mean() == pytest.approx(0.0, abs=0.08)
    assert np.array_equal(read, noisy.read(view(pose, seed=3, step=4)))
    assert not np.array_equal(read, noisy.read(view(pose, seed=3, step=5)))
    assert not np.array_equal(read, noisy.read(view(pose, seed=4, step=4)))


def test_lost_beams_are_holes() -> None:
    lidar = build(spec(Scan(2000), Mount(1.5), Noise(range_dropout=0.2)))
    assert (lidar.read(view(Pose(-3.0, 1.0))) == 0).mean() == pytest.approx(0.2, abs=0.03)


def test_somebody_in_the_way_is_hit_and_stands_where_she_stands() -> None:
    sim = tiny_simulator("pointnav-v1")
    looks = sorted(APPEARANCES)[0]
    sim.load(sim.scene, sim.robot, (Walk("p1", looks, ((-1.0, 1.2, 99.0),)),))
    sim.place(Pose(-3.0, 1.2))
    lidar = spec(Scan(360), Mount(height_m=1.1))
    alone = build(lidar).read(view(Pose(-3.0, 1.2)))
    met = build(lidar).read(View(sim, (), sim.pose, frozenset()))
    nearer = np.flatnonzero(met < alone - 0.01)
    assert 4 <= len(nearer) <= 30
    assert 180 in nearer  # straight ahead
    hit = points(lidar, np.where(met < alone - 0.01, met, 0.0)) + np.array(sim.pose.point)
    assert np.abs(hit[:, :2] - (-1.0, 1.2)).max() < 0.4
    rest = np.setdiff1d(np.arange(360), nearer)
    assert np.array_equal(met[rest], alone[rest])


def test_a_lidar_needs_no_colours() -> None:
    seen = view(Pose(-3.0, 1.0))
    lidar = build(spec(Scan(90), Mount(0.3)))
    lidar.read(seen)
    for face in lidar.faces:  # type: ignore[attr-defined]
        frame = seen.frame(face.camera)
        assert not frame.rgb.any()
        assert frame.instances.max() < FIRST_OBJECT_ID + 3


@pytest.mark.parametrize(
    ("scan", "ranges", "told"),
    [
        (Scan(0), {}, "0 beams"),
        (Scan(360, 5000), {}, "5000 rings"),
        (Scan(hfov_deg=400.0), {}, "hfov_deg 400"),
        (Scan(360, 2, 360, 10, -10), {}, "low ≤ high"),
        (Scan(), {"min_range_m": 5.0, "max_range_m": 1.0}, "0 ≤ min < max"),
    ],
)
def test_a_lidar_that_makes_no_sense_is_refused(
    scan: Scan, ranges: dict[str, float], told: str
) -> None:
    with pytest.raises(SpecError, match=told):
        build(spec(scan, Mount(), **ranges))
