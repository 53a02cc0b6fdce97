"""The clock and the three interfaces, against closed forms; robots without limits as ever."""

from __future__ import annotations

import hashlib
import math
import pickle
import struct
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from navproof.core.seeding import rng
from navproof.core.types import Command, Move, Pose, Robot, Velocity, Waypoints
from navproof.sim.embedded import EmbeddedSimulator
from navproof.sim.motion.motion import takes_s
from navproof.sim.motion.profile import covered, time_to_cover
from navproof.sim.robots import load_robot
from navproof.testing import tiny_scene

SCENE = tiny_scene()
ROBOTS = tuple(load_robot(name) for name in ("carter", "aliengo", "h1"))
CARTER = ROBOTS[0]
PLAIN = Robot("plain", 0.2, 1.0, turn_deg=30.0)
DRIVEN = replace(CARTER, max_speed_m_s=0.6)


@dataclass(frozen=True)
class Worn:
    forward: float = 1.0
    turn: float = 1.0
    veer_rad: float = 0.0


def standing(robot: Robot, x: float = -3.0, y: float = 1.0, yaw: float = 0.0) -> EmbeddedSimulator:
    sim = EmbeddedSimulator()
    sim.load(SCENE, robot)
    sim.place(Pose(x, y, 0.0, yaw))
    return sim


# --------------------------------------------------------------------- robots without limits
EVER = {
    ("discrete", True, False): "23d3a0a6723b9285",
    ("discrete", True, True): "29586c4f9f5e3870",
    ("discrete", False, False): "b70dd30e67883a8f",
    ("discrete", False, True): "ca0df665a10510b1",
    ("velocity", True, False): "750ca3bde41b53c5",
    ("velocity", True, True): "da7c0eb283a41a60",
    ("velocity", False, False): "39ea2448d626e9af",
    ("velocity", False, True): "e2d822d15952a58c",
    ("waypoints", True, False): "7316c7948b7db82e",
    ("waypoints", True, True): "dfe9f275f8a68c6a",
    ("waypoints", False, False): "140079e864116f4f",
    ("waypoints", False, True): "24a2dab92159231a",
}


@pytest.mark.parametrize(("kind", "sliding", "worn"), sorted(EVER))
def test_robots_without_limits_move_as_ever(kind: str, sliding: bool, worn: bool) -> None:
    """Fingerprints from before there were limits: recorded results depend on them."""
    sim = standing(Robot("disc", 0.2, 1.0, turn_deg=30.0, sliding=sliding), -2.0, 2.0, 0.3)
    draws = rng(7, "motion", kind)
    wheels = Worn(0.9, 1.1, 0.02) if worn else None
    told = hashlib.sha256()
    for _ in range(400):
        a, b, c = (float(v) for v in draws.uniform(-1.0, 1.0, size=3))
        command: Command
        if kind == "discrete":
            command = Move.FORWARD if a > -0.4 else Move.LEFT if b > 0 else Move.RIGHT
        elif kind == "velocity":
            command = Velocity(1.2 * abs(a), 2.0 * b)
        else:
            command = Waypoints(((1.0 + a, b), (2.0, c)))
        m = sim.apply(command, 0.1, wheels)
        at = (m.pose.x, m.pose.y, m.pose.z, m.pose.yaw, round(m.moved_m, 9), m.collided)
        told.update(struct.pack("<5d?", *at))
    assert told.hexdigest()[:16] == EVER[kind, sliding, worn]


def test_their_clock_runs_at_full_speed() -> None:
    sim = standing(PLAIN)
    assert sim.time_s == 0.0
    sim.apply(Move.FORWARD)
    assert sim.time_s == pytest.approx(0.25)
    sim.apply(Move.LEFT)
    assert sim.time_s == pytest.approx(0.25 + math.radians(30.0) / 1.5)
    sim.apply(Velocity(0.1, 0.0), dt_s=0.1)
    assert sim.time_s == pytest.approx(0.35 + math.radians(30.0) / 1.5)
    sim.place(Pose(-3.0, 1.0))
    assert sim.time_s == 0.0


