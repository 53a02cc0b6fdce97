"""What follows a plan."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from navproof.core.types import Answer, Control, Move, Pose, Robot, TaskBrief, Velocity, Waypoints
from navproof.diagnosis.oracles.along import ahead_of, following, follows
from navproof.diagnosis.oracles.polyline import along, apart_m, beyond, cut, length_m

ROBOT = Robot("test", 0.2, 1.0)
MOVES = (Move.FORWARD, Move.LEFT, Move.RIGHT, Move.STOP)
PLAN = ((0.0, 0.0), (4.0, 0.0))


def brief(control: Control = "discrete") -> TaskBrief:
    return TaskBrief("t-v1", "", ROBOT, (), control, MOVES, 100, 0)


def at(bearing_deg: float, x: float = 0.0, y: float = 0.0) -> Pose:
    """A pose from which a plan along +x lies at a bearing."""
    return Pose(x, y, 0.0, math.radians(-bearing_deg))


@pytest.mark.parametrize(
    ("bearing_deg", "expected"),
    [
        (2, {Move.FORWARD, Move.LEFT, Move.RIGHT}),
        (-20, {Move.FORWARD, Move.RIGHT}),
        (30, {Move.FORWARD, Move.LEFT}),
        (60, {Move.LEFT}),
        (-120, {Move.RIGHT}),
        (175, {Move.LEFT, Move.RIGHT}),
    ],
)
def test_moves_by_bearing(bearing_deg: float, expected: set[Move]) -> None:
    assert set(following(PLAN, at(bearing_deg), brief())) == expected
    for move in MOVES:
        assert follows(move, PLAN, at(bearing_deg), brief()) == (move in expected)


def test_the_best_comes_first() -> None:
    assert following(PLAN, at(5), brief())[0] is Move.FORWARD
    assert following(PLAN, at(40), brief())[0] is Move.LEFT
    assert following(PLAN, at(-170), brief())[0] is Move.RIGHT


def test_beside_the_plan_its_course_counts_too() -> None:
    beside = Pose(1.0, 0.6, 0.0, 0.0)  # the point looked at is 50° to the right
    assert follows(Move.FORWARD, PLAN, beside, brief())
    assert following(PLAN, beside, brief())[0] is Move.RIGHT


def test_the_end_and_claims() -> None:
    assert following(PLAN, Pose(3.6, 0.0), brief()) == ()  # two steps from it
    assert follows(Move.LEFT, PLAN, Pose(3.6, 0.0), brief())
    assert follows(Move.STOP, PLAN, Pose(3.1, 0.0), brief())
    assert not follows(Move.STOP, PLAN, Pose(2.5, 0.0), brief())
    assert Move.FOUND not in following(PLAN, Pose(3.1, 0.0), brief())  # not in this task


@pytest.mark.parametrize("plan", [(), ((1.0, 1.0),), ((0.0, 2.0), (4.0, 2.0))])
def test_no_plan_and_plans_left_behind(plan: tuple[tuple[float, float], ...]) -> None:
    assert ahead_of(plan, Pose(0.0, 0.0), ROBOT) is None
    assert following(plan, Pose(0.0, 0.0), brief()) == ()
    assert follows(Move.LEFT, plan, Pose(0.0, 0.0), brief())


def test_a_plan_that_doubles_back_is_read_from_its_beginning() -> None:
    there_and_back = ((0.0, 0.0), (2.0, 0.0), (0.0, 0.0), (-2.0, 0.0))
    ahead = ahead_of(there_and_back, Pose(0.0, 0.0), ROBOT)
    assert ahead is not None
    assert ahead.left_m == pytest.approx(6.0)
    assert ahead.bearing_rad == pytest.approx(0.0)


def test_waypoints_lead_along_the_plan() -> None:
    bent = ((0.0, 0.0), (1.0, 0.0), (1.0, 4.0))
    pose = Pose(0.0, 0.0, 0.0, math.pi / 2)
    (best, *_) = following(bent, pose, brief("waypoints"))
    assert isinstance(best, Waypoints)
    assert best.points[-1] == pytest.approx((0.5, -1.0))  # 1.5 m on: 0.5 m ahead, 1 m to the right
    assert follows(best, bent, pose, brief("waypoints"))
    assert not follows(Waypoints(((1.0, 0.5),)), bent, pose, brief("waypoints"))


def test_velocities() -> None:
    told = brief("velocity")
    (best, *_) = following(PLAN, at(0), told)
    assert isinstance(best, Velocity)
    assert best.v_m_s > 0.5
    for bearing in (-160, -60, 10, 100):
        assert follows(following(PLAN, at(bearing), told)[0], PLAN, at(bearing), told)
    assert not follows(Velocity(0.0, 0.0), PLAN, at(0), told)
    assert not follows(Velocity(0.5, 0.0), PLAN, at(90), told)
    assert not follows(Velocity(0.0, -0.8), PLAN, at(90), told)


def test_any_control_prefers_what_the_agent_speaks() -> None:
    told = brief("any")
    assert isinstance(following(PLAN, at(0), told)[0], Waypoints)
    assert following(PLAN, at(0), told, like=Move.LEFT)[0] is Move.FORWARD
    assert follows(Answer("red"), PLAN, at(90), told)


@given(st.floats(-180, 180), st.floats(-3, 5), st.floats(-1, 1))
def test_whatever_follows_is_said_to_follow(bearing: float, x: float, y: float) -> None:
    for control in ("discrete", "any", "waypoints", "velocity"):
        for action in following(PLAN, at(bearing, x, y), brief(control)):  # type: ignore[arg-type]
            assert follows(action, PLAN, at(bearing, x, y), brief())


def test_polylines() -> None:
    way = [(0.0, 0.0), (3.0, 0.0), (3.0, 4.0)]
    assert length_m(way) == 7.0
    assert along(way, 5.0) == (3.0, 2.0)
    assert along(way, 99.0) == (3.0, 4.0)
    assert cut(way, 4.0) == [(0.0, 0.0), (3.0, 0.0), (3.0, 1.0)]
    assert beyond(way, 3.5) == [(3.0, 0.5), (3.0, 4.0)]
    assert apart_m(way, (1.0, 2.0)) == 2.0
