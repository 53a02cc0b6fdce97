"""The value map: who sees what, how sure it is, and how two views blend."""

from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.typing import NDArray

from navproof.core.errors import PerceptionError
from navproof.core.types import Camera, Pose
from navproof.perception.value_map import UNSEEN, ValueMap

CAMERA = Camera(width=64, height=64, hfov_deg=90.0, height_m=1.5)
HERE = Pose(0.0, 0.0)


def wall(distance: float) -> NDArray[np.float32]:
    return np.full((64, 64), distance, dtype=np.float32)


def trust(x: float, y: float, fov_deg: float = 90.0) -> float:
    """cos²(θ / (fov/2) · π/2) of a point, for a camera at the origin that looks along +x."""
    theta = math.atan2(y, x)
    return math.cos(theta / math.radians(fov_deg / 2) * math.pi / 2) ** 2


def test_the_cone_in_sight_is_painted_with_the_confidence_of_its_bearing() -> None:
    world = ValueMap()
    world.fuse([0.7], wall(3.0), CAMERA, HERE)
    for row in range(0, world.grid.rows, 3):
        for col in range(0, world.grid.cols, 3):
            x, y = world.grid.centre(row, col)
            bearing, far = math.degrees(math.atan2(y, x)), math.hypot(x, y)
            if abs(bearing) < 44.0 and x < 2.94:
                assert world.confidence[row, col] == pytest.approx(trust(x, y), abs=0.03)
                assert world.values[0, row, col] == pytest.approx(0.7)
            elif abs(bearing) > 46.0 or x > 3.08 or far > 5.0:
                assert world.confidence[row, col] == 0.0


def test_range_ends_the_cone_and_holes_say_nothing() -> None:
    world = ValueMap()
    depth = wall(9.0)
    depth[:, 32:] = 0.0  # the right half
    world.fuse([1.0], depth, CAMERA, HERE, max_range_m=2.0)
    assert world.confidence[world.grid.index(1.9, 0.2)] > 0.0
    assert world.confidence[world.grid.index(2.1, 0.2)] == 0.0
    assert world.confidence[world.grid.index(1.0, -0.2)] == 0.0


def test_a_thing_in_the_way_hides_only_what_nothing_else_shows() -> None:
    depth = wall(4.0)
    depth[30:, :] = 1.0  # a low thing before the wall: the floor behind it is looked at over it
    world = ValueMap()
    world.fuse([1.0], depth, CAMERA, HERE)
    assert world.confidence[world.grid.index(3.0, 0.0)] > 0.9
    depth[:] = 1.0
    world = ValueMap()
    world.fuse([1.0], depth, CAMERA, HERE)
    assert world.confidence[world.grid.index(3.0, 0.0)] == 0.0


def test_views_blend_as_vlfm_says() -> None:
    world = ValueMap()
    world.fuse([1.0], wall(4.0), CAMERA, HERE)
    world.fuse([0.0], wall(4.0), CAMERA, Pose(0.0, 0.0, 0.0, math.radians(20.0)))
    cell = world.grid.index(2.01, 0.03)
    x, y = world.grid.centre(*cell)
    turn = math.radians(20.0)
    a = trust(x, y)
    b = trust(x * math.cos(turn) + y * math.sin(turn), -x * math.sin(turn) + y * math.cos(turn))
    assert world.values[0][cell] == pytest.approx(a / (a + b), abs=0.01)
    assert world.confidence[cell] == pytest.approx((a * a + b * b) / (a + b), abs=0.01)


def test_turned_and_pitched_cameras_see_where_they_look() -> None:
    camera = Camera(64, 64, 90.0, height_m=1.5, pitch_deg=-30.0, yaw_deg=90.0)
    down = math.radians(30.0)
    rows = (np.arange(64) + 0.5 - 32.0) / 32.0
    drop = rows * math.cos(down) + math.sin(down)  # metres down per metre of depth
    depth = np.zeros((64, 64), dtype=np.float32)
    depth[:] = np.where(drop > 0.0, 1.5 / np.where(drop > 0.0, drop, 1.0), 0.0)[:, None]
    world = ValueMap()
    world.fuse([0.5], depth, camera, Pose(1.0, 1.0), max_range_m=3.0)
    assert world.confidence[world.grid.index(1.0, 3.0)] == pytest.approx(1.0, abs=0.02)
    assert world.confidence[world.grid.index(3.0, 1.0)] == 0.0


def test_channels_are_kept_apart_and_the_median_is_read_near_a_point() -> None:
    world = ValueMap(channels=2)
    world.fuse([0.2, 0.8], wall(4.0), CAMERA, HERE)
    np.testing.assert_allclose(world.value_at(2.0, 0.0, 0.3), [0.2, 0.8])
    np.testing.assert_array_equal(world.value_at(-2.0, 0.0, 0.3), [UNSEEN, UNSEEN])
    cell = world.grid.index(2.0, 0.0)
    world.values[0][cell] = 9.0  # one cell of many does not move the median
    np.testing.assert_allclose(world.value_at(2.0, 0.0, 0.3)[0], 0.2)
    np.testing.assert_allclose(world.value_at(2.0, 0.0, 0.0)[0], 9.0)
    np.testing.assert_array_equal(world.value_at(1e4, 0.0), [UNSEEN, UNSEEN])


def test_growth_keeps_what_is_there() -> None:
    world = ValueMap(size_m=12.0)
    world.fuse([0.4], wall(2.0), CAMERA, HERE)
    sure = world.confidence[world.grid.index(1.0, 0.0)]
    size = world.grid.cols
    world.fuse([0.9], wall(2.0), CAMERA, Pose(-20.0, 3.0))
    assert world.grid.cols > size
    assert world.confidence[world.grid.index(1.0, 0.0)] == sure
    assert world.value_at(-19.0, 3.0, 0.2)[0] == pytest.approx(0.9)


def test_bad_input_is_one_clear_line() -> None:
    world = ValueMap(channels=2)
    for values in ([0.1], [0.1, float("nan")], 0.3):
        with pytest.raises(PerceptionError, match="2 channels"):
            world.fuse(values, wall(2.0), CAMERA, HERE)  # type: ignore[arg-type]
    with pytest.raises(PerceptionError, match="depth"):
        world.fuse([0.1, 0.2], None, CAMERA, HERE)
    with pytest.raises(PerceptionError, match="max_range_m"):
        world.fuse([0.1, 0.2], wall(2.0), CAMERA, HERE, float("nan"))
    with pytest.raises(PerceptionError, match="channel"):
        ValueMap(channels=0)
