"""The completion rules of Table II, at their thresholds, just inside and just outside."""

from __future__ import annotations

import math

import pytest

from navproof.core.types import Pose, SubTaskKind
from navproof.tasks.mission import completion as rules

JUST = 1e-6


def test_the_limits_are_those_of_the_paper() -> None:
    assert rules.WITHIN_M == {
        "goto_room": 3.0,
        "goto_landmark": 3.0,
        "goto_object": 1.0,
        "goto_point": 0.36,
        "return_to": 2.0,
        "follow_human": 3.0,
    }
    assert (rules.FOLLOW_NEAR_M, rules.FOLLOW_FAR_M, rules.FOLLOW_DEG) == (1.0, 3.0, 60.0)
    assert (rules.LEFT_M, rules.PERSONAL_M) == (2.0, 1.2)


@pytest.mark.parametrize("kind", ["goto_room", "goto_landmark", "goto_object", "goto_point"])
def test_a_place_is_reached_at_its_limit(kind: SubTaskKind) -> None:
    limit = rules.WITHIN_M[kind]
    assert rules.reaches(limit, limit)
    assert rules.reaches(limit - JUST, limit)
    assert not rules.reaches(limit + JUST, limit)
    assert not rules.reaches(math.inf, limit)


def test_near_is_not_enough_outside_the_region() -> None:
    assert rules.reaches(0.5, 3.0, inside=True)
    assert not rules.reaches(0.5, 3.0, inside=False)
    assert not rules.reaches(3.0 + JUST, 3.0, inside=True)


def test_leaving_is_to_be_further_away_than_two_metres() -> None:
    assert not rules.has_left(2.0)
    assert not rules.has_left(2.0 - JUST)
    assert rules.has_left(2.0 + JUST)


def test_returning_needs_to_have_left() -> None:
    assert rules.has_returned(2.0, 2.0, was_away=True)
    assert rules.has_returned(2.0 - JUST, 2.0, was_away=True)
    assert not rules.has_returned(2.0 + JUST, 2.0, was_away=True)
    assert not rules.has_returned(0.0, 2.0, was_away=False)


@pytest.mark.parametrize(
    ("distance_m", "expected"),
    [
        (1.0, False),  # the band is open below
        (1.0 - JUST, False),
        (1.0 + JUST, True),
        (3.0, True),  # and closed above
        (3.0 - JUST, True),
        (3.0 + JUST, False),
    ],
)
def test_the_band_of_following(distance_m: float, expected: bool) -> None:
    assert rules.follows(distance_m, 0.0) is expected


@pytest.mark.parametrize("side", [1, -1])
def test_the_angle_of_following(side: int) -> None:
    limit = math.radians(60.0)
    assert rules.follows(2.0, side * limit)
    assert rules.follows(2.0, side * (limit - JUST))
    assert not rules.follows(2.0, side * (limit + JUST))


def test_an_intrusion_is_nearer_than_a_metre_twenty() -> None:
    assert not rules.intrudes(1.2)
    assert not rules.intrudes(1.2 + JUST)
    assert rules.intrudes(1.2 - JUST)


@pytest.mark.parametrize(
    ("yaw_deg", "point", "expected_deg"),
    [
        (0.0, (1.0, 0.0), 0.0),
        (0.0, (0.0, 1.0), 90.0),
        (90.0, (1.0, 0.0), -90.0),
        (179.0, (-1.0, -0.0175), 2.0),  # across the seam at 180°
        (-170.0, (-1.0, 0.0), -10.0),
    ],
)
def test_bearings_are_the_short_way_round(
    yaw_deg: float, point: tuple[float, float], expected_deg: float
) -> None:
    pose = Pose(0.0, 0.0, 0.0, math.radians(yaw_deg))
    found = math.degrees(rules.bearing_error_rad(pose, *point))
    assert found == pytest.approx(expected_deg, abs=0.01)
