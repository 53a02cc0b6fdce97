"""Carter in MuJoCo against the kinematic tier and closed forms, in the tiny scene."""

from __future__ import annotations

import importlib
import math
import pickle
from dataclasses import dataclass, replace

import numpy as np
import pytest

from navproof.core.errors import MissingExtraError, SimulationError, SpecError
from navproof.core.types import (
    Camera,
    Command,
    Motion,
    Move,
    Pose,
    Robot,
    Velocity,
    Walk,
    Waypoints,
)
from navproof.sim.embedded import EmbeddedSimulator
from navproof.sim.physics import engine, simulator
from navproof.sim.physics.carter import Carter
from navproof.sim.physics.obstacles import SLAB_M
from navproof.sim.robots import load_robot
from navproof.testing import tiny_scene
from navproof.world.people.people import APPEARANCES, PERSON_RADIUS_M

CARTER = load_robot("carter")
SCENE = tiny_scene()
WALL_X = -0.3 - SLAB_M  # the wall at x = 0 is seen from both sides, so it is two slabs thick


@dataclass(frozen=True)
class Worn:
    forward: float = 1.0
    turn: float = 1.0
    veer_rad: float = 0.0


def loaded(robot: Robot = CARTER):  # type: ignore[no-untyped-def]
    pytest.importorskip("mujoco", minversion="4.0")
    sim = simulator()
    sim.load(SCENE, robot)
    return sim


@pytest.fixture(scope="module")
def sim():  # type: ignore[no-untyped-def]
    return loaded()


def kinematic() -> EmbeddedSimulator:
    sim = EmbeddedSimulator()
    sim.load(SCENE, CARTER)
    return sim


def play(sim, start: Pose, *commands: Command) -> list[Motion]:  # type: ignore[no-untyped-def]
    sim.place(start)
    return [sim.apply(command) for command in commands]


def off_deg(pose: Pose, yaw_rad: float) -> float:
    return abs(math.degrees(math.remainder(pose.yaw - yaw_rad, math.tau)))


# ------------------------------------------------------------ against the kinematic tier
@pytest.mark.parametrize("speed", [0.2, 0.5, 0.8])
def test_two_metres_straight_are_two_metres(sim, speed: float) -> None:  # type: ignore[no-untyped-def]
    count = round(2.0 / speed / 0.1)
    commands = [Velocity(speed, 0.0)] * count + [Velocity(0.0, 0.0)] * 10
    motions = play(sim, Pose(-3.4, 2.0), *commands)
    wanted = play(kinematic(), Pose(-3.4, 2.0), *commands)[-1].pose
    assert sim.pose.x == pytest.approx(wanted.x, abs=0.005)
    assert sim.pose.y == pytest.approx(2.0, abs=0.001)
    assert off_deg(sim.pose, 0.0) < 0.1
    assert sum(m.moved_m for m in motions) == pytest.approx(2.0, abs=0.005)
    assert not any(m.collided or m.fell for m in motions)
    assert sim.time_s == pytest.approx(0.1 * len(commands))


def test_speed_is_taken_up_as_the_acceleration_allows(sim) -> None:  # type: ignore[no-untyped-def]
    a = Carter(CARTER).limits.acceleration_m_s2
    play(sim, Pose(-3.4, 2.0), *[Velocity(0.6, 0.0)] * 3)
    assert sim.pose.x + 3.4 == pytest.approx(0.5 * a * 0.3**2, abs=0.01)
    plain = play(kinematic(), Pose(-3.4, 2.0), *[Velocity(0.6, 0.0)] * 3)[-1].pose
    assert sim.pose.x == pytest.approx(plain.x, abs=0.01)


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_a_quarter_turn_is_a_quarter_turn(sim, sign: float) -> None:  # type: ignore[no-untyped-def]
    speed = math.pi / 2 / 1.6
    play(sim, Pose(-2.0, 2.0), *[Velocity(0.0, sign * speed)] * 16, *[Velocity(0.0, 0.0)] * 6)
    assert off_deg(sim.pose, sign * math.pi / 2) < 0.5
    assert math.hypot(sim.pose.x + 2.0, sim.pose.y - 2.0) < 0.005


