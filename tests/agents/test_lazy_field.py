"""Fields that are marched as far as they are asked about, against fields marched to the end."""

from __future__ import annotations

import copy
import math

import numpy as np
import pytest
from numpy.typing import NDArray

import navproof.agents.mapping.navigate as navigate
from navproof.agents.mapping.lazy_field import LazyField
from navproof.agents.mapping.navigate import Navigator
from navproof.agents.mapping.occupancy import LIMIT, OccupancyMap
from navproof.agents.mapping.planning import distance_field, occupied_beside
from navproof.core.types import Move, Pose, Robot

_CELL = 0.05


def _maze(seed: int) -> tuple[NDArray[np.bool_], NDArray[np.bool_], NDArray[np.float64]]:
    """(free, seeds, the field marched to the end), with closed rooms and several seeds."""
    draw = np.random.default_rng(seed)
    free = draw.random((37, 52)) > 0.3
    seeds = np.zeros_like(free)
    seeds[draw.integers(0, 37, 4), draw.integers(0, 52, 4)] = True
    return free, seeds, distance_field(free, seeds, _CELL)


@pytest.mark.parametrize("seed", range(6))
def test_whatever_is_asked_in_whatever_order_the_field_is_the_same_to_the_bit(seed: int) -> None:
    free, seeds, whole = _maze(seed)
    draw = np.random.default_rng(seed + 100)
    field = LazyField(free, seeds, _CELL)
    for index in draw.permutation(whole.size)[:200]:
        row, col = divmod(int(index), whole.shape[1])
        assert field.at(row, col) == whole[row, col]
    np.testing.assert_array_equal(field.up_to(math.inf), whole)


@pytest.mark.parametrize("seed", range(6))
def test_up_to_a_distance_it_is_complete_and_beyond_it_nothing_is_wrong(seed: int) -> None:
    free, seeds, whole = _maze(seed)
    field = LazyField(free, seeds, _CELL)
    for metres in (0.0, 0.21, 0.2, 0.6):
        known = field.up_to(metres)
        near = whole <= metres
        np.testing.assert_array_equal(known[near], whole[near])
        told = np.isfinite(known)
        np.testing.assert_array_equal(known[told], whole[told])
        assert not told.all()


def test_what_is_farther_than_asked_is_not_marched_to() -> None:
    free = np.ones((40, 40), dtype=np.bool_)
    seeds = np.zeros_like(free)
    seeds[0, 0] = True
    field = LazyField(free, seeds, _CELL)
    assert math.isinf(field.at(39, 39, most_m=1.0))
    assert int(np.isfinite(field.values).sum()) < 0.4 * free.size
    assert field.at(39, 39) == distance_field(free, seeds, _CELL)[39, 39]
    assert math.isinf(field.at(39, 39, most_m=1.0))  # it is known by now, and still too far


def test_a_copy_goes_on_by_itself() -> None:
    free, seeds, whole = _maze(3)
    field = LazyField(free, seeds, _CELL)
    field.up_to(0.2)
    before = field.values.copy()
    twin = copy.deepcopy(field)
    np.testing.assert_array_equal(twin.up_to(math.inf), whole)
    np.testing.assert_array_equal(field.values, before)
    np.testing.assert_array_equal(field.up_to(math.inf), whole)


# ---------------------------------------------------------------------------------- in navigators
class _Whole(LazyField):  # type: ignore[misc]  # final, but for tests
    """Marched to the end before anybody asks."""

    def __init__(self, free: NDArray[np.bool_], seeds: NDArray[np.bool_], cell: float) -> None:
        super().__init__(free, seeds, cell)
        self.up_to(math.inf)


