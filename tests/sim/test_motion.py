"""Motion, clearance and sight in the tiny scene, whose answers are known by hand."""

from __future__ import annotations

import math
import pickle
from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from navproof.core.errors import SimulationError
from navproof.core.seeding import rng
from navproof.core.types import Command, Move, Pose, Robot, Velocity, Waypoints
from navproof.sim.embedded import EmbeddedSimulator
from navproof.sim.motion.motion import wrap_angle
from navproof.testing import tiny_scene

SLIDING = Robot("disc", 0.2, 1.0, turn_deg=30.0)
STICKING = Robot("disc", 0.2, 1.0, turn_deg=30.0, sliding=False)
SCENE = tiny_scene()


def simulator(robot: Robot = SLIDING) -> EmbeddedSimulator:
    sim = EmbeddedSimulator()
    sim.load(SCENE, robot)
    return sim


@pytest.mark.parametrize(
    ("x", "y", "clearance"),
    [(-3.9, 2.0, 0.1), (-3.75, 1.0, 0.25), (-2.0, 2.85, 0.25), (2.0, 2.0, 1.25), (3.0, 0.5, 0.25)],
)
def test_clearance_is_the_distance_to_the_real_surface(
    x: float, y: float, clearance: float
) -> None:
    sim = simulator()
    sim.place(Pose(-2.0, 2.0))
    assert sim.grid.room_for(x, y) == pytest.approx(clearance, abs=2e-3)


def test_area_is_that_of_the_free_floor() -> None:
    sim = simulator()
    sim.place(Pose(-2.0, 2.0))
    lost_corner = (4.0 - math.pi) * 0.2**2 / 4.0  # margins are round at outer corners
    rooms = 2 * 3.6 * 3.6 + 0.6 * 0.4  # two shrunk rooms and the doorway between them
    table = 1.4 * (3.8 - 2.9) - 2 * lost_corner
    chair = 0.9 * (3.8 - 3.05) - 2 * lost_corner
    crate = (3.8 - 3.05) * (0.95 - 0.2) - lost_corner
    assert sim.grid.area_m2() == pytest.approx(rooms - table - chair - crate, rel=0.02)


def test_low_robots_pass_where_tall_ones_do_not() -> None:
    low, tall = simulator(Robot("low", 0.2, 0.6)), simulator(Robot("tall", 0.2, 2.2))
    assert low.is_navigable((0.0, 2.0, 0.0))
    assert not tall.is_navigable((0.0, 2.0, 0.0))  # the lintel is at 2.0 m


def test_free_steps_and_turns_are_exact() -> None:
    sim = simulator()
    sim.place(Pose(-3.0, 2.0))
    motion = sim.apply(Move.FORWARD)
    assert motion == type(motion)(Pose(-2.75, 2.0, 0.0, 0.0), False, pytest.approx(0.25))
    for _ in range(12):
        sim.apply(Move.LEFT)
    assert sim.pose.yaw == pytest.approx(0.0, abs=1e-5)
    sim.apply(Move.RIGHT)
    assert sim.pose.yaw == pytest.approx(-math.pi / 6, abs=1e-5)


def test_head_on_both_stop_at_contact() -> None:
    for robot in (SLIDING, STICKING):
        sim = simulator(robot)
        sim.place(Pose(-0.3, 1.0))
        motion = sim.apply(Move.FORWARD)
        assert motion.collided
        assert motion.pose.x == pytest.approx(-0.2, abs=1e-3)
        assert motion.pose.y == pytest.approx(1.0, abs=1e-6)


def test_sliding_keeps_the_part_along_the_wall() -> None:
    sim = simulator(SLIDING)
    sim.place(Pose(-0.21, 0.6, 0.0, math.radians(60)))
    motion = sim.apply(Move.FORWARD)
    assert motion.collided
    assert motion.pose.y - 0.6 == pytest.approx(0.25 * math.sin(math.radians(60)), abs=2e-3)
    stuck = simulator(STICKING)
    stuck.place(Pose(-0.21, 0.6, 0.0, math.radians(60)))
    assert stuck.apply(Move.FORWARD).moved_m < 0.05


