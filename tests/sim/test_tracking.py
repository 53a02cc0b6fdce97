"""The controller that follows waypoints: its geometry by hand, and where it leads robots."""

from __future__ import annotations

import math

import numpy as np
import pytest

from navproof.core.types import Pose, Robot, Waypoints
from navproof.sim.embedded import EmbeddedSimulator
from navproof.sim.motion.tracking import ARRIVED_M, CHORD_M, SHORTEST_M, aim, bend, steer
from navproof.sim.robots import load_robot
from navproof.testing import tiny_scene

SCENE = tiny_scene()
ROBOTS = tuple(load_robot(name) for name in ("carter", "aliengo", "h1"))
CORNER = np.array([(0.0, 0.0), (2.0, 0.0), (2.0, 3.0)])


def standing(robot: Robot, x: float, y: float, yaw: float = 0.0) -> EmbeddedSimulator:
    sim = EmbeddedSimulator()
    sim.load(SCENE, robot)
    sim.place(Pose(x, y, 0.0, yaw))
    return sim


def seen_from(pose: Pose, points: list[tuple[float, float]]) -> Waypoints:
    c, s = math.cos(pose.yaw), math.sin(pose.yaw)
    return Waypoints(
        tuple(
            (c * (x - pose.x) + s * (y - pose.y), c * (y - pose.y) - s * (x - pose.x))
            for x, y in points
        )
    )


@pytest.mark.parametrize(
    ("segment", "x", "y", "lookahead", "expected"),
    [
        (0, 0.5, 0.3, 1.0, (0, 0.5, 1.5, 0.0, 4.5)),
        (0, 1.5, -0.2, 1.0, (0, 1.5, 2.0, 0.5, 3.5)),  # round the corner
        (0, 2.1, 0.4, 1.0, (1, 0.4, 2.0, 1.4, math.hypot(0.1, 2.6))),  # past the first segment
        (1, 1.0, 0.0, 1.0, (1, 0.0, 2.0, 1.0, math.hypot(1.0, 3.0))),  # never back to it
        (1, 2.0, 2.8, 1.0, (1, 2.8, 2.0, 3.0, 0.2)),  # at the end
        (1, 2.0, 3.4, 1.0, (1, 3.0, 2.0, 3.0, 0.4)),  # beyond it
    ],
)
def test_the_aim_lies_ahead_on_the_path(
    segment: int, x: float, y: float, lookahead: float, expected: tuple[float, ...]
) -> None:
    assert aim(CORNER, segment, x, y, lookahead) == pytest.approx(expected)


def test_waypoints_that_coincide_are_no_obstacle() -> None:
    path = np.array([(0.0, 0.0), (0.0, 0.0), (1.0, 0.0), (1.0, 0.0)])
    assert aim(path, 0, 0.0, 0.0, 0.3) == pytest.approx((1, 0.0, 0.3, 0.0, 1.0))


def test_curvature_is_that_of_the_arc_through_the_aim() -> None:
    radius, angle = 2.0, 0.4
    ahead, left = radius * math.sin(angle), radius * (1 - math.cos(angle))
    v, curvature, w = steer(ahead, left, 10.0, 1.0, 1.5, 1.0, 3.0)
    assert curvature == pytest.approx(1 / radius)
    assert (v, w) == (1.0, 0.0)


@pytest.mark.parametrize(
    ("curvature", "max_turn", "to_go", "speed"),
    [
        (0.0, 1.2, 9.0, 0.8),  # its greatest
        (4.0, 0.8, 9.0, 0.2),  # ω_max/κ
        (1.0, 1.2, 9.0, math.sqrt(0.25)),  # √(a/κ)
        (0.0, 1.2, 0.1, math.sqrt(2 * 0.9 * 0.25 * 0.1)),  # it must be able to stop
    ],
)
def test_speed_keeps_to_every_limit(
    curvature: float, max_turn: float, to_go: float, speed: float
) -> None:
    left = 0.5 * curvature * 0.2**2
    ahead = math.sqrt(0.2**2 - left**2)
    v, found, _ = steer(ahead, left, to_go, 0.8, max_turn, 0.25, 4.0)
    assert found == pytest.approx(curvature)
    assert v == pytest.approx(speed)


