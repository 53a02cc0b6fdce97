"""Falling: the pendulum's closed forms, thresholds from both sides, and whole robots."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
from scipy.integrate import solve_ivp

from navproof.core.types import Balance, Move, Pose, Robot, Velocity, Walk
from navproof.sim.embedded import EmbeddedSimulator
from navproof.sim.motion.stability import (
    GRAVITY_M_S2,
    capture_point_m,
    has_fallen,
    packed,
    pendulum_rate,
    sharpest_m_s2,
    step_offset,
)
from navproof.sim.robots import load_robot
from navproof.testing import tiny_scene
from navproof.world.people.people import APPEARANCES

SCENE = tiny_scene()
H1, ALIENGO, CARTER = (load_robot(name) for name in ("h1", "aliengo", "carter"))
FEET = Balance(0.95, 0.16, 0.12, 0.14, 0.3, 35.0, 15.0, leg_m=0.9, fall_leg_m=0.5)
RATE = math.sqrt(9.81 / 0.95)
DT = 0.001


def standing(robot: Robot, x: float = -3.5, y: float = 1.0, yaw: float = 0.0) -> EmbeddedSimulator:
    sim = EmbeddedSimulator()
    sim.load(SCENE, robot)
    sim.place(Pose(x, y, 0.0, yaw))
    return sim


def falls(sim: EmbeddedSimulator, v: float, w: float = 0.0, seconds: float = 2.5) -> bool:
    return any(sim.apply(Velocity(v, w)).fell for _ in range(round(10 * seconds)))


def settle(balance: Balance, dx: float, dy: float, seconds: float) -> tuple[float, float, float]:
    """(δx, δy, seconds until the fall or inf) when left alone."""
    numbers = packed(balance)
    for step in range(round(seconds / DT)):
        if has_fallen(numbers, dx, dy):
            return dx, dy, step * DT
        dx, dy = step_offset(numbers, dx, dy, 0.0, 0.0, 0.0, DT)
    return dx, dy, math.inf


# ---------------------------------------------------------------------------------- the pendulum
def test_the_capture_point_is_where_a_pendulum_comes_to_rest() -> None:
    """Stepping there: x'' = ω₀²·(x − ξ) tends to x = ξ with no speed left."""
    x0, v0 = 0.1, 0.7
    foot = capture_point_m(x0, v0, 0.95)
    assert foot == pytest.approx(x0 + v0 / math.sqrt(GRAVITY_M_S2 / 0.95))
    done = solve_ivp(
        lambda _, s: (s[1], RATE**2 * (s[0] - foot)), (0.0, 3.0), (x0, v0), rtol=1e-11, atol=1e-12
    )
    assert done.y[0, -1] == pytest.approx(foot, abs=1e-4)
    assert done.y[1, -1] == pytest.approx(0.0, abs=1e-3)


def test_inside_the_feet_the_offset_decays_with_its_time_constant() -> None:
    dx, dy, fell = settle(FEET, 0.05, -0.04, 0.6)
    assert dx == pytest.approx(0.05 * math.exp(-2.0), rel=5e-3)
    assert dy == pytest.approx(-0.04 * math.exp(-2.0), rel=5e-3)
    assert fell == math.inf


@pytest.mark.parametrize(
    ("axis", "edge", "limit_deg"),
    [("ahead", 0.16, 35.0), ("behind", -0.12, 35.0), ("left", 0.14, 15.0), ("right", -0.14, 15.0)],
)
def test_just_inside_the_feet_is_saved_and_just_outside_falls(
    axis: str, edge: float, limit_deg: float
) -> None:
    def start(offset: float) -> tuple[float, float]:
        return (offset, 0.0) if axis in ("ahead", "behind") else (0.0, offset)

    inside = settle(FEET, *start(0.99 * edge), 6.0)
    assert inside[2] == math.inf
    assert math.hypot(*inside[:2]) < 1e-3
    beyond = 1.05 * edge
    lost = 0.95 * math.tan(math.radians(limit_deg)) - abs(edge)
    assert settle(FEET, *start(beyond), 6.0)[2] == pytest.approx(
        math.log(lost / abs(beyond - edge)) / RATE, rel=0.01
    )


def test_the_fall_test_is_that_of_vln_pe() -> None:
    numbers = packed(FEET)
    for dx, dy, limit in ((1.0, 0.0, 35.0), (-1.0, 0.0, 35.0), (0.0, 1.0, 15.0), (0.0, -1.0, 15.0)):
        for lean_deg, fallen in ((limit - 0.1, False), (limit + 0.1, True)):
            lean = 0.95 * math.tan(math.radians(lean_deg))
            assert has_fallen(numbers, dx * lean, dy * lean) is fallen


def test_a_leg_that_leans_too_low_is_a_fall() -> None:
    numbers = packed(replace(FEET, fall_pitch_deg=80.0))
    critical = math.acos(0.5 / 0.9)
    for lean, fallen in ((critical - 0.002, False), (critical + 0.002, True)):
        assert has_fallen(numbers, 0.95 * math.tan(lean), 0.0) is fallen


@pytest.mark.parametrize(("share", "fallen"), [(0.98, False), (1.05, True)])
def test_the_sharpest_lasting_acceleration(share: float, fallen: bool) -> None:
    numbers, a = packed(FEET), share * sharpest_m_s2(FEET, FEET.ahead_m)
    dx = 0.0
    for _ in range(20_000):
        dx, _ = step_offset(numbers, dx, 0.0, a, 0.0, 0.0, DT)
        if has_fallen(numbers, dx, 0.0):
            break
    assert has_fallen(numbers, dx, 0.0) is fallen
    if not fallen:
        assert dx == pytest.approx(a * FEET.recovery_s / RATE, rel=1e-3)


def test_an_offset_stays_in_the_world_while_the_robot_turns() -> None:
    numbers = packed(replace(FEET, recovery_s=1e6))
    dx, dy = step_offset(numbers, 0.05, 0.0, 0.0, 0.0, math.pi / 2, 1e-9)
    assert (dx, dy) == pytest.approx((0.0, -0.05), abs=1e-9)


# ------------------------------------------------------------------------------------ whole robots
def test_a_short_change_of_speed_shifts_the_capture_point_by_it() -> None:
    """Δv in next to no time moves ξ by Δv/ω₀."""
    sim = standing(replace(H1, acceleration_m_s2=100.0))
    sim.apply(Velocity(0.2, 0.0), dt_s=0.01)
    assert sim.going.v_m_s == pytest.approx(0.2)
    assert sim.going.ahead_m == pytest.approx(0.2 / pendulum_rate(0.95), rel=1e-3)


@pytest.mark.parametrize(("speed", "fallen"), [(0.5, False), (0.6, False), (0.8, True)])
def test_h1_falls_when_it_is_stopped_too_sharply(speed: float, fallen: bool) -> None:
    sim = standing(H1)
    assert not falls(sim, speed, seconds=1.5)
    assert falls(sim, 0.0) is fallen


def test_braking_step_by_step_saves_it() -> None:
    sim = standing(H1)
    assert not falls(sim, 0.8, seconds=1.5)
    for speed in (0.6, 0.4, 0.2, 0.0):
        assert not falls(sim, speed, seconds=0.4)
    assert not falls(sim, 0.0)


@pytest.mark.parametrize(("speed", "fallen"), [(0.4, False), (0.9, True)])
def test_h1_falls_when_it_turns_too_sharply_at_speed(speed: float, fallen: bool) -> None:
    sim = standing(H1, -3.0, 1.0)
    assert not falls(sim, speed, seconds=1.2)
    assert falls(sim, speed, 1.5, seconds=1.6) is fallen


def test_turning_on_the_spot_never_topples() -> None:
    sim = standing(H1, -2.0, 2.0)
    assert not any(falls(sim, 0.0, w, 0.3) for w in (1.5, -1.5) * 5)


@pytest.mark.parametrize("robot", [ALIENGO, CARTER], ids=lambda r: r.name)
def test_four_legs_and_wheels_bear_any_command(robot: Robot) -> None:
    sim = standing(robot, -2.0, 2.0)
    for v, w in ((1.0, 0.0), (-1.0, 0.0), (1.0, 1.5), (-1.0, -1.5), (0.0, 0.0)) * 3:
        assert not falls(sim, v, w, 0.7)


@pytest.mark.parametrize(("speed", "fallen"), [(0.55, False), (0.65, True)])
def test_running_into_a_wall_is_a_fall_above_a_speed(speed: float, fallen: bool) -> None:
    sim = standing(H1, -2.5)
    assert falls(sim, speed, seconds=5.0) is fallen


@pytest.mark.parametrize(("slant_deg", "fallen"), [(35.0, True), (55.0, False)])
def test_only_the_speed_across_the_wall_counts(slant_deg: float, fallen: bool) -> None:
    """0.85 m/s at 35° from the wall's normal is 0.70 across it, at 55° 0.49."""
    slant = math.radians(slant_deg)
    sim = standing(H1, 3.72 - 0.8 * math.cos(slant), 2.4 - 0.8 * math.sin(slant), slant)
    hits = 0
    while hits < 3:
        motion = sim.apply(Velocity(0.85, 0.0))
        hits += motion.collided
        if motion.fell:
            break
    assert hits
    assert motion.fell is fallen


