"""The mode in which people mind the robot."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from navproof.core.types import Pose, Robot, Velocity, Walk
from navproof.sim.embedded import EmbeddedSimulator
from navproof.sim.geodesic.navgrid import NavGrid
from navproof.tasks.specs import spec_for, spec_hash
from navproof.testing import tiny_scene
from navproof.world.people.people import PERSON, PERSON_RADIUS_M, stops_at_s, where

SCENE = tiny_scene()
ROBOT = Robot("disc", 0.2, 1.2)
REACH = 0.2 + PERSON_RADIUS_M
STILL = Velocity(0.0, 0.0)
ACROSS = Walk("p1", "red_jacket", ((0.7, 2.0, 0), (3.4, 2.0, 0)))
DOOR = Walk("p1", "red_jacket", ((-2.0, 2.0, 0), (2.0, 2.0, 0)))


def simulator(walk: Walk, at: Pose, reacting: bool = True) -> EmbeddedSimulator:
    sim = EmbeddedSimulator()
    sim.load(SCENE, ROBOT, (walk,), reacting=reacting)
    sim.place(at)
    return sim


def test_nothing_changes_while_the_robot_is_elsewhere() -> None:
    sim = simulator(ACROSS, Pose(-3.0, 1.0))
    for _ in range(40):
        sim.apply(STILL)
        (here,), planned = sim.people(), where(ACROSS, sim.time_s)
        assert here.pose.x == pytest.approx(planned.pose.x, abs=1e-6)
        assert here.moving == planned.moving
    assert sim.people()[0].arrived


def test_she_steps_round_a_robot_in_her_way() -> None:
    sim = simulator(ACROSS, Pose(2.0, 2.0))
    grid = NavGrid.build(SCENE, PERSON)
    aside = 0.0
    for _ in range(120):
        assert not sim.apply(STILL).collided
        (here,) = sim.people()
        assert math.hypot(here.pose.x - 2.0, here.pose.y - 2.0) >= REACH - 1e-6
        assert grid.room_for(here.pose.x, here.pose.y) >= grid.radius - 1e-4
        aside = max(aside, abs(here.pose.y - 2.0))
    assert sim.pose == Pose(2.0, 2.0)
    assert aside > 0.4
    assert here.arrived
    assert (here.pose.x, here.pose.y) == pytest.approx((3.4, 2.0), abs=1e-6)
    assert sim.time_s > stops_at_s(ACROSS)


def test_a_robot_close_behind_her_does_not_disturb_her() -> None:
    sim = simulator(replace(ACROSS, begins_s=0.5), Pose(0.7 - REACH - 0.02, 2.0))
    for _ in range(12):
        sim.apply(STILL)
    for _ in range(15):
        sim.apply(Velocity(0.9, 0.0))
        (here,) = sim.people()
        assert here.pose.y == 2.0
        assert here.moving
    assert here.pose.x == pytest.approx(0.7 + sim.time_s - 0.5, abs=1e-6)


def test_she_waits_where_there_is_no_room_and_goes_on_when_there_is() -> None:
    sim = simulator(DOOR, Pose(0.0, 2.0, 0.0, math.pi / 2))
    for _ in range(60):
        assert not sim.apply(STILL).collided
    (waits,) = sim.people()
    assert not waits.moving
    assert not waits.arrived
    assert -1.2 < waits.pose.x < -REACH
    sim.place(Pose(0.0, 2.0))  # the episode begins again
    assert sim.people()[0].pose.x == -2.0
    for _ in range(30):
        sim.apply(STILL)
    held = sim.people()[0].pose.x
    for _ in range(20):  # the robot drives out of the door and away
        sim.apply(Velocity(1.0, 0.0))
    for _ in range(30):
        sim.apply(Velocity(0.5, 1.5))
    assert sim.people()[0].pose.x > held + 0.5


def test_the_robot_can_still_run_into_her() -> None:
    stands = Walk("p1", "red_jacket", ((2.0, 2.0, 0),))
    sim = simulator(stands, Pose(1.0, 2.0))
    hits = [sim.apply(Velocity(1.0, 0.0)).collided for _ in range(10)]
    assert any(hits)
    (here,) = sim.people()
    assert math.hypot(here.pose.x - sim.pose.x, here.pose.y - sim.pose.y) >= REACH - 1e-6


def test_it_is_determined_by_the_robots_motion() -> None:
    def run() -> list[tuple[float, float]]:
        sim = simulator(ACROSS, Pose(2.6, 1.9, 0.0, 3.0))
        places = []
        for k in range(50):
            sim.apply(Velocity(0.4, 0.8 if k % 7 else -1.0))
            places += [(p.pose.x, p.pose.y) for p in sim.people()]
        return places

    assert run() == run()


def test_the_mode_is_part_of_a_tasks_hash() -> None:
    spec = spec_for("vln-v1")
    assert spec_hash(replace(spec, reacting_people=True)) != spec_hash(spec)
    assert spec_hash(replace(spec, reacting_people=False)) == spec_hash(spec)
