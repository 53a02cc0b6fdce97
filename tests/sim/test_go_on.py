"""Time that passes without a command, against closed forms in the tiny flat."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from navproof.core.errors import SpecError
from navproof.core.types import Move, Pose, Robot, Velocity, Walk, Waypoints
from navproof.sim.embedded import EmbeddedSimulator
from navproof.sim.motion.state import SetWheels
from navproof.sim.registry import going_on
from navproof.sim.robots import load_robot
from navproof.testing import tiny_scene
from navproof.world.people.people import APPEARANCES

AT_ONCE = Robot("cart", 0.18, 0.66, max_speed_m_s=1.0, max_turn_rad_s=1.5)
LIMITED = replace(AT_ONCE, acceleration_m_s2=0.5, turn_acceleration_rad_s2=2.0)
START = Pose(-3.5, 1.0)
LOOK = next(iter(APPEARANCES))


def simulator(robot: Robot, *people: Walk, reacting: bool = False) -> EmbeddedSimulator:
    sim = EmbeddedSimulator()
    sim.load(tiny_scene(), robot, people, reacting=reacting)
    sim.place(START)
    return sim


@pytest.mark.parametrize("slices", [(0.5,), (0.1,) * 5, (0.1, 0.37, 0.03)])
def test_a_robot_keeps_to_its_velocity(slices: tuple[float, ...]) -> None:
    sim = simulator(AT_ONCE)
    sim.apply(Velocity(0.6, 0.0))
    moved = [sim.go_on(dt_s).moved_m for dt_s in slices]
    assert sum(moved) == pytest.approx(0.6 * 0.5, abs=1e-5)
    assert sim.pose.x == pytest.approx(START.x + 0.6 * 0.6, abs=1e-5)
    assert sim.time_s == pytest.approx(0.6, abs=1e-12)


def test_a_robot_with_limits_keeps_speeding_up_goes_on_and_brakes_when_told() -> None:
    sim = simulator(LIMITED)
    sim.apply(Velocity(0.4, 0.0))  # 0.05 m/s after 0.1 s: it needs 0.8 s in all
    for _ in range(7):
        sim.go_on(0.1)
    assert sim.going.v_m_s == pytest.approx(0.4)
    assert sim.pose.x - START.x == pytest.approx(0.4**2 / (2 * 0.5), abs=1e-4)  # v²/2a
    before = sim.pose.x
    sim.go_on(0.5)
    assert sim.pose.x - before == pytest.approx(0.4 * 0.5, abs=1e-5)
    stopping = sim.pose.x
    sim.apply(Velocity(0.0, 0.0))
    sim.go_on(1.0)
    assert sim.going.v_m_s == 0.0
    assert sim.pose.x - stopping == pytest.approx(0.4**2 / (2 * 0.5), abs=1e-4)


def test_turning_goes_on_as_well() -> None:
    sim = simulator(AT_ONCE)
    sim.apply(Velocity(0.0, 0.9))
    sim.go_on(0.7)
    assert sim.pose.yaw == pytest.approx(0.9 * 0.8, abs=1e-5)


@pytest.mark.parametrize("robot", [AT_ONCE, LIMITED])
@pytest.mark.parametrize("told", [None, Move.FORWARD, Move.LEFT])
def test_a_robot_under_discrete_moves_stands(robot: Robot, told: Move | None) -> None:
    sim = simulator(robot)
    if told is not None:
        sim.apply(told)
    there, began_s = sim.pose, sim.time_s
    for _ in range(10):
        assert sim.go_on(0.1).moved_m == 0.0
    assert sim.pose == there
    assert sim.time_s == pytest.approx(began_s + 1.0, abs=1e-8)


@pytest.mark.parametrize("robot", [AT_ONCE, LIMITED])
def test_waypoints_are_followed_to_their_end_as_in_one_long_command(robot: Robot) -> None:
    corner = Waypoints(((0.8, 0.0), (0.8, 0.8)))
    once, again = simulator(robot), simulator(robot)
    once.apply(corner, 8.0)
    again.apply(corner)
    places = []
    for _ in range(79):
        again.go_on(0.1)
        places.append((again.pose.x, again.pose.y))
    end = (START.x + 0.8, START.y + 0.8)
    assert math.dist(places[-1], end) < 0.06
    assert math.dist(places[-1], (once.pose.x, once.pose.y)) < 0.02
    assert min(math.dist(p, (START.x + 0.8, START.y)) for p in places) < 0.2  # round the corner
    assert len({places[-1], places[-2]}) == 1  # and stands there


@pytest.mark.parametrize("robot", [AT_ONCE, LIMITED])
def test_a_way_that_comes_back_is_not_begun_again(robot: Robot) -> None:
    sim = simulator(robot)
    sim.apply(Waypoints(((1.0, 0.0), (0.2, 0.0))))
    for _ in range(120):
        sim.go_on(0.1)
    assert sim.pose.x - START.x == pytest.approx(0.2, abs=0.06)


def test_what_wheels_do_and_how_a_wall_stops_goes_on_too() -> None:
    sim = simulator(AT_ONCE)
    sim.apply(Velocity(0.6, 0.0))
    sim.go_on(0.5, SetWheels(0.5, 1.0, 0.0))
    assert sim.pose.x - START.x == pytest.approx(0.06 + 0.15, abs=1e-5)
    sim.apply(Velocity(-1.0, 0.0))
    assert sim.go_on(1.0).collided
    assert sim.pose.x == pytest.approx(-4.0 + 0.18, abs=0.03)


def test_a_person_on_schedule_is_where_she_is_at_that_time() -> None:
    walk = Walk("p1", LOOK, ((-2.0, 3.4, 0.0), (-1.0, 3.4, 0.0)), speed_m_s=0.8)
    sim = simulator(AT_ONCE, walk)
    sim.go_on(0.5)
    between = sim.people()[0].pose.x
    sim.go_on(0.25)
    assert sim.people()[0].pose.x - between == pytest.approx(0.8 * 0.25, abs=1e-9)


def test_a_standing_robot_is_run_into_by_who_keeps_to_her_schedule_and_not_by_who_reacts() -> None:
    walk = Walk("p1", LOOK, ((-1.5, 1.0, 0.0), (-3.5, 1.0, 0.0)))
    scheduled = simulator(AT_ONCE, walk)
    assert any(scheduled.go_on(0.1).collided for _ in range(25))
    reacting = simulator(AT_ONCE, walk, reacting=True)
    for _ in range(25):
        assert not reacting.go_on(0.1).collided
        her = reacting.people()[0].pose
        assert math.dist((her.x, her.y), (START.x, START.y)) > 0.18 + 0.25 - 1e-6
    assert her.y < 0.6  # she stepped aside


@pytest.mark.parametrize("robot", [AT_ONCE, LIMITED])
def test_a_snapshot_goes_on_the_same(robot: Robot) -> None:
    sim = simulator(robot)
    sim.apply(Waypoints(((0.8, 0.0), (0.8, 0.8))))
    sim.go_on(0.35)
    state = sim.snapshot()
    first = [sim.go_on(0.1).pose for _ in range(20)]
    sim.place(START)
    sim.restore(state)
    assert [sim.go_on(0.1).pose for _ in range(20)] == first


def test_who_has_fallen_lies() -> None:
    sim = EmbeddedSimulator()
    sim.load(tiny_scene(), load_robot("h1"))
    sim.place(Pose(-3.0, 2.0))
    sim.apply(Velocity(1.0, 0.0), 2.0)
    while not sim.apply(Velocity(-1.0, 1.5)).fell:  # told to stop dead: its balance is gone
        assert sim.time_s < 10.0
    there = sim.pose
    assert sim.go_on(0.5).fell
    assert sim.pose == there


def test_a_simulator_in_which_time_does_not_pass_is_told_in_a_line() -> None:
    class Still:
        pass

    with pytest.raises(SpecError, match=r"simulator Still has no go_on\(dt_s\).*clock 'wait'"):
        going_on(Still())