# ------------------------------------------------------------------------------ trapezoids
@pytest.mark.parametrize(
    ("distance", "speed", "acceleration", "seconds"),
    [
        (0.25, 0.8, 1.5, 2 * math.sqrt(0.25 / 1.5)),  # never at full speed
        (2.0, 0.8, 1.5, 2.0 / 0.8 + 0.8 / 1.5),
        (1.0, 1.0, 1.0, 2.0),  # just at full speed
        (1.0, 0.5, 0.0, 2.0),  # no limit
        (0.0, 1.0, 1.0, 0.0),
    ],
)
def test_time_from_rest_to_rest(
    distance: float, speed: float, acceleration: float, seconds: float
) -> None:
    assert time_to_cover(distance, speed, acceleration) == pytest.approx(seconds)


@pytest.mark.parametrize("distance", [0.1, 0.4, 2.0])
def test_a_profile_integrates_its_speed_and_keeps_to_its_limits(distance: float) -> None:
    total = time_to_cover(distance, 0.8, 1.5)
    times = np.linspace(0.0, total, 4001)
    at = np.array([covered(float(t), distance, 0.8, 1.5) for t in times])
    assert at[0].tolist() == [0.0, 0.0]
    assert at[-1] == pytest.approx([distance, 0.0], abs=1e-9)
    way = np.concatenate([[0.0], np.cumsum(0.5 * (at[1:, 1] + at[:-1, 1]) * np.diff(times))])
    assert way == pytest.approx(at[:, 0], abs=1e-6)
    assert at[:, 1].max() <= 0.8 + 1e-12
    assert np.abs(np.diff(at[:, 1]) / np.diff(times)).max() <= 1.5 + 1e-6


# ---------------------------------------------------------------------------- discrete moves
@pytest.mark.parametrize("robot", ROBOTS, ids=lambda r: r.name)
def test_discrete_moves_are_exact_and_take_their_time(robot: Robot) -> None:
    sim = standing(robot)
    motion = sim.apply(Move.FORWARD)
    assert motion.pose == Pose(-3.0 + robot.forward_m, 1.0)
    assert motion.moved_m == pytest.approx(robot.forward_m, abs=1e-9)
    gentle = robot.gentle_m_s2 or robot.acceleration_m_s2
    assert sim.time_s == pytest.approx(2 * math.sqrt(robot.forward_m / gentle))
    begun = sim.time_s
    turned = sim.apply(Move.RIGHT)
    turn = math.radians(robot.turn_deg)
    assert turned.pose.yaw == pytest.approx(-turn, abs=1e-6)
    assert turned.moved_m == 0.0
    w, alpha = robot.max_turn_rad_s, robot.turn_acceleration_rad_s2
    needs = turn / w + w / alpha if turn >= w * w / alpha else 2 * math.sqrt(turn / alpha)
    assert sim.time_s - begun == pytest.approx(needs)
    assert not turned.fell
    assert (sim.going.v_m_s, sim.going.w_rad_s) == (0.0, 0.0)


@pytest.mark.parametrize("robot", ROBOTS, ids=lambda r: r.name)
def test_discrete_moves_end_where_a_body_without_limits_does(robot: Robot) -> None:
    free = replace(robot, acceleration_m_s2=0.0, gentle_m_s2=0.0, balance=None)
    moves = [Move.FORWARD, Move.LEFT, Move.LEFT, Move.FORWARD, Move.RIGHT, Move.FORWARD]
    a, b = standing(robot), standing(free)
    for move in moves:
        ours, theirs = a.apply(move), b.apply(move)
        assert ours.pose.point == pytest.approx(theirs.pose.point, abs=5e-6)
        assert ours.pose.yaw == pytest.approx(theirs.pose.yaw, abs=5e-6)


