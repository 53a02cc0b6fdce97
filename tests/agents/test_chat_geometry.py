"""Where points of pictures are, which ways are free, and where arrows are drawn: against closed
forms in the two-room flat."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest
from chat_models import numbers_in

from navproof.agents.chat.directions import Direction, bearing_words, find_directions, free_rays
from navproof.agents.chat.drawing import draw_directions, draw_markers
from navproof.agents.chat.memory import Diary
from navproof.agents.chat.views import Picture, View, mosaic
from navproof.agents.mapping.navigate import Navigator
from navproof.agents.mapping.occupancy import OccupancyMap
from navproof.check.tiny import tiny_simulator
from navproof.core.types import Camera, Pose
from navproof.sim.camera import project
from navproof.tasks import spec_for

CAMERA = Camera(320, 240, 79.0, 0.88)
ROBOT = spec_for("objectnav-v1").robot


@pytest.fixture(scope="module")
def sim():
    return tiny_simulator("objectnav-v1")


def view_at(sim, pose: Pose) -> View:
    sim.place(pose)
    frame = sim.render(CAMERA)
    return View(pose, CAMERA, frame.rgb, CAMERA, frame.depth)


@pytest.fixture(scope="module")
def nav(sim) -> Navigator:
    """All around from the middle of the west room, whose walls are at x = −4, 0 and y = 0, 4."""
    world = OccupancyMap(0.08, ROBOT.height_m)
    for k in range(12):
        view = view_at(sim, Pose(-2.0, 2.0, 0.0, k * math.tau / 12))
        world.fuse(view.depth, CAMERA, view.pose, 10.0)
    return Navigator(ROBOT, world, agile=True)


def test_a_point_of_a_picture_has_a_place(sim) -> None:
    """The chair's west face is at x = 1.75, from y = 3.25 to 3.75."""
    view = view_at(sim, Pose(0.5, 3.5, 0.0, 0.0))
    u, v, _ = project(CAMERA, view.pose, np.array([[1.75, 3.5, 0.5]]))[0]
    spot = view.spot(u / CAMERA.width, v / CAMERA.height)
    assert spot is not None
    assert spot.position == pytest.approx((1.75, 3.5, 0.5), abs=0.08)
    assert np.allclose(spot.outline[:, 0], 1.75, atol=0.05)


def test_where_depth_does_not_reach_there_is_no_place(sim) -> None:
    view = view_at(sim, Pose(0.5, 3.5, 0.0, 0.0))
    blind = View(view.pose, CAMERA, view.rgb, CAMERA, np.zeros_like(view.depth))
    assert blind.spot(0.5, 0.5) is None
    assert view.spot(-3.0, 9.0) is not None  # held to the picture


def test_free_ways_end_before_walls(nav: Navigator) -> None:
    pose = Pose(-2.0, 2.0, 0.0, 0.0)
    lengths, new = free_rays(nav, pose, 3.0)
    east, north, west, south = lengths[[0, 18, 36, 54]]
    room_m = 2.0 - ROBOT.radius_m
    assert east == 3.0  # through the doorway
    assert west == pytest.approx(room_m - 0.1, abs=0.12)
    assert south == pytest.approx(room_m - 0.1, abs=0.12)
    assert north == pytest.approx(1.1 - ROBOT.radius_m - 0.1, abs=0.12)  # the table is there
    assert not new[[18, 36, 54]].any()  # what is behind a wall is not reached


def test_ways_are_numbered_from_ahead_to_the_left_and_apart(nav: Navigator) -> None:
    pose = Pose(-2.0, 2.0, 0.0, 0.0)
    ways = find_directions(nav, pose, [(-3.7, 0.3)], 8, 2.5)
    straight = [way for way in ways if not way.is_far]
    assert [way.number for way in ways] == list(range(1, len(ways) + 1))
    bearings = [way.bearing % math.tau for way in straight]
    assert bearings == sorted(bearings)
    for one, other in pairwise(bearings):
        assert other - one >= math.radians(29.9)
    for way in straight:
        assert 0.6 <= way.way_m <= 2.5
        assert way.at == pytest.approx(
            (-2.0 + way.way_m * math.cos(way.bearing), 2.0 + way.way_m * math.sin(way.bearing))
        )
    (visited,) = [way for way in straight if math.dist(way.at, (-3.7, 0.3)) < 1.0]
    assert visited.visits == 1
    assert "you have been there" in visited.words
    assert sum(way.visits for way in straight) == 1
    assert find_directions(nav, pose, (), 3, 2.5)[-1].number <= 3


