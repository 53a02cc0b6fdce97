"""The navigator on maps made by hand."""

from __future__ import annotations

import math

from navproof.agents.mapping.navigate import Navigator
from navproof.agents.mapping.occupancy import LIMIT, OccupancyMap
from navproof.core.types import Move, Pose, Robot


def test_a_target_beyond_the_map_is_headed_for() -> None:
    """The map grows to hold the target; the plan survives that, and a later growth."""
    world = OccupancyMap(0.1, 1.0, size_m=6.0)
    navigator = Navigator(Robot("disc", 0.18, 0.88, turn_deg=30.0), world)
    world.stamp(0.0, 0.0, 0.5, -LIMIT)
    pose = Pose(0.0, 0.0)
    for step in range(120):
        if step == 40:
            world.make_room(-30.0, 0.0, 1.0)
        move = navigator.towards(pose, 12.0, 0.5, 0.2)
        if move is None:
            break
        turn = {Move.LEFT: 1.0, Move.RIGHT: -1.0}.get(move, 0.0) * math.radians(30.0)
        reach = 0.25 if move is Move.FORWARD else 0.0
        x, y = pose.x + reach * math.cos(pose.yaw), pose.y + reach * math.sin(pose.yaw)
        pose = Pose(x, y, 0.0, pose.yaw + turn)
    assert math.dist((pose.x, pose.y), (12.0, 0.5)) < 0.4


def test_an_agile_one_does_not_turn_back_and_forth() -> None:
    """On a line between cells, rounding makes two headings take turns at being the best."""
    for agile in (False, True):
        navigator = Navigator(
            Robot("disc", 0.18, 0.88, turn_deg=30.0), OccupancyMap(0.1, 1.0), agile=agile
        )
        navigator._turned = (Move.RIGHT, (1.0, 2.0, 0.0))
        same, moved = Pose(1.0, 2.0), Pose(1.25, 2.0)
        assert navigator._steady(same, 1) is (Move.FORWARD if agile else Move.LEFT)
        navigator._turned = (Move.RIGHT, (1.0, 2.0, 0.0))
        assert navigator._steady(same, -2) is Move.RIGHT
        assert navigator._steady(moved, 1) is Move.LEFT


def test_bumps_that_bar_every_way_are_forgiven_once() -> None:
    """A ring of bumps around the robot leaves no frontier to get to; forgiven, they do."""
    world = OccupancyMap(0.1, 1.0)
    (r0, c0), (r1, c1) = world.index(-3.0, -3.0), world.index(3.0, 3.0)
    world.evidence[r0:r1, c0:c1] = -LIMIT
    navigator = Navigator(Robot("disc", 0.18, 0.88, turn_deg=30.0), world, agile=True)
    here = Pose(0.0, 0.0)
    open_ways = len(navigator.frontiers(here))
    for k in range(24):
        navigator.bump(Pose(0.0, 0.0, 0.0, k * math.tau / 24))
    assert open_ways > 0
    assert navigator.frontiers(here) == []
    assert navigator.forgive()
    assert len(navigator.frontiers(here)) == open_ways
    assert not navigator.forgive()


def test_there_is_room_where_nothing_is_known_to_stand_near_the_body() -> None:
    world = OccupancyMap(0.1, 1.0, size_m=6.0)
    navigator = Navigator(Robot("disc", 0.18, 0.88), world)
    assert navigator.has_room_at(1.0, 1.0)  # nothing is known at all
    half = round(0.2 / world.cell)
    row, col = world.index(1.0, 1.0)
    for away, free in ((half, False), (half + 1, True)):
        world.evidence[:] = 0
        world.evidence[row - away, col + away] = 1
        assert navigator.has_room_at(1.0, 1.0) is free