def test_a_robot_under_way_comes_to_rest_before_a_discrete_move() -> None:
    sim = standing(DRIVEN)
    for _ in range(10):
        sim.apply(Velocity(0.6, 0.0))
    begin, begun_s = sim.pose, sim.time_s
    motion = sim.apply(Move.FORWARD)
    assert motion.pose.x - begin.x == pytest.approx(0.6**2 / (2 * 1.5) + 0.25, abs=1e-5)
    needs = 0.6 / 1.5 + time_to_cover(0.25, 0.6, 1.5)
    assert sim.time_s - begun_s == pytest.approx(needs)


# -------------------------------------------------------------------------------- velocities
def test_speed_is_taken_up_and_lost_as_the_limits_say() -> None:
    sim = standing(DRIVEN)
    for _ in range(10):
        motion = sim.apply(Velocity(9.0, 0.0))
    assert sim.pose.x + 3.0 == pytest.approx(0.6 * 1.0 - 0.6**2 / (2 * 1.5), abs=1e-5)
    assert motion.moved_m == pytest.approx(0.06, abs=1e-9)
    assert sim.time_s == pytest.approx(1.0)
    at = sim.pose.x
    for _ in range(5):
        sim.apply(Velocity(0.0, 0.0))
    assert sim.pose.x - at == pytest.approx(0.6**2 / (2 * 1.5), abs=1e-5)
    assert sim.going.v_m_s == 0.0


@pytest.mark.parametrize("robot", ROBOTS, ids=lambda r: r.name)
def test_stopping_distance(robot: Robot) -> None:
    sim = standing(replace(robot, balance=None), -3.6)
    while sim.going.v_m_s < robot.max_speed_m_s:
        sim.apply(Velocity(1.0, 0.0))
    at = sim.pose.x
    for _ in range(12):
        sim.apply(Velocity(0.0, 0.0))
    needs = robot.max_speed_m_s**2 / (2 * robot.acceleration_m_s2)
    # The last step of 10 ms may end in the middle of the ramp.
    assert sim.pose.x - at == pytest.approx(needs, abs=0.005 * 0.01 * robot.acceleration_m_s2)


@pytest.mark.parametrize("w", [0.4, -0.8, 1.1])
def test_constant_speeds_make_an_arc(w: float) -> None:
    sim = standing(CARTER, -2.5, 2.0)
    for _ in range(4):
        sim.apply(Velocity(0.0, w))
    while sim.going.v_m_s < 0.3:
        sim.apply(Velocity(0.3, w))
    begin, moved_m = sim.pose, 0.0
    for _ in range(12):
        moved_m += sim.apply(Velocity(0.3, w)).moved_m
    radius, turned = 0.3 / w, 1.2 * w
    c, s = math.cos(begin.yaw), math.sin(begin.yaw)
    ahead, left = radius * math.sin(turned), radius * (1 - math.cos(turned))
    assert sim.pose.x == pytest.approx(begin.x + c * ahead - s * left, abs=1e-5)
    assert sim.pose.y == pytest.approx(begin.y + s * ahead + c * left, abs=1e-5)
    assert math.remainder(sim.pose.yaw - begin.yaw - turned, math.tau) == pytest.approx(0, abs=1e-5)
    assert moved_m == pytest.approx(0.3 * 1.2, abs=1e-4)


def test_turning_speed_is_taken_up_as_the_limit_says() -> None:
    sim = standing(CARTER)
    for _ in range(10):
        sim.apply(Velocity(0.0, 5.0))
    assert sim.pose.yaw == pytest.approx(1.2 * 1.0 - 1.2**2 / (2 * 4.0), abs=1e-5)


