"""Where people are: closed forms of a walk, and what makes none."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from navproof.core.errors import EpisodeError
from navproof.core.types import Walk
from navproof.sim.geodesic.navgrid import NavGrid
from navproof.testing import tiny_scene
from navproof.world.people.people import (
    PERSON,
    check_people,
    is_walkable,
    stops_at_s,
    track,
    where,
)

# 2 m east, 1.5 s of rest, 2 m north, round the corner without a rest, 3 m west.
WALK = Walk("p1", "red_jacket", ((0, 0, 0), (2, 0, 1.5), (2, 2, 0), (-1, 2, 9)), begins_s=1.0)


@pytest.mark.parametrize(
    ("time_s", "x", "y", "moving"),
    [
        (0.0, 0, 0, False),
        (1.0, 0, 0, True),
        (1.75, 0.75, 0, True),
        (3.0, 2, 0, False),
        (4.4, 2, 0, False),
        (4.5, 2, 0, True),
        (5.25, 2, 0.75, True),
        (6.5, 2, 2, True),
        (8.0, 0.5, 2, True),
        (9.5, -1, 2, False),
        (1e6, -1, 2, False),
    ],
)
def test_positions_have_a_closed_form(time_s: float, x: float, y: float, moving: bool) -> None:
    here = where(WALK, time_s)
    assert (here.pose.x, here.pose.y) == pytest.approx((x, y), abs=1e-12)
    assert here.moving is moving
    assert here.arrived is (time_s >= 9.5)


def test_she_stops_for_good_when_the_way_and_the_rests_are_over() -> None:
    assert stops_at_s(WALK) == pytest.approx(1.0 + 2 + 1.5 + 2 + 3, abs=1e-12)
    assert stops_at_s(replace(WALK, speed_m_s=2.0)) == pytest.approx(1.0 + 1.5 + 7 / 2)
    assert stops_at_s(Walk("p", "red_jacket", ((1, 1, 5),))) == 0.0


def test_the_speed_is_constant_while_she_moves() -> None:
    times = np.arange(0.0, 10.0, 0.01)
    places = track(WALK, times)[:, :2]
    going = np.array([where(WALK, t).moving and where(WALK, t + 0.01).moving for t in times[:-1]])
    steps = np.hypot(*np.diff(places, axis=0).T)
    straight = going & (np.abs(times[:-1] - 6.5) > 0.02)
    assert steps[straight] == pytest.approx(0.01, rel=1e-9)
    assert steps[times[:-1] > 9.5].max() == 0.0


def test_the_heading_turns_smoothly_and_faces_the_way() -> None:
    times = np.arange(0.0, 10.0, 0.005)
    yaw = track(WALK, times)[:, 2]
    turned = np.abs(np.remainder(np.diff(yaw) + math.pi, math.tau) - math.pi)
    assert turned.max() <= math.pi / 2 / 0.6 * 0.005 + 1e-6  # a right angle in 0.6 s
    for time_s, heading in ((2.0, 0.0), (4.5, math.pi / 2), (5.5, math.pi / 2), (8.0, math.pi)):
        assert math.cos(where(WALK, time_s).pose.yaw - heading) == pytest.approx(1.0, abs=1e-9)


def test_many_times_at_once_give_the_same_bits() -> None:
    times = np.random.default_rng(3).uniform(-1.0, 12.0, 500)
    rows = track(WALK, times)
    for row, time_s in zip(rows.tolist(), times.tolist(), strict=True):
        pose = where(WALK, time_s).pose
        assert row == [pose.x, pose.y, pose.yaw]


def test_strides_begin_and_end_with_the_walk() -> None:
    assert where(WALK, 1.0).stride == 0.0
    assert where(WALK, 2.0).stride == 1.0
    assert where(WALK, 3.5).stride == 0.0
    assert where(WALK, 6.5).stride == 1.0  # a corner without a rest
    assert where(WALK, 20.0).stride == 0.0
    assert where(WALK, 5.25).walked_m == pytest.approx(2.75)


def test_points_at_one_place_are_no_leg() -> None:
    walk = Walk("p", "red_jacket", ((0, 0, 0), (0, 0, 2), (1, 0, 0)))
    assert stops_at_s(walk) == pytest.approx(3.0)
    assert where(walk, 1.0).moving is False
    assert where(walk, 2.5).pose.x == pytest.approx(0.5)


def test_a_walk_keeps_off_walls() -> None:
    grid = NavGrid.build(tiny_scene(), PERSON)
    through_the_door = Walk("p", "red_jacket", ((-2, 2, 0), (2, 2, 0)))
    through_the_wall = Walk("p", "red_jacket", ((-2, 1, 0), (2, 1, 0)))
    into_the_table = Walk("p", "red_jacket", ((-2, 2, 0), (-2, 3.3, 0)))
    assert is_walkable(through_the_door, grid)
    assert not is_walkable(through_the_wall, grid)
    assert not is_walkable(into_the_table, grid)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"path": ()}, "person p1: path is empty"),
        ({"path": ((0, 0, 0), (1, math.nan, 0))}, r"person p1: path\[1\]"),
        ({"path": ((0, 0, -1),)}, r"person p1: path\[0\]"),
        ({"speed_m_s": 0.0}, "person p1: speed_m_s is 0.0"),
        ({"begins_s": -2.0}, "person p1: begins_s is -2.0"),
        ({"appearance": "red_jaket"}, "did you mean 'red_jacket'"),
    ],
)
def test_bad_walks_are_told_in_one_line(changes: dict[str, object], message: str) -> None:
    with pytest.raises(EpisodeError, match=message):
        check_people([replace(WALK, **changes)])  # type: ignore[arg-type]


def test_names_are_unique() -> None:
    with pytest.raises(EpisodeError, match="two people are called 'p1'"):
        check_people([WALK, replace(WALK, appearance="blue_jumper")])
