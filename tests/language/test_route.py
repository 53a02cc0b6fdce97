"""Routes: turns, doorways and rooms of paths whose answers are plain to see."""

from __future__ import annotations

import math

import pytest

from navproof.language.routes.route import Route
from navproof.testing import tiny_scene

SCENE = tiny_scene()
BENT = ((-3.5, 1.0, 0.0), (-1.5, 1.0, 0.0), (-1.5, 3.0, 0.0))


def turned(points, angle):
    c, s = math.cos(angle), math.sin(angle)
    return tuple((c * x - s * y, s * x + c * y, z) for x, y, z in points)


@pytest.mark.parametrize("angle", [0.0, 1.0, 2.5, math.pi, -2.0])
def test_a_right_angle_is_one_turn_whatever_the_direction(angle):
    """Also far from heading 0, and with nothing spurious at either end."""
    route = Route(SCENE, turned(BENT, angle), 0.0)
    (turn,) = route.turns
    assert math.degrees(turn.angle) == pytest.approx(90, abs=3)
    assert turn.s == pytest.approx(2.0, abs=0.1)
    (back,) = Route(SCENE, turned(BENT[::-1], angle), 0.0).turns
    assert math.degrees(back.angle) == pytest.approx(-90, abs=3)


@pytest.mark.parametrize("angle", [0.3, 3.0, -1.2])
def test_a_straight_path_has_no_turns(angle):
    assert Route(SCENE, turned(((0.0, 0.0, 0.0), (6.0, 0.0, 0.0)), angle), 0.0).turns == ()


def test_doorways_and_rooms():
    route = Route(SCENE, ((-3.0, 2.0, 0.0), (3.0, 2.0, 0.0)), 0.0)
    (crossing,) = route.crossings
    assert crossing.s == pytest.approx(3.0)
    assert (crossing.leaves, crossing.enters) == (0, 1)
    assert [(s.room, s.s0, s.s1) for s in route.stays] == [(0, 0.0, 3.0), (1, 3.0, 6.0)]
    back = Route(SCENE, ((3.0, 2.0, 0.0), (-3.0, 2.0, 0.0)), 0.0)
    assert [(c.leaves, c.enters) for c in back.crossings] == [(1, 0)]
    beside = Route(SCENE, ((-3.0, 0.5, 0.0), (3.0, 0.5, 0.0)), 0.0)  # through the wall
    assert beside.crossings == ()
    assert beside.stays == ()


def test_places_headings_and_bearings():
    route = Route(SCENE, BENT, math.pi / 2)
    assert route.length_m == pytest.approx(4.0)
    assert route.at(1.0) == pytest.approx((-2.5, 1.0, 0.0))
    assert route.at(3.0) == pytest.approx((-1.5, 2.0, 0.0))
    assert route.at(99.0) == pytest.approx((-1.5, 3.0, 0.0))
    assert route.heading(1.0) == pytest.approx(0.0)
    assert route.heading(3.0) == route.heading(99.0) == pytest.approx(math.pi / 2)
    assert route.bearing(1.0, -2.5, 3.0) == pytest.approx(math.pi / 2)  # left
    assert route.bearing(3.0, 0.0, 2.0) == pytest.approx(-math.pi / 2)  # right
    assert route.first_turn == pytest.approx(-math.pi / 2)
    assert route.samples[0] == 0.0
    assert route.samples[-1] == route.length_m


def test_repeated_points_do_not_disturb():
    doubled = tuple(p for p in BENT for _ in range(2))
    assert Route(SCENE, doubled, 0.0).turns == Route(SCENE, BENT, 0.0).turns