def test_an_arc_has_the_radius_v_over_w(sim) -> None:  # type: ignore[no-untyped-def]
    play(sim, Pose(-3.0, 1.0), *[Velocity(0.4, 0.8)] * 10)
    a = sim.pose
    for _ in range(10):
        sim.apply(Velocity(0.4, 0.8))
    b = sim.pose
    chord, turned = math.hypot(b.x - a.x, b.y - a.y), math.remainder(b.yaw - a.yaw, math.tau)
    assert turned == pytest.approx(0.8, abs=0.01)
    assert chord / (2.0 * math.sin(turned / 2.0)) == pytest.approx(0.5, rel=0.01)


def test_discrete_moves_end_where_the_kinematic_ones_do(sim) -> None:  # type: ignore[no-untyped-def]
    moves = [Move.FORWARD, Move.LEFT, Move.LEFT, Move.FORWARD, Move.RIGHT, Move.FORWARD]
    play(sim, Pose(-3.0, 1.0), *moves)
    wanted = play(kinematic(), Pose(-3.0, 1.0), *moves)[-1].pose
    assert math.hypot(sim.pose.x - wanted.x, sim.pose.y - wanted.y) < 0.003
    assert off_deg(sim.pose, wanted.yaw) < 0.1
    for _ in range(4):  # four and a half turns of 90°
        play(sim, Pose(-2.0, 2.0), *[Move.LEFT] * 9)
        assert off_deg(sim.pose, math.pi) < 0.5


def test_half_a_turn_and_none_at_all(sim) -> None:  # type: ignore[no-untyped-def]
    sim.place(Pose(-2.0, 2.0, 0.0, 1.0))
    sim.apply(Move.LEFT, wheels=Worn(turn=9.0))
    assert off_deg(sim.pose, 1.0 + math.pi) < 0.1
    still = sim.pose
    assert sim.apply(Move.LEFT, wheels=Worn(turn=0.0)).pose == still
    assert sim.apply(Move.FORWARD, wheels=Worn(forward=0.0)).moved_m == 0.0


def test_waypoints_lead_to_the_last_one(sim) -> None:  # type: ignore[no-untyped-def]
    sim.place(Pose(-3.4, 1.0))
    goal = (-1.5, 1.8)
    for _ in range(60):
        x, y, yaw = sim.pose.x, sim.pose.y, sim.pose.yaw
        dx, dy = goal[0] - x, goal[1] - y
        ahead = (math.cos(yaw) * dx + math.sin(yaw) * dy, math.cos(yaw) * dy - math.sin(yaw) * dx)
        sim.apply(Waypoints((ahead,)))
    assert math.hypot(sim.pose.x - goal[0], sim.pose.y - goal[1]) < 0.06
    assert sim.apply(Velocity(0.0, 0.0)).moved_m < 0.002


def test_limits_and_worn_wheels_hold_as_in_the_kinematic_tier(sim) -> None:  # type: ignore[no-untyped-def]
    fast = play(sim, Pose(-3.4, 2.0), *[Velocity(5.0, 0.0)] * 20)
    assert fast[-1].moved_m == pytest.approx(0.08, abs=0.001)
    sim.place(Pose(-3.0, 2.0))
    sim.apply(Move.FORWARD, wheels=Worn(forward=0.8, veer_rad=0.1))
    assert sim.pose.x + 3.0 == pytest.approx(0.2, abs=0.005)
    assert off_deg(sim.pose, 0.1) < 0.6
    sim.apply(Move.RIGHT, wheels=Worn(turn=0.5))
    assert off_deg(sim.pose, 0.1 - math.radians(10.0)) < 0.7
    with pytest.raises(SimulationError, match="cannot execute 'stop'"):
        sim.apply(Move.STOP)


