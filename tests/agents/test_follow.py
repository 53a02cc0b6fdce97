"""Discrete moves along a path, executed in free space."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from navproof.agents.baselines.follow import PathProgress, plan_moves, simplify
from navproof.core.types import Move


def drive(
    moves: list[Move], x: float, y: float, yaw: float, turn_rad: float
) -> tuple[float, float, float, float]:
    """(x, y, yaw, metres) after the moves."""
    metres = 0.0
    for move in moves:
        if move is Move.FORWARD:
            x, y, metres = x + 0.25 * math.cos(yaw), y + 0.25 * math.sin(yaw), metres + 0.25
        else:
            yaw += turn_rad if move is Move.LEFT else -turn_rad
    return x, y, yaw, metres


def test_straight_ahead_takes_no_turn() -> None:
    moves = plan_moves(
        0.0, 0.0, 0.0, [(0.0, 0.0), (1.0, 0.0)], step_m=0.25, turn_rad=0.5, tolerance_m=0.08
    )
    assert moves == [Move.FORWARD] * 4


def test_behind_it_turns_round_first() -> None:
    moves = plan_moves(
        0.0,
        0.0,
        math.pi,
        [(0.0, 0.0), (0.5, 0.0)],
        step_m=0.25,
        turn_rad=math.radians(30),
        tolerance_m=0.08,
    )
    assert moves[:6] in ([Move.LEFT] * 6, [Move.RIGHT] * 6)
    assert moves[6:] == [Move.FORWARD] * 2


@settings(max_examples=40, deadline=None)
@given(
    st.floats(-3.1, 3.1), st.floats(-3.1, 3.1), st.floats(0.8, 1.9), st.sampled_from([10, 15, 30])
)
def test_ends_within_tolerance_at_little_extra_length(
    yaw: float, bearing: float, length: float, turn_deg: int
) -> None:
    goal = (length * math.cos(bearing), length * math.sin(bearing))
    turn = math.radians(turn_deg)
    moves = plan_moves(
        0.0, 0.0, yaw, [(0.0, 0.0), goal], step_m=0.25, turn_rad=turn, tolerance_m=0.08
    )
    x, y, _, metres = drive(moves, 0.0, 0.0, yaw, turn)
    assert math.dist((x, y), goal) <= 0.08 + 1e-9
    assert metres <= length * 1.035 + 0.45


def test_a_long_path_is_followed_for_about_the_horizon() -> None:
    path = [(0.0, 0.0), (3.0, 0.0), (3.0, 4.0)]
    turn = math.radians(30)
    moves = plan_moves(0.0, 0.0, 0.3, path, step_m=0.25, turn_rad=turn, tolerance_m=0.08)
    x, y, _, metres = drive(moves, 0.0, 0.0, 0.3, turn)
    away, remaining = PathProgress(path).measure(x, y)
    assert away <= 0.15
    assert 7.0 - remaining >= 2.0
    assert metres <= 2.0 * 1.06 + 0.25


def test_blocked_headings_are_avoided() -> None:
    path = [(0.0, 0.0), (1.0, 0.0)]
    turn = math.radians(30)
    moves = plan_moves(
        0.0,
        0.0,
        0.0,
        path,
        step_m=0.25,
        turn_rad=turn,
        tolerance_m=0.1,
        blocked=[(0.0, 0.0, 0.0)],
    )
    assert moves
    assert moves[0] is not Move.FORWARD


def test_simplify_keeps_ends_and_corners() -> None:
    dense = [(i / 10, 0.0) for i in range(11)] + [(1.0, i / 10) for i in range(1, 11)]
    assert simplify(dense) == [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0)]
    assert simplify([(1.0, 2.0)]) == [(1.0, 2.0)]


def test_corridor_measures_distance_and_remaining_length() -> None:
    ruler = PathProgress([(0.0, 0.0), (2.0, 0.0), (2.0, 3.0)])
    assert ruler.measure(0.0, 0.0) == pytest.approx((0.0, 5.0))
    assert ruler.measure(1.0, 0.5) == pytest.approx((0.5, math.hypot(1.0, 0.5) + 3.0))
    assert ruler.measure(2.0, 1.0) == pytest.approx((0.0, 2.0))
