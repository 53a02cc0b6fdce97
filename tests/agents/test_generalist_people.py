"""People over time: tracks, who is who, and manners towards them."""

from __future__ import annotations

import math
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from navproof.agents.generalist.drive import Driver
from navproof.agents.generalist.manners import PersonalSpace
from navproof.agents.generalist.people import PERSON, Crowd, PersonSighting, Track, seen_people
from navproof.agents.mapping.navigate import Navigator
from navproof.agents.mapping.occupancy import OccupancyMap
from navproof.agents.search.sightings import Sighting
from navproof.core.types import Move, Pose, TaskBrief, Velocity, Waypoints
from navproof.tasks import spec_for

SPEC = spec_for("mission-v1", "carter")
BRIEF = TaskBrief("mission-v1", "", SPEC.robot, SPEC.sensors, "any", (Move.STOP,), 500, 0)
WORDS = "woman in the red jacket"


def sighting(label: str, score: float, x: float, y: float) -> Sighting:
    return Sighting(label, (score,), (x, y, 1.0), np.array([[x, y]]), 0, math.hypot(x, y))


def test_a_walk_becomes_one_track_with_its_speed() -> None:
    crowd = Crowd()
    for k in range(30):
        crowd.see([PersonSighting((2.0 + 0.1 * k, 1.0), 0.9, 0.8)], 0.1 * k)
    (track,) = crowd.tracks
    assert track.v == pytest.approx((1.0, 0.0), abs=0.1)
    assert track.ahead(2.9 + 1.0) == pytest.approx((track.at[0] + 1.0, 1.0), abs=0.15)
    assert track.fit == pytest.approx(0.8)
    assert track.has_walked(2.0)
    assert track.still_s(0.3) < 0.5


def test_who_stands_has_stood_since_she_stopped() -> None:
    crowd = Crowd()
    for k in range(60):
        crowd.see([PersonSighting((min(2.0, 0.1 * k), 0.0), 0.9, 0.8)], 0.1 * k)
    assert crowd.tracks[0].still_s(0.3) == pytest.approx(5.9 - 2.0, abs=0.5)


def test_one_wrong_sighting_is_no_walk() -> None:
    crowd = Crowd()
    crowd.see([PersonSighting((3.4, 0.0), 0.9, 0.8)], 0.0)
    for k in range(1, 50):
        crowd.see([PersonSighting((2.4, 0.0), 0.9, 0.8)], 0.3 * k)
    assert not any(t.has_walked(0.8) for t in crowd.tracks)


def test_two_who_pass_each_other_stay_two() -> None:
    crowd = Crowd()
    for k in range(40):
        one, other = (-2.0 + 0.1 * k, 1.0), (2.0 - 0.1 * k, 0.0)
        crowd.see([PersonSighting(one, 0.9, 0.7), PersonSighting(other, 0.9, 0.1)], 0.1 * k)
    assert len(crowd.tracks) == 2
    best = max(crowd.tracks, key=lambda t: t.fit)
    assert best.at == pytest.approx((1.9, 1.0), abs=0.2)
    assert best.fit == pytest.approx(0.7)


def test_who_meets_another_keeps_her_name() -> None:
    crowd = Crowd()
    for k in range(20):
        crowd.see([PersonSighting((0.0, 0.0), 0.9, 0.7)], 0.1 * k)
    crowd.see([PersonSighting((0.4, 0.0), 0.9, 0.0)], 2.0)  # another one, in front of her
    her, other = crowd.tracks
    assert (her.looks, other.looks) == (20, 1)
    assert her.fit == pytest.approx(0.7)


@pytest.mark.parametrize(
    ("x", "fit", "is_she"), [(1.2, 0.6, True), (1.2, 0.0, False), (0.5, 0.0, True)]
)
def test_after_a_while_her_looks_count_unless_she_is_where_expected(
    x: float, fit: float, is_she: bool
) -> None:
    crowd = Crowd()
    for k in range(20):
        crowd.see([PersonSighting((0.0, 0.0), 0.9, 0.7)], 0.1 * k)
    crowd.see([PersonSighting((x, 0.0), 0.9, fit)], 3.0)
    assert (len(crowd.tracks) == 1) is is_she


def test_who_a_track_is_follows_the_last_sightings() -> None:
    crowd = Crowd()
    for k in range(60):
        crowd.see([PersonSighting((0.0, 0.0), 0.9, 0.6 if k < 30 else 0.3)], 0.1 * k)
    (track,) = crowd.tracks
    assert track.fit < 0.35
    assert track.score == pytest.approx(0.9)


def test_somebody_is_forgotten_after_long() -> None:
    crowd = Crowd()
    crowd.see([PersonSighting((1.0, 0.0), 0.9, 0.0)], 0.0)
    crowd.see([], 10.0)
    assert crowd.near(10.0, 2.0) == []
    assert len(crowd.tracks) == 1
    crowd.see([], 100.0)
    assert crowd.tracks == []