@settings(max_examples=80, deadline=None)
@given(
    seed=st.integers(0, 10_000),
    moves=st.lists(st.sampled_from([Move.FORWARD, Move.LEFT, Move.RIGHT]), max_size=60),
    sliding=st.booleans(),
)
def test_no_motion_ever_enters_an_obstacle(seed: int, moves: list[Move], sliding: bool) -> None:
    sim = simulator(SLIDING if sliding else STICKING)
    sim.place(Pose(*sim.random_point(rng(seed, "t", "place"))))
    for action in moves:
        before = sim.pose
        motion = sim.apply(action)
        assert sim.grid.room_for(sim.pose.x, sim.pose.y) >= 0.2 - 2e-6
        went = math.dist(before.point, motion.pose.point)
        assert went <= motion.moved_m + 1e-5
        assert motion.moved_m <= 0.25 + 0.05
        if action is Move.FORWARD and not motion.collided:
            assert went == pytest.approx(0.25, abs=1e-5)


def test_velocity_follows_the_arc() -> None:
    sim = simulator(Robot("disc", 0.2, 1.0, max_speed_m_s=1.0, max_turn_rad_s=1.5))
    sim.place(Pose(-3.0, 1.0))
    for _ in range(10):
        sim.apply(Velocity(0.5, 1.0), dt_s=0.1)
    radius = 0.5
    assert sim.pose.x == pytest.approx(-3.0 + radius * math.sin(1.0), abs=1e-3)
    assert sim.pose.y == pytest.approx(1.0 + radius * (1 - math.cos(1.0)), abs=1e-3)
    assert sim.pose.yaw == pytest.approx(1.0, abs=1e-4)


def test_velocity_is_clipped_to_the_robot() -> None:
    sim = simulator()
    sim.place(Pose(-3.0, 2.0))
    assert sim.apply(Velocity(50.0, 0.0), dt_s=0.1).moved_m == pytest.approx(0.1, abs=1e-6)


def test_waypoints_are_reached() -> None:
    sim = simulator()
    sim.place(Pose(-3.0, 1.0))
    start = sim.pose
    for _ in range(60):
        dx, dy = -1.5 - sim.pose.x, 1.8 - sim.pose.y
        cos, sin = math.cos(sim.pose.yaw), math.sin(sim.pose.yaw)
        sim.apply(Waypoints(((cos * dx + sin * dy, cos * dy - sin * dx),)), dt_s=0.1)
    assert math.dist(sim.pose.point, (-1.5, 1.8, 0.0)) < 0.06
    assert sim.pose != start


@dataclass(frozen=True)
class Worn:
    forward: float = 1.0
    turn: float = 1.0
    veer_rad: float = 0.0


@pytest.mark.parametrize(
    "command", [Move.FORWARD, Move.LEFT, Velocity(0.5, 1.0), Waypoints(((0.5, 0.2),))]
)
def test_perfect_wheels_change_nothing(command: Command) -> None:
    ends = []
    for wheels in (None, Worn()):
        sim = simulator()
        sim.place(Pose(-3.0, 1.0))
        ends.append(sim.apply(command, 0.1, wheels))
    assert ends[0] == ends[1]


def test_worn_wheels_scale_what_is_done_and_veer() -> None:
    sim = simulator()
    sim.place(Pose(-3.0, 1.0))
    assert sim.apply(Move.FORWARD, 0.1, Worn(forward=0.6)).moved_m == pytest.approx(0.15)
    turned = math.radians(sim.robot.turn_deg)
    sim.place(Pose(-3.0, 1.0))
    assert sim.apply(Move.RIGHT, 0.1, Worn(turn=0.5, veer_rad=0.1)).pose.yaw == pytest.approx(
        0.1 - 0.5 * turned, abs=1e-6
    )
    sim.place(Pose(-3.0, 1.0))
    veered = sim.apply(Move.FORWARD, 0.1, Worn(veer_rad=0.2)).pose
    assert veered.yaw == pytest.approx(0.2, abs=1e-6)
    assert math.atan2(veered.y - 1.0, veered.x + 3.0) == pytest.approx(0.1, abs=1e-5)