def test_blocked_ways_are_not_offered(nav: Navigator) -> None:
    pose = Pose(-2.0, 2.0, 0.0, 0.0)
    (first, *_) = find_directions(nav, pose, (), 8, 2.5)
    left = find_directions(nav, pose, (), 8, 2.5, [first.at])
    assert all(math.dist(way.at, first.at) >= 0.3 for way in left)


@pytest.mark.parametrize(
    ("degrees", "words"),
    [
        (0, "straight ahead"),
        (-9, "straight ahead"),
        (33, "35° to the left"),
        (-91, "90° to the right"),
        (174, "behind you"),
        (-180, "behind you"),
        (350, "straight ahead"),
    ],
)
def test_bearings_in_words(degrees: float, words: str) -> None:
    assert bearing_words(math.radians(degrees)) == words


def test_an_arrow_ends_where_its_way_does(sim) -> None:
    view = view_at(sim, Pose(-3.0, 2.0, 0.0, 0.0))
    ahead = Direction(3, -0.8, 2.1, math.atan2(0.1, 2.2), 2.2, is_new=True)
    behind = Direction(4, -3.8, 2.0, math.pi, 0.8, is_new=False)
    picture = view.picture(640)
    assert picture.shape == (240, 320, 3)
    assert draw_directions(picture, view, view.pose, (ahead, behind)) == (3,)
    u, v, _ = project(CAMERA, view.pose, np.array([[-0.8, 2.1, 0.0]]))[0]
    assert numbers_in(picture)[3] == pytest.approx((u / 320, v / 240), abs=0.02)
    assert not np.array_equal(picture, view.rgb)
    assert np.array_equal(view.picture(640), view.rgb)  # the view itself is not drawn into


def test_marks_stand_in_their_direction_even_behind_walls(sim) -> None:
    view = view_at(sim, Pose(-3.0, 2.0, 0.0, 0.0))
    picture = view.picture(640)
    green = (20, 150, 60)
    drawn = draw_markers(
        picture, view, view.pose, [(9.0, 2.0, "7", green), (-3.5, 2.0, "8", green)]
    )
    assert drawn == ("7",)
    assert numbers_in(picture)[7][0] == pytest.approx(0.5, abs=0.02)


def test_pictures_are_known_by_their_pixels() -> None:
    rgb = np.zeros((20, 30, 3), dtype=np.uint8)
    other = rgb.copy()
    other[0, 0, 0] = 1
    assert Picture("a", rgb).digest == Picture("b", rgb.copy()).digest
    assert Picture("a", rgb).digest != Picture("a", other).digest
    assert Picture("a", rgb).digest != Picture("a", rgb.reshape(30, 20, 3)).digest


def test_a_mosaic_keeps_its_pictures() -> None:
    pictures = [np.full((10, 20, 3), n, dtype=np.uint8) for n in range(1, 5)]
    whole = mosaic(pictures)
    assert whole.shape == (28, 76, 3)
    assert [int(whole[5, 10, 0]), int(whole[5, 38, 0]), int(whole[23, 10, 0])] == [1, 2, 4]


def test_a_diary_stays_short() -> None:
    diary = Diary()
    assert diary.words(Pose(0.0, 0.0)) == "Nothing yet: you have just begun."
    for k in range(30):
        diary.add(
            k, Pose(float(k), 0.0), "hall" if k < 10 else "kitchen", ("mug", "mug"), "went on"
        )
    diary.remark("arrived")
    lines = diary.words(Pose(29.0, 0.0)).splitlines()
    assert len(lines) == 9
    assert lines[0] == "- (before that, 22 stops, in: hall, kitchen)"
    assert lines[-1] == "- kitchen, here; saw mug; went on; arrived"
    assert lines[-2] == "- kitchen, 1.0 m away, behind you; saw mug; went on"
    assert len(diary.trail) == 30