# ----------------------------------------------------------------------------- contacts
def test_a_wall_stops_the_robot_and_is_reported(sim) -> None:  # type: ignore[no-untyped-def]
    motions = play(sim, Pose(-1.0, 1.0), *[Move.FORWARD] * 4)
    assert [m.collided for m in motions] == [False, False, True, True]
    assert sim.pose.x == pytest.approx(WALL_X, abs=0.002)
    assert motions[2].moved_m == pytest.approx(WALL_X + 0.5, abs=0.01)
    assert motions[3].moved_m < 0.002
    assert not any(m.fell for m in motions)


def test_full_speed_does_not_enter_the_wall_and_backing_off_is_free(sim) -> None:  # type: ignore[no-untyped-def]
    motions = play(sim, Pose(-1.5, 1.0), *[Velocity(0.8, 0.0)] * 30)
    assert max(m.pose.x for m in motions) < WALL_X + 0.003
    assert motions[-1].collided
    back = [sim.apply(Velocity(-0.4, 0.0)) for _ in range(20)]
    assert not back[-1].collided
    assert sim.pose.x < -0.6


def test_a_robot_at_rest_beside_a_wall_has_not_run_into_it(sim) -> None:  # type: ignore[no-untyped-def]
    play(sim, Pose(-1.0, 1.0), *[Move.FORWARD] * 3)
    sim.apply(Velocity(0.0, 0.0))
    assert not sim.apply(Velocity(0.0, 0.0)).collided