def test_worn_wheels_scale_a_velocity_after_it_was_clipped() -> None:
    sim = simulator()
    sim.place(Pose(-3.0, 1.0))
    motion = sim.apply(Velocity(50.0, 0.0), 0.1, Worn(forward=0.5, veer_rad=0.05))
    assert motion.moved_m == pytest.approx(0.05, abs=1e-6)
    assert motion.pose.yaw == pytest.approx(0.05, abs=1e-5)
    sim.place(Pose(-3.0, 1.0))
    slow = sim.apply(Waypoints(((1.0, 0.0),)), 0.1, Worn(forward=0.5))
    assert slow.moved_m == pytest.approx(0.5 * 0.1 * sim.robot.max_speed_m_s, abs=1e-6)


def test_stop_is_not_for_the_simulator() -> None:
    sim = simulator()
    sim.place(Pose(-2.0, 2.0))
    with pytest.raises(SimulationError, match="stop"):
        sim.apply(Move.STOP)


def test_placing_inside_a_wall_says_so() -> None:
    with pytest.raises(SimulationError, match="does not fit at"):
        simulator().place(Pose(0.0, 0.5))


def test_unloaded_and_unplaced_say_what_to_do() -> None:
    with pytest.raises(SimulationError, match="load"):
        _ = EmbeddedSimulator().scene
    with pytest.raises(SimulationError, match="place"):
        _ = simulator().pose


def test_snapshot_is_exact_and_survives_pickling() -> None:
    sim = simulator()
    sim.place(Pose(-3.0, 1.2, 0.0, 0.3))
    sim.apply(Move.FORWARD)
    kept = pickle.loads(pickle.dumps(sim.snapshot()))
    walk = [Move.FORWARD, Move.LEFT, Move.FORWARD, Move.FORWARD, Move.RIGHT, Move.FORWARD]
    first = [sim.apply(m) for m in walk]
    sim.restore(kept)
    assert [sim.apply(m) for m in walk] == first


def test_random_points_cover_the_floor() -> None:
    sim = simulator()
    generator = rng(1, "t", "points")
    points = np.array([sim.random_point(generator) for _ in range(400)])
    assert all(sim.is_navigable((float(x), float(y), 0.0)) for x, y, _ in points)
    west = (points[:, 0] < 0).mean()
    assert 0.4 < west < 0.6
    assert points[:, 0].min() < -3.5
    assert points[:, 0].max() > 3.5


def test_line_of_sight() -> None:
    sim = simulator()
    assert sim.line_of_sight((-2.0, 2.0, 1.2), (2.0, 2.0, 1.2))  # through the doorway
    assert not sim.line_of_sight((-2.0, 2.0, 1.2), (2.0, 3.7, 1.2))  # through the wall
    assert not sim.line_of_sight((-2.0, 2.0, 2.2), (2.0, 2.0, 2.2))  # through the lintel
    assert not sim.line_of_sight((-2.0, 2.0, 0.3), (-2.0, 3.9, 0.3))  # through the table
    assert sim.line_of_sight((-2.0, 2.0, 1.2), (-2.0, 3.9, 1.2))  # over the table
    assert sim.line_of_sight((-2.0, 2.0, 0.3), (-2.0, 3.1, 0.3))  # up to its front


@given(st.floats(-50.0, 50.0))
def test_wrapped_angles_are_the_same_direction(angle: float) -> None:
    wrapped = wrap_angle(angle)
    assert -math.pi < wrapped <= math.pi
    assert math.cos(wrapped) == pytest.approx(math.cos(angle), abs=1e-9)
    assert math.sin(wrapped) == pytest.approx(math.sin(angle), abs=1e-9)


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 10_000))
def test_every_reached_pose_can_be_placed_again(seed: int) -> None:
    sim = simulator()
    generator = rng(seed, "t", "replace")
    sim.place(Pose(*sim.random_point(generator), float(generator.uniform(-3.0, 3.0))))
    goals = ((3.0, 2.0, 0.0),)
    for _ in range(25):
        sim.apply(Move.FORWARD)
        if generator.random() < 0.3:
            sim.apply(Move.LEFT)
        reached = sim.pose
        sim.place(reached)
        assert sim.pose == reached
        assert math.isfinite(sim.geodesic(reached.point, goals))
