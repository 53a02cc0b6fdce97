"""Projection, fusion, frontiers and planning against closed forms."""

from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.typing import NDArray

from navproof.agents.mapping.navigate import Navigator, turn_towards
from navproof.agents.mapping.occupancy import HIT, LIMIT, ON_FLOOR, OccupancyMap
from navproof.agents.mapping.planning import (
    NO_HEADING,
    best_heading,
    clearance_m,
    descend_path,
    distance_field,
    find_frontiers,
)
from navproof.check.tiny import tiny_simulator
from navproof.core.types import Camera, Move, Pose, Robot
from navproof.sim.camera import unproject

CAMERA = Camera(width=160, height=120, hfov_deg=79.0, height_m=0.88)
ROBOT = Robot("r", 0.18, 0.88, forward_m=0.25, turn_deg=30.0)


def wall_depth(distance_m: float, high_m: float = 9.0) -> NDArray[np.float32]:
    """Depth of a wall across the view at that distance, from the floor up to ``high_m``."""
    f = 80.0 / math.tan(math.radians(39.5))
    down = (np.arange(120) + 0.5 - 60.0) / f
    depth = np.zeros((120, 160), dtype=np.float32)
    for row, d in enumerate(down):
        height = 0.88 - d * distance_m
        if 0.0 <= height <= high_m:
            depth[row] = distance_m
        elif height < 0.0:
            depth[row] = 0.88 / d
    return depth


def fused(high_m: float = 9.0) -> OccupancyMap:
    world = OccupancyMap(0.08, 0.88, size_m=12.0)
    world.fuse(wall_depth(2.025, high_m), CAMERA, Pose(0.0, 0.0), 5.0)
    return world


def test_a_wall_is_occupied_the_floor_before_it_free_and_the_rest_unknown() -> None:
    world = fused()
    for y in np.arange(-1.2, 1.25, 0.05):
        row, col = world.index(2.025, y)
        assert world.evidence[row, col] == HIT, y
        assert world.evidence[row, col + 2] == 0
    for x in (0.2, 0.8, 1.4):
        assert world.evidence[world.index(x, 0.0)] < 0
    assert world.evidence[world.index(1.7, 0.0)] == -ON_FLOOR - 1
    assert world.evidence[world.index(-0.5, 0.0)] == 0
    assert world.evidence[world.index(0.5, 1.5)] == 0


def test_what_the_robot_passes_under_or_over_is_no_obstacle() -> None:
    low = fused(high_m=0.05)
    assert low.evidence[low.index(2.025, 0.0)] <= 0
    table = fused(high_m=0.7)
    assert table.evidence[table.index(2.025, 0.0)] == HIT


@pytest.mark.parametrize("yaw", [0.0, 0.7, math.pi / 2, -2.0])
def test_every_depth_pixel_lands_in_the_cell_of_its_point(yaw: float) -> None:
    sim = tiny_simulator("objectnav-v1")
    pose = Pose(-1.5, 1.2, 0.0, yaw)
    sim.place(pose)
    depth = sim.render(CAMERA).depth
    world = OccupancyMap(0.08, 0.88, size_m=12.0)
    world.fuse(depth, CAMERA, pose, 10.0)
    points = unproject(CAMERA, pose, depth).reshape(-1, 3)
    solid = points[(points[:, 2] > 0.1) & (points[:, 2] < 0.86)]
    occupied = np.zeros_like(world.evidence, dtype=bool)
    for x, y, _ in solid:
        occupied[world.index(x, y)] = True
    assert (occupied | (world.evidence <= 0)).all()  # nothing is occupied without a pixel
    assert (world.evidence > 0).sum() > 0.8 * occupied.sum()


def test_evidence_is_clamped_and_can_be_revised() -> None:
    world = OccupancyMap(0.08, 0.88, size_m=12.0)
    for _ in range(20):
        world.fuse(wall_depth(2.025), CAMERA, Pose(0.0, 0.0), 5.0)
    cell = world.index(2.025, 0.0)
    assert world.evidence[cell] == LIMIT
    for _ in range(40):
        world.fuse(wall_depth(3.0), CAMERA, Pose(0.0, 0.0), 5.0)
    assert world.evidence[cell] < 0