def test_a_coarser_clock_leads_to_the_same_place() -> None:
    ends = []
    for ticks, dt_s in ((10, 0.1), (4, 0.25), (1, 1.0)):
        sim = standing(DRIVEN)
        for _ in range(ticks):
            sim.apply(Velocity(0.5, 0.4), dt_s)
        ends.append((sim.pose.x, sim.pose.y, sim.pose.yaw))
        assert sim.time_s == pytest.approx(1.0)
    assert ends[1] == pytest.approx(ends[0], abs=1e-5)
    assert ends[2] == pytest.approx(ends[0], abs=1e-5)


def test_worn_wheels_scale_what_is_done_and_veer() -> None:
    sim = standing(CARTER)
    assert sim.apply(Move.FORWARD, 0.1, Worn(forward=0.6)).moved_m == pytest.approx(0.15)
    sim.place(Pose(-3.0, 1.0))
    turned = sim.apply(Move.RIGHT, 0.1, Worn(turn=0.5, veer_rad=0.1)).pose.yaw
    assert turned == pytest.approx(0.1 - 0.5 * math.radians(20.0), abs=1e-6)
    sim.place(Pose(-3.0, 1.0))
    veered = sim.apply(Move.FORWARD, 0.1, Worn(veer_rad=0.2)).pose
    assert veered.yaw == pytest.approx(0.2, abs=1e-6)
    assert math.atan2(veered.y - 1.0, veered.x + 3.0) == pytest.approx(0.1, abs=0.01)
    for _ in range(8):
        sim.apply(Velocity(0.8, 0.0), 0.1, Worn(forward=0.5))
    assert sim.apply(Velocity(0.8, 0.0), 0.1, Worn(forward=0.5)).moved_m == pytest.approx(0.04)


# -------------------------------------------------------------------------------- collisions
@pytest.mark.parametrize("sliding", [True, False])
def test_a_wall_stops_a_robot_and_it_must_gather_speed_again(sliding: bool) -> None:
    robot = replace(CARTER, sliding=sliding)
    sim = standing(robot, -1.0)
    hits = [sim.apply(Velocity(0.8, 0.0)) for _ in range(15)]
    assert hits[-1].collided
    assert sim.pose.x == pytest.approx(-0.3, abs=1e-3)
    assert sim.going.v_m_s == pytest.approx(0.0, abs=0.02)
    assert sum(m.moved_m for m in hits) == pytest.approx(0.7, abs=2e-3)
    back = [sim.apply(Velocity(-0.8, 0.0)) for _ in range(5)]
    assert sum(m.moved_m for m in back) == pytest.approx(0.5 * 1.5 * 0.5**2, abs=0.02)


def test_sliding_goes_on_along_the_wall_at_the_speed_of_the_wheels() -> None:
    slant = math.radians(60.0)
    sim = standing(CARTER, -0.5, 0.5, slant)
    while not sim.apply(Velocity(0.8, 0.0)).collided:
        pass
    y = sim.pose.y
    for _ in range(5):
        assert sim.apply(Velocity(0.8, 0.0)).collided
    assert sim.pose.y - y == pytest.approx(0.4 * math.sin(slant), rel=0.05)
    stuck = standing(replace(CARTER, sliding=False), -0.5, 0.5, slant)
    while not stuck.apply(Velocity(0.8, 0.0)).collided:
        pass
    assert stuck.apply(Velocity(0.8, 0.0)).moved_m < 0.01


def test_a_blocked_discrete_move_takes_its_time_all_the_same() -> None:
    sim = standing(CARTER, -0.4)
    motion = sim.apply(Move.FORWARD)
    assert motion.collided
    assert motion.pose.x == pytest.approx(-0.3, abs=1e-3)
    assert motion.moved_m == pytest.approx(0.1, abs=2e-3)
    assert sim.time_s == pytest.approx(takes_s(CARTER, Move.FORWARD, 0.1))


COMMANDS = st.one_of(
    st.sampled_from([Move.FORWARD, Move.LEFT, Move.RIGHT]),
    st.builds(Velocity, st.floats(-1.0, 1.0), st.floats(-1.5, 1.5)),
    st.builds(
        lambda x, y: Waypoints(((x, y), (x + 1.0, y))), st.floats(-2.0, 2.0), st.floats(-2.0, 2.0)
    ),
)