def test_one_body_detected_under_two_names_is_one_person() -> None:
    found = [sighting(PERSON, 0.9, 2.0, 0.0), sighting(WORDS, 0.6, 2.1, 0.0)]
    found += [sighting(PERSON, 0.8, 0.0, 3.0), sighting(PERSON, 0.1, 5.0, 5.0)]
    one, other = seen_people(found, WORDS, (0.0, 0.0))
    assert (one.score, one.fit, other.fit) == (0.9, 0.6, 0.0)
    assert one.at == pytest.approx((2.12, 0.0))  # her middle, behind what is seen of her


# ------------------------------------------------------------------------------------- manners
def manners(*tracks: Track) -> PersonalSpace:
    crowd = Crowd()
    crowd.tracks = list(tracks)
    nav = Navigator(SPEC.robot, OccupancyMap(0.08, 0.7))
    nav.map.evidence[:] = -5
    survey = SimpleNamespace(crowd=crowd, pose=Pose(0.0, 0.0), nav=nav)
    return PersonalSpace(cast("Any", survey), Driver(BRIEF), 1.35)


def track(at: tuple[float, float], v: tuple[float, float] = (0.0, 0.0), fit: float = 0.0) -> Track:
    return Track(at, 0.0, v, 4, fit, 0.7, [(0.0, *at)])


ON = Waypoints(((0.5, 0.0), (1.0, 0.0), (1.6, 0.0)))
REST = Waypoints(((0.0, 0.0),))


def test_it_goes_on_where_nobody_is_near() -> None:
    assert manners(track((6.0, 0.0))).mind(ON, None, 0.0) is ON
    assert manners(track((-2.0, 0.0))).mind(ON, None, 0.0) is ON


def test_it_lets_somebody_cross() -> None:
    assert manners(track((2.2, -1.5), (0.0, 1.0))).mind(ON, None, 0.0) == REST


def test_it_steps_aside_from_who_comes_towards_it() -> None:
    minded = manners(track((2.2, 0.0), (-1.0, 0.0))).mind(ON, None, 0.0)
    assert isinstance(minded, Waypoints)
    assert minded not in (ON, REST)


def test_who_is_followed_is_not_kept_away_from() -> None:
    her = track((2.0, 0.0))
    assert manners(her).mind(ON, her, 0.0) is ON
    assert manners(track((2.0, 0.0), fit=0.8)).mind(ON, None, 0.0) is ON


def test_what_is_seen_beside_her_or_hardly_a_person_is_nobody_else() -> None:
    her, crossing = track((2.0, 0.0)), track((2.2, -1.5), (0.0, 1.0))
    assert manners(her, track((2.6, 0.6))).mind(ON, her, 0.0) is ON
    crossing.score = 0.3
    assert manners(crossing).mind(ON, None, 0.0) is ON


def test_who_follows_waits_facing_her() -> None:
    her, crossing, facing = track((6.0, 0.0)), track((2.2, -1.5), (0.0, 1.0)), Velocity(0.0, 0.3)
    assert manners(her, crossing).mind(ON, her, 0.0, facing) is facing
    assert manners(her, track((2.2, 0.0), (-1.0, 0.0))).mind(ON, her, 0.0, facing) is facing
    assert manners(her).mind(ON, her, 0.0, facing) is ON


def test_turning_is_no_offence_and_patience_ends() -> None:
    turn = Velocity(0.0, 1.0)
    waiting = manners(track((1.9, 0.9)))
    assert waiting.mind(turn, None, 0.0) is turn
    assert waiting.mind(ON, None, 0.0) == REST
    for seen in waiting._survey.crowd.tracks:
        seen.seen_s = 8.0
    assert waiting.mind(ON, None, 8.0) is ON


# -------------------------------------------------------------------------------------- driving
def test_a_robot_that_walks_stops_before_it_turns_on_the_spot() -> None:
    h1 = spec_for("mission-v1", "h1")
    brief = TaskBrief("mission-v1", "", h1.robot, h1.sensors, "any", (Move.STOP,), 500, 0)
    driver = Driver(brief)
    driver.feel(Pose(0.0, 0.0))
    driver.feel(Pose(0.08, 0.0))
    assert driver.turn(1.0) == REST
    assert not driver.goes(REST)
    assert driver.goes(ON)
    driver.feel(Pose(0.081, 0.0))
    assert driver.turn(1.0) == Velocity(0.0, h1.robot.max_turn_rad_s)
    slow = driver.turn(-0.1)
    assert isinstance(slow, Velocity)
    assert slow.w_rad_s == pytest.approx(-0.25)


def test_a_path_is_driven_in_the_robots_frame() -> None:
    driver = Driver(BRIEF)
    path = tuple((1.0, 0.2 * k) for k in range(20))
    action = driver.along(Pose(1.0, 0.4, 0.0, math.pi / 2), path, Move.FORWARD)
    assert isinstance(action, Waypoints)
    assert action.points[0] == pytest.approx((0.2, 0.0))
    assert 1.6 < action.points[-1][0] < 2.0