def test_it_passes_the_door_and_fits_where_the_grid_says(sim) -> None:  # type: ignore[no-untyped-def]
    motions = play(sim, Pose(-1.0, 2.0), *[Move.FORWARD] * 8)
    assert sim.pose.x == pytest.approx(1.0, abs=0.01)
    assert not any(m.collided for m in motions)
    with pytest.raises(SimulationError, match="does not fit"):
        sim.place(Pose(-0.2, 1.0))
    cells = np.argwhere(sim.grid.navigable)
    for row, col in cells[:: len(cells) // 40]:
        x, y = sim.grid.centre(int(row), int(col))
        assert not play(sim, Pose(x, y, 0.0, 1.0), Velocity(0.0, 0.0))[0].collided


# ------------------------------------------------------------------------------- people
def walker(*path: tuple[float, float]) -> Walk:
    return Walk("p1", next(iter(APPEARANCES)), tuple((x, y, 0.0) for x, y in path))


def beside(walk: Walk, start: Pose, command: Command, *, reacting: bool = False):  # type: ignore[no-untyped-def]
    """The simulator and the motions of six seconds with somebody about."""
    sim = loaded()
    sim.load(SCENE, CARTER, (walk,), reacting=reacting)
    return sim, play(sim, start, *[command] * 60)


def test_somebody_pushes_the_robot_along() -> None:
    stands = Velocity(0.0, 0.0)
    sim, motions = beside(walker((-3.5, 2.0), (-0.5, 2.0)), Pose(-2.0, 2.0), stands)
    assert any(m.collided for m in motions)
    assert sim.pose.x > sim.people()[0].pose.x + 0.3 + PERSON_RADIUS_M - 0.01
    assert max(m.moved_m for m in motions) < 0.15
    assert not motions[-1].fell


def test_a_robot_that_cannot_give_way_is_walked_through_and_stays_in_the_room() -> None:
    stands = Velocity(0.0, 0.0)
    sim, motions = beside(walker((-3.0, 1.0), (-0.3, 1.0)), Pose(-0.4, 1.0), stands)
    assert sum(m.collided for m in motions) > 20
    assert max(m.moved_m for m in motions) < 0.15
    assert WALL_X - 0.1 < sim.pose.x < WALL_X + 0.01
    assert not motions[-1].fell


def test_reacting_people_do_not_touch_a_robot_at_rest() -> None:
    walk, stands = walker((-3.5, 2.0), (-0.5, 2.0)), Velocity(0.0, 0.0)
    for reacting in (True, False):
        _, motions = beside(walk, Pose(-2.0, 2.0), stands, reacting=reacting)
        assert any(m.collided for m in motions) is not reacting


# ------------------------------------------------------------- state, repetition, falls
COMMANDS = [Velocity(0.7, 0.3)] * 12 + [Move.FORWARD, Waypoints(((1.0, -0.5),)), Move.LEFT] * 3


def test_snapshots_are_exact_to_the_bit(sim) -> None:  # type: ignore[no-untyped-def]
    play(sim, Pose(-1.4, 0.9), *[Velocity(0.8, 0.2)] * 14)  # rolling, against the wall
    kept = sim.snapshot()
    first = [sim.apply(c) for c in COMMANDS]
    end = sim.snapshot()
    sim.restore(kept)
    assert sim.snapshot() == kept
    assert [sim.apply(c) for c in COMMANDS] == first
    assert sim.snapshot() == end
    other = loaded()
    other.restore(pickle.loads(pickle.dumps(kept)))
    assert [other.apply(c) for c in COMMANDS] == first
    assert other.snapshot() == end
    with pytest.raises(SimulationError, match="no snapshot of the physics tier"):
        sim.restore(kinematic())


def test_snapshots_hold_the_people() -> None:
    walk = walker((-3.5, 2.0), (-0.5, 2.0))
    sim, _ = beside(walk, Pose(-2.0, 2.0), Velocity(0.2, 0.0), reacting=True)
    play(sim, Pose(-2.0, 2.0), *[Velocity(-0.3, 0.1)] * 10)
    kept = sim.snapshot()
    first = [(sim.apply(Velocity(-0.3, 0.0)), sim.people()) for _ in range(15)]
    sim.restore(kept)
    assert [(sim.apply(Velocity(-0.3, 0.0)), sim.people()) for _ in range(15)] == first


def test_what_was_before_an_episode_leaves_no_trace_in_it(sim) -> None:  # type: ignore[no-untyped-def]
    play(sim, Pose(2.0, 1.0), *[Velocity(0.8, 1.2)] * 7)
    again = play(sim, Pose(-3.0, 1.0), *COMMANDS)
    assert play(loaded(), Pose(-3.0, 1.0), *COMMANDS) == again


def test_it_draws_and_measures_as_the_embedded_simulator_does(sim) -> None:  # type: ignore[no-untyped-def]
    play(sim, Pose(-3.0, 2.0), Move.FORWARD, Move.LEFT)
    plain = kinematic()
    plain.place(sim.pose)
    camera = Camera(64, 48, height_m=0.56)
    assert np.array_equal(sim.render(camera).rgb, plain.render(camera).rgb)
    goal = ((3.0, 2.0, 0.0),)
    assert sim.geodesic(sim.pose.point, goal) == plain.geodesic(sim.pose.point, goal)


def test_a_tilted_robot_has_fallen_and_goes_nowhere(sim) -> None:  # type: ignore[no-untyped-def]
    body = Carter(CARTER)
    assert not body.fallen(math.radians(34.9), 0.0)
    assert body.fallen(math.radians(-35.1), 0.0)
    assert body.fallen(0.0, math.radians(35.1))
    sim.place(Pose(-3.0, 2.0))
    sim._rig._data.qvel[3] = 12.0  # thrown over its right wheel
    motions = [sim.apply(Velocity(0.0, 0.0)) for _ in range(5)]
    assert motions[-1] == Motion(sim.pose, False, 0.0, True)
    sim.place(Pose(-3.0, 2.0))
    assert not sim.apply(Velocity(0.1, 0.0)).fell


# ------------------------------------------------------------------------ what is missing
def test_a_robot_without_a_body_is_refused(sim) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(SimulationError, match="no body for robot 'h1'"):
        loaded(load_robot("h1"))
    with pytest.raises(SpecError, match="robot 'carter': the physics tier needs its wheel_base_m"):
        loaded(replace(CARTER, wheel_base_m=0.0))


def test_without_mujoco_one_line_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> object:
        raise ImportError(name)

    engine.mujoco.cache_clear()
    monkeypatch.setattr(importlib, "import_module", missing)
    with pytest.raises(MissingExtraError, match=r"MuJoCo 4 or later: pip install 'navproof\[phys"):
        simulator()
    monkeypatch.undo()
    engine.mujoco.cache_clear()