def test_bends_ahead_are_slowed_down_for() -> None:
    limits = np.array((1.0, 1.5, 0.5, 3.0))
    for end in ((5.0, 0.0), (-3.0, -2.0), (-0.1, 0.05)):
        assert bend(np.array([(0.0, 0.0), end]), 0, 0.0, limits) == 1.0
    corner = 1.5 * 0.5 * CHORD_M  # ω_max·r, less than √(a·r), with r = c/2 at a right angle
    for chords in (1, 3, 5):
        path = np.array([(0.0, 0.0), (chords * CHORD_M, 0.0), (chords * CHORD_M, 3.0)])
        expected = min(1.0, math.sqrt(corner**2 + 2 * 0.9 * 0.5 * chords * CHORD_M))
        assert bend(path, 0, 0.0, limits) == pytest.approx(expected)
    circle = np.array([(math.cos(a), math.sin(a)) for a in np.linspace(0.0, 2.0, 60)])
    assert bend(circle, 0, 0.0, np.array((1.0, 0.3, 0.5, 3.0))) == pytest.approx(
        math.sqrt(0.3**2 + 2 * 0.9 * 0.5 * CHORD_M), rel=0.01
    )


def test_what_lies_to_the_side_is_turned_to_first() -> None:
    v, _, w = steer(0.1, -1.0, 1.0, 1.0, 1.5, 1.0, 3.0)
    assert v == 0.0
    assert w == -1.5
    assert steer(-1.0, 0.001, 1.0, 1.0, 1.5, 1.0, 3.0)[2] == 1.5
    assert steer(0.02, 0.0, ARRIVED_M - 1e-6, 1.0, 1.5, 1.0, 3.0) == (0.0, 0.0, 0.0)


@pytest.mark.parametrize("robot", ROBOTS, ids=lambda r: r.name)
@pytest.mark.parametrize("yaw", [0.0, 1.0, -2.0, math.pi])
def test_a_waypoint_is_reached_from_any_heading(robot: Robot, yaw: float) -> None:
    sim, goal = standing(robot, -3.0, 1.0, yaw), (-1.0, 2.2)
    moved_m = 0.0
    for _ in range(100):
        motion = sim.apply(seen_from(sim.pose, [goal]))
        moved_m += motion.moved_m
        assert not motion.fell
    assert math.dist(sim.pose.point[:2], goal) < ARRIVED_M
    assert (sim.going.v_m_s, sim.going.w_rad_s) == (0.0, 0.0)
    assert moved_m < 1.1 * math.dist((-3.0, 1.0), goal)


@pytest.mark.parametrize("robot", ROBOTS, ids=lambda r: r.name)
def test_a_path_with_corners_is_kept_to(robot: Robot) -> None:
    """Re-issued at every tick without what lies behind, as an agent would."""
    corners = [(-1.0, 1.0), (-1.0, 2.0), (2.0, 2.0), (2.0, 1.0)]
    sim, ahead = standing(robot, -3.0, 1.0), list(corners)
    legs = list(zip([(-3.0, 1.0), *corners[:-1]], corners, strict=True))
    worst = 0.0
    for _ in range(250):
        if len(ahead) > 1 and math.dist(sim.pose.point[:2], ahead[0]) < SHORTEST_M:
            ahead.pop(0)
        motion = sim.apply(seen_from(sim.pose, ahead))
        assert not motion.collided
        assert not motion.fell
        worst = max(worst, min(_off(sim.pose, a, b) for a, b in legs))
    assert math.dist(sim.pose.point[:2], corners[-1]) < ARRIVED_M
    assert worst < 0.15


@pytest.mark.parametrize("robot", ROBOTS, ids=lambda r: r.name)
def test_a_tracker_accelerates_gently(robot: Robot) -> None:
    sim, goal = standing(robot, -3.5, 1.0, 0.5), (-1.0, 2.0)
    gentle = robot.gentle_m_s2 or robot.acceleration_m_s2
    before = sim.going
    for _ in range(80):
        sim.apply(seen_from(sim.pose, [goal]))
        now = sim.going
        assert abs(now.v_m_s - before.v_m_s) <= gentle * 0.1 + 1e-9
        assert abs(now.w_rad_s - before.w_rad_s) <= robot.turn_acceleration_rad_s2 * 0.1 + 1e-9
        assert abs(now.v_m_s * now.w_rad_s) <= gentle + robot.turn_acceleration_rad_s2 * 0.02
        before = now


def test_no_waypoints_mean_stop() -> None:
    sim = standing(ROBOTS[0], -3.0, 1.0)
    for _ in range(8):
        sim.apply(Waypoints(((2.0, 0.0),)))
    assert sim.going.v_m_s > 0.5
    for _ in range(8):
        sim.apply(Waypoints(()))
    assert sim.going.v_m_s == 0.0


def _off(pose: Pose, a: tuple[float, float], b: tuple[float, float]) -> float:
    ux, uy = b[0] - a[0], b[1] - a[1]
    t = ((pose.x - a[0]) * ux + (pose.y - a[1]) * uy) / (ux * ux + uy * uy)
    t = max(0.0, min(1.0, t))
    return math.hypot(pose.x - a[0] - t * ux, pose.y - a[1] - t * uy)