def test_a_ray_above_a_low_thing_does_not_clear_it() -> None:
    world = fused()
    cell = world.index(0.5, 0.0)
    world.evidence[cell] = HIT  # too near and too low to be seen from here
    world.fuse(wall_depth(2.025), CAMERA, Pose(0.0, 0.0), 5.0)
    assert world.evidence[cell] == HIT


def test_holes_say_nothing() -> None:
    world = OccupancyMap(0.08, 0.88, size_m=12.0)
    depth = np.zeros((120, 160), dtype=np.float32)
    depth[5, 5] = np.nan
    depth[6, 6] = np.inf
    world.fuse(depth, CAMERA, Pose(0.0, 0.0), 5.0)
    assert not world.evidence.any()


def test_the_map_grows_without_moving_what_it_holds() -> None:
    world = fused()
    before = world.evidence[world.index(2.025, 0.0)]
    size = world.evidence.shape[0]
    world.fuse(np.zeros((120, 160), dtype=np.float32), CAMERA, Pose(9.0, -3.0), 5.0)
    assert world.evidence.shape[0] > size
    assert world.evidence[world.index(2.025, 0.0)] == before
    assert world.centre(*world.index(2.025, 0.01)) == pytest.approx((2.025, 0.025))


def test_clearance_is_euclidean() -> None:
    evidence = np.full((41, 41), -1, dtype=np.int16)
    evidence[20, 20] = 5
    rows, cols = np.mgrid[:41, :41]
    expected = np.hypot(rows - 20, cols - 20) * 0.05
    assert clearance_m(evidence, 0.05) == pytest.approx(expected, abs=1e-3)
    assert (clearance_m(np.zeros((4, 4), dtype=np.int16), 0.05) > 100).all()


def test_distance_field_in_the_open_and_round_a_wall() -> None:
    free = np.ones((81, 81), dtype=np.bool_)
    seeds = np.zeros_like(free)
    seeds[40, 10] = True
    rows, cols = np.mgrid[:81, :81]
    straight = np.hypot(rows - 40, cols - 10) * 0.05
    assert distance_field(free, seeds, 0.05) == pytest.approx(straight, abs=0.07)
    free[:70, 40] = False
    field = distance_field(free, seeds, 0.05)
    corner = math.hypot(30, 30) * 2 * 0.05
    assert field[40, 70] == pytest.approx(corner, rel=0.02)
    path = descend_path(field, 40, 70)
    assert tuple(path[0]) == (40, 70)
    assert tuple(path[-1]) == (40, 10)
    assert all(free[r, c] for r, c in path)
    free[:, 40] = False
    assert descend_path(distance_field(free, seeds, 0.05), 40, 70).shape == (0, 2)


def room(size: int = 60) -> NDArray[np.int16]:
    """A walled room, known inside, nothing known outside."""
    evidence = np.zeros((size, size), dtype=np.int16)
    evidence[10:50, 10:50] = -3
    evidence[10:50, [10, 49]] = 9
    evidence[[10, 49], 10:50] = 9
    return evidence


def test_a_closed_room_has_no_frontier_and_a_doorway_is_one() -> None:
    evidence = room()
    here = np.zeros(evidence.shape, dtype=np.bool_)
    here[30, 20] = True
    field = distance_field(evidence < 0, here, 0.05)
    assert find_frontiers(evidence, field) == []
    evidence[25:41, 49] = -1  # sixteen cells of doorway in the east wall
    field = distance_field(evidence < 0, here, 0.05)
    (door,) = find_frontiers(evidence, field)
    assert door.size == 16
    assert 25 <= door.cell[0] <= 40
    assert door.distance_m == pytest.approx(27 * 0.05, abs=0.15)


def test_frontiers_that_cannot_be_reached_or_are_tiny_are_left_out() -> None:
    evidence = room()
    here = np.zeros(evidence.shape, dtype=np.bool_)
    here[30, 20] = True
    evidence[30:33, 49] = -1
    assert find_frontiers(evidence, distance_field(evidence < 0, here, 0.05)) == []
    assert len(find_frontiers(evidence, distance_field(evidence < 0, here, 0.05), 3)) == 1
    evidence[5:8, 20:40] = -1  # free, seen through a window, behind the wall
    assert find_frontiers(evidence, distance_field(evidence < 0, here, 0.05)) == []