@settings(max_examples=60, deadline=None)
@given(
    seed=st.integers(0, 10_000),
    commands=st.lists(COMMANDS, max_size=40),
    number=st.integers(0, 2),
    sliding=st.booleans(),
)
def test_no_motion_ever_enters_an_obstacle(
    seed: int, commands: list[Command], number: int, sliding: bool
) -> None:
    robot = replace(ROBOTS[number], sliding=sliding, balance=None)
    sim = EmbeddedSimulator()
    sim.load(SCENE, robot)
    draws = rng(seed, "t", "place")
    sim.place(Pose(*sim.random_point(draws), float(draws.uniform(-3.0, 3.0))))
    for command in commands:
        before, since = sim.pose, sim.time_s
        motion = sim.apply(command)
        assert sim.grid.room_for(sim.pose.x, sim.pose.y) >= robot.radius_m - 2e-6
        went = math.dist(before.point, motion.pose.point)
        assert went <= motion.moved_m + 1e-5
        assert motion.moved_m <= robot.max_speed_m_s * (sim.time_s - since) + 0.05
        assert abs(sim.going.v_m_s) <= robot.max_speed_m_s
        assert abs(sim.going.w_rad_s) <= robot.max_turn_rad_s


# ------------------------------------------------------------------------------ what is common
Agent = Callable[[EmbeddedSimulator], Command]


def _discrete(sim: EmbeddedSimulator) -> Command:
    bearing = _bearing(sim)
    if abs(bearing) > math.radians(sim.robot.turn_deg) / 2 + 1e-6:
        return Move.LEFT if bearing > 0 else Move.RIGHT
    return Move.FORWARD


def _velocity(sim: EmbeddedSimulator) -> Command:
    bearing = _bearing(sim)
    return Velocity(0.4 if abs(bearing) < 0.3 else 0.0, 1.5 * bearing)


def _waypoints(sim: EmbeddedSimulator) -> Command:
    bearing, far = _bearing(sim), math.dist(sim.pose.point, (2.0, 2.0, 0.0))
    return Waypoints(((far * math.cos(bearing), far * math.sin(bearing)),))


def _bearing(sim: EmbeddedSimulator) -> float:
    ahead = math.atan2(2.0 - sim.pose.y, 2.0 - sim.pose.x)
    return math.remainder(ahead - sim.pose.yaw, math.tau)


@pytest.mark.parametrize("robot", ROBOTS, ids=lambda r: r.name)
@pytest.mark.parametrize("agent", [_discrete, _velocity, _waypoints])
def test_one_agent_drives_every_robot_through_the_door(robot: Robot, agent: Agent) -> None:
    sim = standing(robot, -2.5, 2.0, 2.0)
    for _ in range(200):
        if math.dist(sim.pose.point, (2.0, 2.0, 0.0)) < 0.3:
            break
        assert not sim.apply(agent(sim)).fell
    assert math.dist(sim.pose.point, (2.0, 2.0, 0.0)) < 0.3


@pytest.mark.parametrize("robot", ROBOTS, ids=lambda r: r.name)
def test_a_snapshot_holds_speed_balance_gait_and_time(robot: Robot) -> None:
    sim = standing(robot)
    walk = [Velocity(0.5, 0.3)] * 6 + [Move.LEFT, Move.FORWARD] + [Waypoints(((1.0, 0.4),))] * 6
    for command in walk[:4]:
        sim.apply(command)
    kept = pickle.loads(pickle.dumps(sim.snapshot()))
    first = [(sim.apply(c), sim.time_s, sim.going, sim.sway) for c in walk]
    sim.restore(kept)
    assert [(sim.apply(c), sim.time_s, sim.going, sim.sway) for c in walk] == first