@pytest.mark.parametrize(("robot", "speed", "fallen"), [(H1, 1.0, True), (H1, 0.4, False)])
def test_running_into_somebody_is_an_impact_too(robot: Robot, speed: float, fallen: bool) -> None:
    sim = EmbeddedSimulator()
    sim.load(SCENE, robot, (Walk("p1", next(iter(APPEARANCES)), ((-1.0, 1.0, 0.0),)),))
    sim.place(Pose(-3.5, 1.0))
    motions = [sim.apply(Velocity(speed, 0.0)) for _ in range(60)]
    assert any(m.collided for m in motions)
    assert any(m.fell for m in motions) is fallen


def test_somebody_in_the_way_stops_carter_and_leaves_it_standing() -> None:
    sim = EmbeddedSimulator()
    sim.load(SCENE, CARTER, (Walk("p1", next(iter(APPEARANCES)), ((-1.0, 1.0, 0.0),)),))
    sim.place(Pose(-3.5, 1.0))
    while not sim.apply(Velocity(0.8, 0.0)).collided:
        assert sim.pose.x < -1.5
    for _ in range(5):
        motion = sim.apply(Velocity(0.8, 0.0))
    assert not motion.fell
    assert sim.going.v_m_s < 0.8


def test_whoever_has_fallen_lies_there_until_placed_again() -> None:
    sim = standing(H1, -2.5)
    assert falls(sim, 1.0, seconds=5.0)
    lying, since = sim.pose, sim.time_s
    motion = sim.apply(Move.FORWARD)
    assert (motion.pose, motion.moved_m, motion.fell) == (lying, 0.0, True)
    assert sim.time_s > since
    sim.place(Pose(-2.5, 1.0))
    assert not sim.apply(Move.FORWARD).fell


def test_its_own_discrete_moves_never_topple_h1() -> None:
    sim = standing(H1, -2.0, 2.0)
    moves = [Move.FORWARD, Move.LEFT, Move.FORWARD, Move.RIGHT, Move.RIGHT] * 12
    assert not any(sim.apply(move).fell for move in moves)