@pytest.mark.parametrize(("bearing", "turns"), [(0.0, 0), (0.6, 1), (-1.5, -3), (3.1, 6)])
def test_best_heading_in_the_open(bearing: float, turns: int) -> None:
    free = np.ones((200, 200), dtype=np.bool_)
    seeds = np.zeros_like(free)
    row, col = 100 + round(60 * math.sin(bearing)), 100 + round(60 * math.cos(bearing))
    seeds[row, col] = True
    field = distance_field(free, seeds, 0.05)
    clear = np.full(free.shape, 9.0, dtype=np.float32)
    found = best_heading(field, clear, 100.5, 100.5, 0.0, math.radians(30), 5.0, 0.18, 0.01, 0.5)
    assert abs(found) == abs(turns)
    assert turns == 6 or found == turns


def test_best_heading_says_when_every_step_is_barred() -> None:
    field = np.zeros((50, 50))
    clear = np.zeros((50, 50), dtype=np.float32)
    assert best_heading(field, clear, 25.5, 25.5, 0.0, 0.5, 5.0, 0.18, 0.01, 0.5) == NO_HEADING


def test_the_navigator_drives_through_a_doorway() -> None:
    world = OccupancyMap(0.08, 0.88, size_m=12.0)
    world.evidence[:] = -5
    low, col = world.index(2.0, -0.5)
    high, _ = world.index(2.0, 0.5)
    world.evidence[:low, col] = LIMIT  # a wall at x = 2 with a doorway from y = −0.5 to 0.5
    world.evidence[high:, col] = LIMIT
    nav = Navigator(ROBOT, world)
    x, y, yaw, metres = 0.0, 2.0, 1.0, 0.0
    for _ in range(80):
        move = nav.towards(Pose(x, y, 0.0, yaw), 4.0, 2.0, 0.2)
        if move is None:
            break
        if move is Move.FORWARD:
            x, y, metres = x + 0.25 * math.cos(yaw), y + 0.25 * math.sin(yaw), metres + 0.25
            assert not (abs(x - 2.0) < 0.15 and abs(y) > 0.5), "through the wall"
        else:
            yaw += math.radians(30.0 if move is Move.LEFT else -30.0)
    assert math.dist((x, y), (4.0, 2.0)) <= 0.25
    assert metres <= 1.15 * 2 * math.hypot(2.0, 1.68)
    assert nav.path


def test_the_navigator_stands_as_near_as_it_can() -> None:
    world = OccupancyMap(0.08, 0.88, size_m=12.0)
    world.evidence[:] = -5
    world.stamp(3.0, 0.0, 0.6, LIMIT)  # the target is the middle of a round table
    nav = Navigator(ROBOT, world)
    x, y, yaw = 0.0, 0.0, 0.0
    for _ in range(40):
        move = nav.towards(Pose(x, y, 0.0, yaw), 3.0, 0.0, 0.3)
        if move is None:
            break
        if move is Move.FORWARD:
            x, y = x + 0.25 * math.cos(yaw), y + 0.25 * math.sin(yaw)
        else:
            yaw += math.radians(30.0 if move is Move.LEFT else -30.0)
    assert nav.path
    assert 0.6 + 0.12 <= math.dist((x, y), (3.0, 0.0)) <= 0.6 + 0.18 + 0.3


def test_a_bump_is_remembered() -> None:
    world = OccupancyMap(0.08, 0.88, size_m=12.0)
    nav = Navigator(ROBOT, world)
    nav.bump(Pose(0.0, 0.0, 0.0, math.pi / 2))
    assert world.evidence[world.index(0.0, 0.23)] == LIMIT


def test_turn_towards() -> None:
    assert turn_towards(Pose(0.0, 0.0), 1.0, 0.1, 0.5) is None
    assert turn_towards(Pose(0.0, 0.0), 0.0, 1.0, 0.5) is Move.LEFT
    assert turn_towards(Pose(0.0, 0.0, 0.0, math.pi), -1.0, 1.0, 0.5) is Move.RIGHT