def _walk(seed: int, *, agile: bool) -> list[tuple[Move | None, tuple[tuple[float, float], ...]]]:
    """Moves and paths on a map of posts to one target after the other. A robot that turns by right
    angles often finds no heading that brings it nearer, and goes where it is not much farther."""
    draw = np.random.default_rng(seed)
    turn_deg = 90.0 if seed % 2 else 30.0
    world = OccupancyMap(0.1, 1.0, size_m=12.0)
    (r0, c0), (r1, c1) = world.index(-4.0, -4.0), world.index(4.0, 4.0)
    world.evidence[r0:r1, c0:c1] = -LIMIT
    for x, y in draw.uniform(-3.5, 3.5, (24, 2)):
        if math.hypot(x, y) > 0.8:
            world.stamp(float(x), float(y), 0.3, LIMIT)
    navigator = Navigator(Robot("disc", 0.18, 0.88, turn_deg=turn_deg), world, agile=agile)
    pose, told = Pose(0.0, 0.0), []
    for x, y in draw.uniform(-4.5, 4.5, (5, 2)):
        for step in range(30):
            move = navigator.towards(pose, float(x), float(y), 0.3)
            told.append((move, navigator.path))
            if move is None:
                break
            turn = {Move.LEFT: 1.0, Move.RIGHT: -1.0}.get(move, 0.0) * math.radians(turn_deg)
            reach = 0.25 if move is Move.FORWARD else 0.0
            at = (pose.x + reach * math.cos(pose.yaw), pose.y + reach * math.sin(pose.yaw))
            if step % 7 == 6:  # carried off its way
                at = (at[0] + 0.3, at[1] - 0.2)
            pose = Pose(*at, 0.0, pose.yaw + turn)
    return told


@pytest.mark.parametrize("agile", [False, True])
@pytest.mark.parametrize("seed", range(5))
def test_navigators_go_the_same_ways_as_with_whole_fields(
    seed: int, agile: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    lazily = _walk(seed, agile=agile)
    monkeypatch.setattr(navigate, "LazyField", _Whole)
    assert _walk(seed, agile=agile) == lazily
    assert sum(move is Move.FORWARD for move, _ in lazily) > 5


def test_a_heading_that_leads_away_for_a_step_is_found_beyond_where_the_robot_stands() -> None:
    """Before a gap, askew: both headings towards it are blocked, those behind leave more to go."""
    world = OccupancyMap(0.1, 1.0, size_m=12.0)
    (r0, c0), (r1, c1) = world.index(-3.0, -3.0), world.index(3.0, 3.0)
    world.evidence[r0:r1, c0:c1] = -LIMIT
    wall = world.index(0.25, 0.0)[1]
    for y0, y1 in ((-3.0, -0.25), (0.25, 3.0)):
        world.evidence[world.index(0.0, y0)[0] : world.index(0.0, y1)[0], wall] = LIMIT
    robot = Robot("disc", 0.18, 0.88, turn_deg=90.0)
    navigator = Navigator(robot, world)
    move = navigator.towards(Pose(0.0, 0.0, 0.0, math.pi / 4), 2.0, 0.0, 0.2)
    assert move in (Move.LEFT, Move.RIGHT)
    assert navigator.remaining_m(Pose(-0.18, 0.18)) > navigator.remaining_m(Pose(0.0, 0.0)) + 0.1


def test_occupied_cells_beside_points_are_counted_for_each_of_them() -> None:
    draw = np.random.default_rng(5)
    evidence = draw.integers(-3, 3, (30, 30)).astype(np.int16)
    points, origin, n = draw.uniform(-0.2, 1.7, (9, 2)), np.array([-0.1, 0.05]), 3
    rows = np.floor((points[:, 1] - origin[1]) / _CELL).astype(int)[:, None] + np.arange(-n, n + 1)
    cols = np.floor((points[:, 0] - origin[0]) / _CELL).astype(int)[:, None] + np.arange(-n, n + 1)
    rows, cols = np.clip(rows, 0, 29), np.clip(cols, 0, 29)
    expected = int((evidence[rows[:, :, None], cols[:, None, :]] > 0).sum())
    assert occupied_beside(evidence, points, origin, _CELL, n) == expected
