"""Time that passes without a command in the physics tier, and worlds there that do not wait."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

pytest.importorskip("mujoco")

from clock_samples import KEY, PASSER, Script
from mission_samples import POINT, SPEC, mission
from navproof.core.types import Move, Pose, Velocity, Waypoints
from navproof.log.storage import decode_trace, encode_trace
from navproof.play.env import Env
from navproof.play.play import play
from navproof.play.session import Session
from navproof.sim.physics.simulator import PhysicsSimulator
from navproof.sim.robots import load_robot
from navproof.tasks.mission.rules import Mission
from navproof.testing import tiny_scene
from navproof.verification.again import session_of, simulated_again
from navproof.verification.compare import difference

CARTER = load_robot("carter")
START = Pose(-3.4, 1.0)


@pytest.fixture(scope="module")
def sim() -> PhysicsSimulator:
    made = PhysicsSimulator()
    made.load(tiny_scene(), CARTER)
    return made


def test_it_rolls_on_tracks_on_and_stands(sim: PhysicsSimulator) -> None:
    sim.place(START)
    sim.go_on(0.3)
    assert math.dist(sim.pose.point, START.point) < 1e-3
    for _ in range(10):
        sim.apply(Velocity(0.4, 0.0))
    before = sim.pose.x
    sim.go_on(0.5)
    assert sim.pose.x - before == pytest.approx(0.2, abs=0.01)
    sim.apply(Move.FORWARD)
    there = sim.pose
    sim.go_on(1.0)
    assert math.dist(sim.pose.point, there.point) < 2e-3
    corner = Waypoints(((0.8, 0.0), (0.8, 0.6)))
    sim.place(START)
    sim.apply(corner, 8.0)
    once = sim.pose
    sim.place(START)
    sim.apply(corner)
    for _ in range(79):
        sim.go_on(0.1)
    assert math.dist(sim.pose.point, once.point) < 0.01
    assert math.dist(once.point[:2], (START.x + 0.8, START.y + 0.6)) < 0.06


def test_a_snapshot_goes_on_the_same(sim: PhysicsSimulator) -> None:
    sim.place(START)
    sim.apply(Waypoints(((0.8, 0.0), (0.8, 0.5))))
    state = sim.snapshot()
    first = [sim.go_on(0.1).pose for _ in range(12)]
    sim.place(START)
    sim.restore(state)
    assert [sim.go_on(0.1).pose for _ in range(12)] == first


def test_delays_shorter_than_a_tick_add_up_and_a_run_is_simulated_again() -> None:
    spec = replace(SPEC, robot=CARTER, clock="declared")
    made = PhysicsSimulator()
    made.load(tiny_scene(), CARTER)
    lines = [(Velocity(0.2, 0.0), 0.003)] * 20 + [(Velocity(0.2, 0.3), 0.128)] * 3
    session = Session(Env(made, Mission(spec), ("pose",)), KEY, timed=False)
    trace = play(session, Script(*lines), mission(POINT, start=START, people=(PASSER,)))
    assert trace.status == "ok", trace.reason
    asked_s = 0.1 * 23 + 20 * 0.003 + 3 * 0.128
    assert trace.channels["time_s"][-1] == pytest.approx(asked_s, abs=0.01)
    kept = decode_trace(encode_trace(trace), "a trace")
    repeated = session_of(kept, made, words_as_heard=False)
    again = decode_trace(encode_trace(simulated_again(repeated, kept)), "the same, simulated")
    assert difference(kept, again, over=repeated.done) is None
